"""Collective calls that hand tensors on as they are: from one to all, from all to one, from all to all."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.errors import PreconditionNotMetError, failed_assertion, invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.distributed import _groups
from paddle_compat.distributed._groups import Group
from paddle_compat.distributed.communication import _static
from paddle_compat.distributed.communication._agreement import said
from paddle_compat.distributed.communication._tasks import (
    Task,
    apart,
    check_alike,
    check_joined,
    check_stream,
    flat,
    number_of,
    put,
    put_all,
    started,
    value_of,
    values_of,
)  # fmt: skip

_dist = torch.distributed


def broadcast(tensor: Any, src: int, group: Group | None, sync_op: bool, use_calc_stream: bool) -> Task | None:
    """Every process gets one's values, in place."""
    if _groups.outside(group):
        return None
    check_stream(sync_op, use_calc_stream)
    if _static.records(tensor, "tensor", "broadcast"):
        _static.broadcast(tensor, src, group, sync_op)
        return None
    met, value = _groups.meeting(group), value_of(tensor, "tensor", "broadcast")
    root, row = number_of(src, "src", met, "broadcast"), flat(value)
    call = lambda: _dist.broadcast(row, group=met.process_group, async_op=True, group_src=root)  # noqa: E731
    return started(met, sync_op, said("broadcast", value, root), call, lambda: put(row, value))


def _room(given: list[Any], model: torch.Tensor, count: int, name: str, api: str) -> list[torch.Tensor]:
    """The tensors of a list that something comes into: new ones where it is empty."""
    if not given:
        given.extend(Tensor(torch.empty_like(model, memory_format=torch.contiguous_format)) for _ in range(count))
    values = values_of(given, name, api)
    check_alike(values, model, count, name, api)
    return values


def all_gather(out: Any, tensor: Any, group: Group | None, sync_op: bool, use_calc_stream: bool) -> Task | None:
    """Every process gets the values of all, in a list or one behind the other in a Tensor."""
    api = "all_gather"
    if _static.records(tensor, "tensor", "all_gather"):
        check_stream(sync_op, use_calc_stream)
        _static.all_gather(out, tensor, group, sync_op)
        return None
    if group is not None and not _groups.meeting(group).is_member():  # which the wheel raises here alone
        raise RuntimeError(f"Only a member gathers. Received: process {_groups.job_rank()} and a group of {group.ranks}")
    check_stream(sync_op, use_calc_stream)
    met, value = _groups.meeting(group), value_of(tensor, "tensor", api)
    row = flat(value)
    if isinstance(out, list):
        places = _room(out, value, met.nranks, "tensor_list", api)
        rows = came = [flat(place) for place in places]
    else:
        whole = value_of(out, "tensor_or_tensor_list", api)
        check_joined(whole, value, met.nranks, "tensor_or_tensor_list", api)
        places, came = [whole], [flat(whole)]
        rows = _equal_parts(came[0], met.nranks)
    call = lambda: _dist.all_gather(rows, row, met.process_group, async_op=True)  # noqa: E731
    return started(met, sync_op, said(api, value), call, lambda: put_all(came, places))


def _equal_parts(row: torch.Tensor, count: int) -> list[torch.Tensor]:
    return list(row.view(count, -1).unbind()) if row.numel() else [row] * count


def gather(tensor: Any, gather_list: Any, dst: int, group: Group | None, sync_op: bool, use_calc_stream: bool) -> Task | None:
    """One process gets the values of all in a list."""
    api = "gather"
    if _groups.outside(group):
        return None
    check_stream(sync_op, use_calc_stream)
    if _static.records(tensor, "tensor", "gather"):
        raise _static.eager_alone(api)
    met, value = _groups.meeting(group), value_of(tensor, "tensor", api)
    root, row = number_of(dst, "dst", met, "gather"), flat(value)
    if met.rank != root:
        if gather_list is not None:
            warnings.warn(f"gather_list is left alone on process {_groups.job_rank()}: process {dst} gathers.", stacklevel=3)
        call = lambda: _dist.gather(row, None, group=met.process_group, async_op=True, group_dst=root)  # noqa: E731
        return started(met, sync_op, said(api, value, root), call)
    if not isinstance(gather_list, list):
        raise failed_assertion("gather_list", "a list, on the process that gathers", type(gather_list).__name__, api)
    places = _room(gather_list, value, met.nranks, "gather_list", api)
    rows = [flat(place) for place in places]
    call = lambda: _dist.gather(row, rows, group=met.process_group, async_op=True, group_dst=root)  # noqa: E731
    return started(met, sync_op, said(api, value, root), call, lambda: put_all(rows, places))


