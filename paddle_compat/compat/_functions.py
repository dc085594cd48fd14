"""Functions on tensors that take and give what torch's of the same names do."""

from __future__ import annotations

import builtins
import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.paddle3 import become, paddle3
from paddle_compat.tensor import _reductions, linalg, manipulation, search, stat
from paddle_compat.tensor._arithmetic import maximum, minimum
from paddle_compat.tensor._calls import is_tensor
from paddle_compat.tensor.creation import assign, zeros


class SortRetType(NamedTuple):
    """What `sort` gives: the elements in order, and where they stood.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.sort(paddle.to_tensor([3, 1])).values.tolist()
        [1, 3]

    Follows Paddle 3.3.
    """

    values: Any
    indices: Any


class MinMaxRetType(NamedTuple):
    """What `max` and `min` along a dimension give: the elements, and where they stand.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.max(paddle.to_tensor([3, 1]), 0).indices.item()
        0

    Follows Paddle 3.3.
    """

    values: Any
    indices: Any


class MedianRetType(NamedTuple):
    """What the medians along a dimension give: the elements, and where they stand.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.median(paddle.to_tensor([3, 1, 2]), 0).indices.item()
        2

    Follows Paddle 3.3.
    """

    values: Any
    indices: Any


class SlogdetResult(NamedTuple):
    """What `slogdet` gives: the determinant's sign, and the logarithm of its absolute value.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.slogdet(paddle.eye(2)).logabsdet.item()
        0.0

    Follows Paddle 3.3.
    """

    sign: Any
    logabsdet: Any


@paddle3(out=True)
def sort(input: Any, dim: int = -1, descending: bool = False, stable: bool = False) -> SortRetType:
    """The elements in order along a dimension, and where they stood.

    Args:
        input: a tensor of numbers.
        dim: the dimension.
        descending: whether the largest comes first.
        stable: whether equal elements keep their order, as they do anyway.
    Returns:
        (values, indices), the indices int64.
    Raises:
        ValueError: dim lies outside.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.sort(paddle.to_tensor([3, 1])).indices.tolist()
        [1, 0]

    Follows Paddle 3.3.
    """
    if not input.shape:
        return SortRetType(assign(input), zeros([], "int64"))
    places = search.argsort(input, dim, descending, stable=True)
    return SortRetType(manipulation.take_along_axis(input, places, dim), places)


def split(tensor: Any, split_size_or_sections: Any, dim: int = 0) -> tuple[Any, ...]:
    """A tensor in parts of one size, the last of which may be smaller, or of several.

    Args:
        tensor: a tensor.
        split_size_or_sections: the size of all parts, or a list of the sizes of each.
        dim: the dimension.
    Returns:
        The parts, a tuple.
    Raises:
        AssertionError: the size is not positive.
        ValueError: dim lies outside, or the sizes do not make up the dimension.
        TypeError: the sizes are something else.

    Example:
        >>> import paddle_compat as paddle
        >>> [part.tolist() for part in paddle.compat.split(paddle.to_tensor([3, 1, 2]), 2)]
        [[3, 1], [2]]

    Follows Paddle 3.3.
    """
    rank, sizes = len(tensor.shape), split_size_or_sections
    if not -rank <= dim < rank:
        raise ValueError(f"Invalid value for argument `dim` of `split`. Expected a dimension of [-{rank}, {rank}). Received: {dim}")
    length = tensor.shape[dim]
    if isinstance(sizes, int):
        if sizes <= 0:
            raise failed_assertion("split_size_or_sections", "more than 0", sizes, "split")
        sizes = [builtins.min(sizes, length - at) for at in range(0, length, sizes)]
    elif not isinstance(sizes, (list, tuple)):
        raise type_error("split_size_or_sections", "an int, list or tuple", sizes, "split")
    if any(isinstance(size, int) and size < 0 for size in sizes):
        raise invalid_argument("split_size_or_sections", "sizes of 0 or more", sizes, "split")
    return tuple(manipulation.split(tensor, list(sizes), dim)) if sizes else ()


def _extreme(api: str, input: Any, args: Sequence[Any], words: dict[str, Any]) -> Any:
    """The largest or smallest: of all elements, of two tensors element by element, or along a dimension with its place."""
    if not is_tensor(input):
        raise type_error("input", "a tensor", input, api)
    whole, two, place = (
        (_reductions.amax, maximum, search.argmax) if api == "max" else (_reductions.amin, minimum, search.argmin)
    )
    if not args and not words:
        return whole(input)
    given = dict(zip(("other",) if args and is_tensor(args[0]) else ("dim", "keepdim"), args))
    known = len(given) == len(args) and not given.keys() & words.keys()
    given.update(words)
    if known and given.keys() == {"other"} and is_tensor(given["other"]):
        return two(input, given["other"])
    if not known or not given.keys() <= {"dim", "keepdim"} or not isinstance(given.get("dim"), int):
        raise type_error("*args", "nothing, another tensor, or an int `dim` with or without `keepdim`", (*args, words), api)
    dim, keepdim = given["dim"], bool(given.get("keepdim", False))
    at = place(input, dim, keepdim=True)
    values = manipulation.take_along_axis(input, at, dim) if input.shape else assign(input)
    if not input.shape:
        return MinMaxRetType(values, zeros([], "int64"))
    return MinMaxRetType(values, at) if keepdim else MinMaxRetType(manipulation.squeeze(values, dim), manipulation.squeeze(at, dim))


