"""Moving a DTensor: within a mesh, or to another one, which may have other processes.

To another mesh, each process sends what it has to who needs it and has it not: the pieces are boxes of the whole, and all processes know
which process holds which. What a process has itself is not sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch.distributed.tensor import DTensor, Replicate

from paddle_compat.core.errors import EnforceNotMet
from paddle_compat.engine import processes
from paddle_compat.engine.meshes import meet
from paddle_compat.engine.spmd import Box, Layout, box, lay, spread, without_partial

_NETWORK = ("gloo", "NCCL", "Connection closed", "Connection reset", "Broken pipe", "imed out")


@contextmanager
def calls() -> Iterator[None]:
    """Operators on DTensors, whose collective calls may fail: then the process that is gone is named.

    Raises:
        UnavailableError: a process is gone.
        ExecutionTimeoutError: one does not make the call that this one waits for.
    """
    try:
        yield
    except RuntimeError as error:
        if isinstance(error, EnforceNotMet) or not any(word in str(error) for word in _NETWORK):
            raise
        with processes.watched():
            raise


def guarded(call: Callable[..., Any]) -> Callable[..., Any]:
    """What runs an operator on DTensors, with `calls` around it."""

    def run(*args: Any) -> Any:
        with calls():
            return call(*args)

    return run


@contextmanager
def guarded_pass(outs: list[torch.Tensor], weights: list[torch.Tensor]) -> Iterator[list[torch.Tensor]]:
    """A backward pass, with `calls` around it."""
    with calls():
        yield weights


def whole(value: DTensor) -> torch.Tensor:
    """The values of a DTensor, in each process of its mesh, all of which call this."""
    with calls():
        return value.full_tensor()


def common(one: Box, other: Box) -> Box:
    """What two boxes share."""
    return tuple((max(a, c), max(min(b, d), max(a, c))) for (a, b), (c, d) in zip(one, other))


def part(whole: torch.Tensor, where: Box, of: Box) -> torch.Tensor:
    """A box's elements, of a tensor that has those of another box around it."""
    return whole[tuple(slice(start - base, end - base) for (start, end), (base, _) in zip(where, of))]


def boxes(mesh: Any, layout: Layout, shape: Sequence[int]) -> dict[int, Box]:
    """The part of a tensor that each process of a mesh has."""
    ranks = mesh.mesh
    return {int(ranks[tuple(place)]): box(shape, ranks.shape, place, layout) for place in torch.ones_like(ranks).nonzero().tolist()}


@dataclass
class Plan:
    """Who sends which box to whom, as one process sees it.

    Args:
        have: what each process has of the tensor.
        need: what each is to have.
        rank: this process.
    """

    have: dict[int, Box]
    need: dict[int, Box]
    rank: int

    def __post_init__(self) -> None:
        self.kept: list[Box] = []
        self.sent: list[tuple[int, Box]] = []
        self.received: list[tuple[int, Box]] = []
        holders: dict[Box, list[int]] = {}
        for rank, held in self.have.items():
            holders.setdefault(held, []).append(rank)
        for turn, (rank, wanted) in enumerate(self.need.items()):
            own = self.have.get(rank)
            if own is not None and common(own, wanted) == wanted:
                self._note(rank, rank, wanted)
                continue
            for held, ranks in holders.items():
                shared = common(held, wanted)
                if all(start < end for start, end in shared):
                    self._note(rank if rank in ranks else ranks[turn % len(ranks)], rank, shared)  # who have the same take turns

    def _note(self, source: int, target: int, what: Box) -> None:
        if source == target == self.rank:
            self.kept.append(what)
        elif source == self.rank:
            self.sent.append((target, what))
        elif target == self.rank:
            self.received.append((source, what))

    def run(self, held: torch.Tensor, out: torch.Tensor) -> None:
        """Send, receive and keep.

        Args:
            held: what this process has; where it is in neither mesh, of no elements.
            out: where what it is to have goes.
        """
        own, wanted = self.have.get(self.rank, ()), self.need.get(self.rank, ())
        for what in self.kept:
            part(out, what, wanted).copy_(part(held, what, own))
        parcels = [part(held, what, own).contiguous() for _, what in self.sent]
        arriving = [torch.empty_like(part(out, what, wanted), memory_format=torch.contiguous_format) for _, what in self.received]
        dist = torch.distributed
        works = [dist.P2POp(dist.isend, parcel, target) for (target, _), parcel in zip(self.sent, parcels)]
        works += [dist.P2POp(dist.irecv, parcel, source) for (source, _), parcel in zip(self.received, arriving)]
        if works:
            with processes.watched():
                for work in dist.batch_isend_irecv(works):
                    work.wait()
        for (_, what), parcel in zip(self.received, arriving):
            part(out, what, wanted).copy_(parcel)


