"""New tensors: constants, ranges, identity, triangles, copies of Python data."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import torch

from paddle_compat.core.dtype import VarType, convert_dtype, default, dtype_name, torch_dtype
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.tensor import Tensor
from paddle_compat.ops import arrangement, creation, manipulation
from paddle_compat.ops import math as ops
from paddle_compat.tensor._calls import (
    BOOL,
    COMPLEX,
    FLOATS,
    INTS,
    NUMBERS,
    check,
    check_all,
    helper_of,
    in_place,
    is_tensor,
    named,
    need,
    number,
    static,
)
from paddle_compat.tensor._shapes import array_of, constant, fill, need_ints, shape_inputs

_FILLED = ("bool", "uint8", "int16", "int32", "int64", *FLOATS, *COMPLEX)


def full(shape: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor with one value everywhere.

    Args:
        shape: a list of ints and tensors, or a tensor.
        fill_value: a number, or a tensor of one element.
        dtype: its data type; None: the default one.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.full([2], 1.5).tolist()
        [1.5, 1.5]

    Follows Paddle 2.6.
    """
    return fill_constant(shape, default() if dtype is None else dtype, fill_value, name=name)


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

    Example:
        >>> from paddle_compat.tensor.creation import fill_constant
        >>> fill_constant([2], "int64", 3).tolist()
        [3, 3]

    Follows Paddle 2.6.
    """
    target = convert_dtype(dtype)
    if dtype_name(target) not in _FILLED:
        raise type_error("dtype", f"one of {', '.join(_FILLED)}", dtype, "fill_constant")
    need_ints(shape, "shape", "fill_constant")
    if not is_tensor(value):
        value = number(value)
        if isinstance(value, str):
            value = float(value)
        need(value, "value", "fill_constant", bool, int, float, builtins.complex)
    return fill(shape, value, target, force_cpu, name, out)


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
    return fill_constant(shape, default() if dtype is None else dtype, 0.0, name=name)


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
    return fill_constant(shape, default() if dtype is None else dtype, 1.0, name=name)


def full_like(x: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """A tensor of x's shape with one value everywhere.

    Args:
        x: a tensor.
        fill_value: a number.
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
    kinds = ("bool", "int16", "int32", "int64", *FLOATS)
    check(x, "x", "full_like", kinds)
    if dtype_name(target) not in kinds:
        raise type_error("dtype", f"one of {', '.join(kinds)}", dtype, "full_like")
    out = creation.fill_any_like(x, value=float(number(fill_value)), dtype=int(target), _helper=named("full_like", name))
    out.stop_gradient = True
    return out


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
    target = default() if dtype is None else convert_dtype(dtype)
    whole, parts, written = shape_inputs(shape, "shape", "empty", creates=True)
    out = creation.empty(whole, parts, shape=written, dtype=int(target), _helper=named("empty", name))
    out.stop_gradient = True
    return out


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
    return creation.empty(shape(x), dtype=int(target), _helper=helper, _outputs={"Out": out})


def _end(value: Any, target: VarType, name: str, api: str) -> Any:
    """One end of a range as a tensor of the range's type."""
    if not is_tensor(value):
        return constant(number(value), target)
    from paddle_compat.tensor.ops import cast

    check(value, name, api, NUMBERS)
    return value if value.dtype == target else cast(value, target)


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
        whole = all(v.dtype in (VarType.INT32, VarType.INT64) if is_tensor(v) else isinstance(number(v), int) for v in (start, end, step))
        target = VarType.INT64 if whole else default()
    else:
        target = convert_dtype(dtype)
    if dtype_name(target) not in NUMBERS:
        raise type_error("dtype", f"one of {', '.join(NUMBERS)}", dtype, "arange")
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
    made = []
    for value, kind in ((first, target), (last, target), (num, VarType.INT32), *((b, target) for b in base)):
        if is_tensor(value):
            made.append(value)
            continue
        value = number(value)
        made.append(constant(float(value) if kind != VarType.INT32 else int(value), kind, force_cpu=force_cpu))
    operator = creation.logspace if base else creation.linspace
    out = operator(*made, dtype=int(target), _helper=named(api, name))
    if static(*made) and isinstance(num, int):
        out.shape = (num,)
    return out


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


