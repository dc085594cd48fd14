"""Functions of Paddle 3 that cut tensors up, put them together and write parts of them."""

from __future__ import annotations

import itertools
from typing import Any

from paddle_compat import tensor
from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.ops import _broadcast, indexing
from paddle_compat.tensor._calls import FLOATS, check, check_all, helper_of, is_tensor, named, need, static
from paddle_compat.tensor._in_place import in_place


@paddle3(input="x", indices_or_sections="num_or_indices", indices="num_or_indices", sections="num_or_indices", dim="axis")
def tensor_split(x: Any, num_or_indices: Any, axis: int = 0, name: str | None = None) -> list[Any]:
    """x cut along a dimension, also into parts that are not equal.

    Args:
        x: a tensor of one dimension or more.
        num_or_indices: into how many parts, of which the first are longer by one where it does not divide; or where the parts begin.
        axis: the dimension.
        name: has no effect.
    Returns:
        The parts.
    Raises:
        ValueError: there is no such dimension, or no part.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.tolist() for v in paddle.tensor_split(paddle.arange(5), 2)]
        [[0, 1, 2], [3, 4]]

    Follows Paddle 3.3.
    """
    rank = len(x.shape)
    if not -rank <= axis < rank:
        raise invalid_argument("axis", f"a dimension of {rank}", axis, "tensor_split")
    size = x.shape[axis]
    if size < 0 and static(x):
        return _split_unknown(x, num_or_indices, axis % rank)
    if isinstance(num_or_indices, (list, tuple)):
        bounds = [0, *num_or_indices, None]
    elif type(num_or_indices) is int and num_or_indices > 0 and size >= 0:
        share, longer = divmod(size, num_or_indices)
        bounds = [0, *itertools.accumulate([share + 1] * longer + [share] * (num_or_indices - longer))]
    else:
        raise invalid_argument("num_or_indices", "a number of parts above 0, or a list of ints", num_or_indices, "tensor_split")
    places = [slice(*pair).indices(size) for pair in itertools.pairwise(bounds)]
    return [tensor.slice(x, [axis], [start], [max(start, end)]).clone() for start, end, _ in places]


def _split_unknown(x: Any, num_or_indices: Any, axis: int) -> list[Any]:
    """`tensor_split` of a dimension whose size a run tells."""
    if isinstance(num_or_indices, (list, tuple)):
        bounds = [0, *num_or_indices, 2**31 - 1]
    elif type(num_or_indices) is int and num_or_indices > 0:
        size = tensor.shape(x)[axis]
        share, longer = size // num_or_indices, size % num_or_indices
        bounds = [0, *(share * n + tensor.clip(longer, max=n) for n in range(1, num_or_indices + 1))]
    else:
        raise invalid_argument("num_or_indices", "a number of parts above 0, or a list of ints", num_or_indices, "tensor_split")
    return [tensor.slice(x, [axis], [start], [end]) for start, end in itertools.pairwise(bounds)]


def _split_along(api: str, least: int, x: Any, num_or_indices: Any) -> list[Any]:
    rank = len(x.shape)
    if rank < least:
        raise invalid_argument("x", f"{least} dimensions at least", rank, api)
    parts: list[Any] = tensor_split(x, num_or_indices, 2 if least == 3 else min(rank - 1, 1))
    return parts


@paddle3(input="x", indices_or_sections="num_or_indices")
def hsplit(x: Any, num_or_indices: Any, name: str | None = None) -> list[Any]:
    """x cut along its second dimension, a vector along its only one.

    Args:
        x: a tensor of one dimension or more.
        num_or_indices: as of `tensor_split`.
        name: has no effect.
    Returns:
        The parts.
    Raises:
        ValueError: x has no dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.tolist() for v in paddle.hsplit(paddle.to_tensor([[1, 2]]), 2)]
        [[[1]], [[2]]]

    Follows Paddle 3.3.
    """
    return _split_along("hsplit", 1, x, num_or_indices)


@paddle3(input="x", indices_or_sections="num_or_indices")
def dsplit(x: Any, num_or_indices: Any, name: str | None = None) -> list[Any]:
    """x cut along its third dimension.

    Args:
        x: a tensor of three dimensions or more.
        num_or_indices: as of `tensor_split`.
        name: has no effect.
    Returns:
        The parts.
    Raises:
        ValueError: x has fewer dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.tolist() for v in paddle.dsplit(paddle.to_tensor([[[1, 2]]]), 2)]
        [[[[1]]], [[[2]]]]

    Follows Paddle 3.3.
    """
    return _split_along("dsplit", 3, x, num_or_indices)


