"""What executors look at before they run a Program: what it is fed with, and what it feeds and fetches itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paddle_compat.core.block import Block
from paddle_compat.core.dtype import convert_dtype, dtype_name
from paddle_compat.core.errors import type_error
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.operator import Operator
from paddle_compat.core.variable import Variable


def _to_name_str(var: Any) -> str:
    """What a run's cache calls something fetched: a Variable's name, or the numbers of operators (a pair's first list)."""
    if isinstance(var, (list, tuple)):
        several = var[0] if isinstance(var[0], (list, tuple)) else var
        return ",".join(_to_name_str(one) for one in several)
    if isinstance(var, str):
        return var
    if isinstance(var, Variable):
        return var.name
    if isinstance(var, Operator):
        return str(id(var))
    raise type_error("fetch_list", "Variables, their names or operators", var)


def _get_program_cache_key(feed: Mapping[str, Any] | None, fetch_list: Sequence[Any]) -> str:
    return str([*(feed or {}), *map(_to_name_str, fetch_list)])


def _get_strong_program_cache_key(program: Any, feed: Mapping[str, Any] | None, fetch_list: Sequence[Any]) -> str:
    """A key that also tells Programs apart."""
    return str(id(program)) + _get_program_cache_key(feed, fetch_list)


def dimension_is_compatible_with(first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether two shapes can be the same: dimensions that are below 0 or None are unknown.

    Args:
        first, second: the shapes.
    Returns:
        bool.

    Example:
        >>> from paddle_compat.base.executor import dimension_is_compatible_with
        >>> dimension_is_compatible_with([2, 3], [-1, 3]), dimension_is_compatible_with([2, 3], [3])
        (True, False)

    Follows Paddle 1.8 and 2.6.
    """
    if len(first) != len(second):
        return False
    known = [(a, b) for a, b in zip(first, second) if None not in (a, b) and a >= 0 and b >= 0]
    return all(a == b for a, b in known)


def dtype_is_compatible_with(first: Any, second: Any) -> bool:
    """Whether two data types are the same.

    Args:
        first, second: names, numpy's or Paddle's.
    Returns:
        bool.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.base.executor.dtype_is_compatible_with(np.float32, paddle.base.core.VarDesc.VarType.FP32)
        True

    Follows Paddle 1.8 and 2.6.
    """
    return convert_dtype(first) == convert_dtype(second)


def check_feed_shape_type(var: Variable, feed: LoDTensor, num_places: int = 1) -> bool:
    """Check what a variable is fed with, as `run` does.

    Args:
        var: the variable.
        feed: the value.
        num_places: how many devices share its rows.
    Returns:
        bool: True.
    Raises:
        ValueError: shape or data type are others than the variable's.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> value = paddle.base.core.LoDTensor(); value.set(np.ones((2, 3), "float32"), paddle.CPUPlace())
        >>> with paddle.static.program_guard(paddle.static.Program()):
        ...     paddle.base.executor.check_feed_shape_type(paddle.static.data("x", [None, 3]), value)
        True

    Follows Paddle 1.8 and 2.6.
    """
    if not var.need_check_feed:
        return True
    shape = list(feed.shape())
    shape[:1] = [max(1, rows // num_places) for rows in shape[:1]]
    if not dimension_is_compatible_with(shape, var.shape):
        raise ValueError(
            f"The fed Variable {var.name!r} should have dimensions = {len(var.shape)}, shape = {tuple(var.shape)!r}, "
            f"but received fed shape {shape} on each device"
        )
    if not dtype_is_compatible_with(feed._dtype(), var.dtype):
        wanted, given = dtype_name(var.dtype), dtype_name(feed._dtype())
        raise ValueError(f"The data type of fed Variable {var.name!r} must be {wanted!r}, but received {given!r}")
    return True


def has_feed_operators(block: Block, feed_targets: Mapping[str, Any], feed_holder_name: str) -> bool:
    """Whether a block says itself what it is fed with, as those of inference models do.

    Args:
        block: the block.
        feed_targets: what it is to be fed with, by name.
        feed_holder_name: what its `feed` operators read.
    Returns:
        bool.
    Raises:
        Exception: they do not read what is to be fed.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.base.executor.has_feed_operators(paddle.static.Program().global_block(), {"x": 1}, "feed")
        False

    Follows Paddle 1.8 and 2.6.
    """
    found = [op.output("Out")[0] for op in block.ops if op.type == "feed" and op.input("X") == [feed_holder_name]]
    if any(name not in feed_targets for name in found):
        raise Exception(f"'feed_targets' does not have the variables {found}. Received: {list(feed_targets)}")
    if found and len(found) != len(feed_targets):
        raise Exception(f"Feed operators in program desc do not match 'feed_targets'. Expected {found}. Received: {list(feed_targets)}")
    return bool(found)


def has_fetch_operators(block: Block, fetch_targets: Sequence[Any], fetch_holder_name: str) -> bool:
    """Whether a block says itself what is fetched, as those of inference models do.

    Args:
        block: the block.
        fetch_targets: Variables that are to be fetched.
        fetch_holder_name: what its `fetch` operators write to.
    Returns:
        bool.
    Raises:
        Exception: they do not fetch these.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.base.executor.has_fetch_operators(paddle.static.Program().global_block(), [], "fetch")
        False

    Follows Paddle 1.8 and 2.6.
    """
    found = [op.input("X")[0] for op in block.ops if op.type == "fetch" and op.output("Out") == [fetch_holder_name]]
    wanted = [var if isinstance(var, str) else var.name for var in fetch_targets]
    if any(name not in wanted for name in found):
        raise Exception(f"'fetch_targets' does not have the variables {found}. Received: {wanted}")
    if found and len(found) != len(wanted):
        raise Exception(f"Fetch operators in program desc do not match 'fetch_targets'. Expected {found}. Received: {wanted}")
    return bool(found)
