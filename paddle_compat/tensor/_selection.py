"""Elements by position: slices, gather and scatter, writing along an axis."""

from __future__ import annotations

import builtins
from functools import partial
from typing import Any

import numpy as np

from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import OutOfRangeError, failed_assertion, invalid_argument, type_error
from paddle_compat.core.paddle3 import SINCE_3, paddle3
from paddle_compat.ops import arrangement, indexing
from paddle_compat.tensor._calls import (
    ALL,
    BOOL,
    INTS,
    NUMBERS,
    agree,
    check,
    first_of,
    helper_of,
    is_tensor,
    named,
    need,
    plain,
    static,
    whole_at_once,
)
from paddle_compat.tensor._filling import (
    diagonal_scatter,
    fill_diagonal_tensor,
    fill_diagonal_tensor_,
    index_add,
    index_add_,
    index_fill,
    index_fill_,
    index_put,
    index_put_,
    masked_fill,
    masked_fill_,
    select_scatter,
)
from paddle_compat.tensor._in_place import in_place
from paddle_compat.tensor._shapes import as_list, numbers, parts, shape_inputs, size_constant

_COMMON = BOOL + NUMBERS
_DOUBLE = ("float32", "float64")


def _bounds(given: dict[str, Any], api: str) -> tuple[dict[str, Any], dict[str, Any], list[int]]:
    """Starts, ends, strides as an operator takes them: tensors, attributes, and which dimensions are known."""
    tensors: dict[str, Any] = {}
    attrs: dict[str, Any] = {}
    count = (
        max(len(v) for v in given.values() if isinstance(v, (list, tuple)))
        if any(isinstance(v, (list, tuple)) for v in given.values())
        else 0
    )
    flags = [1] * count
    for name, values in given.items():
        if is_tensor(values):
            values.stop_gradient = True
            tensors[name] = (values, None)
            flags = [-1] * len(flags)
        else:
            if not isinstance(values, (list, tuple)):
                raise type_error(name, "a list, tuple or tensor", values, api)
            mixed = any(is_tensor(v) for v in values)
            tensors[name] = (None, parts(values) if mixed else None)
            attrs[name] = [-1 if is_tensor(v) else int(v) for v in values]
            flags = [-1 if is_tensor(v) else flag for v, flag in zip(values, flags)] or flags
    return tensors, attrs, flags


@direct(
    "input",
    "taken(input_, axes, starts, ends, (1, 1, 1, 1))",
    "0 < len(axes) < 5 and len(axes) == len(starts) == len(ends) and {*map(type, (*axes, *starts, *ends))} == {int} "
    "and min(axes) >= 0 and input_.dtype in PLAIN",
    window=True,
    taken=indexing.take,
)
def slice(input: Any, axes: Any, starts: Any, ends: Any) -> Any:
    """A block of a tensor.

    Args:
        input: a tensor.
        axes: the dimensions to cut.
        starts, ends: where; ints and tensors, or a tensor each.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.
        ValueError: axes is no list.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.slice(paddle.arange(5), [0], [1], [3]).tolist()
        [1, 2]

    Follows Paddle 2.6.
    """
    if not isinstance(axes, (list, tuple)):
        raise ValueError(f"Invalid value for argument `axes` of `slice`. Expected a list or tuple. Received: {axes!r}")
    axes = [plain(a) for a in axes]
    starts, ends = (as_list(v) if isinstance(v, np.ndarray) or (type(v) is int and not static(input)) else v for v in (starts, ends))
    for value, label in ((starts, "starts"), (ends, "ends")):
        if not is_tensor(value) and not isinstance(value, (list, tuple)):
            raise ValueError(f"Invalid value for argument `{label}` of `slice`. Expected a list, tuple or tensor. Received: {value!r}")
    for value, label in ((starts, "starts"), (ends, "ends")):
        if isinstance(value, (list, tuple)) and len(value) != len(axes):
            raise invalid_argument(label, f"{len(axes)} numbers, as axes has", value, "slice")
    if not static(input) and axes and not input.shape:
        raise invalid_argument("axes", "no dimension, as input has none", axes, "slice")
    if is_tensor(input) and input.shape:  # what lies outside is the nearest dimension
        rank = len(input.shape)
        axes = [max(a + rank, 0) if a < 0 else min(a, rank - 1) for a in axes]
    if not static(input):
        starts, ends = (value.numpy() if is_tensor(value) else value for value in (starts, ends))  # of any type, as Paddle does
        return indexing.slice_(input, axes=axes, starts=numbers(starts), ends=numbers(ends))
    helper = named("slice")
    tensors, attrs, flags = _bounds({"starts": starts, "ends": ends}, "slice")
    flags = flags or [-1] * len(axes)
    (start, start_list), (end, end_list) = tensors["starts"], tensors["ends"]
    return indexing.slice_(input, start, end, start_list, end_list, axes=list(axes), infer_flags=flags, _helper=helper, **attrs)


