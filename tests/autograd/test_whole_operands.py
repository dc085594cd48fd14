"""Floats beside integers on the left become integers, and gradients go on to them: whole numbers, as in Paddle 2.6.2."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import pytest

import paddle_compat as paddle
from paddle_compat.core import eager

# The operator, and what 2.6.2 gives: its data type, its numbers and the gradient of the floats, for int64, int32 and bool on the left.
_WEIGHTED = [
    (lambda n, x: n * x, "int64", [[0, 0], [2, -6]], [[1, 0], [3, 8]]),
    (lambda n, x: n + x, "int64", [[1, 1], [3, -1]], [[1, 2], [3, 4]]),
    (lambda n, x: n - x, "int32", [[1, -1], [-1, 5]], [[-1, -2], [-3, -4]]),
    (lambda n, x: (n * x)[:, 1], "int32", [0, -6], [[0, 0], [0, 12]]),
    (lambda n, x: (n * x).reshape([-1]).cumsum().reshape([2, 2]), "int64", [[0, 0], [2, -4]], [[10, 0], [7, 8]]),
    (lambda n, x: paddle.abs(n * x), "int64", [[0, 0], [2, 6]], [[0, 0], [3, -8]]),
    (lambda n, x: n.astype("bool") * x, "bool", [[True, False], [True, True]], [[1, 0], [1, 1]]),
    (lambda n, x: (n * x).astype("float64"), "float64", [[0, 0], [2, -6]], [[1, 0], [3, 8]]),
]  # fmt: skip


@pytest.mark.parametrize("made, kind, numbers, gradient", _WEIGHTED)
def test_gradients(made: Callable[..., Any], kind: str, numbers: Any, gradient: Any) -> None:
    x = paddle.to_tensor([[-0.5, 1.7], [2.2, -3.9]], stop_gradient=False)
    n = paddle.to_tensor([[1, 0], [1, 2]], dtype="int32" if kind == "int32" else "int64")
    y = made(n, x)
    assert (str(y.dtype), y.tolist(), y.stop_gradient) == (f"paddle.{kind}", numbers, False)
    (y.astype("float32") * paddle.to_tensor([[1.5, 2.0], [3.0, 4.0]])).sum().backward()
    assert (x.grad.dtype, x.grad.tolist()) == (paddle.float32, gradient)


def test_a_backward_pass_starts_at_what_was_made() -> None:
    x = paddle.to_tensor([[-0.5, 1.7], [2.2, -3.9]], dtype="float64", stop_gradient=False)
    (paddle.to_tensor([[1, 0], [1, 2]]) * x).sum().backward()
    assert (x.grad.dtype, x.grad.tolist()) == (paddle.float64, [[1, 0], [1, 2]])


def test_a_loss_that_weighs_logarithms_by_counts() -> None:
    """The relaxed boundaries of segmentation: counts of classes stand on the left of logarithms."""
    x = paddle.to_tensor([[0.3, -1.2, 2.0], [0.1, 0.2, -4.0]], stop_gradient=False)
    counts = paddle.to_tensor([[1, 1, 0], [0, 1, 1]])
    each = (counts * paddle.nn.functional.log_softmax(x)).sum(1)
    loss = (-1 / paddle.to_tensor([2.0, 1.0]) * each).sum()
    loss.backward()
    assert (each.tolist(), float(loss)) == ([-4, -4], 6.0)
    assert x.grad.flatten().tolist() == pytest.approx([0.0, 0.0, 0.0, 0.94262093, 0.04175735, -0.98437822], abs=1e-6)


def test_what_stops_gradients_and_what_is_left() -> None:
    x = paddle.to_tensor([0.5, 2.7], stop_gradient=False)
    n = paddle.to_tensor([2, 3])
    assert (n * x.detach()).stop_gradient and (n == x).stop_gradient and (n < x).stop_gradient
    with paddle.no_grad():
        assert (n * x).stop_gradient
    gc.collect()
    assert eager.follow is None
