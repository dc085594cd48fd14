"""`fluid.layers.tensor`: variables made by hand, tensors of given numbers, copies and joined tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.dtype import DTypeLike, VarType
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._filling import (
    arange,
    assign,
    cast,
    diag,
    eye,
    fill_constant,
    fill_constant_batch_size_like,
    full,
    full_like,
    linspace,
    ones,
    ones_like,
    range,
    zeros,
    zeros_like,
)
from paddle_compat.fluid.layers._record import is_variable, layer, run
from paddle_compat.fluid.layers._reshape import stack
from paddle_compat.fluid.layers._search import (
    argmax,
    argmin,
    argsort,
    has_inf,
    has_nan,
    isfinite,
    reverse,
    trace,
    tril,
    triu,
)
from paddle_compat.static.variables import make_global_var, make_parameter


def create_tensor(dtype: DTypeLike, name: str | None = None, persistable: bool = False) -> Variable:
    """A variable without a value, for layers to write to.

    Args:
        dtype: its data type.
        name: its name.
        persistable: it lives on between runs.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.create_tensor("float32").name
        'create_tensor_0'

    Follows Paddle 1.8.
    """
    helper = LayerHelper("create_tensor", name=name)
    return helper.create_variable(name=helper.name, dtype=dtype, persistable=persistable)


def create_parameter(
    shape: Any, dtype: DTypeLike, name: str | None = None, attr: Any = None, is_bias: bool = False, default_initializer: Any = None
) -> Any:
    """A parameter.

    Args:
        shape: its dimensions, all known.
        dtype: a floating data type.
        name: its name.
        attr: ParamAttr.
        is_bias: it starts as a bias (0) when no initializer is given.
        default_initializer: goes where `attr` has none.
    Returns:
        The Parameter.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.create_parameter([2, 3], "float32").shape
        (2, 3)

    Follows Paddle 1.8.
    """
    return make_parameter(1, shape, dtype, name, attr, is_bias, default_initializer, LayerHelper)


def create_global_var(
    shape: Any, value: float, dtype: DTypeLike, persistable: bool = False, force_cpu: bool = False, name: str | None = None
) -> Variable:
    """A variable of the global block that starts with one value.

    Args:
        shape: its dimensions.
        value: what every element starts with.
        dtype: its data type.
        persistable: it lives on between runs.
        force_cpu: kept; the executor's place decides.
        name: its name.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     fluid.layers.create_global_var([1], 1.0, "float32", persistable=True, name="one").name
        'one'

    Follows Paddle 1.8.
    """
    return make_global_var(1, shape, value, dtype, persistable, force_cpu, name, LayerHelper)


@layer
def concat(input: Any, axis: Any = 0, name: str | None = None) -> Variable:
    """Variables one after another.

    Args:
        input: a list of Variables, or a LoDTensorArray.
        axis: along which dimension, an int or a Variable of one element.
        name: the layer's name.
    Returns:
        Variable.
    Raises:
        TypeError: the axis is neither an int nor a Variable.
        InvalidArgumentError: the Variables are of several data types.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.data("x", [None, 3])
        ...     fluid.layers.concat([x, x], axis=1).shape
        (-1, 6)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("concat", name=name)
    values = input if isinstance(input, (list, tuple)) else [input]
    if getattr(values[0], "type", None) == VarType.LOD_TENSOR_ARRAY:
        return run("tensor_array_to_tensor", values[0], helper=helper, axis=axis, use_stack=False)[0]
    if is_variable(axis):
        axis.stop_gradient = True
        return run("concat", values, axis, helper=helper)
    if not isinstance(axis, (int, np.integer)):
        raise type_error("axis", "int or Variable", axis, "concat")
    for value in values:
        if is_variable(value) and value.dtype != values[0].dtype:
            raise invalid_argument("input", f"{values[0].dtype}, as the first one has", value.dtype, "concat")
    return run("concat", values, helper=helper, axis=axis)


def tensor_array_to_tensor(
    input: Variable, axis: int = 1, name: str | None = None, use_stack: bool = False
) -> tuple[Variable, Variable]:
    """The tensors of a LoDTensorArray, joined.

    Args:
        input: a LoDTensorArray.
        axis: along which dimension.
        name: the layer's name.
        use_stack: along a new dimension.
    Returns:
        The tensor, and int32 the size of each part along that dimension.
    Raises:
        TypeError: the input is no LoDTensorArray.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     array = fluid.layers.create_array("float32")
        ...     first = fluid.layers.fill_constant([1], "int64", 0)
        ...     array = fluid.layers.array_write(fluid.layers.ones([2, 3], "float32"), first, array)
        ...     out, sizes = fluid.layers.tensor_array_to_tensor(array)
        ...     out.shape, sizes.shape
        ((2, -1), ())

    Follows Paddle 1.8.
    """
    if getattr(input, "type", None) != VarType.LOD_TENSOR_ARRAY:
        if not isinstance(input, list):
            raise type_error("input", "a LoDTensorArray", input, "tensor_array_to_tensor")
        # the arrays of eager mode are lists
        sizes = assign(np.array([value.shape[axis] for value in input], "int64"))
        return stack(input, axis) if use_stack else concat(input, axis), sizes
    return run("tensor_array_to_tensor", input, name=name, axis=axis, use_stack=use_stack)


@layer
def sums(input: Any, out: Variable | None = None) -> Variable:
    """The sum of Variables of one shape, element by element.

    Args:
        input: a list of Variables.
        out: a Variable to write to.
    Returns:
        Variable of the same shape.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     x = fluid.data("x", [None, 3])
        ...     fluid.layers.sums([x, x]).shape
        (-1, 3)

    Follows Paddle 1.8.
    """
    values = input if isinstance(input, (list, tuple)) else [input]
    return run("sum", values, use_mkldnn=False, outputs=None if out is None else {"Out": out})


@layer
def kron(x: Variable, y: Variable, out: Variable | None = None, name: str | None = None) -> Variable:
    """The Kronecker product: y times each element of x.

    Args:
        x, y: Variables of one data type.
        out: a Variable to write to.
        name: the layer's name.
    Returns:
        Variable.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.kron(fluid.data("x", [2, 3]), fluid.data("y", [4, 5])).shape
        (8, 15)

    Follows Paddle 1.8.
    """
    return run("kron", x, y, name=name, outputs=None if out is None else {"Out": out})


__all__ = [
    "arange", "argmax", "argmin", "argsort", "assign", "cast", "concat", "create_global_var", "create_parameter", "create_tensor",
    "diag", "eye", "fill_constant", "fill_constant_batch_size_like", "full", "full_like", "has_inf", "has_nan", "isfinite", "kron",
    "linspace", "ones", "ones_like", "range", "reverse", "sums", "tensor_array_to_tensor", "trace", "tril", "triu", "zeros", "zeros_like",
]  # fmt: skip

__getattr__ = missing(__name__)