@direct(
    "x",
    "taken(x_, axes, starts, ends, strides)",
    "axes and len(axes) == len(starts) == len(ends) == len(strides) and {*map(type, (*axes, *starts, *ends, *strides))} == {int} "
    "and min(axes) >= 0 and min(strides) > 0 and x_.dtype in PLAIN",
    window=True,
    taken=indexing.take,
)
def strided_slice(x: Any, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None) -> Any:
    """A block of a tensor, with steps.

    Args:
        x: a tensor.
        axes: the dimensions to cut.
        starts, ends, strides: where; ints and tensors, or a tensor each. Backwards, an end of -1 means "to the start".
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.strided_slice(paddle.arange(5), [0], [0], [5], [2]).tolist()
        [0, 2, 4]

    Follows Paddle 2.6.
    """
    if not static(x):
        axes = [plain(a) for a in axes]
        bounds: dict[str, Any] = {"starts": numbers(starts), "ends": numbers(ends), "strides": numbers(strides)}
        for label, values in bounds.items():
            if len(values) != len(axes):
                raise invalid_argument(label, f"{len(axes)} numbers, as axes has", values, "strided_slice")
        if any(a >= len(x.shape) for a in axes):
            raise invalid_argument("axes", f"dimensions of {list(x.shape)}", axes, "strided_slice")
        return indexing.strided_slice(x, axes=[a % len(x.shape) for a in axes], **bounds)
    check(x, "x", "strided_slice", ALL if SINCE_3 else _COMMON)
    need(axes, "axes", "strided_slice", list, tuple)
    for label, values in (("starts", starts), ("ends", ends), ("strides", strides)):
        for value in values if isinstance(values, (list, tuple)) else ():
            if is_tensor(value):
                check(value, label, "strided_slice", ("int32", "int64") if SINCE_3 else ("int32",))
    helper = named("strided_slice", name)
    tensors, attrs, flags = _bounds({"starts": starts, "ends": ends, "strides": strides}, "strided_slice")
    (a, a_list), (b, b_list), (c, c_list) = (tensors[n] for n in ("starts", "ends", "strides"))
    attrs["infer_flags"] = flags or [-1] * len(axes)
    return indexing.strided_slice(x, a, b, c, a_list, b_list, c_list, axes=list(axes), _helper=helper, **attrs)


def crop(x: Any, shape: Any = None, offsets: Any = None, name: str | None = None) -> Any:
    """A block of a tensor, by its size and where it starts.

    Args:
        x: a tensor.
        shape: ints and tensors, or a tensor; -1 takes what is left; None: x's shape.
        offsets: ints and tensors, or a tensor; None: zeros.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.crop(paddle.arange(5), [2], [1]).tolist()
        [1, 2]

    Follows Paddle 2.6.
    """
    check(x, "x", "crop_tensor", INTS + _DOUBLE)
    shape = list(x.shape) if shape is None else shape
    offsets = [0] * len(x.shape) if offsets is None else offsets
    for value, label, least in ((shape, "shape", -1), (offsets, "offsets", 0)):
        if isinstance(value, (int, float)):
            raise type_error(label, "a list, tuple or tensor", value, "crop")
        if not isinstance(value, (list, tuple)):
            continue
        if len(value) != len(x.shape) or any(isinstance(n, int) and n < least for n in value):
            raise invalid_argument(label, f"{len(x.shape)} numbers, {least} or more", value, "crop")
    if not static(x):
        return arrangement.crop_tensor(x, shape=numbers(shape), offsets=numbers(offsets))
    helper = helper_of("crop_tensor", name)
    out = helper.create_variable_for_type_inference(x.dtype)
    place, place_list, written_place = shape_inputs(offsets, "offsets", "crop", make=partial(size_constant, helper))
    size, size_list, written = shape_inputs(shape, "shape", "crop", 0, make=partial(size_constant, helper))
    attrs: dict[str, Any] = {"offsets": written_place, "shape": written}
    return arrangement.crop_tensor(x, size, place, size_list, place_list, _helper=helper, _outputs={"Out": out}, **attrs)


