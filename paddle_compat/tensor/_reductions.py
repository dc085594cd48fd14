"""Many elements become few: sums, extremes, products."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from operator import index
from typing import Any

import numpy as np

from paddle_compat.core.attribute_variables import variables_of
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import VarType, convert_dtype
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Op
from paddle_compat.core.paddle3 import SINCE_3, paddle3, placed
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.ops import reduction
from paddle_compat.tensor._calls import (
    ALL,
    BOOL,
    COMPLEX,
    INTS,
    NUMBERS,
    check,
    is_tensor,
    named,
    need,
    refuse_type,
    smooth,
    static,
)
from paddle_compat.tensor._shapes import as_list, parts

_DOUBLE = ("float32", "float64")
_ONE = "type(axis) is int and x._t.dim()"
# what a short way takes: as many dimensions as there are may be one that is named twice
_MANY = "(len(axis) < 2 or len(axis) < x_.dim() or axis == [*range(x_.dim())])"
AXES = f"(axis is None or type(axis) is int or type(axis) is list and axis and {_MANY})"


def axes_of(axis: Any, shape: Sequence[int]) -> tuple[Any, bool]:
    """The dimensions of a reduction as Paddle writes them, and whether they are all of them; Variables may tell them."""
    rank = len(shape)
    if isinstance(axis, Variable):
        return axis, (axis.shape[0] if axis.shape else 1) == rank
    if isinstance(axis, (list, tuple)) and variables_of(axis):
        return parts(axis), False
    several = axis if isinstance(axis, (list, tuple, range)) else [] if axis is None else as_list(getattr(axis, "tolist", lambda: axis)())
    try:
        axes = [index(a.item() if isinstance(a, Tensor) else a) for a in several]
    except TypeError:
        refuse_type("axis", "int, list or tuple of ints", axis, "a reduction")
    for a in axes:
        if not -builtins.max(rank, 1) <= a < builtins.max(rank, 1):
            raise invalid_argument("axis", f"{-rank} to {rank - 1}, as x has shape {list(shape)}", a)
    if len(axes) > 1 and rank and not static() and len({a % rank for a in axes}) < len(axes):
        raise invalid_argument("axis", "dimensions that differ from each other", axes)
    return axes, not axes or len(axes) == rank


def _reduced(
    api: str, operator: Op, dtypes: tuple[str, ...], layer: str, what: str, example: str, gives: str, short: str = "FLOATS",
    whole: str = "", along: str = "",
) -> Callable[..., Any]:  # fmt: skip
    """A function (x, axis, keepdim, name) that writes one reduce operator; `short`: which data types go a short way; `whole` and
    `along`: and how, where no gradient is wanted, if all of x is reduced, or one dimension."""

    def function(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
        check(x, "x", api, dtypes, dtypes + COMPLEX if dtypes is _LOGICAL else None)
        axes, whole = axes_of(axis, x.shape)
        return operator(x, dim=axes, keep_dim=keepdim, reduce_all=whole, _helper=named(layer, name))

    function.__name__ = function.__qualname__ = api
    function.__doc__ = f"""{what}

    Args:
        x: a tensor of {", ".join(dtypes)}.
        axis: along which dimensions, an int or a list; None: all.
        keepdim: whether the dimensions stay, with size 1.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.{api}(paddle.to_tensor({example}), 1).tolist()
        {gives}

    Follows Paddle 2.6.
    """
    call = f"{operator.type}(x_, dim=[] if axis is None else [axis] if type(axis) is int else axis, keep_dim=keepdim)"
    kernels: dict[str, Any] = {operator.type: operator.fn, "all_of": reduction.all_of, "any_of": reduction.any_of}
    at_once = f"x._t.dtype in {short} and not x._t.requires_grad and "
    first = [("x", whole, at_once + "axis is None and keepdim is False"), ("x", f"{along}(x_, axis, keepdim)", at_once + _ONE)]
    put = direct("x", call, f"{AXES} and x_.dtype in {short}", *(first if whole else ()), kind="x_.dtype", **kernels)
    return put(paddle3(input="x", dim="axis", out=True)(function) if api not in ("max", "min") else function)


_TABLE = "[[1.0, 2.0], [3.0, 4.0]]"
max = _reduced(
    "max", reduction.reduce_max, NUMBERS, "max", "The largest element.", _TABLE, "[2.0, 4.0]", "FLOATS", "torch.max(x_)", "torch.amax",
)  # fmt: skip
min = _reduced(
    "min", reduction.reduce_min, NUMBERS, "min", "The smallest element.", _TABLE, "[1.0, 3.0]", "FLOATS", "torch.min(x_)", "torch.amin",
)  # fmt: skip
amax = _reduced(
    "amax", reduction.reduce_amax, INTS + _DOUBLE, "amax", "The largest element; equal ones share the gradient.", _TABLE,
    "[2.0, 4.0]",
)  # fmt: skip
amin = _reduced(
    "amin", reduction.reduce_amin, INTS + _DOUBLE, "amin", "The smallest element; equal ones share the gradient.", _TABLE,
    "[1.0, 3.0]",
)  # fmt: skip
_LOGICAL = BOOL + INTS + _DOUBLE
_FLAGS = "[[True, False], [True, True]]"
all = _reduced(
    "all", reduction.reduce_all, _LOGICAL, "all", "Whether all elements are true.", _FLAGS, "[False, True]", "BOOL", "all_of(x_)", "all_of",
)  # fmt: skip
any = _reduced(
    "any", reduction.reduce_any, _LOGICAL, "any", "Whether any element is true.", _FLAGS, "[True, True]", "BOOL", "any_of(x_)", "any_of",
)  # fmt: skip


@direct("x", "torch.sum(x_, axis, keepdim)", f"{AXES} and dtype is None and x_.dtype in FLOATS", kind="x_.dtype")
@paddle3(input="x", dim="axis", out=True)
def sum(x: Any, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The sum of elements; of bool and int32 it is int64.

    Args:
        x: a tensor.
        axis: along which dimensions, an int or a list; None: all.
        dtype: the type to sum in; a bool is meant for keepdim, as in `sum(x, 1, True)`.
        keepdim: whether the dimensions stay, with size 1.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: x is no tensor of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.sum(paddle.to_tensor([[1, 2], [3, 4]]), 0).tolist()
        [4, 6]

    Follows Paddle 2.6.
    """
    if isinstance(dtype, bool):  # torch's order, which Paddle 3 takes, too
        dtype, keepdim = keepdim or None, dtype
    check(x, "x", "sum", ("bool", "int16", *NUMBERS, *COMPLEX), ALL)
    if axis is not None and not is_tensor(axis):
        need(axis, "axis", "sum", int, np.integer, list, tuple, *(() if SINCE_3 or static(x) else (np.ndarray,)))
    axes, _ = axes_of(axis, x.shape)
    attrs: dict[str, Any] = {"dim": axes, "keep_dim": keepdim, "reduce_all": False}
    if dtype is not None:
        attrs.update(in_dtype=int(x.dtype), out_dtype=int(convert_dtype(dtype)))
    return reduction.reduce_sum(x, _helper=named("sum", name), **attrs)


