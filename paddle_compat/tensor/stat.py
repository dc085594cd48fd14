"""Means, variances, medians, quantiles."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.ops import creation, reduction
from paddle_compat.tensor._calls import FLOATS, INTS, NUMBERS, check, is_tensor, named, need, static
from paddle_compat.tensor._reductions import axes_of


@direct(
    "x",
    "mean_of(x_, [*range(x_.dim())] if axis is None else [axis], keepdim)",
    "(axis is None or type(axis) is int) and x_.dtype in FLOATS and x_.numel()",
    mean_of=reduction.mean_of,
)
def mean(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The mean of elements.

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
        >>> paddle.mean(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), 0).tolist()
        [2.0, 3.0]

    Follows Paddle 2.6.
    """
    if static(x) or not is_tensor(x):
        check(x, "x/input", "mean/reduce_mean", FLOATS)
    axes, whole = axes_of(axis, len(x.shape))
    return reduction.reduce_mean(x, dim=axes, keep_dim=keepdim, reduce_all=whole, _helper=named("mean", name))


def var(x: Any, axis: Any = None, unbiased: bool = True, keepdim: bool = False, name: str | None = None) -> Any:
    """The variance.

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
        >>> paddle.var(paddle.to_tensor([1.0, 2.0, 3.0])).item()
        1.0

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor._arithmetic import pow
    from paddle_compat.tensor._reductions import sum
    from paddle_compat.tensor.creation import full
    from paddle_compat.tensor.ops import cast
    from paddle_compat.tensor.search import where

    if static(x):
        check(x, "x", "var", ("float16", "float32", "float64"))
    centre = mean(x, axis, True, name)
    out = sum(pow(x - centre, 2), axis, keepdim=keepdim, name=name)
    if not static(x):
        count = x.size / max(out.size, 1)
        return out / (max(count - 1, 1) if unbiased else count)
    whole, parts = (cast(numel(v), "int64") for v in (x, out))
    count = (whole / parts).astype(x.dtype)
    if unbiased:
        one = full([], 1.0, x.dtype)
        count = where(count > one, count - 1.0, one)
    count.stop_gradient = True
    return out / count


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


def median(x: Any, axis: int | None = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The median; of an even count, the mean of the middle two. NaN among the elements gives NaN.

    Args:
        x: a tensor of numbers.
        axis: the dimension; None: x counts as flat.
        keepdim: whether the dimension stays, with size 1.
        name: has no effect.
    Returns:
        A tensor, float64 for float64, else float32.
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
    if 0 in x.shape:
        raise ValueError(f"Invalid value for argument `x` of `median`. Expected elements. Received: shape {list(x.shape)}")
    rank = len(x.shape)
    if axis is not None and (not isinstance(axis, int) or not -max(rank, 1) <= axis < max(rank, 1)):
        raise failed_assertion("axis", "a dimension of x", axis, "median")
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
    out = out + sum(cast(isnan(x), kind) * x, axis, keepdim=True)  # NaN, if any element is
    if flat:
        return reshape(out, [1] * rank if keepdim else [])
    return out if keepdim else squeeze(out, axis)


def nanmedian(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """The median of the elements that are not NaN.

    Args:
        x: a tensor of numbers.
        axis: along which dimensions, an int or a list; None: all.
        keepdim: whether the dimensions stay, with size 1.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
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
    axes, _ = axes_of(axis, len(x.shape))
    check(x, "X", "nanmedian", NUMBERS)
    return reduction.nanmedian(x, axis=axes, keepdim=keepdim, _helper=named("nanmedian", name))


def quantile(x: Any, q: Any, axis: Any = None, keepdim: bool = False) -> Any:
    """The value below which a share q of the elements lies, interpolated. NaN among the elements gives NaN.

    Args:
        x: a tensor of numbers.
        q: between 0 and 1; a number or a list.
        axis: along which dimensions, an int or a list; None: all.
        keepdim: whether the dimensions stay, with size 1.
    Returns:
        A float64 tensor, with a leading dimension for a list of q.
    Raises:
        ValueError: q lies outside.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.quantile(paddle.to_tensor([1.0, 2.0, 3.0]), 0.5).item()
        2.0

    Follows Paddle 2.6.
    """
    return _quantile(x, q, axis, keepdim, ignore_nan=False)


def nanquantile(x: Any, q: Any, axis: Any = None, keepdim: bool = False) -> Any:
    """`quantile` of the elements that are not NaN.

    Args:
        x: a tensor of numbers.
        q: between 0 and 1; a number or a list.
        axis: along which dimensions, an int or a list; None: all.
        keepdim: whether the dimensions stay, with size 1.
    Returns:
        A float64 tensor, with a leading dimension for a list of q.
    Raises:
        ValueError: q lies outside.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nanquantile(paddle.to_tensor([1.0, float("nan"), 3.0]), 0.5).item()
        2.0

    Follows Paddle 2.6.
    """
    return _quantile(x, q, axis, keepdim, ignore_nan=True)


def _quantile(x: Any, q: Any, axis: Any, keepdim: bool, ignore_nan: bool) -> Any:
    from paddle_compat.tensor import manipulation as shaping
    from paddle_compat.tensor._arithmetic import lerp
    from paddle_compat.tensor._reductions import any as any_of
    from paddle_compat.tensor._reductions import sum
    from paddle_compat.tensor.creation import full_like
    from paddle_compat.tensor.ops import ceil, floor, isnan, logical_not
    from paddle_compat.tensor.search import sort, where

    if not is_tensor(x):
        raise type_error("x", "a tensor", x, "quantile")
    check(x, "x", "quantile", INTS + FLOATS)
    need(q, "q", "quantile", int, float, list, tuple)
    shares = list(q) if isinstance(q, (list, tuple)) else [q]
    if not shares or not all(0 <= share <= 1 for share in shares):
        raise ValueError(f"Invalid value for argument `q` of `quantile`. Expected numbers from 0 to 1. Received: {q}")
    rank = len(x.shape)
    if axis is None:
        x, at, kept = shaping.flatten(x), 0, [1] * rank
    else:
        given = list(axis) if isinstance(axis, (list, tuple)) else [axis]
        if not all(isinstance(a, int) and -rank <= a < rank for a in given):
            raise invalid_argument("axis", f"None, or dimensions of x, whose shape is {list(x.shape)}", axis, "quantile")
        dims = [a % rank for a in given]
        kept = [1 if a in dims else size for a, size in enumerate(x.shape)]
        at = dims[0]
        if len(dims) > 1:
            last = [*range(rank - len(dims), rank)]
            x, at = shaping.flatten(shaping.moveaxis(x, dims, last), rank - len(dims), rank - 1), rank - len(dims)
    nan = isnan(x)
    count = sum(logical_not(nan), at, "float64", True)
    places = []
    for share in shares:
        place = share * (count - 1)
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
        weight = place - low.astype("float64")
        out = lerp(lower.astype("float64"), upper.astype("float64"), weight)
        if keepdim:
            out = shaping.reshape(out, kept)
        else:
            out = shaping.squeeze(out, at)
        outs.append(out)
    return shaping.stack(outs, 0) if isinstance(q, (list, tuple)) and len(outs) > 1 else outs[0]


__all__ = ["mean", "median", "nanmedian", "nanquantile", "numel", "quantile", "std", "var"]

__getattr__ = missing(__name__)
