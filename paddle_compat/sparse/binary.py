"""Functions of two sparse Tensors, or of a sparse and a dense one."""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.dtype import dtype_name, is_float
from paddle_compat.core.errors import UnimplementedError, invalid_argument
from paddle_compat.core.sparse import SparseTensor
from paddle_compat.core.tensor import Tensor, wrapped
from paddle_compat.core.variable import Variable
from paddle_compat.ops import sparse as ops
from paddle_compat.ops._update_parts import single
from paddle_compat.sparse import _layouts
from paddle_compat.sparse._arguments import dense, in_eager_mode, in_program, of_floats, recorded, scaled, sparse

# the top-level functions (`paddle.add`, ...), which load when they are first called
paddle: Any = import_module("paddle_compat")


def _pair(x: Any, y: Any, api: str) -> tuple[SparseTensor, SparseTensor]:
    """Two sparse Tensors of one layout, shape and data type: that of x."""
    a = sparse(x, "x", api)
    if not isinstance(y, Tensor):
        raise AttributeError(f"Invalid value for argument `y` of `{api}`. Expected a sparse Tensor. Received: {y!r}")
    b = sparse(y, "y", api)
    if a._what != b._what:
        raise _of_another_layout(a, b, api)
    if a._shape != b._shape:
        raise invalid_argument("y", f"the shape of x, {a.shape}", b.shape, api)
    if dtype_name(a.dtype) != dtype_name(b.dtype):
        b = b._like(paddle.cast(b._values, a.dtype))
    return a, b


def _beside(x: Variable, y: Any, api: str) -> Variable:
    """The other sparse Variable beside one: it has the same shape."""
    if not isinstance(y, Variable):
        raise AttributeError(f"Invalid value for argument `y` of `{api}`. Expected a sparse Variable. Received: {y!r}")
    if not in_program(y):
        raise UnimplementedError(f"Invalid value for argument `y` of `{api}`. Expected a sparse Variable. Received: {y.name}, a dense one")
    if y.shape != x.shape:
        raise invalid_argument("y", f"the shape of x, {list(x.shape)}", list(y.shape), api)
    return y


def _of_another_layout(a: SparseTensor, b: SparseTensor, api: str) -> UnimplementedError:
    return UnimplementedError(f"Invalid value for argument `y` of `{api}`. Expected a {a._what} Tensor. Received: a {b._what} Tensor")


def _together(a: SparseTensor, b: SparseTensor, function: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]) -> Any:
    """A function of the values of both, at the places of either: where one has none it has 0."""
    where, other, sizes = _layouts.indices_of(a), _layouts.indices_of(b), _layouts.sparse_sizes(a)
    indices, values = ops.together(where, _layouts.values_of(a), other, _layouts.values_of(b), sizes, function)
    if indices is where:  # both have the same places
        return a._like(wrapped(values.reshape(a._values.shape)))
    return _layouts.as_layout_of(a, indices, values, a._shape)


def add(x: Any, y: Any, name: str | None = None) -> Any:
    """The sum of two sparse Tensors.

    Args:
        x (Tensor): sparse.
        y (Tensor): sparse, of the same layout and shape.
        name (str): has no effect.
    Returns:
        Tensor: sparse, with values at the places of either.
    Raises:
        NotImplementedError: one is not sparse, or they have different layouts.
        AttributeError: y is no Tensor.
        ValueError: they have different shapes.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1]], [1.0, 2.0], [3])
        >>> y = paddle.sparse.sparse_coo_tensor([[1, 2]], [3.0, 4.0], [3])
        >>> paddle.sparse.add(x, y).to_dense().tolist()
        [1.0, 5.0, 4.0]

    Follows Paddle 2.6.
    """
    if in_program(x):
        return recorded("sparse_add", x, _beside(x, y, "add"))
    a, b = _pair(x, y, "add")
    if _layouts.same_places(a, b):  # one by one, also where they name a place several times
        return a._like(paddle.add(a._values, b._values))
    return _together(a, b, torch.add)


