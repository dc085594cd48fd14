"""Functions on tensors that Paddle has since version 3."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import OutOfRangeError, WrongInputError, failed_assertion, invalid_argument, type_error
from paddle_compat.core.paddle3 import paddle3, placed
from paddle_compat.tensor._calls import is_int, is_tensor
from paddle_compat.tensor._in_place import in_place
from paddle_compat.tensor._options import fractions


@paddle3(sizes="dims")
def permute(input: Any, dims: Any) -> Any:
    """A tensor with its dimensions in another order.

    Args:
        input: a tensor.
        dims: for each dimension of the output, that of the input.
    Returns:
        A tensor of its elements.
    Raises:
        ValueError: the dimensions are not named once each.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.permute(paddle.ones([2, 3, 4]), 2, 0, 1).shape
        [4, 2, 3]

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor._reshape import transpose

    rank = len(input.shape)
    return transpose(input, [a + rank if -rank <= a < 0 else a for a in dims])


def narrow(input: Any, dim: int, start: Any, length: int) -> Any:
    """A part of a tensor along a dimension.

    Args:
        input: a tensor.
        dim: the dimension.
        start: where the part begins, an int or a Tensor.
        length: how long it is.
    Returns:
        A tensor.
    Raises:
        IndexError: the tensor has no such dimension.
        AssertionError: the part lies outside.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.narrow(paddle.arange(5), 0, 1, 3).tolist()
        [1, 2, 3]

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor._selection import slice

    rank = len(input.shape)
    if not -rank <= dim < rank:
        raise OutOfRangeError(f"Invalid value for argument `dim` of `narrow`. Expected a dimension of {rank}. Received: {dim}")
    size, first = input.shape[dim], int(start)
    if length < 0:
        raise failed_assertion("length", "at least 0", length, "narrow")
    if not -size <= first <= size:
        raise failed_assertion("start", f"a place within {size}", first, "narrow")
    first += size if first < 0 else 0
    if first + length > size:
        raise failed_assertion("length", f"at most {size - first}", length, "narrow")
    return slice(input, [dim], [first], [first + length])


def ravel(input: Any) -> Any:
    """All elements in one dimension.

    Args:
        input: a tensor.
    Returns:
        A vector.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.ravel(paddle.ones([2, 3])).shape
        [6]

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor._reshape import reshape

    return reshape(input, [-1])


def scatter_add(input: Any, dim: int, index: Any, src: Any) -> Any:
    """A tensor with values added at the places that an index tells along a dimension.

    Args:
        input: a tensor.
        dim: the dimension.
        index: a place for each value, of the input's rank.
        src: the values.
    Returns:
        A tensor like the input.
    Raises:
        ValueError: the ranks differ.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.scatter_add(paddle.zeros([3]), 0, paddle.to_tensor([1, 1]), paddle.ones([2])).tolist()
        [0.0, 2.0, 0.0]

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor._selection import put_along_axis

    return put_along_axis(input, index, src, dim, "add", broadcast=False)


def scatter_reduce(input: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True) -> Any:
    """A tensor combined with values at the places that an index tells along a dimension.

    Args:
        input: a tensor.
        dim: the dimension.
        index: a place for each value, of the input's rank.
        src: the values.
        reduce: "sum", "prod", "mean", "amax" or "amin".
        include_self: whether the former elements take part.
    Returns:
        A tensor like the input.
    Raises:
        ValueError: the ranks differ, or there is no such way to combine.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.scatter_reduce(paddle.ones([2]), 0, paddle.to_tensor([1, 1]), paddle.to_tensor([3.0, 4.0]), "prod").tolist()
        [1.0, 12.0]

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor._selection import put_along_axis

    ways = {"sum": "add", "prod": "multiply", "mean": "mean", "amax": "amax", "amin": "amin"}
    if reduce not in ways:
        raise invalid_argument("reduce", ", ".join(ways), repr(reduce), "scatter_reduce")
    return put_along_axis(input, index, src, dim, ways[reduce], include_self, broadcast=False)