def eye(num_rows: int, num_columns: int | None = None, dtype: Any = None, name: str | None = None) -> Any:
    """Ones on the diagonal of a matrix of zeros.

    Args:
        num_rows: how many rows.
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
    columns = num_rows if num_columns is None else num_columns
    for value, label in ((num_rows, "num_rows"), (columns, "num_columns")):
        if not isinstance(value, int) or value < 0:
            raise type_error(label, "an int of at least 0", value, "eye")
    target = default() if dtype is None else convert_dtype(dtype)
    out = creation.eye(num_rows=num_rows, num_columns=columns, dtype=int(target), _helper=named("eye", name))
    out.stop_gradient = True
    return out


def _triangle(api: str, x: Any, diagonal: int, name: str | None) -> Any:
    check(x, "x", api, BOOL + NUMBERS + COMPLEX)
    if len(x.shape) < 2:
        raise ValueError(f"Invalid value for argument `x` of `{api}`. Expected two dimensions or more. Received: shape {list(x.shape)}")
    need(diagonal, "diagonal", api, int)
    attrs: dict[str, Any] = {"diagonal": diagonal, "lower": api == "tril"}
    if not static(x):
        return arrangement.tril_triu(x, **attrs)
    helper = helper_of(api, name)
    out = helper.create_variable(name=helper.name, dtype=x.dtype, persistable=False)
    return arrangement.tril_triu(x, _helper=helper, _outputs={"Out": out}, **attrs)


def tril(x: Any, diagonal: int = 0, name: str | None = None) -> Any:
    """The lower triangle of each matrix, zeros above.

    Args:
        x: [..., N, M].
        diagonal: the last diagonal kept; 0 is the main one.
        name: the output's name.
    Returns:
        A tensor like x.
    Raises:
        ValueError: x has fewer than two dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.tril(paddle.ones([2, 2])).tolist()
        [[1.0, 0.0], [1.0, 1.0]]

    Follows Paddle 2.6.
    """
    return _triangle("tril", x, diagonal, name)


def triu(x: Any, diagonal: int = 0, name: str | None = None) -> Any:
    """The upper triangle of each matrix, zeros below.

    Args:
        x: [..., N, M].
        diagonal: the first diagonal kept; 0 is the main one.
        name: the output's name.
    Returns:
        A tensor like x.
    Raises:
        ValueError: x has fewer than two dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.triu(paddle.ones([2, 2])).tolist()
        [[1.0, 1.0], [0.0, 1.0]]

    Follows Paddle 2.6.
    """
    return _triangle("triu", x, diagonal, name)


def tril_indices(row: int, col: int, offset: int = 0, dtype: Any = "int64") -> Any:
    """Row and column numbers of the lower triangle of a matrix.

    Args:
        row, col: the matrix's size.
        offset: the last diagonal.
        dtype: int32 or int64.
    Returns:
        [2, N].
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.tril_indices(2, 2).tolist()
        [[0, 1, 1], [0, 0, 1]]

    Follows Paddle 2.6.
    """
    for value, label in ((row, "row"), (col, "col"), (offset, "offset")):
        need(value, label, "tril_indices", int)
    attrs: dict[str, Any] = {"rows": row, "cols": col, "offset": offset, "dtype": int(convert_dtype(dtype))}
    out = creation.tril_indices(_helper="tril_indices", **attrs)
    out.stop_gradient = True
    return out


def triu_indices(row: int, col: int | None = None, offset: int = 0, dtype: Any = "int64") -> Any:
    """Row and column numbers of the upper triangle of a matrix.

    Args:
        row, col: the matrix's size; col None: as many as rows.
        offset: the first diagonal.
        dtype: int32 or int64.
    Returns:
        [2, N].
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.triu_indices(2).tolist()
        [[0, 0, 1], [0, 1, 1]]

    Follows Paddle 2.6.
    """
    columns = row if col is None else col
    for value, label in ((row, "row"), (columns, "col"), (offset, "offset")):
        need(value, label, "triu_indices", int)
    attrs: dict[str, Any] = {"row": row, "col": columns, "offset": offset, "dtype": int(convert_dtype(dtype))}
    out = creation.triu_indices(_helper="triu_indices", **attrs)
    out.stop_gradient = True
    return out


def diag(x: Any, offset: int = 0, padding_value: float = 0, name: str | None = None) -> Any:
    """A square matrix with that diagonal, or the diagonal of a matrix.

    Args:
        x: a vector or a matrix.
        offset: which diagonal; 0 is the main one.
        padding_value: what fills the rest of the matrix.
        name: prefix of the output's name.
    Returns:
        A matrix, or a vector.
    Raises:
        ValueError: x has other dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.diag(paddle.to_tensor([1, 2])).tolist()
        [[1, 0], [0, 2]]

    Follows Paddle 2.6.
    """
    check(x, "x", "diag_v2", NUMBERS)
    if len(x.shape) not in (1, 2):
        raise ValueError(f"Invalid value for argument `x` of `diag`. Expected one or two dimensions. Received: shape {list(x.shape)}")
    attrs: dict[str, Any] = {"offset": offset, "padding_value": float(padding_value)}
    out = arrangement.diag_v2(x, _helper=named("diag_v2", name), **attrs)
    if static(x):
        out.stop_gradient = True
    return out


def diagflat(x: Any, offset: int = 0, name: str | None = None) -> Any:
    """A square matrix with all elements of x on a diagonal.

    Args:
        x: a tensor.
        offset: which diagonal.
        name: prefix of the output's name.
    Returns:
        A matrix.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.diagflat(paddle.to_tensor([[1, 2]])).tolist()
        [[1, 0], [0, 2]]

    Follows Paddle 2.6.
    """
    check(x, "x", "diagflat", INTS + ("float16", "float32", "float64"))
    need(offset, "offset", "diagflat", int)
    if not static(x):
        flat = x if len(x.shape) == 1 else manipulation.flatten_contiguous_range(x, start_axis=0, stop_axis=-1)
        return arrangement.diag_v2(flat, offset=offset)
    helper = helper_of("diagflat", name)
    # Paddle makes all three variables first, whether it needs them or not
    flat, shape, out = (helper.create_variable_for_type_inference(x.dtype) for _ in range(3))
    if len(x.shape) != 1:
        outputs = {"Out": flat, "XShape": shape}
        manipulation.flatten_contiguous_range(x, start_axis=0, stop_axis=-1, _helper=helper, _outputs=outputs)
        flat.stop_gradient = True
    else:
        flat = x
    arrangement.diag_v2(flat, offset=offset, padding_value=0.0, _helper=helper, _outputs={"Out": out})
    out.stop_gradient = True
    return out


def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """Square matrices whose diagonals are the last dimension of the input.

    Args:
        input: [..., N].
        offset: which diagonal.
        dim1, dim2: the dimensions of the matrices in the output.
    Returns:
        [..., N, N].
    Raises:
        TypeError: the input is no tensor of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.diag_embed(paddle.to_tensor([[1.0, 2.0]])).tolist()
        [[[1.0, 0.0], [0.0, 2.0]]]

    Follows Paddle 2.6.
    """
    check(input, "Input", "diag_embed", INTS + ("float16", "float32", "float64"))
    out = arrangement.diag_embed(input, offset=offset, dim1=dim1, dim2=dim2, _helper="diag_embed")
    if static(input):
        out.stop_gradient = True
    return out


def meshgrid(*args: Any, **kwargs: Any) -> list[Any]:
    """Coordinate grids: output n holds the n-th vector along dimension n.

    Args:
        args: vectors, or one list of them.
        kwargs: `name`, the prefix of the outputs' names.
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
    check_all(vectors, "x", "meshgrid", NUMBERS)
    return list(manipulation.meshgrid(list(vectors), _helper=named("meshgrid", kwargs.get("name"))))


