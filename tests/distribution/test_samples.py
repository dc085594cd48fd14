"""What samples look like: their sizes and data types."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import distribution as d


@pytest.mark.parametrize(
    "kind", [d.Uniform(0.0, 1.0), d.Gumbel(0.0, 1.0), d.Cauchy(0.0, 1.0), d.Bernoulli(0.3), d.Laplace(0.0, 1.0), d.LKJCholesky(3, 1.0)]
)
def test_no_sizes(kind: d.Distribution) -> None:
    assert list(kind.sample().shape) == list(kind.event_shape)
    if not isinstance(kind, (d.Uniform, d.LKJCholesky)):
        assert list(kind.rsample().shape) == []


def test_geometric_numbers_are_drawn_in_the_precision_of_their_chances() -> None:
    paddle.seed(3)
    drawn = d.Geometric(paddle.to_tensor([1e-6, 0.5, 0.9], dtype="float64")).rsample((100000,)).numpy()[:5]
    assert drawn.dtype == "float64"
    recorded = [[1194231.0, 0.0, 0.0], [486693.0, 1.0, 0.0], [380480.0, 0.0, 0.0], [6760053.0, 1.0, 0.0], [292057.0, 0.0, 0.0]]
    np.testing.assert_array_equal(drawn, recorded)  # by 2.6.2


def test_factors_name_their_sizes() -> None:
    assert list(d.LKJCholesky(3, 1.0).sample(sample_shape=(2,)).shape) == [2, 3, 3]


def test_weights_by_chance_are_refused_in_half_precision() -> None:
    """No kernel of Paddle draws them on a CPU."""
    half = paddle.to_tensor([[-0.3, 0.5], [1e-6, 2.0]], dtype="float16")
    for kind in (d.Dirichlet(half), d.Beta(half, half)):
        with pytest.raises(RuntimeError, match="float32, float64.*float16"):
            kind.sample([2])
