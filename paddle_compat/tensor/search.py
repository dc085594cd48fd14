"""Finding and ordering: the place of an extreme, sorting, top-k, selection by a condition."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import VarType, convert_dtype, dtype_name
from paddle_compat.core.errors import OutOfRangeError, invalid_argument, type_error
from paddle_compat.core.onward import hand_on
from paddle_compat.core.paddle3 import SINCE_3, SINCE_3_2, paddle3, placed
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.framework.dtype import get_default_dtype
from paddle_compat.ops import indexing, reduction
from paddle_compat.ops import search as ops
from paddle_compat.tensor._calls import (
    ALL,
    BOOL,
    COMPLEX,
    FLOATS,
    INTS,
    NUMBERS,
    agree,
    check,
    ended,
    first_of,
    is_tensor,
    named,
    need,
    plain,
    promoted,
    static,
    whole_at_once,
)
from paddle_compat.tensor._draws import top_p_sampling
from paddle_compat.tensor._in_place import in_place


class TopKRetType(tuple[Any, Any]):
    """What `topk` gives: a tuple, as in Paddle 2.6, whose two parts have names, as in Paddle 3."""

    __slots__ = ()
    values = property(itemgetter(0), doc="The elements, in order.")
    indices = property(itemgetter(1), doc="Where they stood.")


_PLACED = ("uint8", "int16", *NUMBERS)
_ALONG = "type(axis) is int and dtype == 'int64' and x_.dtype in NUMERIC"
_FLAT = "axis is None and dtype == 'int64' and type(keepdim) is bool and (x._kind or kind_of(x)) in NUMERIC"


def _arg(api: str, operator: Any, x: Any, axis: Any, keepdim: bool, dtype: Any, name: str | None) -> Any:
    if axis is not None and not is_tensor(axis):
        need(axis, "axis", api, int)
    if dtype is None:
        raise ValueError(f"Invalid value for argument `dtype` of `{api}`. Expected int32 or int64. Received: None")
    target = convert_dtype(dtype)
    if target not in (VarType.INT32, VarType.INT64):
        raise type_error("dtype", "int32 or int64", dtype, api)
    check(x, "x", api, _PLACED)
    attrs: dict[str, Any] = {
        "axis": 0 if axis is None else axis if isinstance(axis, Variable) else int(axis),
        "flatten": axis is None,
        "keepdims": keepdim,
        "dtype": int(target),
    }
    return ended(operator(x, _helper=named(api, name), **attrs))


@direct(
    "x", "arg_max_kernel(x_, axis=axis, keepdims=keepdim)", _ALONG, ("x", "arg_max_kernel(x_, keepdims=keepdim, flatten=True)", _FLAT),
    arg_max_kernel=ops.arg_max.fn,
)  # fmt: skip
@paddle3(input="x", dim="axis", out=True)
def argmax(x: Any, axis: Any = None, keepdim: bool = False, dtype: Any = "int64", name: str | None = None) -> Any:
    """Where the largest element stands.

    Args:
        x: a tensor of numbers.
        axis: along which dimension; None: in the flattened tensor.
        keepdim: whether the dimension stays, with size 1.
        dtype: int32 or int64.
        name: prefix of the output's name.
    Returns:
        Positions.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.argmax(paddle.to_tensor([[1, 3], [5, 2]]), 1).tolist()
        [1, 0]

    Follows Paddle 2.6.
    """
    return _arg("argmax", ops.arg_max, x, axis, keepdim, dtype, name)


@direct(
    "x", "arg_min_kernel(x_, axis=axis, keepdims=keepdim)", _ALONG, ("x", "arg_min_kernel(x_, keepdims=keepdim, flatten=True)", _FLAT),
    arg_min_kernel=ops.arg_min.fn,
)  # fmt: skip
@paddle3(input="x", dim="axis", out=True)
def argmin(x: Any, axis: Any = None, keepdim: bool = False, dtype: Any = "int64", name: str | None = None) -> Any:
    """Where the smallest element stands.

    Args:
        x: a tensor of numbers.
        axis: along which dimension; None: in the flattened tensor.
        keepdim: whether the dimension stays, with size 1.
        dtype: int32 or int64.
        name: prefix of the output's name.
    Returns:
        Positions.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.argmin(paddle.to_tensor([[1, 3], [5, 2]]), 1).tolist()
        [0, 1]

    Follows Paddle 2.6.
    """
    return _arg("argmin", ops.arg_min, x, axis, keepdim, dtype, name)


@placed("stable name")
@direct("x", "torch.sort(x_, dim=axis, descending=descending, stable=True)[1]", "x_.dtype in NUMERIC and not x_.requires_grad")
@paddle3(input="x", dim="axis")
def argsort(x: Any, axis: int = -1, descending: bool = False, name: str | None = None, *, stable: bool = False) -> Any:
    """Where each element of the sorted tensor comes from.

    Args:
        x: a tensor of numbers.
        axis: the dimension.
        descending: largest first.
        name: prefix of the outputs' names.
        stable: whether equal elements have to keep their order, which they do here in any case.
    Returns:
        Positions, int64.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.argsort(paddle.to_tensor([3, 1, 2])).tolist()
        [1, 2, 0]

    Follows Paddle 2.6.
    """
    check(x, "x", "argsort", ("uint8", "int16", *INTS, "float16", "float32", "float64"), _PLACED)
    _, places = _sorted("argsort", x, axis, descending, name, stop_gradient=True)
    return hand_on(places, x._t) if type(places) is Tensor else places


def _sorted(api: str, x: Any, axis: int, descending: bool, name: str | None, stop_gradient: bool = False) -> Any:
    values, places = ops.argsort(x, axis=axis, descending=descending, _helper=named(api, name))
    if stop_gradient:
        ended(values)
    if isinstance(places, Variable):
        ended(places)
    return values, places


@placed("stable name")
@direct("x", "torch.sort(x_, dim=axis, descending=descending, stable=True)[0]", "x_.dtype in NUMERIC", kind="x_.dtype")
def sort(x: Any, axis: int = -1, descending: bool = False, name: str | None = None, *, stable: bool = False) -> Any:
    """x in order along a dimension.

    Args:
        x: a tensor of numbers.
        axis: the dimension.
        descending: largest first.
        name: prefix of the outputs' names.
        stable: whether equal elements have to keep their order, which they do here in any case.
    Returns:
        A tensor like x.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.sort(paddle.to_tensor([3, 1, 2])).tolist()
        [1, 2, 3]

    Follows Paddle 2.6.
    """
    check(x, "x", "sort", ALL, _PLACED)
    return _sorted("sort", x, axis, descending, name)[0]


@direct(
    "x",
    "torch.topk(x_, k, -1 if axis is None else axis, largest, sorted)",
    "type(k) is int and k > 0 and x_.dtype in NUMERIC and not x_.requires_grad",
    several=TopKRetType,
    TopKRetType=TopKRetType,
)
@paddle3(input="x", dim="axis", out=True)
def topk(x: Any, k: Any, axis: int | None = None, largest: bool = True, sorted: bool = True, name: str | None = None) -> TopKRetType:
    """The k largest or smallest elements along a dimension, and where they stand.

    Args:
        x: a tensor of numbers.
        k: how many; an int, or a tensor of one element.
        axis: the dimension; None: the last.
        largest: the largest, else the smallest.
        sorted: whether they come in order.
        name: prefix of the outputs' names.
    Returns:
        Values and positions: a tuple, of which `values` and `indices` say the same.
    Raises:
        ValueError: k is less than 1.

    Example:
        >>> import paddle_compat as paddle
        >>> found = paddle.topk(paddle.to_tensor([1, 3, 2]), 2)
        >>> [v.tolist() for v in found], found.indices.tolist()
        ([[3, 2], [1, 2]], [1, 2])

    Follows Paddle 2.6.
    """
    check(x, "x", "top_k_v2")
    attrs: dict[str, Any] = {"axis": -1 if axis is None else axis, "largest": largest, "sorted": sorted}
    count = (k,) if is_tensor(k) else ()
    if not count:
        k = whole_at_once(k, x)
        if not hasattr(k, "__index__") or k < 1:
            raise type_error("k", "at least 1", k, "topk")
        attrs["k"] = k
    values, places = ops.top_k_v2(x, *count, _helper=named("top_k_v2", name), **attrs)
    if isinstance(places, Variable):
        ended(places)
    return TopKRetType((values, places))


@direct(
    "x",
    "kthvalue(x_, k=k, axis=-1 if axis is None else axis, keepdim=keepdim)",
    "type(k) is int and x_.dtype in NUMERIC and not x_.requires_grad",
    several=tuple,
    kthvalue=reduction.kthvalue.fn,
)
def kthvalue(x: Any, k: int, axis: int | None = None, keepdim: bool = False, name: str | None = None) -> tuple[Any, Any]:
    """The k-th smallest element along a dimension, and where it stands.

    Args:
        x: a tensor of numbers.
        k: which, counted from 1.
        axis: the dimension; None: the last.
        keepdim: whether the dimension stays, with size 1 (in eager mode; Programs drop it, as Paddle's do).
        name: prefix of the outputs' names.
    Returns:
        Values and positions.
    Raises:
        ValueError: there is no k-th element.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.item() for v in paddle.kthvalue(paddle.to_tensor([1, 3, 2]), 2)]
        [2, 2]

    Follows Paddle 2.6.
    """
    check(x, "x", "kthvalue")
    attrs: dict[str, Any] = {"k": k, "axis": -1 if axis is None else axis}
    rank = len(x.shape)
    if not -max(rank, 1) <= attrs["axis"] < max(rank, 1):
        raise invalid_argument("axis", f"a dimension of {rank}", axis, "kthvalue")
    if not static(x):
        size = x.shape[attrs["axis"]] if rank else 1
        if not 1 <= k <= size:
            raise invalid_argument("k", f"from 1 to {size}", k, "kthvalue")
    if SINCE_3 or not static(x):
        attrs["keepdim"] = keepdim
    values, places = reduction.kthvalue(x, _helper=named("kthvalue", name), **attrs)
    if isinstance(places, Variable):
        ended(places)
    return values, places


def mode(x: Any, axis: int = -1, keepdim: bool = False, name: str | None = None) -> tuple[Any, Any]:
    """The most frequent element along a dimension, and where it last stands.

    Args:
        x: a tensor of numbers.
        axis: the dimension.
        keepdim: whether the dimension stays, with size 1.
        name: prefix of the outputs' names.
    Returns:
        Values and positions.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.item() for v in paddle.mode(paddle.to_tensor([1, 2, 2]))]
        [2, 2]

    Follows Paddle 2.6.
    """
    check(x, "x", "mode", ALL, NUMBERS)
    values, places = reduction.mode(x, axis=plain(axis), keepdim=keepdim, _helper=named("mode", name))
    if isinstance(places, Variable):
        ended(places)
    return values, places


@direct("x", "torch.nonzero(x_)", "as_tuple is False and x_.dtype in PLAIN and x_.dim()")
@paddle3(input="x", out=True)
def nonzero(x: Any, as_tuple: bool = False) -> Any:
    """Where the elements stand that are not zero.

    Args:
        x: a tensor.
        as_tuple: one column a dimension instead of one tensor.
    Returns:
        [N, rank], int64; or a tuple of [N, 1], of [N] in scripts for Paddle 3.2 and later.
    Raises:
        ValueError: x has no dimensions, in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nonzero(paddle.to_tensor([0, 5, 7])).tolist()
        [[1], [2]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.manipulation import slice, squeeze

    rank = len(x.shape)
    check(x, "x", "where_index", ("bool", "int16", *NUMBERS), ("bool", "int16", *NUMBERS, *COMPLEX))
    if not rank and not static(x):
        raise invalid_argument("x", "one dimension or more", "none", "nonzero")
    out = indexing.where_index(x, _helper="where_index")
    if not as_tuple:
        return out
    columns = (out,) if rank == 1 else tuple(slice(out, axes=[1], starts=[i], ends=[i + 1]) for i in range(rank))
    return tuple(squeeze(column, 1) for column in columns) if SINCE_3_2 else columns


def _kind_beside(value: complex, other: Any) -> Any:
    """The data type of a number that stands in a `where` with another number or a tensor.

    Paddle 2.6's is int64 or float64, which most tensors refuse; where they do, Paddle 3.3's: the tensor's. In scripts for Paddle 3
    fractions are of the default type.
    """
    if SINCE_3 and (isinstance(value, float) or type(other) is float and not isinstance(value, complex)):
        return "float64" if isinstance(value, np.floating) else get_default_dtype()
    if not is_tensor(other):
        kinds, wide = {type(value), type(other)}, "complex128" if SINCE_3 and static() else "complex64"
        return "bool" if kinds == {bool} else "int64" if kinds == {int} else wide if complex in kinds else "float64"
    name = dtype_name(other.dtype)
    fits = isinstance(value, int) and name in ("int32", "int64") or isinstance(other, Variable) and name in FLOATS
    fits = fits or isinstance(value, bool) and name == "bool"
    if isinstance(value, complex) and name not in COMPLEX:
        return "complex128" if name == "float64" or SINCE_3 and static() else "complex64"
    return other.dtype if name in COMPLEX or fits else "float64"



@direct(
    "condition x y",
    "select(condition_, x_, y_)",
    "condition_.dtype is torch.bool and (kind := x_.dtype) is y_.dtype and kind in NUMERIC "
    "and condition_.dim() == x_.dim() and condition_.is_same_size(x_) and x_.is_same_size(y_)",
    kind="kind",
    select=indexing.where.fn,
)
@paddle3(input="x", other="y", out=True)
def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """x where the condition holds, y elsewhere; without both, where it holds.

    Args:
        condition: a bool tensor.
        x, y: tensors of one type, or numbers; shapes broadcast.
        name: prefix of the output's name.
    Returns:
        A tensor; without x and y what `nonzero(condition, as_tuple=True)` gives.
    Raises:
        ValueError: only one of x and y is given.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.where(paddle.to_tensor([True, False]), paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])).tolist()
        [1, 4]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor._arithmetic import add
    from paddle_compat.tensor.creation import full, zeros_like
    from paddle_compat.tensor.ops import cast

    one = [] if SINCE_3 else [1]
    x, y = (full(one, v, _kind_beside(v, other)) if isinstance(v, (int, float, complex)) else v for v, other in ((x, y), (y, x)))
    x, y = (full(one, v.item(), v.dtype.name) if isinstance(v, np.generic) else v for v in (x, y))
    if x is None and y is None:
        return nonzero(condition, as_tuple=True)
    if x is None or y is None:
        raise ValueError("Invalid value for argument `y` of `where`. Expected x and y, or neither. Received: one of them")
    x, y = promoted(x, y, not SINCE_3, apart=True)
    if list(condition.shape) != list(x.shape) or list(x.shape) != list(y.shape):
        # Paddle broadcasts by adding zeros of all three
        of_x, of_y, of_condition = zeros_like(x), zeros_like(y), zeros_like(condition)
        of_condition, flags = cast(of_condition, x.dtype), cast(condition, x.dtype)
        zeros = add(add(of_x, of_y), of_condition)
        x, y = add(x, zeros), add(y, zeros)
        condition = cast(add(flags, zeros), "bool")
    check(condition, "condition", "where", ("bool",))
    for value, label in ((x, "x"), (y, "y")):
        check(value, label, "where", BOOL + NUMBERS + COMPLEX)
    if not agree(x, y):
        raise invalid_argument("y", f"the data type of x, {dtype_name(x.dtype)}", dtype_name(y.dtype), "where")
    return indexing.where(condition, x, y, _helper=named("where", name))


@direct("x mask", "torch.masked_select(x_, mask_)", "mask_.dtype in BOOL and x_.dtype in NUMERIC")
@paddle3(input="x", out=True)
def masked_select(x: Any, mask: Any, name: str | None = None) -> Any:
    """The elements under a mask, as a vector.

    Args:
        x: a tensor of numbers.
        mask: bool; it broadcasts.
        name: prefix of the output's name.
    Returns:
        A vector.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.masked_select(paddle.to_tensor([1, 2, 3]), paddle.to_tensor([True, False, True])).tolist()
        [1, 3]

    Follows Paddle 2.6.
    """
    check(x, "x", "paddle.tensor.search.mask_select", NUMBERS, ALL)
    mask = first_of(mask)
    check(mask, "mask", "paddle.tensor.search.masked_select", ("bool",))
    return indexing.masked_select(x, mask, _helper=named("masked_select", name))


@direct(
    "x index",
    "torch.index_select(x_, axis, index_)",
    "type(axis) is int and x_.dim() and index_.dim() == 1 and index_.dtype in WHOLE and x_.dtype in NUMERIC",
)
@paddle3(input="x", dim="axis", out=True, order="dim index")
def index_select(x: Any, index: Any, axis: int = 0, name: str | None = None) -> Any:
    """The slices of x at some positions along a dimension.

    Args:
        x: a tensor of numbers.
        index: int32 or int64, a vector.
        axis: the dimension.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.
        IndexError: x has no dimensions, in eager mode.
        ValueError: the index has none, in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.index_select(paddle.to_tensor([5, 6, 7]), paddle.to_tensor([2, 0])).tolist()
        [7, 5]

    Follows Paddle 2.6.
    """
    check(x, "x", "paddle.tensor.search.index_select", BOOL + NUMBERS + COMPLEX)
    index = first_of(index)
    check(index, "index", "paddle.tensor.search.index_select", INTS)
    if not static(x):
        if not x.shape:
            raise OutOfRangeError("Invalid value for argument `x` of `index_select`. Expected one dimension or more. Received: none")
        if not index.shape:
            raise invalid_argument("index", "one dimension", "none", "index_select")
    return indexing.index_select(x, index, dim=axis, _helper=named("index_select", name))


@direct(
    "x index", "index_sample_kernel(x_, index_)", "index_.dtype in WHOLE and x_.dtype in NUMERIC", kind="x_.dtype",
    index_sample_kernel=indexing.index_sample.fn,
)  # fmt: skip
def index_sample(x: Any, index: Any) -> Any:
    """From each row of x, the elements at the positions in the same row of the index.

    Args:
        x: [N, M].
        index: [N, K], int32 or int64.
    Returns:
        [N, K].
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.index_sample(paddle.to_tensor([[1, 2, 3]]), paddle.to_tensor([[2, 0]])).tolist()
        [[3, 1]]

    Follows Paddle 2.6.
    """
    check(x, "x", "paddle.tensor.search.index_sample", NUMBERS + ("complex64", "complex128"))
    check(index, "index", "paddle.tensor.search.index_sample", INTS)
    return indexing.index_sample(x, index, _helper="index_sample")


@direct(
    "sorted_sequence values",
    "sorted_kernel(sorted_sequence_, values_, out_int32=out_int32, right=right)",
    "side is None and sorter is None and sorted_sequence_.dtype in NUMERIC and values_.dtype in NUMERIC "
    "and not (sorted_sequence_.requires_grad or values_.requires_grad) and type(out_int32) is type(right) is bool",
    sorted_kernel=ops.searchsorted.fn,
)
@paddle3(input="values", out=True)
def searchsorted(
    sorted_sequence: Any,
    values: Any,
    out_int32: bool = False,
    right: bool = False,
    name: str | None = None,
    *,
    side: str | None = None,
    sorter: Any = None,
) -> Any:
    """Where each value would have to be inserted into its sorted row.

    Args:
        sorted_sequence: a vector, or as many rows as the values.
        values: a tensor of numbers.
        out_int32: int32 positions, else int64.
        right: behind equal elements, else before them.
        name: prefix of the output's name.
        side: "right" for right=True.
        sorter: the places of the elements in their order, where they are not sorted.
    Returns:
        Positions of the values' shape.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.searchsorted(paddle.to_tensor([1, 3, 5]), paddle.to_tensor([3, 4])).tolist()
        [1, 2]

    Follows Paddle 2.6.
    """
    kinds = INTS + ("float32", "float64")
    check(sorted_sequence, "SortedSequence", "paddle.searchsorted", kinds)
    check(values, "Values", "paddle.searchsorted", kinds, INTS + FLOATS)
    if sorter is not None:
        from paddle_compat.tensor.manipulation import take_along_axis

        sorted_sequence = take_along_axis(sorted_sequence, sorter, -1)
    attrs: dict[str, Any] = {"out_int32": out_int32, "right": right or side == "right"}
    return ops.searchsorted(sorted_sequence, values, _helper=named("searchsorted", name), **attrs)


@paddle3(input="x", boundaries="sorted_sequence", out=True)
def bucketize(x: Any, sorted_sequence: Any, out_int32: bool = False, right: bool = False, name: str | None = None) -> Any:
    """The bucket of each element, where a sorted vector gives the bounds.

    Args:
        x: a tensor of numbers.
        sorted_sequence: a vector.
        out_int32: int32 numbers, else int64.
        right: a bound belongs to the bucket above, else to the one below.
        name: prefix of the output's name.
    Returns:
        Numbers of x's shape.
    Raises:
        ValueError: the bounds are no vector.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.bucketize(paddle.to_tensor([2, 6]), paddle.to_tensor([1, 3, 5])).tolist()
        [1, 3]

    Follows Paddle 2.6.
    """
    check(sorted_sequence, "SortedSequence", "paddle.searchsorted", INTS + ("float32", "float64"))
    if len(sorted_sequence.shape) != 1:
        raise ValueError(
            f"Invalid value for argument `sorted_sequence` of `bucketize`. Expected a vector. Received: shape {list(sorted_sequence.shape)}"
        )
    return searchsorted(sorted_sequence, x, out_int32, right, name)


where_ = in_place(where, over=1)

__all__ = [
    "argmax", "argmin", "argsort", "bucketize", "index_sample", "index_select", "kthvalue", "masked_select", "mode", "nonzero",
    "searchsorted", "sort", "top_p_sampling", "topk", "where", "where_",
]  # fmt: skip

__getattr__ = missing(__name__)
