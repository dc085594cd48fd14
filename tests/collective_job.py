"""One of the processes of `test_collective_programs.py`: asks everything, prints a JSON object of answers.

    python collective_job.py RANK PORT,PORT
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import numpy as np
from processes import ROOT

sys.path.insert(0, str(ROOT / "scripts/references"))
sys.path.insert(0, str(ROOT))

import collective_answers
import split_programs

import paddle_compat as paddle
from paddle_compat import fluid, static
from paddle_compat.core.errors import EnforceNotMet
from paddle_compat.fluid.incubate.fleet.base.role_maker import UserDefinedCollectiveRoleMaker
from paddle_compat.fluid.incubate.fleet.collective import DistributedStrategy, fleet
from paddle_compat.fluid.transpiler.collective import GradAllReduce, LocalSGD

RANK, PORTS = (int(sys.argv[1]), sys.argv[2].split(",")) if __name__ == "__main__" else (0, ["6170", "6171"])
ENDPOINTS = [f"127.0.0.1:{port}" for port in PORTS]
STEPS = 5


# ---- Programs of 1.8
def line() -> Any:
    """A small layer; the loss."""
    x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 1])
    return fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(fluid.layers.fc(x, 3, act="tanh"), 1), y))


def words() -> Any:
    """A table of rows, of which few are read; the loss."""
    x, y = fluid.data("x", [None, 2], dtype="int64"), fluid.data("y", [None, 1])
    rows = fluid.embedding(x, [7, 3], is_sparse=True)
    return fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(fluid.layers.reduce_sum(rows, dim=1), 1), y))


NETS = {"line": line, "words": words}
OPTIMIZERS = {
    "sgd": lambda: fluid.optimizer.SGD(0.1),
    "adam": lambda: fluid.optimizer.Adam(fluid.layers.exponential_decay(0.1, 3, 0.5)),
    "momentum": lambda: fluid.optimizer.Momentum(
        0.1, 0.9, regularization=fluid.regularizer.L2Decay(0.05), grad_clip=fluid.clip.GradientClipByGlobalNorm(0.2)
    ),
}


def batches(net: str) -> list[dict[str, np.ndarray]]:
    """The joined batches, of 8 samples each."""
    numbers = np.random.RandomState(3)
    made = []
    for _ in range(STEPS):
        x = numbers.rand(8, 4).astype("float32") if net == "line" else numbers.randint(0, 7, (8, 2))
        made.append({"x": x, "y": numbers.rand(8, 1).astype("float32")})
    return made


def half(batch: dict[str, np.ndarray], rank: int) -> dict[str, np.ndarray]:
    """A rank's part of a batch."""
    return {name: value[4 * rank : 4 * rank + 4] for name, value in batch.items()}


def train(net: str, optimizer: str, transpiler: Any = None, rank: int | None = None) -> dict[str, Any]:
    """Losses and parameters: of a rank of two, on its half of the batches, or (rank None) of one process on all of them."""
    main, start = fluid.Program(), fluid.Program()
    main.random_seed = start.random_seed = 5 + (rank or 0)  # ranks start apart: the startup Program makes them alike
    with fluid.unique_name.guard(), fluid.program_guard(main, start), fluid.scope_guard(fluid.Scope()):
        loss = NETS[net]()
        program = main
        if isinstance(transpiler, DistributedStrategy):
            fleet.init(UserDefinedCollectiveRoleMaker(rank, ENDPOINTS))
            fleet.distributed_optimizer(OPTIMIZERS[optimizer](), transpiler).minimize(loss)
            program = fleet.main_program
        else:
            OPTIMIZERS[optimizer]().minimize(loss)
        if isinstance(transpiler, (GradAllReduce, LocalSGD)):
            transpiler.transpile(start, main, rank, ENDPOINTS, ENDPOINTS[rank], True)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(start)
        begun = _parameters(main)
        losses = []
        for batch in batches(net):
            feed = batch if rank is None else half(batch, rank)
            losses.append(float(exe.run(program, feed=feed, fetch_list=[loss])[0][0]))
        return {"begun": begun, "losses": losses, "parameters": _parameters(main)}


