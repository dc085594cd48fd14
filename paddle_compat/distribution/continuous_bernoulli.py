"""The continuous Bernoulli distribution."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.autograd._modes import no_grad
from paddle_compat.core.dtype import default, dtype_name
from paddle_compat.distribution.distribution import Distribution, kind_of, sample_shape
from paddle_compat.framework.dtype import finfo

__all__ = ["ContinuousBernoulli"]


class ContinuousBernoulli(Distribution):
    """The continuous Bernoulli distribution, of numbers from 0 to 1.

    Args:
        probs: its parameter: a number from 0 to 1, or a tensor of them.
        lims: between these, formulas are replaced by series, as they divide by nearly 0 there.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.distribution.ContinuousBernoulli(0.2).mean.item(), 4)
        0.388

    Follows Paddle 3.3.
    """

    probs: Any  # the parameter; it hides the method

    def __init__(self, probs: Any, lims: Sequence[float] = (0.499, 0.501)) -> None:
        given = T.to_tensor([probs], dtype=dtype_name(default())) if isinstance(probs, (int, float)) else probs
        self.dtype = kind_of(given)
        self.lims = T.to_tensor(lims, dtype=self.dtype)
        eps = finfo(given.dtype).eps
        self.probs = T.clip(given, eps, 1 - eps)
        super().__init__(self.probs.shape)

    def _apart(self) -> Any:
        """Where the parameter is far from a half."""
        return T.logical_or(self.probs <= self.lims[0], self.probs > self.lims[1])

    def _held(self) -> Any:
        """The parameter, kept away from a half."""
        return T.where(self._apart(), self.probs, self.lims[0] * T.ones_like(self.probs))

    @staticmethod
    def _logit(held: Any) -> Any:
        """Twice the inverse hyperbolic tangent of 1 - 2 p."""
        x = 1.0 - 2.0 * held
        return T.log1p(x) - T.log1p(-x)

    def _log_constant(self) -> Any:
        held, ones = self._held(), T.ones_like(self.probs)
        low = held <= 0.5
        width = T.where(low, T.log1p(-2.0 * T.where(low, held, 0 * ones)), T.log(2.0 * T.where(held >= 0.5, held, ones) - 1.0))
        x = T.square(self.probs - 0.5)
        series = math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x
        return T.where(self._apart(), T.log(T.abs(self._logit(held))) - width, series)

    @property
    def mean(self) -> Any:
        """The expected value."""
        held, x = self._held(), self.probs - 0.5
        formula = held / (2.0 * held - 1.0) + 1.0 / self._logit(held)
        return T.where(self._apart(), formula, 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * T.square(x)) * x)

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean."""
        held, x = self._held(), T.square(self.probs - 0.5)
        formula = held * (held - 1.0) / T.square(1.0 - 2.0 * held) + 1.0 / T.square(T.log1p(-held) - T.log(held))
        return T.where(self._apart(), formula, 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x)

    def sample(self, shape: Any = ()) -> Any:
        """Numbers by chance."""
        with no_grad():
            return self.rsample(shape)

    def rsample(self, shape: Any = ()) -> Any:
        """Numbers by chance; gradients pass by `probs`."""
        sizes = list(self._extend_shape(sample_shape(shape, "ContinuousBernoulli.rsample")))
        return self.icdf(T.uniform(sizes, self.dtype, 0, 1))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at values."""
        value = T.cast(value, self.dtype)
        logs = value * T.log(self.probs) + (1.0 - value) * T.log(1 - self.probs)
        return self._log_constant() + T.nan_to_num(logs, neginf=-finfo(self.probs.dtype).eps)

    def prob(self, value: Any) -> Any:
        """The density at values."""
        return T.exp(self.log_prob(value))

    def entropy(self) -> Any:
        """The expected negative logarithm of the density."""
        log_p, log_rest = T.log(self.probs), T.log1p(-self.probs)
        found = self.mean * (log_rest - log_p) - self._log_constant() - log_rest
        return T.where(self.probs == 0.5, T.full_like(self.probs, 0.0), found)

    def cdf(self, value: Any) -> Any:
        """The chance of numbers up to a value.

        Args:
            value: a tensor.
        Returns:
            A tensor.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.ContinuousBernoulli(0.5).cdf(paddle.to_tensor([0.3])).tolist()
            [0.30000001192092896]

        Follows Paddle 3.3.
        """
        value, held = T.cast(value, self.dtype), self._held()
        formula = (T.pow(held, value) * T.pow(1.0 - held, 1.0 - value) + held - 1.0) / (2.0 * held - 1.0)
        inside = T.where(self._apart(), formula, value)
        above = T.where(value >= 1.0, T.ones_like(value), inside)
        return T.where(value <= 0.0, T.zeros_like(value), above)

    def icdf(self, value: Any) -> Any:
        """The number below which numbers are with a chance.

        Args:
            value: a tensor of chances.
        Returns:
            A tensor.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.ContinuousBernoulli(0.5).icdf(paddle.to_tensor([0.3])).tolist()
            [0.30000001192092896]

        Follows Paddle 3.3.
        """
        value, held = T.cast(value, self.dtype), self._held()
        rest = T.log1p(-held)
        formula = (T.log1p(value * (2.0 * held - 1.0) - held) - rest) / (T.log(held) - rest)
        return T.where(self._apart(), formula, value)

    def kl_divergence(self, other: Any) -> Any:
        """The divergence from another continuous Bernoulli distribution of the same shape."""
        if self.batch_shape != other.batch_shape:
            raise ValueError(
                "KL divergence of two Continuous Bernoulli distributions should share the same `batch_shape`. "
                f"Received: {self.batch_shape} and {other.batch_shape}"
            )
        log_q, log_rest = T.log(other.probs), T.log1p(-other.probs)
        return -self.entropy() - (other._log_constant() + self.mean * (log_q - log_rest) + log_rest)


__getattr__ = missing(__name__)
