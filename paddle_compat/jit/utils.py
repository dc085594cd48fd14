"""`paddle.jit.utils`: a set that keeps the order in which things came."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSet
from typing import Any, TypeVar

from paddle_compat._missing import missing

T = TypeVar("T")


class OrderedSet(MutableSet[T]):
    """A set that keeps the order in which its members came.

    Args:
        items (iterable|None): its members.

    Example:
        >>> from paddle_compat.jit.utils import OrderedSet
        >>> OrderedSet([3, 1, 3]) | OrderedSet([2])
        OrderedSet(3, 1, 2)

    Follows Paddle 3.3.
    """

    def __init__(self, items: Iterable[T] | None = None) -> None:
        self._members: dict[T, None] = dict.fromkeys(items or ())

    def __contains__(self, item: object) -> bool:
        return item in self._members

    def __iter__(self) -> Iterator[T]:
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __repr__(self) -> str:
        return f"OrderedSet({', '.join(map(repr, self._members))})"

    def add(self, item: T) -> None:
        """Take a member in, at the end.

        Args:
            item: the member.

        Example:
            >>> from paddle_compat.jit.utils import OrderedSet
            >>> members = OrderedSet([3, 1])
            >>> members.add(2); members
            OrderedSet(3, 1, 2)
        """
        self._members.setdefault(item)

    def remove(self, item: T) -> None:
        """Take a member out.

        Args:
            item: the member.
        Raises:
            KeyError: it is not there.

        Example:
            >>> from paddle_compat.jit.utils import OrderedSet
            >>> members = OrderedSet([3, 1])
            >>> members.remove(3); members
            OrderedSet(1)
        """
        del self._members[item]

    def discard(self, item: T) -> None:
        """Take a member out, if it is there.

        Args:
            item: the member.

        Example:
            >>> from paddle_compat.jit.utils import OrderedSet
            >>> members = OrderedSet([3, 1])
            >>> members.discard(2); members
            OrderedSet(3, 1)
        """
        self._members.pop(item, None)

    @classmethod
    def _from_iterable(cls, it: Iterable[Any]) -> OrderedSet[Any]:
        return cls(it)


__all__ = ["OrderedSet"]

__getattr__ = missing(__name__)