def assign(x: Any, output: Any = None) -> Any:
    """A copy of a tensor, or of Python data.

    Args:
        x: a tensor, numpy array, number, or list of numbers.
        output: a tensor to write to.
    Returns:
        A tensor.
    Raises:
        TypeError: x is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.assign([1.0, 2.5]).tolist()
        [1.0, 2.5]

    Follows Paddle 2.6.
    """
    if is_tensor(x):
        check(x, "input", "assign", ("bool", "int8", "uint8", "int32", "int64", *FLOATS))
        if static(x, output):
            return ops_assign(x, output)
        out = arrangement.assign(x)
    else:
        need(x, "input", "assign", np.ndarray, list, tuple, float, int, bool, np.generic)
        values = x if isinstance(x, (np.ndarray, list, tuple)) else [x]
        out = _assigned(array_of(values), output)
        if static(out):
            return out
    if output is not None:
        output._t = out._t
        return output
    return out


def ops_assign(x: Any, output: Any = None) -> Any:
    """Record an `assign` of a Variable, to another where one is given."""
    return arrangement.assign(x, _helper="assign", _outputs=None if output is None else {"Out": output})


_VALUES = {
    VarType.BOOL: ("bool_values", int), VarType.INT32: ("int32_values", int), VarType.INT64: ("int64_values", int),
    VarType.FP32: ("fp32_values", float), VarType.FP64: ("fp32_values", float),
}  # fmt: skip