@placed("out name")
@direct(
    "x",
    "prod_kernel(x_, dim=[] if axis is None else [axis] if type(axis) is int else axis, keep_dim=keepdim)",
    f"{AXES} and dtype is None and x_.dtype in FLOATS",
    kind="x_.dtype",
    window=True,
    prod_kernel=reduction.reduce_prod.fn,
)
@paddle3(input="x", dim="axis", out=True)
def prod(x: Any, axis: Any = None, keepdim: bool = False, dtype: Any = None, name: str | None = None) -> Any:
    """The product of elements.

    Args:
        x: a tensor of numbers.
        axis: along which dimensions, an int or a list; None: all.
        keepdim: whether the dimensions stay, with size 1.
        dtype: the type to multiply in.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: x is no tensor of numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.prod(paddle.to_tensor([[1, 2], [3, 4]]), 0).tolist()
        [3, 8]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.ops import cast

    if dtype is not None and x.dtype != convert_dtype(dtype):
        x = cast(x, dtype)
    check(x, "x/input", "reduce_prod", NUMBERS, NUMBERS + COMPLEX)
    axes, whole = axes_of(axis, x.shape)
    return reduction.reduce_prod(x, dim=axes, keep_dim=keepdim, reduce_all=whole, _helper=named("reduce_prod", name))


@direct(
    "x",
    "logsumexp_kernel(x_, axis=[axis] if type(axis) is int else axis or [], keepdim=keepdim, reduce_all=axis is None)",
    f"{AXES} and x_.dtype in FLOATS",
    kind="x_.dtype",
    logsumexp_kernel=reduction.logsumexp.fn,
)
@paddle3(input="x", dim="axis", out=True)
def logsumexp(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The logarithm of the sum of exponentials.

    Args:
        x: a tensor of floats.
        axis: along which dimensions, an int or a list; None: all.
        keepdim: whether the dimensions stay, with size 1.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> round(paddle.logsumexp(paddle.zeros([2])).item(), 4)
        0.6931

    Follows Paddle 2.6.
    """
    x = smooth(x, "logsumexp")
    axes, whole = axes_of(axis, x.shape)
    return reduction.logsumexp(x, axis=axes, keepdim=keepdim, reduce_all=whole, _helper=named("logsumexp", name))


