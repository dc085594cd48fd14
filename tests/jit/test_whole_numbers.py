"""Integers in recorded functions and in Programs hand gradients on, as in eager mode. All figures are those of Paddle 2.6.2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle


def made_whole(x: Any) -> Any:
    return paddle.to_tensor([3, 2]) * x


def made_whole_and_counted_with(x: Any) -> Any:
    whole = (x * 2).astype("int64")
    return (whole + 1).astype("float32") * paddle.to_tensor([1.5, 4.0])


def cut_off(x: Any) -> Any:
    return (x > 1).astype("int64") * 2


def squared(x: Any) -> Any:
    return (x * x).astype("float32") * 2


def _ends(function: Callable[[Any], Any], values: list[Any]) -> list[Any]:
    x = paddle.to_tensor(values, stop_gradient=False)
    out = function(x)
    if not out.stop_gradient:
        out.astype("float32").sum().backward()
    return [out.tolist(), str(out.dtype), out.stop_gradient, x.grad if x.grad is None else x.grad.tolist()]


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(
    ("function", "values", "expected"),
    [
        (made_whole, [1.5, -2.5], [[3, -4], "paddle.int64", False, [3.0, 2.0]]),
        (made_whole_and_counted_with, [1.5, -2.5], [[6.0, -16.0], "paddle.float32", False, [2.0, 8.0]]),
        (cut_off, [1.5, -2.5], [[2, 0], "paddle.int64", True, None]),
        (squared, [1, 2], [[2.0, 8.0], "paddle.float32", False, [4, 8]]),
    ],
)
def test_gradients(function: Callable[[Any], Any], values: list[Any], expected: list[Any], whole: bool) -> None:
    assert _ends(paddle.jit.to_static(function, full_graph=whole), values) == expected
    if function is not made_whole_and_counted_with and function is not squared:
        assert _ends(function, values) == expected


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (lambda x, i: x.astype("int64").astype("float32"), [1.0, 4.0, 2.0]),
        (lambda x, i: (x.astype("int64") * i).astype("float32"), [3.0, 24.0, 18.0]),
        (lambda x, i: (i * x).astype("float32"), [3.0, 24.0, 18.0]),
        (lambda x, i: (x > 0).astype("int64").astype("float32") * x, [1.5, 0.0, 2.5]),
    ],
)
def test_gradients_of_programs(made: Callable[[Any, Any], Any], expected: list[float]) -> None:
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        x, i = paddle.static.data("x", [3], "float32"), paddle.static.data("i", [3], "int64")
        x.stop_gradient = False
        paddle.static.append_backward(paddle.sum(made(x, i) * paddle.assign(np.array([1.5, 4.0, 2.5], "float32"))))
        feed = {"x": np.array([1.5, -2.5, 3.0], "float32"), "i": np.array([3, 6, 9])}
        found = paddle.static.Executor().run(feed=feed, fetch_list=["x@GRAD"])
    assert found[0].tolist() == expected
