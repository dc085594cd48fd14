"""The collective trainer of Paddle's Fleet page with fixed data; writes what it got as JSON to the folder that it is given."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import paddle
import paddle.distributed.fleet as fleet
import paddle.distributed.fleet.base.role_maker as role_maker

STEPS, ROWS = 20, 16


def mlp(input_x: Any, input_y: Any) -> Any:
    hidden = paddle.static.nn.fc(input_x, 8, activation="tanh")
    prediction = paddle.static.nn.fc(hidden, 2, activation="softmax")
    return paddle.mean(paddle.nn.functional.cross_entropy(prediction, input_y, use_softmax=False, reduction="none"))


def rows(step: int, rank: int, workers: int) -> dict[str, Any]:
    """A worker's part of a batch."""
    random = np.random.RandomState(step)
    x, y = random.rand(ROWS, 32).astype("float32"), random.randint(2, size=(ROWS, 1))
    return {"x": x[rank::workers], "y": y[rank::workers]}


def train() -> dict[str, Any]:
    """The losses and the parameters afterwards."""
    input_x = paddle.static.data(name="x", shape=[None, 32], dtype="float32")
    input_y = paddle.static.data(name="y", shape=[None, 1], dtype="int64")
    cost = mlp(input_x, input_y)
    optimizer = paddle.optimizer.Momentum(learning_rate=0.1)
    role = role_maker.PaddleCloudRoleMaker(is_collective=True)
    fleet.init(role)
    paddle.seed(5 + fleet.worker_index())  # the first worker's parameters count
    optimizer = fleet.distributed_optimizer(optimizer)
    optimizer.minimize(cost)
    exe = paddle.static.Executor(paddle.CUDAPlace(0))
    exe.run(paddle.static.default_startup_program())
    losses = []
    for step in range(STEPS):
        feed = rows(step, fleet.worker_index(), fleet.worker_num())
        cost_val = exe.run(program=paddle.static.default_main_program(), feed=feed, fetch_list=[cost.name])
        losses.append(float("%f" % cost_val[0]))  # noqa: UP031 - as the page prints it
    parameters = paddle.static.default_main_program().all_parameters()
    scope = paddle.static.global_scope()
    return {"losses": losses, "parameters": {p.name: np.array(scope.find_var(p.name).get_tensor()).tolist() for p in parameters}}


def questions() -> dict[str, Any]:
    """What workers hand to each other."""
    rank, util = fleet.worker_index(), fleet.util
    answers = {
        "gather": util.all_gather({"rank": rank}),
        "sum": util.all_reduce(np.array([rank, 1.5])).tolist(),
        "max": util.all_reduce([rank, 3], "max"),
        "min": fleet.all_reduce(rank, "min"),
        "files": util.get_file_shard(list("abcdefg")),
        "endpoints": len(fleet.worker_endpoints()),
        "first": fleet.is_first_worker(),
    }
    for name, value, mode in (("mode", 1, "nope"), ("shape", [0] * (rank + 1), "sum")):
        try:
            util.all_reduce(value, mode)
        except ValueError as error:
            answers[name] = str(error)
    util.print_on_rank("the last one says this", fleet.worker_num() - 1)
    fleet.barrier_worker()
    util.barrier()
    return answers


def eager() -> dict[str, Any]:
    """Gradients that workers average themselves, and figures over all their data."""
    from paddle.distributed.fleet.utils import hybrid_parallel_util

    paddle.disable_static()
    fleet.init(is_collective=True)
    rank, groups = fleet.worker_index(), fleet.get_hybrid_communicate_group()
    paddle.seed(rank)
    layer = paddle.nn.Linear(3, 1)
    hybrid_parallel_util.broadcast_dp_parameters(layer, groups)
    layer(paddle.full([2, 3], rank + 1.0)).sum().backward()
    hybrid_parallel_util.fused_allreduce_gradients(list(layer.parameters()), groups)
    mean = layer.weight.grad.tolist()
    layer.clear_gradients()
    model = fleet.distributed_model(layer)
    optimizer = fleet.distributed_optimizer(paddle.optimizer.SGD(0.5, parameters=model.parameters()))
    before = layer.weight.numpy()
    model(paddle.full([2, 3], rank + 1.0)).sum().backward()
    optimizer.step()
    optimizer.clear_grad()
    count, correct = np.array([4.0]), np.array([rank + 1.0])
    return {
        "weight": layer.weight.tolist(),
        "grad": mean,
        "model": type(model).__name__,
        "step": ((before - layer.weight.numpy()) / 0.5).tolist(),
        "acc": fleet.metrics.acc(correct, count),
        "auc": fleet.metrics.auc(np.array([[0.0, rank]]), np.array([[1.0, 0.0]])),
        "groups": [groups.get_data_parallel_rank(), groups.get_data_parallel_world_size(), groups.get_data_parallel_group().nranks],
    }


if __name__ == "__main__":
    found = {"trained": train(), "answers": questions(), "eager": eager()}
    Path(sys.argv[1], f"{fleet.worker_index()}.json").write_text(json.dumps(found))
