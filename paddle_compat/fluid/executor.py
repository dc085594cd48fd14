"""`paddle.fluid.executor`: the Executor and scopes."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.base._run_checks import (  # noqa: F401 - harnesses ask here
    _get_program_cache_key,
    _get_strong_program_cache_key,
    _to_name_str,
    check_feed_shape_type,
    dimension_is_compatible_with,
    dtype_is_compatible_with,
    has_feed_operators,
    has_fetch_operators,
)
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.place import Place
from paddle_compat.core.scope import Scope, global_scope, scope_guard
from paddle_compat.core.scope import switch_scope as _switch_scope  # noqa: F401 - harnesses call it by this name
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
