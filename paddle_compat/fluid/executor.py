"""`paddle.fluid.executor`: the Executor and scopes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.block import Block
from paddle_compat.core.dtype import convert_dtype, dtype_name
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.operator import Operator
from paddle_compat.core.place import Place
from paddle_compat.core.scope import Scope, global_scope, scope_guard
from paddle_compat.core.scope import switch_scope as _switch_scope  # noqa: F401 - harnesses call it by this name
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.framework import default_main_program as _default_main_program
from paddle_compat.static import executor
from paddle_compat.static.executor import as_numpy as as_numpy
from paddle_compat.static.executor import fetch_var as _fetch_var  # noqa: F401 - harnesses call it by this name
from paddle_compat.static.fetch_handler import FetchHandler as FetchHandler
from paddle_compat.static.fetch_handler import FetchHandlerMonitor as FetchHandlerMonitor


def _as_lodtensor(data: Any, place: Place, dtype: Any = None) -> LoDTensor:
    """A fed value as the tensor that a run takes: numbers become vectors of one element, and need a data type."""
    if isinstance(data, (list, tuple)):
        raise RuntimeError(f"A list may hold LoD information. Expected a number, a numpy array or a LoDTensor. Received: {data!r}")
    if not isinstance(data, np.ndarray):
        if np.isscalar(data) and dtype is None:
            raise failed_assertion("dtype", "a data type beside a number", dtype, "_as_lodtensor")
        data = np.array([data], dtype=None if dtype is None else dtype_name(dtype))
    tensor = LoDTensor()
    tensor.set(data, place)
    return tensor


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
        >>> from paddle_compat.fluid.executor import dimension_is_compatible_with
        >>> dimension_is_compatible_with([2, 3], [-1, 3]), dimension_is_compatible_with([2, 3], [3])
        (True, False)

    Follows Paddle 1.8.
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
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> fluid.executor.dtype_is_compatible_with(np.float32, fluid.core.VarDesc.VarType.FP32)
        True

    Follows Paddle 1.8.
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
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> value = fluid.LoDTensor(); value.set(np.ones((2, 3), "float32"), fluid.CPUPlace())
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.executor.check_feed_shape_type(fluid.data("x", [None, 3]), value)
        True

    Follows Paddle 1.8.
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
        >>> import paddle_compat.fluid as fluid
        >>> fluid.executor.has_feed_operators(fluid.Program().global_block(), {"x": 1}, "feed")
        False

    Follows Paddle 1.8.
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
        >>> import paddle_compat.fluid as fluid
        >>> fluid.executor.has_fetch_operators(fluid.Program().global_block(), [], "fetch")
        False

    Follows Paddle 1.8.
    """
    found = [op.input("X")[0] for op in block.ops if op.type == "fetch" and op.output("Out") == [fetch_holder_name]]
    wanted = [var if isinstance(var, str) else var.name for var in fetch_targets]
    if any(name not in wanted for name in found):
        raise Exception(f"'fetch_targets' does not have the variables {found}. Received: {wanted}")
    if found and len(found) != len(wanted):
        raise Exception(f"Fetch operators in program desc do not match 'fetch_targets'. Expected {found}. Received: {wanted}")
    return bool(found)


class Executor(executor.Executor):
    """Runs Programs, as `paddle.static.Executor` does.

    Args:
        place: the device to run on; None: the current one.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.Executor(fluid.CPUPlace()).run(fluid.default_startup_program())
        []

    Follows Paddle 1.8.
    """

    def __init__(self, place: Any = None) -> None:
        if place is not None and not isinstance(place, Place):
            raise type_error("place", "a Place or None", place, "Executor")
        _default_main_program()  # one that is empty still is one of 1.8 from here on
        super().__init__(place)

    def run(  # type: ignore[override]  # 1.8 has the last two arguments the other way round
        self,
        program: Any = None,
        feed: Any = None,
        fetch_list: Any = None,
        feed_var_name: str = "feed",
        fetch_var_name: str = "fetch",
        scope: Scope | None = None,
        return_numpy: bool = True,
        use_program_cache: bool = False,
        return_merged: bool = True,
        use_prune: bool = False,
    ) -> list[Any]:
        """Run all operators of a Program once; see `paddle.static.Executor.run`.

        Args:
            program: a Program or CompiledProgram; None: the default main program.
            feed (dict): name -> numpy array or LoDTensor.
            fetch_list (list): Variables or names to return.
            scope (Scope): where persistable variables live; None: the global scope.
            return_numpy (bool): numpy arrays, else LoDTensors.
            feed_var_name, fetch_var_name, use_program_cache: kept for compatibility; runs are always cached.
            return_merged (bool): matters for data parallel runs only.
            use_prune (bool): run only what the fetches and the updates need.
        Returns:
            The fetched values, in order.

        Example:
            >>> import numpy as np, paddle_compat.fluid as fluid
            >>> main = fluid.Program()
            >>> with fluid.program_guard(main, fluid.Program()):
            ...     y = fluid.data("x", [None, 2]) * 2.0
            >>> exe = fluid.Executor(fluid.CPUPlace())
            >>> exe.run(main, feed={"x": np.ones((1, 2), "float32")}, fetch_list=[y])
            [array([[2., 2.]], dtype=float32)]

        Follows Paddle 1.8.
        """
        return super().run(
            program, feed, fetch_list, feed_var_name, fetch_var_name, scope, return_numpy, use_program_cache,
            use_prune, return_merged,
        )  # fmt: skip


__all__ = ["Executor", "Scope", "global_scope", "scope_guard"]

__getattr__ = missing(__name__)
