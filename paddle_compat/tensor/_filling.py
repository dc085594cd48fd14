"""Tensors with some elements replaced: index_add, index_put, index_fill, masked_fill, diagonals, slices."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.paddle3 import paddle3, placed
from paddle_compat.ops import arrangement, indexing
from paddle_compat.tensor._calls import (
    BOOL,
    COMPLEX,
    INTS,
    NUMBERS,
    check,
    helper_of,
    is_tensor,
    named,
    plain,
    static,
)
from paddle_compat.tensor._in_place import in_place

_COMMON = BOOL + NUMBERS


@placed("alpha name")
@paddle3(input="x", dim="axis", source="value", out=True, order="dim index source")
def index_add(x: Any, index: Any, axis: int, value: Any, name: str | None = None, *, alpha: Any = 1) -> Any:
    """x with slices added at some positions along a dimension.

    Args:
        x: a tensor.
        index: int32 or int64, a vector.
        axis: the dimension.
        value: the slices, of x's type.
        name: prefix of the output's name.
        alpha: the slices are multiplied by it first.
    Returns:
        A tensor like x.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.index_add(paddle.zeros([3]), paddle.to_tensor([1, 1]), 0, paddle.ones([2])).tolist()
        [0.0, 2.0, 0.0]

    Follows Paddle 2.6.
    """
    check(x, "x", "paddle.tensor.manipulation.index_add", NUMBERS)
    check(index, "index", "paddle.tensor.manipulation.index_add", INTS)
    check(value, "add_value", "paddle.tensor.manipulation.index_add", NUMBERS)
    if is_tensor(alpha) or alpha != 1:
        from paddle_compat.tensor._options import multiple

        value = multiple(value, alpha, "index_add")
    return indexing.index_add(x, index, value, axis=axis, _helper=named("index_add", name))


@paddle3(input="x", values="value")
def index_put(x: Any, indices: Any, value: Any, accumulate: bool = False, name: str | None = None) -> Any:
    """x with the elements at some positions replaced, or added to.

    Args:
        x: a tensor.
        indices: a tuple of index tensors, one a dimension, or a mask.
        value: what to write, of x's type; it broadcasts.
        accumulate: whether to add.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        ValueError: indices is no tuple.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.index_put(paddle.zeros([3]), (paddle.to_tensor([1]),), paddle.ones([1])).tolist()
        [0.0, 1.0, 0.0]

    Follows Paddle 2.6.
    """
    if not isinstance(indices, (list, tuple)) or not indices:
        raise failed_assertion("indices", "a list or tuple of tensors, one at least", indices, "index_put")
    for index in indices:
        check(index, "indices", "index_put", ("bool", *INTS))
    return indexing.index_put(x, list(indices), value, accumulate=accumulate, _helper=named("index_put", name))


def index_fill(x: Any, index: Any, axis: int, value: Any, name: str | None = None) -> Any:
    """x with some slices along a dimension set to a number.

    Args:
        x: a tensor.
        index: int32 or int64, a vector.
        axis: the dimension.
        value: a number, or a tensor of one element.
        name: has no effect.
    Returns:
        A tensor like x.
    Raises:
        ValueError: there is no such dimension, or the value has dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.index_fill(paddle.zeros([3]), paddle.to_tensor([1]), 0, 2.0).tolist()
        [0.0, 2.0, 0.0]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.creation import to_tensor
    from paddle_compat.tensor.manipulation import transpose

    order = list(range(len(x.shape)))
    if not isinstance(axis, int) or not -len(order) <= axis < len(order):
        raise invalid_argument("axis", f"{-len(order)} to {len(order) - 1}", axis, "index_fill")
    if is_tensor(value) and value.shape:
        raise invalid_argument("value", "a number, or a tensor without dimensions", list(value.shape), "index_fill")
    axis %= len(order)
    order[0], order[axis] = order[axis], order[0]
    if not is_tensor(value):
        value = to_tensor(value, x.dtype)
    return transpose(index_put(transpose(x, order), (index,), value), order)


