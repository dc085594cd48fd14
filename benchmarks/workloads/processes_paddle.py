"""The work of replicas_ddp.py for Paddle 2.x, one of several processes: runs under the 2.6.2 wheel (eager only) and under paddle_compat.

    python processes_paddle.py WORKLOAD {static,eager} STEPS     process 0 prints {"median_ms", "loss"} of wall time as JSON
"""

from __future__ import annotations

import json
import statistics
import sys
import time

import numpy as np


def network(workload):  # type: ignore[no-untyped-def]
    """The network."""
    nn = paddle.nn
    if workload == "mlp":
        return nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 10))
    first = nn.Sequential(nn.Conv2D(3, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2))
    second = nn.Sequential(nn.Conv2D(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2D(2))
    return nn.Sequential(first, second, nn.Flatten(), nn.Linear(64 * 64, 10))


def static_step(workload, x, y):  # type: ignore[no-untyped-def]
    """What trains once by fleet's collective mode."""
    fleet = paddle.distributed.fleet
    paddle.enable_static()
    fleet.init(is_collective=True)
    image = paddle.static.data("x", [None, *x.shape[1:]])
    label = paddle.static.data("y", [None, 1], "int64")
    loss = paddle.nn.functional.cross_entropy(network(workload)(image), label)
    fleet.distributed_optimizer(paddle.optimizer.SGD(0.01)).minimize(loss)
    exe = paddle.static.Executor(paddle.CPUPlace())
    exe.run(paddle.static.default_startup_program())
    program = paddle.static.default_main_program()
    return lambda: float(exe.run(program, feed={"x": x, "y": y}, fetch_list=[loss])[0])


def eager_step(workload, x, y):  # type: ignore[no-untyped-def]
    """What trains once by DataParallel."""
    paddle.distributed.init_parallel_env()
    model = paddle.DataParallel(network(workload))
    sgd = paddle.optimizer.SGD(0.01, parameters=model.parameters())

    def step():  # type: ignore[no-untyped-def]
        loss = paddle.nn.functional.cross_entropy(model(paddle.to_tensor(x)), paddle.to_tensor(y))
        sgd.clear_grad()
        loss.backward()
        sgd.step()
        return float(loss)

    return step


def main() -> None:
    """Train and print."""
    workload, mode, steps = sys.argv[1], sys.argv[2], int(sys.argv[3])
    paddle.set_device("cpu")
    paddle.seed(1)
    rank, count = paddle.distributed.get_rank(), paddle.distributed.get_world_size()
    numbers = np.random.RandomState(0)
    batch = numbers.rand(128, 1024) if workload == "mlp" else numbers.rand(128, 3, 32, 32)
    rows = slice(rank * 128 // count, (rank + 1) * 128 // count)
    x, y = batch.astype("float32")[rows], numbers.randint(0, 10, (128, 1))[rows]
    step = static_step(workload, x, y) if mode == "static" else eager_step(workload, x, y)
    took = []
    for _ in range(steps):
        start = time.perf_counter()
        value = step()
        took.append(time.perf_counter() - start)
    if rank == 0:
        print(json.dumps({"median_ms": statistics.median(took[3:]) * 1e3, "loss": value}))


if __name__ == "__main__":
    import paddle

    main()