def split_with_sizes(self: Any, split_sizes: Any, dim: int = 0) -> list[Any]:
    """The tensor cut along a dimension into parts of given sizes.

    Args:
        self: a tensor.
        split_sizes: the sizes.
        dim: the dimension.
    Returns:
        The parts.
    Raises:
        ValueError: the sizes do not add up.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.tolist() for v in paddle.arange(3).split_with_sizes([1, 2])]
        [[0], [1, 2]]

    Follows Paddle 3.3.
    """
    if -1 != self.shape[dim] != sum(split_sizes):
        raise invalid_argument("split_sizes", f"sizes that add up to {self.shape[dim]}", split_sizes, "split_with_sizes")
    parts: list[Any] = tensor.split(self, list(split_sizes), dim)
    return parts


def _of_one_type(tensors: Any, name: str, api: str) -> None:
    check_all(tensors, name, api)
    if len({each.dtype for each in tensors}) != 1:
        raise invalid_argument(name, "tensors of one data type", [each.dtype for each in tensors] or "none", api)


def block_diag(inputs: Any, name: str | None = None) -> Any:
    """A matrix of matrices along its diagonal, and zeros.

    Args:
        inputs: tensors of at most two dimensions; a vector is a row. Or one tensor, of which each part is a block.
        name: has no effect.
    Returns:
        A matrix.
    Raises:
        ValueError: there is none, or they differ in their types.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.block_diag([paddle.to_tensor([[1, 2]]), paddle.to_tensor(3)]).tolist()
        [[1, 2, 0], [0, 0, 3]]

    Follows Paddle 3.3.
    """
    if is_tensor(inputs):
        inputs = tensor.unbind(inputs)
    _of_one_type(inputs, "inputs", "block_diag")
    blocks = [each if len(each.shape) == 2 else tensor.reshape(each, [1, -1]) for each in inputs]
    width, left, rows = sum(each.shape[1] for each in blocks), 0, []
    for block in blocks:
        height, own = block.shape
        sides = [tensor.zeros([height, size], block.dtype) for size in (left, width - left - own)]
        rows.append(tensor.concat([sides[0], block, sides[1]], 1))
        left += own
    return tensor.concat(rows, 0)


def cartesian_prod(x: Any, name: str | None = None) -> Any:
    """All ways to take one element of each vector.

    Args:
        x: vectors of one data type.
        name: has no effect.
    Returns:
        [ways, vectors]; of one vector itself.
    Raises:
        ValueError: one is no vector, or of another type.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.cartesian_prod([paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])]).tolist()
        [[1, 3], [1, 4], [2, 3], [2, 4]]

    Follows Paddle 3.3.
    """
    _of_one_type(x, "x", "cartesian_prod")
    for each in x:
        if len(each.shape) != 1:
            raise invalid_argument("x", "vectors", [list(v.shape) for v in x], "cartesian_prod")
    if len(x) == 1:
        return x[0]
    return tensor.stack([tensor.flatten(each) for each in tensor.meshgrid(*x)], 1)


def masked_scatter(x: Any, mask: Any, value: Any, name: str | None = None) -> Any:
    """x with the first elements of a value, in order, where a mask holds.

    Args:
        x: a tensor.
        mask: a bool tensor; its shape and x's broadcast.
        value: a tensor of x's type, with an element for each place at least.
        name: has no effect.
    Returns:
        A tensor.
    Raises:
        AssertionError: a tensor is of a wrong type, or value has too few elements.

    Example:
        >>> import paddle_compat as paddle
        >>> x, value = paddle.zeros([3]), paddle.to_tensor([7.0, 8.0])
        >>> paddle.masked_scatter(x, paddle.to_tensor([True, False, True]), value).tolist()
        [7.0, 0.0, 8.0]

    Follows Paddle 3.3.
    """
    if mask.dtype != VarType.BOOL:
        raise failed_assertion("mask", "a bool tensor", mask.dtype, "masked_scatter")
    if value.dtype != x.dtype:
        raise failed_assertion("value", f"a tensor of {x.dtype}", value.dtype, "masked_scatter")
    common = broadcast_shapes(list(x.shape), list(mask.shape))
    mask, x = tensor.broadcast_to(mask, common), tensor.broadcast_to(x, common)
    count = tensor.cumsum(mask.astype("int64"))
    if not static(x, mask, value) and count.size and count[-1].item() > value.size:
        raise failed_assertion("value", f"{count[-1].item()} elements at least", value.size, "masked_scatter")
    if not static(x, mask, value) and not value.size:
        return tensor.assign(x)
    taken = tensor.gather(tensor.flatten(value), tensor.clip(count - 1, min=0))
    return tensor.where(mask, tensor.reshape(taken, tensor.shape(x)), x)


