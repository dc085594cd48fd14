"""A DistModel on the meshes of two stages, and the same layers in one process; run by `test_dist_model_stages.py`.

python dist_model_stages_job.py FOLDER [1|2]      processes of each stage
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import paddle
import paddle.distributed as dist
from paddle import nn

EACH = int(sys.argv[2])
MESH = dist.ProcessMesh(np.arange(2 * EACH).reshape(2, EACH), dim_names=["pp", "dp"])
ROWS = np.random.RandomState(0).rand(3, 2, 8, 8).astype("float32")
WHOLE = [dist.Replicate()]


class Layers(nn.Layer):
    """Four layers, two on each stage."""

    def __init__(self, meshes: Any) -> None:
        super().__init__()
        paddle.seed(7)
        self.layers, self.meshes = nn.LayerList([nn.Linear(8, 8) for _ in range(4)]), meshes
        for place, layer in enumerate(self.layers if meshes else ()):
            layer.weight = dist.shard_tensor(layer.weight, meshes[place // 2], WHOLE)
            layer.bias = dist.shard_tensor(layer.bias, meshes[place // 2], WHOLE)

    def forward(self, x: Any) -> Any:
        for place, layer in enumerate(self.layers):
            if self.meshes and place == 2:
                x = dist.reshard(x, self.meshes[1], [dist.Shard(0)])
            x = paddle.tanh(layer(x))
        return x


def optimizer_of(layer: Any) -> Any:
    return paddle.optimizer.AdamW(0.05, parameters=layer.parameters(), grad_clip=nn.ClipGradByGlobalNorm(0.05))


def staged(pipeline: dict[str, Any]) -> dict[str, Any]:
    """Losses of three steps and of an evaluation, and the weights that this process has."""
    stages = [MESH.get_mesh_with_dim("pp", stage) for stage in range(2)]
    layer: Any = Layers(stages)
    pairs = [(x, y) for x, y in ROWS]
    loader = paddle.io.DataLoader(paddle.io.TensorDataset(list(map(paddle.to_tensor, pairs[0]))), batch_size=8)
    loader = dist.shard_dataloader(loader, stages, shard_dims="dp")
    model = dist.to_static(layer, loader, nn.MSELoss(), optimizer_of(layer), dist.Strategy({"pipeline": pipeline}))
    laid = [[dist.shard_tensor(value, mesh, [dist.Shard(0)]) for value, mesh in zip(pair, stages)] for pair in pairs]
    if pipeline.get("schedule_mode") == "ZBH1":  # of one process for each stage, which may give them as they are
        laid = [[paddle.to_tensor(value) for value in pair] for pair in pairs]
    losses: list[Any] = [model(*pair) for pair in laid]
    weights = [each.weight.numpy().tolist() for each in layer.layers if each.weight._is_initialized()]
    states = sorted(name for name in model.state_dict("opt"))
    model.eval()
    losses.append(model(*laid[0]))
    model.predict()
    out = model(laid[0][0])["out0"]
    return {
        "losses": [None if loss is None else np.asarray(loss).tolist() for loss in losses], "weights": weights, "states": len(states),
        "names": sorted(model.state_dict("param")), "out": None if out is None else [list(out.shape), float(out.sum())],
    }  # fmt: skip


def alone() -> dict[str, Any]:
    layer: Any = Layers(None)
    optimizer, losses = optimizer_of(layer), []
    pairs = [[paddle.to_tensor(value) for value in pair] for pair in ROWS]
    for x, y in pairs:
        loss = nn.MSELoss()(layer(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
    out = layer(pairs[0][0])
    losses.append(float(nn.MSELoss()(out, pairs[0][1])))
    return {"losses": losses, "weights": [each.weight.numpy().tolist() for each in layer.layers], "out": float(out.sum())}


if __name__ == "__main__":
    dist.init_parallel_env()
    ways = {"none": {}, "1F1B": {"enable": True, "schedule_mode": "1F1B", "accumulate_steps": 4}}
    if EACH == 1:
        ways["ZBH1"] = {"enable": True, "schedule_mode": "ZBH1", "accumulate_steps": 2, "micro_batch_size": 4}
    told = {**{name: staged(way) for name, way in ways.items()}, "alone": alone()}
    Path(sys.argv[1], str(dist.get_rank())).write_text(json.dumps(told))
