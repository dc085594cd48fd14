"""What processes do that share out a model: what Paddle's wheel was asked, and steps beside a whole model that each process has.

python hybrid_job.py FOLDER/      in every process of a job of two or four
"""

from __future__ import annotations

import json
import sys
from typing import Any

import hybrid_training
import numpy as np
import paddle
import paddle.distributed as dist
from paddle import nn
from paddle.distributed import fleet
from paddle.distributed.fleet.layers.mpu import mp_ops
from paddle.distributed.fleet.utils import sequence_parallel_utils as sequences
from paddle.nn import functional as F

from paddle_compat.amp import _support

meta = fleet.meta_parallel
WORDS, WIDTH, HEADS, LENGTH, BATCH, STEPS = 32, 16, 4, 8, 4, 3
SIZES = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH), "up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH)}
_values = np.random.RandomState(7)
_whole: dict[str, np.ndarray] = {}


def filled(layer: Any, name: str, axis: int | None) -> Any:
    """A layer whose weight has its part of the values of that name along an axis; of the bias none but columns have a part."""
    groups = fleet.get_hybrid_communicate_group()
    sizes = {
        "words": (WORDS, WIDTH),
        "qkv": (WIDTH, 3 * WIDTH),
        "out": (WIDTH, WIDTH),
        "up": (WIDTH, 4 * WIDTH),
        "down": (4 * WIDTH, WIDTH),
    }
    size = sizes[name.split(".")[-1]]
    for parameter, shape, cut in ((layer.weight, size, axis), (getattr(layer, "bias", None), size[1:], 0 if axis == 1 else None)):
        if parameter is not None:
            key = f"{name}{len(shape)}"
            if key not in _whole:
                _whole[key] = (_values.randn(*shape) * 0.2).astype("float32")
            value = _whole[key]
            if parameter.is_distributed:
                value = np.split(value, groups.get_model_parallel_world_size(), cut)[groups.get_model_parallel_rank()]
            parameter.set_value(paddle.to_tensor(value))
    return layer


class Block(nn.Layer):
    """Attention and two linear layers, as language models have them; `way` is "whole", "parts" or "sequences"."""

    def __init__(self, name: str, way: str) -> None:
        super().__init__()
        self.way, self.norms = way, nn.LayerList([nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)])
        columns = sequences.ColumnSequenceParallelLinear if way == "sequences" else meta.ColumnParallelLinear
        rows = sequences.RowSequenceParallelLinear if way == "sequences" else meta.RowParallelLinear
        for part, sizes in SIZES.items():
            if way == "whole":
                layer: Any = nn.Linear(*sizes)
            elif part in ("qkv", "up"):
                layer = columns(*sizes, has_bias=True, gather_output=False)
            else:
                layer = rows(*sizes, has_bias=True, input_is_parallel=True)
            setattr(self, part, filled(layer, f"{name}.{part}", 1 if part in ("qkv", "up") else 0))
        if way == "sequences":
            for parameter in self.norms.parameters():
                sequences.mark_as_sequence_parallel_parameter(parameter)

    def forward(self, x: Any) -> Any:
        mixed = self.qkv(self.norms[0](x))
        turned = mixed.transpose([1, 0, 2]) if self.way == "sequences" else mixed
        batch, length, heads = turned.shape[0], turned.shape[1], turned.shape[2] // (3 * WIDTH // HEADS)
        q, k, v = turned.reshape([batch, length, heads, -1]).transpose([0, 2, 1, 3]).chunk(3, -1)
        scores = paddle.matmul(q, k, transpose_y=True) * (HEADS / WIDTH) ** 0.5 + paddle.triu(paddle.full([length, length], -1e4), 1)
        found = paddle.matmul(F.softmax(scores, -1), v).transpose([0, 2, 1, 3]).reshape([batch, length, -1])
        x = x + self.out(found.transpose([1, 0, 2]) if self.way == "sequences" else found)
        return x + self.down(F.gelu(self.up(self.norms[1](x))))


