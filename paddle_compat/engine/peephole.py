"""Peepholes: rewrites of a lowered graph that change its speed and nothing else (but the last bits).

Each takes the graph and says whether it changed something; `benchmarks/peepholes.py` shows what each one brings.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import fx

from paddle_compat.core.op import find_op

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import Lowered

# What `apply` does; a benchmark or a test that wants to see one peephole alone changes it.
ENABLED = ["affine", "cross_entropy", "lookups"]


def apply(lowered: Lowered) -> None:
    """Rewrite the graph in place."""
    graph = lowered.module.graph
    changed = False
    for name in ENABLED:
        changed = _PEEPHOLES[name](lowered, graph) or changed
    if changed:
        lowered.module.recompile()


def _rank(lowered: Lowered, node: fx.Node, slot: str) -> int:
    """Dimensions of what the node's operator has in an input slot."""
    op = lowered.nodes[node.name]
    var = op.block._find_var_recursive(op.input(slot)[0])
    return -1 if var is None else len(var.shape)


def _function(type_: str) -> Any:
    definition = find_op(type_)
    return None if definition is None else definition.fn


def _only_user(node: Any) -> fx.Node | None:
    users = list(node.users)
    return users[0] if len(users) == 1 else None


def _replace(lowered: Lowered, old: fx.Node, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> fx.Node:
    graph = old.graph
    with graph.inserting_before(old):
        new = graph.create_node("call_function", target, args, kwargs or {}, name=old.name)
    name, op = old.name, lowered.nodes.pop(old.name)
    old.replace_all_uses_with(new)
    graph.erase_node(old)
    new.name = name  # the graph still reads like the network
    lowered.nodes[name] = op
    return new


# ---- x W + b
def affine2d(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """A product of matrices and a bias on the last dimension, in one call."""
    return torch.addmm(b, x, w)


def affine(x: torch.Tensor, w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """As `affine2d` for more dimensions of x."""
    return F.linear(x, w.t(), b)


def _affine(lowered: Lowered, graph: fx.Graph) -> bool:
    """mul or matmul_v2, then a bias on the last dimension: one addmm."""
    products = {_function("mul"): "mul", _function("matmul_v2"): "matmul_v2"}
    add = _function("elementwise_add")
    changed = False
    for node in list(graph.nodes):
        if node.target is not add or not isinstance(node.args[0], fx.Node) or node.args[0].target not in products:
            continue
        product, bias = node.args[0], node.args[1]
        if _only_user(product) is not node or product.name not in lowered.nodes or node.name not in lowered.nodes:
            continue
        rank, columns = _rank(lowered, product, "X"), _rank(lowered, product, "Y")
        if columns != 2 or rank < 2 or _rank(lowered, node, "Y") != 1 or node.kwargs.get("axis", -1) not in (-1, rank - 1):
            continue
        if product.kwargs != ({"x_num_col_dims": rank - 1} if products[product.target] == "mul" and rank > 2 else {}):
            continue
        _replace(lowered, node, affine2d if rank == 2 else affine, (product.args[0], product.args[1], bias))
        graph.erase_node(product)
        changed = True
    return changed


# ---- softmax, cross entropy, mean
def mean_nll_of_logits(logits: torch.Tensor, label: torch.Tensor, ignore_index: int = -100, rank1: bool = False) -> torch.Tensor:
    """The mean of `nll_of_logits` over all rows, also over those it ignores."""
    loss = F.cross_entropy(logits, label.squeeze(-1).long(), reduction="sum", ignore_index=ignore_index) / label.numel()
    return loss.reshape(1) if rank1 else loss


def nll_of_logits(logits: torch.Tensor, label: torch.Tensor, ignore_index: int = -100) -> torch.Tensor:
    """Cross entropy of integer labels [N, 1] from logits [N, C], shape [N, 1]."""
    return F.cross_entropy(logits, label.squeeze(-1).long(), reduction="none", ignore_index=ignore_index).unsqueeze(-1)


def _cross_entropy(lowered: Lowered, graph: fx.Graph) -> bool:
    """softmax, then cross entropy on it: one cross entropy of the logits; a softmax that nobody reads is not computed."""
    softmax = _function("softmax")
    changed = False
    for node in list(graph.nodes):
        op = lowered.nodes.get(node.name) if node.op == "call_function" else None
        if op is None or op.type not in _LOSS_OUTPUT or node.target is not _function(op.type) or set(node.kwargs) - {"ignore_index", "use_softmax"}:
            continue
        source, label = node.args[0], node.args[1]
        if _rank(lowered, node, op.definition.inputs[0].name) != 2 or _rank(lowered, node, "Label") != 2:
            continue
        outputs = _outputs(node)
        if outputs is None or set(outputs) != {_LOSS_OUTPUT[op.type]} or not isinstance(source, fx.Node):
            continue
        if op.type == "softmax_with_cross_entropy" and node.kwargs.get("use_softmax", True):
            logits = source
        elif source.target is softmax and source.kwargs.get("axis", -1) in (-1, 1):
            logits = source.args[0]
        else:
            continue
        loss = outputs[_LOSS_OUTPUT[op.type]]
        lowered.nodes[loss.name] = op
        new = _replace(lowered, loss, nll_of_logits, (logits, label), {k: v for k, v in node.kwargs.items() if k == "ignore_index"})
        mean = _only_user(new)
        if mean is not None and _is_whole_mean(lowered, mean):
            extra = {"rank1": True} if mean.kwargs.get("_rank1") else {}
            _replace(lowered, mean, mean_nll_of_logits, (logits, label), {**new.kwargs, **extra})
            graph.erase_node(new)
        for dead in (node, source):
            if dead is not loss and dead.op == "call_function" and not [u for u in dead.users if u.users or u.op == "output"]:
                for user in list(dead.users):
                    graph.erase_node(user)
                graph.erase_node(dead)
        changed = True
    return changed


def _is_whole_mean(lowered: Lowered, node: fx.Node) -> bool:
    """Whether the node is a mean over all dimensions."""
    op = lowered.nodes.get(node.name)
    if op is None or node.target is not _function(op.type):
        return False
    if op.type == "mean":
        return not set(node.kwargs) - {"_rank1"}
    whole = node.kwargs.get("reduce_all", False) or node.kwargs.get("dim", [0]) == []
    return op.type == "reduce_mean" and bool(whole) and not node.kwargs.get("keep_dim") and not set(node.kwargs) - {"reduce_all", "dim", "_rank1"}


# position of the loss among the outputs of what computes it
_LOSS_OUTPUT = {"cross_entropy": 0, "cross_entropy2": 0, "softmax_with_cross_entropy": 1}


def _outputs(node: fx.Node) -> dict[int, fx.Node] | None:
    """The nodes that take the outputs of a node, by position; the node itself at 0 when it has one output."""
    items: dict[int, fx.Node] = {}
    for user in node.users:
        if user.target is operator.getitem and user.args[0] is node:
            if user.users:
                items[user.args[1]] = user  # type: ignore[index]
        else:
            return {0: node} if all(u.target is not operator.getitem for u in node.users) else None
    return items or None


# ---- many look-ups of one table
def lookup_many(table: torch.Tensor, ids: list[torch.Tensor], lookup: Any, squeeze: bool, kwargs: dict[str, Any]) -> list[torch.Tensor]:
    """The rows of several id tensors with one look-up."""
    shapes = [i.shape[:-1] if squeeze else i.shape for i in ids]
    sizes = [i.numel() for i in ids]
    flat = torch.cat([i.reshape(-1) for i in ids])
    rows = lookup(table, flat.unsqueeze(-1) if squeeze else flat, **kwargs)
    return [part.reshape(*shape, table.shape[1]) for part, shape in zip(torch.split(rows, sizes), shapes)]


def _lookups(lowered: Lowered, graph: fx.Graph) -> bool:
    """Look-ups of one table whose ids are all there before the first: one look-up of all ids."""
    groups: dict[Any, list[fx.Node]] = defaultdict(list)
    for node in graph.nodes:
        if node.op == "call_function" and node.name in lowered.nodes:
            op = lowered.nodes[node.name]
            if op.type in ("lookup_table", "lookup_table_v2") and node.target is _function(op.type):
                table, ids = _table_and_ids(node, op)
                if isinstance(ids, fx.Node) and ids.op == "placeholder":
                    groups[(table, op.type, tuple(sorted((k, repr(v)) for k, v in node.kwargs.items())))].append(node)
    changed = False
    for (table, kind, _), nodes in groups.items():
        if len(nodes) < 3:
            continue
        ids = [_table_and_ids(n, lowered.nodes[n.name])[1] for n in nodes]
        with graph.inserting_before(nodes[0]):
            many = graph.create_node(
                "call_function", lookup_many, (table, ids, _by_table(kind), kind == "lookup_table", dict(nodes[0].kwargs)), name="lookups"
            )
            lowered.nodes[many.name] = lowered.nodes[nodes[0].name]
            for i, node in enumerate(nodes):
                row = graph.create_node("call_function", operator.getitem, (many, i), name=node.name)
                node.replace_all_uses_with(row)
        for node in nodes:
            graph.erase_node(node)
        changed = True
    return changed


def _table_and_ids(node: fx.Node, op: Any) -> tuple[Any, Any]:
    order = [s.name for s in op.definition.inputs]
    return node.args[order.index("W")], node.args[order.index("Ids")]


def _by_table(kind: str) -> Any:
    """The look-up operator's function with the table as first argument."""
    definition = find_op(kind)
    assert definition is not None
    if [s.name for s in definition.inputs][0] == "W":
        return definition.fn
    return _Swapped(definition.fn)


class _Swapped:
    """A function of (ids, table) called with (table, ids)."""

    def __init__(self, fn: Any) -> None:
        self.fn = fn
        self.__name__ = fn.__name__

    def __call__(self, table: torch.Tensor, ids: torch.Tensor, **kwargs: Any) -> Any:
        return self.fn(ids, table, **kwargs)


_PEEPHOLES = {"affine": _affine, "cross_entropy": _cross_entropy, "lookups": _lookups}
