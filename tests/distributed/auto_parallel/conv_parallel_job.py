"""A network of convolutions on two processes, which share out the width of images; run by `test_parallelize.py`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import paddle
import paddle.distributed as dist
from paddle import nn

MESH = dist.ProcessMesh([[0, 1]], dim_names=["dp", "mp"])
IMAGES = np.random.RandomState(0).rand(2, 2, 8, 8).astype("float32")


def trained(plans: dict[str, Any]) -> dict[str, Any]:
    paddle.seed(1)
    first, second = nn.Conv2D(2, 3, 3, padding=1), nn.Conv2D(3, 2, 3, padding=1, stride=2)
    model: Any = nn.Sequential(first, nn.BatchNorm2D(3), nn.ReLU(), second, nn.Flatten(), nn.Linear(32, 2))
    optimizer: Any = paddle.optimizer.SGD(0.1, parameters=model.parameters())
    if plans:
        model, optimizer = dist.parallelize(model, optimizer, MESH, {"mp_config": {"parallelize_plan": plans}})
    ways: list[Any] = []
    first.register_forward_post_hook(lambda layer, given, out: ways.append(getattr(out, "placements", None)))
    losses = []
    for _ in range(3):
        loss = (model(paddle.to_tensor(IMAGES)) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    return {"losses": losses, "ways": str(ways[-1])}


def of_a_line() -> str:
    layer = nn.Conv1D(2, 2, 3, padding=1)
    dist.ConvParallel().apply(layer, MESH, [])
    assert not layer(paddle.ones([1, 2, 4])).is_dist()
    return str(layer(dist.shard_tensor(paddle.ones([1, 2, 4]), MESH, [dist.Replicate()])).placements)


if __name__ == "__main__":
    dist.init_parallel_env()
    told = {"whole": trained({}), "cut": {**trained({"0": dist.ConvParallel(), "3": dist.ConvParallel()}), "line": of_a_line()}}
    Path(sys.argv[1], str(dist.get_rank())).write_text(json.dumps(told))
