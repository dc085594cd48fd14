"""`paddle.incubate.distributed.models.moe.utils`: counting the rows that experts get, on this process and on all."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor
from paddle_compat._missing import missing
from paddle_compat.distributed.communication._functions import alltoall_single
from paddle_compat.distributed.models.moe.utils import (
    _assign_pos,
    _limit_by_capacity,
    _number_count,
    _prune_gate_by_capacity,
)  # fmt: skip


def _exchanged(counts: Any, world_size: int, group: Any) -> Any:
    """Counts for the experts of all processes, handed to these: those of all processes for this one's."""
    if world_size == 1:
        return counts
    came = tensor.empty_like(counts)
    alltoall_single(counts, came, group=group)
    return came


def count_by_gate(gate: Any, num_expert: int, world_size: int, require_pos: bool = True, group: Any = None) -> Any:
    """How many rows go to each expert, and how many come.

    Args:
        gate (Tensor): int64, the expert that each row goes to; -1 for none.
        num_expert (int): how many experts each process has.
        world_size (int): how many processes have experts.
        require_pos (bool): whether to give the places, too.
        group (Group): those processes; None: all of the job.
    Returns:
        tuple: the rows' places in `gate`, expert by expert (None without `require_pos`); the counts of this process's rows for all
        experts; the counts of all processes' rows for this one's experts.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.models.moe.utils import count_by_gate
        >>> [t.tolist() for t in count_by_gate(paddle.to_tensor([1, 0, 1, -1]), 2, 1)]
        [[1, 0, 2], [1, 2], [1, 2]]

    Follows Paddle 2.6.
    """
    local = _number_count(gate, num_expert * world_size)
    places = _assign_pos(gate, tensor.cumsum(local, axis=0)) if require_pos else None
    return places, local, _exchanged(local, world_size, group)


def limit_by_capacity(topk_idx: Any, num_expert: int, world_size: int, capacity: int, group: Any = None) -> Any:
    """Let no expert get more rows than it takes: those of the first processes come first.

    Args:
        topk_idx (Tensor): int64, the experts that rows go to.
        num_expert (int): how many experts each process has.
        world_size (int): how many processes have experts.
        capacity (int): how many rows an expert takes.
        group (Group): those processes; None: all of the job.
    Returns:
        tuple: the counts of this process's rows that all experts take; those of all processes' rows that this one's experts take;
        `topk_idx` with -1 for what is not taken.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.distributed.models.moe.utils import limit_by_capacity
        >>> limit_by_capacity(paddle.to_tensor([1, 0, 1, 1]), 2, 1, 2)[2].tolist()
        [1, 0, 1, -1]

    Follows Paddle 2.6.
    """
    limit = tensor.full([num_expert], capacity, "int64")
    _, _, wanted = count_by_gate(topk_idx, num_expert, world_size, require_pos=False, group=group)
    taken = _limit_by_capacity(wanted, limit, world_size)
    mine = _exchanged(taken, world_size, group)
    return mine, taken, _prune_gate_by_capacity(topk_idx, mine, num_expert, world_size)


__getattr__ = missing(__name__)