def _parameters(program: Any) -> dict[str, Any]:
    scope = fluid.global_scope()
    return {p.name: np.array(scope.find_var(p.name).get_tensor()).tolist() for p in program.all_parameters()}


# ---- single operators of 2.6
def run(type_: str, attrs: dict[str, Any], x: np.ndarray | None = None, slots: str = "X Out", also: dict[str, Any] | None = None) -> Any:
    """What one operator gives."""
    program, (source, target) = static.Program(), slots.split()
    block = program.global_block()
    given = {source: x, **(also or {})} if x is not None else {}
    for slot, value in given.items():
        block.create_var(name=f"{slot}_in", shape=value.shape, dtype=str(value.dtype))
    outputs = {} if target == "-" else {target: [block.create_var(name="out", dtype="float32")]}
    block.append_op(type=type_, inputs={slot: [f"{slot}_in"] for slot in given}, outputs=outputs, attrs=attrs)
    feed = {f"{slot}_in": value for slot, value in given.items()}
    found = static.Executor(paddle.CPUPlace()).run(program, feed=feed, fetch_list=list(outputs and ["out"]))
    return found[0].tolist() if found else None


def gradient(type_: str, attrs: dict[str, Any], feed: dict[str, Any], source: str, target: str, weights: np.ndarray) -> list[Any]:
    """The (first) output of one operator, and the gradient of its `source` where each output counts by its weight."""
    program = static.Program()
    with static.program_guard(program, static.Program()):
        ins = {}
        for slot, value in feed.items():
            ins[slot] = static.data(slot, value.shape, str(value.dtype))
            ins[slot].stop_gradient = value.dtype != np.float32
        block = program.global_block()
        outs = {name: block.create_var(name=name, dtype="float32") for name in target.split()}
        block.append_op(type=type_, inputs={k: [v] for k, v in ins.items()}, outputs={k: [v] for k, v in outs.items()}, attrs=attrs)
        out = outs[target.split()[-1]]
        total = paddle.sum(out * paddle.assign(weights))
        (grad,) = static.gradients(total, [ins[source]])
        return [v.tolist() for v in static.Executor(paddle.CPUPlace()).run(program, feed=feed, fetch_list=[out, grad])]


def refused(call: Any) -> str:
    """What an error says."""
    try:
        call()
    except EnforceNotMet as error:
        return str(error)
    return "nothing"


