"""`paddle.base.framework`: Programs and what belongs to them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import DataType, VarType, convert_dtype
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.mode import in_dygraph_mode as in_dynamic_mode
from paddle_compat.core.mode import in_dygraph_mode as in_dynamic_or_pir_mode
from paddle_compat.core.op_protos import OpProtoHolder
from paddle_compat.core.op_protos import all_protos as get_all_op_protos
from paddle_compat.core.place import Place
from paddle_compat.core.program import (
    Block,
    Operator,
    OpRole,
    Parameter,
    Program,
    Variable,
    default_main_program,
    default_startup_program,
    device_guard,
    name_scope,
    program_guard,
    switch_main_program,
    switch_startup_program,
)
from paddle_compat.core.tensor import EagerParamBase
from paddle_compat.device import get_device, is_compiled_with_cinn, is_compiled_with_cuda, is_compiled_with_rocm, is_compiled_with_xpu
from paddle_compat.framework.dtype import convert_np_dtype_to_dtype_
from paddle_compat.framework.flags import get_flags, set_flags
from paddle_compat.framework.mode import in_pir_mode
from paddle_compat.static.places import cpu_places, cuda_pinned_places, cuda_places
from paddle_compat.static.versions import require_version


def grad_var_name(var_name: str) -> str:
    """The name of a variable's gradient.

    Args:
        var_name: the variable's name.
    Returns:
        str.

    Example:
        >>> from paddle_compat.base.framework import grad_var_name
        >>> grad_var_name("x")
        'x@GRAD'

    Follows Paddle 2.6.
    """
    return var_name + "@GRAD"


def dygraph_only(func: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function work in eager mode only.

    Args:
        func: the function.
    Returns:
        The function, which raises AssertionError in static mode.

    Example:
        >>> from paddle_compat.base.framework import dygraph_only
        >>> dygraph_only(len)([1, 2])
        2

    Follows Paddle 2.6.
    """

    @functools.wraps(func)
    def checked(*args: Any, **kwargs: Any) -> Any:
        assert in_dygraph_mode(), (
            f"`{func.__name__}` works in eager mode only. Expected paddle.disable_static(). Received: a call in static mode"
        )
        return func(*args, **kwargs)

    return checked


def static_only(func: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function work in static mode only.

    Args:
        func: the function.
    Returns:
        The function, which raises AssertionError in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.base.framework.static_only(len)([1, 2])
        2
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    @functools.wraps(func)
    def checked(*args: Any, **kwargs: Any) -> Any:
        assert not in_dygraph_mode(), (
            f"`{func.__name__}` works in static mode only. Expected paddle.enable_static(). Received: a call in eager mode"
        )
        return func(*args, **kwargs)

    return checked


def _current_expected_place() -> Place:
    """The device that operators run on.

    Returns:
        Place.

    Example:
        >>> import paddle_compat as paddle
        >>> _ = paddle.set_device("cpu")
        >>> paddle.framework._current_expected_place()
        Place(cpu)

    Follows Paddle 2.6.
    """
    from paddle_compat.core.place import CPUPlace, CUDAPlace

    kind, _, number = get_device().partition(":")
    return CPUPlace() if kind == "cpu" else CUDAPlace(int(number or 0))


def _dygraph_tracer() -> None:
    """What records eager operators: nothing, in static mode.

    Raises:
        UnsupportedError: in eager mode, where torch records them.
    """
    if in_dygraph_mode():
        raise UnsupportedError("base.framework._dygraph_tracer", None, "torch.is_grad_enabled, in eager mode")


def dtype_is_floating(dtype: Any) -> bool:
    """Whether a data type is a floating one.

    Args:
        dtype: any spelling of it.
    Returns:
        bool.

    Example:
        >>> from paddle_compat.base.framework import dtype_is_floating
        >>> dtype_is_floating("float16"), dtype_is_floating("int64")
        (True, False)

    Follows Paddle 2.6.
    """
    return convert_dtype(dtype) in (VarType.FP16, VarType.FP32, VarType.FP64)


def _global_flags() -> Any:
    """The flags, as a mapping.

    Returns:
        A mapping: name -> value; setting an item sets the flag.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.framework._global_flags()["FLAGS_check_nan_inf"]
        False

    Follows Paddle 2.6.
    """
    from paddle_compat.core import flags

    return flags.view()


__all__ = [
    "Block", "DataType", "EagerParamBase", "OpProtoHolder", "OpRole", "Operator", "Parameter", "Program", "Variable",
    "convert_np_dtype_to_dtype_", "cpu_places", "cuda_pinned_places", "cuda_places", "default_main_program", "default_startup_program",
    "device_guard", "dtype_is_floating", "dygraph_only", "get_all_op_protos", "get_flags", "grad_var_name", "in_dygraph_mode",
    "in_dynamic_mode", "in_dynamic_or_pir_mode", "in_pir_mode", "is_compiled_with_cinn", "is_compiled_with_cuda",
    "is_compiled_with_rocm", "is_compiled_with_xpu", "name_scope", "program_guard", "require_version", "set_flags", "static_only",
    "switch_main_program", "switch_startup_program",
]  # fmt: skip

__getattr__ = missing(__name__)
