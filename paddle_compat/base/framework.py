"""`paddle.base.framework`: Programs and what belongs to them."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.base import core  # noqa: F401 - harnesses take it from here
from paddle_compat.base._ir_graph import IrGraph
from paddle_compat.base._ir_nodes import IrNode as IrNode
from paddle_compat.base._ir_nodes import IrOpNode as IrOpNode
from paddle_compat.base._ir_nodes import IrVarNode as IrVarNode
from paddle_compat.base._places import (  # noqa: F401 - as above
    _cpu_num,
    _cuda_ids,
    _current_expected_place,
    _current_expected_place_,
    _dygraph_place_guard,
    _get_paddle_place,
    _get_paddle_place_list,
    _set_dygraph_tracer_expected_place,
    _set_expected_place,
)
from paddle_compat.base.wrapped_decorator import signature_safe_contextmanager, wrap_decorator  # noqa: F401 - as above
from paddle_compat.core import capture, flags, mode, unique_name
from paddle_compat.core.dtype import VarType, convert_dtype, torch_dtype
from paddle_compat.core.dtype import data_types as DataType
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.mode import in_dygraph_mode as in_dynamic_mode
from paddle_compat.core.mode import in_dygraph_mode as in_dynamic_or_pir_mode
from paddle_compat.core.op_protos import OpProtoHolder
from paddle_compat.core.op_protos import all_protos as get_all_op_protos
from paddle_compat.core.program import (
    Block,
    Operator,
    OpRole,
    Program,
    default_main_program,
    default_startup_program,
    device_guard,
    name_scope,
    program_guard,
    switch_main_program,
    switch_startup_program,
)
from paddle_compat.core.tensor import EagerParamBase, Tensor
from paddle_compat.device import (
    is_compiled_with_cinn,
    is_compiled_with_cuda,
    is_compiled_with_distribute,
    is_compiled_with_rocm,
    is_compiled_with_xpu,
)
from paddle_compat.framework.dtype import convert_np_dtype_to_dtype_
from paddle_compat.framework.flags import get_flags, set_flags
from paddle_compat.framework.mode import in_cinn_mode, in_pir_executor_mode, in_pir_mode
from paddle_compat.static._kinds import Parameter, Variable
from paddle_compat.static.places import cpu_places, cuda_pinned_places, cuda_places
from paddle_compat.static.versions import require_version

EMPTY_VAR_NAME, TEMP_VAR_NAME, GRAD_VAR_SUFFIX, ZERO_VAR_SUFFIX = "@EMPTY@", "@TEMP@", "@GRAD", "@ZERO"
CONTROL_DEP_VAR_PREFIX = "__control_var"


def canonicalize_attrs(attrs: dict[str, Any], op_proto: Any) -> dict[str, Any]:
    """Attributes in the kinds that an operator takes: numpy's numbers become Python's.

    Args:
        attrs (dict): attributes by name.
        op_proto: the operator's description.
    Returns:
        dict: new, with the same names.

    Example:
        >>> import numpy as np
        >>> from paddle_compat.base.framework import OpProtoHolder, canonicalize_attrs
        >>> canonicalize_attrs({"axis": np.int64(1)}, OpProtoHolder.instance().get_op_proto("concat"))
        {'axis': 1}

    Follows Paddle 2.6.
    """
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in attrs.items()}


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
    return var_name + GRAD_VAR_SUFFIX


def convert_np_dtype_to_proto_type(np_dtype: Any) -> VarType:
    """A data type as Programs have it.

    Args:
        np_dtype: a name, or a data type of numpy's.
    Returns:
        VarType.

    Example:
        >>> from paddle_compat.base import framework
        >>> framework.convert_np_dtype_to_proto_type("float64").name
        'FP64'

    Follows Paddle 3.3.
    """
    return convert_dtype(np_dtype)


def dtype_to_str(in_dtype: Any) -> str:
    """The short name of a floating data type, as names of casts have it.

    Args:
        in_dtype: a data type of Paddle's.
    Returns:
        str.
    Raises:
        TypeError: it is another kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.base.framework.dtype_to_str(paddle.bfloat16)
        'bf16'

    Follows Paddle 3.3.
    """
    short = {VarType.FP16: "fp16", VarType.BF16: "bf16", VarType.FP32: "fp32", VarType.FP64: "fp64"}
    if in_dtype not in short:
        raise TypeError(f"got unsupported data type for promotion: {in_dtype}. Expected a floating one")
    return short[in_dtype]


def use_pir_api() -> bool:
    """Whether Paddle's new IR is recorded: never, Programs are the classic ones.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base.framework import use_pir_api
        >>> use_pir_api()
        False

    Follows Paddle 2.6.
    """
    return False


def non_static_only(func: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function work in eager mode, and where `paddle.jit.to_static` records.

    Args:
        func: the function.
    Returns:
        The function, which raises AssertionError in static mode.

    Example:
        >>> from paddle_compat.base.framework import non_static_only
        >>> non_static_only(len)([1, 2])
        2

    Follows Paddle 2.6.
    """

    @functools.wraps(func)
    def checked(*args: Any, **kwargs: Any) -> Any:
        return (func if capture.current is not None else dygraph_only(func))(*args, **kwargs)

    return checked


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


