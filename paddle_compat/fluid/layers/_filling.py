"""`fluid.layers.tensor`: tensors of given numbers."""

from __future__ import annotations

from functools import reduce
from operator import mul
from typing import Any

import numpy as np

from paddle_compat.core import mode
from paddle_compat.core.dtype import DTypeLike, VarType, convert_dtype, dtype_name
from paddle_compat.core.errors import UnknownDtypeError, failed_assertion, type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import check_dtype, dtype_number, is_variable, layer, run
from paddle_compat.fluid.layers._shapes import tensors_in


@layer
def cast(x: Variable, dtype: DTypeLike) -> Variable:
    """x in another data type.

    Args:
        x: a Variable.
        dtype: the new data type.
    Returns:
        Variable of the shape of x.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.cast(fluid.data("x", [None, 3]), "int64").shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    number = dtype_number(dtype)
    # eager ones of 1.8 look at nothing but the kernel
    _check_kind("cast", number, (*_CAST_TO, "int16") if mode.in_dygraph_mode() else _CAST_TO)
    return run("cast", x, in_dtype=int(x.dtype), out_dtype=number)


_FILLED = ("bool", "float16", "float32", "float64", "int32", "int64")
_CAST_TO = (*_FILLED, "int8", "uint8")


def _check_kind(api: str, number: int, kinds: tuple[str, ...]) -> None:
    """Refuse a data type that the operator does not make in 1.8."""
    kind = dtype_name(number)
    if kind.startswith("complex"):
        raise UnknownDtypeError(f"Invalid value for argument `dtype` of `{api}`. Expected one of {', '.join(kinds)}. Received: {kind}")
    if kind not in kinds:
        raise type_error("dtype", f"one of {', '.join(kinds)}", kind, api)


_VALUES = {
    VarType.BOOL: "bool_values",
    VarType.FP32: "fp32_values",
    VarType.INT32: "int32_values",
    VarType.INT64: "int64_values",
}


def assign(input: Any, output: Variable | None = None) -> Variable:
    """A copy of a Variable, or a numpy array as a constant.

    Args:
        input: a Variable, or a numpy array of bool, float32, int32 or int64.
        output: a Variable to write to.
    Returns:
        Variable.
    Raises:
        TypeError: the array has another data type.
        ValueError: it has more than a million elements.

    Example:
        >>> import numpy as np, paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.assign(np.ones((2, 3), "float32")).shape
        (2, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("assign", input=input)
    outputs = None if output is None else {"Out": output}
    if not isinstance(input, np.ndarray):
        types = [VarType.FP16, VarType.FP32, VarType.FP64, VarType.INT32, VarType.INT64, VarType.BOOL]
        check_dtype(input, "input", types, "assign")
        return run("assign", input, helper=helper, outputs=outputs)
    dtype = convert_dtype(input.dtype)
    if dtype not in _VALUES:
        raise TypeError(
            f"Invalid data type of argument `input` of `assign`. Expected one of {', '.join(map(dtype_name, _VALUES))}. "
            f"Received: {dtype_name(dtype)}"
        )
    if input.size > 1024 * 1024:
        raise ValueError(
            f"Invalid value for argument `input` of `assign`. Expected at most 1048576 elements. Received: {input.size}"
        )
    values = [int(v) for v in input.flat] if dtype == VarType.BOOL else input.reshape(-1).tolist()
    attrs: dict[str, Any] = {_VALUES[dtype]: values}
    return run("assign_value", helper=helper, outputs=outputs, shape=list(input.shape), dtype=int(dtype), **attrs)


def fill_constant(
    shape: Any, dtype: DTypeLike, value: Any, force_cpu: bool = False, out: Variable | None = None, name: str | None = None
) -> Variable:
    """A tensor of one value.

    Args:
        shape: a list of ints and Variables, or an integer Variable.
        dtype: its data type.
        value: the value, a number or a Variable that holds one.
        force_cpu: kept; the executor's place decides.
        out: a Variable to write to.
        name: the layer's name.
    Returns:
        Variable that stops gradients.
    Raises:
        TypeError: `shape` is no list of ints and integer Variables, or `out` has another data type.
        AssertionError: `shape` is empty.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.fill_constant([2, 3], "int64", 5).shape
        (2, 3)

    Follows Paddle 1.8.
    """
    return _filled(LayerHelper("fill_constant", name=name), shape, dtype, value, force_cpu, out)


def _filled(helper: LayerHelper, shape: Any, dtype: Any, value: Any, force_cpu: bool, out: Variable | None) -> Variable:
    _check_kind("fill_constant", dtype_number(dtype), _FILLED)
    if not is_variable(shape) and not isinstance(shape, (list, tuple)):
        raise type_error("shape", "list, tuple or Variable", shape, "fill_constant")
    if isinstance(shape, (list, tuple)) and not shape:
        raise failed_assertion("shape", "a list that is not empty", shape, "fill_constant")
    for size in (shape,) if is_variable(shape) else filter(is_variable, shape):
        check_dtype(size, "shape", (VarType.INT32, VarType.INT64), "fill_constant")
    if isinstance(out, Variable) and out.dtype != convert_dtype(dtype):
        raise type_error("dtype", f"{dtype_name(out.dtype)}, as out has", dtype_name(dtype_number(dtype)), "fill_constant")
    whole = convert_dtype(dtype) in (VarType.INT32, VarType.INT64)
    tensor, tensors, sizes = tensors_in(shape, lambda size: fill_constant([1], "int32", size, force_cpu=True), int32=True)
    attrs: dict[str, Any] = {"force_cpu": force_cpu}
    if not is_variable(value):
        attrs |= {"str_value": str(int(value) if whole else float(value)), "value": float(value)}
    if sizes is not None:
        attrs["shape"] = sizes
    outputs = None if out is None else {"Out": out}
    inputs = (value if is_variable(value) else None, tensor, tensors)
    return run("fill_constant", *inputs, helper=helper, outputs=outputs, stop=True, dtype=dtype_number(dtype), **attrs)


@layer
def fill_constant_batch_size_like(
    input: Variable,
    shape: Any,
    dtype: DTypeLike,
    value: float,
    input_dim_idx: int = 0,
    output_dim_idx: int = 0,
    force_cpu: bool = False,
) -> Variable:
    """A tensor of one value, with one dimension taken from another Variable.

    Args:
        input: the Variable.
        shape: the dimensions; the one at `output_dim_idx` does not count.
        dtype: its data type.
        value: the value.
        input_dim_idx: which dimension is taken.
        output_dim_idx: where it goes.
        force_cpu: kept; the executor's place decides.
    Returns:
        Variable that stops gradients.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.fill_constant_batch_size_like(fluid.data("x", [None, 3]), [1, 5], "float32", 0.0).shape
        (-1, 5)

    Follows Paddle 1.8.
    """
    whole = convert_dtype(dtype) in (VarType.INT32, VarType.INT64)
    return run(
        "fill_constant_batch_size_like", input, stop=True, shape=list(shape), dtype=dtype_number(dtype), value=float(value),
        input_dim_idx=input_dim_idx, output_dim_idx=output_dim_idx, force_cpu=force_cpu,
        str_value=str(int(value) if whole else float(value)),
    )  # fmt: skip


def ones(shape: Any, dtype: DTypeLike, force_cpu: bool = False) -> Variable:
    """A tensor of ones.

    Args:
        shape: a list of ints and Variables.
        dtype: its data type.
        force_cpu: kept; the executor's place decides.
    Returns:
        Variable that stops gradients.
    Raises:
        TypeError: shape is no list.
        AssertionError: a size is 0 or less.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.ones([2, 3], "float32").shape
        (2, 3)

    Follows Paddle 1.8.
    """
    _need_list(shape, "ones")
    some = reduce(mul, shape) > 0  # operators that nobody reads, where Variables are among the sizes
    if not is_variable(some) and not some:
        raise failed_assertion("shape", "sizes above 0", shape, "ones")
    return fill_constant(shape, dtype, 1.0, force_cpu)


def zeros(shape: Any, dtype: DTypeLike, force_cpu: bool = False, name: str | None = None) -> Variable:
    """A tensor of zeros.

    Args:
        shape: a list of ints and Variables.
        dtype: its data type.
        force_cpu: kept; the executor's place decides.
        name: the layer's name.
    Returns:
        Variable that stops gradients.
    Raises:
        TypeError: shape is no list.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.zeros([2, 3], "float32").shape
        (2, 3)

    Follows Paddle 1.8.
    """
    _need_list(shape, "zeros")
    return fill_constant(shape, dtype, 0.0, force_cpu, name=name)


def _need_list(shape: Any, api: str) -> None:
    if not isinstance(shape, (list, tuple)):
        raise type_error("shape", "list or tuple", shape, api)


@layer
def ones_like(x: Variable, out: Variable | None = None) -> Variable:
    """A tensor of ones of the shape and data type of x.

    Args:
        x: a Variable.
        out: a Variable to write to.
    Returns:
        Variable that stops gradients.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.ones_like(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    outputs = None if out is None else {"Out": out}
    return run("fill_any_like", x, layer="ones_like", outputs=outputs, value=1.0)


@layer
def zeros_like(x: Variable, out: Variable | None = None) -> Variable:
    """A tensor of zeros of the shape and data type of x.

    Args:
        x: a Variable.
        out: a Variable to write to.
    Returns:
        Variable that stops gradients.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.zeros_like(fluid.data("x", [None, 3])).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    outputs = None if out is None else {"Out": out}
    return run("fill_zeros_like", x, layer="zeros_like", outputs=outputs, stop=True)


def full(
    shape: Any,
    fill_value: float,
    out: Variable | None = None,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    stop_gradient: bool = True,
    name: str | None = None,
) -> Variable:
    """A tensor of one value.

    Args:
        shape: a list of ints and Variables, or an integer Variable.
        fill_value: the value.
        out: a Variable to write to.
        dtype: its data type; None: float32.
        device: None, "cpu" or "gpu"; kept, the executor's place decides.
        stop_gradient: kept; it always stops gradients, as in Paddle 1.8.
        name: the layer's name.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.full([2, 1], 0.5).shape
        (2, 1)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("full", name=name)
    if not mode.in_dygraph_mode() and out is None:
        out = helper.create_variable_for_type_inference(dtype or "float32")
    return fill_constant(shape, dtype or "float32", fill_value, out=out)


@layer
def full_like(
    input: Variable,
    fill_value: float,
    out: Variable | None = None,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    stop_gradient: bool = True,
    name: str | None = None,
) -> Variable:
    """A tensor of one value and of the shape of another.

    Args:
        input: a Variable.
        fill_value: the value.
        out: a Variable to write to.
        dtype: its data type; None: that of `input`.
        device: None, "cpu" or "gpu"; kept, the executor's place decides.
        stop_gradient: it stops gradients.
        name: the layer's name.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.full_like(fluid.data("x", [None, 3]), 2.0).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    outputs = None if out is None else {"Out": out}
    found = run(
        "fill_any_like", input, layer="full_like", name=name, outputs=outputs, value=fill_value, dtype=dtype_number(dtype or input.dtype)
    )
    found.stop_gradient = stop_gradient
    return found


def eye(
    num_rows: int, num_columns: int | None = None, batch_shape: Any = None, dtype: DTypeLike = "float32", name: str | None = None
) -> Variable:
    """Matrices with ones on the diagonal.

    Args:
        num_rows, num_columns: their size; as many columns as rows when left out.
        batch_shape: how many of them.
        dtype: the data type.
        name: the layer's name.
    Returns:
        Variable of shape `batch_shape + [num_rows, num_columns]` that stops gradients.
    Raises:
        TypeError: a size is no int, or negative.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.eye(2, 3, batch_shape=[4]).shape
        (4, 2, 3)

    Follows Paddle 1.8.
    """
    columns = num_rows if num_columns is None else num_columns
    for argument, size in (("num_rows", num_rows), ("num_columns", columns)):
        if not isinstance(size, int) or size < 0:
            raise type_error(argument, "an int that is not negative", size, "eye")
    out = run("eye", name=name, stop=True, num_rows=num_rows, num_columns=columns, dtype=dtype_number(dtype))
    if batch_shape is None:
        return out
    if not isinstance(batch_shape, list) or any(not isinstance(size, int) or size <= 0 for size in batch_shape):
        raise type_error("batch_shape", "a list of positive ints", batch_shape, "eye")
    for size in reversed(batch_shape):
        out = run("stack", [out] * size, axis=0)
    return out


def diag(diagonal: Any) -> Variable:
    """A square matrix with these elements on its diagonal.

    Args:
        diagonal: [N], float32, float64, int32 or int64; or a numpy array.
    Returns:
        Variable of shape [N, N].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.diag(fluid.data("x", [3])).shape
        (3, 3)

    Follows Paddle 1.8.
    """
    types = (VarType.FP32, VarType.FP64, VarType.INT32, VarType.INT64)
    helper = LayerHelper("diag", diagonal=diagonal)
    if isinstance(diagonal, np.ndarray):
        diagonal = assign(diagonal)
    check_dtype(diagonal, "diagonal", types, "diag")
    return run("diag", diagonal, helper=helper, stop=True)


def _constants(dtype: DTypeLike, *values: Any) -> list[Variable]:
    """Each number as a Variable of one element."""
    return [v if is_variable(v) else fill_constant([1], dtype, v) for v in values]


def linspace(start: Any, stop: Any, num: Any, dtype: DTypeLike, name: str | None = None) -> Variable:
    """Numbers from `start` to `stop` with equal distances.

    Args:
        start, stop: the bounds, numbers or Variables of one element.
        num: how many, an int or an int32 Variable.
        dtype: float32 or float64.
        name: the layer's name.
    Returns:
        Variable [num].
    Raises:
        TypeError: a bound is of another type.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.linspace(0, 10, 5, "float32").shape
        (-1,)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("linspace", name=name)
    for argument, bound in (("start", start), ("stop", stop)):
        if is_variable(bound):
            check_dtype(bound, argument, (VarType.FP32, VarType.FP64), "linspace")
        elif not isinstance(bound, (int, float)):
            raise type_error(argument, "a number or a Variable", bound, "linspace")
    if is_variable(num):
        check_dtype(num, "num", (VarType.INT32,), "linspace")
    elif not isinstance(num, (int, float)):
        raise type_error("num", "an int or a Variable", num, "linspace")
    first, last = _constants(dtype, start, stop)
    count = num if is_variable(num) else fill_constant([1], "int32", num)
    return run("linspace", first, last, count, helper=helper)


def range(start: Any, end: Any, step: Any, dtype: DTypeLike, name: str | None = None) -> Variable:
    """Numbers from `start` to before `end`, `step` apart.

    Args:
        start, end, step: numbers or Variables of one element.
        dtype: float32, float64, int32 or int64.
        name: the layer's name.
    Returns:
        Variable of one dimension that stops gradients.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.range(0, 10, 2, "int32").shape
        (-1,)

    Follows Paddle 1.8.
    """
    return arange(start, end, step, dtype, name)


def arange(start: Any, end: Any, step: Any = 1, dtype: DTypeLike | None = None, name: str | None = None) -> Variable:
    """Numbers from `start` to before `end`, `step` apart.

    Args:
        start, end, step: numbers or Variables of one element.
        dtype: float32, float64, int32 or int64; None: float32.
        name: the layer's name.
    Returns:
        Variable of one dimension that stops gradients.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.arange(0, 10, 2, "int32").shape
        (-1,)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("range", name=name)
    kind = "float32" if dtype is None else dtype
    bounds = []
    for bound in (start, end, step):
        bound, *_ = _constants(kind, bound)
        bounds.append(bound if bound.dtype == convert_dtype(kind) else cast(bound, kind))
    return run("range", *bounds, helper=helper, stop=True)


__all__ = [
    "arange", "assign", "cast", "diag", "eye", "fill_constant", "fill_constant_batch_size_like", "full", "full_like", "linspace", "ones",
    "ones_like", "range", "zeros", "zeros_like",
]  # fmt: skip