@direct(
    "x index",
    "torch.index_select(x_, axis or 0, index_)",
    "(axis is None or type(axis) is int) and index_.dim() == 1 and x_.dtype in NUMERIC and x_.dim()",
)
@paddle3(input="x", out=True, order="dim index")
def gather(x: Any, index: Any, axis: Any = None, name: str | None = None, *, dim: int | None = None) -> Any:
    """The slices of x at some positions.

    Args:
        x: a tensor.
        index: int32 or int64, a vector or a scalar.
        axis: along which dimension, an int or a tensor; None: the first.
        name: prefix of the output's name.
        dim: along which dimension the index, of x's rank, tells a place for each element, as torch's `gather`.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind.
        IndexError: x has no dimensions, in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.gather(paddle.to_tensor([5, 6, 7]), paddle.to_tensor([2, 0])).tolist()
        [7, 5]

    Follows Paddle 2.6.
    """
    if dim is not None:
        return take_along_axis(x, index, dim, False)
    check(x, "x", "gather", ("bool", "uint8", "int16", *NUMBERS), ALL)
    index = first_of(index)
    check(index, "index", "gather", INTS)
    if not x.shape and not static(x):
        raise OutOfRangeError("Invalid value for argument `x` of `gather`. Expected one dimension or more. Received: none")
    if is_tensor(axis):
        check(axis, "axis", "gather", INTS)
        return indexing.gather(x, index, axis, axis=0, _helper=named("gather", name))
    return indexing.gather(x, index, axis=0 if axis is None else whole_at_once(axis, x), _helper=named("gather", name))


@direct(
    "x index",
    "gather_nd_kernel(x_, index_)",
    "index_.dtype in WHOLE and x_.dtype in NUMERIC",
    gather_nd_kernel=indexing.gather_nd.fn,
)
def gather_nd(x: Any, index: Any, name: str | None = None) -> Any:
    """The slices of x at the positions that the last dimension of the index spells.

    Args:
        x: a tensor.
        index: int32 or int64, [..., K].
        name: prefix of the output's name.
    Returns:
        index.shape[:-1] + x.shape[K:].
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.gather_nd(paddle.to_tensor([[1, 2], [3, 4]]), paddle.to_tensor([[1, 0]])).tolist()
        [3]

    Follows Paddle 2.6.
    """
    check(x, "x", "gather_np", ("bool", "int16", *NUMBERS), ALL)
    index = first_of(index)
    check(index, "index", "gather_np", INTS)
    return indexing.gather_nd(x, index, _helper=named("gather_nd", name))


@direct(
    "x index updates",
    "scatter_kernel(x_, index_, updates_, overwrite=overwrite)",
    "type(overwrite) is bool and index_.dtype in WHOLE and (kind := x_.dtype) is updates_.dtype and kind in NUMERIC",
    kind="kind",
    scatter_kernel=indexing.scatter.fn,
)
@paddle3(input="x", src="updates", value="updates", out=True, order="dim index src")
def scatter(
    x: Any,
    index: Any,
    updates: Any,
    overwrite: bool = True,
    name: str | None = None,
    *,
    dim: int | None = None,
    reduce: str | None = None,
) -> Any:
    """x with some rows replaced, or set to the sum of their updates.

    Args:
        x: a tensor.
        index: the rows, int32 or int64.
        updates: as many rows.
        overwrite: the last update of a row counts; else all are added.
        name: prefix of the output's name.
        dim: along which dimension the index, of x's rank, tells a place for each update, as torch's `scatter`.
        reduce: "add" or "multiply" there, to combine elements with their updates.
    Returns:
        A tensor like x.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.scatter(paddle.zeros([3]), paddle.to_tensor([2]), paddle.ones([1])).tolist()
        [0.0, 0.0, 1.0]

    Follows Paddle 2.6.
    """
    if dim is not None:
        from paddle_compat.tensor.creation import full

        given = is_tensor(updates)
        return put_along_axis(x, index, updates if given else full([1], updates, x.dtype), dim, reduce or "assign", broadcast=not given)
    check(x, "dtype", "scatter", NUMBERS)
    need(overwrite, "overwrite", "scatter", bool)
    return indexing.scatter(x, index, updates, overwrite=overwrite, _helper=named("scatter", name))


