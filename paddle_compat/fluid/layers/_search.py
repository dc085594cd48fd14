"""`fluid.layers.tensor`: what is where in a tensor, and its diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._filling import assign
from paddle_compat.fluid.layers._parts import slice as part
from paddle_compat.fluid.layers._record import check_dtype, declared, dtype_number, is_variable, layer, run
from paddle_compat.fluid.layers._reshape import reshape


@layer
def argmin(x: Variable, axis: int = 0) -> Variable:
    """Where the smallest elements along a dimension are.

    Args:
        x: a Variable.
        axis: which dimension.
    Returns:
        Variable int64 without that dimension.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.argmin(fluid.data("x", [None, 3]), axis=1).shape
        (-1,)

    Follows Paddle 1.8.
    """
    return run("arg_min", x, stop=True, axis=axis, dtype=-1)


@layer
def argmax(x: Variable, axis: int = 0) -> Variable:
    """Where the largest elements along a dimension are.

    Args:
        x: a Variable.
        axis: which dimension.
    Returns:
        Variable int64 without that dimension.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.argmax(fluid.data("x", [None, 3]), axis=1).shape
        (-1,)

    Follows Paddle 1.8.
    """
    return run("arg_max", x, stop=True, axis=axis, dtype=-1)


@layer
def argsort(input: Variable, axis: int = -1, descending: bool = False, name: str | None = None) -> tuple[Variable, Variable]:
    """The elements in order, and where they were.

    Args:
        input: a Variable.
        axis: along which dimension.
        descending: the largest first.
        name: the layer's name.
    Returns:
        The sorted Variable, and int64 the former positions.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     values, places = fluid.layers.argsort(fluid.data("x", [None, 3]), axis=1)
        ...     values.shape, places.shape
        ((-1, 3), (-1, 3))

    Follows Paddle 1.8.
    """
    out, ids = run("argsort", input, name=name, axis=axis, descending=descending)
    if isinstance(out, Variable):  # values keep their gradient
        out.stop_gradient = ids.stop_gradient = True
    return out, ids


@layer
def topk(input: Variable, k: Any, name: str | None = None) -> tuple[Variable, Variable]:
    """The largest elements of the last dimension, and where they are.

    Args:
        input: a Variable.
        k: how many, an int or a Variable of one element.
        name: the layer's name.
    Returns:
        The elements, the largest first, and int64 their positions.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     [v.shape for v in fluid.layers.topk(fluid.data("x", [None, 5]), k=2)]
        [(-1, 2), (-1, 2)]

    Follows Paddle 1.8.
    """
    found = run("top_k", input, k, name=name) if is_variable(k) else run("top_k", input, name=name, k=k)
    values, indices = found
    values.stop_gradient = indices.stop_gradient = True
    return values, indices


@layer
def reverse(x: Variable, axis: Any) -> Variable:
    """The elements in opposite order.

    Args:
        x: a Variable.
        axis: along which dimension or dimensions.
    Returns:
        Variable of the shape and data type of x.
    Raises:
        TypeError: `axis` is no int and no list.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.reverse(fluid.data("x", [3, 4]), axis=[0]).shape
        (3, 4)

    Follows Paddle 1.8.
    """
    if not isinstance(axis, (int, list, tuple)):
        raise type_error("axis", "an int or a list of ints", axis, "reverse")
    return run("reverse", x, axis=[axis] if isinstance(axis, int) else list(axis))


@layer
def flip(input: Variable, dims: list[int], name: str | None = None) -> Variable:
    """The elements in opposite order.

    Args:
        input: a Variable.
        dims: along which dimensions.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of `input`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.flip(fluid.data("x", [3, 4]), dims=[0, 1]).shape
        (3, 4)

    Follows Paddle 1.8.
    """
    return run("flip", input, name=name, dims=dims)


@layer
def roll(input: Variable, shifts: Any, dims: Any = None) -> Variable:
    """The elements shifted, those at the end coming in at the start.

    Args:
        input: a Variable.
        shifts: how far, one int for each dimension.
        dims: which dimensions; None: the flat elements.
    Returns:
        Variable of the shape and data type of `input`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.roll(fluid.data("x", [3, 4]), shifts=1, dims=0).shape
        (3, 4)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("roll")
    shape = list(input.shape)
    shifts = [shifts] if isinstance(shifts, int) else list(shifts)
    dims = [dims] if isinstance(dims, int) else dims
    if dims is None:
        input, dims = reshape(input, [-1, 1]), [0]
    out = run("roll", input, helper=helper, shifts=shifts, dims=dims)
    return reshape(out, shape, inplace=True)


@layer
def tril(input: Variable, diagonal: int = 0, name: str | None = None) -> Variable:
    """Matrices with zeros above a diagonal.

    Args:
        input: at least two dimensions.
        diagonal: which one; above 0: right of the main diagonal.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of `input`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.tril(fluid.data("x", [3, 4])).shape
        (3, 4)

    Follows Paddle 1.8.
    """
    return _triangle(LayerHelper("tril", name=name), input, diagonal, lower=True)


@layer
def triu(input: Variable, diagonal: int = 0, name: str | None = None) -> Variable:
    """Matrices with zeros below a diagonal.

    Args:
        input: at least two dimensions.
        diagonal: which one; above 0: right of the main diagonal.
        name: the layer's name.
    Returns:
        Variable of the shape and data type of `input`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.triu(fluid.data("x", [3, 4])).shape
        (3, 4)

    Follows Paddle 1.8.
    """
    return _triangle(LayerHelper("triu", name=name), input, diagonal, lower=False)


