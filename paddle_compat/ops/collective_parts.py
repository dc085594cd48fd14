"""Collective operators that hand values from rank to rank: to all, from all, parts, and from one to another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import distributed as dist

from paddle_compat.core.dtype import VarType, torch_dtype
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.core.place import run_device
from paddle_compat.core.rings import Ring, ring_of
from paddle_compat.ops._ranks import (
    agree,
    agree_on_message,
    check_ranks,
    check_root,
    gathered,
    group_of,
    own,
    part_of,
    sent_by,
    summed_part,
    travel,
)  # fmt: skip
from paddle_compat.ops.collective import grad_as, infer_same

Tensor = torch.Tensor


def _check_written(type_: str, nranks: int, rank: int = 0, ring_id: int = 0) -> None:
    """Refuse what the wheel refuses when the operator is written into a Program."""
    if nranks < 2:
        raise invalid_argument("nranks", "2 or more", nranks, type_)
    if not 0 <= rank < nranks:
        raise invalid_argument("rank", f"a rank from 0 to {nranks - 1}", rank, type_)
    if ring_id < 0:
        raise invalid_argument("ring_id", "0 or more", ring_id, type_)


def _parted(type_: str, shape: tuple[int, ...], nranks: int, axis: int = 0) -> tuple[int, ...]:
    """The shape of one of nranks equal parts."""
    size = shape[axis]
    if size >= 0 and size % nranks:
        raise invalid_argument("X", f"a dimension {axis} that {nranks} ranks divide", f"shape {list(shape)}", type_)
    sizes = list(shape)
    sizes[axis] = size // nranks if size >= 0 else -1
    return tuple(sizes)


def _joined(shape: tuple[int, ...], nranks: int, axis: int = 0) -> tuple[int, ...]:
    sizes = list(shape)
    sizes[axis] = sizes[axis] * nranks if sizes[axis] >= 0 else -1
    return tuple(sizes)


# ---- one to all
@op(inputs=("X",), infer=infer_same)
def c_broadcast(x: Tensor, *, ring_id: int = 0, root: int = 0, use_calc_stream: bool = False) -> Tensor:
    """The root's values on all ranks."""
    return sent_by(ring_of(ring_id), x.detach(), root, "c_broadcast")


def _infer_sent(x: Meta | None, y: Meta | None = None, **attrs: Any) -> tuple[Meta, Meta]:
    given = x if y is None else y
    assert given is not None
    return Meta(given.shape, given.dtype), Meta(given.shape, given.dtype)


@op(inputs=("X@1", "x@2"), outputs=("Out@1", "out@2"), infer=_infer_sent)
def broadcast(
    x: Tensor | None, y: Tensor | None = None, *, ring_id: int = 0, root: int = 0, sync_mode: bool = False
) -> tuple[Tensor, Tensor]:
    """The root's values on all ranks. Paddle 1.x and 2.x spell its slots each in their way."""
    given = x if y is None else y
    assert given is not None
    out = sent_by(ring_of(ring_id), given.detach(), root, "broadcast")
    return out, out


# ---- all to all
def _infer_gathered(x: Meta, *, nranks: int, **attrs: Any) -> Meta:
    _check_written("c_allgather", nranks)
    return Meta(_joined(x.shape, nranks), x.dtype)


@op(inputs=("X",), grad_maker=grad_as("c_reducescatter", "ring_id", "use_calc_stream", "nranks", ages=(1,)), infer=_infer_gathered)
def c_allgather(x: Tensor, *, nranks: int, ring_id: int = 0, use_calc_stream: bool = False, _summed_back: bool = False) -> Tensor:
    """The rows of all ranks. In Paddle 1.x (`_summed_back`) its gradient is this rank's part of the sum, in 2.x it has none."""
    check_ranks(ring_of(ring_id), nranks, "c_allgather")
    return travel(x, ring_id, _rows_of_all, _own_rows_summed if _summed_back else None)


def _rows_of_all(ring: Ring, x: Tensor) -> Tensor:
    return gathered(ring, x, "c_allgather")


