"""The distribution of values whose logarithm is normal."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.distribution.normal import Normal
from paddle_compat.distribution.transform import ExpTransform
from paddle_compat.distribution.transformed_distribution import TransformedDistribution

__all__ = ["LogNormal"]


class LogNormal(TransformedDistribution):
    """Values whose logarithm is normal.

    Args:
        loc: the mean of the logarithm: a number, list, array or tensor.
        scale: its standard deviation.
    Raises:
        TypeError: a parameter is none of these.
        ValueError: one parameter is a tensor and the other is not.

    Example:
        >>> import paddle_compat as paddle
        >>> round(float(paddle.distribution.LogNormal(0.0, 1.0).mean), 4)
        1.6487

    Follows Paddle 2.6.
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        self._base: Normal = Normal(loc, scale)
        self.loc, self.scale = self._base.loc, self._base.scale
        super().__init__(self._base, [ExpTransform()])

    @property
    def mean(self) -> Any:
        """The expected value."""
        return T.exp(self._base.mean + self._base.variance / 2)

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean."""
        return T.expm1(self._base.variance) * T.exp(2 * self._base.mean + self._base.variance)

    def entropy(self) -> Any:
        """The expected negative logarithm of the density."""
        return self._base.entropy() + self._base.mean

    def probs(self, value: Any) -> Any:
        """The density at values."""
        return T.exp(self.log_prob(value))

    def kl_divergence(self, other: Any) -> Any:
        """The Kullback-Leibler divergence from another such distribution."""
        return self._base.kl_divergence(other._base)


__getattr__ = missing(__name__)
