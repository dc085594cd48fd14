"""`x[...]` and `x[...] = value` on Tensors.

A part that integers and slices name is a window on the same memory, as in Paddle since 2.6; a slice that goes backwards and what lists,
arrays and Tensors pick are copies. Plain indices go straight to torch, which answers them as Paddle does; everything else, and what
torch refuses, is looked at here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from paddle_compat import _alias
from paddle_compat.core import direct, eager, grad_mode, integers, written_leaves
from paddle_compat.core.errors import InvalidArgumentError, OutOfRangeError
from paddle_compat.core.open_sizes import as_size
from paddle_compat.core.shadows import history
from paddle_compat.core.tensor import Tensor, new, wrapped
from paddle_compat.ops._slices import BEFORE_FIRST, picked
from paddle_compat.tensor._in_place import shares, write_apart
from paddle_compat.tensor._shapes import size_in

# whether a mask of a Tensor's own shape writes values of that shape to their own places, as 2.6 alone does
SAME_PLACES = _alias.since("2.6") and not _alias.since("3")
_PLAIN = frozenset({int, slice, type(None), type(Ellipsis)})
_WHOLE = slice(None)
_INDICES = (torch.bool, torch.int64, torch.int32)
# what torch does not write through: windows whose history it does not follow
_WINDOWS = ("is a view", "a view of a leaf", "A view was created")


def getitem(self: Tensor, item: Any) -> Tensor:
    """The part of a Tensor that an index names."""
    if eager.unusual:
        if hasattr(self._t, "device_mesh"):
            from paddle_compat.engine import spmd_writes

            return spmd_writes.part(self, item, getitem)
        if history(self._t) is not self._t:
            return wrapped(eager.followed(lambda value: getitem(Tensor(value.view_as(value)), item)._t, self._t))
    kind = type(item)
    try:
        if kind is int:
            out = new()
            out._t = self._t[item]
            out._kind = self._kind
            return out if direct.recorded else direct.cut_off(out)
        if kind is tuple and item and _PLAIN.issuperset(map(type, item)) and item.count(...) < 2:
            part = self._t[item]
        elif kind is slice:
            if item.stop is None and item == _WHOLE and self._t.dim():
                return Tensor(self._t, self.name)
            if item.step is not None and item.step < 0:
                return _part(self, item)  # at once, as PyTorch takes its time to refuse it
            part = self._t[item]
        elif kind is Tensor and item._t.dtype in _INDICES:
            value, index = self._t, item._t
            # rows, which PyTorch finds much faster by a call of their own; on a GPU it would end the process for those below 0
            rows = value.is_cpu and index.dim() == 1 and index.dtype is torch.int64 and value.dim()
            part = torch.index_select(value, 0, index) if rows else value[index]
        else:
            return _part(self, item)
    except (IndexError, ValueError, TypeError, RuntimeError):  # of a backward slice, or of what is refused in other words
        return _part(self, item)
    return wrapped(grad_mode.without_history(part))


def getitem_of_one_dimension(self: Tensor, item: Any) -> Tensor:
    """`getitem` where what names a single element leaves a dimension (`core/ranks.py`)."""
    out = getitem(self, item)
    entries = item if type(item) is tuple else (item,)
    whole = item is Ellipsis or not entries or not self._t.dim()
    return out if whole or out._t.dim() > entries.count(None) else wrapped(out._t.unsqueeze(-1))


def _part(self: Tensor, item: Any) -> Tensor:
    """The part that any index names."""
    if item is Ellipsis or (isinstance(item, tuple) and not item):
        return Tensor(self._t, self.name)
    value, index, _ = _plain_index(self._t, item)
    try:
        return wrapped(grad_mode.without_history(value[index]))
    except (IndexError, ValueError, TypeError, RuntimeError) as error:
        raise _refusal(self._t, index, error) from error


def setitem(self: Tensor, item: Any, value: Any) -> None:
    """Overwrite the part of a Tensor that an index names, in place: whoever shares the memory sees it."""
    target = self._t
    place = history(target)
    if place.requires_grad and place.is_leaf and torch.is_grad_enabled():
        raise InvalidArgumentError(
            f"Leaf Tensor ({self.name}) that doesn't stop gradient can't use inplace strategy. Expected a Tensor with stop_gradient, "
            f"one that an operator made, or an assignment under paddle.no_grad(). Received: {self.name}"
        )
    if eager.unusual:
        if hasattr(target, "device_mesh"):
            from paddle_compat.engine import spmd_writes

            spmd_writes.assign(self, item, Tensor(torch.from_numpy(value)) if isinstance(value, np.ndarray) else value, setitem)
            return
        value = integers.written_in_part(self, item, value)
    elif isinstance(value, Tensor) and value._t.requires_grad and not (target.is_floating_point() or target.is_complex()):
        value = integers.written_in_part(self, item, value)
    given = isinstance(value, Tensor) and value._t.requires_grad
    if (given or target.requires_grad) and torch.is_grad_enabled() and (target.is_floating_point() or target.is_complex()):
        if shares(target):
            _assign_apart(self, item, value)
            return
        if not target.requires_grad:
            written_leaves.open_part(self)
            try:
                setitem(self, item, value)
            except Exception:
                written_leaves.close(self)
                raise
            return
    if 0 in target.stride():  # the same elements several times, as a gradient of a sum has them
        target = target.clone(memory_format=torch.contiguous_format)
        self._become(target)
    source = _source(target, value)
    kind = type(item)
    if kind is int or kind is slice or (kind is tuple and _PLAIN.issuperset(map(type, item)) and item.count(...) < 2):
        try:
            target[item] = source
        except (IndexError, ValueError, TypeError, RuntimeError):
            pass  # of a backward slice, or of what is refused below in other words
        else:
            if eager.watch is not None:
                _told(self, value)
            return
    turned_value, index, turned = _plain_index(target, item, True)
    if isinstance(source, torch.Tensor):
        source = source.to(target.device, target.dtype)
        source = source.clone() if source.data_ptr() == target.data_ptr() else source
        entries = [entry for entry in index if entry is not Ellipsis]
        if len(entries) == 1:
            source = _under_a_mask(target, entries[0], source)
    try:
        if turned:
            turned_value[index] = source
            target.copy_(turned_value.flip(turned))
        else:
            target[index] = source
    except (IndexError, ValueError, TypeError, RuntimeError) as error:
        if not any(words in str(error) for words in _WINDOWS):
            raise _refusal(target, index, error, source) from error
        fresh = target.clone()
        if turned:
            turned_value[index] = source
            fresh.copy_(turned_value.flip(turned))
        else:
            fresh[index] = source
        write_apart(self, fresh)
    if eager.watch is not None:
        _told(self, value)


def _assign_apart(self: Tensor, item: Any, value: Any) -> None:
    """`setitem` where others share the memory: they see the numbers, and keep their history."""
    written = Tensor(self._t.clone())
    if not self._t.requires_grad:
        written_leaves.open_whole(self, written._t)
        written = Tensor(written._t.clone())
    setitem(written, item, value)
    write_apart(self, written._t)


def _told(written: Tensor, value: Any) -> None:
    """Show the assignment to who watches operators, by the name that Paddle's has."""
    assert eager.watch is not None
    eager.watch("set_value_with_tensor" if isinstance(value, Tensor) else "set_value", [], written._t)


