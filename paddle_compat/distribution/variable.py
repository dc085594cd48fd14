"""Kinds of random variables: how many dimensions one value has, and which values may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.distribution import constraint as constraints


class Variable:
    """A kind of random variable.

    Args:
        is_discrete: whether values are whole numbers.
        event_rank: how many dimensions one value has.
        constraint: which values may be.

    Example:
        >>> from paddle_compat.distribution import variable
        >>> variable.Independent(variable.real, 1).event_rank
        1

    Follows Paddle 2.6.
    """

    def __init__(self, is_discrete: bool = False, event_rank: int = 0, constraint: Any = None) -> None:
        self._is_discrete, self._event_rank, self._constraint = is_discrete, event_rank, constraint

    @property
    def is_discrete(self) -> bool:
        """Whether values are whole numbers."""
        return self._is_discrete

    @property
    def event_rank(self) -> int:
        """How many dimensions one value has."""
        return self._event_rank

    def constraint(self, value: Any) -> Any:
        """Where values may be.

        Args:
            value: a tensor.
        Returns:
            A tensor of bools.
        Raises:
            ValueError: the tensor has too few dimensions.
        """
        return self._constraint(value)


class Real(Variable):
    """Real numbers.

    Args:
        event_rank: how many dimensions one value has.
    """

    def __init__(self, event_rank: int = 0) -> None:
        super().__init__(False, event_rank, constraints.real)


class Positive(Variable):
    """Numbers that are not negative.

    Args:
        event_rank: how many dimensions one value has.
    """

    def __init__(self, event_rank: int = 0) -> None:
        super().__init__(False, event_rank, constraints.positive)


class Independent(Variable):
    """Variables that are one, of more dimensions.

    Args:
        base: the variable.
        reinterpreted_batch_rank: how many dimensions more.
    """

    def __init__(self, base: Variable, reinterpreted_batch_rank: int) -> None:
        self._base, self._reinterpreted_batch_rank = base, reinterpreted_batch_rank
        super().__init__(base.is_discrete, base.event_rank + reinterpreted_batch_rank)

    def constraint(self, value: Any) -> Any:
        """Where all parts of a value may be."""
        if len(value.shape) < self._reinterpreted_batch_rank:
            raise ValueError(f"Input dimensions must be equal or greater than {self._reinterpreted_batch_rank}. Received: {value.shape}")
        parts = self._base.constraint(value)
        return T.all(parts, axis=list(range(-self._reinterpreted_batch_rank, 0))) if self._reinterpreted_batch_rank else parts


class Stack(Variable):
    """Variables beside each other.

    Args:
        vars: the variables.
        axis: the dimension along which they lie.
    """

    def __init__(self, vars: Sequence[Variable], axis: int = 0) -> None:
        self._vars, self._axis = vars, axis
        super().__init__()

    @property
    def is_discrete(self) -> bool:
        """Whether one of them is."""
        return any(var.is_discrete for var in self._vars)

    @property
    def event_rank(self) -> int:
        """The largest number of dimensions that a value of one of them has, and the axis where that is none of them."""
        rank = max(var.event_rank for var in self._vars)
        return rank + 1 if self._axis + rank < 0 else rank

    def constraint(self, value: Any) -> Any:
        """Where values of each may be."""
        if not -len(value.shape) <= self._axis < len(value.shape):
            raise ValueError(f"Expected `axis` to be a dimension of the value, of {len(value.shape)}. Received: {self._axis}")
        parts = T.unstack(value, self._axis)
        return T.stack([var.constraint(part) for var, part in zip(self._vars, parts)], self._axis)


real = Real()
positive = Positive()

__getattr__ = missing(__name__)