@paddle3(out=True)
def msort(input: Any) -> Any:
    """The elements in order along the first dimension.

    Args:
        input: a tensor of numbers.
    Returns:
        A tensor like the input.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.msort(paddle.to_tensor([[3, 1], [2, 5]])).tolist()
        [[2, 1], [3, 5]]

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor.search import sort

    return sort(input, 0)


@paddle3(out=True, axis="dim", x="input")  # libraries put `nn.functional.softmax` here where there is none
def softmax(input: Any, dim: int | None = None, dtype: Any = None) -> Any:
    """Exponentials as shares of their sum.

    Args:
        input: a tensor of floats.
        dim: the dimension; None: the first one of 0, 1 or 3 dimensions, else the second.
        dtype: the type to compute in; None: the input's.
    Returns:
        A tensor of the same shape.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.softmax(paddle.zeros([2]), 0).tolist()
        [0.5, 0.5]

    Follows Paddle 3.3.
    """
    from paddle_compat.nn.functional import softmax as softmax_of

    if dim is None:
        dim = 0 if len(input.shape) in (0, 1, 3) else 1
    return softmax_of(input, dim, dtype)


def positive(x: Any, name: str | None = None) -> Any:
    """The tensor itself, if it is one of numbers.

    Args:
        x: a tensor.
        name: has no effect.
    Returns:
        x.
    Raises:
        TypeError: x is of truth values.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.positive(paddle.to_tensor([-1.0])).tolist()
        [-1.0]

    Follows Paddle 3.3.
    """
    if x.dtype == VarType.BOOL:
        raise TypeError("Invalid type for argument `x` of `positive`. Expected numbers. Received: bool")
    return x


@paddle3(out=True)
def true_divide(input: Any, other: Any) -> Any:
    """The quotients; of integers as fractions.

    Args:
        input, other: tensors; their shapes broadcast.
    Returns:
        A tensor of the common shape.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.true_divide(paddle.to_tensor([1]), paddle.to_tensor([2])).tolist()
        [0.5]

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor._arithmetic import divide

    return divide(*fractions(input, other))


@paddle3(input="x", other="y", out=True)
def div(x: Any, y: Any, name: str | None = None, *, rounding_mode: str | None = None) -> Any:
    """x / y; of integers as fractions, where `divide` follows Paddle 2.6.

    Args:
        x, y: tensors of one type; their shapes broadcast.
        name: the output's name.
        rounding_mode: None, 'trunc' (towards zero) or 'floor' (down); no gradient passes then, and integers stay integers.
    Returns:
        A tensor of the common shape.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.div(paddle.to_tensor([7, -7]), paddle.to_tensor([2, 2])).tolist()
        [3.5, -3.5]

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor._arithmetic import divide

    return divide(*fractions(x, y), name) if rounding_mode is None else divide(x, y, name, rounding_mode=rounding_mode)


div_ = in_place(div)


def _joined(x: Any, rank: int, axis: int | None) -> Any:
    from paddle_compat.tensor._reshape import atleast_1d, atleast_2d, atleast_3d
    from paddle_compat.tensor.manipulation import concat

    if isinstance(x, str) or isinstance(x, (list, tuple)) and not x:
        raise WrongInputError(f"Invalid value for argument `x`. Expected a list of tensors, one at least. Received: {x!r}")
    if axis is None:  # vectors one behind the other
        axis = int(len(x[0].shape) > 1)
    raised = (atleast_1d, atleast_2d, atleast_3d)[rank - 1](*x)
    return concat(list(raised) if isinstance(raised, (list, tuple)) else [raised], axis)


def hstack(x: Any, name: str | None = None) -> Any:
    """Tensors side by side: along the second dimension, vectors one behind the other.

    Args:
        x: a list of tensors.
        name: has no effect.
    Returns:
        A tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.hstack([paddle.ones([1]), paddle.zeros([1])]).tolist()
        [1.0, 0.0]

    Follows Paddle 3.3.
    """
    return _joined(x, 1, None)


def vstack(x: Any, name: str | None = None) -> Any:
    """Tensors one below the other: along the first dimension, vectors as rows.

    Args:
        x: a list of tensors.
        name: has no effect.
    Returns:
        A tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vstack([paddle.ones([1]), paddle.zeros([1])]).tolist()
        [[1.0], [0.0]]

    Follows Paddle 3.3.
    """
    return _joined(x, 2, 0)


row_stack = vstack


def dstack(x: Any, name: str | None = None) -> Any:
    """Tensors one behind the other: along the third dimension.

    Args:
        x: a list of tensors.
        name: has no effect.
    Returns:
        A tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dstack([paddle.ones([1]), paddle.zeros([1])]).shape
        [1, 1, 2]

    Follows Paddle 3.3.
    """
    return _joined(x, 3, 2)


def column_stack(x: Any, name: str | None = None) -> Any:
    """Tensors side by side, vectors as columns.

    Args:
        x: a list of tensors.
        name: has no effect.
    Returns:
        A tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.column_stack([paddle.ones([2]), paddle.zeros([2])]).tolist()
        [[1.0, 0.0], [1.0, 0.0]]

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor._reshape import reshape

    return hstack([reshape(v, [-1, 1]) if len(v.shape) < 2 else v for v in x])


