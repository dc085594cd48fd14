"""Means, variances, medians, quantiles."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.errors import UnimplementedError, failed_assertion, invalid_argument, type_error
from paddle_compat.core.paddle3 import SINCE_3, SINCE_3_2, paddle3, placed
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.ops import creation, reduction
from paddle_compat.tensor._calls import ALL, COMPLEX, FLOATS, INTS, NUMBERS, check, is_int, is_tensor, named, need, static
from paddle_compat.tensor._reductions import AXES, axes_of
from paddle_compat.tensor._reductions import any as any_of


@direct(
    "x",
    "mean_of(x_, [axis] if type(axis) is int else axis, keepdim)",
    f"{AXES} and x_.dtype in FLOATS",
    kind="x_.dtype",
    mean_of=reduction.mean_of,
)
@paddle3(input="x", dim="axis", out=True)
def mean(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None, *, dtype: Any = None) -> Any:
    """The mean of elements.

    Args:
        x: a tensor of floats.
        axis: along which dimensions, an int or a list; None: all.
        keepdim: whether the dimensions stay, with size 1.
        name: prefix of the output's name.
        dtype: the type to compute in; None: x's.
    Returns:
        A tensor.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.mean(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), 0).tolist()
        [2.0, 3.0]

    Follows Paddle 2.6.
    """
    if dtype is not None and is_tensor(x):
        x = x.astype(dtype)
    if static(x) or not is_tensor(x):
        kinds = ("bool", "int32", "int64", *FLOATS)  # whole numbers as Paddle 3
        check(x, "x/input", "mean/reduce_mean", kinds, (*kinds, *COMPLEX))
    axes, whole = axes_of(axis, x.shape)
    return reduction.reduce_mean(x, dim=axes, keep_dim=keepdim, reduce_all=whole, _helper=named("mean", name))


@direct(
    "x",
    "variance(x_, [axis] if type(axis) is int else axis, unbiased, keepdim)",
    f"{AXES} and unbiased in (True, False) and x_.dtype in FLOATS",
    kind="x_.dtype",
    variance=partial(reduction.variance, least=0.0) if SINCE_3_2 else reduction.variance,
)
@paddle3(input="x", dim="axis", out=True)
def var(x: Any, axis: Any = None, unbiased: bool = True, keepdim: bool = False, name: str | None = None, *, correction: float = 1) -> Any:
    """The variance.

    Args:
        x: a tensor of float16, float32 or float64.
        axis: along which dimensions, an int or a list; None: all.
        unbiased: divided by N - 1, else by N.
        keepdim: whether the dimensions stay, with size 1.
        name: prefix of some outputs' names.
        correction: divided by N - correction, for another one than 1.
    Returns:
        A tensor.
    Raises:
        TypeError: x is no such tensor.
        ValueError: unbiased and correction say two things.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.var(paddle.to_tensor([1.0, 2.0, 3.0])).item()
        1.0

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor._arithmetic import pow
    from paddle_compat.tensor._reductions import sum
    from paddle_compat.tensor.creation import full
    from paddle_compat.tensor.ops import cast
    from paddle_compat.tensor.search import where

    check(x, "x", "var", ("float16", "float32", "float64"), None if static(x) else ALL)
    if unbiased and x.dtype in (VarType.COMPLEX64, VarType.COMPLEX128):
        raise UnimplementedError(f"Invalid data type of argument `x` of `var`. Expected real numbers. Received: {x.dtype}")
    if correction != 1 and not unbiased:
        raise ValueError(f"Invalid value for argument `correction` of `var`. Expected 1, as unbiased is given. Received: {correction}")
    least = 0 if SINCE_3_2 or correction != 1 else 1  # one element has the variance 0 here, in all versions before 3.2
    taken_off = correction if unbiased else 0
    centre = mean(x, axis, True, name)
    out = sum(pow(x - centre, 2), axis, keepdim=keepdim, name=name)
    if 0 in x.shape:
        return out / math.nan
    if not static(x):
        count = x.size / max(out.size, 1)
        result = out / float(max(count - taken_off, least))
        return result.astype(x.dtype) if is_int(x) else result  # cut off, as the mean is
    whole, parts = (cast(numel(v), "int64") for v in (x, out))
    count = (whole / parts).astype(x.dtype)
    if taken_off:
        limit = full([], float(taken_off), x.dtype)
        count = where(count > limit, count - float(taken_off), limit if least else full([], 0.0, x.dtype))
    count.stop_gradient = True
    return out / count


