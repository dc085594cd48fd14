"""A Tensor in static mode and a Variable in eager mode are refused, by the exception that each mode has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import paddle_compat as paddle
import paddle_compat.nn.functional as F
from paddle_compat.core import mode

CALLS: dict[str, Callable[[Any], Any]] = {
    "add": lambda x: paddle.add(x, x),
    "matmul": lambda x: paddle.matmul(x, x),
    "reshape": lambda x: paddle.reshape(x, [4]),
    "concat": lambda x: paddle.concat([x, x]),
    "mean": paddle.mean,
    "cast": lambda x: paddle.cast(x, "float64"),
    "relu": F.relu,
    "softmax": F.softmax,
    "cross_entropy": lambda x: F.cross_entropy(x, x, soft_label=True),
    "linear": lambda x: F.linear(x, x),
}


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """The mode as it was."""
    former = mode.set_static(False)
    yield
    mode.set_static(former)


@pytest.mark.parametrize("name", CALLS)
def test_tensor_in_static_mode(name: str) -> None:
    x = paddle.ones([2, 2])
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program()), pytest.raises(TypeError, match=r"Expected .*Variable.*Received: Tensor"):
        CALLS[name](x)


@pytest.mark.parametrize("name", CALLS)
def test_variable_in_eager_mode(name: str) -> None:
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program()):
        x = paddle.static.data("x", [2, 2])
        paddle.disable_static()
        with pytest.raises(ValueError, match=r"Expected .*Tensor.*eager mode.*Received"):
            CALLS[name](x)


def test_together() -> None:
    value = paddle.ones([2, 2])
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program()):
        x = paddle.static.data("x", [2, 2])
        for call in (lambda: x + value, lambda: value * x, lambda: paddle.concat([x, value]), lambda: paddle.add(value, x)):
            with pytest.raises(TypeError, match="Received: Tensor"):
                call()
