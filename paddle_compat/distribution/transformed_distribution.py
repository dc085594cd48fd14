"""Values of a distribution that transforms change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.distribution.distribution import Distribution, sum_rightmost
from paddle_compat.distribution.independent import Independent
from paddle_compat.distribution.transform import ChainTransform, Transform

__all__ = ["TransformedDistribution"]


class TransformedDistribution(Distribution):
    """The distribution of values that one transform after the other changes.

    Args:
        base: the distribution of the values.
        transforms: a list or tuple of transforms.
    Raises:
        TypeError: `base` is no distribution, or `transforms` are none.
        ValueError: values have fewer dimensions than a transform needs.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distribution import ExpTransform, Normal, TransformedDistribution
        >>> TransformedDistribution(Normal(0.0, 1.0), [ExpTransform()]).sample([3]).shape
        [3]

    Follows Paddle 2.6.
    """

    def __init__(self, base: Distribution, transforms: Sequence[Transform]) -> None:
        if not isinstance(base, Distribution):
            raise type_error("base", "a Distribution", base, "TransformedDistribution")
        if not isinstance(transforms, Sequence):
            raise type_error("transforms", "Sequence[Transform], a list of transforms", transforms, "TransformedDistribution")
        if not all(isinstance(t, Transform) for t in transforms):
            raise type_error("transforms", "Transforms in the list", transforms, "TransformedDistribution")
        self._transforms, chain = transforms, ChainTransform(transforms)
        needs, has = chain._domain.event_rank, (*base.batch_shape, *base.event_shape)
        if len(has) < needs:
            raise ValueError(f"'base' needs to have a shape with size at least {needs}, but got {len(has)}.")
        self._base = base  # as it was given: it may have `rsample`, which Independent has not
        if needs > len(base.event_shape):
            base = Independent(base, needs - len(base.event_shape))
        whole = tuple(chain.forward_shape((*base.batch_shape, *base.event_shape))) if transforms else has
        kept = len(whole) - chain._codomain.event_rank - max(len(base.event_shape) - needs, 0)
        super().__init__(whole[:kept], whole[kept:])

    def sample(self, shape: Any = ()) -> Any:
        """Values by chance."""
        return ChainTransform(self._transforms).forward(self._base.sample(shape))

    def rsample(self, shape: Any = ()) -> Any:
        """Values by chance that can be differentiated by the parameters."""
        return ChainTransform(self._transforms).forward(self._base.rsample(shape))

    def log_prob(self, value: Any) -> Any:
        """The logarithm of the density at values."""
        result, rank = 0.0, len(self.event_shape)
        for t in reversed(self._transforms):
            before = t.inverse(value)
            rank += t._domain.event_rank - t._codomain.event_rank
            result = result - sum_rightmost(t.forward_log_det_jacobian(before), rank - t._domain.event_rank)
            value = before
        return sum_rightmost(self._base.log_prob(value), rank - len(self._base.event_shape)) + result


__getattr__ = missing(__name__)
