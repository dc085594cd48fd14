"""Sparse Tensors of values and places."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.grad_mode import without_history
from paddle_compat.core.sparse import SparseCsrTensor, coo, csr
from paddle_compat.core.tensor import Tensor, wrapped
from paddle_compat.core.variable import Variable
from paddle_compat.sparse._arguments import in_eager_mode, recorded
from paddle_compat.tensor.creation import to_tensor


def _numbers(value: Any, name: str, api: str) -> torch.Tensor:
    """Whole numbers that say where values are."""
    if value is None:
        raise type_error(name, "whole numbers", value, api)
    in_eager_mode(value, api)
    found = value if isinstance(value, Tensor) else to_tensor(np.asarray(value), stop_gradient=True)
    in_eager_mode(found, api)
    if found._t.dtype not in (torch.int32, torch.int64, torch.int16, torch.int8, torch.uint8):
        raise type_error(name, "whole numbers", dtype_name(found.dtype), api)
    kept = found._t.detach()
    return kept if kept.dtype in (torch.int32, torch.int64) else kept.long()


def _values(values: Any, dtype: Any, place: Any, stop_gradient: bool, api: str) -> Tensor:
    in_eager_mode(values, api)
    if not isinstance(values, Tensor):
        found = to_tensor(values, dtype, place, stop_gradient)
        in_eager_mode(found, api)
        return found
    found = values if dtype is None else values.astype(dtype)  # type: ignore[attr-defined]
    if found.stop_gradient != stop_gradient:
        found = found.detach()
        found.stop_gradient = stop_gradient
    return found


def _sizes(shape: Any, api: str) -> list[int]:
    if isinstance(shape, Tensor):
        shape = shape.tolist()
    if isinstance(shape, str) or not hasattr(shape, "__iter__"):
        raise type_error("shape", "a list or tuple of ints", shape, api)
    return [int(n) for n in shape]


def sparse_coo_tensor(
    indices: Any, values: Any, shape: Any = None, dtype: Any = None, place: Any = None, stop_gradient: bool = True
) -> Any:
    """A sparse Tensor of values with coordinates.

    Args:
        indices (Tensor|list|tuple|numpy.ndarray): whole numbers, [dimensions, nnz].
        values (Tensor|list|tuple|numpy.ndarray): [nnz, ...]; what each value has of dimensions are the last ones of the shape.
        shape (list|tuple): the dimensions; None: the smallest that have room for all.
        dtype (str): the data type of the values; None: as they are.
        place (Place): where it lives; None: the current place.
        stop_gradient (bool): whether gradients stop here.
    Returns:
        Tensor: of the layout COO.
    Raises:
        TypeError: indices are no whole numbers, or shape is no list.
        ValueError: indices, values and shape do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0, 1], [2, 0]], [1.0, 2.0], [2, 3])
        >>> x.to_dense().tolist()
        [[0.0, 0.0, 1.0], [2.0, 0.0, 0.0]]

    Follows Paddle 2.6.
    """
    api = "sparse_coo_tensor"
    if isinstance(indices, Variable) and isinstance(values, Variable):
        if shape is None:
            raise type_error("shape", "a list of sizes, in static mode", shape, api)
        return recorded("sparse_sparse_coo_tensor", values, indices, shape=_sizes(shape, api))
    where = _numbers(indices, "indices", api)
    if where.dim() != 2:
        raise invalid_argument("indices", "two dimensions", list(where.shape), api)
    held = _values(values, dtype, place, stop_gradient, api)
    rank, count = where.shape
    if held.ndim < 1:
        raise IndexError(f"Invalid value for argument `values` of `{api}`. Expected at least one dimension. Received: a number")
    if held.shape[0] != count:
        raise invalid_argument("values", f"as many as the {count} columns of indices", held.shape[0], api)
    least = [int(n) + 1 for n in where.amax(1)] if count else [0] * rank
    if shape is None:
        if not count:
            raise invalid_argument("shape", "a shape, as there are no values", shape, api)
        sizes = [*least, *held.shape[1:]]
    else:
        sizes = _sizes(shape, api)
        if len(sizes) != rank + held.ndim - 1:
            raise invalid_argument("shape", f"{rank} dimensions with coordinates and the {held.ndim - 1} of a value", sizes, api)
        if any(size < need for size, need in zip(sizes, least)):
            raise invalid_argument("shape", f"at least {least}, as indices go so far", sizes, api)
    if not stop_gradient and not held.stop_gradient:
        held = wrapped(without_history(held._t.view_as(held._t)))  # the values are its source, as in the wheel: gradients are left in those
    return coo(where.to(held._t.device), held, sizes)


def sparse_csr_tensor(
    crows: Any, cols: Any, values: Any, shape: Any = None, dtype: Any = None, place: Any = None, stop_gradient: bool = True
) -> SparseCsrTensor:
    """A sparse Tensor of values that lie row by row.

    Args:
        crows (Tensor|list|tuple|numpy.ndarray): how many values lie in front of each row, and in front of the end, [rows + 1]; of
            several matrices one after the other.
        cols (Tensor|list|tuple|numpy.ndarray): the column of each value, [nnz].
        values (Tensor|list|tuple|numpy.ndarray): [nnz].
        shape (list|tuple): two dimensions, or three for several matrices; None: the smallest matrix that has room for all.
        dtype (str): the data type of the values; None: as they are.
        place (Place): where it lives; None: the current place.
        stop_gradient (bool): whether gradients stop here.
    Returns:
        Tensor: of the layout CSR.
    Raises:
        TypeError: crows or cols are no whole numbers, or shape is no list.
        ValueError: the arguments do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_csr_tensor([0, 1, 3], [2, 0, 1], [1.0, 2.0, 3.0], [2, 3])
        >>> x.to_dense().tolist()
        [[0.0, 0.0, 1.0], [2.0, 3.0, 0.0]]

    Follows Paddle 2.6; a shape that is None is Paddle 3.3's.
    """
    api = "sparse_csr_tensor"
    starts, columns = _numbers(crows, "crows", api), _numbers(cols, "cols", api)
    held = _values(values, dtype, place, stop_gradient, api)
    sizes = _sizes([len(starts) - 1, int(columns.max()) + 1 if len(columns) else 0] if shape is None else shape, api)
    if len(sizes) not in (2, 3):
        raise invalid_argument("shape", "two or three dimensions", sizes, api)
    for name, one in (("crows", starts), ("cols", columns), ("values", held._t)):
        if one.dim() != 1:
            raise invalid_argument(name, "one dimension", list(one.shape), api)
    if len(columns) != len(held._t):
        raise invalid_argument("values", f"as many as the {len(columns)} cols", len(held._t), api)
    matrices = sizes[0] if len(sizes) == 3 else 1
    if len(starts) != matrices * (sizes[-2] + 1):
        raise invalid_argument("crows", f"{matrices} times {sizes[-2]} + 1 numbers", len(starts), api)
    if len(starts) and int(starts[0]):
        raise invalid_argument("crows", "0 as the first number", int(starts[0]), api)
    if isinstance(values, Tensor):  # whose gradients it does not leave in them, as in the wheel
        held = held.detach()
        held.stop_gradient = stop_gradient
    device = held._t.device
    return csr(starts.to(device), columns.to(device), held, sizes)


__all__ = ["sparse_coo_tensor", "sparse_csr_tensor"]

__getattr__ = missing(__name__)
