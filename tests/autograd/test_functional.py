"""Gradients of Variables that stop gradients, and what matrices of derivatives compute when."""

from __future__ import annotations

import numpy as np

import paddle_compat as paddle


def test_forward_gradients_go_through_what_stops_gradients() -> None:
    paddle.enable_static()
    functional = paddle.incubate.autograd
    functional.enable_prim()
    try:
        x = paddle.static.data("x", [3])
        y = x * x
        change = functional.forward_grad(y, x)
        assert x.stop_gradient and y.stop_gradient
        (got,) = paddle.static.Executor().run(feed={"x": np.arange(3, dtype="float32")}, fetch_list=[change])
        assert got.tolist() == [0.0, 2.0, 4.0]
    finally:
        functional.disable_prim()


def test_elementary_operators_have_gradients_for_what_stops_gradients() -> None:
    """Without `enable_prim` there are none. The figures are those of Paddle 2.6.2."""
    paddle.enable_static()
    functional = paddle.incubate.autograd
    x, w = paddle.static.data("x", [2]), paddle.static.data("w", [2])
    y = x * x * x * w
    assert functional.grad(y, x) == []
    functional.enable_prim()
    try:
        first = functional.grad(y, x)
        second, mixed = functional.grad(first, [x, w])
        found = [first, second, mixed, functional.grad(second, x)]
        feed = {"x": np.array([2, 3], "float32"), "w": np.array([1, 2], "float32")}
        got = paddle.static.Executor().run(feed=feed, fetch_list=found)
    finally:
        functional.disable_prim()
    assert x.stop_gradient and y.stop_gradient
    assert [row.tolist() for row in got] == [[12, 54], [12, 36], [12, 27], [6, 12]]


def test_rows_are_computed_when_they_are_asked_for() -> None:
    x = paddle.to_tensor(np.arange(4, dtype="float32"), stop_gradient=False)
    y = x * x
    passes: list[int] = []
    y.register_hook(lambda grad: passes.append(1))
    matrix = paddle.autograd.jacobian(y, x)
    assert not passes
    assert matrix[2].tolist() == [0.0, 0.0, 4.0, 0.0] and len(passes) == 1
    assert float(matrix[2, 2]) == 4.0 and len(passes) == 1
    assert matrix[:].shape == [4, 4] and len(passes) == 4
    assert matrix[:, 1].tolist() == [0.0, 2.0, 0.0, 0.0] and len(passes) == 4
