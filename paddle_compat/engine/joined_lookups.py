"""Many look-ups of one table, and the sums of their rows over sequences: one look-up of all ids.

Ids lie example after example, so that what one example found lies side by side, where a concat of all slots wants it.
"""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import fx

from paddle_compat.core.lod import LoD, lod_of_rows
from paddle_compat.engine.order import in_place
from paddle_compat.engine.rewriting import function_of, is_call, only_user, rank_of, variable_of
from paddle_compat.ops._lod import offsets_of, ranges, take

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import Lowered

_LOOKUPS = ("lookup_table", "lookup_table_v2")
_ATTRS = ("is_sparse", "padding_idx")
_POOLS = ("SUM", "AVERAGE", "SQRT")
_FEW = 3  # look-ups that are not worth joining


# ---- what the nodes call
def lookup_many(ids: list[torch.Tensor], table: torch.Tensor, squeeze: bool = False, **attrs: Any) -> list[torch.Tensor]:
    """The rows of several id tensors with one look-up; `squeeze`: their last dimension has size 1 and goes."""
    rows = function_of("lookup_table_v2")(torch.cat([i.reshape(-1) for i in ids]), table, **attrs)
    parts = torch.split(rows, [i.numel() for i in ids])
    return [part.reshape(_shape(i, table, squeeze)) for part, i in zip(parts, ids, strict=True)]


def lookup_joined(ids: list[torch.Tensor], table: torch.Tensor, squeeze: bool = False, **attrs: Any) -> torch.Tensor:
    """The rows of several id tensors [N, 1], side by side: [N, len(ids) * columns]."""
    if all(i.dim() == 2 and i.shape[1] == 1 for i in ids):
        return function_of("lookup_table_v2")(torch.cat(ids, 1), table, **attrs).flatten(1)
    rows = lookup_many(ids, table, squeeze, **attrs)  # what was fed is not what was declared
    return torch.cat(rows if squeeze else [r.reshape(-1, table.shape[1]) for r in rows], 1)


def lookup_pooled(
    ids: list[torch.Tensor], lods: list[LoD], table: torch.Tensor, pool: dict[str, Any], squeeze: bool = False, **attrs: Any
) -> list[torch.Tensor]:
    """The sums of the rows of each sequence of several id tensors, with one look-up; `pool` are the attributes of sequence_pool."""
    found = _pooled(ids, lods, table, pool, attrs)
    if found is None:
        rows = lookup_many(ids, table, squeeze, **attrs)
        return [function_of("sequence_pool")(row, x_lod=lod, **pool)[0] for row, lod in zip(rows, lods, strict=True)]
    return [part.reshape(-1, *_shape(i, table, squeeze)[1:]) for part, i in zip(found.unbind(1), ids, strict=True)]


def lookup_pooled_joined(
    ids: list[torch.Tensor], lods: list[LoD], table: torch.Tensor, pool: dict[str, Any], squeeze: bool = False, **attrs: Any
) -> torch.Tensor:
    """The same, side by side: [sequences, len(ids) * columns]."""
    found = _pooled(ids, lods, table, pool, attrs)
    if found is None:
        return torch.cat([part.reshape(-1, table.shape[1]) for part in lookup_pooled(ids, lods, table, pool, squeeze, **attrs)], 1)
    return found.flatten(1)


def outer_levels(lod: LoD) -> LoD | None:
    """The LoD of what is pooled over the sequences of the last level."""
    return lod[:-1] or None


def _shape(ids: torch.Tensor, table: torch.Tensor, squeeze: bool) -> tuple[int, ...]:
    return (*(ids.shape[:-1] if squeeze else ids.shape), table.shape[1])


