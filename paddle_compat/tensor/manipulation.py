"""Several tensors made one, one made several; flips, rolls, repeats; and all that `_reshape` and `_selection` have."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core import flags
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import InvalidArgumentError, OutOfRangeError, WrongPlaceError, failed_assertion, invalid_argument, type_error
from paddle_compat.core.paddle3 import SINCE_3, paddle3
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.ops import arrangement, manipulation
from paddle_compat.tensor._calls import (
    ALL,
    BOOL,
    COMPLEX,
    INTS,
    NUMBERS,
    agree,
    check,
    check_all,
    helper_of,
    is_tensor,
    named,
    need,
    plain,
    static,
    with_complex,
)
from paddle_compat.tensor._reshape import *  # noqa: F403
from paddle_compat.tensor._reshape import __all__ as _RESHAPE
from paddle_compat.tensor._reshape import flatten, reshape, transpose
from paddle_compat.tensor._selection import *  # noqa: F403
from paddle_compat.tensor._selection import __all__ as _SELECTION
from paddle_compat.tensor._shapes import as_list, parts, size_constant
from paddle_compat.tensor._tensor_writes import fill_, fill_diagonal_, zero_  # noqa: F401
from paddle_compat.tensor._unique import unique, unique_consecutive  # noqa: F401
from paddle_compat.tensor.array import array_length, array_read, array_write, create_array, is_array, joined, tensor_array_to_tensor  # noqa: F401
from paddle_compat.tensor.ops import cast, cast_  # noqa: F401

_COMMON = BOOL + NUMBERS


@direct("", "torch.cat(alike(x), axis)", "type(x) is list and type(axis) is int", kind="x[0]._kind")
@paddle3(tensors="x", dim="axis", out=True)
def concat(x: Any, axis: Any = 0, name: str | None = None) -> Any:
    """Tensors one after the other along a dimension.

    Args:
        x: a list of tensors of one type.
        axis: the dimension; an int, or a tensor of one element.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: an argument is nothing of the kind, or the types differ; ValueError for no dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.concat([paddle.to_tensor([1]), paddle.to_tensor([2, 3])]).tolist()
        [1, 2, 3]

    Follows Paddle 2.6.
    """
    if isinstance(x, Tensor):
        raise invalid_argument("x", "a list or tuple of tensors", x, "concat")
    tensors = list(x) if isinstance(x, (list, tuple)) else [x]
    if len(tensors) == 1 and is_array(tensors[0]):
        return joined(tensors[0], axis, False, named("concat", name))[0]
    check_all(tensors, "input", "concat", ("bool", "int8", *NUMBERS, *COMPLEX) if static(*tensors) and not SINCE_3 else ALL)
    if not static(*tensors):  # what has no elements is left out, whatever its shape, and gets no gradient before Paddle 3
        full = [value for value in tensors if 0 not in value.shape] or tensors
        if SINCE_3 and len(full) < len(tensors):
            return _with_empty(concat(full, axis), [value for value in tensors if 0 in value.shape])
        tensors = full
    for value in tensors:
        if not agree(value, tensors[0]):
            kind = TypeError if static(value) else ValueError
            raise kind(f"Invalid type for argument `input` of `concat`. Expected {tensors[0].dtype}. Received: {value.dtype}")
    axis = int(axis) if (is_tensor(axis) or isinstance(axis, float)) and not static(*tensors) else axis
    if not static(*tensors) and not all(value.shape for value in tensors):
        raise invalid_argument("x", "tensors of one dimension or more", "one of none", "concat")
    if is_tensor(axis):
        check(axis, "axis", "concat", INTS)
        axis.stop_gradient = True
        return manipulation.concat(tensors, axis, _helper=named("concat", name))
    need(axis, "axis", "concat", int, np.integer)
    return manipulation.concat(tensors, axis=axis, _helper=named("concat", name))


def _with_empty(out: Tensor, empty: list[Tensor]) -> Tensor:
    """The elements of others, with gradients for Tensors that have none."""
    if torch.is_grad_enabled():
        for part in empty:
            if part._t.requires_grad and part._t.dtype is out._t.dtype:
                out = Tensor(out._t + part._t.sum())
    return out


@direct("", "torch.stack(alike(x), axis)", "type(x) is list and type(axis) is int", kind="x[0]._kind")
@paddle3(tensors="x", dim="axis", out=True)
def stack(x: Any, axis: int = 0, name: str | None = None) -> Any:
    """Tensors of one shape as slices along a new dimension.

    Args:
        x: a list of tensors of one type; in eager mode floats may stand behind a complex one.
        axis: where in the output the dimension stands.
        name: prefix of the output's name.
    Returns:
        A tensor.
    Raises:
        TypeError: x holds other things.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.stack([paddle.to_tensor([1, 2]), paddle.to_tensor([3, 4])], 1).tolist()
        [[1, 3], [2, 4]]

    Follows Paddle 2.6.
    """
    if is_array(x):
        return joined(x, axis or 0, True, named("stack", name))[0]
    if not isinstance(x, (list, tuple)):
        raise type_error("x", "a list or tuple of tensors", x, "stack")
    tensors = list(x)
    if len(tensors) == 1 and is_array(tensors[0]):
        return joined(tensors[0], axis or 0, True, named("stack", name))[0]
    check_all(tensors, "x", "stack")
    tensors = with_complex(tensors)
    if not tensors:
        raise WrongPlaceError("Invalid value for argument `x` of `stack`. Expected a tensor at least. Received: []")
    for tensor in tensors[1:]:
        if not agree(tensor, tensors[0]):
            raise invalid_argument("x", f"tensors of one data type, {dtype_name(tensors[0].dtype)}", dtype_name(tensor.dtype), "stack")
    return manipulation.stack(tensors, axis=0 if axis is None else axis, _helper=named("stack", name))


@direct(
    "x",
    "torch.split_copy(x_, size // num_or_sections, axis)",
    "type(num_or_sections) is int and type(axis) is int and x_.dtype in NUMERIC "
    "and (size := x_.shape[axis]) and not size % num_or_sections",
    (
        "x",
        "torch.split_with_sizes_copy(x_, num_or_sections if -1 not in num_or_sections else "
        "sizes_of_parts(x_.shape[axis], 0, num_or_sections), axis)",
        "type(num_or_sections) is list and type(axis) is int and {*map(type, num_or_sections)} == INT "
        "and (x._kind or kind_of(x)) in NUMERIC",
    ),
    several=list,
    sizes_of_parts=manipulation.sizes_of_parts,
)
def split(x: Any, num_or_sections: Any, axis: Any = 0, name: str | None = None) -> list[Any]:
    """x cut along a dimension.

    Args:
        x: a tensor.
        num_or_sections: into how many equal parts, or the sizes of the parts (ints and tensors; one may be -1).
        axis: the dimension; an int, or a tensor of one element.
        name: prefix of the outputs' names.
    Returns:
        The parts.
    Raises:
        TypeError: an argument is nothing of the kind.
        AssertionError: the numbers do not fit; ValueError: x has no dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.tolist() for v in paddle.split(paddle.arange(4), [1, -1])]
        [[0], [1, 2, 3]]

    Follows Paddle 2.6.
    """
    check(x, "input", "split", ("bool", "int8", "uint8", *NUMBERS), ALL)
    if not isinstance(num_or_sections, (int, list, tuple)):
        raise type_error("num_or_sections", "int, list or tuple", num_or_sections, "split")
    if isinstance(num_or_sections, (list, tuple)) and not num_or_sections:
        raise (OutOfRangeError if static(x) else InvalidArgumentError)("`num_or_sections` of `split`: expected a part. Received: []")
    if not static(x):
        if not x.shape:
            raise invalid_argument("x", "one dimension or more", "none", "split")
        axis = int(axis) if is_tensor(axis) else axis
        by = {"num": num_or_sections} if isinstance(num_or_sections, int) else {"sections": [int(n) for n in num_or_sections]}
        return list(manipulation.split(x, axis=axis if axis >= 0 else axis + len(x.shape), **by))
    helper = named("split", name) if not static(x) else helper_of("split", name)
    tensors, attrs = list[Any]([None]), dict[str, Any]()
    if is_tensor(axis):
        axis.stop_gradient = True
        tensors, size = [axis], None
    else:
        attrs["axis"] = axis if axis >= 0 else axis + len(x.shape)
        size = x.shape[attrs["axis"]]
    if isinstance(num_or_sections, int):
        if num_or_sections <= 0 or size is not None and size > 0 and size % num_or_sections:
            raise failed_assertion("num_or_sections", f"a divisor of {size} above 0", num_or_sections, "split")
        count, attrs["num"] = num_or_sections, num_or_sections
    else:
        count = len(num_or_sections)
        if size is not None and 0 < size < count:
            raise failed_assertion("num_or_sections", f"at most {size} parts", num_or_sections, "split")
        attrs["sections"] = [-1 if is_tensor(n) else int(n) for n in num_or_sections]
        if any(is_tensor(n) for n in num_or_sections):
            tensors.append(parts(num_or_sections, make=lambda n: size_constant(helper, n)))
    outs = [helper.create_variable_for_type_inference(x.dtype) for _ in range(count)]
    made = manipulation.split(x, *tensors, _helper=helper, _outputs={"Out": outs}, **attrs)
    return list(made)


@paddle3(num_or_indices="num_or_sections")
def vsplit(x: Any, num_or_sections: Any, name: str | None = None) -> list[Any]:
    """x cut along its first dimension.

    Args:
        x: a tensor of two dimensions or more.
        num_or_sections: into how many equal parts, or their sizes; what gives no such parts (and lists since 3.0) as of `tensor_split`.
        name: prefix of the outputs' names.
    Returns:
        The parts.
    Raises:
        ValueError: x has one dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.tolist() for v in paddle.vsplit(paddle.to_tensor([[1], [2]]), 2)]
        [[[1]], [[2]]]

    Follows Paddle 2.6.
    """
    if len(x.shape) < 2:
        raise ValueError(f"Invalid value for argument `x` of `vsplit`. Expected two dimensions or more. Received: {len(x.shape)}")
    rows, given = x.shape[0], num_or_sections
    if isinstance(given, (list, tuple)):
        fits = not all(type(size) is int for size in given) or (not SINCE_3 and (given.count(-1) == 1 or sum(given) == rows))
    else:
        fits = type(given) is not int or given < 1 or rows % given == 0
    if fits or rows < 0 and not SINCE_3:
        return split(x, num_or_sections, 0, name)
    from paddle_compat.tensor._paddle3_parts import tensor_split

    return tensor_split(x, num_or_sections, 0, name)


@direct(
    "x",
    "torch.split_copy(x_, size // chunks, axis)",
    "type(chunks) is int and type(axis) is int and x_.dtype in NUMERIC "
    "and (size := x_.shape[axis]) and not size % chunks",
    several=list,
)
@paddle3(input="x", dim="axis")
def chunk(x: Any, chunks: int, axis: Any = 0, name: str | None = None) -> list[Any]:
    """x cut along a dimension into equal parts.

    Args:
        x: a tensor.
        chunks: how many parts.
        axis: the dimension.
        name: prefix of the outputs' names.
    Returns:
        The parts.
    Raises:
        TypeError: chunks is no int.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.tolist() for v in paddle.chunk(paddle.arange(4), 2)]
        [[0, 1], [2, 3]]

    Follows Paddle 2.6.
    """
    need(chunks, "chunks", "chunk", int, *(() if static(x) else (list, tuple)))  # which are sizes, at once
    return split(x, chunks, axis, name)


@direct(
    "x", "torch.unbind_copy(x_, axis)", "num is None and type(axis) is int and x_.dtype in NUMERIC", several=list
)
def unstack(x: Any, axis: int = 0, num: int | None = None) -> list[Any]:
    """The slices along a dimension.

    Args:
        x: a tensor.
        axis: the dimension.
        num: how many there are, where the shape does not say.
    Returns:
        The slices.
    Raises:
        ValueError: axis lies outside.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.tolist() for v in paddle.unstack(paddle.to_tensor([[1, 2], [3, 4]]), 1)]
        [[1, 3], [2, 4]]

    Follows Paddle 2.6.
    """
    if not -len(x.shape) <= axis < len(x.shape):
        raise ValueError(f"Invalid value for argument `axis` of `unstack`. Expected a dimension of x. Received: {axis}")
    if num is not None and x.shape[axis] != num:
        raise invalid_argument("num", f"{x.shape[axis]}, the size of that dimension", num, "unstack")
    num = x.shape[axis] if num is None else num
    return list(manipulation.unstack(x, axis=axis, num=num, _helper="unstack"))


@direct(
    "input", "slices(input_, axis)", "type(axis) is int and input_.dtype in NUMERIC and (recorded or not input_.requires_grad)",
    several=list, slices=manipulation.slices,
)  # fmt: skip
@paddle3(dim="axis")
def unbind(input: Any, axis: int = 0) -> list[Any]:
    """The slices along a dimension.

    Args:
        input: a tensor.
        axis: the dimension.
    Returns:
        The slices.
    Raises:
        TypeError: an argument is nothing of the kind.
        ValueError: input has no dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> [v.tolist() for v in paddle.unbind(paddle.to_tensor([[1, 2], [3, 4]]))]
        [[1, 2], [3, 4]]

    Follows Paddle 2.6.
    """
    need(axis, "axis", "unbind", int)
    check(input, "input", "unbind", _COMMON + COMPLEX, ALL)
    if not input.shape:
        raise invalid_argument("input", "at least 1 dimension", "a tensor of none", "unbind")
    parts = list(manipulation.unbind(input, axis=axis, _helper="unbind"))
    if isinstance(input, Tensor) and type(input._t) is torch.Tensor and input._t.requires_grad and any(p._t._is_view() for p in parts):
        for part, value in zip(parts, manipulation.slices(input._t, axis)):
            part._become(value.view(part._t.shape))
    if len(input.shape) == 1 and not static(input) and flags.get("FLAGS_set_to_1d"):  # parts are taken as by an index
        return [reshape(part, [1]) for part in parts]
    return parts


@direct("x", "torch.flip(x_, axis if type(axis) is list else [axis])", "type(axis) in (list, int) and x_.dtype in NUMERIC", kind="x_.dtype")
def flip(x: Any, axis: Any, name: str | None = None) -> Any:
    """x reversed along some dimensions.

    Args:
        x: a tensor.
        axis: an int or a list.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.flip(paddle.arange(3), 0).tolist()
        [2, 1, 0]

    Follows Paddle 2.6.
    """
    check(x, "X", "flip", ("bool", "int32", "int64", "float16", "float32", "float64"), ALL)
    axis = axis.tolist() if isinstance(axis, np.ndarray) and not static(x) else plain(axis)
    if not isinstance(axis, (int, list, tuple, range)):
        raise type_error("axis", "int, list or tuple", axis, "flip")
    return arrangement.flip(x, axis=as_list(axis), _helper=named("flip", name))


def reverse(x: Any, axis: Any, name: str | None = None) -> Any:
    """x reversed along some dimensions.

    Args:
        x: a tensor.
        axis: an int or a list.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.reverse(paddle.arange(3), 0).tolist()
        [2, 1, 0]

    Follows Paddle 2.6.
    """
    return flip(x, axis, name)


def rot90(x: Any, k: int = 1, axes: Any = [0, 1], name: str | None = None) -> Any:  # noqa: B006 - Paddle's default
    """x turned by k quarters in the plane of two dimensions.

    Args:
        x: a tensor.
        k: how many quarters, from the first dimension towards the second.
        axes: the two dimensions.
        name: has no effect.
    Returns:
        A tensor.
    Raises:
        ValueError: axes are not two dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.rot90(paddle.to_tensor([[1, 2], [3, 4]])).tolist()
        [[2, 4], [1, 3]]

    Follows Paddle 2.6.
    """
    check(x, "X", "rot90", ("bool", "int32", "int64", "float16", "float32", "float64"), ALL)
    need(axes, "axes", "rot90", list, tuple)
    rank = len(x.shape)
    if len(axes) != 2 or rank < 2 or axes[0] % rank == axes[1] % rank or not all(-rank <= a < rank for a in axes):
        raise ValueError(f"Invalid value for argument `axes` of `rot90`. Expected two dimensions of x. Received: {axes}")
    first, second = axes
    k %= 4
    if k == 0:
        return x
    if k == 2:
        return flip(flip(x, first), second)
    order = list(range(rank))
    order[first], order[second] = order[second], order[first]
    if k == 1:
        return transpose(flip(x, second), order)
    return flip(transpose(x, order), second)


@direct(
    "x",
    "torch.roll(x_, shifts, () if axis is None else axis)",
    "type(shifts) is int and (axis is None or type(axis) is int) and x_.dtype in NUMERIC and x_.dim()",
    kind="x_.dtype",
)
@paddle3(input="x", dims="axis", out=True)
def roll(x: Any, shifts: Any, axis: Any = None, name: str | None = None) -> Any:
    """x moved along some dimensions; what leaves at the end comes back in front.

    Args:
        x: a tensor.
        shifts: how far; an int, a list or a tensor.
        axis: the dimensions; None: x counts as flat.
        name: prefix of the output's name.
    Returns:
        A tensor like x.
    Raises:
        ValueError: a dimension lies outside.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.roll(paddle.arange(3), 1).tolist()
        [2, 0, 1]

    Follows Paddle 2.6.
    """
    if isinstance(shifts, (float, str)):
        raise type_error("shifts", "an int, a list or tuple of ints, or a tensor", shifts, "roll")
    axes = [] if axis is None else as_list(axis)
    if not all(-len(x.shape) <= a < len(x.shape) for a in axes):
        raise ValueError(f"Invalid value for argument `axis` of `roll`. Expected a dimension of x. Received: {axis}")
    check(x, "dtype", "roll", ("bool", *NUMBERS, *COMPLEX))
    if axes and not is_tensor(shifts) and len(as_list(shifts)) != len(axes):
        raise invalid_argument("shifts", f"{len(axes)} numbers, as axis has", shifts, "roll")
    if is_tensor(shifts):
        return arrangement.roll(x, shifts, axis=axes, _helper=named("roll", name))
    return arrangement.roll(x, shifts=as_list(shifts), axis=axes, _helper=named("roll", name))


@paddle3(input="x", dim="axis")
def repeat_interleave(
    x: Any, repeats: Any, axis: int | None = None, name: str | None = None, *, output_size: int | None = None
) -> Any:
    """Each element, or slice along a dimension, repeated in place.

    Args:
        x: a tensor.
        repeats: how often; an int, or one for each slice.
        axis: the dimension; None: x is flattened.
        name: prefix of the output's name.
        output_size: how many slices the result has to have.
    Returns:
        A tensor.
    Raises:
        TypeError: x is no tensor of numbers.
        ValueError: the result has another size than it has to.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.repeat_interleave(paddle.to_tensor([1, 2]), 2).tolist()
        [1, 1, 2, 2]

    Follows Paddle 2.6.
    """
    if axis is None:
        x, axis = flatten(x), 0
    check(x, "x", "repeat_interleave", INTS + ("bfloat16", "float32", "float64"))
    if isinstance(repeats, np.ndarray) or not is_tensor(repeats) and (not hasattr(repeats, "__index__") or repeats <= 0):
        raise type_error("repeats", "a number above 0 or a tensor", repeats, "repeat_interleave")
    if is_tensor(repeats):
        check(repeats, "repeats", "repeat_interleave", INTS)
    attrs: dict[str, Any] = {"dim": axis, "Repeats": 0 if is_tensor(repeats) else repeats}
    if isinstance(repeats, Variable) and not repeats.shape:
        repeats = reshape(repeats, [1])
    out = manipulation.repeat_interleave(x, *([repeats] if is_tensor(repeats) else []), _helper=named("repeat_interleave", name), **attrs)
    if output_size is not None and out.shape[axis] not in (-1, output_size):
        raise invalid_argument("output_size", f"the size of the result, {out.shape[axis]}", output_size, "repeat_interleave")
    return out


def tensordot(x: Any, y: Any, axes: Any = 2, name: str | None = None) -> Any:
    """The sum of products over some dimensions of both tensors.

    Args:
        x, y: tensors of floats.
        axes: how many (the last of x, the first of y), or which dimensions; in eager mode a tensor of them, too.
        name: has no effect.
    Returns:
        A tensor of the other dimensions.
    Raises:
        AssertionError: the sizes differ.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.tensordot(paddle.ones([2, 3]), paddle.ones([3, 4]), 1).tolist()
        [[3.0, 3.0, 3.0, 3.0], [3.0, 3.0, 3.0, 3.0]]

    Follows Paddle 2.6.
    """
    from paddle_compat.tensor.linalg import matmul

    for value, label in ((x, "x"), (y, "y")):
        check(value, label, "tensordot", ("float16", "float32", "float64"), NUMBERS + COMPLEX)
    axes = axes.tolist() if isinstance(axes, Tensor) else plain(axes)
    axes = [a.tolist() if isinstance(a, (np.ndarray, Tensor)) else a for a in axes] if isinstance(axes, (list, tuple)) else axes
    need(axes, "axes", "tensordot", int, tuple, list)
    left, right = list(x.shape), list(y.shape)
    if isinstance(axes, int):
        assert axes >= 0, f"Invalid value for argument `axes` of `tensordot`. Expected at least 0. Received: {axes}"
        of_x, of_y = list(range(len(left) - axes, len(left))), list(range(axes))
    else:
        pair = [as_list(a) for a in axes]
        nested = any(isinstance(a, (list, tuple)) for a in axes)
        of_x, of_y = (pair[0], pair[1] if len(pair) > 1 else pair[0]) if nested else (list(axes), list(axes))
        longer = max(len(of_x), len(of_y))  # the shorter one is completed from the longer
        of_x, of_y = of_x + of_y[len(of_x) : longer], of_y + of_x[len(of_y) : longer]
    for a, b in zip(of_x, of_y):
        assert left[a] == right[b] or 1 in (left[a], right[b]), (
            f"Invalid value for argument `axes` of `tensordot`. Expected equal sizes. Received: {left[a]} and {right[b]}"
        )
        if left[a] != right[b]:  # what meets one number is summed
            x, y = (x, y.sum(b, keepdim=True)) if left[a] == 1 else (x.sum(a, keepdim=True), y)
            left[a] = right[b] = 1
    rest_x = [a for a in range(len(left)) if a not in [n % len(left) for n in of_x]]
    rest_y = [a for a in range(len(right)) if a not in [n % len(right) for n in of_y]]
    sizes_x, sizes_y = [left[a] for a in rest_x], [right[a] for a in rest_y]
    inner = 1
    for a, b in zip(of_x, of_y):
        inner *= max(left[a], right[b])
    rows = reshape(transpose(x, rest_x + list(of_x)), [math.prod(sizes_x), inner])
    columns = reshape(transpose(y, list(of_y) + rest_y), [inner, math.prod(sizes_y)])
    return reshape(matmul(rows, columns), sizes_x + sizes_y)


def tolist(x: Any) -> Any:
    """The elements as a nested list.

    Args:
        x: a Tensor.
    Returns:
        A list, or a number for a tensor without dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.tolist(paddle.to_tensor([1, 2]))
        [1, 2]

    Follows Paddle 2.6.
    """
    return x._array().tolist()

cat = concatenate = concat


__all__ = sorted(
    {
        *_RESHAPE, *_SELECTION, "cat", "concatenate",
        "array_length", "array_read", "array_write", "cast", "cast_", "chunk", "concat", "create_array", "flip",
        "repeat_interleave", "reverse", "roll", "rot90", "split", "stack", "tensordot", "tolist", "unbind", "unique", "unique_consecutive",
        "unstack", "vsplit",
    }
)  # fmt: skip

__getattr__ = missing(__name__)