def _own_rows_summed(ring: Ring, x: Tensor) -> Tensor:
    return summed_part(ring, x, "c_reducescatter")


@op(inputs=("x",), outputs=("out",), infer=lambda x, *, nranks=0, **attrs: Meta(_joined(x.shape, nranks), x.dtype))
def all_gather(x: Tensor, *, ring_id: int = 0, nranks: int = 0) -> Tensor:
    """The rows of all ranks."""
    ring = ring_of(ring_id)
    check_ranks(ring, nranks, "all_gather")
    return gathered(ring, x.detach(), "all_gather")


@op(inputs=("x",), outputs=("out",), infer=lambda x, *, nranks=1, **attrs: Meta(_joined(x.shape, nranks), x.dtype))
def dist_concat(x: Tensor, *, ring_id: int = 0, nranks: int = 1) -> Tensor:
    """The rows of all ranks."""
    ring = ring_of(ring_id)
    check_ranks(ring, nranks, "dist_concat")
    return gathered(ring, x.detach(), "dist_concat")


@op(inputs=("X",), infer=lambda x, *, nranks=1, **attrs: Meta(_parted("c_reducescatter", x.shape, nranks), x.dtype))
def c_reducescatter(x: Tensor, *, ring_id: int = 0, nranks: int = 1, use_calc_stream: bool = False) -> Tensor:
    """This rank's rows of the sum over all ranks."""
    ring = ring_of(ring_id)
    check_ranks(ring, nranks, "c_reducescatter")
    return summed_part(ring, x.detach(), "c_reducescatter")


@op(inputs=("x",), outputs=("out",), infer=lambda x, *, nranks=1, **attrs: Meta(_parted("reduce_scatter", x.shape, nranks), x.dtype))
def reduce_scatter(x: Tensor, *, ring_id: int = 0, nranks: int = 1) -> Tensor:
    """This rank's rows of the sum over all ranks."""
    ring = ring_of(ring_id)
    check_ranks(ring, nranks, "reduce_scatter")
    return summed_part(ring, x.detach(), "reduce_scatter")


def _exchanged(ring: Ring, x: Tensor, type_: str) -> Tensor:
    if ring.size == 1:
        return x
    _parted(type_, tuple(x.shape), ring.size)
    if ring.group is None:
        return torch.cat([part_of(ring, each) for each in ring.of_all(x)])
    x = x.contiguous()
    agree(ring, type_, [x])
    out = torch.empty_like(x)
    with ring.calls():
        dist.all_to_all_single(out, x, group=group_of(ring, type_))
    return out


@op(inputs=("X",), infer=infer_same)
def alltoall(x: Tensor, *, ring_id: int = 0, use_calc_stream: bool = False) -> Tensor:
    """Part i of the rows goes to rank i; what comes is in the order of the ranks."""
    return _exchanged(ring_of(ring_id), x.detach(), "alltoall")


@op(inputs=("x",), outputs=("out",), infer=infer_same)
def all_to_all(x: Tensor, *, ring_id: int = 0) -> Tensor:
    """Part i of the rows goes to rank i; what comes is in the order of the ranks."""
    return _exchanged(ring_of(ring_id), x.detach(), "all_to_all")


@op(inputs=("X",), infer=infer_same)
def barrier(x: Tensor, *, ring_id: int = 0) -> Tensor:
    """Wait for all ranks."""
    ring_of(ring_id).wait()
    return x.detach()