def subtract(x: Any, y: Any, name: str | None = None) -> Any:
    """The difference of two sparse Tensors.

    Args:
        x (Tensor): sparse.
        y (Tensor): sparse, of the same layout and shape.
        name (str): has no effect.
    Returns:
        Tensor: sparse, with values at the places of either.
    Raises:
        NotImplementedError: one is not sparse, or they have different layouts.
        AttributeError: y is no Tensor.
        ValueError: they have different shapes.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1]], [1.0, 2.0], [3])
        >>> y = paddle.sparse.sparse_coo_tensor([[1, 2]], [3.0, 4.0], [3])
        >>> paddle.sparse.subtract(x, y).to_dense().tolist()
        [1.0, -1.0, -4.0]

    Follows Paddle 2.6.
    """
    if in_program(x):
        return recorded("sparse_subtract", x, _beside(x, y, "subtract"))
    return _together(*_pair(x, y, "subtract"), torch.sub)


def multiply(x: Any, y: Any, name: str | None = None) -> Any:
    """The product of two sparse Tensors, value by value, or of one and a number.

    Args:
        x (Tensor): sparse.
        y (Tensor|float|int): sparse, of the same layout and shape, or a number.
        name (str): has no effect.
    Returns:
        Tensor: sparse, with values at the places of either.
    Raises:
        NotImplementedError: one is not sparse, or they have different layouts.
        AttributeError: y is neither.
        ValueError: they have different shapes.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1]], [1.0, 2.0], [3])
        >>> y = paddle.sparse.sparse_coo_tensor([[1, 2]], [3.0, 4.0], [3])
        >>> paddle.sparse.multiply(x, y).to_dense().tolist(), paddle.sparse.multiply(x, 3.0).values().tolist()
        ([0.0, 6.0, 0.0], [3.0, 6.0])

    Follows Paddle 2.6.
    """
    if in_program(x):
        if isinstance(y, (int, float)):
            return scaled(x, float(y), "multiply")
        return recorded("sparse_multiply", x, _beside(x, y, "multiply"))
    if isinstance(y, (int, float)):
        found = sparse(x, "x", "multiply")
        return found._like(paddle.scale(found._values, single(float(y))))
    return _together(*_pair(x, y, "multiply"), torch.mul)


def divide(x: Any, y: Any, name: str | None = None) -> Any:
    """The quotient of two sparse Tensors, element by element, or of one and a number.

    Args:
        x (Tensor): sparse.
        y (Tensor|float|int): sparse, of the same layout and shape, or a number.
        name (str): has no effect.
    Returns:
        Tensor: sparse, with values at every place, as 0 / 0 is NaN; by a number at the places of x.
    Raises:
        NotImplementedError: one is not sparse, or they have different layouts.
        AttributeError: y is neither.
        ValueError: they have different shapes.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1]], [1.0, 2.0], [3])
        >>> y = paddle.sparse.sparse_coo_tensor([[1, 2]], [4.0, 4.0], [3])
        >>> paddle.sparse.divide(x, y).values().tolist(), paddle.sparse.divide(x, 2.0).values().tolist()
        ([inf, 0.5, 0.0], [0.5, 1.0])

    Follows Paddle 2.6.
    """
    if in_program(x):
        if isinstance(y, (int, float)):
            return recorded("sparse_divide_scalar", of_floats(x, "divide"), scalar=float(y))
        return recorded("sparse_divide", of_floats(x, "divide"), _beside(x, y, "divide"))
    if isinstance(y, (int, float)):
        found = sparse(x, "x", "divide")
        values = found._values if is_float(found.dtype) else paddle.cast(found._values, "float32")
        return found._like(paddle.divide(values, paddle.to_tensor(single(float(y)), dtype=values.dtype)))
    a, b = _pair(x, y, "divide")
    where, other, sizes = _layouts.indices_of(a), _layouts.indices_of(b), _layouts.sparse_sizes(a)
    indices, values = ops.divided(where, _layouts.values_of(a), other, _layouts.values_of(b), sizes)
    return _layouts.as_layout_of(a, indices, values, a._shape)


def is_same_shape(x: Any, y: Any) -> bool:
    """Whether two Tensors, dense or sparse, have the same shape.

    Args:
        x (Tensor): dense or sparse.
        y (Tensor): dense or sparse.
    Returns:
        bool.
    Raises:
        AttributeError: x is no Tensor.
        ValueError: y is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1]], [1.0, 2.0], [3])
        >>> paddle.sparse.is_same_shape(x, paddle.ones([3]))
        True

    Follows Paddle 2.6.
    """
    in_eager_mode(x, "is_same_shape")
    if not isinstance(x, Tensor):
        raise AttributeError(f"Invalid value for argument `x` of `is_same_shape`. Expected a Tensor. Received: {x!r}")
    if not isinstance(y, Tensor):
        raise invalid_argument("y", "a Tensor", y, "is_same_shape")
    return x.shape == y.shape


