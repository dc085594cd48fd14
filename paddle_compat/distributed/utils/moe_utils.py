"""`paddle.distributed.utils.moe_utils`: rows that travel to the processes that have their experts, and back."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Op
from paddle_compat.core.variable import Variable
from paddle_compat.distributed import _groups
from paddle_compat.distributed._groups import Group
from paddle_compat.distributed.communication._agreement import agreed, said
from paddle_compat.distributed.communication._tasks import guarded, value_of
from paddle_compat.ops import collective_experts
from paddle_compat.tensor._calls import check

_ROWS = ("float16", "float32", "float64", "int32", "int64")


def global_scatter(x: Any, local_count: Any, global_count: Any, group: Group | None = None, use_calc_stream: bool = True) -> Any:
    """Send rows to the processes that have their experts. Every process has as many experts as the others.

    Args:
        x (Tensor): rows of two dimensions: those for the experts of process 0, expert by expert, then those for process 1, and so on.
        local_count (Tensor): int64, how many rows there are for each expert, in that order.
        global_count (Tensor): int64, how many rows come: from process 0 for each expert of this one, then from process 1, and so on.
        group (Group): who meets; None: all processes of the job.
        use_calc_stream (bool): kept; the rows are there when the call returns.
    Returns:
        Tensor: what came, expert by expert, of each the rows of process 0 first. None where this process is none of the group's.
    Raises:
        TypeError: a data type is another one.
        ValueError: rows and counts, or the processes' counts, do not fit together.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.utils.moe_utils import global_scatter
        >>> if paddle.distributed.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     rank, count = paddle.distributed.get_rank(), paddle.to_tensor([2, 1])
        ...     came = global_scatter(paddle.to_tensor([[0.0], [1.0], [2.0]]) + 10.0 * rank, count, count[rank].tile([2]))
        ...     assert came.tolist() == [[[0.0], [1.0], [10.0], [11.0]], [[2.0], [12.0]]][rank]

    Follows Paddle 2.6.
    """
    return _travelled(collective_experts.global_scatter, x, local_count, global_count, group, use_calc_stream)


def global_gather(x: Any, local_count: Any, global_count: Any, group: Group | None = None, use_calc_stream: bool = True) -> Any:
    """Send rows back that `global_scatter` has sent, by the same counts.

    Args:
        x (Tensor): rows of two dimensions, in the order of what `global_scatter` gives.
        local_count (Tensor): int64, how many rows this process has sent to each expert.
        global_count (Tensor): int64, how many rows came to this process's experts.
        group (Group): who meets; None: all processes of the job.
        use_calc_stream (bool): kept; the rows are there when the call returns.
    Returns:
        Tensor: rows in the order in which `global_scatter` takes them. None where this process is none of the group's.
    Raises:
        TypeError: a data type is another one.
        ValueError: rows and counts, or the processes' counts, do not fit together.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.utils.moe_utils import global_gather, global_scatter
        >>> x, count = paddle.to_tensor([[1.0], [2.0], [3.0]]), paddle.to_tensor([1, 2])  # two experts, in one process
        >>> global_gather(global_scatter(x, count, count) * 10.0, count, count).tolist()
        [[10.0], [20.0], [30.0]]

    Follows Paddle 2.6.
    """
    return _travelled(collective_experts.global_gather, x, local_count, global_count, group, use_calc_stream)


def _travelled(operator: Op, x: Any, local_count: Any, global_count: Any, group: Group | None, use_calc_stream: bool) -> Any:
    api = operator.type
    if _groups.outside(group):
        return None
    check(x, "x", api, _ROWS)
    check(local_count, "local_count", api, ("int64",))
    check(global_count, "global_count", api, ("int64",))
    met = _groups.by_number(0) if group is None else group
    if met is not None and met.is_member() and not isinstance(x, Variable):
        rows = value_of(x, "x", api)
        _check_counts(met, rows, value_of(local_count, "local_count", api), value_of(global_count, "global_count", api), api)
    return operator(x, local_count, global_count, ring_id=0 if group is None else group.id, use_calc_stream=use_calc_stream)


def _check_counts(met: Group, x: torch.Tensor, local: torch.Tensor, here: torch.Tensor, api: str) -> None:
    """Let all processes raise alike where rows would not come as one of them says."""
    if not agreed(met, said(api, local, (str(x.dtype), list(x.shape[1:])))):
        return
    own = torch.cat([local.reshape(-1), here.reshape(-1), local.new_tensor([len(x)])]) if local.numel() == here.numel() else -local
    every = [torch.empty(2 * local.numel() + 1, dtype=torch.int64) for _ in range(met.nranks)]
    own = torch.nn.functional.pad(own, (0, 2 * local.numel() + 1 - own.numel()), value=-1)
    guarded(lambda: torch.distributed.all_gather(every, own, met.process_group))
    size = local.numel()
    sent, came = (torch.stack([each[place : place + size] for each in every]) for place in (0, size))
    experts = size // met.nranks
    if size % met.nranks == 0 and torch.equal(
        sent.view(met.nranks, met.nranks, experts).transpose(0, 1), came.view(-1, met.nranks, experts)
    ):
        counts = sent if api == "global_scatter" else came
        if all(int(each[-1]) == int(count) for each, count in zip(every, counts.sum(1))):
            return
    shown = "; ".join(f"process {rank}: {each.tolist()}" for rank, each in zip(met.ranks, every))
    raise invalid_argument("local_count, global_count", "counts of what processes send and get that fit together, and as many rows of x",
                           f"(counts sent, counts got, rows) {shown}", api)  # fmt: skip


__getattr__ = missing(__name__)
