"""Numbers drawn for Tensors: gradients, and counts of changes in place, as in Paddle 2.6.2."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle


def test_poisson_lets_gradients_through() -> None:
    x = paddle.full([3], 2.0)
    x.stop_gradient = False
    drawn = paddle.poisson(x)
    assert not drawn.stop_gradient
    drawn.sum().backward()
    assert x.grad.tolist() == [0.0, 0.0, 0.0]


def test_exponential_is_no_change_in_place() -> None:
    x = paddle.ones([3])
    x.exponential_()
    assert x.inplace_version == 0
    x.uniform_()
    assert x.inplace_version == 1


@pytest.mark.parametrize(
    ("dtype", "settings", "expected"),
    [
        ("float32", {}, [-4.398549, 1.606347, 0.6816609, -1.0339891, -0.84465206, -2.4043131]),
        ("float32", {"loc": 1.0, "scale": 2.0}, [-7.797098, 4.212694, 2.3633218, -1.0679781, -0.6893041, -3.8086262]),
        ("float64", {"scale": 0.3}, [-1.319563839, 0.481903508, 0.204498178, -0.310196273, -0.253395570, -0.721294224]),
    ],
)
def test_cauchy_numbers_come_from_normal_ones(dtype: str, settings: dict[str, Any], expected: list[float]) -> None:
    paddle.disable_static()
    paddle.seed(5)
    x = paddle.ones([2, 3], dtype)
    assert x.cauchy_(**settings) is x and x.dtype.name == paddle.ones([1], dtype).dtype.name
    np.testing.assert_allclose(x.numpy().ravel(), expected, rtol=2e-6)
    np.testing.assert_allclose(float(paddle.rand([1])), 0.74903, atol=1e-5)