def scatter(tensor: Any, given: Any, src: int, group: Group | None, sync_op: bool, use_calc_stream: bool) -> Task | None:
    """Every process gets its part of what one has, in place."""
    api = "scatter"
    if _groups.outside(group):
        return None
    check_stream(sync_op, use_calc_stream)
    if _static.records(tensor, "tensor", "scatter"):
        _static.scatter(tensor, given, src, group, sync_op)
        return None
    met, value = _groups.meeting(group), value_of(tensor, "tensor", api)
    root, row = number_of(src, "src", met, "scatter"), flat(value)
    rows: list[torch.Tensor] | None = None
    if met.rank != root:
        if given is not None and (isinstance(given, Tensor) or len(given)):
            warnings.warn(f"What process {_groups.job_rank()} gives is left alone: process {src} scatters.", stacklevel=3)
    elif isinstance(given, (list, tuple)):
        parts = values_of(given, "tensor_list", api)
        check_alike(parts, value, met.nranks, "tensor_list", api)
        rows = [apart(flat(part), row) for part in parts]
    else:
        whole = value_of(given, "tensor_or_tensor_list", api)
        check_joined(whole, value, met.nranks, "tensor_or_tensor_list", api)
        rows = _equal_parts(apart(flat(whole), row), met.nranks)
    call = lambda: _dist.scatter(row, rows, group=met.process_group, async_op=True, group_src=root)  # noqa: E731
    return started(met, sync_op, said(api, value, root), call, lambda: put(row, value))


def alltoall(out: Any, given: Any, group: Group | None, sync_op: bool, use_calc_stream: bool) -> Task | None:
    """Every process gets a part, or a Tensor of a list, from each, and gives one to each."""
    api = "alltoall"
    if _groups.outside(group):
        return None
    check_stream(sync_op, use_calc_stream)
    if isinstance(given, Variable) or isinstance(given, (list, tuple)) and given and isinstance(given[0], Variable):
        _static.alltoall(out, given, group, sync_op)
        return None
    met = _groups.meeting(group)
    if isinstance(given, Tensor):
        return alltoall_single(out, given, None, None, group, sync_op, use_calc_stream)
    parts = values_of(given, "in_tensor_list", api)
    if len(parts) != met.nranks:
        raise invalid_argument("in_tensor_list", f"{met.nranks} Tensors, one for each process", f"{len(parts)}", api)
    if not isinstance(out, list):
        raise invalid_argument("out_tensor_list", "a list, as in_tensor_list is", type(out).__name__, api)
    if not out:
        out.extend(Tensor(torch.empty_like(part, memory_format=torch.contiguous_format)) for part in parts)
    places = values_of(out, "out_tensor_list", api)
    if len(places) != met.nranks:
        raise invalid_argument("out_tensor_list", f"{met.nranks} Tensors, one for each process", f"{len(places)}", api)
    sent, rooms = torch.cat([flat(part) for part in parts]), [flat(place) for place in places]
    came = torch.empty(sum(room.numel() for room in rooms), dtype=sent.dtype, device=sent.device)
    sizes_out, sizes_in = [room.numel() for room in rooms], [flat(part).numel() for part in parts]

    def finish() -> None:
        for piece, place in zip(came.split(sizes_out), places):
            put(piece, place)

    call = lambda: _dist.all_to_all_single(came, sent, sizes_out, sizes_in, met.process_group, async_op=True)  # noqa: E731
    return started(met, sync_op, said(api, None, sent.dtype, sizes_in, sizes_out), call, finish)


def alltoall_single(
    out: Any, given: Any, out_sizes: Any, in_sizes: Any, group: Group | None, sync_op: bool, use_calc_stream: bool
) -> Task | None:
    """Every process gets rows from each, and gives rows to each."""
    api = "alltoall_single"
    if _groups.outside(group):
        return None
    check_stream(sync_op, use_calc_stream)
    if isinstance(given, Variable):
        raise PreconditionNotMetError("alltoall_single meets at once: it works in eager mode. Received: a Variable")
    met = _groups.meeting(group)
    place, value = value_of(out, "out_tensor", api), value_of(given, "in_tensor", api)
    if place.dtype is not value.dtype or place.shape[1:] != value.shape[1:] or not value.dim() or not place.dim():
        raise invalid_argument("out_tensor", f"rows like those of in_tensor, {list(value.shape)} in {value.dtype}",
                               f"{list(place.shape)} in {place.dtype}", api)  # fmt: skip
    cuts = _cuts(out_sizes, place, met.nranks, "out_split_sizes"), _cuts(in_sizes, value, met.nranks, "in_split_sizes")
    room = flat(place)
    row = apart(flat(value), room)
    width = row.numel() // len(value) if len(value) else 1
    came, sent = ([cut * width for cut in each] for each in cuts)
    call = lambda: _dist.all_to_all_single(room, row, came, sent, met.process_group, async_op=True)  # noqa: E731
    return started(met, sync_op, said(api, None, row.dtype, sent, came), call, lambda: put(room, place))


def _cuts(sizes: Sequence[int] | None, value: torch.Tensor, count: int, name: str) -> list[int]:
    """How many rows go to, or come from, each process."""
    rows = len(value)
    if not sizes:
        if rows % count:
            raise invalid_argument(name, f"{count} sizes, as {rows} rows have no {count} equal parts", sizes, "alltoall_single")
        return [rows // count] * count
    if len(sizes) != count or sum(sizes) != rows or min(sizes) < 0:
        raise invalid_argument(name, f"{count} sizes that add up to {rows}", list(sizes), "alltoall_single")
    return list(sizes)
