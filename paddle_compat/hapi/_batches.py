"""The small functions over arrays and lists that harnesses take from `paddle.hapi.model`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable


def to_numpy(var: Any) -> np.ndarray:
    """The array of a Tensor; of a Variable, what the global scope holds.

    Args:
        var: the Tensor or Variable.
    Returns:
        numpy array.
    Raises:
        AssertionError: it is neither.
    """
    if not isinstance(var, (Tensor, Variable)):
        raise failed_assertion("var", "a Tensor or Variable", var, "to_numpy")
    return np.asarray(var.numpy() if isinstance(var, Tensor) else var.get_value())


def flatten_list(l: Sequence[Any]) -> tuple[list[Any], list[int]]:
    """The items of several lists in one.

    Args:
        l: lists.
    Returns:
        The items, and how long each list was.
    Raises:
        AssertionError: one is no list.
    """
    for part in l:
        if not isinstance(part, list):
            raise failed_assertion("l", "lists", part, "flatten_list")
    return [item for part in l for item in part], [len(part) for part in l]


def restore_flatten_list(l: Sequence[Any], splits: Sequence[int]) -> list[list[Any]]:
    """Several lists of one, as `flatten_list` met them.

    Args:
        l: the items.
        splits: how long each list is.
    Returns:
        list of lists.
    """
    items = iter(l)
    return [[next(items) for _ in range(size)] for size in splits]


def extract_args(func: Callable[..., Any]) -> list[str]:
    """The names of a function's positional arguments, `self` among them.

    Args:
        func: the function or method.
    Returns:
        list of names.
    """
    return inspect.getfullargspec(func).args


__all__ = ["extract_args", "flatten_list", "restore_flatten_list", "to_numpy"]