class Language(nn.Layer):
    """Two blocks between a table of words and its transpose."""

    def __init__(self, way: str) -> None:
        super().__init__()
        self.way = way
        table = nn.Embedding(WORDS, WIDTH) if way == "whole" else meta.VocabParallelEmbedding(WORDS, WIDTH)
        self.words, self.blocks = filled(table, "words", 0), nn.Sequential(Block("a", way), Block("b", way))

    def forward(self, ids: Any, labels: Any) -> Any:
        x = self.words(ids)
        if self.way == "sequences":
            x = sequences.GatherOp.apply(self.blocks(sequences.ScatterOp.apply(x.transpose([1, 0, 2])))).transpose([1, 0, 2])
        else:
            x = self.blocks(x)
        if self.way == "whole":
            return F.cross_entropy(paddle.matmul(x, self.words.weight, transpose_y=True), labels.unsqueeze(-1))
        group = fleet.get_hybrid_communicate_group().get_model_parallel_group()
        logits = paddle.matmul(mp_ops._c_identity(x, group), self.words.weight, transpose_y=True)
        return meta.ParallelCrossEntropy()(logits, labels.unsqueeze(-1)).mean()


def beside(way: str, fuse: bool = False, accumulate: int = 1, **sharding: Any) -> list[str]:
    """Train a shared out model and a whole one; the names of the first one's state, checked to be as the second's."""
    groups = fleet.get_hybrid_communicate_group()
    fleet.meta_parallel.model_parallel_random_seed(3)
    model, whole = Language(way), Language("whole")
    if way == "sequences":
        sequences.register_sequence_parallel_allreduce_hooks(model, accumulate, fuse)

    def adamw(parameters: list[Any]) -> Any:
        return paddle.optimizer.AdamW(0.01, parameters=parameters, grad_clip=nn.ClipGradByGlobalNorm(0.5), epsilon=1e-4)

    optimizer, beside = fleet.distributed_optimizer(adamw(model.parameters())), adamw(whole.parameters())
    wrapped = fleet.distributed_model(model)
    count = groups.get_data_parallel_world_size() * groups.get_sharding_parallel_world_size()
    mine = groups.get_data_parallel_rank() * groups.get_sharding_parallel_world_size() + groups.get_sharding_parallel_rank()
    numbers = np.random.RandomState(1)
    for _ in range(STEPS):
        for _ in range(accumulate):
            data = numbers.randint(0, WORDS, (BATCH, LENGTH + 1))
            part = np.split(data, count)[mine]
            loss = wrapped(paddle.to_tensor(part[:, :-1]), paddle.to_tensor(part[:, 1:]))
            expected = whole(paddle.to_tensor(data[:, :-1]), paddle.to_tensor(data[:, 1:]))
            loss.backward()
            expected.backward()
            total = loss.detach()
            for group in (groups.get_data_parallel_group(), groups.get_sharding_parallel_group()):
                if group.nranks > 1:
                    dist.all_reduce(total, group=group)
            np.testing.assert_allclose(float(total) / count, float(expected), rtol=2e-6)
        for each in (optimizer, beside):
            each.step()
            each.clear_grad()
    place, size = groups.get_model_parallel_rank(), groups.get_model_parallel_world_size()
    for (name, found), right in zip(model.named_parameters(), whole.parameters()):
        value = right.numpy()
        if found.is_distributed:
            axis = next(axis for axis in range(value.ndim) if value.shape[axis] != found.shape[axis])
            value = np.split(value, size, axis)[place]
        np.testing.assert_allclose(found.numpy(), value, rtol=2e-4, atol=2e-5, err_msg=name)
    state = wrapped.state_dict()
    wrapped.set_state_dict(state)
    optimizer.set_state_dict(optimizer.state_dict())
    return sorted(state)


