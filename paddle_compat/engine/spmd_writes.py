"""Parts of dist tensors, and writing over dist tensors: each process does to its piece what is done to the whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch.distributed.tensor import DTensor, Replicate

from paddle_compat.core.tensor import Tensor
from paddle_compat.engine.sharding import dist_tensor, join
from paddle_compat.engine.spmd import Cut, divided, inside, lay, spread, undivided, without_partial

_PLAIN = (int, slice, type(None), type(Ellipsis))


def part(tensor: Tensor, item: Any, get: Callable[[Tensor, Any], Tensor]) -> Tensor:
    """The part of a dist tensor that an index names.

    Args:
        tensor: the Tensor.
        item: the index.
        get: gives the part of a plain one.
    """
    value: Any = tensor._t
    labels = _labels(value, item)
    own = _held(tensor, item)
    mesh = value.device_mesh

    def found(held: torch.Tensor) -> torch.Tensor:
        return get(Tensor(held), own)._t

    if labels is not None:
        return Tensor(divided(found, [value], Cut([labels[0]], [labels[1]]), mesh))
    if mesh.get_coordinate() is None and _by_values(item):
        everywhere = [Replicate()] * mesh.ndim
        out = found(inside(lay(value, everywhere), everywhere))
        return Tensor(spread(out, mesh, everywhere, out.shape))
    return Tensor(undivided(found, [value], mesh))


def assign(tensor: Tensor, item: Any, source: Any, put: Callable[[Tensor, Any, Any], None]) -> None:
    """Overwrite the part of a dist tensor that an index names; the tensor lies as before.

    Args:
        tensor: the Tensor.
        item: the index.
        source: a Tensor or a number.
        put: overwrites the part of a plain one.
    """
    value: Any = tensor._t
    own = _held(tensor, item)
    if isinstance(source, Tensor):
        join("set_value", [tensor, source])
    before, after = _labels(value, item) or ([None] * value.dim(), None)
    given: list[Any] = [value]
    labels = [before]
    if isinstance(source, Tensor):
        given.append(source._t)
        ahead = 0 if after is None else len(after) - source.ndim
        labels.append([
            None if after is None or at + ahead < 0 or size == 1 else after[at + ahead] for at, size in enumerate(source._t.shape)
        ])  # fmt: skip

    def written(held: torch.Tensor, *put_in: torch.Tensor) -> torch.Tensor:
        fresh = Tensor(held.clone())
        put(fresh, own, Tensor(put_in[0]) if put_in else source)
        return fresh._t

    made = divided(written, given, Cut(labels, [before]), value.device_mesh)
    write(tensor, made if any(placement.is_partial() for placement in value.placements) else lay(made, value.placements))


def write(tensor: Tensor, value: torch.Tensor) -> Tensor:
    """Give a Tensor another value: in its own memory, where it lies as the value does. A leaf of the gradient always keeps how it lies.

    Args:
        tensor: the Tensor; it or the value lies on a mesh.
        value: the value.
    Returns:
        tensor.
    """
    target: Any = tensor._t
    leaf = target.requires_grad and target.is_leaf
    if isinstance(target, DTensor):
        made: Any = dist_tensor(value, target.device_mesh)
        fits = target.dtype is made.dtype and target.shape == made.shape
        history = torch.is_grad_enabled() and (made.requires_grad or target.requires_grad)
        if fits and (leaf or (made.placements == target.placements and not history)):
            overwrite(target, made)
            return tensor
        value = made
    tensor._changes += 1
    tensor._become(value.detach().requires_grad_() if leaf else value)
    return tensor


def overwrite(target: Any, value: torch.Tensor) -> None:
    """Write over the memory of a DTensor, whose gradient does not see it; of partial ones the first process gets the value.

    Args:
        target: the DTensor.
        value: the value, of the same shape and type.
    """
    place = target.device_mesh.get_coordinate()
    if place is None:  # the mesh is of other processes
        return
    made = dist_tensor(value.detach(), target.device_mesh)
    piece = lay(made, without_partial(target.placements))._local_tensor
    if any(placement.is_partial() and at for placement, at in zip(target.placements, place)):
        piece = torch.zeros_like(piece)
    target._local_tensor.detach().copy_(piece)
    torch.autograd.graph.increment_version(target)


def _held(tensor: Tensor, item: Any) -> Any:
    """An index with plain Tensors in it."""
    if isinstance(item, tuple):
        return tuple(_held(tensor, one) for one in item)
    if not isinstance(item, Tensor) or not isinstance(item._t, DTensor):
        return item
    join("index", [tensor, item])
    return Tensor(item._t.full_tensor())


def _by_values(item: Any) -> bool:
    """Whether the values in an index, and not their shapes alone, say how large the part is."""
    entries = item if isinstance(item, tuple) else (item,)
    return any(isinstance(entry, Tensor) and entry._t.dtype is torch.bool for entry in entries)


@dataclass
class _Places:
    """Places along a dimension, in a tensor or a list.

    Attributes:
        rank: of the tensor, whose dimensions take that one's place.
    """

    rank: int


def _places(entry: Any) -> Any:
    """An entry of an index, and instead of places what is to be known of them."""
    if isinstance(entry, Tensor) and entry.ndim and entry._t.dtype in (torch.int32, torch.int64):
        return _Places(entry.ndim)
    return _Places(1) if isinstance(entry, list) and entry and all(type(one) is int for one in entry) else entry


def _labels(value: Any, item: Any) -> tuple[list[Any], list[Any]] | None:
    """The labels of a tensor's dimensions, and of those of the part that an index names; None: it has several tensors, or one of bools."""
    entries = [_places(entry) for entry in (item if isinstance(item, tuple) else [item])]
    if not all(isinstance(entry, (*_PLAIN, _Places)) and not isinstance(entry, bool) for entry in entries):
        return None
    listed = sum(isinstance(entry, _Places) for entry in entries)
    if listed > 1 or (listed and any(isinstance(entry, int) for entry in entries)):
        return None
    taken = sum(isinstance(entry, (int, slice, _Places)) for entry in entries)
    dots = entries.index(Ellipsis) if Ellipsis in entries else len(entries)
    if taken > value.dim() or entries.count(Ellipsis) > 1:
        return None
    entries[dots : dots + 1] = [slice(None)] * (value.dim() - taken)
    before: list[Any] = []
    after: list[Any] = []
    for entry in entries:
        if entry is None:
            after.append(None)
            continue
        size = value.shape[len(before)]
        if isinstance(entry, _Places):
            after += [None] * entry.rank
            before.append(None)
        elif isinstance(entry, slice):
            bounds = entry.start, entry.stop, entry.step
            if not all(bound is None or isinstance(bound, int) for bound in bounds):
                return None
            full = entry.step in (None, 1) and entry.start in (None, 0) and (entry.stop is None or entry.stop >= size)
            after.append(len(before) if full else None)
            before.append(after[-1])
        else:
            before.append(None)
    return before, after


__all__ = ["assign", "overwrite", "part", "write"]
