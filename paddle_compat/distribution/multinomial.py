"""The multinomial distribution."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.distribution.categorical import Categorical
from paddle_compat.distribution.distribution import Distribution, is_tensor, same_shapes, sample_shape

__all__ = ["Multinomial"]


class Multinomial(Distribution):
    """How often each category comes up among a number of draws.

    Args:
        total_count: the number of draws.
        probs: a tensor of weights, whose last dimension is the categories.
    Raises:
        TypeError: `probs` is no tensor.
        ValueError: `total_count` is no positive int, or `probs` has no dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.distribution.Multinomial(8, paddle.to_tensor([0.25, 0.75])).mean.tolist()
        [2.0, 6.0]

    Follows Paddle 2.6.
    """

    probs: Any  # the chances; they hide the method

    def __init__(self, total_count: int, probs: Any) -> None:
        if not isinstance(total_count, int) or total_count < 1:
            raise ValueError(f"`total_count` of Multinomial must be an int that is greater than zero. Received: {total_count!r}")
        if not is_tensor(probs):
            raise type_error("probs", "a tensor", probs, "Multinomial")
        if len(probs.shape) < 1:
            raise ValueError(f"`probs` of Multinomial must have one dimension or more. Received: {probs}")
        self.probs, self.total_count = probs / probs.sum(-1, keepdim=True), total_count
        self._categorical = Categorical(self._probs_to_logits(self.probs))
        super().__init__(probs.shape[:-1], probs.shape[-1:])

    @property
    def mean(self) -> Any:
        """The expected numbers."""
        return self.probs * self.total_count

    @property
    def variance(self) -> Any:
        """The expected squares of the distances from the mean."""
        return self.total_count * self.probs * (1 - self.probs)

    def prob(self, value: Any) -> Any:
        """The chance of numbers."""
        return T.exp(self.log_prob(value))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the chance of numbers."""
        if not is_tensor(value):
            raise type_error("value", "a tensor", value, "Multinomial.log_prob")
        value = T.cast(value, self.probs.dtype)
        logs, value = same_shapes(T.log(self.probs), value)
        # a category of no chance that never came up counts as nothing
        logs = T.where((value == 0) & T.isinf(logs), T.zeros_like(logs), logs)
        return T.lgamma(value.sum(-1) + 1) - T.lgamma(value + 1).sum(-1) + (value * logs).sum(-1)

    def sample(self, shape: Any = ()) -> Any:
        """Numbers by chance."""
        from paddle_compat.nn import functional

        sizes = sample_shape(shape, "Multinomial.sample")
        drawn = self._categorical.sample([self.total_count, *sizes])
        return functional.one_hot(drawn, self.probs.shape[-1]).astype(self.probs.dtype).sum(0)

    def entropy(self) -> Any:
        """The expected negative logarithm of the chance."""
        from paddle_compat.nn import functional

        count = self.total_count
        places = [-1] + [1] * len(self.probs.shape)
        support = T.arange(1, count + 1, dtype=self.probs.dtype).reshape(places)
        total = T.full([1], count, self.probs.dtype)
        logits = self._probs_to_logits(self.probs, is_binary=True)
        ways = T.lgamma(total + 1) - T.lgamma(support + 1) - T.lgamma(total - support + 1)
        chances = T.exp(ways + support * logits - total * functional.softplus(logits))
        return (total * self._categorical.entropy() - T.lgamma(total + 1)).reshape(self.probs.shape[:-1]) + (
            chances * T.lgamma(support + 1)
        ).sum([0, -1])


__getattr__ = missing(__name__)