def _pooled(
    ids: list[torch.Tensor], lods: list[LoD], table: torch.Tensor, pool: dict[str, Any], attrs: dict[str, Any]
) -> torch.Tensor | None:
    """The sums, [sequences, len(ids), columns]; None where the slots do not have as many sequences of single ids."""
    if not all(lods):
        return None
    ends = [lod[-1] for lod in lods]
    size = ends[0].numel() - 1
    if any(end.numel() != size + 1 for end in ends) or any(i.numel() != i.shape[0] for i in ids):
        return None
    starts = torch.stack(ends)
    counts = starts.diff()
    look_up = function_of("lookup_table_v2")
    if all(i.shape[0] == size for i in ids) and bool((counts == 1).all()):  # the row itself, whatever the pool
        found: torch.Tensor = look_up(torch.cat([i.reshape(-1, 1) for i in ids], 1), table, **attrs)
        return found
    totals = starts[:, -1]
    if totals.tolist() != [i.shape[0] for i in ids] or not int(totals.sum()):
        return None
    begins = starts[:, :-1] + (totals.cumsum(0) - totals).unsqueeze(1)
    counts = counts.t().reshape(-1)
    chosen = take(torch.cat([i.reshape(-1) for i in ids]), ranges(begins.t().reshape(-1), counts))
    found = _Sums.apply(look_up(chosen, table, **attrs), counts)
    kind, counts = pool.get("pooltype", "AVERAGE"), counts.to(table.device).unsqueeze(1)
    if kind != "SUM":
        divisor = counts.clamp(min=1).to(found.dtype)
        found = found / (divisor if kind == "AVERAGE" else divisor.sqrt())
    if not bool(counts.all()):
        found = torch.where(counts == 0, pool.get("pad_value", 0.0), found)
    return found.view(size, len(ids), -1)


