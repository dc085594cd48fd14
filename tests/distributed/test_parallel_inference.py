"""`HybridParallelInferenceHelper`: what one worker and two workers with parts of the weights infer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from distributed.parallel_inference_job import TURNS, batch, weights
from jobs import run_job

import paddle_compat as paddle
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.distributed import fleet
from paddle_compat.distributed.fleet.utils.hybrid_parallel_inference import HybridParallelInferenceHelper


def test_two_workers_infer_as_the_whole_weights_say(tmp_path: Path) -> None:
    wanted, (first, second) = batch(), weights()
    for _ in range(TURNS):
        wanted = wanted @ first @ second
    for status, text in run_job(Path(__file__).with_name("parallel_inference_job.py"), 2, folder=tmp_path):
        assert status == 0, text
        np.testing.assert_allclose(json.loads(text.splitlines()[-1]), wanted, rtol=1e-5)


def generating() -> tuple[Any, Any, Any]:
    """The Programs of a network that goes through itself five times, and what comes out."""
    main, startup = paddle.static.Program(), paddle.static.Program()
    control = paddle.static.nn.control_flow
    with paddle.static.program_guard(main, startup), paddle.static.device_guard("gpu:all"):
        step, last = paddle.full([1], 0, "int64"), paddle.full([1], 5, "int64")
        going = paddle.less_than(step, last)
        kept = paddle.tensor.array_write(paddle.static.data("x", [None, 2]), step)
        with control.While(going, is_test=True).block():
            value = paddle.tensor.array_read(kept, step)
            paddle.increment(step)
            for constant in (1.0, 2.0):
                attr = paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(constant))
                value = paddle.static.nn.fc(value, 2, weight_attr=attr, bias_attr=False)
            paddle.tensor.array_write(value, step, kept)
            paddle.assign(paddle.less_than(step, last), going)
        out = paddle.tensor.array_read(kept, step)
    return main, startup, out


@pytest.mark.parametrize("meets", [True, False])
def test_one_worker_infers_as_the_wheel(meets: bool) -> None:
    paddle.enable_static()
    fleet.init(is_collective=True)
    main, startup, out = generating()
    helper = HybridParallelInferenceHelper(startup, main, num_mp=1, num_pp=1, micro_batch_size=2, init_comm=meets)
    helper.gen_infer_program()
    rings = [(op.type, op.attr("ring_id")) for op in startup.global_block().ops if op.type.startswith("c_")]
    assert rings == ([("c_gen_nccl_id", 1), ("c_comm_init", 1)] if meets else [])  # the wheel's rings
    executor = paddle.static.Executor(paddle.CPUPlace())
    executor.run(startup)
    (found,) = executor.run(main, feed={"x": np.array([[1.0, 2.0]] * 2, "float32")}, fetch_list=[out])
    np.testing.assert_array_equal(found, np.full((2, 2), 49152.0, "float32"))  # 2.6.2's


def test_as_many_workers_as_parts() -> None:
    paddle.enable_static()
    main, startup = paddle.static.Program(), paddle.static.Program()
    with pytest.raises(AssertionError, match="product of 1, the number of workers. Received: 2"):
        HybridParallelInferenceHelper(startup, main, num_mp=2)
    with pytest.raises(UnsupportedError, match="num_pp=2"):
        HybridParallelInferenceHelper(startup, main, num_pp=2)
    with pytest.raises(AssertionError, match="Expected a Program"):
        HybridParallelInferenceHelper(startup, None)
    paddle.disable_static()
    with pytest.raises(AssertionError, match="Only static graph mode is supported"):
        HybridParallelInferenceHelper(startup, main)
