"""Rows of a table that came from servers, where a step reads them, and their gradients, each row of which goes back once."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import fx

from paddle_compat.engine import alone, autograd
from paddle_compat.engine.rewriting import is_call, only_user, rank_of
from paddle_compat.ops._sparse_updates import Occurrences

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import Lowered

_LOOKUPS = ("lookup_table", "lookup_table_v2")


class FoundRows(NamedTuple):
    """What a step asked servers for.

    Attributes:
        table: stands here for the table.
        ids: lists of ids.
        where: their occurrences, list after list; where the lists lie `beside` each other, one of each list after another.
        rows: of each id once.
        last_is_one: lists come with a last dimension of 1, which goes.
    """

    table: torch.Tensor
    ids: list[torch.Tensor]
    where: Occurrences
    rows: torch.Tensor
    last_is_one: bool
    beside: bool

    def lists(self) -> list[torch.Tensor]:
        """The rows of each list."""
        every = torch.cat([ids.reshape(-1) for ids in self.ids])
        values = self.rows.index_select(0, self.where.back)
        outputs = _RemoteRows.apply(self.table, every, values).split([ids.numel() for ids in self.ids])
        return [
            out.view(*(ids.shape[:-1] if self.last_is_one else ids.shape), out.shape[-1])
            for out, ids in zip(outputs, self.ids, strict=True)
        ]

    def gradient(self, gradients: list[torch.Tensor]) -> torch.Tensor:
        """The table's gradient, from those of each list's rows."""
        return self._gradient(torch.cat([each.reshape(-1, self.rows.shape[1]) for each in gradients]))

    def joined(self, flat: bool) -> torch.Tensor:
        """The rows of all lists side by side, from which gradients start; `flat`: each list's as a matrix."""
        if self.beside:
            found = self.rows.index_select(0, self.where.back).view(len(self.ids[0]), -1)
        else:
            found = torch.cat(self._parts(flat), 1)
        return found.requires_grad_()

    def gradient_of_joined(self, gradient: torch.Tensor, flat: bool) -> torch.Tensor:
        """The table's gradient, from that of `joined`."""
        if self.beside:
            return self._gradient(gradient.reshape(-1, self.rows.shape[1]))
        return self.gradient(list(gradient.split([part.shape[1] for part in self._parts(flat)], 1)))

    def _parts(self, flat: bool) -> list[torch.Tensor]:
        return [part.reshape(-1, part.shape[-1]) if flat else part for part in self.lists()]

    def _gradient(self, values: torch.Tensor) -> torch.Tensor:
        rows, shape = self.where.rows[None], self.table.shape
        return torch.sparse_coo_tensor(rows, self.where.merged(values), shape, is_coalesced=True, check_invariants=False)


