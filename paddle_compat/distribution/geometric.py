"""The geometric distribution."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.autograd._modes import no_grad
from paddle_compat.core import mode
from paddle_compat.core.errors import type_error
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.distribution.distribution import Distribution, is_tensor, real_tensors, sample_shape

__all__ = ["Geometric"]


class Geometric(Distribution):
    """How many trials fail before the first success.

    Args:
        probs: the chance of success: a number or a tensor.
    Raises:
        TypeError: `probs` is neither.
        ValueError: a chance lies outside (0, 1].

    Example:
        >>> import paddle_compat as paddle
        >>> float(paddle.distribution.Geometric(0.25).mean)
        3.0

    Follows Paddle 2.6.
    """

    probs: Any  # the chances; they hide the method

    def __init__(self, probs: Any) -> None:
        (self.probs,) = real_tensors("Geometric", probs=probs)
        if not SINCE_3 and not mode.is_static() and not bool(((self.probs > 0) & (self.probs <= 1)).all()):
            interval = "Interval(lower_bound=0.0, upper_bound=1.0)"
            raise ValueError(f"Expected parameter probs of distribution Geometric to satisfy the constraint {interval}. Received: {probs}")
        super().__init__(self.probs.shape)

    @property
    def mean(self) -> Any:
        """The expected number."""
        return 1.0 / self.probs - 1.0

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean; no gradient passes."""
        return (self.mean / self.probs).detach()

    @property
    def stddev(self) -> Any:
        """The square root of the variance."""
        return T.sqrt(self.variance)

    def _number(self, k: Any, api: str) -> Any:
        if not isinstance(k, Integral) and not is_tensor(k):
            raise type_error("k", "an int or a tensor", k, api)
        return k

    def pmf(self, k: Any) -> Any:
        """The chance of numbers.

        Args:
            k: an int or a tensor.
        Returns:
            A tensor.
        Raises:
            TypeError: `k` is neither.

        Example:
            >>> import paddle_compat as paddle
            >>> float(paddle.distribution.Geometric(0.5).pmf(1))
            0.25

        Follows Paddle 2.6.
        """
        return T.pow(1.0 - self.probs, self._number(k, "Geometric.pmf")) * self.probs

    def log_pmf(self, k: Any) -> Any:
        """The logarithm of the chance of numbers.

        Args:
            k: an int or a tensor.
        Returns:
            A tensor.
        Raises:
            TypeError: `k` is neither.

        Example:
            >>> import paddle_compat as paddle
            >>> round(float(paddle.distribution.Geometric(0.5).log_pmf(1)), 4)
            -1.3863

        Follows Paddle 2.6.
        """
        return T.log(self.pmf(k))

    def sample(self, shape: Any = ()) -> Any:
        """Numbers by chance."""
        with no_grad():
            return self.rsample(shape)

    def rsample(self, shape: Any = ()) -> Any:
        """Numbers by chance; the gradient by `probs` is zero."""
        sizes = list(self._extend_shape(sample_shape(shape, "Geometric.rsample")))
        noise = T.uniform(sizes, self.probs.dtype, float(np.finfo("float32").tiny), 1.0)
        return T.floor(T.log(noise) / T.log1p(-self.probs))

    def entropy(self) -> Any:
        """The expected negative logarithm of the chance."""
        fails = 1.0 - self.probs
        return -(fails * T.log(fails) + self.probs * T.log(self.probs)) / self.probs

    def cdf(self, k: Any) -> Any:
        """The chance of numbers up to k.

        Args:
            k: an int or a tensor.
        Returns:
            A tensor.
        Raises:
            TypeError: `k` is neither.

        Example:
            >>> import paddle_compat as paddle
            >>> float(paddle.distribution.Geometric(0.5).cdf(1))
            0.75

        Follows Paddle 2.6.
        """
        return 1.0 - T.pow(1.0 - self.probs, self._number(k, "Geometric.cdf") + 1)

    def kl_divergence(self, other: Any) -> Any:
        """The divergence of one trial from another distribution's, which is what Paddle computes."""
        if not isinstance(other, Geometric):
            raise type_error("other", "a Geometric", other, "Geometric.kl_divergence")
        p, q = self.probs, other.probs
        return p * T.log(p / q) + (1.0 - p) * T.log((1.0 - p) / (1.0 - q))


__getattr__ = missing(__name__)
