"""What rewrites of a lowered graph ask of its nodes, and how they put one node in another's place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch import fx

from paddle_compat.core.dtype import VarType
from paddle_compat.core.op import find_op
from paddle_compat.core.variable import Variable

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import Lowered


def function_of(type_: str) -> Any:
    """What a node of an operator's type calls."""
    definition = find_op(type_)
    return None if definition is None else definition.fn


def is_call(lowered: Lowered, node: Any, type_: str) -> bool:
    """Whether a node is an operator of that type."""
    return isinstance(node, fx.Node) and node.name in lowered.nodes and node.target is function_of(type_)


def variable_of(lowered: Lowered, node: Any, slot: str) -> Variable | None:
    """The variable that the node's operator has in an input slot."""
    op = lowered.nodes[node.name]
    found: Variable | None = op.block._find_var_recursive(op.input(slot)[0])
    return found


def rank_of(lowered: Lowered, node: Any, slot: str) -> int:
    """Dimensions of what the node's operator has in an input slot."""
    var = variable_of(lowered, node, slot)
    return -1 if var is None else len(var.shape)


def is_short(lowered: Lowered, node: Any, slot: str) -> bool:
    """Whether the node's operator takes 16-bit numbers there: what it makes is rounded much, and fused operators round less often."""
    var = variable_of(lowered, node, slot)
    return var is not None and var.dtype in (VarType.FP16, VarType.BF16)


def only_user(node: Any) -> Any:
    """The node that reads this one and is the only one to do so."""
    users = list(node.users)
    return users[0] if len(users) == 1 else None


def replaced(lowered: Lowered, old: fx.Node, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> fx.Node:
    """The node of that call, which takes the place of another and its name: the graph still reads like the network."""
    graph = old.graph
    with graph.inserting_before(old):
        new = graph.create_node("call_function", target, args, kwargs or {}, name=old.name)
    name, op = old.name, lowered.nodes.pop(old.name)
    old.replace_all_uses_with(new)
    graph.erase_node(old)
    new.name = name
    lowered.nodes[name] = op
    return new
