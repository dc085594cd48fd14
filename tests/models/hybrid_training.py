"""What fleet makes of a model that two processes share out in one way, as JSON.

    python hybrid_training.py KIND FILE      in both processes of a job, FILE ends with the process's number

The kinds are those of `KINDS`. Where Paddle has no operators for the CPU (those of tensor parallel layers in forward passes) nothing is
asked of it: its answers are compared with a whole model's elsewhere.
"""

import json
import sys

import numpy as np
import paddle
from paddle import nn
from paddle.distributed import fleet

KINDS = {
    "data": {"dp_degree": 2},
    "model": {"dp_degree": 1, "mp_degree": 2},
    "sharding": {"dp_degree": 1, "sharding_degree": 2},
    "sep": {"dp_degree": 1, "sep_degree": 2},
    "pipe": {"dp_degree": 1, "pp_degree": 2},
}
ASKED = ("data_parallel", "model_parallel", "sharding_parallel", "pipe_parallel", "sep_parallel", "dp_sep_parallel", "pp_mp_parallel")
OPTIMIZERS = {
    "sgd": lambda p: paddle.optimizer.SGD(0.1, parameters=p, grad_clip=nn.ClipGradByGlobalNorm(1e-5)),
    "adamw": lambda p: paddle.optimizer.AdamW(0.02, parameters=p, grad_clip=nn.ClipGradByGlobalNorm(0.3), weight_decay=0.1,
                                              apply_decay_param_fun=lambda name: "linear" in name),
    "momentum": lambda p: paddle.optimizer.Momentum(paddle.optimizer.lr.StepDecay(0.1, 1), 0.9, parameters=p, weight_decay=0.05,
                                                    grad_clip=nn.ClipGradByNorm(0.1)),
    "adam": lambda p: paddle.optimizer.Adam(0.02, parameters=p, grad_clip=nn.ClipGradByValue(0.01)),
}  # fmt: skip


def plain(value):
    """A Tensor's numbers."""
    return np.round(value.astype("float32").numpy().astype("float64"), 7).tolist()


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.words, self.first, self.norm, self.last = nn.Embedding(6, 4), nn.Linear(4, 8), nn.LayerNorm(8), nn.Linear(8, 3)

    def forward(self, ids):
        return self.last(paddle.tanh(self.norm(self.first(self.words(ids)))))


def begin(kind):
    """The groups of a kind."""
    strategy = fleet.DistributedStrategy()
    strategy.hybrid_configs = KINDS[kind]
    fleet.init(is_collective=True, strategy=strategy)
    return fleet.get_hybrid_communicate_group()


def shown(call):
    """What a question about groups is answered with."""
    try:
        found = call()
    except (AssertionError, AttributeError) as error:
        return type(error).__name__
    return [found.ranks, found.rank, found.nranks, found.is_member()] if hasattr(found, "ranks") else found


def of_groups(groups):
    """Everything that is asked of groups."""
    asked = {name: shown(getattr(groups, name)) for name in ("get_parallel_mode", "get_stage_id", "get_global_rank", "get_p2p_groups")}
    for axis in ASKED:
        for end in ("rank", "world_size", "group", "group_src_rank"):
            name = "get_{}_{}".format(axis, end)
            if hasattr(type(groups), name):
                asked[name] = shown(getattr(groups, name))
    for sharding in (False, True):
        asked["check/{}".format(sharding)] = shown(lambda: groups.get_check_parallel_group(sharding))  # noqa: B023
    names = ("_dp_group", "_mp_group", "_sep_group", "_check_group", "sharding_check_group", "_mp_degree", "is_first_stage",
             "is_last_stage", "prev_rank", "next_rank", "_dp_sep_group", "_sharding_parallel_id")  # fmt: skip
    asked.update({name: getattr(groups, name, None) for name in names})
    asked["stage"] = groups.get_rank_from_stage(0)
    return asked