def _triangle(helper: LayerHelper, input: Variable, diagonal: int, lower: bool) -> Variable:
    if len(input.shape) < 2:
        raise ValueError(f"Invalid value for argument `input`. Expected at least 2 dimensions. Received: {len(input.shape)}")
    if not isinstance(diagonal, int):
        raise TypeError(f"Invalid type for argument `diagonal`. Expected int. Received: {diagonal!r}")
    outputs = {"Out": helper.create_variable(name=helper.name, dtype=input.dtype)} if isinstance(input, Variable) else None
    return run("tril_triu", input, helper=helper, outputs=outputs, diagonal=diagonal, lower=lower)


@layer
def trace(
    input: Variable, offset: int = 0, dim1: int = 0, dim2: int = 1, out: Variable | None = None, name: str | None = None
) -> Variable:
    """The sum of a diagonal.

    Args:
        input: at least two dimensions.
        offset: which diagonal; above 0: right of the main one.
        dim1, dim2: the dimensions that make the matrices.
        out: kept, as in Paddle 1.8.
        name: the layer's name.
    Returns:
        Variable without these dimensions, of shape (1,) when there are no others.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.trace(fluid.data("x", [3, 4])).shape
        (1,)

    Follows Paddle 1.8.
    """
    return run("trace", input, name=name, offset=offset, dim1=dim1, dim2=dim2)


def diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Variable:
    """Matrices with the elements of the last dimension on a diagonal.

    Args:
        input: a Variable or a numpy array.
        offset: which diagonal; above 0: right of the main one.
        dim1, dim2: the dimensions that make the matrices.
    Returns:
        Variable with one dimension more.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.diag_embed(fluid.data("x", [2, 3])).shape
        (2, 3, 3)

    Follows Paddle 1.8.
    """
    helper = LayerHelper("diag_embed", input=input)
    if isinstance(input, np.ndarray):
        input = assign(input)
    check_dtype(input, "input", (VarType.FP16, VarType.FP32, VarType.FP64, VarType.INT32, VarType.INT64), "diag_embed")
    return run("diag_embed", input, helper=helper, stop=True, offset=offset, dim1=dim1, dim2=dim2)


@layer
def has_inf(x: Variable) -> Variable:
    """Whether there is an infinite element.

    Args:
        x: a Variable.
    Returns:
        Variable bool of shape (1,).

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.has_inf(fluid.data("x", [3, 4])).shape
        (1,)

    Follows Paddle 1.8.
    """
    return declared(run("isinf", x), x.dtype)


@layer
def has_nan(x: Variable) -> Variable:
    """Whether there is an element that is no number.

    Args:
        x: a Variable.
    Returns:
        Variable bool of shape (1,).

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.has_nan(fluid.data("x", [3, 4])).shape
        (1,)

    Follows Paddle 1.8.
    """
    return declared(run("isnan", x), x.dtype)


@layer
def isfinite(x: Variable) -> Variable:
    """Whether all elements are finite numbers.

    Args:
        x: a Variable.
    Returns:
        Variable bool of shape (1,).

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.isfinite(fluid.data("x", [3, 4])).shape
        (1,)

    Follows Paddle 1.8.
    """
    return run("isfinite", x)


@layer
def where(condition: Variable) -> Variable:
    """Where a condition holds.

    Args:
        condition: a bool Variable.
    Returns:
        Variable int64 [number of true elements, number of dimensions].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.where(fluid.data("x", [3, 4], "bool")).shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    return run("where_index", condition)


@layer
def nonzero(input: Variable, as_tuple: bool = False) -> Any:
    """Where the elements are that are not 0.

    Args:
        input: a Variable.
        as_tuple: one Variable for each dimension.
    Returns:
        Variable int64 [number of such elements, number of dimensions], or a tuple of [number, 1].

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     fluid.layers.nonzero(fluid.data("x", [3, 4])).shape
        (-1, 2)

    Follows Paddle 1.8.
    """
    places = where(input)
    if not as_tuple:
        return places
    rank = len(input.shape)
    return (places,) if rank == 1 else tuple(part(places, [1], [i], [i + 1]) for i in range(rank))


@layer
def unique(x: Variable, dtype: Any = "int32") -> tuple[Variable, Variable]:
    """The different elements in the order in which they appear, and which of them each element is.

    Args:
        x: one dimension.
        dtype: data type of the indices.
    Returns:
        The elements and the indices.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     found, index = fluid.layers.unique(fluid.data("x", [6], "int64"))
        ...     found.shape, index.shape
        ((-1,), (6,))

    Follows Paddle 1.8.
    """
    found = run("unique", x, dtype=dtype_number(dtype))
    return found[0], found[2]  # between them what only 2.x gives


@layer
def unique_with_counts(x: Variable, dtype: Any = "int32") -> tuple[Variable, Variable, Variable]:
    """The different elements, which of them each element is, and how often each appears.

    Args:
        x: one dimension.
        dtype: data type of indices and counts, int32 or int64.
    Returns:
        The elements, the indices, the counts.
    Raises:
        TypeError: dtype is another.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     found, index, count = fluid.layers.unique_with_counts(fluid.data("x", [6], "int64"))
        ...     found.shape, index.shape, count.shape
        ((-1,), (6,), (-1,))

    Follows Paddle 1.8.
    """
    return run("unique_with_counts", x, dtype=dtype_number(dtype))


__all__ = [
    "argmax", "argmin", "argsort", "diag_embed", "flip", "has_inf", "has_nan", "isfinite", "nonzero", "reverse", "roll", "topk",
    "trace", "tril", "triu", "unique", "unique_with_counts", "where",
]  # fmt: skip
