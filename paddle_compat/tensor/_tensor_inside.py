"""Members of Tensors that Paddle's own tests and tools reach for: elements by their place in memory, and memory that changes hands."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import FatalError, invalid_argument
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.tensor import Tensor


def _element(self: Tensor, *args: int) -> Tensor:
    """One element as a Tensor: the only one, that of a place among all, or that of an index."""
    value = self._t.detach()
    if not args:
        if value.numel() != 1:
            raise invalid_argument("args", "a place, as there is more than one element", args, "Tensor._getitem_from_offset")
        return Tensor(value.reshape(()).clone())
    sizes = (value.numel(),) if len(args) == 1 else tuple(value.shape)
    if len(args) != len(sizes) or not all(type(n) is int and 0 <= n < size for n, size in zip(args, sizes)):
        raise invalid_argument("args", f"an index within {list(sizes)}", args, "Tensor._getitem_from_offset")
    return Tensor(value.reshape(sizes)[args].clone())


def _become_all(self: Tensor, other: Tensor) -> None:
    """Hold what another Tensor holds, in its memory; history, flags and name stay."""
    if not isinstance(other, Tensor):
        raise invalid_argument("other", "a Tensor", other, "Tensor._inplace_assign")
    self._become(other._t.detach())
    self._changes = -self._t._version


def _held_elsewhere(self: Tensor) -> LoDTensor:
    """A copy of the values in memory that other processes can open."""
    return LoDTensor(self._t.detach().clone().share_memory_())


def _some_rows(self: Tensor) -> Tensor:
    if not self._t.is_sparse:
        raise FatalError("`Tensor._get_tensor_from_selected_rows` is for gradients of some rows. Expected one. Received: a dense Tensor")
    return Tensor(self._t._values())


def _keep_kind(self: Tensor, kind: Any) -> None:
    """Nothing: a gradient is of the kind that it comes in."""


def _fill_nothing(self: Tensor) -> None:
    """Nothing: no memory here is only said to be there."""


METHODS: dict[str, Any] = {
    "_get_tensor_from_selected_rows": _some_rows,
    "_getitem_dygraph": lambda self, index: self[index],
    "_getitem_from_offset": _element,
    "_inplace_assign": _become_all,
    "_set_grad_type": _keep_kind,
    "_set_impl": _become_all,
    "_share_memory": _held_elsewhere,
    "_unset_fake_empty": _fill_nothing,
}
if SINCE_3:
    METHODS["_holder_size"] = lambda self: self._t.untyped_storage().size()
    METHODS["_new_shared_tensor"] = lambda self: Tensor(self._t.detach())