def _dygraph_tracer() -> Any:
    """What runs operators at once.

    Returns:
        Tracer; None in static mode.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.framework._dygraph_tracer() is not None
        True

    Follows Paddle 2.6.
    """
    if not in_dygraph_mode():
        return None
    from paddle_compat.base.dygraph.tracer import TRACER

    return TRACER


class GlobalThreadLocal:
    """The mode, as attributes of one object."""

    _use_pir_api_ = False
    _functional_dygraph_context_manager = None

    @property
    def _dygraph_tracer_(self) -> Any:
        """What runs operators at once; None in static mode, which to set it to None begins."""
        return _dygraph_tracer()

    @_dygraph_tracer_.setter
    def _dygraph_tracer_(self, tracer: Any) -> None:
        (mode.enable_static if tracer is None else mode.disable_static)()

    @property
    def _in_to_static_mode_(self) -> bool:
        """Whether `to_static` is recording a function."""
        return capture.current is not None


global_var = GlobalThreadLocal()


def _dygraph_guard(tracer: Any) -> AbstractContextManager[None]:
    """Eager mode inside, static mode where the tracer is None; names and Programs stay."""
    return mode.inside(static=tracer is None)


def _get_var(name: str, program: Program | None = None) -> Any:
    """A variable of the main block, by its name."""
    return (program or default_main_program()).global_block().var(name)


def _create_tensor(
    type: VarType = VarType.LOD_TENSOR, name: str | None = None, shape: Any = None, dtype: Any = None, persistable: bool | None = None,
    **kwargs: Any,
) -> Tensor:  # fmt: skip
    """A Tensor whose values nobody has set.

    Args:
        type (VarType): kept.
        name (str): its name; None: a new one.
        shape (list): its shape; None: that of a scalar.
        dtype: its data type; None: float32.
        persistable (bool): whether it counts as a value that is kept.
        kwargs: of no effect.
    Returns:
        Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.framework._create_tensor(shape=[2], dtype="int64").shape
        [2]

    Follows Paddle 2.6.
    """
    made = Tensor(torch.zeros(tuple(shape or ()), dtype=torch_dtype(VarType.FP32 if dtype is None else dtype)))
    made.name = unique_name.generate("generated_tensor") if name is None else name
    made.persistable = bool(persistable)
    return made


@contextlib.contextmanager
def _stride_in_no_check_dy2st_diff() -> Iterator[None]:
    """Where Paddle leaves out a check of views that eager mode and recordings treat differently: here they do not.

    Returns:
        A context manager.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.framework._no_check_dy2st_diff():
        ...     pass

    Follows Paddle 2.6.
    """
    yield


_no_check_dy2st_diff = _stride_in_no_check_dy2st_diff  # its name in `paddle.framework`


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
    return flags.view()


__all__ = [
    "Block", "DataType", "EagerParamBase", "IrGraph", "OpProtoHolder", "OpRole", "Operator",
    "Parameter", "Program", "Variable",
    "canonicalize_attrs", "convert_np_dtype_to_dtype_", "cpu_places", "cuda_pinned_places", "cuda_places", "default_main_program",
    "default_startup_program",
    "device_guard", "dtype_is_floating", "dygraph_only", "get_all_op_protos", "get_flags", "grad_var_name", "in_dygraph_mode",
    "convert_np_dtype_to_proto_type", "dtype_to_str", "in_cinn_mode", "in_pir_executor_mode",
    "in_dynamic_mode", "in_dynamic_or_pir_mode", "in_pir_mode", "is_compiled_with_cinn", "is_compiled_with_cuda",
    "is_compiled_with_distribute", "is_compiled_with_rocm", "is_compiled_with_xpu", "name_scope", "program_guard", "require_version",
    "set_flags", "static_only", "switch_main_program", "switch_startup_program", "use_pir_api",
]  # fmt: skip

__getattr__ = missing(__name__)
