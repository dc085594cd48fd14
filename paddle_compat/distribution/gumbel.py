"""The Gumbel distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.autograd._modes import no_grad
from paddle_compat.distribution.distribution import real_tensors, sample_shape
from paddle_compat.distribution.transformed_distribution import TransformedDistribution
from paddle_compat.distribution.uniform import Uniform
from paddle_compat.framework.dtype import finfo

__all__ = ["Gumbel"]


class Gumbel(TransformedDistribution):
    """The Gumbel distribution, of the largest of many values.

    Args:
        loc: where it lies: a number or a tensor.
        scale: how wide it is.
    Raises:
        TypeError: a parameter is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> round(float(paddle.distribution.Gumbel(0.0, 1.0).mean), 4)
        0.5772

    Follows Paddle 2.6.
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        self.loc, self.scale = real_tensors("Gumbel", loc=loc, scale=scale)
        limits = finfo(self.loc.dtype)
        low, high = T.full_like(self.loc, float(limits.tiny)), T.full_like(self.loc, 1 - float(limits.eps))
        self.base_dist, self.transforms = Uniform(low, high), ()
        super().__init__(self.base_dist, self.transforms)

    @property
    def mean(self) -> Any:
        """The expected value."""
        return self.loc + self.scale * np.euler_gamma

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean."""
        return self.scale.pow(2) * (math.pi**2 / 6)

    @property
    def stddev(self) -> Any:
        """The square root of the variance."""
        return T.sqrt(self.variance)

    def prob(self, value: Any) -> Any:
        """The density at values."""
        y = (self.loc - value) / self.scale
        return T.exp(y - T.exp(y)) / self.scale

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at values."""
        return T.log(self.prob(value))

    def cdf(self, value: Any) -> Any:
        """The chance of numbers up to values.

        Args:
            value: a tensor.
        Returns:
            A tensor.

        Example:
            >>> import paddle_compat as paddle
            >>> round(float(paddle.distribution.Gumbel(0.0, 1.0).cdf(paddle.to_tensor(0.0))), 4)
            0.3679

        Follows Paddle 2.6.
        """
        return T.exp(-T.exp(-(value - self.loc) / self.scale))

    def entropy(self) -> Any:
        """The expected negative logarithm of the density."""
        return T.log(self.scale) + (1 + np.euler_gamma)

    def sample(self, shape: Any = ()) -> Any:
        """Values by chance."""
        with no_grad():
            return self.rsample(shape)

    def rsample(self, shape: Any = ()) -> Any:
        """Values by chance that can be differentiated by the parameters."""
        noise = self.base_dist.sample(sample_shape(shape, "Gumbel.rsample"))
        return self.loc - self.scale * T.log(-T.log(noise))


__getattr__ = missing(__name__)