def max(input: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    """The largest element, that along a dimension and its place, or the larger ones of two tensors.

    Args:
        input: a tensor of numbers.
        *args, **kwargs: nothing; `dim` and `keepdim`; or `other`.
        out: the Tensor, or Tensors, that become the result, too.
    Returns:
        A tensor, or (values, indices) along a dimension.
    Raises:
        TypeError: the arguments are none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.max(paddle.to_tensor([[3, 1]]), dim=1).values.tolist()
        [3]

    Follows Paddle 3.3.
    """
    found = _extreme("max", input, args, kwargs)
    return found if out is None else become(out, found, "max")


def min(input: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    """The smallest element, that along a dimension and its place, or the smaller ones of two tensors.

    Args:
        input: a tensor of numbers.
        *args, **kwargs: nothing; `dim` and `keepdim`; or `other`.
        out: the Tensor, or Tensors, that become the result, too.
    Returns:
        A tensor, or (values, indices) along a dimension.
    Raises:
        TypeError: the arguments are none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.min(paddle.to_tensor([3, 1]), paddle.to_tensor([2, 2])).tolist()
        [2, 1]

    Follows Paddle 3.3.
    """
    found = _extreme("min", input, args, kwargs)
    return found if out is None else become(out, found, "min")


@paddle3(out=True)
def median(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The median; of an even count, the lower one of the middle two.

    Args:
        input: a tensor of numbers.
        dim: the dimension; None: of all elements.
        keepdim: whether the dimension stays, with size 1.
    Returns:
        A tensor, or (values, indices) along a dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.median(paddle.to_tensor([3, 1, 2, 5])).item()
        2

    Follows Paddle 3.3.
    """
    found = stat.median(input, dim, keepdim, mode="min")
    return found if dim is None else MedianRetType(*found)


@paddle3(out=True)
def nanmedian(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The median of the elements that are not NaN; of an even count, the lower one of the middle two.

    Args:
        input: a tensor of numbers.
        dim: the dimension; None: of all elements.
        keepdim: whether the dimension stays, with size 1.
    Returns:
        A tensor, or (values, indices) along a dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.nanmedian(paddle.to_tensor([3.0, float("nan")])).item()
        3.0

    Follows Paddle 3.3.
    """
    found = stat.nanmedian(input, dim, keepdim, mode="min")
    return found if dim is None else MedianRetType(*found)


def unique(input: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None) -> Any:
    """The different elements, or slices along a dimension, in order.

    Args:
        input: a tensor.
        sorted: they are in order anyway.
        return_inverse: whether to tell which of them each element is.
        return_counts: whether to count them.
        dim: the dimension; None: the elements.
    Returns:
        A tensor, or several.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.unique(paddle.to_tensor([3, 1, 3])).tolist()
        [1, 3]

    Follows Paddle 3.3.
    """
    return manipulation.unique(input, return_inverse=return_inverse, return_counts=return_counts, axis=dim)


def equal(input: Any, other: Any) -> bool:
    """Whether two tensors have the same shape and elements.

    Args:
        input, other: tensors.
    Returns:
        A bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.equal(paddle.to_tensor([1, 2]), paddle.to_tensor([1, 3]))
        False

    Follows Paddle 3.3.
    """
    return list(input.shape) == list(other.shape) and bool((input._t == other._t).all())


@paddle3(out=True)
def slogdet(x: Any) -> SlogdetResult:
    """The determinant's sign and the logarithm of its absolute value.

    Args:
        x: [..., N, N], float32 or float64.
    Returns:
        (sign, logabsdet).

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.slogdet(paddle.eye(2)).sign.item()
        1.0

    Follows Paddle 3.3.
    """
    found = linalg.slogdet(x)
    return SlogdetResult(found[0], found[1])


def seed() -> int:
    """Start the random numbers anew from a seed that nobody chose.

    Returns:
        The seed.

    Example:
        >>> import paddle_compat as paddle
        >>> isinstance(paddle.compat.seed(), int)
        True

    Follows Paddle 3.3.
    """
    from paddle_compat import seed as start

    chosen = secrets.randbits(53)
    start(chosen)
    return chosen