@direct(
    "x index updates",
    "scatter_nd_add_kernel(x_, index_, updates_)",
    "index_.dtype in WHOLE and (kind := x_.dtype) is updates_.dtype and kind in NUMERIC",
    kind="kind",
    scatter_nd_add_kernel=indexing.scatter_nd_add.fn,
)
def scatter_nd_add(x: Any, index: Any, updates: Any, name: str | None = None) -> Any:
    """x with updates added at the positions that the last dimension of the index spells.

    Args:
        x: a tensor.
        index: int32 or int64, [..., K].
        updates: index.shape[:-1] + x.shape[K:], of x's type.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        ValueError: the types differ.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.scatter_nd_add(paddle.zeros([3]), paddle.to_tensor([[1], [1]]), paddle.ones([2])).tolist()
        [0.0, 2.0, 0.0]

    Follows Paddle 2.6.
    """
    if not agree(x, updates):
        raise (type_error if SINCE_3 else invalid_argument)("updates", x.dtype, updates.dtype, "scatter_nd_add")
    return indexing.scatter_nd_add(x, index, updates, _helper=named("scatter_nd_add", name))


def scatter_nd(index: Any, updates: Any, shape: Any, name: str | None = None) -> Any:
    """Zeros with updates added at the positions that the last dimension of the index spells.

    Args:
        index: int32 or int64, [..., K].
        updates: index.shape[:-1] + shape[K:].
        shape: the output's shape.
        name: prefix of the output's name.
    Returns:
        A tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.scatter_nd(paddle.to_tensor([[1]]), paddle.ones([1]), [3]).tolist()
        [0.0, 1.0, 0.0]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.creation import zeros

    return scatter_nd_add(zeros(shape, updates.dtype), index, updates, name)


def _dimension(arr: Any, indices: Any, axis: int, api: str) -> int:
    """The dimension's number, counted from the first."""
    if len(arr.shape) != len(indices.shape):
        expected = f"Expected {len(arr.shape)} dimensions. Received: {len(indices.shape)}"
        raise ValueError(f"Invalid value for argument `indices` of `{api}`. {expected}")
    if not -len(arr.shape) <= axis < len(arr.shape):
        raise failed_assertion("axis", f"a dimension of arr, whose shape is {list(arr.shape)}", axis, api)
    return axis % len(arr.shape)


def _along(arr: Any, indices: Any, axis: int, broadcast: bool) -> tuple[Any, tuple[int, ...]]:
    from paddle_compat.tensor.manipulation import broadcast_to

    shape = list(arr.shape)
    shape[axis] = list(indices.shape)[axis]
    common = tuple(max(a, b) for a, b in zip(shape, indices.shape)) if broadcast else tuple(indices.shape)
    return broadcast_to(indices, list(common)) if broadcast else indices, common


