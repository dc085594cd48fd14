"""Shapes of Variables in scripts of Paddle 3: tuples, as they are here and in Paddle 2, that meet lists, which they are there."""

from __future__ import annotations

import math
from typing import Any


class Sizes(tuple[int, ...]):
    """A shape that equals lists and tuples, and is joined to both."""

    __hash__ = tuple.__hash__

    def __eq__(self, other: object) -> bool:
        return tuple.__eq__(self, tuple(other) if isinstance(other, list) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __add__(self, other: Any) -> Any:
        return Sizes((*self, *other)) if isinstance(other, (list, tuple)) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return Sizes((*other, *self)) if isinstance(other, (list, tuple)) else NotImplemented

    def __getitem__(self, places: Any) -> Any:
        found = tuple.__getitem__(self, places)
        return Sizes(found) if isinstance(places, slice) else found

    def __repr__(self) -> str:
        return f"paddle.Size({list(self)})"

    def copy(self) -> list[int]:
        """The sizes in a list."""
        return list(self)

    def numel(self) -> int:
        """Their product."""
        return math.prod(self)


class Shape:
    """The attribute `shape` of Variables that makes Sizes of what it is set to; it is read where it lies, in the Variable."""

    def __set__(self, variable: Any, shape: Any) -> None:
        variable.__dict__["shape"] = Sizes(shape) if isinstance(shape, (tuple, list)) else shape
