"""Operators of mixtures of experts: who gets which rows, and rows that travel to the ranks that have their experts.

`numbers` and `X` hold the expert that each row goes to, -1 for none. Counts for many ranks lie rank by rank: the entry of expert e of
rank r is at r * experts + e, where each rank has as many experts. The CPU wheels have no such kernels; these were written from what
the operators are documented to do, and give rows of one expert in their own order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import distributed as dist

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.core.rings import Ring, ring_of
from paddle_compat.ops._ranks import group_of, travel

Tensor = torch.Tensor
_Way = Callable[[Ring, Tensor, Tensor, Tensor], Tensor]


# ---- who gets which rows
@op(inputs=("numbers",), no_grad=("numbers",), infer=lambda numbers, *, upper_range: Meta((upper_range,), numbers.dtype))
def number_count(numbers: Tensor, *, upper_range: int) -> Tensor:
    """How many there are of each number from 0 up to, and without, `upper_range`; others are passed over."""
    flat = numbers.reshape(-1)
    known = flat[(flat >= 0) & (flat < upper_range)]
    return torch.bincount(known, minlength=upper_range).to(numbers.dtype)


@op(
    inputs=("X", "cum_count", "eff_num_len"), no_grad=("X", "cum_count", "eff_num_len"),
    infer=lambda x, cum_count, eff_num_len: Meta((-1,), cum_count.dtype),
)  # fmt: skip
def assign_pos(x: Tensor, cum_count: Tensor, eff_num_len: Tensor) -> Tensor:
    """The places in x of the rows of expert 0, then of those of expert 1, and so on; `cum_count` says how many there are up to each."""
    flat = x.reshape(-1)
    places = (flat >= 0).nonzero().reshape(-1)
    count = int(eff_num_len.reshape(-1)[0])
    if len(places) != count:
        raise invalid_argument("eff_num_len", f"{len(places)}, as many rows as have an expert", count, "assign_pos")
    return places[torch.argsort(flat[places], stable=True)].to(cum_count.dtype)


@op(
    inputs=("expert_count", "capacity"), no_grad=("expert_count", "capacity"),
    infer=lambda expert_count, capacity, **attrs: Meta(expert_count.shape, expert_count.dtype),
)  # fmt: skip
def limit_by_capacity(expert_count: Tensor, capacity: Tensor, *, n_worker: int) -> Tensor:
    """The counts of rows that experts take of each worker: those of earlier ones first, until the expert's capacity is used up."""
    wanted = expert_count.reshape(n_worker, -1)
    if wanted.shape[1] != capacity.numel():
        raise invalid_argument("capacity", f"a number for each of {wanted.shape[1]} experts", capacity.numel(), "limit_by_capacity")
    taken = torch.minimum(wanted.cumsum(0, dtype=wanted.dtype), capacity.reshape(1, -1).clamp(min=0).to(wanted.dtype))
    return torch.diff(taken, dim=0, prepend=torch.zeros_like(taken[:1])).reshape(expert_count.shape)


@op(
    inputs=("GateIdx", "ExpertCount"), outputs=("NewGateIdx",), no_grad=("GateIdx", "ExpertCount"),
    infer=lambda gate, count, **attrs: Meta(gate.shape, gate.dtype),
)  # fmt: skip
def prune_gate_by_capacity(gate: Tensor, count: Tensor, *, n_expert: int, n_worker: int) -> Tensor:
    """-1 in place of the expert of a row that is beyond the expert's count."""
    if count.numel() != n_expert * n_worker:
        raise invalid_argument("ExpertCount", f"{n_expert * n_worker} counts", count.numel(), "prune_gate_by_capacity")
    flat = gate.reshape(-1)
    order = torch.argsort(flat, stable=True)
    ordered = flat[order]
    turn = torch.arange(len(flat), device=flat.device) - torch.searchsorted(ordered, ordered)  # a row's number among its expert's
    room = torch.where(ordered >= 0, count.reshape(-1)[ordered.clamp(min=0)], 0)
    kept = torch.empty_like(flat)
    kept[order] = torch.where(turn < room, ordered, -1)
    return kept.reshape(gate.shape)


@op(
    inputs=("Prob", "TopK_Value", "TopK_Idx"), no_grad=("Prob", "TopK_Value", "TopK_Idx"),
    infer=lambda prob, value, index: Meta(index.shape, index.dtype),
)  # fmt: skip
def random_routing(prob: Tensor, value: Tensor, index: Tensor) -> Tensor:
    """-1 in place of a row's second expert where twice its weight is below the row's number of `Prob`."""
    second = torch.where(2 * value[:, 1] < prob.reshape(-1), -1, index[:, 1])
    return torch.stack([index[:, 0], second], 1)


