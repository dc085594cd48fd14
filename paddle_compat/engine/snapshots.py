"""What a Program cut, reshaped or cast from a state before it updates the state in place.

PyTorch gives views there, Paddle copies. So what such an operator made, and somebody reads after the update (a fetch, a persistable
variable, a later operator), is copied in front of it where it shows the state's memory.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch
from torch import fx

from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.engine import autograd, reductions
from paddle_compat.engine.order import interface

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import _Lowering

# Operators whose results are always new, and those that share memory in Paddle, too.
_NEW = frozenset(
    {
        *(f"elementwise_{name}" for name in ("add", "sub", "mul", "div", "max", "min", "mod", "floordiv", "pow")),
        *("accuracy", "auc", "batch_norm", "conv2d", "cross_entropy", "cross_entropy2", "layer_norm", "lookup_table", "lookup_table_v2"),
        *("matmul", "matmul_v2", "mean", "mul", "reduce_mean", "reduce_sum", "relu", "scale", "share_data", "sigmoid", "softmax"),
        *("softmax_with_cross_entropy", "sqrt", "square", "square_error_cost", "tanh", "top_k", "top_k_v2"),
    }
)
_SAME = (operator.getitem, torch.Tensor.detach, autograd.alias, autograd.stopped, autograd.differentiable, autograd.result)

# These take the tensors themselves: a backward pass goes back to them, and what the operators kept of them has a version.
_BACKWARD = (autograd.backward, reductions.backward_and_sums)
_BY_IDENTITY = (operator.getitem, *_BACKWARD)


def own(value: Any, *states: Any) -> Any:
    """The value, or a copy of it where it shows the memory of one of these states."""
    if not isinstance(value, torch.Tensor) or value.layout is not torch.strided:
        return value
    memory = _memory(value)
    return value.clone() if any(_memory(state) == memory for state in states) else value


def _memory(value: torch.Tensor) -> int:
    held: torch.Tensor = getattr(value, "_local_tensor", value)
    found: int = held.untyped_storage()._cdata
    return found


def take_snapshots(lowering: _Lowering) -> None:
    """In a complete graph, copy in front of updates what shows the updated state and is read afterwards."""
    place = {node: i for i, node in enumerate(lowering.graph.nodes)}
    first: dict[fx.Node, fx.Node] = {}  # each state's first update
    for node, names in sorted([*lowering.writers, *_with_blocks(lowering, place)], key=lambda pair: place[pair[0]]):
        for name in names:
            if name in lowering.states:
                first.setdefault(lowering.states[name], node)
    shown: dict[fx.Node, set[fx.Node]] = {state: {state} for state in first}
    backward = max((i for node, i in place.items() if node.target in _BACKWARD), default=-1)
    for node in place:
        op = lowering.nodes.get(node.name)
        if node in shown or node.op != "call_function" or not _may_show(node, op):
            continue
        states = set().union(*(shown.get(source, ()) for source in node.all_input_nodes))
        if states:
            shown[node] = states
            later = [s for s in states if place[first[s]] > place[node]]
            if (op is not None or node.target is operator.getitem) and any(place[first[s]] < backward for s in later):
                _copy_at_once(lowering.graph, node, later)
            else:
                _copy(lowering.graph, node, later, first, place)


def _with_blocks(lowering: _Lowering, place: dict[fx.Node, int]) -> Iterator[tuple[fx.Node, list[str]]]:
    """Branches and loops that update what lies outside of them."""
    for node in place:
        op = lowering.nodes.get(node.name)
        if op is not None and "sub_block" in op.attrs:
            yield node, [name for name in interface(op)[1] if name in lowering.written_over]


def _may_show(node: fx.Node, op: Operator | None) -> bool:
    """Whether the node's result may lie in the memory of what it reads."""
    if op is None:
        return node.target in _SAME
    return op.type not in _NEW and not op.role & OpRole.Backward


def _copy_at_once(graph: fx.Graph, node: fx.Node, states: list[fx.Node]) -> None:
    """A backward pass behind the update goes through what was made: it finds the copy there, and only states themselves anew."""
    users = list(node.users)
    with graph.inserting_after(node):
        copied = graph.call_function(own, (node, *states))
    for user in users:
        user.replace_input_with(node, copied)


def _copy(graph: fx.Graph, node: fx.Node, states: list[fx.Node], first: dict[fx.Node, fx.Node], place: dict[fx.Node, int]) -> None:
    if not states:
        return
    update = min((first[state] for state in states), key=lambda writer: place[writer])
    late = [user for user in node.users if place.get(user, -1) > place[update] and user.target not in _BY_IDENTITY]
    if not late:
        return
    with graph.inserting_before(update):
        copied = graph.call_function(own, (node, *sorted(states, key=lambda state: place[state])))
    for user in late:
        user.replace_input_with(node, copied)
