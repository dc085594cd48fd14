"""A model made ready for two processes in one call; run by test_to_distributed.py."""

import json
import sys
from pathlib import Path

import numpy as np
import paddle
import paddle.distributed as dist
from paddle import nn
from paddle.distributed.auto_parallel.high_level_api import ToDistributedConfig


class Model(nn.Layer):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(4, 8), nn.Linear(8, 2)

    def forward(self, x):
        return self.down(nn.functional.relu(self.up(x)))


class Data(paddle.io.Dataset):
    def __len__(self):
        return 16

    def __getitem__(self, number):
        random = np.random.RandomState(number)
        return random.rand(4).astype("float32"), random.rand(2).astype("float32")


def trained(devices):
    paddle.seed(1)
    given = Model()
    adam = paddle.optimizer.AdamW(0.01, parameters=given.parameters())
    config = ToDistributedConfig()
    config.input_spec = [paddle.static.InputSpec([4, 4], "float32", "x", True)]
    loader = paddle.io.DataLoader(Data(), batch_size=4)
    model, optimizer, loader = dist.to_distributed(given, adam, loader, devices, 1, config)
    losses, shapes = [], []
    for x, y in loader():
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses.append(float(loss))
        shapes.append([x.shape, x._local_value().shape, str(x.placements)])
    lies = [[param.name, str(param.placements), param.process_mesh.process_ids] for param in model.parameters()]
    return {"losses": losses, "shapes": shapes, "lies": lies, "same": model is given and optimizer is adam}


Path(sys.argv[1], str(dist.get_rank())).write_text(json.dumps({"two": trained(2)}))