class _Sums(torch.autograd.Function):
    """The sums of so many rows each, added in their order."""

    @staticmethod
    def forward(ctx: Any, rows: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(counts)
        places = torch.arange(len(rows), device=rows.device)
        return F.embedding_bag(places, rows, offsets_of(counts)[:-1].to(rows.device), mode="sum")

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        (counts,), (gradient,) = ctx.saved_tensors, gradients
        return gradient.repeat_interleave(counts.to(gradient.device), 0), None


# ---- the rewrite
def join(lowered: Lowered, graph: fx.Graph, pooled: bool = True) -> None:
    """Rewrite the graph in place.

    Args:
        pooled: also where rows are pooled over sequences, which looks at the LoD as it runs.
    """
    groups: dict[Any, list[fx.Node]] = defaultdict(list)
    updates: Counter[fx.Node] = Counter()  # how often a table was written in its place
    for node in graph.nodes:
        op = lowered.nodes.get(node.name) if node.op == "call_function" else None
        if op is None:
            continue
        if op.type in _LOOKUPS and node.target is function_of(op.type):
            ids, table = node.args[:2]
            if isinstance(ids, fx.Node) and ids.op == "placeholder" and not node.kwargs.get("_by_count"):  # whose counts are its own
                attrs = tuple(sorted((key, repr(value)) for key, value in node.kwargs.items()))
                groups[(table, op.type, attrs, updates[table])].append(node)
        elif in_place(op):
            updates.update(node.all_input_nodes)
    for (table, kind, *_), nodes in groups.items():
        given = nodes[0].kwargs  # the rest says how servers keep a table, each kind's in words of its own
        kwargs = {name: given[name] for name in _ATTRS if name in given} | ({"squeeze": True} if kind == "lookup_table" else {})
        left = dict(zip(nodes, nodes, strict=True))
        for pool, sums in _pools(lowered, nodes).items() if pooled else ():
            if len(sums) >= _FEW:
                lods = [value.args[0].kwargs["x_lod"] for value in sums.values()]
                _replace(lowered, sums, (lookup_pooled, lookup_pooled_joined), [lods], table, {**kwargs, "pool": dict(pool)})
                left = {node: value for node, value in left.items() if node not in sums}
        if len(left) >= _FEW:
            _replace(lowered, left, (lookup_many, lookup_joined), [], table, kwargs)


def _pools(lowered: Lowered, lookups: list[fx.Node]) -> dict[Any, dict[fx.Node, Any]]:
    """By the pool's attributes, the look-ups of sequences that nothing but a pool reads, and the node of its sums."""
    found: dict[Any, dict[fx.Node, Any]] = defaultdict(dict)
    for lookup in lookups:
        pool: Any = only_user(lookup)
        if not is_call(lowered, pool, "sequence_pool") or getattr(pool.kwargs.get("x_lod"), "op", "") != "placeholder":
            continue
        attrs = {key: value for key, value in pool.kwargs.items() if key not in ("x_lod", "is_test")}
        if attrs.get("pooltype", "AVERAGE") not in _POOLS:
            continue
        _keep_outer_levels(pool.graph, pool)
        value: Any = only_user(pool)
        if value is not None and value.target is operator.getitem and value.args[1] == 0:
            found[tuple(sorted(attrs.items()))][lookup] = value
    return found


def _keep_outer_levels(graph: fx.Graph, pool: fx.Node) -> None:
    """What a pool leaves of the LoD, without the pool, if anybody reads it."""
    for left in [user for user in pool.users if user.args[1:] == (1,)]:
        for rows in [user for user in left.users if user.target is lod_of_rows and not user.users]:
            graph.erase_node(rows)
        if left.users:
            with graph.inserting_before(pool):
                left.replace_all_uses_with(graph.create_node("call_function", outer_levels, (pool.kwargs["x_lod"],)))
        graph.erase_node(left)


def _replace(
    lowered: Lowered, values: dict[fx.Node, fx.Node], calls: tuple[Any, Any], more: list[Any], table: Any, kwargs: dict[str, Any]
) -> None:
    """Put one call in the place of many look-ups.

    Args:
        values: of each look-up the node of what the call gives for it.
        calls: what gives a list of these, and what gives them side by side.
        more: what it takes between the ids and the table.
    """
    lookups = list(values)
    graph = lookups[0].graph
    many, joined = calls
    args = ([node.args[0] for node in lookups], *more, table)
    rows = [_flat(lowered, node, value) for node, value in values.items()]
    concat = _side_by_side(lowered, rows)
    with graph.inserting_before(lookups[0]):  # where the table is as they found it
        made = graph.create_node("call_function", many if concat is None else joined, args, kwargs, name="lookups")
    lowered.nodes[made.name] = lowered.nodes[lookups[0].name]
    if concat is None:
        with graph.inserting_after(made):
            parts = [graph.create_node("call_function", operator.getitem, (made, i)) for i in range(len(values))]
        for part, value in zip(parts, values.values(), strict=True):
            name = value.name
            value.replace_all_uses_with(part)
            _drop(graph, value)
            part.name = name
    else:
        parts = list(concat.args[0])
        start = parts.index(rows[0])
        concat.args = ([*parts[:start], made, *parts[start + len(rows) :]],)
        if len(rows) == len(parts):
            concat.replace_all_uses_with(made)
            graph.erase_node(concat)
        for row in rows:
            _drop(graph, row)


def _side_by_side(lowered: Lowered, rows: list[Any]) -> Any:
    """The concat where matrices stand side by side, and which alone reads them; None: there is none."""
    concat: Any = None if None in rows else only_user(rows[0])
    if not is_call(lowered, concat, "concat") or rank_of(lowered, concat, "X") != 2:
        return None
    parts = list(concat.args[0])
    start = parts.index(rows[0])
    if len(concat.args) != 1 or concat.kwargs.get("axis", 0) not in (1, -1) or parts[start : start + len(rows)] != rows:
        return None
    return concat if all(only_user(row) is concat for row in rows) else None


def _flat(lowered: Lowered, lookup: fx.Node, value: fx.Node) -> Any:
    """What holds a look-up's rows, or their sums, as a matrix when its ids are [N, 1]: they themselves, or the only reshape of them."""
    ids, table = variable_of(lowered, lookup, "Ids"), variable_of(lowered, lookup, "W")
    if ids is None or table is None or len(ids.shape) != 2 or ids.shape[1] != 1:
        return None
    if lowered.nodes[lookup.name].type == "lookup_table":
        return value
    reshape = only_user(value)
    if reshape is None or not is_call(lowered, reshape, "reshape2") or any(reshape.args[1:]):
        return None
    return reshape if list(reshape.kwargs.get("shape", [])) == [-1, table.shape[1]] else None


def _drop(graph: fx.Graph, node: Any) -> None:
    """Take out a node that nobody reads, and what was there for it alone."""
    while node.op == "call_function" and not node.users:
        node, gone = node.args[0], node
        graph.erase_node(gone)
