"""Collective calls that add up, or take the largest of, what the processes have."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.distributed import _groups
from paddle_compat.distributed._groups import Group
from paddle_compat.distributed.communication import _static
from paddle_compat.distributed.communication._agreement import said
from paddle_compat.distributed.communication._tasks import (
    Task,
    check_alike,
    check_joined,
    check_stream,
    number_of,
    put,
    started,
    value_of,
    values_of,
)  # fmt: skip

_dist = torch.distributed
_scattered = getattr(_dist, "reduce_scatter_single", None) or _dist.reduce_scatter_tensor  # its name until PyTorch 2.13


class ReduceOp:
    """What a collective call makes of the processes' values: their sum, largest, smallest, product or mean.

    Example:
        >>> import paddle_compat as paddle
        >>> op = paddle.distributed.ReduceOp
        >>> op.SUM, op.MAX, op.MIN, op.PROD, op.AVG
        (0, 1, 2, 3, 4)

    Follows Paddle 2.6, where AVG is refused; here it is the mean, as in 3.x.
    """

    SUM = 0
    MAX = 1
    MIN = 2
    PROD = 3
    AVG = 4


_KINDS = {
    ReduceOp.SUM: _dist.ReduceOp.SUM, ReduceOp.MAX: _dist.ReduceOp.MAX, ReduceOp.MIN: _dist.ReduceOp.MIN,
    ReduceOp.PROD: _dist.ReduceOp.PRODUCT, ReduceOp.AVG: _dist.ReduceOp.AVG,
}  # fmt: skip


def _kind(op: Any, value: torch.Tensor, api: str) -> Any:
    if isinstance(op, (list, dict)) or op not in _KINDS:
        raise invalid_argument("op", "ReduceOp.SUM, MAX, MIN, PROD or AVG", repr(op), api)
    if op == ReduceOp.AVG and not (value.is_floating_point() or value.is_complex()):
        raise invalid_argument("op", f"ReduceOp.SUM, MAX, MIN or PROD of {value.dtype}", "AVG", api)
    if value.is_complex() and op not in (ReduceOp.SUM, ReduceOp.AVG):
        raise invalid_argument("op", "ReduceOp.SUM or AVG of complex numbers", f"{op}", api)
    return _KINDS[op]


def _get_reduce_op(reduce_op: Any, func_name: str) -> Any:
    """How a process group names a `ReduceOp`.

    Args:
        reduce_op (int): one of ReduceOp's.
        func_name (str): the function that asks, for the error.
    Returns:
        What stands for it.
    Raises:
        ValueError: it is none.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> _ = dist.communication._get_reduce_op(dist.ReduceOp.SUM, "all_reduce")

    Follows Paddle 2.6.
    """
    if reduce_op not in _KINDS:
        raise ValueError(f"Invalid value for argument `reduce_op` of `{func_name}`. Expected one of ReduceOp's. Received: {reduce_op!r}")
    return _KINDS[reduce_op]


def _summable(value: torch.Tensor) -> torch.Tensor:
    """The elements in a row, in a data type that is added up."""
    row = value.contiguous().view(-1)
    return row.int() if row.dtype is torch.int16 else row


def all_reduce(tensor: Any, op: int, group: Group | None, sync_op: bool, use_calc_stream: bool) -> Task | None:
    """Every process gets what is made of all values, in place."""
    if _groups.outside(group):
        return None
    check_stream(sync_op, use_calc_stream)
    if _static.records(tensor, "tensor", "all_reduce"):
        _static.all_reduce(tensor, op, group, sync_op)
        return None
    met, value = _groups.meeting(group), value_of(tensor, "tensor", "all_reduce")
    kind, row = _kind(op, value, "all_reduce"), _summable(value)
    call = lambda: _dist.all_reduce(row, kind, met.process_group, async_op=True)  # noqa: E731
    return started(met, sync_op, said("all_reduce", value, op), call, lambda: put(row, value))


def reduce(tensor: Any, dst: int, op: int, group: Group | None, sync_op: bool, use_calc_stream: bool) -> Task | None:
    """One process gets what is made of all values, in place; the others keep theirs."""
    if _groups.outside(group):
        return None
    check_stream(sync_op, use_calc_stream)
    if _static.records(tensor, "tensor", "reduce"):
        _static.reduce(tensor, dst, op, group, sync_op)
        return None
    met, value = _groups.meeting(group), value_of(tensor, "tensor", "reduce")
    kind, root = _kind(op, value, "reduce"), number_of(dst, "dst", met, "reduce")
    row = _summable(value) if met.rank == root else _summable(value).clone()
    call = lambda: _dist.reduce(row, group=met.process_group, op=kind, async_op=True, group_dst=root)  # noqa: E731
    finish = (lambda: put(row, value)) if met.rank == root else None
    return started(met, sync_op, said("reduce", value, op * met.nranks + root), call, finish)


def reduce_scatter(tensor: Any, given: Any, op: int, group: Group | None, sync_op: bool, use_calc_stream: bool) -> Task | None:
    """Every process gets its part of what is made of all values; each gives a part, or a Tensor of a list, for each."""
    api = "reduce_scatter"
    if _groups.outside(group):
        return None
    check_stream(sync_op, use_calc_stream)
    if _static.records(tensor, "tensor", "reduce_scatter"):
        _static.reduce_scatter(tensor, given, op, group)
        return None
    met, value = _groups.meeting(group), value_of(tensor, "tensor", api)
    kind, row = _kind(op, value, api), _summable(value)
    if isinstance(given, (list, tuple)):
        parts = values_of(given, "tensor_list", api)
        check_alike(parts, value, met.nranks, "tensor_list", api)
        whole = torch.cat([_summable(part) for part in parts])
    else:
        whole = value_of(given, "tensor_list", api)
        check_joined(whole, value, met.nranks, "tensor_list", api)
        whole = _summable(whole)
    call = lambda: _scattered(row, whole, kind, met.process_group, async_op=True)  # noqa: E731
    return started(met, sync_op, said(api, value, op), call, lambda: put(row, value))
