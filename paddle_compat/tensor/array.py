"""`paddle.tensor.array`: lists of tensors that a Program can grow; in eager mode plain Python lists."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import DTypeLike, VarType
from paddle_compat.core.errors import type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.ops import array as ops
from paddle_compat.static.nn._arguments import all_run_now, layer, need_variable


def _need_list(array: Any, api: str) -> None:
    assert isinstance(array, list), f"Invalid type for argument `array` of `{api}` in eager mode. Expected list. Received: {array!r}"


def _position(i: Any, api: str) -> int:
    assert isinstance(i, Tensor) and i.shape == [1], (
        f"Invalid value for argument `i` of `{api}`. Expected a Tensor of shape [1]. Received: {i!r}"
    )
    return int(i)


def _need_array(array: Any, api: str) -> None:
    if not isinstance(array, Variable) or array.type != VarType.LOD_TENSOR_ARRAY:
        raise type_error("array", "a tensor array Variable", array, api)


def create_array(dtype: DTypeLike, initialized_list: Any = None) -> Any:
    """A tensor array.

    Args:
        dtype: data type of its elements.
        initialized_list: Variables or Tensors that it starts with.
    Returns:
        A Variable of type LOD_TENSOR_ARRAY; in eager mode a list.
    Raises:
        TypeError: `initialized_list` is no list of such.

    Example:
        >>> from paddle_compat.tensor.array import create_array
        >>> create_array("float32")
        []

    Follows Paddle 2.6.
    """
    values = [] if initialized_list is None else initialized_list
    if not isinstance(values, (list, tuple)):
        raise type_error("initialized_list", "list or tuple", initialized_list, "create_array")
    for value in values:
        if not isinstance(value, (Variable, Tensor)):
            raise type_error("initialized_list", "Variables or Tensors", value, "create_array")
    if all_run_now(*values):
        return list(values)
    helper = layer("array")
    array = helper.create_variable(name=f"{helper.name}.out", type=VarType.LOD_TENSOR_ARRAY, dtype=dtype)
    for value in values:
        array_write(value, array_length(array), array)
    return array


def array_write(x: Any, i: Any, array: Any = None) -> Any:
    """Put a value into a tensor array.

    Args:
        x: the value.
        i: the position, int64 of one element; it may be the array's length.
        array: the array; None: a new one.
    Returns:
        The array.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.tensor.array import array_write
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2], "float32")
        >>> array_write(x, paddle.static.data("i", [1], "int64")).name
        'array_write_0.out'
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    if all_run_now(x, i):
        position = _position(i, "array_write")
        array = [] if array is None else array
        _need_list(array, "array_write")
        assert position <= len(array), (
            f"Invalid value for argument `i` of `array_write`. Expected at most {len(array)}. Received: {position}"
        )
        array[position : position + 1] = [x]
        return array
    need_variable(i, "i", "array_write", ("int64",))
    need_variable(x, "x", "array_write")
    helper = layer("array_write")
    if array is None:
        array = helper.create_variable(name=f"{helper.name}.out", type=VarType.LOD_TENSOR_ARRAY, dtype=x.dtype)
    _need_array(array, "array_write")
    ops.write_to_array(x, i, _helper=helper, _outputs={"Out": array})
    return array


def array_read(array: Any, i: Any) -> Any:
    """An element of a tensor array.

    Args:
        array: the array.
        i: the position, int64 of one element.
    Returns:
        The element.
    Raises:
        TypeError: an argument is nothing of the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.tensor.array import array_read, array_write
        >>> paddle.enable_static()
        >>> x, i = paddle.static.data("x", [2], "float32"), paddle.static.data("i", [1], "int64")
        >>> array_read(array_write(x, i), i).shape
        (2,)
        >>> paddle.disable_static()

    Follows Paddle 1.8 and 2.6.
    """
    if all_run_now(array, i):
        _need_list(array, "array_read")
        return array[_position(i, "array_read")]
    need_variable(i, "i", "array_read", ("int64",))
    helper = layer("array_read")
    _need_array(array, "array_read")
    return ops.read_from_array(array, i, _helper=helper)


def array_length(array: Any) -> Any:
    """How many elements a tensor array has.

    Args:
        array: the array.
    Returns:
        [1], int64; in eager mode an int.
    Raises:
        TypeError: `array` is no tensor array.

    Example:
        >>> from paddle_compat.tensor.array import array_length, create_array
        >>> array_length(create_array("float32"))
        0

    Follows Paddle 1.8 and 2.6.
    """
    if all_run_now(array):
        _need_list(array, "array_length")
        return len(array)
    _need_array(array, "array_length")
    out = ops.lod_array_length(array, _helper=layer("array_length"))
    out.stop_gradient = True
    return out


def is_array(x: Any) -> bool:
    """Whether it is a tensor array of a Program."""
    return isinstance(x, Variable) and x.type == VarType.LOD_TENSOR_ARRAY


def popped(array: Variable, index: Any) -> Variable:
    """The operators that take one element out of a tensor array: the element; the array is left without it."""
    from paddle_compat.static.nn._blocks import ConditionalBlock, While, assign_to
    from paddle_compat.tensor.creation import full
    from paddle_compat.tensor.logic import less_than, not_equal
    from paddle_compat.tensor.math import increment

    length = array_length(array)
    if not isinstance(index, Variable):
        index = full([1], index, "int64") if index >= 0 else length + index
    element: Variable = array_read(array, index)
    kept, place = create_array(array.dtype), full([1], 0, "int64")
    going = less_than(place, length)
    loop = While(going)
    with loop.block():
        each = array_read(array, place)
        with ConditionalBlock([not_equal(place, index)], is_scalar_condition=True).block():
            array_write(each, array_length(kept), kept)
        increment(place)
        assign_to(less_than(place, length), going)
    assign_to(kept, array)
    return element


def joined(array: Variable, axis: int, stacked: bool, helper: Any) -> tuple[Any, Any]:
    """The operator that joins a tensor array's elements: the whole, and the sizes along the axis."""
    whole, sizes = ops.tensor_array_to_tensor(array, axis=axis, use_stack=stacked, _helper=helper)
    return whole, sizes


def tensor_array_to_tensor(input: Any, axis: int = 1, use_stack: bool = False, name: str | None = None) -> tuple[Any, Any]:
    """Join the elements of a tensor array along a dimension.

    Args:
        input: the array; in eager mode a list of Tensors.
        axis: the dimension.
        use_stack: along a new dimension.
        name: prefix of the outputs' names.
    Returns:
        The whole, and the size along the dimension that each element had, int32.
    Raises:
        TypeError: the input is no array.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.tensor.array import create_array, tensor_array_to_tensor
        >>> paddle.enable_static()
        >>> x = paddle.static.data("x", [2, 3], "float32")
        >>> out, sizes = tensor_array_to_tensor(create_array("float32", [x, x]))
        >>> out.shape, sizes.dtype.name
        ((2, -1), 'INT32')
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    if isinstance(input, list) and all_run_now(*input):
        from paddle_compat.tensor.creation import to_tensor
        from paddle_compat.tensor.manipulation import concat, stack

        sizes = [x.shape[axis] for x in input]
        return (stack if use_stack else concat)(input, axis), to_tensor(sizes, dtype="int32")
    if not isinstance(input, Variable) or not is_array(input):
        raise type_error("input", "a tensor array", input, "tensor_array_to_tensor")
    return joined(input, axis, use_stack, layer("tensor_array_to_tensor", name=name))


__all__ = ["array_length", "array_read", "array_write", "create_array"]

__getattr__ = missing(__name__)