def _assigned(array: Any, output: Any = None, shape: Any = None) -> Any:
    """Python data as an assign_value, whose data type has an attribute of its own."""
    kind = convert_dtype(array.dtype)
    if kind not in _VALUES:
        raise type_error("input", "bool, int32, int64, float32 or float64", array.dtype, "assign")
    attribute, convert = _VALUES[kind]
    if kind == VarType.FP64:
        kind = VarType.FP32  # Paddle stores Python's floats as float32
    attrs: dict[str, Any] = {attribute: [convert(v) for v in array.reshape(-1)], "shape": list(array.shape) if shape is None else shape}
    out = creation.assign_value(
        dtype=int(kind),
        _helper="assign",
        _outputs={"Out": output} if output is not None and static(output) else None,
        **attrs,
    )
    out.stop_gradient = True
    return out


def clone(x: Any, name: str | None = None) -> Any:
    """A copy of x that gradients flow through.

    Args:
        x: a tensor.
        name: has no effect.
    Returns:
        A tensor like x.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.clone(paddle.to_tensor([1.0])).tolist()
        [1.0]

    Follows Paddle 2.6.
    """
    return x.clone()


def complex(real: Any, imag: Any, name: str | None = None) -> Any:
    """real + i imag.

    Args:
        real, imag: float32 or float64; shapes broadcast.
        name: prefix of the output's name.
    Returns:
        A complex tensor.
    Raises:
        TypeError: an argument is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.complex(paddle.to_tensor([1.0]), paddle.to_tensor([2.0])).tolist()
        [(1+2j)]

    Follows Paddle 2.6.
    """
    for value, label in ((real, "real"), (imag, "imag")):
        check(value, label, "complex", ("float32", "float64"))
    return ops.complex(real, imag, _helper=named("complex", name))


