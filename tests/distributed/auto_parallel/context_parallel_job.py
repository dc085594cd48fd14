"""A small language model whose sequences two processes share, and the same in one; run by test_context_parallel.py."""

import json
import sys
from pathlib import Path

import numpy as np
import paddle
import paddle.distributed as dist
from paddle import nn
from paddle.distributed.auto_parallel.intermediate.context_parallel import balanced

BATCH, LENGTH, WORDS, HEADS, WIDTH = 2, 8, 12, 2, 8
MESH = dist.ProcessMesh([[0, 1]], dim_names=["dp", "sep"])
WHOLE = [dist.Replicate(), dist.Replicate()]
IDS = np.random.RandomState(1).randint(0, WORDS, (BATCH, LENGTH))
LABELS = np.random.RandomState(2).randint(0, WORDS, (BATCH, LENGTH))


class Attention(nn.Layer):
    def forward(self, q, k, v):
        if paddle.in_dynamic_mode():
            self.seen = [x._local_value().shape for x in (q, k, v) if x.is_dist()]
        return nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)


class Body(nn.Layer):
    def __init__(self):
        super().__init__()
        self.words, self.mix, self.out = nn.Embedding(WORDS, WIDTH), nn.Linear(WIDTH, 3 * WIDTH, bias_attr=False), nn.Linear(WIDTH, WORDS)
        self.sdpa = Attention()

    def forward(self, ids, labels):
        self.given = [ids, labels]
        return nn.functional.cross_entropy(self.logits(ids), labels.unsqueeze(-1))

    def logits(self, ids):
        q, k, v = self.mix(self.words(ids)).reshape([BATCH, LENGTH, HEADS, 3 * WIDTH // HEADS]).split(3, -1)
        return self.out(self.sdpa(q, k, v).reshape([BATCH, LENGTH, WIDTH]))


class Scores(Body):
    def forward(self, ids):
        return self.logits(ids)


class Model(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = Body()

    def forward(self, ids, labels):
        return self.body(ids, labels)


class Logits(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = Scores()

    def forward(self, ids):
        return self.body(ids)


def trained(backend=None):
    paddle.seed(5)
    model = Model()
    adam = paddle.optimizer.AdamW(0.01, parameters=model.parameters())
    ids, labels = paddle.to_tensor(IDS), paddle.to_tensor(LABELS)
    if backend is not None:
        plans = {"body": dist.PrepareContextParallel(backend), "body.sdpa": dist.ContextParallel(backend)}
        model, adam = dist.parallelize(model, adam, MESH, {"cp_config": {"parallelize_plan": plans}})
        ids, labels = (dist.shard_tensor(x, MESH, WHOLE) for x in (ids, labels))
    losses = []
    for _ in range(3):
        loss = model(ids, labels)
        loss.backward()
        adam.step()
        adam.clear_grad()
        losses.append(float(loss))
    given = [[str(x.placements), x._local_value().numpy().tolist()] if x.is_dist() else None for x in model.body.given]
    whole = [(dist.unshard_dtensor(v) if v.is_dist() else v).numpy().tolist() for v in model.state_dict().values()]
    return {"losses": losses, "given": given, "seen": model.body.sdpa.seen, "whole": whole}


def recorded(backend):
    """In a DistModel, whose layer gives what the loss is made of."""
    paddle.seed(5)
    model = Logits()
    adam = paddle.optimizer.AdamW(0.01, parameters=model.parameters())
    plans = {"body": dist.PrepareContextParallel(backend), "body.sdpa": dist.ContextParallel(backend)}
    model, adam = dist.parallelize(model, adam, MESH, {"cp_config": {"parallelize_plan": plans}})
    labels = LABELS if backend == "all2all" else LABELS[:, balanced(LENGTH, 2)]
    data = paddle.io.TensorDataset([paddle.to_tensor(IDS), paddle.to_tensor(labels)])
    loader = dist.shard_dataloader(paddle.io.DataLoader(data, batch_size=BATCH), MESH)
    trained = dist.to_static(model, loader, lambda out, labels: nn.functional.cross_entropy(out, labels.unsqueeze(-1)), adam)
    trained.train()
    return [float(trained(*batch)) for _ in range(3) for batch in loader()]


results = {"alone": trained(), "all2all": trained("all2all"), "p2p": trained("p2p"), "recorded": [recorded("all2all"), recorded("p2p")]}
Path(sys.argv[1], str(dist.get_rank())).write_text(json.dumps(results))
