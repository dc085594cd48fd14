"""What `test_mixed_precision.py` runs in both processes of a job: training on dist tensors in mixed precision; a file for each."""

import json
import sys
from pathlib import Path

import numpy as np
import paddle
import paddle.distributed as dist
import paddle.nn.functional as F
from paddle import nn
from paddle.distributed import Replicate, Shard
from paddle.distributed.fleet.utils import recompute

from paddle_compat.amp import _support

MESH = dist.ProcessMesh([0, 1], dim_names=["x"])
RANDOM = np.random.RandomState(26)  # gives no gradient that rounding alone makes: Adam would turn its sign into a whole step
X, Y = RANDOM.rand(4, 8).astype("float32"), RANDOM.rand(4, 4).astype("float32")
VALUES = [RANDOM.rand(8, 8).astype("float32") - 0.5, RANDOM.rand(8, 4).astype("float32") - 0.5]
LAYOUTS = {"model": (Shard(1), Shard(0)), "data": (Replicate(), Replicate())}


class Net(nn.Layer):
    """Two linear layers, on the mesh or not."""

    def __init__(self, kind=None, again=False):
        super().__init__()
        self.again = again
        self.l0, self.l1 = nn.Linear(8, 8), nn.Linear(8, 4)
        for layer, value, way in zip((self.l0, self.l1), VALUES, LAYOUTS.get(kind, (None, None))):
            layer.weight.set_value(value)
            if way is not None:
                layer.weight = dist.shard_tensor(layer.weight, MESH, [way])
                layer.bias = dist.shard_tensor(layer.bias, MESH, [Replicate()])

    def hidden(self, x):
        return F.dropout(F.tanh(self.l0(x)), 0.5, training=self.training)

    def forward(self, x):
        return self.l1(recompute(self.hidden, x) if self.again else self.hidden(x))


def data(kind, x):
    values = (x, Y)
    if kind is None:
        return [paddle.to_tensor(value) for value in values]
    return [dist.shard_tensor(value, MESH, [Shard(0) if kind == "data" else Replicate()]) for value in values]


def trained(kind=None, decorate=False, stage=None, scaled=False, again=False, parts=1, wrong=None, steps=2):
    """Losses, and what lies where at the end."""
    layer = Net(kind, again)
    layer.eval()
    optimizer = paddle.optimizer.AdamW(0.01, parameters=layer.parameters())
    if decorate:
        layer, optimizer = paddle.amp.decorate(layer, optimizer, level="O2", dtype="bfloat16", master_grad=True)
    if stage and kind is not None:
        optimizer = dist.shard_optimizer(optimizer, getattr(dist, f"ShardingStage{stage}")("x", MESH))
    scaling = dist.shard_scaler(scaler()) if scaled else None
    factors = []
    losses = []
    for step in range(steps):
        for part in range(parts):
            x = X * (part + 1)
            if step == wrong:
                x = x.copy()
                x[0, 0] = np.inf
            x, y = data(kind, x)
            x.stop_gradient = not again
            with paddle.amp.auto_cast(enable=decorate, level="O2", dtype="bfloat16" if decorate else "float16"):
                loss = F.mse_loss(layer(x).astype("float32"), y) / parts
            (loss if scaling is None else scaling.scale(loss)).backward()
            losses.append(float(loss))
        if scaling is None:
            optimizer.step()
        else:
            scaling.step(optimizer)
            scaling.update()
            factors.append(scaling.state_dict()["scale"].tolist())
        optimizer.clear_grad()
    inner = getattr(optimizer, "_inner_opt", optimizer)
    masters = [(str(v.dtype), str(v.placements)) for v in inner._master_weights.values()] if kind is not None else []
    return {"losses": losses, "factors": factors, "masters": sorted(masters), "kinds": sorted({str(p.dtype) for p in layer.parameters()}),
            "weight": layer.l1.weight.astype("float32").numpy().tolist()}  # fmt: skip


def pair(kinds, **settings):
    return {"plain": trained(**settings)} | {kind: trained(kind, **settings) for kind in kinds}


def scaler():
    """What GPUs have; on a CPU a scaler does nothing otherwise."""
    _support.accelerated = lambda: True
    try:
        return paddle.amp.GradScaler(init_loss_scaling=1024.0, incr_every_n_steps=1, decr_every_n_nan_or_inf=1)
    finally:
        _support.accelerated = accelerated


accelerated = _support.accelerated


def cases():
    made = {
        "masters": pair(("model",), decorate=True),
        "accumulated": pair(("model", "data"), parts=2),
        "recomputed": pair(("model",), again=True, parts=2),
        "scaled": pair(("model", "data"), scaled=True, wrong=0),
        "scaled stage 2": pair(("data",), scaled=True, wrong=0, stage=2),
    }
    for stage in (1, 2, 3):
        made[f"stage {stage}"] = pair(("data",), decorate=True, stage=stage, parts=2 if stage == 2 else 1)
    return made


results = cases()
Path(sys.argv[1], str(dist.get_rank())).write_text(json.dumps(results))
