"""The Dirichlet distribution."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.distribution.distribution import is_tensor, sample_shape
from paddle_compat.distribution.exponential_family import ExponentialFamily
from paddle_compat.ops.random import dirichlet
from paddle_compat.tensor._calls import check

__all__ = ["Dirichlet"]


class Dirichlet(ExponentialFamily):
    """The Dirichlet distribution, of weights that sum to 1.

    Args:
        concentration: a tensor of positive numbers, of one dimension or more.
    Raises:
        TypeError: `concentration` is no tensor.
        ValueError: it has no dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.distribution.Dirichlet(paddle.to_tensor([1.0, 3.0])).mean.tolist()
        [0.25, 0.75]

    Follows Paddle 2.6.
    """

    def __init__(self, concentration: Any) -> None:
        if not is_tensor(concentration):
            raise type_error("concentration", "a tensor", concentration, "Dirichlet")
        if len(concentration.shape) < 1:
            raise ValueError(f"`concentration` of Dirichlet must be at least one dimensional. Received: {concentration}")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:])

    @property
    def mean(self) -> Any:
        """The expected weights."""
        return self.concentration / self.concentration.sum(-1, keepdim=True)

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean."""
        whole = self.concentration.sum(-1, keepdim=True)
        return self.concentration * (whole - self.concentration) / (whole.pow(2) * (whole + 1))

    def sample(self, shape: Any = ()) -> Any:
        """Weights by chance."""
        sizes = self._extend_shape(sample_shape(shape, "Dirichlet.sample"))
        check(self.concentration, "concentration", "Dirichlet.sample", ("float32", "float64"))
        return dirichlet(T.expand(self.concentration.detach(), list(sizes)))

    def prob(self, value: Any) -> Any:
        """The density at weights."""
        return T.exp(self.log_prob(value))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at weights."""
        sum_of_logs = (T.log(value) * (self.concentration - 1.0)).sum(-1)
        return sum_of_logs + T.lgamma(self.concentration.sum(-1)) - T.lgamma(self.concentration).sum(-1)

    def entropy(self) -> Any:
        """The expected negative logarithm of the density."""
        whole, count = self.concentration.sum(-1), self.concentration.shape[-1]
        normalizer = T.lgamma(self.concentration).sum(-1) - T.lgamma(whole)
        digammas = ((self.concentration - 1.0) * T.digamma(self.concentration)).sum(-1)
        return normalizer - (count - whole) * T.digamma(whole) - digammas

    @property
    def _natural_parameters(self) -> Any:
        return (self.concentration,)

    def _log_normalizer(self, *parameters: Any) -> Any:
        (x,) = parameters
        return T.lgamma(x).sum(-1) - T.lgamma(x.sum(-1))


__getattr__ = missing(__name__)