def polar(abs: Any, angle: Any, name: str | None = None) -> Any:
    """Complex numbers from lengths and angles.

    Args:
        abs, angle: float32 or float64.
        name: has no effect.
    Returns:
        A complex tensor.
    Raises:
        TypeError: an argument is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.polar(paddle.to_tensor([2.0]), paddle.to_tensor([0.0])).tolist()
        [(2+0j)]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.ops import cos, sin

    for value, label in ((abs, "abs"), (angle, "angle")):
        check(value, label, "paddle.polar", ("float32", "float64"))
    return complex(abs * cos(angle), abs * sin(angle))


def to_tensor(data: Any, dtype: Any = None, place: Any = None, stop_gradient: bool = True) -> Any:
    """Python data, or a numpy array, as a tensor.

    Args:
        data: numbers, nested lists, numpy arrays, tensors. Python floats become the default data type.
        dtype: its data type; None: that of the data.
        place: where it shall live.
        stop_gradient: whether gradients stop at it.
    Returns:
        A tensor; in static mode a Variable.
    Raises:
        TypeError: the data are nothing of the kind.
        ValueError: they form no array.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.to_tensor([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]

    Follows Paddle 2.6.
    """
    if static(data):
        return _to_variable(data, dtype, stop_gradient)
    target = None if dtype is None else torch_dtype(dtype)
    if isinstance(data, (Tensor, LoDTensor)):
        value = (data._t if isinstance(data, Tensor) else data._tensor()).detach().clone()
    elif isinstance(data, torch.Tensor):
        value = data.detach().clone()
    else:
        value = torch.from_numpy(np.array(_python_array(data), order="C"))
    value = value if target is None else value.to(target)
    if place is not None and (device := getattr(place, "torch_device", None)) is not None:
        value = value.to(device)
    out = Tensor(value)
    out.stop_gradient = stop_gradient
    return out


def _python_array(data: Any) -> Any:
    """Python data as an array: floats and complex numbers of Python in the default precision."""
    if isinstance(data, (list, tuple)):
        data = [v.numpy() if isinstance(v, Tensor) else v for v in data]
    kinds = (np.ndarray, np.generic, list, tuple, bool, int, float, builtins.complex)
    if not isinstance(data, kinds):
        raise type_error("data", "numbers, lists, numpy arrays or tensors", data, "to_tensor")
    try:
        array = np.array(data)
    except ValueError as error:
        raise invalid_argument("data", "lists of equal lengths", data, "to_tensor") from error
    if array.dtype == object:
        raise invalid_argument("data", "numbers in lists of equal lengths", data, "to_tensor")
    if not isinstance(data, (np.ndarray, np.generic)):
        if array.dtype == np.float64:
            array = array.astype(dtype_name(default()) if default() != VarType.BF16 else "float32")
        elif array.dtype == np.complex128:
            array = array.astype("complex64")
    return array


def _to_variable(data: Any, dtype: Any, stop_gradient: bool) -> Any:
    from paddle_compat.tensor.ops import cast

    if is_tensor(data):
        return data if dtype is None or data.dtype == convert_dtype(dtype) else cast(data, dtype)
    array = np.asarray(data)
    if array.dtype == object:  # Variables among the data
        from paddle_compat.tensor.manipulation import stack

        out = stack([_to_variable(v, dtype, stop_gradient) for v in data])
    else:
        out = _assigned(array, shape=list(array.shape))
    if dtype is not None and out.dtype != convert_dtype(dtype):
        out = cast(out, dtype)
    out.stop_gradient = stop_gradient
    return out


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


tril_, triu_ = map(in_place, (tril, triu))

__all__ = [
    "arange", "assign", "clone", "complex", "create_parameter", "create_tensor", "diag", "diag_embed", "diagflat", "empty", "empty_like",
    "eye", "fill_constant", "full", "full_like", "linspace", "logspace", "meshgrid", "ones", "ones_like", "polar", "to_tensor", "tril", "tril_",
    "tril_indices", "triu", "triu_", "triu_indices", "zeros", "zeros_like",
]  # fmt: skip
