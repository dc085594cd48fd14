"""Stages of `paddle.distributed.auto_parallel.pipelining` on four processes, and the same layers in one; run by `test_pipelining.py`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import paddle
import paddle.distributed as dist
from paddle import nn
from paddle.distributed.auto_parallel.pipelining.schedules import Schedule1F1B, ScheduleFThenB, ScheduleVPP
from paddle.distributed.auto_parallel.pipelining.stage import PipelineStage
from paddle.distributed.auto_parallel.pipelining.utils import PipeliningShapeError, TensorMeta

WIDTH, ROWS, COUNT, STEPS = 8, 8, 4, 3
NUMBERS = np.random.RandomState(0)
X, Y = (NUMBERS.rand(ROWS, WIDTH).astype("float32") for _ in range(2))


class Scaled(nn.Layer):
    """A linear layer that all stages tell a scale, and that hands on two values."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(WIDTH, WIDTH)

    def forward(self, x: Any, mask: Any, scale: Any = None) -> Any:
        return paddle.tanh(self.fc(x)) * scale.mean() + mask, mask


def made() -> list[Any]:
    paddle.seed(5)
    return [Scaled() for _ in range(8)]


class Chain(nn.Layer):
    def __init__(self, layers: list[Any]) -> None:
        super().__init__()
        self.layers = nn.LayerList(layers)

    def forward(self, *given: Any, scale: Any = None) -> Any:
        for layer in self.layers:
            given = layer(*given, scale=scale)
        return given


def loss_of(out: Any, label: Any) -> Any:
    return ((out[0] - label) ** 2).mean()


def trained(schedule: Any, layers: list[Any], given: Any, label: Any, scale: Any) -> dict[str, Any]:
    """Losses of some steps, and the weights."""
    optimizer = paddle.optimizer.AdamW(0.01, parameters=[each for layer in layers for each in layer.parameters()])
    said: list[Any] = []
    for _ in range(STEPS):
        losses: list[Any] = [None]
        out = schedule.step(*given, target=label, losses=losses, return_output=True, scale=scale)
        said.append([[float(each) for each in losses], None if out is None else [float(out[0].sum()), *out[0].shape]])
        optimizer.step()
        optimizer.clear_grad()
    return {"said": said, "weights": [layer.fc.weight.numpy().tolist() for layer in layers]}


def of(kind: str, size: int, rank: int, group: Any, lay: Any = None) -> tuple[Any, list[Any]]:
    """A schedule, and this process's layers."""
    layers, chunks = made(), 2 if kind == "VPP" else 1
    per = len(layers) // (size * chunks)
    numbers = [chunk * size + rank for chunk in range(chunks)]
    parts = [layers[number * per : (number + 1) * per] for number in numbers]
    for part in parts if lay else ():
        for layer in part:
            layer.fc.weight, layer.fc.bias = lay(layer.fc.weight), lay(layer.fc.bias)
    stages = [PipelineStage(Chain(part), number, size * chunks, group=group) for number, part in zip(numbers, parts)]
    which = {"FThenB": ScheduleFThenB, "1F1B": Schedule1F1B, "VPP": ScheduleVPP}[kind]
    return which(stages if kind == "VPP" else stages[0], COUNT, loss_fn=loss_of), [layer for part in parts for layer in part]


def plain(kind: str, size: int, group: Any) -> dict[str, Any]:
    rank = 0 if size == 1 else group.rank
    schedule, layers = of(kind, size, rank, group)
    given = paddle.to_tensor(X), paddle.full([ROWS, WIDTH], 0.1)
    return trained(schedule, layers, given, paddle.to_tensor(Y), paddle.full([COUNT, 1], 0.9))