def _infer_scattered(x: Meta, *, nranks: int = 0, **attrs: Any) -> Meta:
    _check_written("c_scatter", nranks)
    return Meta((x.shape[0] // nranks if x.shape[0] >= 0 else -1, *x.shape[1:]), x.dtype)


@op(inputs=("X",), infer=_infer_scattered)
def c_scatter(x: Tensor, *, ring_id: int = 0, root: int = 0, nranks: int = 0, use_calc_stream: bool = False) -> Tensor:
    """This rank's part of the root's rows."""
    ring = ring_of(ring_id)
    check_ranks(ring, nranks, "c_scatter")
    check_root(ring, root, "c_scatter")
    if ring.size == 1:
        return x.detach()
    if ring.group is None:
        return part_of(ring, ring.of_all(x.detach())[root])
    own_part = own(part_of(ring, x))
    agree(ring, "c_scatter", [own_part])
    parts = [part.contiguous() for part in x.detach().split(own_part.shape[0])[: ring.size]] if ring.rank == root else None
    with ring.calls():
        dist.scatter(own_part, parts, group=group_of(ring, "c_scatter"), group_src=root)
    return own_part


# ---- columns, for layers whose weights lie on several ranks
def _infer_columns(x: Meta, *, rank: int = 0, nranks: int = 1, ring_id: int = 0, **attrs: Any) -> Meta:
    _check_written("c_concat", nranks, rank, ring_id)
    return Meta(_joined(x.shape, nranks, -1), x.dtype)


def _infer_own_columns(x: Meta, *, rank: int = 0, nranks: int = 1, ring_id: int = 0, **attrs: Any) -> Meta:
    _check_written("c_split", nranks, rank, ring_id)
    return Meta(_parted("c_split", x.shape, nranks, -1), x.dtype)


def _columns_of_all(ring: Ring, x: Tensor) -> Tensor:
    return gathered(ring, x, "c_concat", -1)


def _own_columns(ring: Ring, x: Tensor) -> Tensor:
    return part_of(ring, x, -1).contiguous()


_COLUMNS = ("rank", "nranks", "ring_id", "use_calc_stream", "use_model_parallel")


@op(inputs=("X",), grad_maker=grad_as("c_split", *_COLUMNS), infer=_infer_columns)
def c_concat(
    x: Tensor, *, rank: int = 0, nranks: int = 1, ring_id: int = 0, use_calc_stream: bool = True, use_model_parallel: bool = True
) -> Tensor:
    """The columns of all ranks side by side."""
    check_ranks(ring_of(ring_id), nranks, "c_concat")
    return travel(x, ring_id, _columns_of_all, _own_columns)


@op(inputs=("X",), grad_maker=grad_as("c_allgather", *_COLUMNS), infer=_infer_own_columns)
def c_split(
    x: Tensor, *, rank: int = 0, nranks: int = 1, ring_id: int = 0, use_calc_stream: bool = False, use_model_parallel: bool = True
) -> Tensor:
    """This rank's columns; the gradient has those of all ranks."""
    check_ranks(ring_of(ring_id), nranks, "c_split")
    return travel(x, ring_id, _own_columns, _columns_of_all)


# ---- one to one
def _check_peer(type_: str, peer: int, ring_id: int, num: int = 1, id: int = 0) -> None:
    for name, value in (("peer", peer), ("ring_id", ring_id)):
        if value < 0:
            raise invalid_argument(name, "0 or more", value, type_)
    if not 0 <= id < num:
        raise invalid_argument("id", f"a part from 0 to {num - 1}", id, type_)


def group_with(ring: Ring, peer: int, type_: str) -> Any:
    """The group in which the peer is somebody else."""
    group = group_of(ring, type_) if ring.size > 1 else None
    if group is None or not 0 <= peer < ring.size or peer == ring.rank:
        raise invalid_argument("peer", f"another rank of the ring's {ring.size}, as this is rank {ring.rank}", peer, type_)
    return group


def _send(ring: Ring, peer: int, x: Tensor, type_: str) -> None:
    group, x = group_with(ring, peer, type_), x.detach().contiguous()
    agree_on_message(ring, peer, True, x)
    with ring.calls():
        dist.send(x, group=group, group_dst=peer)


def _received(ring: Ring, peer: int, shape: Sequence[int], dtype: int, type_: str) -> Tensor:
    group = group_with(ring, peer, type_)
    out = torch.empty(tuple(shape), dtype=torch_dtype(dtype), device=run_device())
    agree_on_message(ring, peer, False, out)
    with ring.calls():
        dist.recv(out, group=group, group_src=peer)
    return out


def _infer_nothing(*inputs: Meta, peer: int = 0, ring_id: int = 0, num: int = 1, id: int = 0, **attrs: Any) -> tuple[Meta, ...]:
    _check_peer("send_v2", peer, ring_id, num, id)
    return ()


def _infer_received(
    *, peer: int = 0, ring_id: int = 0, dtype: int = VarType.FP32, out_shape: Sequence[int] = (), dynamic_shape: bool = False, **attrs: Any
) -> Meta:
    _check_peer("recv_v2", peer, ring_id, attrs.get("num", 1), attrs.get("id", 0))
    if dynamic_shape:
        return Meta((-1,) * len(out_shape), torch_dtype(dtype))
    if not out_shape or min(out_shape) < 1:
        raise invalid_argument("out_shape", "one size or more, each 1 or more", list(out_shape), "recv_v2")
    _slice_of(math.prod(out_shape), attrs.get("num", 1), "partial_recv")
    return Meta(tuple(out_shape), torch_dtype(dtype))


def _slice_of(numel: int, num: int, type_: str) -> int:
    if numel % num:
        raise invalid_argument("num", f"a number that divides the {numel} elements", num, type_)
    return numel // num


@op(inputs=("X",), outputs=(), infer=_infer_nothing)
def send_v2(x: Tensor, *, ring_id: int = 0, peer: int = 0, use_calc_stream: bool = False, dynamic_shape: bool = False) -> tuple[()]:
    """Send a tensor to another rank; with `dynamic_shape` its shape goes before it."""
    ring = ring_of(ring_id)
    if dynamic_shape:
        _send(ring, peer, torch.tensor([x.dim(), *x.shape] + [0] * (_DIMS - x.dim()), dtype=torch.int64, device=x.device), "send_v2")
    _send(ring, peer, x, "send_v2")
    return ()


_DIMS = 9  # as many as a Paddle tensor may have


@op(inputs=(), infer=_infer_received)
def recv_v2(
    *, ring_id: int = 0, peer: int = 0, dtype: int = 5, out_shape: Sequence[int] = (), use_calc_stream: bool = False,
    dynamic_shape: bool = False,
) -> Tensor:  # fmt: skip
    """The tensor that another rank sends."""
    ring = ring_of(ring_id)
    if dynamic_shape:
        shape = _received(ring, peer, (1 + _DIMS,), VarType.INT64, "recv_v2").tolist()
        out_shape = shape[1 : 1 + shape[0]]
    return _received(ring, peer, out_shape, dtype, "recv_v2")


@op(inputs=("X",), outputs=(), infer=_infer_nothing)
def partial_send(
    x: Tensor, *, ring_id: int = 0, peer: int = 0, use_calc_stream: bool = False, num: int = 1, id: int = 0
) -> tuple[()]:
    """Send part `id` of the `num` equal parts of a tensor's elements to another rank."""
    ring = ring_of(ring_id)
    size = _slice_of(x.numel(), num, "partial_send")
    _send(ring, peer, x.reshape(-1)[id * size : (id + 1) * size], "partial_send")
    return ()


@op(inputs=(), infer=_infer_received)
def partial_recv(
    *, ring_id: int = 0, peer: int = 0, dtype: int = 5, out_shape: Sequence[int] = (), use_calc_stream: bool = False, num: int = 1,
    id: int = 0,
) -> Tensor:  # fmt: skip
    """A tensor whose part `id` of `num` equal ones is what another rank sends; the rest is zero."""
    size = _slice_of(math.prod(out_shape), num, "partial_recv")
    part = _received(ring_of(ring_id), peer, (size,), dtype, "partial_recv")
    out = part.new_zeros(size * num)
    out[id * size : (id + 1) * size] = part
    return out.view(tuple(out_shape))


@op(inputs=("X",), infer=infer_same)
def partial_allgather(x: Tensor, *, nranks: int, rank: int, ring_id: int = 0, use_calc_stream: bool = False) -> Tensor:
    """A tensor of whose elements each rank gave its part."""
    ring = ring_of(ring_id)
    check_ranks(ring, nranks, "partial_allgather")
    size = _slice_of(x.numel(), nranks, "partial_allgather")
    part = x.detach().reshape(-1)[rank * size : (rank + 1) * size]
    return gathered(ring, part, "partial_allgather").view(x.shape)