def count_nonzero(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """How many elements are not zero.

    Args:
        x: a tensor.
        axis: along which dimensions, an int or a list; None: all.
        keepdim: whether the dimensions stay, with size 1.
        name: prefix of the output's name.
    Returns:
        Counts, int64.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.count_nonzero(paddle.to_tensor([0, 3, 5])).item()
        2

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.ops import cast

    return sum(cast(cast(x, "bool"), "int64"), axis, keepdim=keepdim, name=name)


def nansum(x: Any, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The sum of elements; NaN counts as 0.

    Args:
        x: a tensor of numbers.
        axis: along which dimensions, an int or a list; None: all.
        dtype: the type to sum in.
        keepdim: whether the dimensions stay, with size 1.
        name: prefix of the output's name.
    Returns:
        A tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nansum(paddle.to_tensor([1.0, float("nan"), 2.0])).item()
        3.0

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.creation import zeros_like
    from paddle_compat.tensor.ops import isnan
    from paddle_compat.tensor.search import where

    check(x, "x", "nansum", INTS + ("float16", *_DOUBLE), INTS + ("float16", *_DOUBLE, *COMPLEX))
    zeros = zeros_like(x)
    return sum(where(isnan(x), zeros, x), axis, dtype, keepdim, name)


def nanmean(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The mean of the elements that are not NaN.

    Args:
        x: a tensor of floats.
        axis: along which dimensions, an int or a list; None: all.
        keepdim: whether the dimensions stay, with size 1.
        name: has no effect.
    Returns:
        A tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nanmean(paddle.to_tensor([1.0, float("nan"), 2.0])).item()
        1.5

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor._arithmetic import divide
    from paddle_compat.tensor.ops import bitwise_not, isnan

    axis = [axis] if isinstance(axis, int) else axis
    x = x.astype("float32") if is_tensor(x) and not static(x) and x.dtype == VarType.INT32 else x  # as Paddle 3.3
    check(x, "X", "nanmean", ("float16", *_DOUBLE), ("float16", "int64", *_DOUBLE, *COMPLEX))
    count = sum(bitwise_not(isnan(x)), axis, keepdim=keepdim)
    return divide(nansum(x, axis, keepdim=keepdim, name=name), count.astype(x.dtype))


# ---- running totals


__all__ = ["all", "amax", "amin", "any", "count_nonzero", "logsumexp", "max", "min", "nanmean", "nansum", "prod", "sum"]
