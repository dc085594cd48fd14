"""Whether all processes make the same call: where they meet by gloo, each call that waits says first what it is.

Gloo ends a process that gets more bytes than it expects, and hangs where it gets fewer. So a few numbers are exchanged before the data,
about as long as a small call takes (operators of Programs do so in `ops._ranks.agree`). `PADDLE_COMPAT_CHECK_COLLECTIVES=0`, on all
processes alike, leaves that out; calls with `sync_op=False`, messages, and NCCL are never checked (torch's
TORCH_DISTRIBUTED_DEBUG=DETAIL checks them).
"""

from __future__ import annotations

import os
from typing import Any

import torch

from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.distributed._groups import Group

_CALLS = (
    "barrier", "all_reduce", "reduce", "reduce_scatter", "broadcast", "all_gather", "gather", "scatter", "alltoall", "alltoall_single",
    "all_gather_object", "broadcast_object_list", "scatter_object_list", "global_scatter", "global_gather",
)  # fmt: skip
_TYPES = (
    torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.bfloat16, torch.float32,
    torch.float64, torch.complex64, torch.complex128,
)  # fmt: skip


def agree(group: Group, api: str, value: torch.Tensor | None = None, detail: int = 0) -> bool:
    """Wait for all processes, and compare their calls.

    Args:
        group: who meets.
        api: the call's name.
        value: what each process gives or gets, whose size and data type are the same on all; None: they need not be.
        detail: what else is the same: the operation, the process that gives or gets.
    Returns:
        bool: whether the calls were compared.
    Raises:
        InvalidArgumentError: the processes make different calls.
    """
    if group.backend != "GLOO" or os.environ.get("PADDLE_COMPAT_CHECK_COLLECTIVES") == "0":
        return False
    size, kind = (-1, -1) if value is None else (value.numel(), _TYPES.index(value.dtype) if value.dtype in _TYPES else len(_TYPES))
    own = torch.tensor([_CALLS.index(api), size, kind, detail])
    calls = [torch.empty_like(own) for _ in range(group.nranks)]
    torch.distributed.all_gather(calls, own, group.process_group)
    if any(not torch.equal(call, own) for call in calls):
        shown = "; ".join(f"process {rank} {_shown(*call.tolist())}" for rank, call in zip(group.ranks, calls))
        raise InvalidArgumentError(f"Expected the same collective call on all processes of group {group.name}. Received: {shown}")
    return True


def _shown(call: int, size: int, kind: int, detail: int) -> str:
    if size < 0:
        return f"calls {_CALLS[call]}"
    type_: Any = _TYPES[kind] if kind < len(_TYPES) else "another type"
    return f"calls {_CALLS[call]} with {size} elements of {str(type_).removeprefix('torch.')} (operation or process: {detail})"
