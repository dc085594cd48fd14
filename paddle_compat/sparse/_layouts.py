"""From one layout to another: dense, coordinates, rows."""

from __future__ import annotations

import math
from typing import Any

import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.grad_mode import without_history
from paddle_compat.core.sparse import SparseCooTensor, SparseCsrTensor, SparseTensor, coo, csr
from paddle_compat.core.tensor import Tensor, wrapped
from paddle_compat.ops import sparse as ops


def indices_of(x: SparseTensor) -> torch.Tensor:
    """The coordinates of the values, whatever the layout."""
    if isinstance(x, SparseCooTensor):
        return x._indices.reshape(len(x._shape) - _dense_rank(x), -1)
    assert isinstance(x, SparseCsrTensor)
    return torch.cat([ops.rows_of(x._crows, x._shape).to(x._cols.dtype), x._cols[None]])


def _dense_rank(x: SparseCooTensor) -> int:
    return max(x._values.ndim - 1, 0)


def values_of(x: SparseTensor) -> torch.Tensor:
    """The values, one after the other: the sum of all elements has one, without a dimension."""
    value = x._values._t
    return value if value.dim() else value.reshape(1)


def sparse_sizes(x: SparseTensor) -> list[int]:
    """The sizes that coordinates speak of."""
    return list(x._shape[: len(x._shape) - max(x._values.ndim - 1, 0)])


def as_rows(indices: torch.Tensor, values: torch.Tensor, shape: Any, like: SparseTensor | None = None) -> SparseCsrTensor:
    """A sparse Tensor of coordinates, in rows."""
    crows, cols, order = ops.cut(indices, shape)
    return csr(crows, cols, wrapped(values[order]), shape)


def as_layout_of(like: SparseTensor, indices: torch.Tensor, values: torch.Tensor, shape: Any, coalesced: bool = False) -> Any:
    """A sparse Tensor of the layout of another one."""
    if isinstance(like, SparseCsrTensor):
        return as_rows(indices, values, shape)
    return coo(indices, wrapped(without_history(values)), shape, coalesced)


def _cut_off(x: SparseTensor, values: torch.Tensor) -> torch.Tensor:
    """Values that no gradient passes, and that begin a history of their own where x takes part in one: as in the wheel."""
    found = values.detach()
    return found if x.stop_gradient or not found.is_floating_point() else found.requires_grad_()


def same_places(a: SparseTensor, b: SparseTensor) -> bool:
    """Whether two sparse Tensors of one layout have values at the same places, in the same order."""
    slots = ("_indices",) if isinstance(a, SparseCooTensor) else ("_crows", "_cols")
    return all(getattr(a, n).shape == getattr(b, n).shape and bool((getattr(a, n) == getattr(b, n)).all()) for n in slots)


def taken(x: SparseTensor, other: SparseTensor) -> Tensor:
    """What another Tensor has at the places of x, 0 where it has nothing."""
    if type(x) is type(other) and same_places(x, other):
        return other._values
    joined, of_x, of_other = ops.joined(indices_of(x), indices_of(other), sparse_sizes(x))
    return wrapped(ops.added(values_of(other), of_other, joined.shape[1])[of_x].reshape(x._values.shape))


def to_dense(x: SparseTensor) -> Tensor:
    """All elements."""
    return wrapped(ops.whole(indices_of(x), values_of(x), x._shape))


def coordinates(x: Tensor, sparse_dim: int) -> SparseCooTensor:
    """Of a dense Tensor what is not 0, with its coordinates along the first dimensions."""
    if not isinstance(sparse_dim, int) or not 0 < sparse_dim <= x.ndim:
        raise invalid_argument("sparse_dim", f"an int from 1 to {x.ndim}", sparse_dim, "Tensor.to_sparse_coo")
    value = x._t
    indices = ops.found(value.detach(), sparse_dim)
    return coo(indices, wrapped(value[tuple(indices)]), value.shape, True)


def rows(x: Tensor) -> SparseCsrTensor:
    """Of a dense Tensor what is not 0, row by row. No gradient passes, as in the wheel."""
    if x.ndim not in (2, 3):
        raise invalid_argument("self", "two or three dimensions", x.shape, "Tensor.to_sparse_csr")
    value = x._t.detach()
    indices = ops.found(value, x.ndim)
    made = as_rows(indices, value[tuple(indices)], value.shape)
    made.stop_gradient = x.stop_gradient
    return made


def coo_to_rows(x: SparseCooTensor) -> SparseCsrTensor:
    """The same values row by row. No gradient passes, as in the wheel."""
    if len(x._shape) not in (2, 3) or x._values.ndim != 1:
        raise invalid_argument("self", "two or three dimensions, all with coordinates", x.shape, "Tensor.to_sparse_csr")
    return as_rows(x._indices, _cut_off(x, x._values._t), x._shape)


def csr_to_coordinates(x: SparseCsrTensor) -> SparseCooTensor:
    """The same values with coordinates."""
    values = without_history(x._values._t)
    return coo(indices_of(x), x._values if values is x._values._t else wrapped(values), x._shape, True)


def coalesce(x: SparseCooTensor) -> SparseCooTensor:
    """Places in order, once each, with the sums of their values. No gradient passes, as in the wheel."""
    indices, values = ops.coalesced(x._indices, x._values._t.detach(), sparse_sizes(x))
    return coo(indices.to(x._indices.dtype), wrapped(values), x._shape, True)


def reshaped(x: SparseTensor, shape: list[int]) -> Any:
    """The same values where they lie in another shape."""
    numbers = ops.keys(indices_of(x), sparse_sizes(x))
    kept = len(shape) - max(x._values.ndim - 1, 0)
    if math.prod(shape[:kept]) != math.prod(sparse_sizes(x)) or tuple(shape[kept:]) != tuple(x._values.shape[1:]):
        raise invalid_argument("shape", f"that of {x.size} elements, with the dimensions of each value at its end", shape, "reshape")
    return as_layout_of(x, ops.places(numbers, shape[:kept]), values_of(x), shape)