def slice_scatter(x: Any, value: Any, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None) -> Any:
    """x with a value in place of what a slice takes of it.

    Args:
        x: a tensor.
        value: a tensor that broadcasts to the slice.
        axes: the dimensions that are cut.
        starts, ends, strides: the slice in each of them.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        ValueError: the value does not fit, or there are not as many bounds as dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.slice_scatter(paddle.zeros([4]), paddle.ones([2]), [0], [0], [4], [2]).tolist()
        [1.0, 0.0, 1.0, 0.0]

    Follows Paddle 3.3.
    """
    check(x, "x", "slice_scatter")
    if not len(axes) == len(starts) == len(ends) == len(strides):
        raise invalid_argument("axes", "as many dimensions as starts, ends and strides", axes, "slice_scatter")
    helper = helper_of("slice_scatter", name) if static(x) else named("slice_scatter", name)
    places: dict[str, Any] = {"axes": list(axes), "starts": list(starts), "ends": list(ends), "steps": list(strides)}
    return indexing.set_value(
        x, value.astype(x.dtype), dtype=int(x.dtype), decrease_axes=[], none_axes=[], _helper=helper, **places
    )  # fmt: skip


@paddle3(elements="x", test_elements="test_x")
def isin(x: Any, test_x: Any, assume_unique: bool = False, invert: bool = False, name: str | None = None) -> Any:
    """Which elements are among those of another tensor.

    Args:
        x: a tensor.
        test_x: a tensor of the same type.
        assume_unique: has no effect.
        invert: ask for those that are not.
        name: has no effect.
    Returns:
        A bool tensor of x's shape.
    Raises:
        TypeError: one is no tensor, or of another type.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.isin(paddle.to_tensor([1, 2, 3]), paddle.to_tensor([3, 1])).tolist()
        [True, False, True]

    Follows Paddle 3.3.
    """
    for each, label in ((x, "x"), (test_x, "test_x")):
        if not is_tensor(each):
            raise type_error(label, "a tensor", each, "isin")
    if x.dtype != test_x.dtype and not {dtype_name(x.dtype), dtype_name(test_x.dtype)} <= set(FLOATS):
        raise type_error("test_x", f"a tensor of {x.dtype}", str(test_x.dtype), "isin")
    if 0 in test_x.shape:
        found = tensor.zeros_like(x).astype("bool")
    else:
        floats = {VarType.FP16: "float32", VarType.BF16: "float32", VarType.FP32: "float32", VarType.FP64: "float64"}
        kinds = [floats.get(each.dtype, "int64") for each in (x, test_x)]
        x, test_x = (each.astype("float64" if "float64" in kinds else kinds[0]) for each in (x, test_x))
        known = tensor.sort(tensor.flatten(test_x))
        flat = tensor.flatten(x)
        place = tensor.clip(tensor.searchsorted(known, flat), max=known.shape[0] - 1)
        found = tensor.reshape(tensor.gather(known, place) == flat, tensor.shape(x) if -1 in x.shape else x.shape)
    return tensor.logical_not(found) if invert else found


def reduce_as(x: Any, target: Any, name: str | None = None) -> Any:
    """x summed to the shape of a tensor that broadcasts to it.

    Args:
        x: a tensor.
        target: the tensor.
        name: has no effect.
    Returns:
        A tensor of target's shape.
    Raises:
        ValueError: target's shape does not broadcast to x's.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.reduce_as(paddle.ones([2, 3]), paddle.zeros([3])).tolist()
        [2.0, 2.0, 2.0]

    Follows Paddle 3.3.
    """
    more = len(x.shape) - len(target.shape)
    pairs = list(zip(x.shape[max(more, 0) :], target.shape))
    if more < 0 or any(own not in (size, 1) for size, own in pairs):
        raise invalid_argument("target", f"a shape that broadcasts to {list(x.shape)}", list(target.shape), "reduce_as")
    ones = [more + i for i, (size, own) in enumerate(pairs) if size != own]
    if not more and not ones:
        return tensor.assign(x)
    out = tensor.sum(x, [*range(more), *ones], keepdim=True)
    return tensor.squeeze(out, list(range(more))) if more else out


def broadcast_shapes(*shapes: Any) -> list[int]:
    """The shape to which shapes broadcast.

    Args:
        *shapes: lists of ints.
    Returns:
        The shape, as a list.
    Raises:
        ValueError: they do not broadcast.
        TypeError: one is no list or tuple.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.broadcast_shapes([2, 1], [3])
        [2, 3]

    Follows Paddle 3.3.
    """
    for shape in shapes:
        need(shape, "shapes", "broadcast_shapes", list, tuple)
    return list(_broadcast.broadcast_shapes(*shapes)) if shapes else []


def argwhere(input: Any) -> Any:
    """The places of the elements that are not 0.

    Args:
        input: a tensor.
    Returns:
        [places, dimensions], int64.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.argwhere(paddle.to_tensor([0, 3, 4])).tolist()
        [[1], [2]]

    Follows Paddle 3.3.
    """
    return tensor.nonzero(input)


masked_scatter_ = in_place(masked_scatter)

__all__ = [
    "argwhere", "block_diag", "broadcast_shapes", "cartesian_prod", "dsplit", "hsplit", "isin", "masked_scatter", "masked_scatter_",
    "reduce_as", "slice_scatter", "split_with_sizes", "tensor_split",
]  # fmt: skip
