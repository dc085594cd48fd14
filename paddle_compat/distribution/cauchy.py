"""The Cauchy distribution."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.autograd._modes import no_grad
from paddle_compat.core.errors import type_error
from paddle_compat.distribution.distribution import Distribution, is_tensor, real_tensors, sample_shape

__all__ = ["Cauchy"]


class Cauchy(Distribution):
    """The Cauchy distribution, which has no mean.

    Args:
        loc: where its middle lies: a number or a tensor.
        scale: how wide it is.
        name: prefix of names of operators.
    Raises:
        TypeError: a parameter is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> float(paddle.distribution.Cauchy(1.0, 2.0).cdf(paddle.to_tensor(1.0)))
        0.5

    Follows Paddle 2.6.
    """

    def __init__(self, loc: Any, scale: Any, name: str | None = None) -> None:
        self.name = name if name is not None else "Cauchy"
        self.loc, self.scale = real_tensors("Cauchy", loc=loc, scale=scale)
        self.dtype = self.loc.dtype
        super().__init__(self.loc.shape)

    @property
    def mean(self) -> Any:
        """There is none; always raises ValueError."""
        raise ValueError("Cauchy distribution has no mean.")

    @property
    def variance(self) -> Any:
        """There is none; always raises ValueError."""
        raise ValueError("Cauchy distribution has no variance.")

    @property
    def stddev(self) -> Any:
        """There is none; always raises ValueError."""
        raise ValueError("Cauchy distribution has no stddev.")

    def sample(self, shape: Any = (), name: str | None = None) -> Any:
        """Values by chance.

        Args:
            shape: how many; a list or tuple of sizes.
            name: prefix of names of operators.
        Returns:
            A tensor.
        Raises:
            TypeError: `shape` is no list.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.Cauchy(0.0, 1.0).sample([2, 3]).shape
            [2, 3]

        Follows Paddle 2.6.
        """
        with no_grad():
            return self.rsample(shape, name)

    def rsample(self, shape: Any = (), name: str | None = None) -> Any:
        """Values by chance that can be differentiated by the parameters.

        Args:
            shape: how many; a list or tuple of sizes.
            name: prefix of names of operators.
        Returns:
            A tensor.
        Raises:
            TypeError: `shape` is no list.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.distribution.Cauchy(0.0, 1.0).rsample([2, 3]).shape
            [2, 3]

        Follows Paddle 2.6.
        """
        noise = T.rand(list(self._extend_shape(sample_shape(shape, "Cauchy.rsample"))), self.loc.dtype)
        return self.loc + self.scale * T.tan(math.pi * (noise - 0.5))

    def _distance(self, value: Any, api: str) -> Any:
        """How many scales a value lies from the middle."""
        if not is_tensor(value):
            raise type_error("value", "Tensor|Variable, a tensor", value, api)
        return (self._check_values_dtype_in_probs(self.loc, value) - self.loc) / self.scale

    def prob(self, value: Any) -> Any:
        """The density at values."""
        return self.log_prob(value).exp()

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at values."""
        return -T.log1p(T.square(self._distance(value, "Cauchy.log_prob"))) - T.log(self.scale) - math.log(math.pi)

    def cdf(self, value: Any) -> Any:
        """The chance of numbers up to values.

        Args:
            value: a tensor.
        Returns:
            A tensor.
        Raises:
            TypeError: `value` is no tensor.
        """
        return T.atan(self._distance(value, "Cauchy.cdf")) / math.pi + 0.5

    def entropy(self) -> Any:
        """The expected negative logarithm of the density."""
        return T.log(self.scale) + math.log(4 * math.pi)

    def kl_divergence(self, other: Any) -> Any:
        """The Kullback-Leibler divergence from another Cauchy distribution."""
        if not isinstance(other, Cauchy):
            raise type_error("other", "a Cauchy", other, "Cauchy.kl_divergence")
        squares = (self.scale + other.scale).pow(2) + (self.loc - other.loc).pow(2)
        return T.log(squares / (4 * self.scale * other.scale))


__getattr__ = missing(__name__)
