"""The Poisson distribution."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.autograd._modes import no_grad
from paddle_compat.core.dtype import default, dtype_name
from paddle_compat.distribution.distribution import Distribution, kind_of, sample_shape
from paddle_compat.framework.dtype import finfo

__all__ = ["Poisson"]


class Poisson(Distribution):
    """The Poisson distribution, of how many events happen.

    Args:
        rate: how many are expected: a number, or a tensor of floats.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.distribution.Poisson(2.0).prob(paddle.to_tensor([2.0])).item(), 4)
        0.2707

    Follows Paddle 3.3.
    """

    def __init__(self, rate: Any) -> None:
        self.rate = T.to_tensor([rate], dtype=dtype_name(default())) if isinstance(rate, (int, float)) else rate
        self.dtype = kind_of(self.rate)
        super().__init__(self.rate.shape)

    @property
    def mean(self) -> Any:
        """The expected value."""
        return self.rate

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean."""
        return self.rate

    def sample(self, shape: Any = ()) -> Any:
        """Counts by chance."""
        with no_grad():
            return T.poisson(T.expand(self.rate, list(self._extend_shape(sample_shape(shape, "Poisson.sample")))))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the chance of counts."""
        value = T.cast(value, self.dtype)
        found = value * T.log(self.rate) - self.rate - T.lgamma(value + 1)
        return T.nan_to_num(found, neginf=-finfo(self.rate.dtype).eps)

    def prob(self, value: Any) -> Any:
        """The chance of counts."""
        return T.exp(self.log_prob(value))

    def _support(self, rate: Any, less: int = 0) -> Any:
        """The counts that matter: up to 30 standard deviations above the mean."""
        highest = T.max(rate)
        upper = T.cast(highest + 30 * T.sqrt(T.clip(highest, min=1.0)), "int32") - less
        return T.arange(0, upper, dtype=self.dtype).reshape([-1] + [1] * len(self.batch_shape))

    def entropy(self) -> Any:
        """The expected negative logarithm of the chance."""
        logs = self.log_prob(self._support(self.rate))
        return -(T.exp(logs) * logs).sum(0) * T.cast(self.rate != 0, self.dtype)

    def kl_divergence(self, other: Any) -> Any:
        """The divergence from another Poisson distribution of the same shape."""
        if self.batch_shape != other.batch_shape:
            raise ValueError(
                f"KL divergence of two poisson distributions should share the same `batch_shape`. "
                f"Received: {self.batch_shape} and {other.batch_shape}"
            )
        counts = self._support(T.maximum(self.rate, other.rate), less=1)
        logs = self.log_prob(counts)
        return (T.exp(logs) * (logs - other.log_prob(counts))).sum(0)


__getattr__ = missing(__name__)
