"""New tensors: constants, ranges, identity, triangles, copies of Python data."""

from __future__ import annotations

import builtins
import warnings
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import VarType, convert_dtype, default, dtype_name, exact_dtype, torch_dtype
from paddle_compat.core.errors import type_error
from paddle_compat.core.open_sizes import is_open
from paddle_compat.core.paddle3 import SINCE_3, SINCE_3_3, paddle3
from paddle_compat.core.program import device_guard
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.ops import creation, manipulation
from paddle_compat.tensor._calls import (
    COMPLEX,
    FLOATS,
    INTS,
    NUMBERS,
    check,
    check_all,
    ended,
    float_or_variable,
    helper_of,
    is_tensor,
    named,
    need,
    number,
    plain,
    static,
)
from paddle_compat.tensor._from_data import assign, clone, complex, polar, to_tensor
from paddle_compat.tensor._shapes import constant, fill, need_ints, shape_inputs
from paddle_compat.tensor._triangles import diag, diag_embed, diagflat, tril, tril_, tril_indices, triu, triu_, triu_indices

_FILLED = ("bool", "int8", "uint8", "int16", "int32", "int64", *FLOATS, *COMPLEX, "float8_e4m3fn", "float8_e5m2")
_LISTED = "here and type(shape) is list"
_KIND = "dtype=KINDS[default() if dtype is None else dtype], device=here"