def length(self: Tensor) -> int:
    """The size of the first dimension."""
    if not self._t.dim():
        raise AssertionError("len() counts the first dimension. Expected a Tensor that has one. Received: a 0-D Tensor")
    return self._t.shape[0]


def _source(target: torch.Tensor, value: Any) -> Any:
    """What is assigned, as torch takes it; a copy where it may be a window on the target itself."""
    if isinstance(value, Tensor):
        source = value._t
        if source.device != target.device:
            return source.to(target.device)
        return source.clone() if source._is_view() or source is target or target._is_view() else source
    if isinstance(value, (bool, int, float, complex)) and not (isinstance(value, complex) and not target.is_complex()):
        return value
    if isinstance(value, np.ndarray):
        return torch.from_numpy(np.ascontiguousarray(value)).to(target.device)
    raise InvalidArgumentError(
        "A value cannot be assigned to a part of a Tensor. Expected a Tensor, numpy.ndarray, integer, float, complex or bool. Received: "
        f"{type(value).__name__} ({value!r})"
    )


def _under_a_mask(target: torch.Tensor, mask: Any, source: torch.Tensor) -> torch.Tensor:
    """What goes where a mask is true that covers the whole target.

    In Paddle 2.6, of values that fit the target's shape, those in the same places; other versions take as many values as the mask
    has true elements one after another. What only one of both takes is taken.
    """
    if not isinstance(mask, torch.Tensor) or mask.dtype is not torch.bool or mask.shape != target.shape or source.numel() == 1:
        return source
    if not SAME_PLACES and source.shape[-1:].numel() == source.numel() == int(mask.sum()):
        return source
    try:
        return source.expand(target.shape)[mask]
    except RuntimeError:  # of a shape that does not fit
        return source


