"""`paddle.base.executor`: the Executor and scopes."""

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
from paddle_compat.static.executor import Executor
from paddle_compat.static.executor import fetch_var as _fetch_var  # noqa: F401 - harnesses call it by this name
from paddle_compat.static.fetch_handler import FetchHandler, FetchHandlerMonitor


def as_numpy(tensor: Any, copy: bool = False) -> Any:
    """What a run gave, as numpy arrays.

    Args:
        tensor (LoDTensor|list): the value, or a list of them.
        copy (bool): whether the array has memory of its own.
    Returns:
        numpy.ndarray, or a list of them.
    Raises:
        RuntimeError: it is a sequence, whose LoD an array does not have.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> value = paddle.base.core.LoDTensor()
        >>> value.set(np.ones([2]), paddle.CPUPlace())
        >>> paddle.base.executor.as_numpy(value)
        array([1., 1.])

    Follows Paddle 2.6.
    """
    if isinstance(tensor, (list, tuple)):
        return [as_numpy(part, copy) for part in tensor]
    if tensor.lod():
        raise RuntimeError("A sequence is no array. Expected a value without LoD, or return_numpy=False. Received: one with LoD")
    return np.array(tensor) if copy else np.asarray(tensor)


def _as_lodtensor(data: Any, place: Place, dtype: Any = None) -> LoDTensor:
    """A fed value as the tensor that a run takes: what is no array needs a data type."""
    if not isinstance(data, np.ndarray):
        if dtype is None:
            raise failed_assertion("dtype", "a data type beside what is no array", dtype, "_as_lodtensor")
        if not isinstance(data, (list, tuple)) and not np.isscalar(data):
            raise type_error("data", "numbers", data, "_as_lodtensor")
        data = np.array(data, dtype_name(dtype))
    tensor = LoDTensor()
    tensor.set(data, place)
    return tensor


__all__ = ["Executor", "FetchHandler", "FetchHandlerMonitor", "Scope", "as_numpy", "global_scope", "scope_guard"]

__getattr__ = missing(__name__)
