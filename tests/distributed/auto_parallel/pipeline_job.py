"""A model whose layers lie on two processes, one behind the other, and the same in one process; run by `test_pipeline.py`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import paddle
import paddle.distributed as dist

RANDOM = np.random.RandomState(3)
WEIGHTS = [RANDOM.rand(4, 6).astype("float32"), RANDOM.rand(6, 8).astype("float32"), RANDOM.rand(8, 1).astype("float32")]
ROWS = RANDOM.rand(3, 5, 4).astype("float32")
CLIPS = {"norm": paddle.nn.ClipGradByGlobalNorm(0.05), "each": paddle.nn.ClipGradByNorm(0.05)}


def train(meshes: list[dist.ProcessMesh], clip: str) -> dict[str, list[float]]:
    """Losses of three steps and the weights afterwards, as far as this process has them."""
    whole = [dist.Replicate()]
    first, *others = (dist.shard_tensor(paddle.create_parameter(w.shape, "float32"), meshes[i > 0], whole) for i, w in enumerate(WEIGHTS))
    params = [first, *others]
    for param, value in zip(params, WEIGHTS):
        param.set_value(paddle.to_tensor(value))
    optimizer = paddle.optimizer.AdamW(0.1, parameters=params, grad_clip=CLIPS[clip], weight_decay=0.1)
    losses = []
    for rows in ROWS:
        hidden = paddle.matmul(dist.shard_tensor(paddle.to_tensor(rows), meshes[0], whole), first)
        hidden = paddle.concat([hidden[..., 3:], -hidden[:, [0, 1, 2]]], axis=-1)
        hidden = dist.reshard(hidden, meshes[1], whole)
        hidden = paddle.matmul(hidden, others[0])
        hidden[:, 0] = hidden[:, 1] * 2.0
        loss = paddle.matmul(paddle.tanh(hidden), others[1]).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses += [float(loss)] if loss._is_initialized() else []
    return {"losses": losses, **{str(i): p.numpy().reshape(-1).tolist() for i, p in enumerate(params) if p._is_initialized()}}


rank = dist.get_rank()
stages = [dist.ProcessMesh([0], ["x"]), dist.ProcessMesh([1], ["x"])]
answers = {clip: {"stages": train(stages, clip), "one": train(stages[:1] * 2, clip)} for clip in CLIPS}
Path(sys.argv[1], str(rank)).write_text(json.dumps(answers))
