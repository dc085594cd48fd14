"""Assigning to a view of a Tensor that wants gradients: what both hold, and the gradient through the view, as in Paddle 2.6.2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle

VIEWS: dict[str, tuple[Callable[[Any], Any], list[float]]] = {
    "row": (lambda x: x[0], [9.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
    "columns": (lambda x: x[:, 1:], [0.0, 9.0, 9.0, 3.0, 4.0, 5.0]),
    "reshape": (lambda x: x.reshape([3, 2]), [9.0, 9.0, 2.0, 3.0, 4.0, 5.0]),
    "transpose": (lambda x: x.T, [9.0, 1.0, 2.0, 9.0, 4.0, 5.0]),
    "unbind": (lambda x: x.unbind(0)[0], [9.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
    "iterate": (lambda x: next(iter(x)), [9.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
    "split": (lambda x: paddle.split(x, 3, 1)[0], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),  # has memory of its own
}


@pytest.mark.parametrize("leaf", [True, False])
@pytest.mark.parametrize("name", VIEWS)
def test_what_is_written_into_a_view_shows_where_it_came_from(name: str, leaf: bool) -> None:
    paddle.disable_static()
    take, expected = VIEWS[name]
    x = paddle.arange(6, dtype="float32").reshape([2, 3])
    x.stop_gradient = False
    base = x if leaf else x * 1
    view = take(base)
    view[0] = 9.0
    assert base.numpy().ravel().tolist() == expected
    assert set(view[0].numpy().ravel().tolist()) == {9.0}
    assert view.inplace_version == 1
    (view * view).sum().backward()
    slopes = np.zeros(6, "float32")
    left = take(paddle.arange(6).reshape([2, 3]))[1:].numpy().ravel()  # which elements the view still has of its own
    slopes[left] = 2.0 * left
    assert x.grad.numpy().ravel().tolist() == slopes.tolist()


@pytest.mark.parametrize("leaf", [True, False])
@pytest.mark.parametrize("write", ["index", "function"])
def test_a_view_that_was_written_to_stays_a_view(leaf: bool, write: str) -> None:
    """As in 2.6.2 and 3.3.1: PointPillars centres the points of a window in two steps, one for each coordinate."""
    paddle.disable_static()
    x = paddle.arange(6, dtype="float32").reshape([2, 3])
    x.stop_gradient = False
    base = x if leaf else x * 1
    view = base[:, :2]
    for column, shift in ((0, 10.0), (1, 20.0)):
        if write == "index":
            view[:, column] = view[:, column] - shift
        else:
            view.subtract_(paddle.to_tensor([shift * (1 - column), shift * column]))
    assert base.numpy().tolist() == [[-10.0, -19.0, 2.0], [-7.0, -16.0, 5.0]]
    assert view.numpy().tolist() == [[-10.0, -19.0], [-7.0, -16.0]]
    assert view.inplace_version == 2
    (view * view).sum().backward()
    assert x.grad.numpy().tolist() == [[-20.0, -38.0, 0.0], [-14.0, -32.0, 0.0]]


@pytest.mark.parametrize("kind", ["float32", "complex64"])
def test_complex_numbers_written_through_a_view_are_in_no_graph_either(kind: str) -> None:
    """As in 2.6.2 and 3.3.1: the gradient passes to what made the former number, and not to the new one."""
    paddle.disable_static()
    x = paddle.to_tensor(np.arange(1, 7).reshape(2, 3).astype(kind), stop_gradient=False)
    y = paddle.to_tensor(np.asarray(7, kind), stop_gradient=False)
    z = x * 1
    z[0][1] = y
    z[1][2] = y * y
    total = (z * z).sum() if kind == "float32" else paddle.as_real(z * z).sum()
    total.backward()
    assert z.numpy().real.tolist() == [[1.0, 7.0, 3.0], [4.0, 5.0, 49.0]]
    assert x.grad.numpy().real.tolist() == [[2.0, 14.0, 6.0], [8.0, 10.0, 98.0]] and y.grad is None


@pytest.mark.parametrize("shape", [[], [3]])
def test_a_leaf_without_two_dimensions_is_turned_in_place(shape: list[int]) -> None:
    paddle.disable_static()
    x = paddle.ones(shape)
    x.stop_gradient = False
    assert x.t_() is x and paddle.t_(x) is x and x.is_leaf
    (x * 2).sum().backward()
    assert x.grad.numpy().tolist() == np.full(shape, 2.0).tolist()