@direct(
    "x",
    "torch.sqrt(variance(x_, [axis] if type(axis) is int else axis, unbiased, keepdim))",
    f"{AXES} and unbiased in (True, False) and x_.dtype in FLOATS",
    kind="x_.dtype",
)
def std(x: Any, axis: Any = None, unbiased: bool = True, keepdim: bool = False, name: str | None = None) -> Any:
    """The standard deviation.

    Args:
        x: a tensor of float16, float32 or float64.
        axis: along which dimensions, an int or a list; None: all.
        unbiased: divided by N - 1, else by N.
        keepdim: whether the dimensions stay, with size 1.
        name: prefix of some outputs' names.
    Returns:
        A tensor.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.std(paddle.to_tensor([1.0, 2.0, 3.0])).item()
        1.0

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.ops import sqrt

    if static(x):
        check(x, "x", "std", ("float16", "float32", "float64"))
    return sqrt(var(x, axis, unbiased, keepdim, name))


@direct("x", "size_kernel(x_)", kind="torch.int64", size_kernel=creation.size.fn)
def numel(x: Any, name: str | None = None) -> Any:
    """How many elements a tensor has, as a tensor.

    Args:
        x: a tensor.
        name: prefix of the output's name.
    Returns:
        [], int64.
    Raises:
        TypeError: x is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.numel(paddle.ones([2, 3])).item()
        6

    Follows Paddle 2.6.
    """
    if not is_tensor(x):
        raise type_error("x", "a tensor", x, "numel")
    return creation.size(x, _helper=named("numel", name))


@placed("mode name")
@paddle3(input="x", dim="axis", out=True, meant={"mode": "min"})
def median(x: Any, axis: int | None = None, keepdim: bool = False, name: str | None = None, *, mode: str = "avg") -> Any:
    """The median; of an even count, the mean of the middle two. NaN among the elements gives NaN.

    Args:
        x: a tensor of numbers.
        axis: the dimension; None: x counts as flat.
        keepdim: whether the dimension stays, with size 1.
        name: has no effect.
        mode: "avg", or "min" for the lower one of the middle two, which Paddle 3's names of arguments mean if it is not given.
    Returns:
        A tensor, float64 for float64, else float32; in the mode "min" a tensor like x, and for one dimension also where it stands.
    Raises:
        TypeError: x is no tensor.
        ValueError: axis lies outside.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.median(paddle.to_tensor([3.0, 1.0, 2.0, 4.0])).item()
        2.5

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor._reductions import sum
    from paddle_compat.tensor.manipulation import flatten, reshape, slice, squeeze
    from paddle_compat.tensor.ops import cast, isnan
    from paddle_compat.tensor.search import topk

    if not is_tensor(x):
        raise type_error("x", "a tensor", x, "median")
    _check_mode(mode, "median")
    rank = len(x.shape)
    if axis is not None and (not isinstance(axis, int) or not -max(rank, 1) <= axis < max(rank, 1)):
        refused = invalid_argument if rank else failed_assertion
        raise refused("axis", "a dimension of x", axis, "median")
    if 0 in x.shape:
        return _of_nothing(x, axis, keepdim, mode, "float64" if x.dtype == VarType.FP64 else "float32")
    if mode == "avg" and SINCE_3:
        return _even_middle(cast(x, "float64" if x.dtype == VarType.FP64 else "float32"), axis, keepdim)
    if mode == "avg" and -1 in (x.shape if axis is None or not rank else [x.shape[axis]]):  # how many there are, a run tells
        kind = "float64" if x.dtype == VarType.FP64 else "float32"
        number = nanmedian(cast(x, kind), axis, keepdim)
        return number + sum(cast(isnan(x), kind) * _of_kind(x, kind), axis, keepdim=keepdim)
    if mode == "min":
        return _lower_middle(x, axis, keepdim, ignore_nan=False)
    if dtype_name(x.dtype) in ("bool", "int8", "uint8", "int16"):  # as Paddle 3
        x = cast(x, "float32")
    flat = axis is None or rank == 0
    if flat:
        x, axis = flatten(x), 0
    assert axis is not None
    axis %= max(len(x.shape), 1)
    size = x.shape[axis]
    kind = "float64" if x.dtype == VarType.FP64 else "float32"
    ordered, _ = topk(x, (size >> 1) + 1, axis, largest=False)
    middle = size >> 1
    if size & 1:
        out = cast(slice(ordered, [axis], [middle], [middle + 1]), kind)
    else:
        low = slice(ordered, [axis], [middle - 1], [middle])
        high = slice(ordered, [axis], [middle], [middle + 1])
        out = cast(low + high, kind) / 2
    out = out + sum(cast(isnan(x), kind) * _of_kind(x, kind), axis, keepdim=True)  # NaN, if any element is
    if flat:
        return reshape(out, [1] * rank if keepdim else [])
    return out if keepdim else squeeze(out, axis)


