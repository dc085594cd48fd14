"""Results and windows that are written over before the backward pass; figures by 2.6.2 and 3.3.1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
import paddle_compat.nn.functional as F

DATA = [[-0.5, 0.3], [0.2, 0.7]]


@pytest.mark.parametrize(
    ("function", "row", "slope"),
    [
        (F.relu_, [0.0, 0.3], [0.0, 0.3]),
        (F.tanh_, [-0.462117, 0.291313], [-0.363431, 0.266591]),
        (F.softmax_, [0.310026, 0.689974], [-0.081284, 0.081284]),
    ],
)
@pytest.mark.parametrize("window", [lambda b: b[0], lambda b: b[0:1], lambda b: b])
def test_activations_in_place_write_to_what_a_window_is_of(
    function: Callable[..., Any], row: list[float], slope: list[float], window: Callable[..., Any]
) -> None:
    a = paddle.to_tensor(DATA, stop_gradient=False)
    b = a * 1
    seen, part = b.detach(), window(b)
    assert function(part) is part
    np.testing.assert_allclose(b[0], row, rtol=1e-4)
    np.testing.assert_allclose(seen[0], row, rtol=1e-4)
    (part * part.detach()).sum().backward()
    np.testing.assert_allclose(a.grad[0], slope, atol=1e-5)


@pytest.mark.parametrize("function", [F.relu_, F.tanh_, F.softmax_])
@pytest.mark.parametrize("through", ["window", "base"])
def test_what_they_gave_may_not_be_written_over(function: Callable[..., Any], through: str) -> None:
    b = paddle.to_tensor(DATA, stop_gradient=False) * 1
    part = b[0]
    function(part)
    written = part if through == "window" else b
    written.add_(paddle.ones_like(written))
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        part.sum().backward()


@pytest.mark.parametrize(
    ("compute", "slope"),
    [
        (lambda x, w: x**0.5, 0.707107),
        (lambda x, w: x**0, 0.0),
        (lambda x, w: 3.0**x, 1.902852),
        (lambda x, w: x**w, 1.060660),
        (lambda x, w: x.tan(), 1.298446),
    ],
)
def test_powers_and_tangents_may_be_written_over(compute: Callable[..., Any], slope: float) -> None:
    """Paddle's gradients read what they were made of."""
    x = paddle.to_tensor([0.25, 0.5], stop_gradient=False)
    made = compute(x, paddle.to_tensor([1.5, 1.5], stop_gradient=False))
    made.add_(paddle.ones_like(made))
    made[0] = 2.0
    made.sum().backward()
    np.testing.assert_allclose(x.grad, [0.0, slope], rtol=1e-5)


def test_real_numbers_are_put_into_complex_ones() -> None:
    x = paddle.to_tensor([1 + 2j, 3 - 1j])
    put = paddle.index_put(x, (paddle.to_tensor([0]),), paddle.to_tensor(0.5))
    assert put.tolist() == [0.5, 3 - 1j]


def test_a_copy_has_the_data_type() -> None:
    x = paddle.zeros([3])
    with pytest.raises(RuntimeError, match=r"float32.*float64"):
        x.copy_(paddle.ones([3], "float64"), True)
    assert x.tolist() == [0.0, 0.0, 0.0]
