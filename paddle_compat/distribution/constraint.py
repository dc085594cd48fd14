"""Which values may be: real numbers, ranges, weights that sum to 1."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.distribution.distribution import undefined


class Constraint:
    """A condition on values; called with a tensor, it says where it holds.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distribution import constraint
        >>> constraint.positive(paddle.to_tensor([1.0, -1.0])).tolist()
        [True, False]

    Follows Paddle 2.6.
    """

    def __call__(self, value: Any) -> Any:
        """Where the condition holds.

        Args:
            value: a tensor.
        Returns:
            A tensor of bools.
        Raises:
            NotImplementedError: the condition is not said.
        """
        raise undefined(self, "condition")


class Real(Constraint):
    """Every number but NaN."""

    def __call__(self, value: Any) -> Any:
        """Where a value is a number."""
        return value == value


class Range(Constraint):
    """Numbers from a lower to an upper bound.

    Args:
        lower, upper: the bounds.
    """

    def __init__(self, lower: float, upper: float) -> None:
        self._lower, self._upper = lower, upper
        super().__init__()

    def __call__(self, value: Any) -> Any:
        """Where a value lies between the bounds."""
        return (self._lower <= value) & (value <= self._upper)


class Positive(Constraint):
    """Numbers that are not negative."""

    def __call__(self, value: Any) -> Any:
        """Where a value is not negative."""
        return value >= 0.0


class Simplex(Constraint):
    """Weights that are not negative and sum to 1."""

    def __call__(self, value: Any) -> Any:
        """Which rows are such weights."""
        return T.all(value >= 0, axis=-1) & (T.abs(value.sum(-1) - 1) < 1e-6)


real = Real()
positive = Positive()
simplex = Simplex()

__getattr__ = missing(__name__)