def _entry(index: Any) -> Any:
    """One entry of an index as torch takes it."""
    if isinstance(index, Tensor):
        index = index._t
        if index.dtype not in _INDICES:
            raise InvalidArgumentError(f"A Tensor cannot be an index. Expected int32, int64 or truth values. Received: {index.dtype}")
        if not index.dim() and index.dtype is not torch.bool:
            return as_size(index.item())
        return index if index.dtype is torch.bool else index.long()
    if isinstance(index, slice):
        bounds = index.start, index.stop, index.step
        if not all(bound is None or hasattr(bound, "__index__") for bound in bounds):
            raise InvalidArgumentError(f"A slice cannot be an index. Expected integers or None as its bounds. Received: {index}")
        return slice(*(bound if bound is None else size_in(bound) for bound in bounds))
    if isinstance(index, (list, tuple, range, np.ndarray)):
        return _picked(index)
    if isinstance(index, np.bool_):
        return bool(index)
    if index is None or index is Ellipsis or isinstance(index, bool):
        return index
    if isinstance(index, (int, np.integer, torch.SymInt)):
        return as_size(index)
    raise InvalidArgumentError(
        "A Tensor cannot be indexed so. Expected integers, slices, Ellipsis, None, truth values, and lists, arrays and Tensors of "
        f"integers or truth values. Received: {type(index).__name__} ({index!r})"
    )


def _picked(index: Any) -> torch.Tensor:
    """A list or array in an index as Tensor."""
    try:
        array = np.asarray([v.numpy() if isinstance(v, Tensor) else v for v in index] if isinstance(index, (list, tuple)) else index)
    except ValueError:  # of lists of different lengths
        array = np.empty(0, object)
    if array.dtype.kind not in "biu" and array.size or array.dtype.kind == "O":
        raise InvalidArgumentError(f"A list cannot be an index. Expected integers or truth values in it. Received: {index!r}")
    return torch.as_tensor(array if array.dtype.kind == "b" else array.astype("int64"))


def _width(entry: Any) -> int:
    """How many dimensions an entry of an index consumes."""
    if entry is None or isinstance(entry, bool):
        return 0
    return entry.dim() if isinstance(entry, torch.Tensor) and entry.dtype is torch.bool else 1


def _plain_index(value: torch.Tensor, item: Any, written: bool = False) -> tuple[torch.Tensor, tuple[Any, ...], list[int]]:
    """An index as torch takes it, and the value turned round in the dimensions that slices go through backwards."""
    entries = [_entry(entry) for entry in (item if isinstance(item, tuple) else (item,))]
    dots = [n for n, entry in enumerate(entries) if entry is Ellipsis]
    if len(dots) > 1:
        raise InvalidArgumentError(f"A Tensor cannot be indexed so. Expected one Ellipsis at most. Received: {item!r}")
    taken = sum(_width(entry) for entry in entries if entry is not Ellipsis)
    if taken > value.dim():
        kind = OutOfRangeError if any(type(entry) is int for entry in entries) else InvalidArgumentError
        raise kind(f"Too many indices for a Tensor. Expected {value.dim()} at most. Received: {taken}")
    if dots:
        entries[dots[0] : dots[0] + 1] = [_WHOLE] * (value.dim() - taken)
    turned, axis = [], 0
    for position, entry in enumerate(entries):
        if isinstance(entry, slice) and entry.step is not None and entry.step <= 0:
            if entry.step == 0:
                raise InvalidArgumentError("A slice cannot be an index. Expected a step other than 0. Received: 0")
            turned.append(axis)
            entries[position] = _turned(entry, value.shape[axis], written)
        axis += _width(entry)
    return (value.flip(turned) if turned else value), tuple(entries), turned


def _turned(entry: slice, size: int, written: bool) -> slice:
    """A backward slice, of the dimension turned round."""
    start, stop = size - 1 if entry.start is None else entry.start, BEFORE_FIRST if entry.stop is None else entry.stop
    taken = picked(size, start, stop, entry.step, written=written)
    if not taken:
        return slice(0, 0)
    first = size - 1 - taken[0]  # element i stands at size - 1 - i
    return slice(first, first + len(taken) * -entry.step, -entry.step)


def _refusal(value: torch.Tensor, index: tuple[Any, ...], error: Exception, source: Any = None) -> Exception:
    """What Paddle says of an index, or of a value for the part that it names."""
    text = str(error)
    picks = any(isinstance(entry, torch.Tensor) and entry.dtype is not torch.bool for entry in index)
    out = isinstance(error, IndexError) and not picks and "broadcast" not in text
    given = f", for a value of shape {list(source.shape)}" if isinstance(source, torch.Tensor) else ""
    shown = [f"a Tensor of shape {list(e.shape)}" if isinstance(e, torch.Tensor) else e for e in index]
    return (OutOfRangeError if out else InvalidArgumentError)(
        f"An index does not fit a Tensor of shape {list(value.shape)}{given}. Expected one within its range. Received: {shown} ({text})"
    )