def _of_kind(x: Any, kind: str) -> Any:
    """x as floats of the kind, which whole numbers do not meet by themselves in scripts for Paddle 3."""
    from paddle_compat.tensor.ops import cast

    return cast(x, kind) if SINCE_3 and dtype_name(x.dtype) not in FLOATS else x


def _check_mode(mode: str, api: str) -> None:
    if mode not in ("avg", "min"):
        raise invalid_argument("mode", "'avg' or 'min'", repr(mode), api)


def _of_nothing(x: Any, axis: Any, keepdim: bool, mode: str, kind: Any) -> Any:
    """The median of no elements: NaN, in the mode "min" with the place 0."""
    from paddle_compat.tensor._reductions import sum
    from paddle_compat.tensor.creation import zeros_like
    from paddle_compat.tensor.ops import cast

    out = cast(sum(cast(x, x.dtype if dtype_name(x.dtype) in FLOATS else "float32"), axis, keepdim=keepdim) / math.nan, kind)
    return (out, zeros_like(out, "int64")) if mode == "min" and isinstance(axis, int) else out


def _of_nan(x: Any, at: int) -> Any:
    """NaN where x has some along a dimension, each of which has an equal part of the gradient; else 0."""
    from paddle_compat.tensor._bounds import clip
    from paddle_compat.tensor._reductions import sum
    from paddle_compat.tensor.creation import zeros_like
    from paddle_compat.tensor.ops import cast, isnan
    from paddle_compat.tensor.search import where

    nan = isnan(x)
    return sum(where(nan, x, zeros_like(x)), at, keepdim=True) / clip(sum(cast(nan, x.dtype), at, keepdim=True), 1)


def _equals(x: Any, value: Any, at: int) -> Any:
    """The value, whose gradient goes in equal parts to all elements along a dimension that equal it."""
    from paddle_compat.tensor._reductions import amin
    from paddle_compat.tensor.creation import full_like
    from paddle_compat.tensor.search import where

    return amin(where(x == value, x, full_like(x, math.inf)), at, keepdim=True)


def _even_middle(x: Any, axis: int | None, keepdim: bool) -> Any:
    """The median of Paddle 3, whose gradient goes in equal parts to all elements that are it, NaN too."""
    from paddle_compat.tensor.manipulation import reshape, slice, squeeze
    from paddle_compat.tensor.ops import isnan
    from paddle_compat.tensor.search import topk, where

    flat, at, kept = _one_dimension(x, axis)
    if flat.shape[at] == -1:  # how many there are, a run tells
        out = nanmedian(flat, at, True)
    else:
        middle = flat.shape[at] >> 1
        ordered, _ = topk(flat, middle + 1, at, largest=False)
        high = slice(ordered, [at], [middle], [middle + 1])
        low = high if flat.shape[at] & 1 else slice(ordered, [at], [middle - 1], [middle])
        out = where(low == high, _equals(flat, high, at), (low + high) / 2)
    out = where(any_of(isnan(flat), at, True), _of_nan(flat, at), out)
    if axis is None or not x.shape:
        return reshape(out, kept if keepdim else [])
    return out if keepdim else squeeze(out, at)


