"""One of four processes of which the last dies, fails, ends or stops in the middle: `kills.py WAY KIND`, with a folder to work in."""

import os
import signal
import sys
import time
from pathlib import Path

import numpy as np
import paddle
import paddle.distributed as dist

WAY, KIND = sys.argv[1:]
RANK = int(os.environ["PADDLE_TRAINER_ID"])
VICTIM = 3


def misbehave():
    """What only the last process does."""
    if RANK == VICTIM:
        if WAY == "raises":
            raise KeyError("nobody")
        if WAY == "ends":
            sys.exit()
        os.kill(os.getpid(), signal.SIGSTOP if WAY == "stops" else signal.SIGKILL)


def static():
    """A step of fleet's trainer."""
    paddle.enable_static()
    loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 3))
    dist.fleet.init(is_collective=True)
    dist.init_parallel_env()
    if WAY == "dies at startup":
        misbehave()
    dist.fleet.distributed_optimizer(paddle.optimizer.Momentum(0.1)).minimize(loss)
    exe = paddle.static.Executor(paddle.CPUPlace())
    exe.run(paddle.static.default_startup_program())
    return lambda: exe.run(feed={"x": np.ones((2, 4), "float32")}, fetch_list=[loss])


def eager():
    """A step of a DataParallel model."""
    dist.init_parallel_env()
    model = paddle.DataParallel(paddle.nn.Linear(4, 4))
    optimizer = paddle.optimizer.Adam(parameters=model.parameters())

    def step():
        model(paddle.ones([2, 4])).sum().backward()
        optimizer.step()
        optimizer.clear_grad()

    return step


def calls():
    """Two collective calls."""
    dist.init_parallel_env()
    return lambda: (dist.all_reduce(paddle.ones([10])), dist.broadcast(paddle.ones([10]), 0))


Path(str(RANK)).write_text(str(os.getpid()))
begun = time.monotonic()
try:
    step = {"static": static, "eager": eager, "calls": calls}[KIND]()
    for number in range(4):
        if number == 2:
            misbehave()
        step()
except Exception as error:
    print(type(error).__name__, list(getattr(error, "processes", ())), error, flush=True)
    print(f"after {time.monotonic() - begun:.0f} s", flush=True)
    if WAY == "stops" and RANK == 0:
        time.sleep(3)  # the others ask it, too
        os.kill(int(Path(str(VICTIM)).read_text()), signal.SIGKILL)
    if WAY == "raises":
        raise
    sys.exit(3)
