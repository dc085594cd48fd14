"""Totals that run along a dimension: sums, products and extremes so far, differences, numerical integrals."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import VarType, convert_dtype
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.op import Op
from paddle_compat.core.paddle3 import SINCE_3, SINCE_3_2, paddle3
from paddle_compat.ops import math as ops
from paddle_compat.tensor._calls import (
    COMPLEX,
    INTS,
    NUMBERS,
    check,
    dimension,
    helper_of,
    is_tensor,
    named,
    plain,
    refuse_type,
    smooth,
    static,
    whole_at_once,
)
from paddle_compat.tensor._in_place import in_place
from paddle_compat.tensor._reductions import sum

_DOUBLE = ("float32", "float64")
# Integers that are summed as int64; others in their own type, and before Paddle 3.2 all that its Programs take.
_WIDENED = (VarType.INT8, VarType.UINT8, *((VarType.INT16, VarType.INT32) if SINCE_3_2 else ()))


def _cast_first(x: Any, dtype: Any) -> Any:
    from paddle_compat.tensor.ops import cast

    return x if dtype is None or x.dtype == convert_dtype(dtype) else cast(x, dtype)


@direct(
    "x",
    "cumsum_kernel(x_, axis=-1 if axis is None else axis, flatten=axis is None)",
    f"dtype is None and x_.dtype in {'FLOATS' if SINCE_3_2 else 'NUMERIC'}",
    kind="x_.dtype",
    cumsum_kernel=ops.cumsum.fn,
)
@paddle3(input="x", dim="axis", out=True)
def cumsum(x: Any, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Any:
    """The running sum.

    Args:
        x: a tensor of numbers.
        axis: the dimension; None: x counts as flat.
        dtype: the type to sum in; None: x's own, and int64 for integers in scripts for Paddle 3.2 and later.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.cumsum(paddle.to_tensor([1, 2, 3])).tolist()
        [1, 3, 6]

    Follows Paddle 2.6.
    """
    check(x, "x", "cumsum")
    x = _cast_first(x, dtype or ("int64" if x.dtype in _WIDENED and (SINCE_3_2 or not static(x)) else None))
    check(x, "x", "cumsum", NUMBERS, ("int8", "uint8", "int16", *NUMBERS, *COMPLEX))
    attrs: dict[str, Any] = {"flatten": True} if axis is None else {"axis": whole_at_once(axis, x), "flatten": False}
    return ops.cumsum(x, _helper=named("cumsum", name), **attrs)


def logcumsumexp(x: Any, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Any:
    """The logarithm of the running sum of exponentials.

    Args:
        x: a tensor of floats.
        axis: the dimension; None: x counts as flat.
        dtype: the type to sum in.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.logcumsumexp(paddle.zeros([2])).tolist()]
        [0.0, 0.6931]

    Follows Paddle 2.6.
    """
    x = _cast_first(x, dtype)
    x = smooth(x, "logcumsumexp")
    attrs: dict[str, Any] = {"axis": -1, "flatten": True} if axis is None else {"axis": axis, "flatten": False}
    return ops.logcumsumexp(x, _helper=named("logcumsumexp", name), **attrs)


@direct(
    "x", "torch.cumprod(x_, dim)", "dtype is None and type(dim) is int and x_.dtype in FLOATS and (dim >= 0 or x_.dim())", kind="x_.dtype"
)
@paddle3(input="x", out=True)
def cumprod(x: Any, dim: int | None = None, dtype: Any = None, name: str | None = None) -> Any:
    """The running product.

    Args:
        x: a tensor of numbers.
        dim: the dimension; None: x counts as flat.
        dtype: the type to multiply in.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.cumprod(paddle.to_tensor([1, 2, 3]), 0).tolist()
        [1, 2, 6]

    Follows Paddle 2.6.
    """
    x = _cast_first(x, dtype)
    check(x, "x", "cumprod", NUMBERS + COMPLEX)
    dim, x = (0, x.flatten()) if dim is None else (plain(dim), x)
    if not isinstance(dim, int):
        refuse_type("dim", "int or None", repr(dim), "cumprod", x)
    if dim == -1 and not x.shape and not static(x):
        raise invalid_argument("dim", "0, as x has no dimensions", dim, "cumprod")
    return ops.cumprod(x, dim=dim, _helper=named("cumprod", name))


def _extreme_so_far(api: str, operator: Op, x: Any, axis: int | None, dtype: Any, name: str | None) -> tuple[Any, Any]:
    from paddle_compat.tensor.manipulation import flatten

    if axis is None:
        axis, x = -1, flatten(x, 0, len(x.shape) - 1)
    target = convert_dtype(dtype)
    if target not in (VarType.INT32, VarType.INT64):
        raise type_error("dtype", "int32 or int64", dtype, api)
    check(x, "x", api, INTS + _DOUBLE)
    values, places = operator(x, axis=axis, dtype=int(target), _helper=named(api, name))
    return values, places


def cummax(x: Any, axis: int | None = None, dtype: Any = "int64", name: str | None = None) -> tuple[Any, Any]:
    """The running maximum, and where it stands.

    Args:
        x: a tensor of numbers.
        axis: the dimension; None: x counts as flat.
        dtype: int32 or int64, of the positions.
        name: prefix of the outputs' names.
    Returns:
        Values and positions.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.tolist() for v in paddle.cummax(paddle.to_tensor([1, 3, 2]))]
        [[1, 3, 3], [0, 1, 1]]

    Follows Paddle 2.6.
    """
    return _extreme_so_far("cummax", ops.cummax, x, axis, dtype, name)


def cummin(x: Any, axis: int | None = None, dtype: Any = "int64", name: str | None = None) -> tuple[Any, Any]:
    """The running minimum, and where it stands.

    Args:
        x: a tensor of numbers.
        axis: the dimension; None: x counts as flat.
        dtype: int32 or int64, of the positions.
        name: prefix of the outputs' names.
    Returns:
        Values and positions.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.tolist() for v in paddle.cummin(paddle.to_tensor([3, 1, 2]))]
        [[3, 1, 1], [0, 1, 1]]

    Follows Paddle 2.6.
    """
    return _extreme_so_far("cummin", ops.cummin, x, axis, dtype, name)


# ---- differences and integrals
@paddle3(input="x", dim="axis", out=True)
def diff(x: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None, name: str | None = None) -> Any:
    """The differences of neighbouring elements, n times.

    Args:
        x: a tensor.
        n: how often.
        axis: the dimension.
        prepend, append: tensors put before and behind x first.
        name: prefix of the outputs' names.
    Returns:
        A tensor, shorter by n.
    Raises:
        ValueError: n is less than 1.
        IndexError: x has no dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.diff(paddle.to_tensor([1, 4, 9])).tolist()
        [3, 5]

    Follows Paddle 2.6.
    """
    from paddle_compat.ops import indexing, logic, manipulation
    from paddle_compat.tensor._arithmetic import subtract

    if n < 1:
        raise ValueError(f"Invalid value for argument `n` of `diff`. Expected at least 1. Received: {n}")
    check(x, "x", "diff", ("bool", "int32", "int64", "float16", *_DOUBLE), ("bool", "int16", *NUMBERS, *COMPLEX))
    axis = dimension(plain(axis), len(x.shape), "diff")
    out = x
    for step in range(n):  # with what is put in front and behind each time, as in Paddle 2; Paddle 3 does it once
        if step and SINCE_3:
            prepend = append = None
        helper = named("diff", name)
        if static(x) and isinstance(helper, str):
            helper = helper_of("diff")
        pieces = [p for p in (prepend, out, append) if p is not None]
        if len(pieces) > 1:
            out = manipulation.concat(pieces, axis=axis, _helper=helper)
        size = out.shape[axis]
        first = indexing.slice_(out, axes=[axis], starts=[0], ends=[size - 1], _helper=helper)
        second = indexing.slice_(out, axes=[axis], starts=[1], ends=[size], _helper=helper)
        out = logic.logical_xor(second, first, _helper=helper) if out.dtype == VarType.BOOL else subtract(second, first)
    return out


def _trapezoids(y: Any, x: Any, dx: float | None, axis: int, total: Callable[..., Any]) -> Any:
    from paddle_compat.tensor.creation import arange, to_tensor
    from paddle_compat.tensor.manipulation import gather, unsqueeze

    for value, label in ((y, "y"), (x, "x")):
        if value is not None and is_tensor(value) and value.dtype not in (VarType.FP16, VarType.FP32, VarType.FP64):
            raise type_error(label, "a tensor of float16, float32 or float64", value, "trapezoid")
    if x is None:
        width = to_tensor(1.0 if dx is None else dx)
    else:
        if dx is not None:
            raise ValueError("Invalid value for argument `dx` of `trapezoid`. Expected x or dx. Received: both")
        if not len(x.shape) == 1 and list(x.shape) != list(y.shape):
            raise ValueError(
                f"Invalid value for argument `x` of `trapezoid`. Expected shape {list(y.shape)} or a vector. Received: {list(x.shape)}"
            )
        width = diff(x) if len(x.shape) == 1 else diff(x, axis=axis)
        if len(width.shape) < len(y.shape):
            for _ in range(axis % len(y.shape) + 1, len(y.shape)):
                width = unsqueeze(width, -1)
    size = y.shape[axis]
    upper, lower = gather(y, arange(1, size), axis), gather(y, arange(0, size - 1), axis)
    return 0.5 * total((upper + lower) * width, axis)


def trapezoid(y: Any, x: Any = None, dx: float | None = None, axis: int = -1, name: str | None = None) -> Any:
    """The integral by trapezoids.

    Args:
        y: values of the function, floats.
        x: where they were taken; None: dx apart.
        dx: the distance; None: 1.
        axis: the dimension.
        name: has no effect.
    Returns:
        A tensor without that dimension.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.trapezoid(paddle.to_tensor([1.0, 2.0, 3.0])).item()
        4.0

    Follows Paddle 2.6.
    """
    return _trapezoids(y, x, dx, dimension(axis, len(y.shape), "trapezoid"), lambda v, a: sum(v, a))


def cumulative_trapezoid(y: Any, x: Any = None, dx: float | None = None, axis: int = -1, name: str | None = None) -> Any:
    """The running integral by trapezoids.

    Args:
        y: values of the function, floats.
        x: where they were taken; None: dx apart.
        dx: the distance; None: 1.
        axis: the dimension.
        name: has no effect.
    Returns:
        A tensor, shorter by 1.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.cumulative_trapezoid(paddle.to_tensor([1.0, 2.0, 3.0])).tolist()
        [1.5, 4.0]

    Follows Paddle 2.6.
    """
    return _trapezoids(y, x, dx, dimension(axis, len(y.shape), "cumulative_trapezoid"), lambda v, a: cumsum(v, a))


@wraps(cumsum)
def _cumsum_of_its_type(x: Any, axis: int | None = None, dtype: Any = None, name: str | None = None) -> Any:
    out = cumsum(x, axis, dtype, name)
    return out if dtype is not None or out.dtype == x.dtype else out.astype(x.dtype)


cumsum_, cumprod_ = map(in_place, (_cumsum_of_its_type, cumprod))

__all__ = [
    "cummax", "cummin", "cumprod", "cumprod_", "cumsum", "cumsum_", "cumulative_trapezoid", "diff", "logcumsumexp", "trapezoid",
]  # fmt: skip