@direct("", f"torch.full(shape, fill_value, {_KIND})", f"type(fill_value) in NUMBERS and {_LISTED}", default=default)
@paddle3(size="shape", made=True)
def full(shape: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor with one value everywhere.

    Args:
        shape: a list of ints and tensors, or a tensor.
        fill_value: a number, or a tensor of one element.
        dtype: its data type; None: the default one, and bool for a truth value in scripts for Paddle 3.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.
        AssertionError: in eager mode, a tensor of none or several elements shall fill it.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.full([2], 1.5).tolist()
        [1.5, 1.5]

    Follows Paddle 2.6.
    """
    kind = "complex128" if type(fill_value) is builtins.complex and not static() else default()  # as Paddle 3
    if SINCE_3 and type(fill_value) is builtins.bool:
        kind = "bool"
    return _filled(shape, kind if dtype is None else dtype, fill_value, name=name)


def fill_constant(shape: Any, dtype: Any, value: Any, force_cpu: bool = False, out: Any = None, name: str | None = None) -> Any:
    """A tensor with one value everywhere.

    Args:
        shape: a list of ints and tensors, or a tensor.
        dtype: its data type.
        value: a number, or a tensor of one element.
        force_cpu: whether it shall live on the CPU.
        out: a Variable to write to.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.
        AssertionError: in eager mode, a tensor of none or several elements shall fill it.

    Example:
        >>> from paddle_compat.tensor.creation import fill_constant
        >>> fill_constant([2], "int64", 3).tolist()
        [3, 3]

    Follows Paddle 2.6.
    """
    # Paddle 2 refuses "int" and "double" in Programs. `full`, `zeros` and `ones` take them, as Paddle 3's do; this name is for Paddle's
    # own code and tests, which look at what is refused
    return _filled(shape, exact_dtype(dtype) if static() and not SINCE_3 else dtype, value, force_cpu, out, name)


def _filled(shape: Any, dtype: Any, value: Any, force_cpu: bool = False, out: Any = None, name: str | None = None) -> Any:
    target = convert_dtype(dtype)
    if dtype_name(target) not in _FILLED:
        raise type_error("dtype", f"one of {', '.join(_FILLED)}", dtype, "fill_constant")
    if isinstance(shape, np.ndarray) and not static():
        shape = list(shape.reshape(-1))
    need_ints(shape, "shape", "fill_constant")
    if not is_tensor(value):
        value = number(value)
        if isinstance(value, str):
            value = float(value)
        need(value, "value", "fill_constant", bool, int, float, builtins.complex)
    return fill(shape, value, target, force_cpu, name, out)


@direct("", f"torch.zeros(shape, {_KIND})", _LISTED, default=default)
@paddle3(size="shape", sizes="shape", made=True)
def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of zeros.

    Args:
        shape: a list of ints and tensors, or a tensor.
        dtype: its data type; None: the default one.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.zeros([2], "int32").tolist()
        [0, 0]

    Follows Paddle 2.6.
    """
    return _filled(shape, default() if dtype is None else dtype, 0.0, name=name)


@direct("", f"torch.ones(shape, {_KIND})", _LISTED, default=default)
@paddle3(size="shape", sizes="shape", made=True)
def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of ones.

    Args:
        shape: a list of ints and tensors, or a tensor.
        dtype: its data type; None: the default one.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones([2], "int32").tolist()
        [1, 1]

    Follows Paddle 2.6.
    """
    return _filled(shape, default() if dtype is None else dtype, 1.0, name=name)


@direct(
    "x",
    "torch.full_like(x_, fill_value, memory_format=torch.contiguous_format)",
    "dtype is None and type(fill_value) in NUMBERS and x_.dtype in FLOATS",
    kind="x_.dtype",
)
@paddle3(input="x", made=True)
def full_like(x: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of x's shape with one value everywhere.

    Args:
        x: a tensor.
        fill_value: a number, or a Variable that holds one.
        dtype: its data type; None: x's.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.full_like(paddle.zeros([2]), 3, "int64").tolist()
        [3, 3]

    Follows Paddle 2.6.
    """
    target = x.dtype if dtype is None else convert_dtype(dtype)
    kinds = ("bool", "int16", "int32", "int64", *FLOATS, *COMPLEX, *(() if static(x) and not SINCE_3 else ("int8", "uint8")))
    check(x, "x", "full_like", kinds)
    if dtype_name(target) not in kinds:
        raise type_error("dtype", f"one of {', '.join(kinds)}", dtype, "full_like")
    value = _value(fill_value, target, static(x))
    return ended(creation.fill_any_like(x, value=value, dtype=int(target), _helper=named("full_like", name)))


def _value(value: Any, kind: VarType, records: bool) -> Any:
    """What a tensor of that data type is filled with; an operator's attribute is no complex number."""
    value = number(value)
    if isinstance(value, builtins.complex) and not records:
        return value if dtype_name(kind) in COMPLEX else value.real
    return float_or_variable(value)


@direct("x", "torch.zeros_like(x_, memory_format=torch.contiguous_format)", "dtype is None and x_.dtype in NUMERIC", kind="x_.dtype")
@paddle3(input="x", made=True)
def zeros_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Zeros of x's shape.

    Args:
        x: a tensor.
        dtype: their data type; None: x's.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.zeros_like(paddle.ones([2])).tolist()
        [0.0, 0.0]

    Follows Paddle 2.6.
    """
    return full_like(x, 0, dtype, name)


@direct("x", "torch.ones_like(x_, memory_format=torch.contiguous_format)", "dtype is None and x_.dtype in NUMERIC", kind="x_.dtype")
@paddle3(input="x", made=True)
def ones_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Ones of x's shape.

    Args:
        x: a tensor.
        dtype: their data type; None: x's.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ones_like(paddle.zeros([2])).tolist()
        [1.0, 1.0]

    Follows Paddle 2.6.
    """
    return full_like(x, 1, dtype, name)


@paddle3(size="shape", sizes="shape", made=True)
def empty(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor whose values are up to chance (here zeros).

    Args:
        shape: a list of ints and tensors, or a tensor.
        dtype: its data type; None: the default one.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.empty([2, 3]).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    target = default() if dtype is None else convert_dtype(dtype) if static() else exact_dtype(dtype)
    whole, parts, written = shape_inputs(shape, "shape", "empty", creates=True)
    return ended(creation.empty(whole, parts, shape=written, dtype=int(target), _helper=named("empty", name)))


@paddle3(input="x", made=True)
def empty_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of x's shape whose values are up to chance (here zeros).

    Args:
        x: a tensor.
        dtype: its data type; None: x's.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.empty_like(paddle.zeros([2, 3])).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.attribute import shape

    check(x, "x", "empty_like", _FILLED)
    target = x.dtype if dtype is None else convert_dtype(dtype)
    if not static(x):
        return creation.empty(shape=list(x.shape), dtype=int(target))
    helper = helper_of("empty_like", name)
    out = helper.create_variable_for_type_inference(target, stop_gradient=True)
    known = list(x.shape) if SINCE_3 else []
    return creation.empty(shape(x), shape=known, dtype=int(target), _helper=helper, _outputs={"Out": out})


def _end(value: Any, target: VarType, name: str, api: str) -> Any:
    """One end of a range as a tensor of the range's type."""
    if not is_tensor(value):
        with device_guard("cpu"):
            return constant(number(value), target)
    from paddle_compat.tensor.ops import cast

    check(value, name, api, NUMBERS)
    return value if value.dtype == target else cast(value, target)


def _is_whole(end: Any) -> bool:
    """Whether an end of a range is a whole number."""
    return end.dtype in (VarType.INT32, VarType.INT64) if is_tensor(end) else is_open(end) or isinstance(number(end), int)


@direct(
    "",
    "torch.arange(0 if end is None else start, start if end is None else end, step, device=here)",
    "here and type(start) is int and (end is None or type(end) is int) and type(step) is int and (dtype is None or dtype == 'int64')",
)
@paddle3(made=True)
def arange(start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: str | None = None) -> Any:
    """Numbers from `start` up to `end` (left out), `step` apart.

    Args:
        start, end, step: numbers or tensors of one element; with one argument, that is the end.
        dtype: int32, int64, float16, float32 or float64; None: int64, or the default one if a float is among the arguments.
        name: prefix of the output's name.
    Returns:
        A vector.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.arange(1, 7, 2).tolist()
        [1, 3, 5]

    Follows Paddle 2.6.
    """
    if end is None:
        start, end = 0, start
    if dtype is None:
        target = VarType.INT64 if all(map(_is_whole, (start, end, step))) else default()
    else:
        target = convert_dtype(dtype)
    if dtype_name(target) not in NUMBERS:
        raise type_error("dtype", f"one of {', '.join(NUMBERS)}", dtype, "arange")
    open_ = [v.item() if isinstance(v, Tensor) else v for v in (start, end, step)] if torch.compiler.is_exporting() else []
    if any(map(is_open, open_)):
        return Tensor(torch.arange(*open_, dtype=torch_dtype(target)))
    ends = [_end(v, target, label, "arange") for v, label in ((start, "start"), (end, "end"), (step, "step"))]
    out = creation.range_(*ends, _helper=named("range", name))
    out.stop_gradient = True
    if static(*ends) and not any(is_tensor(v) for v in (start, end, step)):
        out.shape = (max(0, int(np.ceil((end - start) / step))),)
    return out


def _line(api: str, values: tuple[Any, ...], num: Any, dtype: Any, name: str | None, force_cpu: bool) -> Any:
    target = default() if dtype is None else convert_dtype(dtype)
    kinds = INTS + ("float32", "float64")
    if dtype_name(target) not in kinds:
        raise type_error("dtype", f"one of {', '.join(kinds)}", dtype, api)
    first, last, *base = values
    num = Tensor(torch.tensor(num)) if is_open(num) else num
    made = []
    for value, kind in ((first, target), (last, target), (num, VarType.INT32), *((b, target) for b in base)):
        if is_tensor(value):
            made.append(value)
            continue
        if value is num:
            need(number(value), "num", api, *((int,) if static(*values) else (int, float)))
        value = number(value)
        with device_guard("cpu"):
            made.append(constant(float(value) if kind != VarType.INT32 else int(value), kind, force_cpu=force_cpu))
    operator = creation.logspace if base else creation.linspace
    out = operator(*made, dtype=int(target), _helper=named(api, name))
    if static(*made) and not is_tensor(num):
        out.shape = (int(num),)
    return out


@paddle3(end="stop", steps="num", made=True)
def linspace(start: Any, stop: Any, num: Any, dtype: Any = None, name: str | None = None) -> Any:
    """`num` numbers from `start` to `stop`, both included.

    Args:
        start, stop, num: numbers, or tensors of one element.
        dtype: int32, int64, float32 or float64; None: the default one.
        name: prefix of the output's name.
    Returns:
        A vector.
    Raises:
        TypeError: dtype is none of those.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.linspace(0, 1, 3).tolist()
        [0.0, 0.5, 1.0]

    Follows Paddle 2.6.
    """
    return _line("linspace", (start, stop), num, dtype, name, True)


def logspace(start: Any, stop: Any, num: Any, base: Any = 10.0, dtype: Any = None, name: str | None = None) -> Any:
    """`base` to the powers that `linspace` gives.

    Args:
        start, stop, num, base: numbers, or tensors of one element.
        dtype: int32, int64, float32 or float64; None: the default one.
        name: prefix of the output's name.
    Returns:
        A vector.
    Raises:
        TypeError: dtype is none of those.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.logspace(0, 2, 3).tolist()
        [1.0, 10.0, 100.0]

    Follows Paddle 2.6.
    """
    return _line("logspace", (start, stop, base), num, dtype, name, False)


@paddle3(n="num_rows", m="num_columns", made=True)
def eye(num_rows: int, num_columns: int | None = None, dtype: Any = None, name: str | None = None) -> Any:
    """Ones on the diagonal of a matrix of zeros.

    Args:
        num_rows: how many rows, an int or a Variable.
        num_columns: how many columns; None: as many.
        dtype: its data type; None: the default one.
        name: prefix of the output's name.
    Returns:
        [num_rows, num_columns].
    Raises:
        TypeError: a number is negative.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.eye(2).tolist()
        [[1.0, 0.0], [0.0, 1.0]]

    Follows Paddle 2.6.
    """
    num_rows = plain(num_rows)
    columns = num_rows if num_columns is None else plain(num_columns)
    for value, label in ((num_rows, "num_rows"), (columns, "num_columns")):
        if not isinstance(value, Variable) and (not isinstance(value, int) or value < 0):
            raise type_error(label, "an int of at least 0, or a Variable", value, "eye")
    target = default() if dtype is None else convert_dtype(dtype)
    if static() and dtype_name(target) not in ("float16", "float32", "float64", "int32", "int64"):
        raise type_error("dtype", "float16, float32, float64, int32 or int64", dtype, "eye")
    out = creation.eye(num_rows=num_rows, num_columns=columns, dtype=int(target), _helper=named("eye", name))
    out.stop_gradient = True
    return out


def meshgrid(*args: Any, **kwargs: Any) -> list[Any]:
    """Coordinate grids: output n holds the n-th vector along dimension n.

    Args:
        args: vectors, or one list of them.
        kwargs: `name`, the prefix of the outputs' names. Paddle 3's `indexing="xy"` has no effect, as in Paddle 2.6, and is warned of;
            in scripts for Paddle 3.3 it swaps the first two dimensions.
    Returns:
        As many tensors, of one shape.
    Raises:
        TypeError: an argument is no tensor of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> [g.tolist() for g in paddle.meshgrid(paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4]))]
        [[[1, 1], [2, 2]], [[3, 4], [3, 4]]]

    Follows Paddle 2.6.
    """
    vectors = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
    swapped = kwargs.get("indexing", "ij") == "xy" and SINCE_3_3 and len(vectors) > 1
    if kwargs.get("indexing", "ij") != "ij" and not swapped:
        warnings.warn(
            f"`indexing` of `paddle.meshgrid` has no effect, as in Paddle 2.6. Expected 'ij'. Received: {kwargs['indexing']!r}, "
            "which swaps the first two dimensions of each grid in Paddle 3.",
            stacklevel=2,
        )
    check_all(vectors, "x", "meshgrid", NUMBERS if static(*vectors) else NUMBERS + COMPLEX)
    grids = list(manipulation.meshgrid(list(vectors), _helper=named("meshgrid", kwargs.get("name"))))
    return [grid.transpose([1, 0, *range(2, len(grids))]) for grid in grids] if swapped else grids


def create_parameter(
    shape: Any,
    dtype: Any,
    name: str | None = None,
    attr: Any = None,
    is_bias: bool = False,
    default_initializer: Any = None,
) -> Any:
    """A parameter: a tensor that training updates.

    Args:
        shape: its dimensions.
        dtype: its data type.
        name: its name.
        attr: a ParamAttr.
        is_bias: whether it starts as zeros by default.
        default_initializer: what fills it, where the attributes name no initializer.
    Returns:
        A Parameter.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.tensor.creation.create_parameter([2, 3], "float32").shape
        [2, 3]

    Follows Paddle 2.6.
    """
    from paddle_compat.static.variables import create_parameter as create

    return create(shape, dtype, name, attr, is_bias, default_initializer)


def create_tensor(dtype: Any, name: str | None = None, persistable: bool = False) -> Any:
    """A tensor without a value yet, to be written by another function.

    Args:
        dtype: its data type.
        name: its name.
        persistable: whether it lives between runs.
    Returns:
        A Variable; in eager mode an empty Tensor.
    Raises:
        TypeError: dtype is none.

    Example:
        >>> from paddle_compat.tensor.creation import create_tensor
        >>> create_tensor("float32").shape
        [0]

    Follows Paddle 2.6.
    """
    target = convert_dtype(dtype)
    if not static():
        return Tensor(torch.empty(0, dtype=torch_dtype(target)), name, persistable)
    helper = helper_of("create_tensor", name)
    return helper.create_variable(name=helper.name, dtype=target, persistable=persistable)


__all__ = [
    "arange", "assign", "clone", "complex", "create_parameter", "create_tensor", "diag", "diag_embed", "diagflat", "empty", "empty_like",
    "eye", "fill_constant", "full", "full_like", "linspace", "logspace", "meshgrid", "ones", "ones_like", "polar", "to_tensor", "tril",
    "tril_", "tril_indices", "triu", "triu_", "triu_indices", "zeros", "zeros_like",
]  # fmt: skip

__getattr__ = missing(__name__)
