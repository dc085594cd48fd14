"""`x[...]` and `x[...] = value` on Tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from paddle_compat.core.tensor import Tensor


def _plain(index: Any) -> Any:
    """One entry of an index as torch takes it."""
    if isinstance(index, Tensor):
        return index._t if index._t.dtype is torch.bool else index._t.long()
    if isinstance(index, slice):
        return slice(*(int(v) if isinstance(v, (Tensor, np.integer)) else v for v in (index.start, index.stop, index.step)))
    if isinstance(index, (list, np.ndarray)):
        array = np.asarray([v.numpy() if isinstance(v, Tensor) else v for v in index] if isinstance(index, list) else index)
        return torch.as_tensor(array.astype("int64") if array.dtype.kind in "iu" or not array.size else array)
    return int(index) if isinstance(index, np.integer) else index


def _width(entry: Any) -> int:
    """How many dimensions an entry of an index consumes."""
    if entry is None or isinstance(entry, bool):
        return 0
    return entry.dim() if isinstance(entry, torch.Tensor) and entry.dtype is torch.bool else 1


def plain_index(value: torch.Tensor, item: Any) -> tuple[torch.Tensor, tuple[Any, ...], list[int]]:
    """An index as torch takes it, and the value turned round in the dimensions that steps go through backwards."""
    entries = [_plain(entry) for entry in (item if isinstance(item, tuple) else (item,))]
    if any(entry is Ellipsis for entry in entries):
        at = next(n for n, entry in enumerate(entries) if entry is Ellipsis)
        rest = value.dim() - sum(_width(entry) for entry in entries if entry is not Ellipsis)
        entries[at : at + 1] = [slice(None)] * rest
    turned, axis = [], 0
    for position, entry in enumerate(entries):
        if isinstance(entry, slice) and entry.step is not None and entry.step < 0:
            size = value.shape[axis]
            picked = range(*entry.indices(size))
            turned.append(axis)
            # in the turned dimension, element i stands at size - 1 - i
            start = size - 1 - picked[0] if len(picked) else 0
            entries[position] = slice(start, start + len(picked) * -entry.step if len(picked) else 0, -entry.step)
        axis += _width(entry)
    return (value.flip(turned) if turned else value), tuple(entries), turned


def getitem(self: Tensor, item: Any) -> Tensor:
    """The part of a Tensor that an index names."""
    value, index, _ = plain_index(self._t, item)
    return Tensor(value[index])


def setitem(self: Tensor, item: Any, value: Any) -> None:
    """Overwrite the part of a Tensor that an index names."""
    source = value._t if isinstance(value, Tensor) else torch.as_tensor(np.asarray(value))
    source = source.to(self._t.dtype)
    target, index, turned = plain_index(self._t.clone(), item)
    target[index] = source
    self._t = target.flip(turned) if turned else target