def _matrices(x: SparseTensor, api: str) -> tuple[torch.Tensor, torch.Tensor]:
    """The rows of all matrices of x, counted through, and the columns."""
    if len(x._shape) not in (2, 3) or x._values.ndim != 1:
        raise invalid_argument("x", "a matrix, or a batch of some", x.shape, api)
    indices = _layouts.indices_of(x)
    return ops.keys(indices[:-1], x._shape[:-1]), indices[-1]


def matmul(x: Any, y: Any, name: str | None = None) -> Any:
    """The product of a sparse matrix and a dense one, or of two sparse ones.

    Args:
        x (Tensor): sparse, [N, M], or a batch of matrices [B, N, M].
        y (Tensor): dense, [M, K] or [B, M, K]; or sparse, of the layout of x, [M, K].
        name (str): has no effect.
    Returns:
        Tensor: dense where y is, else sparse.
    Raises:
        NotImplementedError: x is not sparse, or the layouts differ.
        ValueError: the shapes do not fit, or y is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_csr_tensor([0, 1, 3], [1, 0, 1], [1.0, 2.0, 3.0], [2, 2])
        >>> paddle.sparse.matmul(x, paddle.ones([2, 1])).tolist()
        [[1.0], [5.0]]

    Follows Paddle 2.6, which has it on GPUs only.
    """
    api = "matmul"
    if in_program(x):
        return _recorded_product(x, y, "y", api, len(y.shape) == 2)
    a = sparse(x, "x", api)
    if isinstance(y, SparseTensor):
        return _product(a, y)
    b = dense(y, "y", api)
    rows, cols = _matrices(a, api)
    if b.ndim != len(a._shape) or b.shape[-2] != a._shape[-1] or b.shape[:-2] != a.shape[:-2]:
        raise invalid_argument("y", f"the dimensions of x with {a._shape[-1]} rows", b.shape, api)
    if dtype_name(a.dtype) != dtype_name(b.dtype):
        raise invalid_argument("y", f"{dtype_name(a.dtype)}, as x", dtype_name(b.dtype), api)
    if len(a._shape) == 3:
        cols = cols + rows.div(a._shape[1], rounding_mode="floor") * a._shape[2]
    out = ops.times_dense(rows, cols, _layouts.values_of(a), b._t.reshape(-1, b.shape[-1]), math.prod(a._shape[:-1]))
    return wrapped(out.reshape(*a._shape[:-1], b.shape[-1]))


def _recorded_product(x: Variable, y: Any, name: str, api: str, fits: bool) -> Variable:
    """A matrix of a Program times what has as many rows as that has columns."""
    if not isinstance(y, Variable):
        raise invalid_argument(name, "a Variable", y, api)
    if len(x.shape) != 2 or not fits or y.shape[0] != x.shape[1]:
        raise invalid_argument(name, f"{x.shape[-1]} rows, as x has columns ({list(x.shape)})", list(y.shape), api)
    if dtype_name(x.dtype) != dtype_name(y.dtype):
        raise invalid_argument(name, f"{dtype_name(x.dtype)}, as x", dtype_name(y.dtype), api)
    found: Variable = recorded("sparse_matmul", x, y)
    return found


def _product(a: SparseTensor, b: SparseTensor) -> Any:
    """A sparse matrix times another one of the same layout."""
    if a._what != b._what:
        raise _of_another_layout(a, b, "matmul")
    if len(a._shape) != 2 or len(b._shape) != 2 or a._shape[1] != b._shape[0]:
        raise invalid_argument("y", f"a matrix of {a._shape[-1]} rows, as x has columns ({a.shape})", b.shape, "matmul")
    (rows, inner), (also, cols) = _layouts.indices_of(a), _layouts.indices_of(b)
    shape = (a._shape[0], b._shape[1])
    left, right = (rows, inner, _layouts.values_of(a)), (also, cols, _layouts.values_of(b))
    indices, values = ops.times_sparse(left, right, (a._shape[0], a._shape[1], b._shape[1]))
    return _layouts.as_layout_of(a, indices, values, shape)