@direct(
    "arr indices",
    "torch.gather(arr_, axis, indices_)",
    "type(axis) is int and arr_.dim() and arr_.dim() == indices_.dim() and arr_.shape[:axis] == indices_.shape[:axis] "
    "and (axis == -1 or arr_.shape[axis + 1 :] == indices_.shape[axis + 1 :]) and arr_.dtype in NUMERIC and not indices_.requires_grad",
)
@paddle3(input="arr", dim="axis", out=True)
def take_along_axis(arr: Any, indices: Any, axis: int, broadcast: bool = True) -> Any:
    """The elements at the positions that the indices give along one dimension.

    Args:
        arr: a tensor.
        indices: int32 or int64, of arr's rank.
        axis: the dimension.
        broadcast: whether the indices broadcast against arr.
    Returns:
        A tensor of the indices' shape.
    Raises:
        ValueError: the ranks differ.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.take_along_axis(paddle.to_tensor([[5, 6]]), paddle.to_tensor([[1]]), 1).tolist()
        [[6]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.manipulation import broadcast_to

    axis = _dimension(arr, indices, axis, "take_along_axis")
    indices, common = _along(arr, indices, axis, broadcast)
    if broadcast:
        shape = list(common)
        shape[axis] = list(arr.shape)[axis]
        arr = broadcast_to(arr, shape)
    check(arr, "x", "take_along_axis", NUMBERS, ("uint8", "int8", "int16", *NUMBERS))
    check(indices, "index", "take_along_axis", INTS)
    return indexing.take_along_axis(arr, indices, Axis=axis, _helper="take_along_axis")


def put_along_axis(
    arr: Any,
    indices: Any,
    values: Any,
    axis: int,
    reduce: str = "assign",
    include_self: bool = True,
    broadcast: bool = True,
) -> Any:
    """A tensor with elements written at the positions that the indices give along one dimension.

    Args:
        arr: a tensor.
        indices: int32 or int64, of arr's rank.
        values: what to write, a tensor or a number.
        axis: the dimension.
        reduce: "assign", "add", "multiply", "mul", "mean", "amax" or "amin".
        include_self: whether the old elements take part in the reduction.
        broadcast: whether indices and values broadcast against arr.
    Returns:
        A tensor like arr.
    Raises:
        ValueError: the ranks differ.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.put_along_axis(paddle.to_tensor([[5, 6]]), paddle.to_tensor([[1]]), 9, 1).tolist()
        [[5, 9]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.creation import full, to_tensor
    from paddle_compat.tensor.manipulation import broadcast_to

    axis = _dimension(arr, indices, axis, "put_along_axis")
    if not is_tensor(values):
        values = full([1], values, arr.dtype) if static(arr) else to_tensor(values)
    if not static(arr) and values.dtype != arr.dtype:  # a number counts as the Tensor that `to_tensor` makes of it
        raise invalid_argument("values", f"numbers of {dtype_name(arr.dtype)}, as arr has", dtype_name(values.dtype), "put_along_axis")
    indices, common = _along(arr, indices, axis, broadcast)
    if not broadcast and not static(arr) and len(values.shape) == len(common):  # the first ones, where there are more
        values = values[tuple(builtins.slice(None if size == 1 else wanted) for size, wanted in zip(values.shape, common))]
    values = broadcast_to(values, list(common))
    check(arr, "x", "put_along_axis", NUMBERS)
    check(indices, "index", "put_along_axis", INTS)
    attrs: dict[str, Any] = {"Axis": axis, "Reduce": reduce, "Include_self": include_self}
    return indexing.put_along_axis(arr, indices, values, _helper="put_along_axis", **attrs)


def shard_index(input: Any, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1) -> Any:
    """Indices into one shard of a table; `ignore_value` for those that another shard holds.

    Args:
        input: int32 or int64, [..., 1].
        index_num: how many rows the table has.
        nshards: how many shards.
        shard_id: this shard.
        ignore_value: what marks rows of other shards.
    Returns:
        A tensor like the input.
    Raises:
        ValueError: shard_id lies outside, or the last dimension is not 1.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.shard_index(paddle.to_tensor([[16], [1]]), 20, 2, 0).tolist()
        [[-1], [1]]

    Follows Paddle 2.6.
    """
    check(input, "input", "shard_index", INTS)
    if not 0 <= shard_id < nshards:
        raise ValueError(f"Invalid value for argument `shard_id` of `shard_index`. Expected 0 to {nshards - 1}. Received: {shard_id}")
    if not len(input.shape) or input.shape[-1] not in (1, -1):
        raise invalid_argument("input", "a last dimension of size 1", f"shape {list(input.shape)}", "shard_index")
    attrs: dict[str, Any] = {"index_num": index_num, "nshards": nshards, "shard_id": shard_id, "ignore_value": ignore_value}
    out = arrangement.shard_index(input, _helper="shard_index", **attrs)
    out.stop_gradient = True
    return out


scatter_, put_along_axis_ = map(in_place, (scatter, put_along_axis))

take_along_dim = take_along_axis


__all__ = [
    "take_along_dim",
    "crop", "diagonal_scatter", "fill_diagonal_tensor", "fill_diagonal_tensor_", "gather", "gather_nd", "index_add", "index_add_",
    "index_fill", "index_fill_", "index_put", "index_put_", "masked_fill", "masked_fill_", "put_along_axis", "put_along_axis_", "scatter",
    "scatter_", "scatter_nd", "scatter_nd_add", "select_scatter", "shard_index", "slice", "strided_slice", "take_along_axis",
]  # fmt: skip
