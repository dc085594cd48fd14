"""A model whose layers lie on two processes, one behind the other, and the same in one process; run by `test_pipeline.py`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

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


class Block(paddle.nn.Layer):
    """Two linear layers beside what they are given, where a mask lets them."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.up, self.down = paddle.nn.LayerNorm(8), paddle.nn.Linear(8, 16), paddle.nn.Linear(16, 8)

    def forward(self, x: Any, mask: Any) -> Any:
        return x + self.down(paddle.nn.functional.gelu(self.up(self.norm(x)))) * mask


class Mask(paddle.nn.Layer):
    def forward(self, words: Any) -> Any:
        return (words > 2).astype("float32").unsqueeze(-1)


class Language(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.mask = paddle.nn.Embedding(16, 8), Mask()
        self.layers = paddle.nn.LayerList([Block() for _ in range(3)])
        self.head = paddle.nn.Linear(8, 16)  # behind the layers: stages follow this order

    def forward(self, words: Any) -> Any:
        mask, x = self.mask(words), self.words(words)
        for layer in self.layers:
            x = layer(x, mask=mask)
        return self.head(x)


def parallelized(config: dict[str, Any] | None) -> dict[str, list[float]]:
    """Losses and weights of a model that `parallelize` splits, or that one process has."""
    paddle.seed(3)
    model: Any = Language()
    optimizer: Any = paddle.optimizer.AdamW(0.01, parameters=model.parameters(), grad_clip=paddle.nn.ClipGradByGlobalNorm(0.5))
    if config is not None:
        model, optimizer = dist.parallelize(model, optimizer, dist.ProcessMesh([[[0]], [[1]]], dim_names=["pp", "dp", "mp"]), config)
    losses = []
    for words in np.random.RandomState(0).randint(0, 16, (3, 4, 6)):
        loss = paddle.nn.functional.cross_entropy(model(paddle.to_tensor(words)), paddle.to_tensor(words))
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        losses += [float(loss)] if loss._is_initialized() else []
    kept = {name: p.numpy().reshape(-1).tolist() for name, p in model.named_parameters() if p._is_initialized()}
    return {"losses": losses, **kept}


rank = dist.get_rank()
stages = [dist.ProcessMesh([0], ["x"]), dist.ProcessMesh([1], ["x"])]
answers = {clip: {"stages": train(stages, clip), "one": train(stages[:1] * 2, clip)} for clip in CLIPS}
plans = {"layers.*.up": dist.ColWiseParallel(), "layers.*.down": dist.RowWiseParallel(), "head": dist.ColWiseParallel(gather_output=True)}
spread = {"global_spec": "mask"}
answers["parallelize"] = {
    "one": parallelized(None),
    "named": parallelized({"pp_config": {"split_spec": "layers", **spread}}),
    "given": parallelized({
        "pp_config": {"split_spec": {"layers.0": dist.SplitPoint.END}, **spread},
        "mp_config": {"parallelize_plan": plans},
        "dp_config": {"sharding_level": 1},
    }),
}  # fmt: skip
Path(sys.argv[1], str(rank)).write_text(json.dumps(answers))