@direct(
    "x mask",
    "x_.masked_fill(mask_, value)",
    "type(value) in NUMBERS and mask_.dtype is torch.bool and x_.dtype in FLOATS and x_.is_same_size(mask_)",
    kind="x_.dtype",
)
def masked_fill(x: Any, mask: Any, value: Any, name: str | None = None) -> Any:
    """x with a number where the mask holds.

    Args:
        x: a tensor.
        mask: bool; it broadcasts.
        value: a number, or a tensor of one element.
        name: has no effect.
    Returns:
        A tensor like x.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.masked_fill(paddle.zeros([2]), paddle.to_tensor([True, False]), 3.0).tolist()
        [3.0, 0.0]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.creation import full
    from paddle_compat.tensor.ops import logical_not
    from paddle_compat.tensor.search import where

    if dtype_name(x.dtype) in ("int8", "uint8", "int16") and not static(x):  # which `where` does not take
        value = value.astype("int32") if is_tensor(value) else value
        return masked_fill(x.astype("int32"), mask, value).astype(x.dtype)
    if not is_tensor(value):
        value = full([], value, x.dtype)
    return where(logical_not(mask), x, value)


def diagonal_scatter(x: Any, y: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, name: str | None = None) -> Any:
    """x with y on the diagonal of each matrix that two dimensions form.

    Args:
        x, y: tensors.
        offset: which diagonal.
        axis1, axis2: the two dimensions.
        name: has no effect.
    Returns:
        A tensor like x.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.diagonal_scatter(paddle.zeros([2, 2]), paddle.ones([2])).tolist()
        [[1.0, 0.0], [0.0, 1.0]]

    Follows Paddle 2.6.
    """
    return fill_diagonal_tensor(x, y, offset, axis1, axis2, name)


def fill_diagonal_tensor(x: Any, y: Any, offset: int = 0, dim1: int = 0, dim2: int = 1, name: str | None = None) -> Any:
    """x with y on the diagonal of each matrix that two dimensions form.

    Args:
        x, y: tensors.
        offset: which diagonal.
        dim1, dim2: the two dimensions.
        name: has no effect.
    Returns:
        A tensor like x.
    Raises:
        AssertionError: x has no such dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.tensor.manipulation.fill_diagonal_tensor(paddle.zeros([2, 2]), paddle.ones([2])).tolist()
        [[1.0, 0.0], [0.0, 1.0]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.manipulation import reshape

    rank = len(x.shape)
    for dim, word in ((dim1, "dim1"), (dim2, "dim2")):
        if not -rank <= dim < rank:
            raise failed_assertion(word, f"a dimension of x, whose shape is {list(x.shape)}", dim, "fill_diagonal_tensor")
    if len(y.shape) == 1:
        y = reshape(y, [1, -1])
    return arrangement.fill_diagonal_tensor(x, y, offset=offset, dim1=dim1, dim2=dim2, _helper="fill_diagonal_tensor")


def select_scatter(x: Any, values: Any, axis: int, index: int, name: str | None = None) -> Any:
    """x with one slice along a dimension replaced.

    Args:
        x: a tensor.
        values: the slice.
        axis: the dimension.
        index: its position.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        RuntimeError: the slice does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.select_scatter(paddle.zeros([2, 2]), paddle.ones([2]), 0, 1).tolist()
        [[0.0, 0.0], [1.0, 1.0]]

    Follows Paddle 2.6.
    """
    axis, shape = plain(axis), list(x.shape)
    shape.pop(axis)
    if shape != list(values.shape):
        raise RuntimeError(
            f"Invalid value for argument `values` of `select_scatter`. Expected shape {shape}. Received: {list(values.shape)}"
        )
    check(x, "x", "select_scatter", _COMMON, ("uint8", "int8", "int16", *_COMMON, *COMPLEX))
    axis %= len(x.shape)
    helper = named("select_scatter", name) if not static(x) else helper_of("select_scatter", name)
    values = values.astype(x.dtype)
    attrs: dict[str, Any] = {
        "axes": [axis],
        "starts": [index],
        "ends": [index + 1],
        "steps": [1],
        "decrease_axes": [axis],
        "none_axes": [],
    }
    return indexing.set_value(x, values, dtype=int(x.dtype), _helper=helper, **attrs)


index_add_, index_put_, index_fill_, masked_fill_ = map(in_place, (index_add, index_put, index_fill, masked_fill))
fill_diagonal_tensor_ = in_place(fill_diagonal_tensor)


__all__ = [
    "diagonal_scatter", "fill_diagonal_tensor", "fill_diagonal_tensor_", "index_add", "index_add_", "index_fill",
    "index_fill_", "index_put", "index_put_", "masked_fill", "masked_fill_", "select_scatter",
]  # fmt: skip
