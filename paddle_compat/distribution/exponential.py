"""The exponential distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.autograd._modes import no_grad
from paddle_compat.core.errors import type_error
from paddle_compat.distribution.distribution import kind_of, sample_shape
from paddle_compat.distribution.exponential_family import ExponentialFamily

__all__ = ["Exponential"]


class Exponential(ExponentialFamily):
    """The exponential distribution, of waiting times.

    Args:
        rate: events in a unit of time: a positive float or a tensor.
    Raises:
        TypeError: `rate` is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> float(paddle.distribution.Exponential(0.5).mean)
        2.0

    Follows Paddle 3.3.
    """

    def __init__(self, rate: Any) -> None:
        (self.rate,) = self._single_parameters(rate)
        self.dtype = kind_of(self.rate)
        super().__init__(self.rate.shape)

    @property
    def mean(self) -> Any:
        """The expected value."""
        return T.reciprocal(self.rate)

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean."""
        return self.rate.pow(-2)

    def sample(self, shape: Any = ()) -> Any:
        """Times by chance."""
        with no_grad():
            return self.rsample(shape)

    def rsample(self, shape: Any = ()) -> Any:
        """Times by chance; gradients pass by `rate`."""
        sizes = list(self._extend_shape(sample_shape(shape, "Exponential.rsample")))
        return -T.log(T.uniform(sizes, self.rate.dtype, float(np.finfo("float32").tiny), 1.0)) / self.rate

    def prob(self, value: Any) -> Any:
        """The density at values."""
        return self.rate * T.exp(-self.rate * value)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at values."""
        return T.log(self.rate) - self.rate * value

    def entropy(self) -> Any:
        """The expected negative logarithm of the density."""
        return 1.0 - T.log(self.rate)

    def cdf(self, value: Any) -> Any:
        """The chance of times up to a value.

        Args:
            value: a float or a tensor.
        Returns:
            A tensor.

        Example:
            >>> import paddle_compat as paddle
            >>> round(float(paddle.distribution.Exponential(1.0).cdf(1.0)), 4)
            0.6321

        Follows Paddle 3.3.
        """
        return 1.0 - T.exp(-self.rate * value)

    def icdf(self, value: Any) -> Any:
        """The time below which times are with a chance.

        Args:
            value: a tensor of chances.
        Returns:
            A tensor.

        Example:
            >>> import paddle_compat as paddle
            >>> round(float(paddle.distribution.Exponential(1.0).icdf(paddle.to_tensor(0.5))), 4)
            0.6931

        Follows Paddle 3.3.
        """
        return -T.log1p(-value) / self.rate

    def kl_divergence(self, other: Any) -> Any:
        """The divergence from another exponential distribution."""
        if not isinstance(other, Exponential):
            raise type_error("other", "an Exponential", other, "Exponential.kl_divergence")
        ratio = other.rate / self.rate
        return ratio - 1 - T.log(ratio)

    @property
    def _natural_parameters(self) -> Any:
        return (-self.rate,)

    def _log_normalizer(self, *parameters: Any) -> Any:
        (x,) = parameters
        return -T.log(-x)


__getattr__ = missing(__name__)
