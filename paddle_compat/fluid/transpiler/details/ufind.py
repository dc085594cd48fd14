"""`fluid.transpiler.details.ufind`: sets that are joined."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from paddle_compat._missing import missing


class UnionFind:
    """Elements in sets, each a set of its own at first, of which two at a time are joined.

    Args:
        elementes (list): the elements, which are hashable.

    Example:
        >>> from paddle_compat.fluid.transpiler.details import UnionFind
        >>> sets = UnionFind(["a", "b", "c"])
        >>> sets.union("a", "c")
        >>> sets.is_connected("c", "a"), sets.is_connected("a", "b"), sets.find("d")
        (True, False, -1)

    Follows Paddle 1.8.
    """

    def __init__(self, elementes: Iterable[Hashable] | None = None) -> None:
        self._number = {element: number for number, element in enumerate(elementes or ())}
        self._above = list(range(len(self._number)))  # one above oneself is the last

    def find(self, x: Hashable) -> int:
        """The number of an element's set.

        Args:
            x: the element.
        Returns:
            int: the same for all elements of a set; -1 for what is no element.
        """
        number = last = self._number.get(x, -1)
        if number == -1:
            return -1
        while self._above[last] != last:
            last = self._above[last]
        while number != last:  # so that the way is short the next time
            self._above[number], number = last, self._above[number]
        return last

    def union(self, x: Hashable, y: Hashable) -> None:
        """Join the sets of two elements.

        Args:
            x, y: the elements.
        Raises:
            ValueError: one of them is none.
        """
        first, second = self.find(x), self.find(y)
        if -1 in (first, second):
            raise ValueError(
                f"Invalid value for arguments `x`, `y` of `UnionFind.union`. Expected two of the elements. Received: {x!r} and {y!r}"
            )
        self._above[first] = second

    def is_connected(self, x: Hashable, y: Hashable) -> bool:
        """Whether two elements are in one set.

        Args:
            x, y: the elements.
        Returns:
            bool.
        """
        return self.find(x) == self.find(y)


__getattr__ = missing(__name__)
__all__ = ["UnionFind"]
