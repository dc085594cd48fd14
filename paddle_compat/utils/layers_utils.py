"""`paddle.utils.layers_utils`: nested lists, tuples and dicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.base.data_feeder import check_dtype, check_type, check_variable_and_dtype, convert_dtype
from paddle_compat.static.nn import _structure


def is_sequence(seq: Any) -> bool:
    """Whether the value is a dict, or a sequence other than text.

    Args:
        seq: the value.
    Returns:
        bool.

    Example:
        >>> from paddle_compat.utils.layers_utils import is_sequence
        >>> is_sequence({"a": 1}), is_sequence("a")
        (True, False)

    Follows Paddle 1.8 and 2.6.
    """
    return _structure.is_nest(seq)


def flatten(nest: Any) -> list[Any]:
    """The leaves in order; dicts count by sorted key.

    Args:
        nest: nested lists, tuples and dicts, or a leaf.
    Returns:
        List of leaves.

    Example:
        >>> from paddle_compat.utils.layers_utils import flatten
        >>> flatten([1, (2, {"b": 3, "a": 4})])
        [1, 2, 4, 3]

    Follows Paddle 1.8 and 2.6.
    """
    return _structure.flatten(nest)


def pack_sequence_as(structure: Any, flat_sequence: Sequence[Any]) -> Any:
    """A nest like `structure` with other leaves.

    Args:
        structure: nested lists, tuples and dicts, or a leaf.
        flat_sequence: the leaves.
    Returns:
        The nest.
    Raises:
        ValueError: there are more or fewer leaves than places.

    Example:
        >>> from paddle_compat.utils.layers_utils import pack_sequence_as
        >>> pack_sequence_as([1, (2,)], [5, 6])
        [5, (6,)]

    Follows Paddle 1.8 and 2.6.
    """
    return _structure.pack(structure, flat_sequence)


def map_structure(func: Callable[..., Any], *structure: Any) -> Any:
    """Apply a function to the leaves that stand in one place.

    Args:
        func: takes as many leaves as there are nests.
        structure: the nests; the result is built like the first.
    Returns:
        A nest like the first.

    Example:
        >>> from paddle_compat.utils.layers_utils import map_structure
        >>> map_structure(lambda a, b: a + b, [1, (2,)], [3, (4,)])
        [4, (6,)]

    Follows Paddle 1.8 and 2.6.
    """
    return _structure.map_structure(func, *structure)


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True) -> None:
    """Refuse two nests that are not built alike.

    Args:
        nest1, nest2: nested lists, tuples and dicts.
        check_types: the types of the sequences, and the keys of the dicts, must be equal, too.
    Raises:
        ValueError: they have other places or keys.
        TypeError: a sequence is of another type.

    Example:
        >>> from paddle_compat.utils.layers_utils import assert_same_structure
        >>> assert_same_structure([1, (2,)], [3, (4,)])

    Follows Paddle 1.8 and 2.6.
    """
    _structure.need_same_structure(nest1, nest2)
    if check_types and is_sequence(nest1):
        if type(nest1) is not type(nest2):
            raise TypeError(f"Expected two sequences of one type. Received: {type(nest1).__name__} and {type(nest2).__name__}")
        if isinstance(nest1, dict) and nest1.keys() != nest2.keys():
            raise ValueError(f"Expected two dicts of the same keys. Received: {sorted(nest1)} and {sorted(nest2)}")
        keys = nest1 if isinstance(nest1, dict) else range(len(nest1))
        for key in keys:
            assert_same_structure(nest1[key], nest2[key])


def convert_to_list(value: Any, n: int, name: str, dtype: type = int) -> list[Any]:
    """A number repeated, or a list of that many.

    Args:
        value: the number, or a list or tuple of numbers.
        n: how many.
        name: what errors call it.
        dtype: the numbers' type.
    Returns:
        List of n numbers.
    Raises:
        ValueError: it is nothing of the kind.

    Example:
        >>> from paddle_compat.utils.layers_utils import convert_to_list
        >>> convert_to_list(3, 2, "kernel")
        [3, 3]

    Follows Paddle 1.8 and 2.6.
    """
    found = [value] * n if isinstance(value, dtype) else list(value) if isinstance(value, (list, tuple)) else []
    if len(found) != n or not all(isinstance(item, dtype) for item in found):
        raise ValueError(f"Invalid value for argument `{name}`. Expected {dtype.__name__}, or {n} of them. Received: {value!r}")
    return found


__all__ = [
    "assert_same_structure", "check_dtype", "check_type", "check_variable_and_dtype", "convert_dtype", "convert_to_list", "flatten",
    "is_sequence", "map_structure", "pack_sequence_as",
]  # fmt: skip

__getattr__ = missing(__name__)
