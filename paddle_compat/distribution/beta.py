"""The beta distribution."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.distribution.dirichlet import Dirichlet
from paddle_compat.distribution.distribution import real_tensors
from paddle_compat.distribution.exponential_family import ExponentialFamily

__all__ = ["Beta"]


class Beta(ExponentialFamily):
    """The beta distribution, of numbers from 0 to 1.

    Args:
        alpha, beta: the parameters: positive numbers or tensors.
    Raises:
        TypeError: a parameter is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> float(paddle.distribution.Beta(alpha=1.0, beta=3.0).mean)
        0.25

    Follows Paddle 2.6.
    """

    def __init__(self, alpha: Any, beta: Any) -> None:
        self.alpha, self.beta = real_tensors("Beta", alpha=alpha, beta=beta)
        self._dirichlet = Dirichlet(T.stack([self.alpha, self.beta], -1))
        super().__init__(self._dirichlet._batch_shape)

    @property
    def mean(self) -> Any:
        """The expected value."""
        return self.alpha / (self.alpha + self.beta)

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean."""
        whole = self.alpha + self.beta
        return self.alpha * self.beta / (whole.pow(2) * (whole + 1))

    def prob(self, value: Any) -> Any:
        """The density at values."""
        return T.exp(self.log_prob(value))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at values."""
        return self._dirichlet.log_prob(T.stack([value, 1.0 - value], -1))

    def sample(self, shape: Any = ()) -> Any:
        """Values by chance, without a last dimension of one."""
        return T.squeeze(self._dirichlet.sample(shape)[..., 0], -1)

    def entropy(self) -> Any:
        """The expected negative logarithm of the density."""
        return self._dirichlet.entropy()

    @property
    def _natural_parameters(self) -> Any:
        return self.alpha, self.beta

    def _log_normalizer(self, *parameters: Any) -> Any:
        x, y = parameters
        return T.lgamma(x) + T.lgamma(y) - T.lgamma(x + y)


__getattr__ = missing(__name__)
