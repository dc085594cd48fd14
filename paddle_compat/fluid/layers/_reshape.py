"""`fluid.layers.nn`: the same elements in another shape or order, or repeated."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core import mode
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._filling import assign, fill_constant
from paddle_compat.fluid.layers._record import is_variable, layer, run, temporaries
from paddle_compat.fluid.layers._shapes import Make, tensors_in


def dimension(helper: LayerHelper, dtype: str = "int32") -> Make:
    """Makes a Variable of an int, under the layer's own name."""

    def make(size: int) -> Any:
        out = None if mode.in_dygraph_mode() else helper.create_variable_for_type_inference(dtype)
        return fill_constant([1], dtype, size, force_cpu=True, out=out)

    return make


def _check_sizes(x: Variable, shape: Any) -> None:
    """Refuse sizes that no run could work out, with the exception that Paddle has for them."""
    known = [size for size in shape if not is_variable(size)]
    expected = ""
    if any(isinstance(size, float) for size in known):
        raise invalid_argument("shape", "ints and Variables", shape, "reshape")
    if not len(shape):
        expected = "at least one dimension"
    elif known.count(-1) > 1:
        expected = "one -1 at most"
    elif any(size < -1 for size in known):
        expected = "sizes from 0 on and one -1"
    elif any(not is_variable(size) and size == 0 for size in shape[len(x.shape) :]):
        expected = f"a 0 only for one of the {len(x.shape)} dimensions of x"
    if expected:
        raise AssertionError(f"Invalid value for argument `shape` of `reshape`. Expected {expected}. Received: {shape}")


@layer
def reshape(
    x: Variable, shape: Any, actual_shape: Variable | None = None, act: str | None = None, inplace: bool = False, name: str | None = None
) -> Variable:
    """The same elements in another shape.

    Args:
        x: a Variable.
        shape: a list of ints and Variables, or an int32 Variable; one -1 is worked out, a 0 stands for that dimension of x.
        actual_shape: an int32 Variable with the shape of each run.
        act: an activation.
        inplace: write to x itself.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        TypeError: the shape is neither list, tuple nor Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.reshape(fluid.data("x", [None, 6]), [-1, 2, 3]).shape
        (-1, 2, 3)

    Follows Paddle 1.8.
    """
    if not is_variable(shape) and not isinstance(shape, (list, tuple)):
        raise type_error("shape", "list, tuple or Variable", shape, "reshape")
    helper = LayerHelper("reshape2", act=act, name=name)
    tensor, tensors, sizes = tensors_in(shape, dimension(helper))
    if isinstance(shape, (list, tuple)):
        _check_sizes(x, shape)
    if isinstance(actual_shape, Variable):  # in eager mode the list decides
        actual_shape.stop_gradient = True
        tensor, tensors = actual_shape, []
    outputs = {"Out": x} if inplace and isinstance(x, Variable) else None
    attrs: dict[str, Any] = {} if sizes is None else {"shape": sizes}
    out = run("reshape2", x, tensor, tensors, helper=helper, outputs=outputs, **attrs)
    return helper.append_activation(out)


@layer
def squeeze(input: Variable, axes: list[int], name: str | None = None) -> Variable:
    """Without dimensions of size 1.

    Args:
        input: a Variable.
        axes: which dimensions; an empty list: all of size 1.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        TypeError: the axes are no list.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.squeeze(fluid.data("x", [None, 1, 10]), axes=[1]).shape
        (-1, 10)

    Follows Paddle 1.8.
    """
    if not isinstance(axes, (list, tuple)):
        raise type_error("axes", "list", axes, "squeeze")
    return run("squeeze2", input, layer="squeeze", name=name, axes=list(axes))


@layer
def unsqueeze(input: Variable, axes: Any, name: str | None = None) -> Variable:
    """With dimensions of size 1 put in.

    Args:
        input: a Variable.
        axes: where they stand afterwards: an int, a list of ints and Variables, or an int32 Variable.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        TypeError: the axes are neither int, list, tuple nor Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.unsqueeze(fluid.data("x", [5, 10]), axes=[1]).shape
        (5, 1, 10)

    Follows Paddle 1.8.
    """
    if not is_variable(axes) and not isinstance(axes, (int, list, tuple)):
        raise type_error("axes", "int, list, tuple or Variable", axes, "unsqueeze")
    helper = LayerHelper("unsqueeze2", name=name)
    tensor, tensors, found = tensors_in(axes, dimension(helper))
    attrs: dict[str, Any] = {} if tensor is not None or tensors else {"axes": found}
    return run("unsqueeze2", input, tensor, tensors, helper=helper, **attrs)


