"""`paddle.incubate.autograd.utils`: what functions of derivatives make of their arguments; harnesses of Paddle's own tests ask for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.incubate.autograd._prim import disable_prim, enable_prim, prim_enabled


def as_tensors(xs: Any) -> Any:
    """One tensor or several as a tuple.

    Args:
        xs: a tensor, a list or tuple of them, or anything else.
    Returns:
        A tuple; what is neither a tensor nor a sequence as it is.

    Example:
        >>> from paddle_compat.incubate.autograd.utils import as_tensors
        >>> as_tensors([1, 2]), as_tensors(None)
        ((1, 2), None)

    Follows Paddle 2.6.
    """
    if isinstance(xs, (Tensor, Variable)):
        return (xs,)
    return tuple(xs) if isinstance(xs, Sequence) else xs


def flatten(inp: Any) -> list[Any]:
    """The tensors in nested lists and tuples, one after another.

    Args:
        inp: a tensor, None, or nested lists and tuples of these.
    Returns:
        List.
    Raises:
        TypeError: something else is among them.

    Example:
        >>> from paddle_compat.incubate.autograd.utils import flatten
        >>> flatten([None, [None]])
        [None, None]

    Follows Paddle 2.6.
    """
    if inp is None or isinstance(inp, (Tensor, Variable)):
        return [inp]
    return [each for part in inp for each in flatten(part)]


def flatten_and_remove_none(inp: Any) -> list[Any]:
    """What `flatten` gives, but for None.

    Args:
        inp: a tensor, None, or nested lists and tuples of these.
    Returns:
        List of tensors.
    Raises:
        TypeError: something else is among them.

    Example:
        >>> from paddle_compat.incubate.autograd.utils import flatten_and_remove_none
        >>> flatten_and_remove_none([None, [None]])
        []

    Follows Paddle 2.6.
    """
    return [each for each in flatten(inp) if each is not None]


__all__ = ["as_tensors", "disable_prim", "enable_prim", "flatten", "flatten_and_remove_none", "prim_enabled"]

__getattr__ = missing(__name__)
