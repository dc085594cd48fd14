"""Graphs: what nodes and edges send along edges, sums over segments, subgraphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._lod import offsets_of, ranges

Tensor = torch.Tensor
_FEW_NODES = 1 << 12  # so many more numbers than nodes do not matter
_MESSAGES: dict[str, Callable[[Tensor, Tensor], Tensor]] = {"ADD": torch.add, "MUL": torch.mul}


def _divided(total: Tensor, counts: Tensor) -> Tensor:
    counts = counts.clamp(min=1).reshape(-1, *[1] * (total.dim() - 1))
    return total / counts if total.is_floating_point() else torch.div(total, counts, rounding_mode="trunc")


def _gathered(messages: Tensor, places: Tensor, rows: int, how: str) -> Tensor:
    """Messages that meet in a row, reduced; rows that none reaches are 0. The gradient of an extreme goes to all that are equal to it."""
    empty = messages.new_zeros((rows, *messages.shape[1:]))
    if how in ("SUM", "MEAN"):
        total = empty.index_add_(0, places, messages)
        return total if how == "SUM" else _divided(total, torch.bincount(places, minlength=rows).to(total.dtype))
    flat = messages.detach()
    index = places.reshape(-1, *[1] * (flat.dim() - 1)).expand_as(flat)
    found = empty.scatter_reduce_(0, index, flat, "amax" if how == "MAX" else "amin", include_self=False)
    if not messages.requires_grad:
        return found
    chosen = torch.where(flat == found.index_select(0, places), messages - flat, 0.0)
    return found.index_add(0, places, chosen)


def _rows(given: Sequence[int] | int, variable: Tensor | None, x: Tensor) -> int:
    size = int(variable) if variable is not None else given if isinstance(given, int) else (list(given) or [0])[0]
    return size if size > 0 else x.shape[0]


def _numbers(given: Tensor, name: str, api: str) -> Tensor:
    """Numbers of nodes or edges, which may also come as a column."""
    if given.dim() != 1 and not (given.dim() == 2 and given.shape[1] == 1):
        raise invalid_argument(name, "[N] or [N, 1]", f"shape {list(given.shape)}", api)
    return given.reshape(-1)


def _ends(src: Tensor, dst: Tensor, api: str) -> tuple[Tensor, Tensor]:
    """Where every edge begins and ends."""
    src, dst = _numbers(src, "Src_index", api), _numbers(dst, "Dst_index", api)
    if src.shape[0] != dst.shape[0]:
        raise invalid_argument("Src_index", f"as many as the {dst.shape[0]} of `Dst_index`", src.shape[0], api)
    if src.dtype != dst.dtype:
        raise invalid_argument("Dst_index", f"the data type of `Src_index`, {src.dtype}", dst.dtype, api)
    return src.long(), dst.long()


def _sent_counts(x: Tensor, *rest: Any, reduce_op: str = "SUM", out_size: Any = (0,), **_: Any) -> Tensor:
    dst, size = rest[-3:-1]  # they stand in front of the result
    return torch.bincount(dst.reshape(-1).long(), minlength=_rows(out_size, size, x)).to(torch.int32)


def _counts_meta(*metas: Any, reduce_op: str = "SUM", **_: Any) -> Meta:
    return Meta((-1,) if reduce_op == "MEAN" else (), torch.int32)


@op(
    inputs=("X", "Src_index", "Dst_index", "Out_size?"),
    outputs=("Out", "Dst_count~"),
    grad=("X", "Src_index", "Dst_index", "Out", "Dst_count"),
    no_grad=("Src_index", "Dst_index", "Out_size"),
    infer=lambda x, *rest, **attrs: Meta((-1, *x.shape[1:]), x.dtype),
    describe={"Dst_count": _counts_meta},
    derive={"Dst_count": _sent_counts},
)
def graph_send_recv(
    x: Tensor, src: Tensor, dst: Tensor, size: Tensor | None = None, *, reduce_op: str = "SUM", out_size: Sequence[int] = (0,)
) -> Tensor:
    """What the nodes `src` send to the nodes `dst`, reduced."""
    src, dst = _ends(src, dst, "graph_send_recv")
    return _gathered(x[src], dst, _rows(out_size, size, x), reduce_op)


def _along_edges(x: Meta, y: Meta, *rest: Any, **attrs: Any) -> Meta:
    longest = max(len(x.shape), len(y.shape)) - 1
    a, b = ([1] * (longest - len(m.shape) + 1) + list(m.shape[1:]) for m in (x, y))
    return Meta((-1, *[n if m == 1 else m for m, n in zip(a, b)]), x.dtype)


@op(
    inputs=("X", "Y", "Src_index", "Dst_index", "Out_size?"),
    outputs=("Out", "Dst_count~"),
    grad=("X", "Y", "Src_index", "Dst_index", "Out", "Dst_count"),
    no_grad=("Src_index", "Dst_index", "Out_size"),
    infer=_along_edges,
    describe={"Dst_count": _counts_meta},
    derive={"Dst_count": _sent_counts},
)
def graph_send_ue_recv(
    x: Tensor, y: Tensor, src: Tensor, dst: Tensor, size: Tensor | None = None, *, message_op: str = "ADD", reduce_op: str = "SUM",
    out_size: Sequence[int] = (0,),
) -> Tensor:  # fmt: skip
    """What the nodes `src` and the edges together send to the nodes `dst`, reduced."""
    src, dst = _ends(src, dst, "graph_send_ue_recv")
    return _gathered(_MESSAGES[message_op](x.index_select(0, src), y), dst, _rows(out_size, size, x), reduce_op)


def _of_edges(x: Meta, y: Meta, src: Meta, *rest: Any, **attrs: Any) -> Meta:
    return Meta((src.shape[0], *_along_edges(x, y).shape[1:]), x.dtype)


@op(
    inputs=("x", "y", "src_index", "dst_index"),
    outputs=("out",),
    grad=("x", "y", "src_index", "dst_index"),
    no_grad=("src_index", "dst_index"),
    infer=_of_edges,
)
def graph_send_uv(x: Tensor, y: Tensor, src: Tensor, dst: Tensor, *, message_op: str = "ADD") -> Tensor:
    """What the nodes at both ends of every edge make together."""
    src, dst = _ends(src, dst, "graph_send_uv")
    return _MESSAGES[message_op](x.index_select(0, src), y.index_select(0, dst))


@op(
    inputs=("X", "SegmentIds"),
    outputs=("Out", "SummedIds~"),
    grad=("X", "SegmentIds", "Out", "SummedIds"),
    no_grad=("SegmentIds",),
    infer=lambda x, ids, **attrs: Meta((-1, *x.shape[1:]), x.dtype),
    describe={"SummedIds": lambda x, ids, pooltype="SUM": Meta((-1, 1) if pooltype == "MEAN" else (), x.dtype)},
    derive={"SummedIds": lambda x, ids, out, **attrs: torch.bincount(ids.reshape(-1).long()).to(x.dtype)[:, None]},
)
def segment_pool(x: Tensor, ids: Tensor, *, pooltype: str = "SUM") -> Tensor:
    """The rows of every segment, reduced; `ids` tells the segment of each row, and never falls."""
    if ids.dtype not in (torch.int32, torch.int64):
        raise invalid_argument("SegmentIds", "int32 or int64", ids.dtype, "segment_pool")
    if x.dtype is torch.bool:
        raise invalid_argument("X", "numbers", x.dtype, "segment_pool")
    ids = _numbers(ids, "SegmentIds", "segment_pool")
    numbers = ids.cpu().numpy()
    if numbers.size != x.shape[0]:
        raise invalid_argument("SegmentIds", f"one for each of the {x.shape[0]} rows", numbers.size, "segment_pool")
    if (numbers[1:] < numbers[:-1]).any():
        raise invalid_argument("SegmentIds", "numbers that never fall", numbers.tolist(), "segment_pool")
    return _gathered(x, ids.long(), int(numbers[-1]) + 1 if numbers.size else 0, pooltype)


@op(
    inputs=("X", "Neighbors", "Count", "HashTable_Value?", "HashTable_Index?"),
    outputs=("Reindex_Src", "Reindex_Dst", "Out_Nodes"),
    infer=lambda x, *rest, **attrs: (Meta((-1,), x.dtype),) * 3,
    lod=None,
)
def graph_reindex(
    x: Tensor, neighbors: Tensor, count: Tensor, value: Tensor | None = None, index: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Nodes numbered anew as they come, centres first: the ends of all edges, and which node each number is.

    `count` may hold the counts of several graphs over the same centres, one after the other. A centre that comes twice has two
    numbers, and edges know the later one.
    """
    x, neighbors, count = (_numbers(given, name, "graph_reindex") for given, name in ((x, "X"), (neighbors, "Neighbors"), (count, "Count")))
    nodes = torch.cat((x, neighbors))
    keys, own = nodes.cpu().numpy(), len(x)
    if keys.size and not 0 <= keys.min() <= keys.max() < 8 * keys.size + _FEW_NODES:
        keys = np.unique(keys, return_inverse=True)[1]
    places = np.arange(keys.size)
    # of each node its last place among the centres, or its first one behind them: of several writes to one element the last one stays
    place_of = np.empty(keys.max(initial=-1) + 1, np.int64)
    place_of[keys[own:][::-1]] = places[own:][::-1]
    place_of[keys[:own]] = places[:own]
    found = place_of[keys]
    fresh = found == places
    fresh[:own] = True
    number = torch.from_numpy((np.cumsum(fresh) - 1)[found]).to(x)
    centres = number[:own].repeat(len(count) // max(own, 1))
    return number[own:], torch.repeat_interleave(centres, count.long()), nodes[torch.from_numpy(fresh).to(x.device)]


def _sampled_meta(row: Meta, *rest: Any, return_eids: bool = False, **_: Any) -> tuple[Meta, Meta, Meta]:
    return Meta((-1,), row.dtype), Meta((-1,), torch.int32), Meta((-1,) if return_eids else (), row.dtype)


def _sampled(
    row: Tensor, pointers: Tensor, nodes: Tensor, ids: Tensor | None, size: int, weights: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    """At most `size` neighbours of every node (-1: all), how many each has, and the edges' own numbers."""
    row, pointers, nodes = row.reshape(-1), pointers.reshape(-1).cpu().long(), nodes.reshape(-1).cpu().long()
    starts = pointers[nodes]
    degrees = pointers[nodes + 1] - starts
    counts = degrees if size < 0 else degrees.clamp(max=size)
    chosen = ranges(starts, degrees).to(row.device)
    if bool((counts < degrees).any()):
        # of a node with too many neighbours those that a race ends first with, at a speed of the weight each: drawn without putting back
        owners = torch.repeat_interleave(torch.arange(len(nodes)), degrees).to(row.device)
        times = torch.rand(len(chosen), dtype=torch.float64, device=row.device)
        if weights is not None:  # times from 0 to infinity, brought between 0 and 1
            times = 1 - 1 / (1 - torch.log1p(-times) / weights.reshape(-1)[chosen].clamp(min=0))
        order = (owners + times * (counts < degrees).to(row.device)[owners]).argsort(stable=True)
        rank = torch.arange(len(order), device=row.device) - offsets_of(degrees)[:-1].to(row.device)[owners]
        chosen = chosen[order[rank < counts.to(row.device)[owners]]]
    edges = chosen if ids is None else ids.reshape(-1)[chosen]
    return row[chosen], counts.to(torch.int32).to(row.device), edges.to(row.dtype)


@op(
    inputs=("Row", "Col_Ptr", "X", "Eids?", "Perm_Buffer?"),
    outputs=("Out", "Out_Count", "Out_Eids"),
    infer=_sampled_meta,
    lod=None,
    random=True,
)
def graph_sample_neighbors(
    row: Tensor, pointers: Tensor, nodes: Tensor, ids: Tensor | None = None, buffer: Tensor | None = None, *, sample_size: int = -1,
    return_eids: bool = False, flag_perm_buffer: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Neighbours of nodes, chosen evenly; the graph is compressed by columns."""
    return _sampled(row, pointers, nodes, ids, sample_size, None)


@op(
    inputs=("row", "colptr", "edge_weight", "input_nodes", "eids?"),
    outputs=("out_neighbors", "out_count", "out_eids"),
    infer=_sampled_meta,
    lod=None,
    random=True,
)
def weighted_sample_neighbors(
    row: Tensor, pointers: Tensor, weights: Tensor, nodes: Tensor, ids: Tensor | None = None, *, sample_size: int = -1,
    return_eids: bool = False,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Neighbours of nodes, chosen by the edges' weights."""
    return _sampled(row, pointers, nodes, ids, sample_size, weights)


def _hops_meta(row: Meta, ids: Meta | None, pointers: Meta, nodes: Meta, *, return_eids: bool = False, **_: Any) -> tuple[Meta, ...]:
    edges = Meta((-1, 1), row.dtype)
    return edges, edges, Meta((-1,), row.dtype), Meta(nodes.shape, row.dtype), Meta((-1,), row.dtype)


@op(
    inputs=("Row", "Eids?", "Col_Ptr", "X"),
    outputs=("Out_Src", "Out_Dst", "Sample_Index", "Reindex_X", "Out_Eids"),
    infer=_hops_meta,
    lod=None,
    random=True,
)
def graph_khop_sampler(
    row: Tensor, ids: Tensor | None, pointers: Tensor, nodes: Tensor, *, sample_sizes: Sequence[int] = (), return_eids: bool = False
) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Neighbours of nodes, then neighbours of these, and so on, with the ends of all edges numbered anew."""
    row, pointers, start = row.reshape(-1), pointers.reshape(-1), nodes.reshape(-1)
    known = list(start.tolist())
    numbers = {node: number for number, node in enumerate(known)}
    reached, edges = list(known), [row.new_zeros(0)]
    sources: list[int] = []
    targets: list[int] = []
    for step, size in enumerate(sample_sizes, 1):
        centres = torch.tensor(reached, dtype=row.dtype)
        found, counts, own = _sampled(row, pointers, centres, ids, size, None)
        ends = found.tolist()
        sources += ends
        targets += torch.repeat_interleave(centres, counts).tolist()
        if step < len(sample_sizes):  # as in Paddle, nodes of earlier steps come again, with another number
            reached = sorted({*ends} - {*reached})
        else:  # nobody asks for neighbours of these
            reached = [node for node in dict.fromkeys(ends) if node not in numbers]
        numbers.update(zip(reached, range(len(known), len(known) + len(reached))))
        known += reached
        edges.append(own)
    if not sources:
        raise invalid_argument("sample_sizes", "sizes for which there are edges", list(sample_sizes), "graph_khop_sampler")

    def numbered(found: list[int]) -> Tensor:
        return torch.tensor([numbers[node] for node in found], dtype=row.dtype, device=row.device)

    index = torch.tensor(known, dtype=row.dtype, device=row.device)
    places = numbered(start.tolist()).reshape(nodes.shape)
    return numbered(sources)[:, None], numbered(targets)[:, None], index, places, torch.cat(edges)