def trained(kind, name, rank):
    """Losses, parameters and states of a few steps."""
    with paddle.utils.unique_name.guard():
        paddle.seed(33)
        net = Net()
        if kind == "model":  # as if another layer's columns
            net.first.weight.is_distributed = net.first.bias.is_distributed = True
            net.first.weight.set_value(net.first.weight * (1.0 + rank))
        model = net if kind == "model" else fleet.distributed_model(net)  # which asks for a GPU there
        inner = OPTIMIZERS[name](net.parameters())
        optimizer, scaler = fleet.distributed_optimizer(inner), None
        if name == "adam":
            scaler = fleet.distributed_scaler(paddle.amp.GradScaler(init_loss_scaling=128.0))
        numbers, losses = np.random.RandomState(5 if kind == "model" else 5 + rank), []
        for _ in range(3):
            loss = model(paddle.to_tensor(numbers.randint(0, 6, (4, 2)))).square().mean()
            if scaler is None:
                loss.backward()
                optimizer.step()
            else:
                scaler.scale(loss).backward()
                scaler.step(optimizer)
                scaler.update()
            optimizer.clear_grad()
            losses.append(float(loss))
            if name == "momentum":
                optimizer._learning_rate.step()
        state = optimizer.state_dict()
        return {
            "losses": losses,
            "parameters": [plain(parameter) for parameter in net.parameters()],
            "state": {key: plain(value) for key, value in sorted(state.items()) if hasattr(value, "numpy")},
            "keys": sorted(state),
            "kinds": [type(each).__name__ for each in (model, optimizer, optimizer._inner_opt, inner._grad_clip)],
            "rate": optimizer.get_lr(),
            "listed": [parameter.name for parameter in optimizer._parameter_list],
            "own": [parameter.name for parameter in inner._parameter_list],
        }


def normalised(rank):
    """Running statistics, which the sharding optimizer shares out and sends around as the weights."""
    with paddle.utils.unique_name.guard():
        net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1D(3))
        for parameter in net.parameters():
            if parameter.trainable:
                parameter.set_value(np.arange(np.prod(parameter.shape)).reshape(parameter.shape).astype("float32") / 4 - 0.5)
        model = fleet.distributed_model(net)
        optimizer = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1, parameters=net.parameters()))
        for step in range(2):
            model(paddle.to_tensor(np.random.RandomState(2 * step + rank).rand(4, 2).astype("float32"))).square().mean().backward()
            optimizer.step()
            optimizer.clear_grad()
        return {name: plain(value) for name, value in net.state_dict().items()}


def made(rank):
    """First values of layers that the processes share out, and what there is to know about their parameters."""
    from paddle.distributed.fleet.utils import sequence_parallel_utils as sequences

    meta = fleet.meta_parallel
    constant = paddle.ParamAttr(name="mine", initializer=nn.initializer.Constant(3.0))
    kinds = {
        "column": lambda: meta.ColumnParallelLinear(3, 4, has_bias=True),
        "row": lambda: meta.RowParallelLinear(4, 3),
        "table": lambda: meta.VocabParallelEmbedding(4, 3),
        "plain": lambda: nn.Linear(3, 2),
        "columns of sequences": lambda: sequences.ColumnSequenceParallelLinear(3, 4, has_bias=True, gather_output=False),
        "rows of sequences": lambda: sequences.RowSequenceParallelLinear(4, 3, input_is_parallel=True),
        "constant": lambda: meta.ColumnParallelLinear(3, 4, weight_attr=constant),
        "bad columns": lambda: meta.ColumnParallelLinear(3, 5),
        "bad rows": lambda: meta.RowParallelLinear(5, 3),
        "bad table": lambda: meta.VocabParallelEmbedding(5, 3),
        "gathered": lambda: sequences.ColumnSequenceParallelLinear(3, 4),
        "not parallel": lambda: sequences.RowSequenceParallelLinear(4, 3),
    }
    meta.model_parallel_random_seed(2021)
    found = {"seeds": sorted(meta.get_rng_state_tracker().seeds_)}
    with paddle.utils.unique_name.guard():
        for name, make in kinds.items():
            try:
                layer = make()
            except AssertionError as error:
                found[name] = type(error).__name__
                continue
            found[name] = [layer.full_name(), *(
                [p.name, plain(p), p.is_distributed, getattr(p, "split_axis", None), sequences.is_sequence_parallel_parameter(p)]
                for p in layer.parameters()
            )]  # fmt: skip
    table = paddle.to_tensor(np.arange(6, dtype="float32").reshape(3, 2), stop_gradient=False)
    rows = fleet.layers.mpu.mp_ops._c_lookup_table(table, paddle.to_tensor([[0, 4, 5]]), start_index=3 * rank)
    (rows * 2.0).sum().backward()
    return {**found, "rows": plain(rows), "rows' gradient": plain(table.grad)}


def answers(kind):
    """Everything about a kind."""
    groups, rank = begin(kind), paddle.distributed.get_rank()
    found = {"groups": of_groups(groups)}
    if kind != "pipe":
        found["trained"] = {name: trained(kind, name, rank) for name in OPTIMIZERS}
    if kind == "model":
        found["made"] = made(rank)
    if kind in ("data", "sharding"):
        found["normalised"] = normalised(rank)
    return found


if __name__ == "__main__":
    paddle.set_device("cpu")
    answer = answers(sys.argv[1])
    with open(sys.argv[2] + str(paddle.distributed.get_rank()), "w") as file:
        json.dump(answer, file)
