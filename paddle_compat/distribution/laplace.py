"""The Laplace distribution."""

from __future__ import annotations

from numbers import Real
from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.autograd._modes import no_grad
from paddle_compat.core.errors import type_error
from paddle_compat.distribution.distribution import Distribution, is_tensor, real_tensors, sample_shape
from paddle_compat.framework.dtype import finfo

__all__ = ["Laplace"]


class Laplace(Distribution):
    """The Laplace distribution.

    Args:
        loc: the mean: a number or a tensor.
        scale: the mean distance from it.
    Raises:
        TypeError: a parameter is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> float(paddle.distribution.Laplace(0.0, 1.0).log_prob(0.5)) < 0
        True

    Follows Paddle 2.6.
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        self.loc, self.scale = real_tensors("Laplace", loc=loc, scale=scale, alike=False)
        super().__init__(self.loc.shape)

    @property
    def mean(self) -> Any:
        """The expected value."""
        return self.loc

    @property
    def stddev(self) -> Any:
        """The square root of the variance."""
        return 2**0.5 * self.scale

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean."""
        return self.stddev.pow(2)

    def _value(self, value: Any, api: str) -> Any:
        if isinstance(value, Real):
            return T.full([], value, self.scale.dtype)
        if not is_tensor(value):
            raise type_error("value", "a number or a tensor", value, api)
        return value if value.dtype == self.scale.dtype else T.cast(value, self.scale.dtype)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at values."""
        value = self._value(value, "Laplace.log_prob")
        return -T.log(2 * self.scale) - T.abs(value - self.loc) / self.scale

    def entropy(self) -> Any:
        """The expected negative logarithm of the density."""
        return 1 + T.log(2 * self.scale)

    def cdf(self, value: Any) -> Any:
        """The chance of numbers up to values.

        Args:
            value: a number or a tensor.
        Returns:
            A tensor.
        Raises:
            TypeError: `value` is neither.

        Example:
            >>> import paddle_compat as paddle
            >>> float(paddle.distribution.Laplace(0.0, 1.0).cdf(0.0))
            0.5

        Follows Paddle 2.6.
        """
        distance = self._value(value, "Laplace.cdf") - self.loc
        return 0.5 - 0.5 * distance.sign() * T.expm1(-distance.abs() / self.scale)

    def icdf(self, value: Any) -> Any:
        """The numbers up to which chances lie.

        Args:
            value: a number or a tensor, from 0 to 1.
        Returns:
            A tensor.
        Raises:
            TypeError: `value` is neither.

        Example:
            >>> import paddle_compat as paddle
            >>> float(paddle.distribution.Laplace(0.0, 1.0).icdf(0.5))
            0.0

        Follows Paddle 2.6.
        """
        half = self._value(value, "Laplace.icdf") - 0.5
        return self.loc - self.scale * half.sign() * T.log1p(-2 * half.abs())

    def sample(self, shape: Any = ()) -> Any:
        """Values by chance."""
        with no_grad():
            return self.rsample(shape)

    def rsample(self, shape: Any = ()) -> Any:
        """Values by chance that can be differentiated by the parameters."""
        sizes = list(self._extend_shape(sample_shape(shape, "Laplace.rsample")))
        eps = finfo(self.loc.dtype).eps
        noise = T.uniform(sizes, self.loc.dtype, -1.0 + eps / 2, 1.0 - eps / 2)
        return self.loc - self.scale * noise.sign() * T.log1p(-noise.abs())

    def kl_divergence(self, other: Any) -> Any:
        """The Kullback-Leibler divergence from another Laplace distribution."""
        ratio, distance = self.scale / other.scale, T.abs(self.loc - other.loc)
        return distance / other.scale + ratio * T.exp(-distance / self.scale) - T.log(ratio) - 1


__getattr__ = missing(__name__)