def _lower_middle(x: Any, axis: Any, keepdim: bool, ignore_nan: bool) -> Any:
    """The lower one of the middle two elements, for one dimension with its place; NaN comes first, or does not count."""
    from paddle_compat.tensor._reductions import sum
    from paddle_compat.tensor.creation import full_like
    from paddle_compat.tensor.manipulation import reshape, slice, squeeze, take_along_axis
    from paddle_compat.tensor.ops import cast, isnan, logical_not
    from paddle_compat.tensor.search import argmax, argsort, where

    flat, at, kept = _one_dimension(x, axis)
    nan = isnan(flat)
    places = argsort(flat, at)
    if ignore_nan:
        count = sum(cast(logical_not(nan), "int64"), at, keepdim=True)
        middle = (where(count > 0, count, full_like(count, 1)) - 1) // 2
        place = take_along_axis(places, middle, at)
    else:
        middle = (flat.shape[at] - 1) >> 1
        if flat.shape[at] == -1:
            middle = sum(full_like(cast(nan, "int64"), 1), at, keepdim=True)
            place = take_along_axis(places, (middle - 1) // 2, at)
        else:
            place = slice(places, [at], [middle], [middle + 1])
        first = argmax(cast(nan, "int32"), at, keepdim=True)
        place = where(any_of(nan, at, True), first, place)
    value = take_along_axis(flat, place, at)
    if ignore_nan:
        nowhere = 0 - cast(any_of(count > 0), "int64")  # if there are numbers elsewhere
        place = where(count > 0, place, full_like(place, 1) * nowhere)
    if not isinstance(axis, int) and dtype_name(x.dtype) in FLOATS:
        value = where(isnan(value), _of_nan(flat, at), _equals(flat, value, at))
    if axis is None or not x.shape:
        value = reshape(value, kept if keepdim else [])
        return (value, full_like(value, 0, "int64")) if isinstance(axis, int) else value
    if not isinstance(axis, int):
        return reshape(value, kept) if keepdim else squeeze(value, at)
    return (value, place) if keepdim else (squeeze(value, at), squeeze(place, at))


@placed("mode name")
def nanmedian(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None, *, mode: str = "avg") -> Any:
    """The median of the elements that are not NaN.

    Args:
        x: a tensor of numbers.
        axis: along which dimensions, an int or a list; None: all.
        keepdim: whether the dimensions stay, with size 1.
        name: prefix of the output's name.
        mode: "avg", or "min" for the lower one of the middle two.
    Returns:
        A tensor like x; in the mode "min", for one dimension, also where it stands.
    Raises:
        TypeError: x is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nanmedian(paddle.to_tensor([1.0, float("nan"), 3.0])).item()
        2.0

    Follows Paddle 2.6.
    """
    if not is_tensor(x):
        raise type_error("x", "a tensor", x, "nanmedian")
    if isinstance(axis, (list, tuple)) and not axis:
        raise ValueError("Invalid value for argument `axis` of `nanmedian`. Expected a dimension at least. Received: []")
    axes, _ = axes_of(axis, x.shape)
    if isinstance(axes, list) and len({a % max(len(x.shape), 1) for a in axes}) < len(axes):
        raise invalid_argument("axis", "every dimension once", axis, "nanmedian")
    check(x, "X", "nanmedian", NUMBERS)
    _check_mode(mode, "nanmedian")
    if 0 in x.shape:
        return _of_nothing(x, axis, keepdim, mode, x.dtype)
    if mode == "min":
        return _lower_middle(x, axis, keepdim, ignore_nan=True)
    return reduction.nanmedian(x, axis=axes, keepdim=keepdim, _shared=SINCE_3, _helper=named("nanmedian", name))


@paddle3(input="x", dim="axis", out=True)
def quantile(
    x: Any, q: Any, axis: Any = None, keepdim: bool = False, interpolation: str = "linear", name: str | None = None
) -> Any:
    """The value below which a share q of the elements lies, interpolated. NaN among the elements gives NaN.

    Args:
        x: a tensor of numbers.
        q: between 0 and 1; a number, a list or, in eager mode, a tensor.
        axis: along which dimensions, an int or a list; None: all.
        keepdim: whether the dimensions stay, with size 1.
        interpolation: between two elements "linear", or "lower", "higher", "nearest" or "midpoint".
        name: has no effect.
    Returns:
        A float64 tensor, or one of x's data type where q is a tensor or the script for Paddle 3, with a leading dimension for a list of q.
    Raises:
        ValueError: q lies outside.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.quantile(paddle.to_tensor([1.0, 2.0, 3.0]), 0.5).item()
        2.0

    Follows Paddle 2.6.
    """
    return _like(x, q, _quantile(x, q, axis, keepdim, interpolation, ignore_nan=False))


def nanquantile(x: Any, q: Any, axis: Any = None, keepdim: bool = False, interpolation: str = "linear") -> Any:
    """`quantile` of the elements that are not NaN.

    Args:
        x: a tensor of numbers.
        q: between 0 and 1; a number, a list or, in eager mode, a tensor.
        axis: along which dimensions, an int or a list; None: all.
        keepdim: whether the dimensions stay, with size 1.
        interpolation: between two elements "linear", or "lower", "higher", "nearest" or "midpoint".
    Returns:
        A float64 tensor, or one of x's data type where q is a tensor, with a leading dimension for a list of q.
    Raises:
        ValueError: q lies outside.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nanquantile(paddle.to_tensor([1.0, float("nan"), 3.0]), 0.5).item()
        2.0

    Follows Paddle 2.6.
    """
    return _like(x, q, _quantile(x, q, axis, keepdim, interpolation, ignore_nan=True))


def _one_dimension(x: Any, axis: Any) -> tuple[Any, int, list[int]]:
    """x with the dimensions of a statistic made one, that dimension, and x's shape with them kept."""
    from paddle_compat.tensor import manipulation as shaping

    rank = len(x.shape)
    if axis in (None, [], ()) or not rank:
        return shaping.flatten(x), 0, [1] * rank
    dims = [a % rank for a in (axis if isinstance(axis, (list, tuple)) else [axis])]
    kept = [1 if a in dims else size for a, size in enumerate(x.shape)]
    if len(dims) == 1:
        return x, dims[0], kept
    last = [*range(rank - len(dims), rank)]
    return shaping.flatten(shaping.moveaxis(x, dims, last), rank - len(dims), rank - 1), rank - len(dims), kept


def _like(x: Any, q: Any, out: Any) -> Any:
    """The result in x's data type in scripts for Paddle 3, and where q is a tensor, which 2.6 does not take."""
    return out.astype(x.dtype) if (SINCE_3 or isinstance(q, (Tensor, Variable))) and dtype_name(x.dtype) in FLOATS else out


def _quantile(x: Any, q: Any, axis: Any, keepdim: bool, interpolation: str, ignore_nan: bool) -> Any:
    from paddle_compat.tensor import manipulation as shaping
    from paddle_compat.tensor._arithmetic import lerp
    from paddle_compat.tensor._bounds import clip
    from paddle_compat.tensor._reductions import sum
    from paddle_compat.tensor.creation import full_like
    from paddle_compat.tensor.ops import cast, ceil, floor, isnan, logical_not
    from paddle_compat.tensor.search import sort, where

    if not is_tensor(x):
        raise type_error("x", "a tensor", x, "quantile")
    check(x, "x", "quantile", INTS + FLOATS)
    if interpolation not in ("linear", "lower", "higher", "nearest", "midpoint"):
        expected = "'linear', 'lower', 'higher', 'nearest' or 'midpoint'"
        raise invalid_argument("interpolation", expected, repr(interpolation), "quantile")
    if isinstance(q, Tensor):
        q = q.tolist()
    if isinstance(q, Variable):  # as Paddle 3
        shares = shaping.unbind(cast(q, "float64")) if q.shape else [cast(q, "float64")]
    else:
        need(q, "q", "quantile", int, float, list, tuple)
        shares = list(q) if isinstance(q, (list, tuple)) else [q]
    if not shares or not isinstance(q, Variable) and not all(0 <= share <= 1 for share in shares):
        raise ValueError(f"Invalid value for argument `q` of `quantile`. Expected numbers from 0 to 1. Received: {q}")
    rank = len(x.shape)
    given = [] if axis is None else list(axis) if isinstance(axis, (list, tuple)) else [axis]
    if not all(isinstance(a, int) and -rank <= a < rank for a in given):
        raise invalid_argument("axis", f"None, or dimensions of x, whose shape is {list(x.shape)}", axis, "quantile")
    several = len(shares) > 1
    if 0 in x.shape and dtype_name(x.dtype) in FLOATS:
        out = sum(x, axis, keepdim=keepdim)
        return shaping.stack([out] * len(shares), 0) if several else out
    x, at, kept = _one_dimension(x, axis)
    nan = isnan(x)
    count = sum(logical_not(nan), at, "float64", True)
    places = []
    for share in shares:
        place = share * (count - 1)
        if isinstance(place, Tensor):
            place = clip(place, 0)  # where all are NaN, so is the first one
        if not ignore_nan:
            last = full_like(place, x.shape[at] - 1)
            place = where(any_of(nan, at, True), last, place)
        places.append(place)
    ordered = sort(x, at)
    outs = []
    for place in places:
        low, high = floor(place).astype("int32"), ceil(place).astype("int32")
        upper = shaping.take_along_axis(ordered, high, at)
        lower = shaping.take_along_axis(ordered, low, at)
        if interpolation in ("lower", "higher"):
            upper = lower = lower if interpolation == "lower" else upper
        weight = place - low.astype("float64")
        if interpolation == "nearest":
            weight = (weight > 0.5).astype("float64")
        elif interpolation == "midpoint":
            weight = full_like(weight, 0.5)
        out = lerp(lower.astype("float64"), upper.astype("float64"), weight)
        if keepdim:
            out = shaping.reshape(out, kept)
        else:
            out = shaping.squeeze(out, at)
        outs.append(out)
    return shaping.stack(outs, 0) if several else outs[0]


__all__ = ["mean", "median", "nanmedian", "nanquantile", "numel", "quantile", "std", "var"]

__getattr__ = missing(__name__)
