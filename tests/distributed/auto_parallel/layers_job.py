"""Layers and operators on a 2 x 2 mesh, against one process; run by test_layers.py in 4 processes."""

import json
import os
import sys
import warnings
from contextlib import nullcontext
from functools import partial

import numpy as np
import paddle
import paddle.distributed as dist
from paddle.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

from paddle_compat.engine import spmd_calls

BATCH, WORDS, LENGTH, WIDTH, HEADS = 4, 12, 3, 8, 2
MESH = dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["dp", "mp"])
R, ROWS, COLUMNS = dist.Replicate(), dist.Shard(0), dist.Shard(1)
WHOLE = []  # the operators that ran on all the data


class Calls(TorchDispatchMode):
    """The collective calls inside: what each is, and how many numbers this process gives to it."""

    def __init__(self):
        super().__init__()
        self.made = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func.namespace == "_c10d_functional" and "all" in str(func):
            self.made.append([str(func).split(".")[1], args[0].numel()])
        return func(*args, **(kwargs or {}))


def array(*shape, speed=1.7):
    return (np.sin(np.arange(np.prod(shape)) * speed) * 0.9).reshape(shape).astype("float32")


def ids(*shape):
    return (np.arange(np.prod(shape)) * 7 % WORDS).reshape(shape)


class Pair(paddle.nn.Layer):
    """A column-wise layer and a row-wise one."""

    def __init__(self):
        super().__init__()
        self.up, self.down = paddle.nn.Linear(6, 8), paddle.nn.Linear(8, 6)

    def forward(self, x):
        return self.down(F.relu(self.up(x)))


class Images(paddle.nn.Layer):
    """Convolutions whose channels are cut between them, where they are normalized over the whole batch."""

    def __init__(self):
        super().__init__()
        self.first, self.norm, self.second = paddle.nn.Conv2D(2, 4, 3), paddle.nn.BatchNorm2D(4), paddle.nn.Conv2D(4, 3, 2)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.first(x))), 2)
        return F.avg_pool2d(self.second(x), 2)


class Norms(paddle.nn.Layer):
    """Norms of all kinds."""

    def __init__(self):
        super().__init__()
        nn = paddle.nn
        self.batch, self.group, self.instance, self.layer = nn.BatchNorm2D(4), nn.GroupNorm(2, 4), nn.InstanceNorm2D(4), nn.LayerNorm(9)
        self.vectors, self.gain = nn.BatchNorm1D(36, data_format="NC"), self.create_parameter([36])

    def forward(self, x):
        x = self.layer(self.instance(self.group(self.batch(x))).flatten(2)).flatten(1)
        x = self.vectors(x)
        return x * paddle.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * self.gain  # as the norms by root mean squares do


class Recurrent(paddle.nn.Layer):
    """An LSTM in two directions and a GRU, over sequences of several lengths."""

    def __init__(self):
        super().__init__()
        self.lstm, self.gru = paddle.nn.LSTM(4, 3, direction="bidirect"), paddle.nn.GRU(6, 3)

    def forward(self, x, lengths):
        return self.gru(self.lstm(x, sequence_length=lengths)[0])[0]


class Attention(paddle.nn.Layer):
    """Paddle's attention."""

    def __init__(self):
        super().__init__()
        self.inner = paddle.nn.MultiHeadAttention(WIDTH, HEADS)

    def forward(self, x):
        return self.inner(x)


class Table(paddle.nn.Layer):
    """An embedding, one of whose words is padding."""

    def __init__(self):
        super().__init__()
        self.words = paddle.nn.Embedding(WORDS, WIDTH, padding_idx=7)

    def forward(self, words):
        return self.words(words)


