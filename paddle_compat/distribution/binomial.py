"""The binomial distribution."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.autograd._modes import no_grad
from paddle_compat.core.dtype import default, dtype_name
from paddle_compat.distribution.distribution import Distribution, kind_of, same_shapes, sample_shape
from paddle_compat.framework.dtype import finfo

__all__ = ["Binomial"]


class Binomial(Distribution):
    """The binomial distribution, of how many trials succeed.

    Args:
        total_count: how many trials: an int or a tensor.
        probs: the chance of success: a float or a tensor of floats.

    Example:
        >>> import paddle_compat as paddle
        >>> float(paddle.distribution.Binomial(4, 0.5).prob(paddle.to_tensor(2.0)))
        0.375

    Follows Paddle 3.3.
    """

    probs: Any  # the chances; they hide the method

    def __init__(self, total_count: Any, probs: Any) -> None:
        chances = T.to_tensor(probs, dtype=dtype_name(default())) if isinstance(probs, float) else probs
        self.dtype = kind_of(chances)
        count = T.to_tensor(total_count, dtype=self.dtype) if isinstance(total_count, int) else T.cast(total_count, self.dtype)
        self.total_count, self.probs = same_shapes(count, chances)
        super().__init__(self.total_count.shape)

    @property
    def mean(self) -> Any:
        """The expected value."""
        return self.total_count * self.probs

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean."""
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, shape: Any = ()) -> Any:
        """Counts by chance."""
        sizes = list(self._extend_shape(sample_shape(shape, "Binomial.sample")))
        with no_grad():
            counts = T.binomial(T.cast(T.expand(self.total_count, sizes), "int32"), T.expand(self.probs, sizes))
            return T.cast(counts, self.dtype)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the chance of counts."""
        value, eps = T.cast(value, self.dtype), finfo(self.probs.dtype).eps
        fails, chances = self.total_count - value, T.clip(self.probs, eps, 1 - eps)
        ways = T.lgamma(self.total_count + 1.0) - T.lgamma(fails + 1.0) - T.lgamma(value + 1.0)
        return T.nan_to_num(ways + value * T.log(chances) + fails * T.log(1 - chances), neginf=-eps)

    def prob(self, value: Any) -> Any:
        """The chance of counts."""
        return T.exp(self.log_prob(value))

    def _support(self) -> Any:
        """All counts, in front of the batch."""
        return T.arange(0, 1 + T.max(self.total_count), dtype=self.dtype).reshape([-1] + [1] * len(self.batch_shape))

    def entropy(self) -> Any:
        """The expected negative logarithm of the chance."""
        logs = self.log_prob(self._support())
        return -(T.exp(logs) * logs).sum(0)

    def kl_divergence(self, other: Any) -> Any:
        """The divergence from another binomial distribution of as many trials."""
        counts = self._support()
        logs = self.log_prob(counts)
        return (T.exp(logs) * (logs - other.log_prob(counts))).sum(0)


__getattr__ = missing(__name__)
