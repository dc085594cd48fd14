"""Functions that write to views, or to what views show, give under `to_static` what eager mode gives."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle


def _row(x: Any) -> Any:
    x[0][1] = 7.0
    return x * 1


def _detached(x: Any) -> Any:
    y = x.detach()
    y.scale_(2.0)
    return x + y


def _flattened(x: Any) -> Any:
    y = x.flatten()
    y.add_(paddle.ones([6]))
    return x * 2


def _behind(x: Any) -> Any:
    x = x + 1
    y = x.t()
    x.scale_(3.0)
    return y


def _in_a_branch(x: Any) -> Any:
    y = x.unsqueeze(0)
    if x.sum() > 0:
        y.scale_(2.0)
    return x * 1


def _in_a_loop(x: Any) -> Any:
    y, total = x[1], x[0] * 0
    for _ in range(paddle.to_tensor(3)):
        total = total + x[1]
        y.scale_(2.0)
    return total


def _two_views(x: Any) -> Any:
    a, b = x.unbind(0)
    c = x[0]
    a.add_(b)
    return c


VIEWS = [_row, _detached, _flattened, _behind, _in_a_branch, _in_a_loop, _two_views]
VALUES = np.array([[0.5, -1, 2], [3, 4, -5]], "float32")


def _called(function: Callable[[Any], Any]) -> Any:
    return function(paddle.to_tensor(VALUES) * 1)


@pytest.mark.parametrize("function", VIEWS)
def test_views(function: Callable[[Any], Any]) -> None:
    with pytest.warns(UserWarning, match="a view of"):
        found = _called(paddle.jit.to_static(function))
    np.testing.assert_array_equal(found.numpy(), _called(function).numpy())


def test_arguments_are_seen_by_the_caller() -> None:
    def write(x: Any) -> Any:
        y = x.reshape([6])
        y[0] = 9.0
        return y

    x = paddle.to_tensor(VALUES)
    with pytest.warns(UserWarning, match="a view of"):
        paddle.jit.to_static(write)(x)
    assert float(x[0, 0]) == 9


def _last(x: Any) -> Any:
    y = (x * 2).reshape([6])
    y[0] = 9.0
    y.scale_(2.0)
    return y


def _copied(x: Any) -> Any:
    y = x[0].clone()
    y.scale_(2.0)
    return x + y


def _made_anew(x: Any) -> Any:
    z = x * 2
    y = z[0]
    z = x * 3
    y.scale_(2.0)
    return z + y


@pytest.mark.parametrize("function", [_last, _copied, _made_anew])
def test_what_nobody_sees_is_recorded(function: Callable[[Any], Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = _called(paddle.jit.to_static(function))
    np.testing.assert_array_equal(found.numpy(), _called(function).numpy())


@pytest.mark.parametrize("start", [lambda x: paddle.zeros([2, 3]), paddle.zeros_like])
def test_gradients_of_what_is_assigned(start: Callable[[Any], Any]) -> None:
    """As 2.6.2 and 3.3.1 have them, in eager mode and under `to_static`."""

    def assigned(x: Any) -> Any:
        y = start(x)
        paddle.assign(x * 3, output=y)
        return y * 2

    x = paddle.to_tensor(VALUES, stop_gradient=False)
    paddle.jit.to_static(assigned)(x).sum().backward()
    assert x.grad.unique().tolist() == [6]


def _filled(x: Any) -> Any:
    y = paddle.zeros([2, 3])
    for i in range(2):
        y[i] = x[i] * (i + 1)
    return y * y


def _filled_by_a_loop(x: Any) -> Any:
    y = paddle.zeros([2, 3])
    for i in range(paddle.to_tensor(2)):
        y[i] = x[i] * (i + 1)
    return y * y


def _filled_by_a_branch(x: Any) -> Any:
    y = paddle.zeros([2, 3])
    if x.sum() > 0:
        y[0] = x[0] * 2
    return y * y


@pytest.mark.parametrize("function", [_filled, _filled_by_a_loop, _filled_by_a_branch])
def test_gradients_of_zeros_that_are_filled(function: Callable[[Any], Any]) -> None:
    grads = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for called in (function, paddle.jit.to_static(function)):
            x = paddle.to_tensor(VALUES, stop_gradient=False)
            called(x).sum().backward()
            grads.append(x.grad.tolist())
    assert grads[0] == grads[1]
