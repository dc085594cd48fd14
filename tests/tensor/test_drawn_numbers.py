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


def test_gaussian_takes_a_seed_of_its_own() -> None:
    paddle.seed(3)
    np.testing.assert_allclose(
        paddle.tensor.random.gaussian_(paddle.zeros([3]), 1.0, 2.0).numpy(), [3.0334878, -1.6615858, 2.541986], rtol=2e-6
    )
    x = paddle.zeros([3])
    assert paddle.tensor.random.gaussian_(x, seed=5) is x
    np.testing.assert_allclose(x.numpy(), [-0.22414042, 0.08405284, 0.70485753], rtol=2e-6)


@pytest.mark.parametrize(
    ("p", "threshold", "expected"),
    [
        (0.3, None, [1.0, 0.0, 0.0, 0.0]),
        (0.75, None, [5 / 9, 2 / 9, 2 / 9, 0.0]),
        (1.0, None, [0.5, 0.2, 0.2, 0.1]),
        (1.0, 0.15, [5 / 9, 2 / 9, 2 / 9, 0.0]),
        (0.0, 0.9, [1.0, 0.0, 0.0, 0.0]),  # the likeliest always counts
    ],
)
def test_top_p_sampling_draws_from_the_likeliest(p: float, threshold: float | None, expected: list[float]) -> None:
    paddle.seed(3)
    chances = np.array([0.2, 0.5, 0.1, 0.2], "float32")
    limit = None if threshold is None else paddle.full([4000], threshold)
    found, places = paddle.to_tensor(np.tile(chances, (4000, 1))).top_p_sampling(paddle.full([4000, 1], p), limit)
    assert found.shape == places.shape == [4000, 1] and str(places.dtype) == "paddle.int64"
    np.testing.assert_array_equal(found.numpy(), chances[places.numpy()])
    shares = np.bincount(places.numpy().ravel(), minlength=4) / 4000
    np.testing.assert_allclose(shares[[1, 0, 3, 2]], expected, atol=0.03)


def test_top_p_sampling_repeats_with_a_seed() -> None:
    x, p = paddle.full([5, 9], 1 / 9), paddle.full([5], 1.0)
    first, second = (paddle.tensor.top_p_sampling(x, p, seed=4)[1].tolist() for _ in range(2))
    assert first == second
    with pytest.raises(NotImplementedError, match="seed"):
        paddle.tensor.top_p_sampling(x, p, seed=paddle.ones([5]))
    with pytest.raises(ValueError, match="two dimensions"):
        paddle.tensor.top_p_sampling(x[0], p)
