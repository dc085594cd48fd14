"""The same elements in another shape: reshape, flatten, squeeze, transpose, expand, tile, ..."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core.attribute_variables import variables_of
from paddle_compat.core.direct import direct
from paddle_compat.core.dtype import convert_dtype
from paddle_compat.core.errors import OutOfRangeError, failed_assertion, invalid_argument, type_error
from paddle_compat.core.mode import eager_only
from paddle_compat.core.paddle3 import SINCE_3, SINCE_3_2, paddle3
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.ops import manipulation
from paddle_compat.tensor._calls import (
    ALL,
    BOOL,
    COMPLEX,
    INTS,
    NUMBERS,
    check,
    helper_of,
    is_tensor,
    named,
    refuse_type,
    static,
)
from paddle_compat.tensor._expand import broadcast_tensors, broadcast_to, expand, expand_as, tile
from paddle_compat.tensor._in_place import in_place
from paddle_compat.tensor._shapes import as_list, listed_numbers, numbers, parts, shape_inputs

_COMMON = BOOL + NUMBERS


@direct(
    "x",
    "torch.reshape(x_, sizes_of(x_.shape, shape))",
    "type(shape) is list or type(shape) is tuple",
    ("x", "torch.reshape(x_, shape)", "type(shape) is list and 0 not in shape"),
    kind="x._kind",
    window=True, sizes_of=manipulation.sizes_of,
)  # fmt: skip
@paddle3(input="x", sizes="shape")
def reshape(x: Any, shape: Any, name: str | None = None) -> Any:
    """x in another shape.

    Args:
        x: a tensor.
        shape: ints and tensors, or a tensor; 0 keeps x's dimension, one -1 takes what is left.
        name: prefix of the output's name.
    Returns:
        A tensor of x's elements.
    Raises:
        TypeError: an argument is nothing of the kind.
        ValueError: the numbers of elements differ.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.reshape(paddle.arange(4), [2, -1]).tolist()
        [[0, 1], [2, 3]]

    Follows Paddle 2.6.
    """
    check(x, "x", "reshape2")
    if not static(x):
        if not is_tensor(shape) and not isinstance(shape, (list, tuple)):
            raise invalid_argument("shape", "a list, tuple or Tensor", shape, "reshape")
        return manipulation.reshape2(x, shape=numbers(shape if is_tensor(shape) else _shape_list(shape)))
    helper = named("reshape2", name)
    whole, listed, written = shape_inputs(shape, "shape", "reshape")
    if isinstance(shape, (list, tuple)):
        _check_sizes(x, [size for size in shape if not is_tensor(size)], shape)
    return manipulation.reshape2(x, whole, listed, shape=written, _helper=helper)


def _check_sizes(x: Any, sizes: list[Any], shape: Any) -> None:
    """Refuse sizes that no tensor has, as Paddle does while it records."""
    if sum(size == -1 for size in sizes) > 1:
        raise failed_assertion("shape", "one -1 at most", shape, "reshape")
    if any(size < -1 for size in sizes):
        raise failed_assertion("shape", "sizes that are not negative, and one -1", shape, "reshape")
    beyond = [n for n, size in enumerate(shape) if not is_tensor(size) and size == 0 and n >= len(x.shape)]
    if beyond and not (SINCE_3_2 and 0 in x.shape):
        raise failed_assertion("shape", f"0 only where x, of {len(x.shape)} dimensions, has one", shape, "reshape")


def _shape_list(shape: Any) -> list[Any]:
    if not isinstance(shape, (list, tuple)):
        raise type_error("shape", "a list or tuple of ints, or a tensor", shape, "reshape")
    return list(shape)


@direct(
    "x",
    "flatten_kernel(x_, start_axis=start_axis, stop_axis=stop_axis)",
    "x_.dim() and x_.dtype in NUMERIC",
    kind="x_.dtype",
    window=True, flatten_kernel=manipulation.flatten_contiguous_range.fn,
)  # fmt: skip
@paddle3(input="x", start_dim="start_axis", end_dim="stop_axis")
def flatten(x: Any, start_axis: int = 0, stop_axis: int = -1, name: str | None = None) -> Any:
    """x with neighbouring dimensions made one.

    Args:
        x: a tensor.
        start_axis, stop_axis: the first and last of them.
        name: prefix of the output's name.
    Returns:
        A tensor of x's elements.
    Raises:
        ValueError: an axis lies outside, or they stand the wrong way round.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.flatten(paddle.ones([2, 3, 4]), 1).shape
        [2, 12]

    Follows Paddle 2.6.
    """
    if not is_tensor(x):
        raise invalid_argument("x", "a tensor", x, "flatten")
    check(x, "x", "flatten", ("bool", "int8", "uint8", "int16", *NUMBERS), ALL)
    rank = len(x.shape)
    for value, label in ((start_axis, "start_axis"), (stop_axis, "stop_axis")):
        if not isinstance(value, int) or (rank and not -rank <= value < rank):
            raise ValueError(f"Invalid value for argument `{label}` of `flatten`. Expected a dimension of x. Received: {value}")
    if rank:
        start_axis, stop_axis = start_axis % rank, stop_axis % rank
        if start_axis > stop_axis:
            raise ValueError(f"Invalid value for argument `stop_axis` of `flatten`. Expected at least {start_axis}. Received: {stop_axis}")
    attrs: dict[str, Any] = {"start_axis": start_axis, "stop_axis": stop_axis}
    return manipulation.flatten_contiguous_range(x, _helper=named("flatten", name), **attrs)


@paddle3({"sizes": "shape"}, input="x", dim="axis")
def unflatten(x: Any, axis: int, shape: Any, name: str | None = None) -> Any:
    """x with one dimension made several.

    Args:
        x: a tensor.
        axis: the dimension.
        shape: what becomes of it, ints (one may be -1) or a tensor.
        name: has no effect.
    Returns:
        A tensor of x's elements.
    Raises:
        TypeError: shape is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.unflatten(paddle.ones([2, 6]), 1, [2, -1]).shape
        [2, 2, 3]

    Follows Paddle 2.6.
    """
    if isinstance(axis, int) and not -len(x.shape) <= axis < len(x.shape):
        raise failed_assertion("axis", f"a dimension of x, whose shape is {list(x.shape)}", axis, "unflatten")
    if axis < 0:
        axis += len(x.shape)
    if is_tensor(shape):
        from paddle_compat.tensor.attribute import shape as shape_of
        from paddle_compat.tensor.manipulation import concat
        from paddle_compat.tensor.ops import cast

        pieces = [(sizes := shape_of(x))[:axis], cast(shape, sizes.dtype), sizes[axis + 1 :]]
        return reshape(x, concat(pieces))
    if not isinstance(shape, (list, tuple)):
        raise type_error("shape", "a list or tuple of ints, or a tensor", shape, "unflatten")
    return reshape(x, [*x.shape[:axis], *shape, *x.shape[axis + 1 :]])


@direct(
    "x",
    "torch.squeeze(x_) if axis is None else torch.squeeze(x_, axis)",
    "(type(axis) is int or axis is None or type(axis) is list and axis) and x_.dim() and x_.dtype in NUMERIC",
    kind="x_.dtype", window=True,
)  # fmt: skip
@paddle3(input="x", dim="axis")
def squeeze(x: Any, axis: Any = None, name: str | None = None) -> Any:
    """x without dimensions of size 1.

    Args:
        x: a tensor.
        axis: which ones (those of another size stay); None: all.
        name: prefix of the output's name.
    Returns:
        A tensor of x's elements.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.squeeze(paddle.ones([1, 3, 1]), 0).shape
        [3, 1]

    Follows Paddle 2.6.
    """
    axis = numbers(axis) if isinstance(axis, Tensor) else axis
    axes = [] if axis is None else axis if isinstance(axis, Variable) else as_list(axis)
    if isinstance(axis, (str, float)):
        refuse_type("axis", "int, list, tuple or a tensor", axis, "squeeze", x)
    if isinstance(axes, list) and variables_of(axes):
        axes = parts(axes)
    check(x, "input", "squeeze", ("bool", "int8", *NUMBERS, *COMPLEX), ALL)
    return manipulation.squeeze2(x, axes=axes, _helper=named("squeeze", name))


@direct(
    "x",
    "torch.unsqueeze(x_, axis if type(axis) is int else axis[0])",
    "(type(axis) is int or type(axis) is list and len(axis) == 1) and x_.dim() < 6 and x_.dtype in NUMERIC",
    kind="x_.dtype", window=True,
)  # fmt: skip
@paddle3(input="x", dim="axis")
def unsqueeze(x: Any, axis: Any, name: str | None = None) -> Any:
    """x with new dimensions of size 1.

    Args:
        x: a tensor.
        axis: where in the output they stand; ints or tensors.
        name: prefix of the output's name.
    Returns:
        A tensor of x's elements.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.unsqueeze(paddle.ones([3]), [0, 2]).shape
        [1, 3, 1]

    Follows Paddle 2.6.
    """
    check(x, "input", "unsqueeze", ("bool", "int8", "int16", *NUMBERS, *COMPLEX), ALL)
    axis = [] if axis is None and not static(x) else axis
    if not is_tensor(axis) and not isinstance(axis, (int, np.integer, np.ndarray, list, tuple)):
        raise type_error("axis", "int, list, tuple or tensor", axis, "unsqueeze")
    helper = named("unsqueeze2", name)
    axis = axis if static(x) else listed_numbers(axis)
    if is_tensor(axis):
        return manipulation.unsqueeze2(x, axis, _helper=helper)
    axes = as_list(axis)
    if any(is_tensor(a) for a in axes):
        return manipulation.unsqueeze2(x, None, parts(axes), _helper=helper)
    return manipulation.unsqueeze2(x, axes=axes, _helper=helper)


@direct("x", "torch.permute(x_, perm)", "type(perm) is list and len(perm) == x_.dim()", kind="x._kind", window=True)
@paddle3(input="x", dim0="perm", axis0="perm", dim1="name", axis1="name")
def transpose(x: Any, perm: Any, name: Any = None) -> Any:
    """x with its dimensions in another order.

    Args:
        x: a tensor.
        perm: for each dimension of the output, that of x; or an int, a dimension that changes places with another.
        name: prefix of the output's name; or that other dimension.
    Returns:
        A tensor of x's elements.
    Raises:
        ValueError: perm does not name each dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.transpose(paddle.ones([2, 3]), [1, 0]).shape
        [3, 2]

    Follows Paddle 2.6.
    """
    check(x, "x", "transpose", BOOL + NUMBERS + COMPLEX, ALL)
    if isinstance(perm, int) and isinstance(name, int):
        rank = len(x.shape)
        for axis in (perm, name):
            if not -rank <= axis < rank:
                raise OutOfRangeError(f"Invalid value for argument `perm` of `transpose`. Expected dimensions of x. Received: {axis}")
        first, second, perm, name = perm % rank, name % rank, [*range(rank)], None
        perm[first], perm[second] = second, first
    if isinstance(perm, int) and not static(x):
        raise invalid_argument("perm", "a list or tuple", perm, "transpose")
    if isinstance(perm, str) or is_tensor(perm):
        raise type_error("perm", "a list or tuple of ints", perm, "transpose")
    perm = list(perm.tolist() if hasattr(perm, "tolist") else perm) if static(x) else numbers(perm)
    if sorted(perm) == list(range(len(perm))) and not static(x):
        perm += range(len(perm), len(x.shape))  # the first dimensions change places, the others stay
    if len(perm) != len(x.shape):
        raise ValueError(f"Invalid value for argument `perm` of `transpose`. Expected {len(x.shape)} dimensions. Received: {perm}")
    for axis in perm:
        if axis >= len(x.shape):
            raise ValueError(f"Invalid value for argument `perm` of `transpose`. Expected dimensions of x. Received: {perm}")
    return manipulation.transpose2(x, axis=perm, _helper=named("transpose", name))


@direct(
    "x", "torch.movedim(x_, source, destination)", "type(source) is int and type(destination) is int and x_.dtype in PLAIN and x_.dim()",
    kind="x_.dtype", window=True,
)  # fmt: skip
def moveaxis(x: Any, source: Any, destination: Any, name: str | None = None) -> Any:
    """x with some dimensions moved elsewhere.

    Args:
        x: a tensor.
        source: the dimensions; an int or a list.
        destination: where they go.
        name: prefix of the output's name.
    Returns:
        A tensor of x's elements.
    Raises:
        AssertionError: the two do not match.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.moveaxis(paddle.ones([2, 3, 4]), 0, -1).shape
        [3, 4, 2]

    Follows Paddle 2.6.
    """
    source, target = as_list(source), as_list(destination)
    if len(source) != len(target):
        raise failed_assertion("destination", f"{len(source)} dimensions", destination, "moveaxis")
    rank = len(x.shape)
    for label, axes in (("source", source), ("destination", target)):
        if any(isinstance(axis, str) or not -rank <= axis < rank for axis in axes):
            raise failed_assertion(label, f"{-rank} to {rank - 1}", axes, "moveaxis")
    source, target = [a % rank for a in source], [a % rank for a in target]
    if len(set(source)) != len(source) or len(set(target)) != len(target):
        raise invalid_argument("source", "different dimensions", f"{source}, {target}", "moveaxis")
    order = [a for a in range(rank) if a not in source]
    for to, axis in sorted(zip(target, source)):
        order.insert(to, axis)
    check(x, "x", "moveaxis", _COMMON + COMPLEX, ALL)
    return manipulation.transpose2(x, axis=order, _helper=named("moveaxis", name))


@direct("input", "torch.t(input_)", "input_.dim() == 2 and input_.dtype in NUMERIC", kind="input_.dtype", window=True)
def t(input: Any, name: str | None = None) -> Any:
    """The transposed matrix; a vector or scalar stays as it is.

    Args:
        input: a tensor of at most two dimensions.
        name: prefix of the output's name.
    Returns:
        A tensor of its elements.
    Raises:
        ValueError: it has more dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.t(paddle.ones([2, 3])).shape
        [3, 2]

    Follows Paddle 2.6.
    """
    if len(input.shape) > 2:
        raise ValueError(f"Invalid value for argument `input` of `t`. Expected at most two dimensions. Received: shape {list(input.shape)}")
    check(input, "input", "transpose", BOOL + INTS + ("float16", "float32", "float64"), ALL)
    if not static(input):
        return input if len(input.shape) < 2 else manipulation.transpose2(input, axis=[1, 0])
    helper = helper_of("t", name)
    # Paddle makes both variables first, whether it needs them or not
    out, shape = (helper.create_variable_for_type_inference(input.dtype) for _ in range(2))
    if len(input.shape) < 2:
        return input
    return manipulation.transpose2(input, axis=[1, 0], _helper=helper, _outputs={"Out": out, "XShape": shape})


@paddle3(input="x")
def as_complex(x: Any, name: str | None = None) -> Any:
    """Pairs of numbers in the last dimension as complex numbers.

    Args:
        x: [..., 2], float32 or float64.
        name: prefix of the output's name.
    Returns:
        [...], complex.
    Raises:
        TypeError: x is no such tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.as_complex(paddle.to_tensor([[1.0, 2.0]])).tolist()
        [(1+2j)]

    Follows Paddle 2.6.
    """
    from paddle_compat.ops import math as ops

    check(x, "x", "as_complex", ("float32", "float64"))
    return ops.as_complex(x, _helper=named("as_complex", name))


@paddle3(input="x")
def as_real(x: Any, name: str | None = None) -> Any:
    """Complex numbers as pairs in a new last dimension.

    Args:
        x: [...], complex.
        name: prefix of the output's name.
    Returns:
        [..., 2], float32 or float64.
    Raises:
        TypeError: x is not complex.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.as_real(paddle.to_tensor([1 + 2j])).tolist()
        [[1.0, 2.0]]

    Follows Paddle 2.6.
    """
    from paddle_compat.ops import math as ops

    check(x, "x", "as_real", COMPLEX)
    return ops.as_real(x, _helper=named("as_real", name))


@paddle3(size="shape_or_dtype", dtype="shape_or_dtype", sizes="shape_or_dtype")
def view(x: Any, shape_or_dtype: Any, name: str | None = None) -> Any:
    """x in another shape, or its bytes as another data type, sharing memory.

    Args:
        x: a Tensor.
        shape_or_dtype: a list of ints, or a data type.
        name: has no effect.
    Returns:
        A Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.view(paddle.ones([2, 3]), [3, 2]).shape
        [3, 2]

    Follows Paddle 2.6.
    """
    eager_only("view")
    if isinstance(shape_or_dtype, (list, tuple)):
        return manipulation.view_shape(x, dims=list(shape_or_dtype))
    return manipulation.view_dtype(x, dtype=int(convert_dtype(shape_or_dtype)))


def view_as(x: Any, other: Any, name: str | None = None) -> Any:
    """x in the shape of another tensor, sharing memory.

    Args:
        x, other: Tensors.
        name: has no effect.
    Returns:
        A Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.view_as(paddle.ones([2, 3]), paddle.ones([6])).shape
        [6]

    Follows Paddle 2.6.
    """
    eager_only("view_as")
    return manipulation.view_shape(x, dims=list(other.shape))


def as_strided(x: Any, shape: Any, stride: Any, offset: int = 0, name: str | None = None) -> Any:
    """The memory of x with other sizes and strides.

    Args:
        x: a Tensor.
        shape, stride: ints; strides count elements.
        offset: where to start, in bytes.
        name: has no effect.
    Returns:
        A Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.as_strided(paddle.arange(6), [2, 2], [3, 1]).tolist()
        [[0, 1], [3, 4]]

    Follows Paddle 2.6.
    """
    eager_only("as_strided")
    return manipulation.as_strided(x, dims=list(shape), stride=list(stride), offset=offset)


@paddle3(dimension="axis")
def unfold(x: Any, axis: int, size: int, step: int, name: str | None = None) -> Any:
    """Windows along a dimension, as a new last dimension.

    Args:
        x: a Tensor.
        axis: the dimension.
        size: how many elements a window has.
        step: how far apart they start.
        name: has no effect.
    Returns:
        A Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.unfold(paddle.arange(5), 0, 2, 2).tolist()
        [[0, 1], [2, 3]]

    Follows Paddle 2.6.
    """
    eager_only("unfold")
    return manipulation.tensor_unfold(x, axis=axis, size=size, step=step)


def _at_least(inputs: tuple[Any, ...], raised: Any) -> Any:
    from paddle_compat.tensor.creation import to_tensor

    if SINCE_3 and len(inputs) == 1 and isinstance(inputs[0], (list, tuple)) and any(map(is_tensor, inputs[0])):
        inputs = tuple(inputs[0])
    out = [raised(value if is_tensor(value) else to_tensor(value)) for value in inputs]
    return out[0] if len(out) == 1 else out


def atleast_1d(*inputs: Any, name: str | None = None) -> Any:
    """Tensors with one dimension at least.

    Args:
        inputs: tensors, or what makes one.
        name: has no effect.
    Returns:
        A tensor, or a list of them.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.atleast_1d(paddle.to_tensor(1.0)).shape
        [1]

    Follows Paddle 2.6.
    """
    return _at_least(inputs, lambda v: reshape(v, [1]) if not v.shape else v)


def atleast_2d(*inputs: Any, name: str | None = None) -> Any:
    """Tensors with two dimensions at least; a vector becomes a row.

    Args:
        inputs: tensors, or what makes one.
        name: has no effect.
    Returns:
        A tensor, or a list of them.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.atleast_2d(paddle.to_tensor([1.0, 2.0])).shape
        [1, 2]

    Follows Paddle 2.6.
    """

    def raised(value: Any) -> Any:
        rank = len(value.shape)
        return reshape(value, [1, 1]) if rank == 0 else unsqueeze(value, 0) if rank == 1 else value

    return _at_least(inputs, raised)


def atleast_3d(*inputs: Any, name: str | None = None) -> Any:
    """Tensors with three dimensions at least.

    Args:
        inputs: tensors, or what makes one.
        name: has no effect.
    Returns:
        A tensor, or a list of them.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.atleast_3d(paddle.ones([2, 3])).shape
        [2, 3, 1]

    Follows Paddle 2.6.
    """

    def raised(value: Any) -> Any:
        rank = len(value.shape)
        return unsqueeze(value, 2 if rank == 2 else [0, 2]) if 0 < rank < 3 else value if rank else reshape(value, [1, 1, 1])

    return _at_least(inputs, raised)


reshape_, flatten_, squeeze_, unsqueeze_ = map(in_place, (reshape, flatten, squeeze, unsqueeze))
transpose_, t_ = map(in_place, (transpose, t))

swapaxes = swapdims = transpose
view_as_complex, view_as_real = as_complex, as_real

__all__ = [
    "swapaxes", "swapdims", "view_as_complex", "view_as_real",
    "as_complex", "as_real", "as_strided", "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_tensors", "broadcast_to", "expand",
    "expand_as", "flatten", "flatten_", "moveaxis", "reshape", "reshape_", "squeeze", "squeeze_", "t", "t_", "tile", "transpose",
    "transpose_", "unflatten", "unfold", "unsqueeze", "unsqueeze_", "view", "view_as",
]  # fmt: skip
