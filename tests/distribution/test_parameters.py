"""What parameters distributions take, and what becomes of them: figures of 2.6.2, or of 3.3.1 where that is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import distribution as d


@pytest.mark.parametrize("df", [[2.0, 3.0], (2.0, 3.0), np.array([2.0, 3.0])])
def test_students_t_takes_lists_and_arrays(df: Any) -> None:
    made = d.StudentT(df, 0.0, 1.0)
    assert made.df.dtype == paddle.float32 and made.loc.shape == [2]
    np.testing.assert_allclose(made.log_prob(paddle.to_tensor([0.3, 2.7])), [-1.10575, -3.46601], rtol=1e-5)  # 3.3.1


def test_students_t_takes_the_type_of_its_tensors() -> None:
    made = d.StudentT(2.0, paddle.to_tensor([0.0, 1.0], "float64"), [1.0, 2.0])
    assert [t.dtype for t in (made.df, made.loc, made.scale)] == [paddle.float64] * 3  # 3.3.1
    with pytest.raises(TypeError, match="must be a float, list"):
        d.StudentT("a", 0.0, 1.0)


def test_arrays_of_doubles_are_single_precision() -> None:
    """By 3.3.1, for these only: normal and uniform numbers keep an array's type."""
    doubles = np.array([2.0, 3.0])
    made = [d.Exponential(doubles).rate, d.Chi2(doubles).df, d.Gamma(doubles, doubles).rate]
    assert [t.dtype for t in made] == [paddle.float32] * 3
    assert d.Normal(doubles, doubles).loc.dtype == paddle.float64


def test_laplace_of_two_data_types() -> None:
    loc = paddle.to_tensor([1.0, 2.0], "float64", stop_gradient=False)
    made = d.Laplace(loc, paddle.to_tensor([[0.5], [2.0]]))
    assert made.loc is loc and made.scale.shape == [2, 1] and made.batch_shape == (2,)
    np.testing.assert_allclose(made.entropy(), [[1.0], [2.38629]], rtol=1e-5)
    paddle.seed(1)
    np.testing.assert_allclose(made.sample([2]), [[-0.66557, 2.37735], [1.86808, -2.76301]], rtol=1e-5)


def test_a_normal_distribution_around_integers_looks_at_integers() -> None:
    made = d.Normal(paddle.to_tensor([1, 2, 3]), paddle.to_tensor([1.0, 2.0, 0.5]))
    values = paddle.to_tensor([0.3, 2.7, 1.5])
    np.testing.assert_allclose(made.log_prob(values), [-1.41894, -1.61209, -8.22579], rtol=1e-5)
    np.testing.assert_allclose(made.probs(values), [0.24197, 0.19947, 0.00027], atol=1e-5)


def test_divergence_of_dirichlet_distributions_of_different_shapes() -> None:
    """One concentration is subtracted from each of the others, and stands alone in their sum."""
    many, one = d.Dirichlet(paddle.to_tensor([1.0, 2.0, 3.0])), d.Dirichlet(paddle.to_tensor([0.5]))
    np.testing.assert_allclose(d.kl_divergence(many, one), 0.21407, rtol=1e-4)
    np.testing.assert_allclose(d.kl_divergence(one, many), -5.23907, rtol=1e-5)


def test_transforms_of_whole_events_pass_gradients_to_the_base() -> None:
    rate = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    made = d.TransformedDistribution(d.Gamma(paddle.to_tensor([2.0, 3.0]), rate), [d.StickBreakingTransform()])
    drawn = made.rsample([2])
    assert made.batch_shape == () and made.event_shape == (3,) and drawn.shape == [2, 3]
    drawn[:, 0].sum().backward()
    assert float(abs(rate.grad).sum()) > 0


def test_factors_of_pairs_by_vines() -> None:
    paddle.seed(4)
    drawn = d.LKJCholesky(2, paddle.to_tensor([1.0, 2.0]), "cvine").sample([])
    np.testing.assert_allclose(drawn, [[[1, 0], [0.14988, 0.9887]], [[1, 0], [-0.85646, 0.51622]]], atol=1e-5)  # 3.3.1
    assert d.LKJCholesky(2, 1.0, "cvine").sample([3, 2]).shape == [3, 2, 2, 2]


def test_tensors_of_two_types_have_no_common_shape() -> None:
    """A ValueError of the kernel's in eager mode, a TypeError while recording."""
    for kind in (TypeError, ValueError):
        with pytest.raises(kind, match=r"float32.*int64"):
            paddle.broadcast_tensors([paddle.to_tensor([1.0]), paddle.to_tensor([1, 2])])