def masked_matmul(x: Any, y: Any, mask: Any, name: str | None = None) -> Any:
    """The product of two dense matrices, of which only the elements at the places of a sparse one are worked out.

    Args:
        x (Tensor): dense, [..., N, M].
        y (Tensor): dense, [..., M, K].
        mask (Tensor): sparse, [..., N, K]; its values do not matter.
        name (str): has no effect.
    Returns:
        Tensor: sparse, of the layout of mask.
    Raises:
        NotImplementedError: x or y is not dense, or mask not sparse.
        ValueError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> mask = paddle.sparse.sparse_csr_tensor([0, 1, 2], [1, 0], [1.0, 1.0], [2, 2])
        >>> paddle.sparse.masked_matmul(paddle.ones([2, 3]), paddle.ones([3, 2]), mask).values().tolist()
        [3.0, 3.0]

    Follows Paddle 2.6, which has it on GPUs, for masks of the layout CSR.
    """
    api = "masked_matmul"
    where = sparse(mask, "mask", api)
    a, b = dense(x, "x", api), dense(y, "y", api)
    rank = len(where._shape)
    fits = a.ndim == b.ndim == rank and a.shape[-1] == b.shape[-2] and a.shape[:-1] == where.shape[:-1]
    if not fits or b.shape[-1] != where._shape[-1] or b.shape[:-2] != where.shape[:-2]:
        raise invalid_argument("mask", f"the shape of the product of {a.shape} and {b.shape}", where.shape, api)
    rows, cols = _matrices(where, api)
    if rank == 3:
        cols = cols + rows.div(where._shape[1], rounding_mode="floor") * where._shape[2]
    columns = b._t.transpose(-1, -2).reshape(-1, b.shape[-2])
    values = ops.dots(rows, cols, a._t.reshape(-1, a.shape[-1]), columns.t())
    return where._like(wrapped(values))


def mv(x: Any, vec: Any, name: str | None = None) -> Any:
    """The product of a sparse matrix and a vector.

    Args:
        x (Tensor): sparse, [N, M].
        vec (Tensor): dense, [M].
        name (str): has no effect.
    Returns:
        Tensor: dense, [N].
    Raises:
        NotImplementedError: x is not sparse.
        ValueError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_csr_tensor([0, 1, 3], [1, 0, 1], [1.0, 2.0, 3.0], [2, 2])
        >>> paddle.sparse.mv(x, paddle.ones([2])).tolist()
        [1.0, 5.0]

    Follows Paddle 2.6, which has it on GPUs only.
    """
    if in_program(x):
        return _recorded_product(x, vec, "vec", "mv", len(vec.shape) == 1 and not in_program(vec))
    a, v = sparse(x, "x", "mv"), dense(vec, "vec", "mv")
    if len(a._shape) != 2 or v.shape != [a._shape[1]]:
        raise invalid_argument("vec", f"as many elements as x has columns ({a.shape})", v.shape, "mv")
    rows, cols = _matrices(a, "mv")
    return wrapped(ops.times_dense(rows, cols, _layouts.values_of(a), v._t, a._shape[0]))


def mask_as(x: Any, mask: Any, name: str | None = None) -> Any:
    """Of a dense Tensor the elements at the places of a sparse one.

    Args:
        x (Tensor): dense.
        mask (Tensor): sparse, of the same shape; its values do not matter.
        name (str): has no effect.
    Returns:
        Tensor: sparse, of the layout of mask.
    Raises:
        NotImplementedError: x is not dense, or mask not sparse.
        ValueError: they have different shapes.

    Example:
        >>> import paddle_compat as paddle
        >>> mask = paddle.sparse.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 1.0], [2, 2])
        >>> paddle.sparse.mask_as(paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), mask).values().tolist()
        [2.0, 3.0]

    Follows Paddle 3.3.
    """
    where, value = sparse(mask, "mask", "mask_as"), dense(x, "x", "mask_as")
    if value.shape != where.shape:
        raise invalid_argument("x", f"the shape of mask, {where.shape}", value.shape, "mask_as")
    return where._like(wrapped(value._t[tuple(_layouts.indices_of(where).long())]))


__all__ = ["add", "divide", "is_same_shape", "mask_as", "masked_matmul", "matmul", "multiply", "mv", "subtract"]

__getattr__ = missing(__name__)
