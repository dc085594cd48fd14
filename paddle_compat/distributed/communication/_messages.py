"""Messages from one process to another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.errors import PreconditionNotMetError, invalid_argument
from paddle_compat.distributed import _groups
from paddle_compat.distributed._groups import Group
from paddle_compat.distributed.communication import _static
from paddle_compat.distributed.communication._tasks import (
    Message,
    Task,
    check_stream,
    end_those_left,
    ended,
    flat,
    guarded,
    number_of,
    put,
    value_of,
)
from paddle_compat.engine.processes import compares, message

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
    return ended(sync_op, _begun(met, True, row, value, peer))


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
    return ended(sync_op, _begun(met, False, row, value, peer))


def _begun(group: Group, sends: bool, row: torch.Tensor, value: torch.Tensor, peer: int) -> Task:
    """The task of a message, whose data set out when both processes are known to speak of the same."""
    met, finish = group.process_group, None if sends else lambda: put(row, value)
    start = (lambda: _dist.isend(row, group=met, group_dst=peer)) if sends else (lambda: _dist.irecv(row, group=met, group_src=peer))
    if compares(met):
        return Message([], finish, message(met, peer, sends, value, start))
    return Task([guarded(start, group)], finish)


def exchange(messages: Sequence[tuple[bool, Any, int, Group | None]]) -> list[Task]:
    """Send and receive many at once: (whether to send, the Tensor, the other process, the group)."""
    met = _groups.meeting(messages[0][3])
    found = []
    for sends, tensor, peer, group in messages:
        if _groups.meeting(group) is not met:
            raise PreconditionNotMetError("All operations of batch_isend_irecv belong to one group. Received: several")
        value = value_of(tensor, "tensor", "batch_isend_irecv")
        found.append((sends, flat(value), value, _peer(peer, met, "peer", "P2POp")))
    if met.backend == "GLOO":
        end_those_left()
        return [_begun(met, *each) for each in found]
    calls = [_dist.isend if sends else _dist.irecv for sends, *_ in found]
    ops = [_dist.P2POp(call, row, group=met.process_group, group_peer=peer) for call, (_, row, _, peer) in zip(calls, found)]

    def finish() -> None:
        for sends, row, value, _ in found:
            if not sends:
                put(row, value)

    return [Task(guarded(lambda: _dist.batch_isend_irecv(ops)), finish)]
