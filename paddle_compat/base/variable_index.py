"""`paddle.base.variable_index`: what `x[i]` and `x[i] = y` record."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.variable import Variable
from paddle_compat.tensor._variable_assignment import setitem
from paddle_compat.tensor._variable_indexing import getitem

MAX_INTEGER = 2**31 - 1


def _getitem_static(x: Variable, indices: Any) -> Any:
    """`x[indices]`."""
    return getitem(x, indices)


def _setitem_static(x: Variable, indices: Any, values: Any) -> Variable:
    """A Variable like `x`, with `values` at `indices`."""
    return setitem(x, indices, values)


__all__: list[str] = []

__getattr__ = missing(__name__)
