"""What sparse Tensors can do: the methods of Tensors that have a meaning for them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import torch

from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.sparse import SparseCooTensor, SparseCsrTensor, SparseTensor, coo, csr, refused
from paddle_compat.core.tensor import Tensor, wrapped
from paddle_compat.sparse import _layouts
from paddle_compat.tensor import to_string

# the functions of `paddle.sparse`, which load when they are first called
functions: Any = import_module("paddle_compat.sparse")


def _shown(self: SparseTensor) -> str:
    """What `print` shows."""
    head = f"shape={list(self.shape)}, dtype=paddle.{dtype_name(self.dtype)}, place={self.place}, stop_gradient={self.stop_gradient}"
    names = ("indices",) if isinstance(self, SparseCooTensor) else ("crows", "cols")
    lines = [f"{name}={to_string.body(getattr(self, name)(), 8 + len(name))}" for name in names]
    lines.append(f"values={to_string.body(self._values, 14)}")
    return f"Tensor({head}, \n       " + ", \n       ".join(lines) + ")"


def to_dense(self: SparseTensor) -> Tensor:
    """All elements.

    Returns:
        Tensor: dense.
    """
    return _layouts.to_dense(self)


def to_sparse_coo(self: SparseTensor, sparse_dim: int) -> Any:
    """The same values with coordinates.

    Args:
        sparse_dim (int): has no effect.
    Returns:
        Tensor: of the layout COO.
    """
    return _layouts.csr_to_coordinates(self) if isinstance(self, SparseCsrTensor) else self


def to_sparse_csr(self: SparseTensor) -> Any:
    """The same values row by row; no gradient passes.

    Returns:
        Tensor: of the layout CSR.
    """
    return _layouts.coo_to_rows(self) if isinstance(self, SparseCooTensor) else self


def coalesce(self: SparseTensor, name: str | None = None) -> Any:
    """Places in order, once each, with the sums of their values; no gradient passes.

    Args:
        name (str): has no effect.
    Returns:
        Tensor: of the layout COO.
    """
    return functions.coalesce(self)


def is_same_shape(self: SparseTensor, y: Tensor) -> bool:
    """Whether another Tensor has the same shape.

    Args:
        y (Tensor): dense or sparse.
    Returns:
        bool.
    """
    return functions.is_same_shape(self, y)


def numel(self: SparseTensor, name: str | None = None) -> Tensor:
    """The number of elements, also of those that are not there.

    Args:
        name (str): has no effect.
    Returns:
        Tensor: int64, without dimensions.
    """
    return wrapped(torch.tensor(self.size))


def clone(self: SparseTensor) -> Any:
    """A copy that gradients pass through.

    Returns:
        Tensor.
    """
    return self._like(wrapped(self._values._t.clone()))


def set_value(self: SparseTensor, value: SparseTensor) -> None:
    """Take over another Tensor's values, and where they are.

    Args:
        value (Tensor): sparse, of the same layout and shape.
    Raises:
        AssertionError: it is not.
    """
    if type(value) is not type(self) or value.shape != self.shape:
        raise failed_assertion("value", f"a {self._what} Tensor of shape {self.shape}", value, "Tensor.set_value")
    values = value._values.detach()
    values.stop_gradient = self.stop_gradient
    self._values = values
    for slot in ("_indices", "_coalesced") if isinstance(self, SparseCooTensor) else ("_crows", "_cols"):
        setattr(self, slot, getattr(value, slot))


def copy_(self: SparseTensor, other: SparseTensor, blocking: bool = True) -> Any:
    """`set_value`, which gives the Tensor back.

    Args:
        other (Tensor): sparse, of the same layout and shape.
        blocking (bool): has no effect.
    Returns:
        Tensor: itself.
    """
    set_value(self, other)
    return self


def _moved(self: SparseTensor, *args: Any, **kwargs: Any) -> Any:
    """The same Tensor elsewhere."""
    values: Any = self._values
    moved = values.to(*args, **kwargs)
    if moved._t.device == values._t.device:
        return self._like(moved)
    device = moved._t.device
    if isinstance(self, SparseCooTensor):
        return coo(self._indices.to(device), moved, self._shape, self._coalesced)
    assert isinstance(self, SparseCsrTensor)
    return csr(self._crows.to(device), self._cols.to(device), moved, self._shape)


def cpu(self: SparseTensor) -> Any:
    """The Tensor in the machine's memory.

    Returns:
        Tensor: itself, where it is there already.
    """
    return self if self._values._t.is_cpu else _moved(self, "cpu")


def cuda(self: SparseTensor, device_id: Any = None, blocking: bool = False) -> Any:
    """The Tensor in a GPU's memory.

    Args:
        device_id (int): which GPU; None: the current one.
        blocking (bool): has no effect.
    Returns:
        Tensor.
    """
    values: Any = self._values
    return _moved(self, values.cuda(device_id, blocking).place)


def _refusing(name: str, kind: str) -> Any:
    def method(self: SparseTensor) -> Any:
        raise refused(name, kind, self)

    method.__name__ = method.__qualname__ = name
    return method


def _unpickled(kind: str, places: tuple[torch.Tensor, ...], values: Tensor, shape: tuple[int, ...]) -> Any:
    """What the pickle of a sparse Tensor holds."""
    if kind == "COO":
        return coo(places[0], values, shape)
    return csr(places[0], places[1], values, shape)


def _pickled(self: SparseTensor, protocol: Any) -> Any:
    places = (self._indices,) if isinstance(self, SparseCooTensor) else (self._crows, self._cols)  # type: ignore[attr-defined]
    return _unpickled, (self._what, places, self._values, self._shape)


METHODS: dict[str, Any] = {
    "__repr__": _shown,
    "__str__": _shown,
    "__reduce_ex__": _pickled,
    "clone": clone,
    "coalesce": coalesce,
    "contiguous": lambda self: self,
    "copy_": copy_,
    "cpu": cpu,
    "cuda": cuda,
    "dense_dim": lambda self: max(self._values.ndim - 1, 0),
    "dim": lambda self: self.ndim,
    "element_size": lambda self: self._values.element_size(),
    "get_tensor": lambda self: None,
    "inplace_version": property(lambda self: self._values.inplace_version, doc="How often its values were changed in place."),
    "is_complex": lambda self: self._values.is_complex(),
    "is_contiguous": lambda self: True,
    "is_floating_point": lambda self: self._values.is_floating_point(),
    "is_same_shape": is_same_shape,
    "ndimension": lambda self: self.ndim,
    "numel": numel,
    "rank": lambda self: wrapped(torch.tensor(self.ndim, dtype=torch.int32)),
    "rows": _refusing("rows", "gradient of some rows, no sparse"),
    "set_value": set_value,
    "sparse_dim": lambda self: self.ndim - max(self._values.ndim - 1, 0),
    "to": _moved,
    "to_dense": to_dense,
    "to_sparse_coo": to_sparse_coo,
    "to_sparse_csr": to_sparse_csr,
    "_is_initialized": lambda self: True,
    "_taken": _layouts.taken,
}


def install() -> None:
    """Give sparse Tensors their methods."""
    for name, method in METHODS.items():
        setattr(SparseTensor, name, method)
    for name in ("crows", "cols"):
        setattr(SparseCooTensor, name, _refusing(name, "CSR"))
    setattr(SparseCsrTensor, "indices", _refusing("indices", "COO"))  # noqa: B010