def linear_layers() -> dict[str, Any]:
    """Layers whose results are gathered or whose inputs are whole, and the operators between them, by arithmetic."""
    groups = fleet.get_hybrid_communicate_group()
    group, rank = groups.get_model_parallel_group(), groups.get_model_parallel_rank()
    meta.model_parallel_random_seed(3)
    column, row = meta.ColumnParallelLinear(3, 4, has_bias=True), meta.RowParallelLinear(4, 2)
    x = paddle.to_tensor([[1.0, 2.0, 3.0], [0.5, 0.1, -2.0]], stop_gradient=False)
    hidden = column(x)
    out = row(hidden)
    (out * out).sum().backward()
    whole: list[Any] = []
    dist.all_gather(whole, column.weight, group=group)
    first = paddle.concat(whole, 1)
    whole = []
    dist.all_gather(whole, row.weight, group=group)
    second = paddle.concat(whole, 0)
    right = x.detach().matmul(first).matmul(second)
    np.testing.assert_allclose(out.numpy(), right.numpy(), rtol=1e-5, atol=1e-6)
    slope = (2.0 * right).matmul(second, transpose_y=True)
    np.testing.assert_allclose(x.grad.numpy(), slope.matmul(first, transpose_y=True).numpy(), rtol=1e-5, atol=1e-5)
    own = x.detach().matmul(slope, transpose_x=True).numpy()[:, 2 * rank : 2 * rank + 2]
    np.testing.assert_allclose(column.weight.grad.numpy(), own, rtol=1e-5, atol=1e-5)
    values = [1.0, 2.0, 3.0, 4.0]
    found: dict[str, Any] = {}
    for name, call, given, by in (
        ("identity", mp_ops._c_identity, [1.0, 2.0 + rank], [1.0, 1.0]), ("concat", mp_ops._c_concat, [1.0, 2.0 + rank], values),
        ("split", mp_ops._c_split, values, [1.0, 2.0]), ("sum", mp_ops._mp_allreduce, [1.0, 2.0 + rank], [1.0, 1.0]),
    ):  # fmt: skip
        given = paddle.to_tensor([given], stop_gradient=False)
        result = call(given, group=group)
        (result * paddle.to_tensor(by) * (rank + 1.0)).sum().backward()
        found[name] = [result.tolist(), given.grad.tolist()]
    logits = np.random.RandomState(3).rand(4, 10).astype("float32")
    labels = paddle.to_tensor([1, 7, -100, 9])
    own = paddle.to_tensor(np.split(logits, 2, 1)[rank], stop_gradient=False)
    loss, shares = mp_ops._c_softmax_with_cross_entropy(own, labels, group=group, return_softmax=True)
    loss.sum().backward()
    everything = paddle.to_tensor(logits, stop_gradient=False)
    right = F.cross_entropy(everything, labels, reduction="none")
    right.sum().backward()
    np.testing.assert_allclose(loss.numpy()[:, 0], right.numpy().reshape(-1), rtol=1e-5)
    np.testing.assert_allclose(own.grad.numpy(), np.split(everything.grad.numpy(), 2, 1)[rank], rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(shares.numpy(), np.split(F.softmax(everything).numpy(), 2, 1)[rank], rtol=1e-5)
    return found


def overflow() -> Any:
    """A gradient that is infinite in one process: nobody makes the step."""
    weight = paddle.create_parameter([1], "float32", default_initializer=nn.initializer.Constant(2.0))
    sgd = fleet.distributed_optimizer(paddle.optimizer.SGD(0.5, parameters=[weight]))
    former, _support.accelerated = _support.accelerated, lambda: True  # a scaler has no effect on a CPU
    scaler = fleet.distributed_scaler(paddle.amp.GradScaler(init_loss_scaling=4.0, use_dynamic_loss_scaling=False))
    _support.accelerated = former
    scaler.scale(weight * (float("inf") if dist.get_rank() == 1 else 1.0)).backward()
    scaler.step(sgd)
    scaler.update()
    return weight.tolist()


def data() -> list[Any]:
    """What a model is called with: the first process's data."""
    rank = dist.get_rank()

    class Seen(nn.Layer):
        def forward(self, x: Any, names: Any, **more: Any) -> Any:
            return [x.tolist(), names, more["meta"]["step"], more["meta"]["x"].tolist(), type(more["mask"]).__name__]

    model = fleet.distributed_model(Seen())
    return model(
        paddle.to_tensor([1.0 + rank]), [f"of {rank}", (rank, None)], meta={"step": rank, "x": paddle.to_tensor([rank])}, mask=None
    )


def objects() -> Any:
    """Objects that process 0 sends to process 1."""
    found: list[Any] = [{"a": 1}, [2, 3]] if dist.get_rank() == 0 else [None, None]
    if dist.get_rank() == 0:
        dist.send_object_list(found, dst=1)
        dist.send_object_list(["again"], dst_in_group=1)
        return found
    again = [None]
    dist.recv_object_list(found, src=0)
    dist.recv_object_list(again, src_in_group=0)
    return [*found, *again]


def slices() -> list[Any]:
    """Slices of parameters in each process, which train as whole parameters do: their sizes, and those of their states."""
    trained = []
    for splits in (False, True):
        strategy = fleet.DistributedStrategy()
        strategy.hybrid_configs = {"dp_degree": 1, "sharding_degree": 2, "sharding_configs": {"split_param": splits}}
        fleet.init(is_collective=True, strategy=strategy)
        names = paddle.utils.unique_name.guard()
        names.__enter__()
        paddle.seed(3)
        net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
        model = fleet.distributed_model(net)
        clip = nn.ClipGradByGlobalNorm(0.3)
        inner = paddle.optimizer.AdamW(0.02, parameters=net.parameters(), grad_clip=clip, apply_decay_param_fun=lambda name: ".w_" in name)
        adamw = fleet.distributed_optimizer(inner)
        numbers = np.random.RandomState(dist.get_rank())
        for _ in range(STEPS):
            model(paddle.to_tensor(numbers.rand(4, 4).astype("float32"))).square().mean().backward()
            adamw.step()
            adamw.clear_grad()
        names.__exit__(None, None, None)
        state = adamw.state_dict()
        adamw.set_state_dict(state)
        trained.append([parameter.numpy() for parameter in net.parameters()])
        kinds = [type(adamw._inner_opt).__name__, len(adamw._parameter_list)]
    for whole, split in zip(*trained):
        np.testing.assert_allclose(split, whole, rtol=1e-6, atol=1e-7)
    own = [[parameter.name, parameter.shape] for parameter in inner._parameter_list]
    return [kinds, own, {name: value.shape for name, value in sorted(state.items()) if name.endswith("moment1_0")}]


def of_two() -> dict[str, Any]:
    """What a job of two does."""
    found: dict[str, Any] = {"asked": {kind: hybrid_training.answers(kind) for kind in hybrid_training.KINDS}}
    hybrid_training.begin("model")
    found |= {"linear": linear_layers(), "overflow": overflow(), "objects": objects(), "data": data(), "slices": slices()}
    hybrid_training.begin("model")
    found["names"] = [beside("parts"), beside("sequences"), beside("sequences", fuse=True, accumulate=2)]
    dropped = []
    with meta.get_rng_state_tracker().rng_state():
        dropped.append(paddle.rand([3]).tolist())
    dropped.append(paddle.rand([3]).tolist())
    return {**found, "drawn": dropped}


def sharded() -> None:
    """States that two processes share out, twice, each pair on data of its own: as one process trains on all of it."""
    groups = fleet.get_hybrid_communicate_group()

    def begun() -> tuple[Any, Any]:
        paddle.seed(dist.get_rank())
        net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
        for number, parameter in enumerate(net.parameters()):
            first = np.random.RandomState(number).rand(*parameter.shape).astype("float32")
            parameter.set_value(first if dist.get_rank() == 0 or whole else first * 0.0)  # the others begin as the first does
        clip = nn.ClipGradByGlobalNorm(0.5)
        return net, paddle.optimizer.Momentum(0.1, parameters=net.parameters(), grad_clip=clip)

    whole = True
    beside, momentum = begun()
    whole = False
    model, optimizer = begun()
    model, optimizer, _ = paddle.distributed.sharding.group_sharded_parallel(
        model, optimizer, "os_g", group=groups.get_sharding_parallel_group(), dp_group=groups.get_data_parallel_group()
    )
    for step in range(STEPS):
        data = np.random.RandomState(step).rand(4, 3, 4).astype("float32")
        for net, steps, x in ((model, optimizer, data[dist.get_rank()]), (beside, momentum, data.reshape(12, 4))):
            net(paddle.to_tensor(x)).square().mean().backward()
            steps.step()
            steps.clear_grad()
    for found, right in zip(model.parameters(), beside.parameters()):
        np.testing.assert_allclose(found.numpy(), right.numpy(), rtol=1e-5, atol=1e-6)


def stages() -> None:
    """Tensors and stages: steps clipped by the norm of the whole model."""
    strategy = fleet.DistributedStrategy()
    strategy.hybrid_configs = {"dp_degree": 1, "mp_degree": 2, "pp_degree": 2}
    strategy.pipeline_configs = {"accumulate_steps": 2, "micro_batch_size": 2}
    fleet.init(is_collective=True, strategy=strategy)
    groups = fleet.get_hybrid_communicate_group()
    meta.model_parallel_random_seed(7)
    numbers, layers, whole = np.random.RandomState(0), [], nn.Sequential()
    for number, sizes in enumerate(((4, 8), (8, 4), (4, 8), (8, 1))):
        value = (numbers.randn(*sizes) * 0.5).astype("float32")
        more: dict[str, Any] = {"input_is_parallel": True} if number % 2 else {"gather_output": False}
        layer = (meta.RowParallelLinear if number % 2 else meta.ColumnParallelLinear)(*sizes, has_bias=False, **more)
        layer.weight.set_value(np.split(value, 2, 1 - number % 2)[groups.get_model_parallel_rank()])
        plain = nn.Linear(*sizes, bias_attr=False)
        plain.weight.set_value(value)
        layers += [layer, nn.Tanh()][: 2 - number % 2]
        for each in [plain, nn.Tanh()][: 2 - number % 2]:
            whole.append(each)
    net = meta.PipelineLayer(layers, topology=groups.topology(), loss_fn=nn.MSELoss())
    clip = nn.ClipGradByGlobalNorm(0.2)
    model = fleet.distributed_model(net)
    sgd = fleet.distributed_optimizer(paddle.optimizer.SGD(0.5, parameters=net.parameters(), grad_clip=clip))
    beside = paddle.optimizer.SGD(0.5, parameters=whole.parameters(), grad_clip=clip)
    for _ in range(STEPS):
        x, y = (paddle.to_tensor(numbers.rand(4, size).astype("float32")) for size in (4, 1))
        loss = model.train_batch([x, y], sgd)
        expected = F.mse_loss(whole(x), y)
        expected.backward()
        beside.step()
        beside.clear_grad()
        np.testing.assert_allclose(float(loss), float(expected), rtol=1e-5)


def of_four() -> dict[str, Any]:
    """What a job of four does: along two axes."""
    found = {}
    for degrees, way in (
        ({"dp_degree": 2, "mp_degree": 2}, "parts"), ({"mp_degree": 2, "sharding_degree": 2}, "sequences"),
        ({"dp_degree": 2, "sharding_degree": 2, "order": ["sharding", "dp", "mp", "pp", "sep"]}, "parts"),
    ):  # fmt: skip
        strategy = fleet.DistributedStrategy()
        strategy.hybrid_configs = degrees
        fleet.init(is_collective=True, strategy=strategy)
        beside(way)
        groups = fleet.get_hybrid_communicate_group()
        names = ("data", "model", "sharding")
        found[str(sorted(degrees))] = [getattr(groups, f"get_{name}_parallel_group")().ranks for name in names]
    sharded()
    stages()
    return found


if __name__ == "__main__":
    paddle.set_device("cpu")
    answers = of_two() if paddle.distributed.ParallelEnv().world_size == 2 else of_four()
    with open(sys.argv[1] + str(dist.get_rank()), "w") as file:
        json.dump(answers, file)
