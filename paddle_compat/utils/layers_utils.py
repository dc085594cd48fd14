"""`paddle.utils.layers_utils`: nested lists, tuples and dicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.base.data_feeder import check_dtype, check_type, check_variable_and_dtype, convert_dtype
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.program import Variable
from paddle_compat.core.tensor import Tensor
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
    try:
        found = [value] * n if isinstance(value, dtype) else list(value)
        for item in found:
            dtype(item)
    except (TypeError, ValueError):
        found = []
    if len(found) != n:
        raise ValueError(f"Invalid value for argument `{name}`. Expected {dtype.__name__}, or {n} of them. Received: {value!r}")
    return found


def to_sequence(nest: Any) -> Any:
    """The value itself where it is a sequence or dict, else a list of it.

    Args:
        nest: the value.
    Returns:
        A sequence or dict.

    Example:
        >>> from paddle_compat.utils.layers_utils import to_sequence
        >>> to_sequence(1), to_sequence((1, 2))
        ([1], (1, 2))

    Follows Paddle 2.6.
    """
    return nest if is_sequence(nest) else [nest]


def hold_mutable_vars(structure: Any) -> bool:
    """Whether a member of the nest is a sequence or dict itself.

    Args:
        structure: nested lists, tuples and dicts.
    Returns:
        bool.

    Example:
        >>> from paddle_compat.utils.layers_utils import hold_mutable_vars
        >>> hold_mutable_vars([1, [2]]), hold_mutable_vars([1, 2])
        (True, False)

    Follows Paddle 1.8 and 2.6.
    """
    return any(map(is_sequence, structure))


def copy_mutable_vars(structure: Any) -> Any:
    """The nest with its lists and dicts copied and its leaves kept.

    Args:
        structure: nested lists, tuples and dicts.
    Returns:
        A nest of the same leaves.

    Example:
        >>> from paddle_compat.utils.layers_utils import copy_mutable_vars
        >>> nest = [1, [2]]
        >>> copy_mutable_vars(nest) == nest, copy_mutable_vars(nest)[1] is nest[1]
        (True, False)

    Follows Paddle 1.8 and 2.6.
    """
    return pack_sequence_as(structure, flatten(structure))


def convert_shape_to_list(shape: Any) -> list[Any]:
    """A shape as a list: numbers for Tensors in eager mode, and Variables as they are.

    Args:
        shape: a list or tuple of sizes, or a Tensor of them.
    Returns:
        list.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.utils.layers_utils import convert_shape_to_list
        >>> convert_shape_to_list([paddle.to_tensor(4), 2])
        [4, 2]

    Follows Paddle 2.6.
    """
    if isinstance(shape, (list, tuple)):
        return [int(size._t) if isinstance(size, Tensor) else size for size in shape]
    return [int(size) for size in shape._t.long()] if isinstance(shape, Tensor) else shape


def check_shape(shape: Any) -> None:
    """Refuse what is no shape to make a Tensor of.

    Args:
        shape: a list or tuple of sizes, or a Tensor or Variable of them.
    Raises:
        TypeError: it is none of these, or a size is no whole number.
        ValueError: a size is negative.

    Example:
        >>> from paddle_compat.utils.layers_utils import check_shape
        >>> check_shape([2, 3])

    Follows Paddle 2.6.
    """
    if isinstance(shape, Variable):
        check_dtype(shape.dtype, "shape", ["int32", "int64"], "fill_constant")
    elif isinstance(shape, (list, tuple)):
        for size in shape:
            if isinstance(size, (Tensor, Variable)):
                continue
            if not isinstance(size, (int, np.integer)):
                raise type_error("shape", "whole numbers or Tensors", size, "check_shape")
            if size < 0:
                raise invalid_argument("shape", "sizes that are not negative", size, "check_shape")
    elif not isinstance(shape, Tensor):
        raise type_error("shape", "a list, a tuple, a Tensor or a Variable", shape, "check_shape")


def _is_symmetric_padding(padding: Sequence[Any], data_dim: int) -> bool:
    """Whether as much is padded behind as before, for copies of Paddle's convolutions."""
    assert len(padding) in (data_dim, data_dim * 2)
    return len(padding) == data_dim or all(before == after for before, after in zip(padding[::2], padding[1::2], strict=True))


def _contain_var(list_or_tuple: Any) -> bool:
    """Whether a Variable is among the values."""
    return any(isinstance(each, Variable) for each in list_or_tuple)


__all__ = [
    "assert_same_structure", "check_dtype", "check_shape", "check_type", "check_variable_and_dtype", "convert_dtype",
    "convert_shape_to_list", "convert_to_list", "copy_mutable_vars", "flatten", "hold_mutable_vars", "is_sequence", "map_structure",
    "pack_sequence_as", "to_sequence",
]  # fmt: skip

__getattr__ = missing(__name__)