def operators() -> dict[str, Any]:
    """What this rank gets of each operator."""
    x = np.arange(8, dtype="float32").reshape(4, 2) + 10 * RANK
    both, me = {"nranks": 2, "ring_id": 0}, {"nranks": 2, "ring_id": 0, "rank": RANK}
    other = {"ring_id": 0, "peer": 1 - RANK}
    found: dict[str, Any] = {
        "c_broadcast": run("c_broadcast", {"root": 1}, x),
        "broadcast": run("broadcast", {"root": 1, "ring_id": 0}, x, "x out"),
        "all_reduce": run("all_reduce", {"reduce_type": 1}, x, "x out"),
        "reduce": run("reduce", {"root_id": 1}, x, "x out"),
        "c_scatter": run("c_scatter", {"root": 1, **both}, x),
        "all_gather": run("all_gather", both, x, "x out"),
        "dist_concat": run("dist_concat", both, x, "x out"),
        "c_reducescatter": run("c_reducescatter", both, x),
        "reduce_scatter": run("reduce_scatter", both, x, "x out"),
        "alltoall": run("alltoall", {}, x),
        "all_to_all": run("all_to_all", {}, x, "x out"),
        "barrier": run("barrier", {}, x),
        "c_sync_calc_stream": run("c_sync_calc_stream", {}, x),
        "c_wait_comm": run("c_wait_comm", {"ring_id": 0}, x),
        "partial_allgather": run("partial_allgather", me, x),
        "another number of ranks": refused(lambda: run("c_allgather", {"nranks": 3}, x)),
        "no root": refused(lambda: run("c_broadcast", {"root": 2}, x)),
        "no peer": refused(lambda: run("send_v2", {"peer": RANK}, x, "X -")),
        "ring 0 again": refused(lambda: run("c_comm_init", {"nranks": 3, "rank": RANK, "ring_id": 0}, x, "X -")),
    }
    for dynamic in (False, True):  # each sends and receives, not at the same time
        shape = {"out_shape": [4, 2], "dtype": 5, "dynamic_shape": dynamic}
        turns = [lambda: run("send_v2", {**other, "dynamic_shape": dynamic}, x, "X -"), lambda: run("recv_v2", {**other, **shape})]  # noqa: B023
        found[f"recv_v2 {dynamic}"] = [turn() for turn in (turns if RANK == 0 else turns[::-1])]
    part = {**other, "num": 2, "id": 1}
    turns = [lambda: run("partial_send", part, x, "X -"), lambda: run("partial_recv", {**part, "out_shape": [4, 2], "dtype": 5})]
    found["partial_recv"] = [turn() for turn in (turns if RANK == 0 else turns[::-1])]
    weights = np.arange(1, 9, dtype="float32").reshape(4, 2) * (1 + RANK)
    found["c_identity"] = gradient("c_identity", {}, {"X": x}, "X", "Out", weights)
    found["mp_allreduce_sum"] = gradient("mp_allreduce_sum", {}, {"X": x}, "X", "Out", weights)
    found["c_concat"] = gradient("c_concat", me, {"X": x}, "X", "Out", np.arange(16, dtype="float32").reshape(4, 4))
    found["c_split"] = gradient("c_split", me, {"X": x}, "X", "Out", weights[:, :1])
    ids = np.array([[0, 3], [4, 7]])
    table = {"W": x, "Ids": ids}
    found["c_embedding"] = gradient("c_embedding", {"start_index": 4 * RANK}, table, "W", "Out", np.stack([weights[:2], weights[2:]]))
    logits, label = np.sin(x), np.array([[0], [1], [2], [3]])
    classes = {**me, "ignore_index": 1}
    found["classes"] = gradient(
        "c_softmax_with_cross_entropy", classes, {"Logits": logits, "Label": label}, "Logits", "Softmax Loss", weights[:, :1]
    )
    return found


def replicas() -> dict[str, Any]:
    """What the two replicas of this process, of four in all, get of operators, one behind the other."""
    os.environ["CPU_NUM"] = "2"
    found = {}
    run("c_comm_init", {"nranks": 2, "rank": RANK, "ring_id": 5}, np.zeros([1], "float32"), "X -")
    asked: dict[str, tuple[str, dict[str, Any]]] = {
        "c_allgather": ("c_allgather", {"nranks": 4}), "c_broadcast": ("c_broadcast", {"root": 2}), "alltoall": ("alltoall", {}),
        "c_allreduce_max": ("c_allreduce_max", {}), "ring 5": ("c_allreduce_sum", {"ring_id": 5}),
    }  # fmt: skip
    for name, (type_, attrs) in asked.items():
        main, start = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, start), fluid.scope_guard(fluid.Scope()):
            x = fluid.data("x", [None, 1])
            loss = fluid.layers.mean(fluid.layers.fc(x, 1))
            fluid.optimizer.SGD(0.1).minimize(loss)
            out = main.global_block().create_var(name="out", dtype="float32")
            main.global_block().append_op(type=type_, inputs={"X": [x]}, outputs={"Out": [out]}, attrs=attrs)
            exe = fluid.Executor(fluid.CPUPlace())
            exe.run(start)
            program = fluid.CompiledProgram(main).with_data_parallel(loss_name=loss.name)
            feed = {"x": np.arange(8, dtype="float32").reshape(8, 1) + 8 * RANK}
            found[name] = exe.run(program, feed=feed, fetch_list=["out"])[0].reshape(-1).tolist()
    del os.environ["CPU_NUM"]
    return found


