"""A model that two processes share out, and the same in one; run by test_fully_shard.py."""

import json
import sys
from pathlib import Path

import numpy as np
import paddle
import paddle.distributed as dist
from paddle import nn
from paddle.distributed.fsdp import fully_shard

MESH = dist.ProcessMesh([0, 1], dim_names=["dp"])
DATA = np.random.RandomState(1).rand(4, 4).astype("float32")


class Model(nn.Layer):
    def __init__(self):
        super().__init__()
        self.up, self.norm, self.down = nn.Linear(4, 8, bias_attr=False), nn.BatchNorm1D(8), nn.Linear(8, 3)

    def forward(self, x):
        return self.down(nn.functional.relu(self.norm(self.up(x))))


def trained(divide=None, data=None, **settings):
    paddle.seed(3)
    model = Model()
    adam = paddle.optimizer.AdamW(0.1, parameters=model.parameters(), grad_clip=nn.ClipGradByGlobalNorm(0.1))
    if divide is not None:
        ignored = [model.down.bias] if settings.pop("ignored", False) else None
        assert divide(model, mesh=MESH, ignored_params=ignored, **settings) is model
    losses, gradients = [], {}
    for _ in range(3):
        x = paddle.to_tensor(DATA)
        loss = (model(x if data is None else dist.shard_tensor(x, MESH, [data])) ** 2).mean()
        loss.backward()
        losses.append(float(loss))
        gradients = {param.name: str(getattr(param.grad, "placements", None)) for param in model.parameters() if param.grad is not None}
        adam.step()
        adam.clear_grad()
    lies = {param.name: str(getattr(param, "placements", None)) for param in model.parameters()}
    pieces = {param.name: param._local_value().shape for param in model.parameters() if param.is_dist()}
    whole = {name: (dist.unshard_dtensor(v) if v.is_dist() else v).numpy().tolist() for name, v in model.state_dict().items()}
    states = {name: str(v.placements) for name, v in adam.state_dict().items() if "moment1" in name and v.is_dist()}
    return {"losses": losses, "gradients": gradients, "lies": lies, "pieces": pieces, "whole": whole, "states": states}


def small():
    paddle.seed(3)
    model = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 3))
    return model, paddle.optimizer.AdamW(0.1, parameters=model.parameters())


def recorded():
    """Losses of a small model in one process, and of the same one shared out in a DistModel."""
    (alone, adam), losses = small(), []
    for _ in range(3):
        loss = nn.functional.mse_loss(alone(paddle.to_tensor(DATA)), paddle.zeros([4, 3]))
        loss.backward()
        adam.step()
        adam.clear_grad()
        losses.append(float(loss))
    model, adam = small()
    loader = paddle.io.DataLoader(paddle.io.TensorDataset([paddle.to_tensor(DATA), paddle.zeros([4, 3])]), batch_size=4)
    loader = dist.shard_dataloader(loader, MESH, shard_dims="dp")
    divided = dist.to_static(fully_shard(model, mesh=MESH), loader, nn.MSELoss(), adam)
    divided.train()
    return losses, [float(divided(*batch)) for _ in range(3) for batch in loader()]


def inside_first(model, **settings):
    """A layer of the model is shared out by itself, and then the model."""
    fully_shard(model.up, **settings)
    return fully_shard(model, **settings)


results = {
    "alone": trained(),
    "samples": trained(fully_shard, dist.Shard(0)),
    "same data": trained(fully_shard, dist.Replicate()),
    "plain data": trained(fully_shard),
    "last dimension": trained(fully_shard, dist.Shard(0), shard_placement_fn=lambda param: dist.Shard(param.ndim - 1)),
    "ignored": trained(fully_shard, dist.Shard(0), ignored=True),
    "recorded": recorded(),
    "twice": trained(inside_first, dist.Shard(0)),
}
Path(sys.argv[1], str(dist.get_rank())).write_text(json.dumps(results))
