"""One of two workers that infer together with weights of which each has a part, in a loop; prints what comes out."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

import paddle_compat as paddle
from paddle_compat.distributed import fleet
from paddle_compat.distributed.fleet.utils.hybrid_parallel_inference import HybridParallelInferenceHelper

WIDTH, INNER, TURNS = 4, 6, 3


def weights() -> tuple[np.ndarray, np.ndarray]:
    """The whole weights."""
    draws = np.random.RandomState(3)
    return draws.rand(WIDTH, INNER).astype("float32") / 4, draws.rand(INNER, WIDTH).astype("float32") / 4


def batch() -> np.ndarray:
    return np.random.RandomState(4).rand(2, WIDTH).astype("float32")


def part(value: np.ndarray, axis: int) -> Any:
    """This worker's part of a weight."""
    own = np.split(value, 2, axis)[fleet.worker_index()]
    return paddle.ParamAttr(initializer=paddle.nn.initializer.Assign(own))


if __name__ == "__main__":
    paddle.enable_static()
    fleet.init(is_collective=True)
    main, startup = paddle.static.Program(), paddle.static.Program()
    first, second = weights()
    with paddle.static.program_guard(main, startup), paddle.static.device_guard("gpu:all"):
        x = paddle.static.data("x", [2, WIDTH])
        turn, last = paddle.full([1], 0, "int64"), paddle.full([1], TURNS, "int64")
        going = paddle.less_than(turn, last)
        state = paddle.assign(x)
        loop = paddle.static.nn.control_flow.While(going, is_test=True)
        with loop.block():
            split = {"operation": "linear", "num_partitions": 2, "bias_attr": False}
            inner = paddle.distributed.split(state, (WIDTH, INNER), axis=1, gather_out=False, weight_attr=part(first, 1), **split)
            outer = paddle.distributed.split(inner, (INNER, WIDTH), axis=0, weight_attr=part(second, 0), **split)
            paddle.assign(outer, state)
            paddle.increment(turn)
            paddle.assign(paddle.less_than(turn, last), going)
    HybridParallelInferenceHelper(startup, main, num_mp=2, num_pp=1, micro_batch_size=2).gen_infer_program()
    executor = paddle.static.Executor(paddle.CPUPlace())
    executor.run(startup)
    (found,) = executor.run(main, feed={"x": batch()}, fetch_list=[state])
    print(json.dumps(np.asarray(found).tolist()))
