"""Dimensions of a batch that count as one event."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.distribution.distribution import Distribution, sum_rightmost

__all__ = ["Independent"]


class Independent(Distribution):
    """A distribution whose last batch dimensions are part of one event.

    Args:
        base: the distribution.
        reinterpreted_batch_rank: how many dimensions.
    Raises:
        TypeError: `base` is no distribution.
        ValueError: it has fewer dimensions, or none are asked for.

    Example:
        >>> import paddle_compat as paddle
        >>> normal = paddle.distribution.Normal([0.0, 1.0], [1.0, 1.0])
        >>> paddle.distribution.Independent(normal, 1).event_shape
        (2,)

    Follows Paddle 2.6.
    """

    def __init__(self, base: Distribution, reinterpreted_batch_rank: int) -> None:
        if not isinstance(base, Distribution):
            raise type_error("base", "a Distribution", base, "Independent")
        rank = len(base.batch_shape)
        if not 0 < reinterpreted_batch_rank <= rank:
            raise ValueError(f"Expected 0 < reinterpreted_batch_rank <= {rank}, but got {reinterpreted_batch_rank}")
        self._base, self._reinterpreted_batch_rank = base, reinterpreted_batch_rank
        whole, kept = (*base.batch_shape, *base.event_shape), rank - reinterpreted_batch_rank
        super().__init__(whole[:kept], whole[kept:])

    @property
    def mean(self) -> Any:
        """The expected value."""
        return self._base.mean

    @property
    def variance(self) -> Any:
        """The expected square of the distance from the mean."""
        return self._base.variance

    def sample(self, shape: Any = ()) -> Any:
        """Values by chance."""
        return self._base.sample(shape)

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at events."""
        return self._sum_rightmost(self._base.log_prob(value), self._reinterpreted_batch_rank)

    def prob(self, value: Any) -> Any:
        """The density at events."""
        return self.log_prob(value).exp()

    def entropy(self) -> Any:
        """The expected negative logarithm of the density of events."""
        return self._sum_rightmost(self._base.entropy(), self._reinterpreted_batch_rank)

    def _sum_rightmost(self, value: Any, n: int) -> Any:
        return sum_rightmost(value, n)


__getattr__ = missing(__name__)