# ---- batch norm over the batches of all ranks
def normalized(data_format: str, parts: list[int], kind: Any = paddle.nn.BatchNorm2D) -> dict[str, Any]:
    """What a layer makes of some samples, its gradients, its statistics, and what it makes of them in inference."""
    numbers = np.random.RandomState(9)
    shape = (6, 3, 2, 2) if data_format == "NCHW" else (6, 2, 2, 3)
    x = paddle.to_tensor(numbers.randn(*shape).astype("float32")[parts], stop_gradient=False)
    weights = paddle.to_tensor(numbers.randn(*shape).astype("float32")[parts])
    layer = kind(3, momentum=0.7, data_format=data_format)
    layer.weight.set_value(numbers.rand(3).astype("float32"))
    y = layer(x)
    (y * weights).sum().backward()
    values = {"y": y, "x": x.grad, "weight": layer.weight.grad, "bias": layer.bias.grad, "mean": layer._mean, "variance": layer._variance}
    layer.eval()
    return {name: value.numpy().tolist() for name, value in {**values, "tested": layer(x)}.items()}


def normalized_in_a_program(parts: list[int], kind: Any = paddle.nn.BatchNorm2D) -> list[Any]:
    """What a Program with the layer gives, and the gradient of its scale."""
    x = np.random.RandomState(9).randn(6, 3, 2, 2).astype("float32")[parts]
    main, start = static.Program(), static.Program()
    with static.program_guard(main, start), static.scope_guard(static.Scope()):
        y = kind(3)(static.data("x", [None, 3, 2, 2]))
        pairs = static.append_backward(paddle.sum(y * y * y))
        exe = static.Executor(paddle.CPUPlace())
        exe.run(start)
        scale = next(grad for param, grad in pairs if "w_0" in param.name)
        return [value.tolist() for value in exe.run(main, feed={"x": x}, fetch_list=[y, scale])]


PARTS = [[0, 1, 2, 3], [4, 5]]  # of the samples: ranks may have different numbers


def main() -> None:
    """Ask everything."""
    answers: dict[str, Any] = {}
    paddle.enable_static()
    for net, optimizer in (("line", "sgd"), ("line", "adam"), ("line", "momentum"), ("words", "sgd"), ("words", "adam")):
        answers[f"joined/{net}/{optimizer}"] = train(net, optimizer, GradAllReduce(), RANK)
    answers["local/line/adam"] = train("line", "adam", LocalSGD(), RANK)
    answers["wheel"] = {question: collective_answers.ask(paddle, RANK, question) for question in collective_answers.QUESTIONS}
    answers["operators"] = operators()
    answers["replicas"] = replicas()
    for name, switches in (("joined/line/momentum/fleet", {}), ("joined/line/adam/fleet collective", {"_ut4grad_allreduce": True})):
        strategy = DistributedStrategy()
        for switch, value in switches.items():
            setattr(strategy, switch, value)
        answers[name] = train(*name.split("/")[1:3], strategy, RANK)
    answers["norm/program"] = normalized_in_a_program(PARTS[RANK], paddle.nn.SyncBatchNorm)
    paddle.distributed.fleet.init(is_collective=True)
    for net in split_programs.NETS:
        answers[f"split/{net}"] = [split_programs.answers(net, RANK, by_fleet) for by_fleet in (False, True)]
    paddle.disable_static()
    for data_format in ("NCHW", "NHWC"):
        answers[f"norm/{data_format}"] = normalized(data_format, PARTS[RANK], paddle.nn.SyncBatchNorm)
    print(json.dumps(answers), flush=True)


if __name__ == "__main__":
    main()