@layer
def transpose(x: Variable, perm: list[int], name: str | None = None) -> Variable:
    """Dimensions in another order.

    Args:
        x: a Variable.
        perm: the former position of each dimension.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        ValueError: perm does not fit the dimensions.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.transpose(fluid.data("x", [2, 3, 4]), perm=[1, 0, 2]).shape
        (3, 2, 4)

    Follows Paddle 1.8.
    """
    if not isinstance(perm, list) and not isinstance(x, Tensor):
        raise type_error("perm", "list", perm, "transpose")
    rank = len(x.shape)
    if len(perm) != rank or any(axis >= rank for axis in perm):
        raise ValueError(f"Invalid value for argument `perm` of `transpose`. Expected each of {rank} dimensions once. Received: {perm}")
    return run("transpose2", x, layer="transpose", name=name, axis=list(perm))


@layer
def t(input: Variable, name: str | None = None) -> Variable:
    """The transpose of a matrix; a vector itself.

    Args:
        input: at most two dimensions.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        ValueError: it has more dimensions.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.t(fluid.data("x", [2, 3])).shape
        (3, 2)

    Follows Paddle 1.8.
    """
    if len(input.shape) > 2:
        raise ValueError(f"Invalid value for argument `input` of `t`. Expected at most 2 dimensions. Received: {len(input.shape)}")
    helper = LayerHelper("t", name=name)
    outputs = temporaries(helper, "Out", "XShape")
    return input if len(input.shape) == 1 else run("transpose2", input, helper=helper, outputs=outputs, axis=[1, 0])


