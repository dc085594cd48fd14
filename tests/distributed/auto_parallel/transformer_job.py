"""A transformer of two layers on a 2 x 2 mesh, data and tensor parallel, against one process; run by test_transformer.py in 4 processes."""

import json
import os
import sys
from collections import Counter
from contextlib import nullcontext

import numpy as np
import paddle
import paddle.distributed as dist
from paddle.nn import functional as F
from torch.distributed.tensor.debug import CommDebugMode

WIDTH, HEADS, WORDS, LENGTH, BATCH, STEPS, EAGER = 8, 2, 11, 3, 4, 20, 3


class Block(paddle.nn.Layer):
    """Attention and two linear layers, each behind a norm and added to what comes in."""

    def __init__(self):
        super().__init__()
        self.before, self.between = paddle.nn.LayerNorm(WIDTH), paddle.nn.LayerNorm(WIDTH)
        self.query, self.key, self.value = (paddle.nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.out, self.up, self.down = paddle.nn.Linear(WIDTH, WIDTH), paddle.nn.Linear(WIDTH, 16), paddle.nn.Linear(16, WIDTH)

    def heads(self, x):
        return x.reshape([x.shape[0], LENGTH, HEADS, WIDTH // HEADS]).transpose([0, 2, 1, 3])

    def forward(self, x):
        normed = self.before(x)
        query, key, value = (self.heads(layer(normed)) for layer in (self.query, self.key, self.value))
        weights = F.softmax(paddle.matmul(query, key, transpose_y=True) * (WIDTH // HEADS) ** -0.5, axis=-1)
        mixed = paddle.matmul(weights, value).transpose([0, 2, 1, 3]).reshape([x.shape[0], LENGTH, WIDTH])
        x = x + self.out(mixed)
        return x + self.down(F.gelu(self.up(self.between(x))))


class Transformer(paddle.nn.Layer):
    """Words to words."""

    def __init__(self):
        super().__init__()
        self.embedding, self.head = paddle.nn.Embedding(WORDS, WIDTH), paddle.nn.Linear(WIDTH, WORDS)
        self.blocks = paddle.nn.LayerList([Block(), Block()])

    def forward(self, words):
        x = self.embedding(words)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


def model_and_optimizer():
    paddle.seed(7)
    model = Transformer()
    clip = paddle.nn.ClipGradByGlobalNorm(0.5)
    return model, paddle.optimizer.AdamW(0.01, parameters=model.parameters(), grad_clip=clip)


def step(model, optimizer, words, labels):
    logits = model(words)
    loss = F.cross_entropy(logits.reshape([-1, WORDS]), labels.reshape([-1]))
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    return loss


def weights(model):
    return [dist.unshard_dtensor(param).numpy().tolist() for param in model.parameters()]


def alone(words, labels):
    model, optimizer = model_and_optimizer()
    found = {"losses": [], "weights": {}}
    for number in range(1, STEPS + 1):
        found["losses"].append(float(step(model, optimizer, words, labels)))
        if number in (EAGER, STEPS):
            found["weights"][number] = [param.numpy().tolist() for param in model.parameters()]
    return found


def placed(model):
    return [str(param.placements) for param in model.parameters()]


def parallel(level, mesh):
    model, optimizer = model_and_optimizer()
    column, row = dist.ColWiseParallel(), dist.RowWiseParallel()
    plan = {f"blocks.*.{name}": column for name in ("query", "key", "value", "up")}
    config = {"dp_config": {"sharding_level": level}, "mp_config": {"parallelize_plan": {**plan, "blocks.*.(out|down)": row}}}
    return dist.parallelize(model, optimizer, mesh, config)


def eager(level, mesh, words, labels):
    model, optimizer = parallel(level, mesh)
    data = [dist.shard_tensor(value, mesh, [dist.Shard(0)]) for value in (words, labels)]
    found = {"losses": [], "placements": [placed(model)]}
    for number in range(EAGER):
        calls = CommDebugMode()
        with calls if number == EAGER - 1 else nullcontext():
            loss = step(model, optimizer, *data)
        found["losses"].append(float(dist.unshard_dtensor(loss)))
        found["placements"].append(placed(model))
    found["calls"] = {str(name).rpartition(".")[2]: count for name, count in calls.get_comm_counts().items()}
    found["changed"] = len(set(map(str, found.pop("placements")))) - 1
    found["cut"] = sum("Shard" in way for way in placed(model))
    found["weights"] = weights(model)
    return found


class Batch(paddle.io.Dataset):
    """The samples of one batch."""

    def __init__(self, words, labels):
        self.words, self.labels = words.numpy(), labels.numpy()

    def __getitem__(self, i):
        return self.words[i], self.labels[i]

    def __len__(self):
        return BATCH


def dist_model(level, mesh, words, labels):
    model, optimizer = parallel(level, mesh)
    loader = paddle.io.DataLoader(Batch(words, labels), batch_size=BATCH)
    loader = dist.shard_dataloader(loader, meshes=[mesh], shard_dims="dp")
    before = placed(model)
    made = dist.to_static(model, loader, lambda out, label: F.cross_entropy(out.reshape([-1, WORDS]), label.reshape([-1])), optimizer)
    (data,) = loader()
    found = {"losses": [], "changed": 0}
    for _ in range(STEPS):
        found["losses"].append(float(made(*data)))
        found["changed"] += placed(model) != before
    found["cut"] = sum("Shard" in way for way in before)
    found["weights"] = weights(model)
    kinds = (op.type for op in made.dist_main_program().global_block().ops)
    found["listed"] = Counter(kind for kind in kinds if kind in ("all_reduce", "reduce_scatter", "all_gather", "all_to_all", "broadcast"))
    nodes = made._recordings["train"].graph.graph.nodes
    calls = (node.target._opname for node in nodes if getattr(node.target, "namespace", "") == "_c10d_functional")
    found["calls"] = Counter(call for call in calls if call != "wait_tensor")
    return found


def main(folder):
    draw = np.random.RandomState(3)
    words, labels = (paddle.to_tensor(draw.randint(0, WORDS, (BATCH, LENGTH))) for _ in range(2))
    found = {"alone": alone(words, labels)}
    mesh = dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["dp", "mp"])
    for level in (1, 2, 3):
        found[f"eager {level}"] = eager(level, mesh, words, labels)
        found[f"DistModel {level}"] = dist_model(level, mesh, words, labels)
    with open(os.path.join(folder, str(dist.get_rank())), "w") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main(sys.argv[1])
