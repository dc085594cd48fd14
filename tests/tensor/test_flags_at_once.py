"""FLAGS_check_nan_inf: the operator that makes what is no number raises, or its level has it told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.core import eager


@pytest.fixture
def checked() -> Iterator[None]:
    paddle.set_flags({"FLAGS_check_nan_inf": True})
    yield
    paddle.set_flags({"FLAGS_check_nan_inf": False})


def test_operators_raise(checked: None) -> None:
    with pytest.raises(RuntimeError, match=r"NAN or INF .* `log`.*1 NaN and 0 infinite of 2"):
        paddle.log(paddle.to_tensor([-1.0, 1.0]))
    with pytest.raises(RuntimeError, match=r"NAN or INF .* `scale`.*0 NaN and 1 infinite"):
        paddle.to_tensor([1.0]) / 0
    with pytest.raises(RuntimeError, match="`elementwise_div`"):
        paddle.to_tensor([1.0]) / paddle.to_tensor([0.0])
    assert paddle.split(paddle.to_tensor([1.0, 2.0]), 2)[1].tolist() == [2.0]


def test_gradients_raise(checked: None) -> None:
    x = paddle.to_tensor([0.0, 1.0], stop_gradient=False)
    with pytest.raises(RuntimeError, match=r"`X@GRAD` of operator `sqrt_grad`.*1 infinite of 2"):
        paddle.sqrt(x).sum().backward()
    twice = paddle.to_tensor([0.0, 1.0], stop_gradient=False)
    (twice * 2.0).sum().backward()
    assert twice.grad.tolist() == [2.0, 2.0]


@pytest.mark.parametrize(("item", "value"), [(0, float("nan")), ([0, 1], float("inf")), (slice(1, 2), paddle.zeros([1]))])
def test_assignments_raise(item: Any, value: Any, checked: None) -> None:
    """2.6.2 names set_value_ where it writes a number that is none, and passes over what is finite."""
    x = paddle.zeros([3])
    if isinstance(value, paddle.Tensor):
        x[item] = value
        assert x.tolist() == [0, 0, 0]
        return
    with pytest.raises(RuntimeError, match=r"NAN or INF in output `Out` of operator `set_value`"):
        x[item] = value
    with pytest.raises(RuntimeError, match=r"NAN or INF in output `Out` of operator `assign`"):
        x.clone()


def test_levels_tell_of_programs_instead(checked: None, capsys: pytest.CaptureFixture[str]) -> None:
    """The lines of 2.6.2, which checks what is fed, too."""
    program = paddle.static.Program()
    paddle.enable_static()
    try:
        with paddle.static.program_guard(program):
            x = paddle.static.data("x", [2])
            y = paddle.exp(paddle.log(x))
        executor = paddle.static.Executor()
        with pytest.raises(RuntimeError, match="NAN or INF in output `x` of operator `feed`"):
            executor.run(program, feed={"x": np.array([1, np.nan], "float32")}, fetch_list=[y])
        for level, lines in ((1, 1), (2, 1), (3, 3)):
            paddle.set_flags({"FLAGS_check_nan_inf_level": level})
            (out,) = executor.run(program, feed={"x": np.array([0, 1], "float32")}, fetch_list=[y])
            told = capsys.readouterr().out
            assert out.tolist() == [0, 1] and told.count("[PRECISION]") == lines, told
            assert (
                "[PRECISION] [ERROR] in [device=cpu, op=log, tensor=log_0.tmp_0, dtype=fp32], numel=2, num_nan=0, num_inf=1, num_zero=1, "
                "max=0.000000e+00, min=-inf, mean=-inf\n"
            ) in told
        assert told.startswith("[PRECISION] in [device=cpu, op=feed, tensor=x, dtype=fp32], numel=2, num_zero=1, max=1.000000e+00, min=")
    finally:
        paddle.set_flags({"FLAGS_check_nan_inf_level": 0})
        paddle.disable_static()


def test_levels_tell_instead(checked: None, capsys: pytest.CaptureFixture[str]) -> None:
    one = paddle.to_tensor([1.0])
    for level, lines in ((1, 1), (2, 2), (3, 3)):
        paddle.set_flags({"FLAGS_check_nan_inf_level": level})
        try:
            assert (one / paddle.to_tensor([0.0])).tolist() == [float("inf")]
            paddle.exp(one * 12.0)
        finally:
            paddle.set_flags({"FLAGS_check_nan_inf_level": 0})
        told = capsys.readouterr().out
        assert "[PRECISION] [ERROR] in [device=cpu, op=elementwise_div" in told
        assert told.count("[PRECISION]") == lines, told


def test_watchers_stay(checked: None) -> None:
    seen: list[str] = []
    former = eager.set_watch(lambda name, args, out: seen.append(name))
    try:
        paddle.exp(paddle.to_tensor([1.0]))
        with pytest.raises(RuntimeError, match="`sqrt`"):
            paddle.sqrt(paddle.to_tensor([-1.0]))
        paddle.set_flags({"FLAGS_check_nan_inf": False})
        paddle.sqrt(paddle.to_tensor([-1.0]))
    finally:
        eager.set_watch(former)
    assert seen == ["exp", "sqrt", "sqrt"]


def test_nothing_is_checked_without_it() -> None:
    assert eager.watch is None
    assert paddle.log(paddle.to_tensor([0.0])).tolist() == [float("-inf")]