def cut(value: torch.Tensor, mesh: Any, layout: Layout) -> DTensor:
    """The DTensor of what all processes hold alike; of a sum's parts, the first process has all, and the others nothing."""
    place = mesh.get_coordinate()
    held = value.new_empty(0)
    if place is not None:
        held = part(value, box(value.shape, mesh.mesh.shape, place, layout), tuple((0, size) for size in value.shape))
        held = alone(held.clone(memory_format=torch.contiguous_format), place, layout)
    return spread(held, mesh, layout, value.shape)


def alone(value: torch.Tensor, place: Sequence[int], layout: Layout) -> torch.Tensor:
    """What a process has of values that lie whole along the partial dimensions."""
    nothing = any(index and placement.is_partial("sum") for index, placement in zip(place, layout))
    return value.zero_() if nothing else value


def moved(value: DTensor, mesh: Any, layout: Layout) -> DTensor:
    """The DTensor on a mesh, in a layout there; all processes of both meshes call it. Gradients go back the same way."""
    layout = tuple(layout)
    with calls():
        if value.device_mesh != mesh or mesh.get_coordinate() is None or any(_fresh(value, layout)) or _exchanged(value, layout):
            return _Move.apply(value, mesh, layout)
        return lay(value, layout)


def _fresh(value: DTensor, layout: Layout) -> list[bool]:
    """Along which dimensions of its mesh a tensor is to become partial, which torch does not do."""
    return [new.is_partial() and new != old for old, new in zip(value.placements, layout)]


def _exchanged(value: DTensor, layout: Layout) -> bool:
    """Whether pieces along one dimension become pieces along another: over gloo, torch gathers the whole for that."""
    pairs = list(zip(value.placements, layout))
    plain = not any(placement.is_partial() for pair in pairs for placement in pair)
    return plain and value.device.type == "cpu" and any(old.is_shard() and new.is_shard() and old != new for old, new in pairs)


class _Move(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, value: DTensor, mesh: Any, layout: Layout) -> DTensor:
        ctx.mesh, ctx.layout = value.device_mesh, tuple(value.placements)
        detached: Any = value.detach()
        return _move(detached, mesh, layout)

    @staticmethod
    def backward(ctx: Any, gradient: DTensor) -> tuple[DTensor, None, None]:
        with calls():
            return _move(gradient, ctx.mesh, without_partial(ctx.layout)), None, None


def _move(value: DTensor, mesh: Any, layout: Layout) -> DTensor:
    if value.device_mesh != mesh:
        meet(value.device_mesh)
        meet(mesh)
        return _sent(lay(value, without_partial(value.placements)), mesh, layout)
    place, fresh = mesh.get_coordinate(), _fresh(value, layout)
    if place is None:
        return spread(value.to_local(), mesh, layout, value.shape)
    laid = without_partial(layout, fresh)
    value = _sent(value, mesh, laid) if _exchanged(value, laid) else lay(value, laid)
    if not any(fresh):
        return value
    held = value.to_local().clone()
    return spread(alone(held, place, [new if is_new else Replicate() for new, is_new in zip(layout, fresh)]), mesh, layout, value.shape)


def _sent(value: DTensor, mesh: Any, layout: Layout) -> DTensor:
    """A DTensor without partial placements, sent to a mesh."""
    place, rank = mesh.get_coordinate(), torch.distributed.get_rank()
    plan = Plan(boxes(value.device_mesh, value.placements, value.shape), boxes(mesh, layout, value.shape), rank)
    held = value.to_local()
    out = held.new_empty([0] if place is None else [end - start for start, end in plan.need[rank]])
    plan.run(held, out)
    return spread(out if place is None else alone(out, place, layout), mesh, layout, value.shape)


__all__ = [
    "alone", "box", "calls", "common", "cut", "guarded", "guarded_pass", "moved", "part", "whole",
]  # fmt: skip
