"""Sizes that torch leaves open while it writes a program down (`migrate.eject`): symbols that count as whole numbers.

`int` of one would settle it for good, so what only wants a size goes through `as_size`.
"""

from __future__ import annotations

from typing import Any

import torch


def is_open(value: Any) -> bool:
    """Whether a number is a size that torch leaves open."""
    return type(value) is torch.SymInt


def as_size(value: Any) -> Any:
    """A size or position as int; one that torch leaves open stays as it is.

    Args:
        value: a whole number, also NumPy's, or a torch.SymInt.
    Returns:
        int or torch.SymInt.

    Example:
        >>> as_size(3.0)
        3
    """
    return value if is_open(value) else int(value)


def grown(size: Any, factor: float) -> Any:
    """A size times a factor, rounded towards zero.

    Args:
        size: a whole number, or a torch.SymInt.
        factor: 0 or more.
    Returns:
        int or torch.SymInt.

    Example:
        >>> grown(5, 1.5)
        7
    """
    if not is_open(size):
        return int(size * factor)
    return size * int(factor) if float(factor).is_integer() else torch.sym_int(size * factor)
