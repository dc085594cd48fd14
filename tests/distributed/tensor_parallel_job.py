"""What each worker tells of a Program whose layers lie on two workers: tests/distributed/test_tensor_parallel.py starts it."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import numpy as np
import paddle
from paddle.distributed import fleet
from paddle.nn.functional import square_error_cost
from paddle.nn.initializer import Assign, Constant

RANK, SIZE = int(os.environ["PADDLE_TRAINER_ID"]), int(os.environ["PADDLE_TRAINERS_NUM"])
DEGREE, IN, OUT, WORDS = 2, 8, 6, 12
PART, SHARE = RANK % DEGREE, RANK // DEGREE  # which part of the model, and which share of the data


def given(array: Any) -> Any:
    return paddle.ParamAttr(initializer=Assign(array))


def losses(kind: str, alone: bool) -> list[float]:
    """Of steps on two workers' parts, or on the whole in one process."""
    weight = np.random.RandomState(1).rand(WORDS if kind == "embedding" else IN, OUT).astype("float32")
    main, startup = paddle.static.Program(), paddle.static.Program()
    with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        y = paddle.static.data("y", [None, 1])
        x = paddle.static.data("x", [None], "int64") if kind == "embedding" else paddle.static.data("x", [None, IN])
        if alone and kind == "embedding":
            hidden = paddle.static.nn.embedding(x, weight.shape, param_attr=given(weight))
        elif alone:
            hidden = paddle.static.nn.fc(x, OUT, weight_attr=given(weight))
        else:
            axis = 1 if kind == "columns" else 0
            part = given(np.split(weight, DEGREE, axis)[PART])
            operation = "embedding" if kind == "embedding" else "linear"
            hidden = paddle.distributed.split(x, weight.shape, operation, axis, DEGREE, weight_attr=part)
        out = paddle.static.nn.fc(hidden, 1, weight_attr=paddle.ParamAttr(initializer=Constant(0.1 if alone else 0.1 - RANK)))
        loss = paddle.mean(square_error_cost(out, y))
        optimizer = paddle.optimizer.Momentum(0.01)
        if not alone:
            strategy = fleet.DistributedStrategy()
            strategy.tensor_parallel = True
            strategy.tensor_parallel_configs = {"tensor_parallel_degree": DEGREE}
            optimizer = fleet.distributed_optimizer(optimizer, strategy)
        optimizer.minimize(loss)
    told, run = [], paddle.static.Executor(paddle.CPUPlace())
    with paddle.static.scope_guard(paddle.static.Scope()):
        run.run(startup)
        for step in range(4):
            draw = np.random.RandomState(step)
            feed = {"y": draw.rand(4, 1), "x": draw.randint(0, WORDS, [4]) if kind == "embedding" else draw.rand(4, IN)}
            feed = {name: value if value.dtype == np.int64 else value.astype("float32") for name, value in feed.items()}
            if not alone and SIZE > DEGREE:
                feed = {name: np.split(value, SIZE // DEGREE)[SHARE] for name, value in feed.items()}
            told.append(float(run.run(main, feed=feed, fetch_list=[loss])[0]))
    return told


paddle.enable_static()
fleet.init(is_collective=True)
print(json.dumps({kind: [losses(kind, alone) for alone in (False, True)] for kind in sys.argv[1:]}))