# ---- rows that travel
def _counts(ring: Ring, counts: Tensor, name: str, type_: str) -> Tensor:
    flat = counts.detach().reshape(-1)
    if flat.numel() % ring.size:
        raise invalid_argument(name, f"a count for each expert of each of {ring.size} ranks", flat.numel(), type_)
    return flat.cpu().reshape(ring.size, -1)


def _check_rows(x: Tensor, counts: Tensor, name: str, type_: str) -> None:
    total = int(counts.sum())
    if x.dim() != 2 or len(x) != total:
        raise invalid_argument("X", f"{total} rows, as many as {name} counts", f"shape {list(x.shape)}", type_)


def _turned(x: Tensor, counts: Tensor) -> Tensor:
    """Rows that lie by the rows of a table of counts, put by its columns."""
    blocks = x.split([int(count) for count in counts.reshape(-1)])
    across = counts.shape[1]
    return torch.cat([blocks[row * across + column] for column in range(across) for row in range(counts.shape[0])])


def _exchanged(ring: Ring, x: Tensor, came: Sequence[int], sent: Sequence[int], type_: str) -> Tensor:
    if ring.size == 1:
        return x
    out = x.new_empty((sum(came), x.shape[1]))
    width = x.shape[1]
    sizes = [count * width for count in came], [count * width for count in sent]
    with ring.calls():
        dist.all_to_all_single(out.view(-1), x.contiguous().view(-1), *sizes, group=group_of(ring, type_))
    return out


def _to_experts(ring: Ring, x: Tensor, local: Tensor, here: Tensor) -> Tensor:
    type_ = "global_scatter"
    _check_rows(x, local, "local_count", type_)
    return _turned(_exchanged(ring, x, here.sum(1).tolist(), local.sum(1).tolist(), type_), here)


def _from_experts(ring: Ring, x: Tensor, local: Tensor, here: Tensor) -> Tensor:
    type_ = "global_gather"
    _check_rows(x, here, "global_count", type_)
    return _exchanged(ring, _turned(x, here.t()), local.sum(1).tolist(), here.sum(1).tolist(), type_)


def _infer_travelled(x: Meta, local: Meta, here: Meta, **attrs: Any) -> Meta:
    if len(x.shape) != 2:
        raise invalid_argument("X", "two dimensions", f"shape {list(x.shape)}", "global_scatter")
    return Meta((-1, -1), x.dtype)


def _by(type_: str) -> Callable[..., list[tuple[Any, ...]]]:
    """The gradient: the way back, by the same counts."""

    def make(op_: Any, grad_outs: Any, grad_ins: Any) -> list[tuple[Any, ...]]:
        wanted = [name for name in grad_ins["X"] if name]
        counts = {slot: op_.input(slot) for slot in ("local_count", "global_count")}
        attrs = {name: op_.attr(name) for name in ("ring_id", "use_calc_stream")}
        return [(type_, {"X": list(grad_outs["Out"]), **counts}, {"Out": wanted}, attrs)] if wanted else []

    return make


def _travelled(type_: str, x: Tensor, local: Tensor, here: Tensor, ring_id: int, there: _Way, back: _Way) -> Tensor:
    ring = ring_of(ring_id)
    given, got = _counts(ring, local, "local_count", type_), _counts(ring, here, "global_count", type_)
    return travel(x, ring_id, lambda r, t: there(r, t, given, got), lambda r, t: back(r, t, given, got))


_COUNTED: dict[str, Any] = {
    "inputs": ("X", "local_count", "global_count"), "no_grad": ("local_count", "global_count"), "infer": _infer_travelled
}  # fmt: skip


@op(grad_maker=_by("global_gather"), **_COUNTED)
def global_scatter(x: Tensor, local: Tensor, here: Tensor, *, ring_id: int = 0, use_calc_stream: bool = False) -> Tensor:
    """Rows, in the order of ranks and their experts, go there; what comes lies by this rank's experts, each with the ranks' in order."""
    return _travelled("global_scatter", x, local, here, ring_id, _to_experts, _from_experts)


@op(grad_maker=_by("global_scatter"), **_COUNTED)
def global_gather(x: Tensor, local: Tensor, here: Tensor, *, ring_id: int = 0, use_calc_stream: bool = False) -> Tensor:
    """The way back of `global_scatter`, by the same counts."""
    return _travelled("global_gather", x, local, here, ring_id, _from_experts, _to_experts)
