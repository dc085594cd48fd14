"""The gamma distribution."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.autograd._modes import no_grad
from paddle_compat.core.errors import type_error
from paddle_compat.distribution.distribution import kind_of, sample_shape
from paddle_compat.distribution.exponential_family import ExponentialFamily

__all__ = ["Gamma"]


class Gamma(ExponentialFamily):
    """The gamma distribution, of positive numbers.

    Args:
        concentration, rate: the parameters: positive floats, or tensors.
    Raises:
        TypeError: a parameter is neither.
        ValueError: one of them is a tensor and the other is not.

    Example:
        >>> import paddle_compat as paddle
        >>> float(paddle.distribution.Gamma(3.0, 2.0).mean)
        1.5

    Follows Paddle 3.3.
    """

    def __init__(self, concentration: Any, rate: Any) -> None:
        self.concentration, self.rate = self._single_parameters(concentration, rate)
        self.dtype = kind_of(self.concentration)
        super().__init__(self.concentration.shape)

    @property
    def mean(self) -> Any:
        """The expected value."""
        return self.concentration / self.rate

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean."""
        return self.concentration / self.rate.pow(2)

    def sample(self, shape: Any = ()) -> Any:
        """Numbers by chance."""
        with no_grad():
            return self.rsample(shape)

    def rsample(self, shape: Any = ()) -> Any:
        """Numbers by chance; gradients pass by `rate`."""
        sizes = list(self._extend_shape(sample_shape(shape, "Gamma.rsample")))
        return T.standard_gamma(T.expand(self.concentration, sizes)) / T.expand(self.rate, sizes)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at values."""
        powers = self.concentration * T.log(self.rate) + (self.concentration - 1) * T.log(value)
        return powers - self.rate * value - T.lgamma(self.concentration)

    def entropy(self) -> Any:
        """The expected negative logarithm of the density."""
        bent = T.lgamma(self.concentration) + (1.0 - self.concentration) * T.digamma(self.concentration)
        return self.concentration - T.log(self.rate) + bent

    def kl_divergence(self, other: Any) -> Any:
        """The divergence from another gamma distribution."""
        if not isinstance(other, Gamma):
            raise type_error("other", "a Gamma", other, "Gamma.kl_divergence")
        a, b = self.concentration, other.concentration
        shapes = T.lgamma(b) - T.lgamma(a) + (a - b) * T.digamma(a)
        return b * T.log(self.rate / other.rate) + shapes + (other.rate - self.rate) * (a / self.rate)

    @property
    def _natural_parameters(self) -> Any:
        return self.concentration - 1, -self.rate

    def _log_normalizer(self, *parameters: Any) -> Any:
        x, y = parameters
        return T.lgamma(x + 1) - (x + 1) * T.log(-y)


__getattr__ = missing(__name__)