def on_meshes(kind: str) -> dict[str, Any]:
    """Stages on two processes each, which share out the rows."""
    mesh = dist.ProcessMesh([[0, 2], [1, 3]], dim_names=["pp", "dp"])
    dist.auto_parallel.set_mesh(mesh)
    groups = [dist.new_group(ranks) for ranks in ([0, 1], [2, 3])]
    rank = dist.get_rank() % 2
    stages = [mesh.get_mesh_with_dim("pp", stage) for stage in range(2)]
    for each in stages:  # all processes make all meshes
        dist.shard_tensor(paddle.ones([2]), each, [dist.Replicate()])
    own = stages[rank]
    schedule, layers = of(kind, 2, rank, groups[dist.get_rank() // 2], lambda value: dist.shard_tensor(value, own, [dist.Replicate()]))
    x, mask, y = (dist.shard_tensor(value, own, [dist.Shard(0)]) for value in (X, np.full([ROWS, WIDTH], 0.1, "float32"), Y))
    scale = dist.shard_tensor(np.full([COUNT, 1], 0.9, "float32"), own, [dist.Replicate()])
    return trained(schedule, layers, (x, mask), y, scale)


class Ends(nn.Layer):
    """A layer whose weight the other end has, too."""

    def __init__(self, weight: Any, turned: bool) -> None:
        super().__init__()
        self.weight, self.turned = weight, turned

    def forward(self, x: Any) -> Any:
        return paddle.matmul(x, self.weight, transpose_y=self.turned)


def shared() -> list[Any]:
    """The two ends of four stages have one weight: what it is after a step, where it is."""
    whole = [dist.Replicate()]
    dist.auto_parallel.set_mesh(dist.ProcessMesh([0, 1, 2, 3], dim_names=["pp"]))
    rank, group = dist.get_rank(), dist.new_group([0, 1, 2, 3])
    weights, meshes = [], [dist.ProcessMesh([process], ["pp"]) for process in range(4)]
    for each in meshes:
        dist.shard_tensor(paddle.ones([2]), each, whole)
    for end, value in ((0, X), (3, Y)):  # the second begins as the first
        weights.append(dist.shard_tensor(paddle.create_parameter([WIDTH, WIDTH], "float32"), meshes[end], whole))
        weights[-1].set_value(paddle.to_tensor(value))
    layer = Ends(weights[rank // 3], rank == 3) if rank in (0, 3) else nn.Tanh()
    stage = PipelineStage(layer, rank, 4, group=group, shared_parameters=[{"params": weights}])
    optimizer = paddle.optimizer.SGD(0.5, parameters=layer.parameters()) if rank in (0, 3) else None
    x, y = (dist.shard_tensor(value, meshes[rank], whole) for value in (X, Y))
    losses: list[Any] = []
    ScheduleFThenB(stage, COUNT, nn.MSELoss()).step(x, target=y, losses=losses)
    if optimizer is None:
        return []
    optimizer.step()
    return [[float(each) for each in losses], layer.weight.numpy().tolist()]


def refused(run: Any) -> list[str]:
    try:
        run()
    except Exception as error:
        return [type(error).__mro__[1].__name__, str(error)]
    return []


def wrong(group: Any) -> dict[str, Any]:
    """What is refused, on all processes alike; and a stage that fails."""
    rank = group.rank
    meta = TensorMeta(paddle.ones([2, WIDTH]))
    stage = PipelineStage(nn.Linear(WIDTH, WIDTH), rank, 4, (meta,), (meta,), group)
    schedule = Schedule1F1B(stage, COUNT, nn.MSELoss())
    found: dict[str, Any] = {"shape": refused(lambda: schedule.step(paddle.ones([12, WIDTH]), target=paddle.ones([12, WIDTH])))}
    found["kind"] = PipeliningShapeError.__name__
    losses: list[Any] = []
    schedule.step(paddle.ones([8, WIDTH]), target=paddle.ones([8, WIDTH]), losses=losses)
    found["after"] = len(losses)
    found["target"] = refused(lambda: schedule.step(paddle.ones([8, WIDTH])))
    found["place"] = refused(lambda: Schedule1F1B(PipelineStage(nn.Linear(1, 1), (rank + 1) % 4, 4, group=group), 2))
    return found


if __name__ == "__main__":
    dist.init_parallel_env()
    every, alone = dist.new_group([0, 1, 2, 3]), dist.new_group([0])
    told = {
        **{kind: plain(kind, 4, every) for kind in ("FThenB", "1F1B", "VPP")},
        "meshes": {kind: on_meshes(kind) for kind in ("FThenB", "1F1B", "VPP")},
        "shared": shared(),
        "one": plain("1F1B", 1, alone) if dist.get_rank() == 0 else None,
        "wrong": wrong(every),
    }
    Path(sys.argv[1], str(dist.get_rank())).write_text(json.dumps(told))