def isposinf(x: Any, name: str | None = None) -> Any:
    """Which elements are infinite and positive.

    Args:
        x: a tensor of numbers.
        name: has no effect.
    Returns:
        A bool tensor.
    Raises:
        TypeError: x is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.isposinf(paddle.to_tensor([1.0, float("inf")])).tolist()
        [False, True]

    Follows Paddle 3.3.
    """
    _need_tensor(x, "isposinf")
    return x.astype("float32") == math.inf if is_int(x) else x == math.inf


def _need_tensor(x: Any, api: str) -> None:
    if not is_tensor(x):
        raise type_error("x", "a tensor", x, api)


def isneginf(x: Any, name: str | None = None) -> Any:
    """Which elements are infinite and negative.

    Args:
        x: a tensor of numbers.
        name: has no effect.
    Returns:
        A bool tensor.
    Raises:
        TypeError: x is no tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.isneginf(paddle.to_tensor([1.0, -float("inf")])).tolist()
        [False, True]

    Follows Paddle 3.3.
    """
    _need_tensor(x, "isneginf")
    return x.astype("float32") == -math.inf if is_int(x) else x == -math.inf


@placed("device requires_grad pin_memory")
@paddle3(made=True)
def as_tensor(data: Any, dtype: Any = None) -> Any:
    """A new Tensor of data.

    Args:
        data: a number, an array, a Tensor, or nested lists of numbers.
        dtype: the data type; None: that of the data.
    Returns:
        A Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.as_tensor([1.0, 2.0], requires_grad=True).stop_gradient
        False

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor._from_data import to_tensor

    return to_tensor(data, dtype)


@paddle3(made=True)
def rand_like(input: Any, name: str | None = None, *, dtype: Any = None) -> Any:
    """Uniform numbers between 0 and 1, as many as a tensor has elements.

    Args:
        input: a tensor.
        name: has no effect.
        dtype: the data type; None: the tensor's.
    Returns:
        A tensor of the same shape.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.rand_like(paddle.ones([2, 3])).shape
        [2, 3]

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor.random import rand

    return rand(list(input.shape), input.dtype if dtype is None else dtype)


@paddle3(input="x", made=True)
def randn_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Normal numbers, as many as a tensor has elements.

    Args:
        x: a tensor.
        dtype: the data type; None: the tensor's.
        name: has no effect.
    Returns:
        A tensor of the same shape.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.randn_like(paddle.ones([2, 3])).shape
        [2, 3]

    Follows Paddle 3.3.
    """
    from paddle_compat.tensor.random import randn

    return randn(list(x.shape), x.dtype if dtype is None else dtype)


scatter_add_ = in_place(scatter_add)

__all__ = [
    "as_tensor", "column_stack", "dstack", "hstack", "isneginf", "isposinf", "msort", "narrow", "permute", "positive", "rand_like",
    "randn_like", "ravel", "row_stack", "scatter_add", "scatter_add_", "scatter_reduce", "softmax", "true_divide", "vstack", "div", "div_",
]  # fmt: skip