class Decoder(paddle.nn.Layer):
    """Attention over what came before, with rotated positions, and two linear layers."""

    def __init__(self):
        super().__init__()
        nn = paddle.nn
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH, bias_attr=False) for _ in range(3))
        self.out, self.up, self.down = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 16), nn.Linear(16, WIDTH)

    def rotated(self, x, angles):
        half = WIDTH // HEADS // 2
        return x * angles.cos() + paddle.concat([-x[..., half:], x[..., :half]], -1) * angles.sin()

    def forward(self, x, angles):
        normed = self.before(x)
        heads = [layer(normed).reshape([0, LENGTH, -1, WIDTH // HEADS]) for layer in (self.query, self.key, self.value)]
        query, key = (self.rotated(each, angles) for each in heads[:2])
        mixed = F.scaled_dot_product_attention(query, key, heads[2], is_causal=True)
        x = x + self.out(mixed.flatten(2))
        return x + self.down(F.gelu(self.up(self.between(x))))


class Language(paddle.nn.Layer):
    """Words to the next ones, through a table that is the head, too."""

    def __init__(self):
        super().__init__()
        self.words, self.blocks = paddle.nn.Embedding(WORDS, WIDTH), paddle.nn.LayerList([Decoder(), Decoder()])

    def forward(self, words, labels):
        size = WIDTH // HEADS
        angles = paddle.arange(LENGTH, dtype="float32").reshape([1, -1, 1, 1]) * (0.1 ** paddle.arange(size, dtype="float32"))
        x = self.words(words)
        for block in self.blocks:
            x = block(x, angles)
        logits = paddle.matmul(x, self.words.weight, transpose_y=True)
        return F.cross_entropy(logits, labels)


COLUMN, ROW = {"weight": [R, COLUMNS], "bias": [R, ROWS]}, {"weight": [R, ROWS]}
HEAD_WISE = {**dict.fromkeys(("query", "key", "value", "up", "q_proj", "k_proj", "v_proj"), COLUMN)}
MODELS = {  # how parameters lie, by the last names; the inputs, and how they lie; the optimizer
    "linear": (Pair, {"up": COLUMN, "down": ROW}, [array(BATCH, 6)], "sgd"),
    "images": (
        Images, {"first": {"weight": [R, ROWS], "bias": [R, ROWS]}, "norm": dict.fromkeys(("weight", "bias"), [R, ROWS]),
                 "second": {"weight": [R, COLUMNS]}}, [array(BATCH, 2, 8, 8) + array(BATCH, 1, 1, 1)], "sgd",
    ),
    "norms": (Norms, {}, [array(BATCH, 4, 3, 3) + array(BATCH, 1, 1, 1)], "sgd"),
    "recurrent": (Recurrent, {}, [array(BATCH, LENGTH, 4), np.array([3, 1, 2, 3])], "adamw"),
    "attention": (Attention, {**HEAD_WISE, "out_proj": ROW}, [array(BATCH, LENGTH, WIDTH)], "sgd"),
    "rows": (Table, {"words": {"weight": [R, ROWS]}}, [ids(BATCH, LENGTH)], "adamw"),
    "columns": (Table, {"words": {"weight": [R, COLUMNS]}}, [ids(BATCH, LENGTH)], "sgd"),
    "language": (
        Language, {**HEAD_WISE, "out": ROW, "down": ROW, "words": {"weight": [R, ROWS]}},
        [ids(BATCH, LENGTH), ids(BATCH, LENGTH + 1)[:, 1:].copy()], "adamw",
    ),
}  # fmt: skip


def shown(tensor):
    return None if tensor is None else [str(one) for one in tensor.placements] if tensor.is_dist() else []


def whole(tensor):
    return None if tensor is None else (dist.unshard_dtensor(tensor) if tensor.is_dist() else tensor).numpy().tolist()


def laid(value, placements):
    tensor = paddle.to_tensor(value)
    if placements is not None:
        tensor = dist.shard_tensor(tensor, MESH, placements).detach()
    tensor.stop_gradient = value.dtype.kind != "f"
    return tensor


def cut(layouts, name, layer, mesh):
    own = layouts.get(name.rpartition(".")[2], {})
    for key, param in list(layer.named_parameters(include_sublayers=False)):
        setattr(layer, key, dist.shard_tensor(param, mesh, own.get(key, [R, R])))


def trained(make, layouts, inputs, kind, parallel):
    """Steps of a model: what it gives, and what it learns."""
    paddle.seed(5)
    model = make()
    if parallel:
        dist.shard_layer(model, MESH, partial(cut, layouts) if layouts else None)
    optimizer = {"sgd": paddle.optimizer.SGD, "adamw": paddle.optimizer.AdamW}[kind](0.05, parameters=model.parameters())
    given = [laid(value, [ROWS, R] if parallel else None) for value in inputs]
    before = [shown(param) for param in model.parameters()]
    found = {"losses": []}
    WHOLE.clear()
    for step in range(10 if make is Language else 4):
        calls = Calls()
        with calls if step == 1 else nullcontext():
            out = model(*given)
            loss = out if make is Language else ((out - 0.3) ** 2).mean()
            loss.backward()
        if step == 0:
            found |= {"out": shown(out), "value": whole(out), "input gradient": whole(given[0].grad)}
        if step == 1:
            found["calls"] = calls.made
        optimizer.step()
        optimizer.clear_grad()
        found["losses"].append(whole(loss))
    found["whole"] = sorted(set(WHOLE))
    found["moved"] = [shown(param) for param in model.parameters()] != before
    found["learned"] = [whole(value) for value in model.state_dict().values()]
    return found


X, Y, IMAGE, PLACES = array(BATCH, 6), array(BATCH, 6, speed=0.7), array(BATCH, 4, 4, 4), ids(BATCH) % 6
UNTOUCHED = {  # what passes samples through: each gives samples of which nobody has all
    "topk": lambda x, y: x.topk(2, 1)[0],
    "sort": lambda x, y: x.sort(1),
    "argmax": lambda x, y: x.argmax(1),
    "gather": lambda x, y: paddle.gather(x, paddle.to_tensor([0, 2]), 1),
    "gather_nd": lambda x, y: paddle.gather_nd(paddle.arange(6, dtype="float32"), y.argmax(1, True)),
    "index_select": lambda x, y: paddle.index_select(x, paddle.to_tensor([2, 0]), 1),
    "list": lambda x, y: x[:, [2, 0]],
    "index_add": lambda x, y: paddle.index_add(x, paddle.to_tensor([0, 2]), 1, y[:, :2]),
    "put": lambda x, y: paddle.put_along_axis(x, y.argmax(1, True), 2.0, 1),
    "take": lambda x, y: paddle.take_along_axis(x, y.argmax(1, True), 1),
    "tensor index": lambda x, y: x[:, paddle.to_tensor([2, 0])],
    "repeat": lambda x, y: paddle.repeat_interleave(x, 2, 1),
    "concat": lambda x, y: paddle.concat([x, y], 1),
    "stack": lambda x, y: paddle.stack([x, y], 1),
    "split": lambda x, y: paddle.split(x, 2, 1)[1],
    "tile": lambda x, y: x.tile([1, 2]),
    "expand": lambda x, y: x.unsqueeze(1).expand([BATCH, 3, 6]),
    "cumsum": lambda x, y: x.cumsum(1),
    "one_hot": lambda x, y: F.one_hot(x.argmax(1), 6),
    "where": lambda x, y: paddle.where(x > y, x, y),
    "clip": lambda x, y: x.clip(-0.5, 0.5),
    "norm": lambda x, y: paddle.linalg.norm(x, axis=1),
    "normalize": lambda x, y: F.normalize(x),
    "softmax": lambda x, y: F.softmax(x),
    "multiplex": lambda x, y: paddle.multiplex([x, y], (x.argmax(1, True) % 2).astype("int32")),
    "addmm": lambda x, y: paddle.addmm(y, x, paddle.ones([6, 6])),
    "kl_div": lambda x, y: F.kl_div(x, F.softmax(y), reduction="none"),
    "nll": lambda x, y: F.nll_loss(x, y.argmax(1), reduction="none"),
    "smooth_l1": lambda x, y: F.smooth_l1_loss(x, y, reduction="none"),
    "bce": lambda x, y: F.binary_cross_entropy(F.sigmoid(x), F.sigmoid(y), reduction="none"),
    "cosine": lambda x, y: F.cosine_similarity(x, y),
    "dot": lambda x, y: paddle.dot(x, y),
    "diagonal": lambda x, y: paddle.diagonal(x.reshape([0, 2, 3]), 0, 1, 2),
    "fourier": lambda x, y: paddle.fft.rfft(x).abs(),
    "smoothed": lambda x, y: F.label_smooth(F.softmax(x)),
    "rrelu": lambda x, y: F.rrelu(x, training=False),
    "nanmedian": lambda x, y: paddle.nanmedian(x, 1),
    "diag_embed": lambda x, y: F.diag_embed(x),
    "prelu": lambda x, y: F.prelu(x, paddle.to_tensor([0.1])),
    "centred": lambda x, y: (x - x.mean()) * paddle.sign(y) + y,
}
UNTOUCHED_IMAGES = {
    "max_pool": lambda x, y: F.max_pool2d(x, 2),
    "adaptive": lambda x, y: F.adaptive_avg_pool2d(x, 3),
    "pad": lambda x, y: F.pad(x, [1, 0, 1, 1]),
    "bilinear": lambda x, y: F.interpolate(x, scale_factor=2, mode="bilinear"),
    "shuffle": lambda x, y: F.pixel_shuffle(x, 2),
    "unfold": lambda x, y: F.unfold(x, 2),
    "grid": lambda x, y: F.grid_sample(x, y[:, :2, :, :2]),
    "maxout": lambda x, y: F.maxout(x, 2),
    "unpool": lambda x, y: F.max_unpool2d(*F.max_pool2d(x, 2, return_mask=True), 2),
}
LOSSES = {  # of samples that several processes have: means of all
    "mse": F.mse_loss,
    "l1": F.l1_loss,
    "smooth_l1": F.smooth_l1_loss,
    "kl": lambda x, y: F.kl_div(x, F.softmax(y)),
    "kl of the batch": lambda x, y: F.kl_div(x, F.softmax(y), reduction="batchmean"),
    "nll": lambda x, y: F.nll_loss(x, y.argmax(1)),
    "weighted nll": lambda x, y: F.nll_loss(x, y.argmax(1), paddle.arange(6, dtype="float32")),
    "hinge": lambda x, y: F.hinge_embedding_loss(x, paddle.sign(y)),
    "margin": lambda x, y: F.margin_ranking_loss(x, y, paddle.sign(y)),
    "logits": lambda x, y: F.binary_cross_entropy_with_logits(x, F.sigmoid(y)),
    "triplet": lambda x, y: F.triplet_margin_loss(x, y, y * 2),
    "variance": lambda x, y: x.var() + y.var(),
    "ctc": lambda x, y: F.ctc_loss(
        x.unsqueeze(0).tile([3, 1, 1]), paddle.ones([BATCH, 1], "int32"), paddle.full([BATCH], 3, "int64"), paddle.ones([BATCH], "int64")
    ),
}
SOFT = {"soft_label": True}
CLASSES = {  # of logits whose classes are cut, too
    "mean": lambda x, y: F.cross_entropy(x, paddle.to_tensor(PLACES)),
    "each": lambda x, y: F.cross_entropy(x, paddle.to_tensor(PLACES), reduction="none"),
    "ignored": lambda x, y: F.cross_entropy(x, paddle.to_tensor(PLACES), ignore_index=1),
    "weighted": lambda x, y: F.cross_entropy(x, paddle.to_tensor(PLACES), paddle.arange(6, dtype="float32") + 1),
    "smoothed": lambda x, y: F.cross_entropy(x, paddle.to_tensor(PLACES), label_smoothing=0.1),
    "soft": lambda x, y: F.cross_entropy(x, F.softmax(y), **SOFT),
    "first axis": lambda x, y: F.cross_entropy(x.T, paddle.to_tensor(PLACES), axis=0),
    "columns": lambda x, y: F.softmax_with_cross_entropy(x, paddle.to_tensor(PLACES[:, None])),
}


def asked(function, values, placements, group):
    """What a function gives, and the gradients of losses; `test_operators.py` compares those of operators."""
    given = [laid(value, placements) for value in values]
    WHOLE.clear()
    calls = Calls()
    with calls:
        out = function(*given)
    ran = sorted(set(WHOLE))
    if group in ("losses", "classes") or function is UNTOUCHED["centred"]:
        ((out * out).mean() if out.ndim else out).backward()
    return {"out": shown(out), "values": [whole(value) for value in (out, *(one.grad for one in given))], "whole": ran, "calls": calls.made}


CURVED = {  # whose parallel algorithms are differentiated twice
    "classes": lambda x: F.cross_entropy(x, paddle.to_tensor(PLACES)),
    "batch norm": lambda x: (F.batch_norm(x, paddle.zeros([6]), paddle.ones([6]), paddle.full([6], 1.5), None, training=True) ** 3).mean(),
    "norm": lambda x: (paddle.nn.clip.clip_by_norm(x, 0.5) ** 3).sum(),
}


def curved(function, placements):
    """The gradient of how large the gradient is."""
    x = laid(X, placements)
    first = paddle.grad(function(x), x, create_graph=True)[0]
    return whole(paddle.grad((first * first).sum(), x)[0])


def drops():
    """What is dropped of a tensor, and of what lies in pieces."""
    found = []
    for placements in (None, [R, R], [ROWS, R], [ROWS, COLUMNS]):
        paddle.seed(9)
        found.append(whole(F.dropout(laid(np.ones([8, 8], "float32"), placements), 0.5)))
    return found


class Sequences(paddle.nn.Layer):
    """Linear layers and norms, of which some work on parts of the sequence."""

    def __init__(self):
        super().__init__()
        nn = paddle.nn
        self.table, self.norm, self.middle, self.last = nn.Embedding(WORDS, 8), nn.LayerNorm(8), nn.Linear(8, 8), nn.LayerNorm(8)
        self.up, self.down, self.head, self.alone = nn.Linear(8, 16), nn.Linear(16, 8), nn.Linear(8, WORDS), nn.LayerNorm(WORDS)

    def forward(self, words):
        x = self.down(F.gelu(self.up(self.norm(self.table(words)))))
        return self.alone(self.head(self.last(self.middle(x))))


def sequences(mesh):
    """Losses, parameters, and how the parts of a sequence lie."""
    paddle.seed(4)
    model = Sequences()
    adam = paddle.optimizer.AdamW(0.01, parameters=model.parameters())
    words, seen, losses = paddle.to_tensor(ids(BATCH, 6)), [], []
    if mesh is not None:
        begin, end = dist.SequenceParallelBegin(), dist.SequenceParallelEnd()
        plan = {"table": begin, "up": [end, dist.ColWiseParallel()], "down": [dist.RowWiseParallel(), begin]}
        plan.update(middle=dist.SequenceParallelDisable(), head=end, alone=dist.SequenceParallelEnable())
        model, adam = dist.parallelize(model, adam, mesh, {"mp_config": {"parallelize_plan": plan}})
        words = dist.shard_tensor(words, mesh, [ROWS, R])
        for layer in (model.norm, model.last):
            layer.register_forward_pre_hook(lambda layer, given: seen.append([given[0].shape, str(given[0].placements)]))
    for _ in range(3):
        out = model(words)
        loss = (out**2 * out.sigmoid()).mean()
        loss.backward()
        adam.step()
        adam.clear_grad()
        losses.append(float(dist.unshard_dtensor(loss)) if mesh is not None else float(loss))
    learned = [dist.unshard_dtensor(param) if mesh is not None else param for param in model.parameters()]
    return {"losses": losses, "learned": [param.numpy().tolist() for param in learned], "seen": seen[:2]}


def main(folder):
    warnings.simplefilter("ignore")
    real = spmd_calls.whole

    def noted(definition, *rest):
        WHOLE.append(definition.type)
        return real(definition, *rest)

    spmd_calls.whole = noted
    first = dist.get_rank() == 0  # who does the same alone
    found = {name: [trained(*case, parallel) for parallel in ((True, False) if first else (True,))] for name, case in MODELS.items()}
    groups = (("untouched", UNTOUCHED, (X, Y), [ROWS, R]), ("images untouched", UNTOUCHED_IMAGES, (IMAGE, IMAGE * 0.7), [ROWS, R]),
              ("losses", LOSSES, (X, Y), [ROWS, R]), ("classes", CLASSES, (X, Y), [ROWS, COLUMNS]))  # fmt: skip
    for group, table, values, placements in groups:
        ways = (placements, None) if first else (placements,)
        found[group] = {name: [asked(function, values, way, group) for way in ways] for name, function in table.items()}
    found["drops"] = drops()
    found["curved"] = {name: [curved(function, way) for way in ([ROWS, COLUMNS], None)] for name, function in CURVED.items()}
    found["sequences"] = [sequences(mesh) for mesh in ((MESH, None) if first else (MESH,))]
    found["wrong"] = {}
    for name, function in (
        ("class", lambda: F.cross_entropy(laid(X, [R, COLUMNS]), paddle.to_tensor([1, 2, 6, 0]))),
        ("word", lambda: F.embedding(paddle.to_tensor([1, 12]), laid(array(WORDS, 2), [R, ROWS]))),
    ):
        try:
            function()
        except Exception as error:
            found["wrong"][name] = [type(error).__name__, str(error)]
    with open(os.path.join(folder, str(dist.get_rank())), "w") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main(sys.argv[1])