@layer
def flatten(x: Variable, axis: int = 1, name: str | None = None) -> Variable:
    """A matrix: the dimensions before `axis` make the rows, the others the columns.

    Args:
        x: a Variable.
        axis: from 0 to the number of dimensions.
        name: the layer's name.
    Returns:
        Variable of two dimensions.
    Raises:
        ValueError: axis lies outside.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.flatten(fluid.data("x", [4, 4, 3]), axis=2).shape
        (16, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("flatten", name=name)
    if not isinstance(axis, int) or not 0 <= axis <= len(x.shape):
        raise ValueError(f"Invalid value for argument `axis` of `flatten`. Expected 0 to {len(x.shape)}. Received: {axis}")
    return run("flatten2", x, helper=helper, axis=axis)


def _require_parts(good: bool, expected: str, received: Any) -> None:
    if not good:
        raise AssertionError(f"Invalid value for argument `num_or_sections` of `split`. Expected {expected}. Received: {received}")


@layer
def split(input: Variable, num_or_sections: Any, dim: Any = -1, name: str | None = None) -> list[Variable]:
    """Parts along a dimension.

    Args:
        input: a Variable.
        num_or_sections: how many equal parts, or the size of each, ints and Variables; one -1 is worked out.
        dim: which dimension, an int or a Variable of one element.
        name: the layer's name.
    Returns:
        A list of Variables.
    Raises:
        AssertionError: the parts do not fit the dimension.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     [part.shape for part in fluid.layers.split(fluid.data("x", [3, 9]), [2, -1], dim=1)]
        [(3, 2), (3, 7)]

    Follows Paddle 1.8.
    """
    if not isinstance(num_or_sections, (int, list, tuple)):
        raise type_error("num_or_sections", "int, list or tuple", num_or_sections, "split")
    if not is_variable(dim) and not isinstance(dim, int):
        raise type_error("dim", "int or Variable", dim, "split")
    axis, attrs, size = None, {}, -1
    if is_variable(dim):
        dim.stop_gradient = True
        axis = dim
    else:
        shape = input.shape
        attrs["axis"] = dim if dim >= 0 else len(shape) + dim
        size = shape[attrs["axis"]]
    if isinstance(num_or_sections, int):
        _require_parts(num_or_sections > 1, "at least 2", num_or_sections)
        _require_parts(size <= 0 or size % num_or_sections == 0, f"a divisor of {size}", num_or_sections)
        # how many outputs there are shows in the inferred shapes, which need the axis: any will do where it is a Variable
        return run("split", input, axis, name=name, num=num_or_sections, **attrs)
    _require_parts(size <= 0 or len(num_or_sections) <= size, f"at most {size} parts", num_or_sections)
    helper = LayerHelper("split", name=name)
    _, tensors, sections = tensors_in(num_or_sections, dimension(helper))
    return run("split", input, axis, tensors, helper=helper, sections=sections, num=0, **attrs)


@layer
def stack(x: Any, axis: int = 0) -> Variable:
    """Variables of one shape along a new dimension.

    Args:
        x: a list of Variables.
        axis: where the new dimension stands.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.data("x", [None, 3])
        ...     fluid.layers.stack([x, x], axis=1).shape
        (-1, 2, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("stack")
    values = list(x) if isinstance(x, (list, tuple)) else [x]
    if getattr(values[0], "type", None) == VarType.LOD_TENSOR_ARRAY:
        return run("tensor_array_to_tensor", values[0], helper=helper, axis=axis, use_stack=True)[0]
    return run("stack", values, helper=helper, axis=axis)


@layer
def unstack(x: Variable, axis: int = 0, num: int | None = None) -> list[Variable]:
    """The slices along a dimension.

    Args:
        x: a Variable.
        axis: which dimension.
        num: its size, where the Variable does not know it.
    Returns:
        A list of Variables with one dimension less.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     len(fluid.layers.unstack(fluid.data("x", [2, 3, 5]), axis=1))
        3

    Follows Paddle 1.8.
    """
    return run("unstack", x, axis=axis, num=x.shape[axis] if num is None else num)


@layer
def unbind(input: Variable, axis: int = 0) -> list[Variable]:
    """The slices along a dimension whose size is known.

    Args:
        input: a Variable.
        axis: which dimension.
    Returns:
        A list of Variables with one dimension less.
    Raises:
        TypeError: axis is no whole number.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     [part.shape for part in fluid.layers.unbind(fluid.data("x", [2, 3]))]
        [(3,), (3,)]

    Follows Paddle 2.0, which has it in `fluid.layers` too.
    """
    if not isinstance(axis, int):
        raise type_error("axis", "int", axis, "unbind")
    return run("unbind", input, axis=axis)


def _no_bool_gradient(x: Any, api: str) -> None:
    if isinstance(x, Variable) and x.dtype == VarType.BOOL and not x.stop_gradient:
        raise ValueError(
            f"Invalid value for argument `x` of `{api}`. Expected a bool Variable that stops gradients. "
            "Received: one that does not"
        )


@layer
def expand(x: Variable, expand_times: Any, name: str | None = None) -> Variable:
    """x repeated along each dimension.

    Args:
        x: at most 6 dimensions.
        expand_times: how often, a list of ints and Variables, or an int32 Variable.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        ValueError: x is bool and does not stop gradients.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.expand(fluid.data("x", [2, 1]), [1, 4]).shape
        (2, 4)

    Follows Paddle 1.8.
    """
    if not is_variable(expand_times) and not isinstance(expand_times, (list, tuple)):
        raise type_error("expand_times", "list, tuple or Variable", expand_times, "expand")
    for times in expand_times if isinstance(expand_times, (list, tuple)) else ():
        if not is_variable(times) and times <= 0:
            raise failed_assertion("expand_times", "numbers above 0", expand_times, "expand")
    _no_bool_gradient(x, "expand")
    helper = LayerHelper("expand", name=name)
    tensor, tensors, times = tensors_in(expand_times, dimension(helper))
    attrs: dict[str, Any] = {} if times is None else {"expand_times": times}
    return run("expand", x, tensor, tensors, helper=helper, **attrs)


@layer
def expand_as(x: Variable, target_tensor: Variable, name: str | None = None) -> Variable:
    """x repeated up to the shape of another Variable.

    Args:
        x: a Variable.
        target_tensor: as many dimensions, each a multiple of that of x.
        name: the layer's name.
    Returns:
        Variable of the shape of `target_tensor`.
    Raises:
        ValueError: x is bool and does not stop gradients.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.expand_as(fluid.data("x", [1, 4]), fluid.data("y", [3, 4])).shape
        (3, 4)

    Follows Paddle 1.8.
    """
    _no_bool_gradient(x, "expand_as")
    return run("expand_as", x, target_tensor, name=name)


@layer
def shape(input: Variable) -> Variable:
    """The shape as a tensor.

    Args:
        input: a Variable.
    Returns:
        Variable int32 [number of dimensions].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.shape(fluid.data("x", [None, 3])).shape
        (2,)

    Follows Paddle 1.8.
    """
    return run("shape", input)


def rank(input: Variable) -> Variable:
    """The number of dimensions as a tensor.

    Args:
        input: a Variable.
    Returns:
        Variable int32.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.rank(fluid.data("x", [None, 3])).shape
        ()

    Follows Paddle 1.8.
    """
    return assign(np.array(len(input.shape), "int32"))


@layer
def size(input: Variable) -> Variable:
    """The number of elements as a tensor.

    Args:
        input: a Variable.
    Returns:
        Variable int64 of one element.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.size(fluid.data("x", [3, 4])).shape
        (1,)

    Follows Paddle 1.8.
    """
    return run("size", input)


__all__ = [
    "expand", "expand_as", "flatten", "rank", "reshape", "shape", "size", "split", "squeeze", "stack", "t", "transpose", "unbind",
    "unsqueeze", "unstack",
]  # fmt: skip