class _RemoteRows(torch.autograd.Function):
    """Rows that came from servers, as if they had been read from the table that stands for theirs."""

    @staticmethod
    def forward(ctx: Any, table: torch.Tensor, ids: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(ids)
        ctx.shape = table.shape
        return values

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> Any:
        (ids,), (gradient,) = ctx.saved_tensors, gradients
        # the row of padding gets gradients, too, as where the table is here
        return torch.sparse_coo_tensor(ids[None], gradient, ctx.shape, check_invariants=False), None, None


def rows_of(lists: Sequence[torch.Tensor], gradients: Sequence[torch.Tensor], height: int) -> torch.Tensor:
    """The gradient of a table, of those of the rows that were looked up; that of padding has one, too, as where the table is here."""
    where = Occurrences.of(torch.cat([each.reshape(-1) for each in lists]))
    values = where.merged(torch.cat([each.reshape(-1, each.shape[-1]) for each in gradients]))
    shape = (height, values.shape[-1])
    return torch.sparse_coo_tensor(where.rows[None], values, shape, is_coalesced=True, check_invariants=False)


def join(lowered: Lowered, graph: fx.Graph) -> None:
    """Rewrite the graph in place: gradients of look-ups whose rows came together become one of the table, which has each row once, and
    rows that stand side by side in one concat come so."""
    for node in list(graph.nodes):
        op = lowered.nodes.get(node.name)
        if op is not None and op.type == "distributed_lookup_table" and node.op == "call_function":
            _merge(lowered, graph, node)


def _merge(lowered: Lowered, graph: fx.Graph, lookup: Any) -> None:
    lists, op = list(lookup.args[1]), lowered.nodes[lookup.name]
    made = _pushed(lists) or _added(lowered, lookup.args[0], lists)
    if made is None:
        return
    total, gradients, others = made
    with graph.inserting_before(lookup):
        found = graph.create_node("call_function", lookup.target.__self__.find, lookup.args, name="found")
        rows = graph.create_node("call_function", FoundRows.lists, (found,), name="rows")
    lowered.nodes[found.name] = lowered.nodes[rows.name] = lowered.nodes.pop(lookup.name)
    lookup.replace_all_uses_with(rows)
    graph.erase_node(lookup)
    with graph.inserting_before(total):
        merged = graph.create_node("call_function", FoundRows.gradient, (found, gradients), name="rows_gradient")
    lowered.nodes[merged.name] = lowered.nodes.get(total.name, op)
    total.replace_all_uses_with(merged)
    _erase(graph, [total], *others)
    _side_by_side(lowered, graph, found, rows, merged)


def _pushed(lists: list[Any]) -> tuple[Any, list[Any], list[list[Any]]] | None:
    """The node of the table's gradient, where one makes it; those of each list's; what else goes with it."""
    total = next((user for user in lists[0].users if user.target is rows_of), None)
    if total is None or len(set(lists)) < len(lists) or len(total.args[0]) != len(lists) or set(total.args[0]) != set(lists):
        return None
    ids = list(total.args[0])
    return total, [total.args[1][ids.index(each)] for each in lists], []


def _added(lowered: Lowered, table: Any, lists: list[Any]) -> tuple[Any, list[Any], list[list[Any]]] | None:
    """The same, where it is the sum of those that look-ups make one by one."""
    parts: list[Any] = [None] * len(lists)
    for node in table.users:
        place = _place(node, lists, parts)
        if place is not None:
            parts[place] = node
    if None in parts:
        return None
    rows, gradients = [only_user(part) for part in parts], [part.args[2]["Out"][0] for part in parts]
    if len(parts) == 1:
        return None if rows[0] is None else (rows[0], gradients, [parts])
    sums: set[Any] = {None if each is None else only_user(each) for each in rows}
    total, *others = sums
    if others or not is_call(lowered, total, "sum") or len(total.args[0]) != len(parts):
        return None
    return total, gradients, [rows, parts]


def _place(node: Any, lists: list[Any], taken: list[Any]) -> int | None:
    """Which list of ids a node differentiates the look-up of; None: it is no such node."""
    if node.target is not alone.gradient or node.args[0] not in _LOOKUPS or not node.kwargs["attrs"].get("is_sparse"):
        return None
    ids = node.args[1]["Ids"]
    return next((i for i, each in enumerate(lists) if each is ids and taken[i] is None), None)


def _side_by_side(lowered: Lowered, graph: fx.Graph, found: Any, rows: fx.Node, merged: Any) -> None:
    """Rows that one concat puts side by side, and that nobody else reads: found so, and differentiated as one."""
    gradients = list(merged.args[1])
    backward = gradients[0].args[0]
    if backward.target is not autograd.backward or any(each.args[0] is not backward or only_user(each) is not merged for each in gradients):
        return
    wrt = list(backward.args[1])
    leaves = [wrt[each.args[1]] for each in gradients]
    lists = [leaf.args[0] for leaf in leaves]
    if any(leaf.target is not autograd.differentiable for leaf in leaves) or any(
        each.target is not operator.getitem or each.args != (rows, i) or only_user(each) is not leaves[i] for i, each in enumerate(lists)
    ):
        return
    matrices, flat = _matrices(lowered, found, backward, leaves)
    if not matrices:
        return
    concat, *others = matrices[0].users.keys() - {backward}
    if others or not is_call(lowered, concat, "concat") or rank_of(lowered, concat, "X") != 2:
        return
    parts = list(concat.args[0])
    start = parts.index(matrices[0])
    stop = start + len(matrices)
    if len(concat.args) > 1 or concat.kwargs.get("axis", 0) not in (1, -1) or parts[start:stop] != matrices:
        return
    if any(matrix.users.keys() - {backward} != {concat} for matrix in matrices):
        return
    found.kwargs = {"beside": True}
    with graph.inserting_before(concat):
        joined = graph.create_node("call_function", FoundRows.joined, (found, flat), name="rows_joined")
    lowered.nodes[joined.name] = lowered.nodes[found.name]
    concat.args = ([*parts[:start], joined, *parts[stop:]],)
    kept = [each for each in wrt if each not in leaves]
    for node in list(backward.users):
        if node not in gradients:
            node.args = (backward, kept.index(wrt[node.args[1]]))
    backward.args = (backward.args[0], [*kept, joined])
    with graph.inserting_before(merged):
        gradient = graph.create_node("call_function", operator.getitem, (backward, len(kept)))
    merged.target, merged.args = FoundRows.gradient_of_joined, (found, gradient, flat)
    _erase(graph, gradients, matrices if flat else [], leaves, lists, [rows])


def _matrices(lowered: Lowered, found: Any, backward: Any, leaves: list[Any]) -> tuple[list[Any], bool]:
    """What holds each list's rows as a matrix, and whether it is a reshape of them; an empty list: nothing does."""
    readers = [list(leaf.users.keys() - {backward}) for leaf in leaves]
    if any(len(each) != 1 for each in readers):
        return [], False
    op = lowered.nodes[found.name]
    width = op.block._var_recursive(op.input("W")[0]).shape[1]
    shapes = [each for (each,) in readers if is_call(lowered, each, "reshape2")]
    if all(not any(each.args[1:]) and list(each.kwargs.get("shape", [])) == [-1, width] for each in shapes) and len(shapes) == len(leaves):
        return shapes, True
    return [] if shapes or op.attrs.get("lookup_table_version") != "lookup_table" else leaves, False


def _erase(graph: fx.Graph, *nodes: list[Any]) -> None:
    for each in nodes:
        for node in each:
            graph.erase_node(node)
