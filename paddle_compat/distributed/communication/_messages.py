"""Messages from one process to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.errors import PreconditionNotMetError, invalid_argument
from paddle_compat.distributed import _groups
from paddle_compat.distributed._groups import Group
from paddle_compat.distributed.communication import _static
from paddle_compat.distributed.communication._tasks import Task, check_stream, flat, guarded, number_of, put, started, value_of

_dist = torch.distributed


def _peer(rank: Any, group: Group, name: str, api: str) -> int:
    found = number_of(rank, name, group, api)
    if found == group.rank:
        raise invalid_argument(name, "another process", f"{rank}, which is this one", api)
    return found


def send(tensor: Any, dst: int, group: Group | None, sync_op: bool, use_calc_stream: bool) -> Task | None:
    """Send values to a process, which receives them."""
    if _groups.outside(group):
        return None
    check_stream(sync_op, use_calc_stream)
    if _static.records(tensor, "tensor", "send"):
        _static.send(tensor, dst, group, sync_op)
        return None
    met, value = _groups.meeting(group), value_of(tensor, "tensor", "send")
    peer, row = _peer(dst, met, "dst", "send"), flat(value)
    return started(sync_op, lambda: _dist.isend(row, group=met.process_group, group_dst=peer))


def recv(tensor: Any, src: int | None, group: Group | None, sync_op: bool, use_calc_stream: bool) -> Task | None:
    """Receive what a process sends, in place."""
    if _groups.outside(group):
        return None
    check_stream(sync_op, use_calc_stream)
    if _static.records(tensor, "tensor", "recv"):
        _static.recv(tensor, int(src or 0), group, sync_op)
        return None
    met, value = _groups.meeting(group), value_of(tensor, "tensor", "recv")
    peer, row = _peer(src, met, "src", "recv"), flat(value)
    return started(sync_op, lambda: _dist.irecv(row, group=met.process_group, group_src=peer), lambda: put(row, value))


def exchange(messages: Sequence[tuple[bool, Any, int, Group | None]]) -> list[Task]:
    """Send and receive many at once: (whether to send, the Tensor, the other process, the group)."""
    met = _groups.meeting(messages[0][3])
    ops, finishes = [], []
    for sends, tensor, peer, group in messages:
        if _groups.meeting(group) is not met:
            raise PreconditionNotMetError("All operations of batch_isend_irecv belong to one group. Received: several")
        value = value_of(tensor, "tensor", "batch_isend_irecv")
        row, other = flat(value), _peer(peer, met, "peer", "P2POp")
        ops.append(_dist.P2POp(_dist.isend if sends else _dist.irecv, row, group=met.process_group, group_peer=other))
        finishes.append(None if sends else _put_later(row, value))
    works = guarded(lambda: _dist.batch_isend_irecv(ops))
    if len(works) < len(ops):  # NCCL makes one of them

        def finish() -> None:
            for each in finishes:
                if each is not None:
                    each()

        return [Task(works, finish)]
    return [Task([work], each) for work, each in zip(works, finishes)]


def _put_later(row: torch.Tensor, value: torch.Tensor) -> Callable[[], None]:
    return lambda: put(row, value)
