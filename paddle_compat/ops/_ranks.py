"""Who meets in a collective operator, and how a tensor goes round, with a derivative that goes round as well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import distributed as dist

from paddle_compat.core.errors import InvalidArgumentError, UnsupportedError, invalid_argument
from paddle_compat.core.rings import Ring, calls_are_compared, ring_of

Tensor = torch.Tensor
Trip = Callable[[Ring, Tensor], Tensor]

SUM, MAX, MIN, PROD = "SUM", "MAX", "MIN", "PRODUCT"  # the names of torch.distributed.ReduceOp
_KINDS: dict[str, Callable[[Tensor], Tensor]] = {  # of the tensors of all ranks, stacked
    SUM: lambda all_: all_.sum(0, dtype=all_.dtype),
    MAX: lambda all_: all_.amax(0),
    MIN: lambda all_: all_.amin(0),
    PROD: lambda all_: all_.prod(0, dtype=all_.dtype),
}


class _Travelled(torch.autograd.Function):
    """A tensor that went round; its gradient goes another way round."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, ring: Ring, there: Trip, back: Trip) -> Tensor:
        ctx.ring, ctx.back = ring, back  # the backward pass may run in another thread
        out = there(ring, x)
        return out.view_as(out)  # a tensor of this rank's own: `there` may give the one that went in, or one to all ranks of a process

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        return ctx.back(ctx.ring, grad), None, None, None


def travel(x: Tensor, ring_id: int, there: Trip, back: Trip | None = None) -> Tensor:
    """`there(ring, x)`, whose gradient is `back(ring, gradient)`; without `back` it has none."""
    ring = ring_of(ring_id)
    if back is not None and x.requires_grad and torch.is_grad_enabled():
        out: Tensor = _Travelled.apply(x, ring, there, back)
        return out
    return there(ring, x.detach())


def group_of(ring: Ring, type_: str) -> Any:
    """The process group of a ring that somebody else is in, too.

    Raises:
        UnsupportedError: its ranks are replicas in threads, which do the same together, and nothing one to one.
    """
    if ring.group is None:
        raise UnsupportedError(f"operator {type_}", f"{ring.size} replicas in one process", "a process for each rank")
    return ring.group


def check_ranks(ring: Ring, nranks: int, type_: str) -> None:
    """Refuse an operator that was written for another number of ranks than its ring has."""
    if ring.size != nranks:
        raise InvalidArgumentError(
            f"Operator `{type_}` was written for another number of ranks. Expected nranks {ring.size}, as many as its ring has. "
            f"Received: {nranks}"
        )


def check_root(ring: Ring, root: int, type_: str) -> None:
    """Refuse a root that is no rank of the ring."""
    if not 0 <= root < ring.size:
        raise invalid_argument("root", f"a rank of the ring, from 0 to {ring.size - 1}", root, type_)


def agree(ring: Ring, type_: str, tensors: Sequence[Tensor]) -> None:
    """Refuse tensors that are not of the same shapes and types on all ranks, which gloo ends a process for; NCCL would wait for the GPU."""
    if ring.size > 1 and tensors and tensors[0].device.type == "cpu" and calls_are_compared():
        ring.compare(type_, tensors)


def agree_on_message(ring: Ring, peer: int, sends: bool, tensor: Tensor) -> None:
    """Refuse a message that is not of the shape and type that its receiver expects."""
    if tensor.device.type == "cpu" and calls_are_compared():
        ring.compare_message(peer, sends, tensor)


def own(x: Tensor) -> Tensor:
    """The values of x in memory that may be written to."""
    return x.detach().clone(memory_format=torch.contiguous_format)


def reduced(ring: Ring, x: Tensor, kind: str, type_: str) -> Tensor:
    """What all ranks' values come to."""
    if ring.size == 1:
        return x
    agree(ring, type_, [x])
    if kind == SUM:
        return ring.all_reduce([x])[0]
    if ring.group is None:
        return _KINDS[kind](torch.stack(ring.of_all(x)))
    out = own(x)
    with ring.calls():
        dist.all_reduce(out, getattr(dist.ReduceOp, kind), group_of(ring, type_))
    return out


def reduced_at(ring: Ring, x: Tensor, root: int, kind: str, type_: str) -> Tensor:
    """What all ranks' values come to, at the root; the others keep theirs."""
    check_root(ring, root, type_)
    if ring.size == 1:
        return x
    if ring.group is None:
        total = reduced(ring, x, kind, type_)
        return total if ring.rank == root else x
    agree(ring, type_, [x])
    out = own(x)
    with ring.calls():
        dist.reduce(out, op=getattr(dist.ReduceOp, kind), group=group_of(ring, type_), group_dst=root)
    return out if ring.rank == root else x


def sent_by(ring: Ring, x: Tensor, root: int, type_: str) -> Tensor:
    """The root's values."""
    check_root(ring, root, type_)
    if ring.size == 1:
        return x
    if ring.group is None:
        return ring.of_all(x)[root]
    out = own(x)
    agree(ring, type_, [out])
    with ring.calls():
        dist.broadcast(out, group=group_of(ring, type_), group_src=root)
    return out


def of_all(ring: Ring, x: Tensor, type_: str) -> list[Tensor]:
    """All ranks' values, in the order of the ranks."""
    if ring.size == 1:
        return [x]
    x = x.detach().contiguous()
    if ring.group is None:
        return ring.of_all(x)
    agree(ring, type_, [x])
    parts = [torch.empty_like(x) for _ in range(ring.size)]
    with ring.calls():
        dist.all_gather(parts, x, group_of(ring, type_))
    return parts


def start_of(ring: Ring, rank: int, count: int, device: torch.device, type_: str) -> int:
    """Where this rank's numbers begin, of which each rank has some; those of the ranks before it come first."""
    return sum(int(each) for each in of_all(ring, torch.tensor([count], device=device), type_)[:rank])


def gathered(ring: Ring, x: Tensor, type_: str, axis: int = 0) -> Tensor:
    """All ranks' values behind one another along an axis."""
    parts = of_all(ring, x, type_)
    return torch.cat(parts, axis) if len(parts) > 1 else x


def part_of(ring: Ring, x: Tensor, axis: int = 0) -> Tensor:
    """This rank's equal part of x along an axis."""
    size = x.shape[axis] // ring.size
    return x.narrow(axis, ring.rank * size, size)


def summed_part(ring: Ring, x: Tensor, type_: str) -> Tensor:
    """This rank's part of the sum: its rows of the first dimension."""
    return x if ring.size == 1 else part_of(ring, reduced(ring, x, SUM, type_)).clone()
