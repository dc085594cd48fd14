"""What fx nodes are made of: names that Python can write, and attributes as fx takes them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from torch import fx

from paddle_compat.core.dtype import VarType
from paddle_compat.core.op import Op
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Block


def bound(fn: Callable[..., Any], attrs: dict[str, Any]) -> Callable[..., Any]:
    """`fn` with attributes whose names generated code cannot write, because Python keeps them for itself (`lambda`)."""

    @wraps(fn)
    def call(*args: Any, **others: Any) -> Any:
        return fn(*args, **attrs, **others)

    return call


def attributes(definition: Op, op: Operator) -> dict[str, Any]:
    """The operator's attributes that differ from the defaults, as fx takes them."""
    found = {}
    for name in (*definition.attrs, *definition.required):
        value = op.attrs.get(name)
        if name in op.attrs and not (name in definition.attrs and _same(value, definition.attrs[name])):
            found[name] = _plain(value)
    if "_outs" in definition.attrs:  # which kinds of variables it writes, where the function has to know
        written = map(op.block._find_var_recursive, op.output_arg_names)
        found["_outs"] = [int(VarType.LOD_TENSOR if var is None else var.type) for var in written]
    return found


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and bool(a == b)


def _plain(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    return value


def python_name(name: str) -> str:
    clean = re.sub(r"\W", "_", name)
    return clean if clean[:1].isalpha() else "v" + clean


def drop_unread_constants(graph: fx.Graph, nodes: dict[str, Operator]) -> None:
    """Take out constants that nobody reads, mostly the gradient that a backward pass starts from."""
    for node in reversed(list(graph.nodes)):
        op = nodes.get(node.name)
        if op is not None and op.type == "fill_constant" and not node.users and not any(node.args):
            graph.erase_node(node)
            del nodes[node.name]


def kept_apart(op: Operator, definition: Op, slot: str) -> bool:
    """Whether an operator that writes over what is in an input slot has another output for it."""
    names = op.inputs.get(slot)
    return any(given == slot and op.outputs.get(out, names) not in (names, []) for out, given in definition.inplace.items())


def updates_in_place(block: Block, op: Operator, definition: Op) -> bool:
    """Whether the operator's results take the place of its inputs, and none of these is sparse."""
    if any(kept_apart(op, definition, slot) for slot in definition.inplace.values()):
        return False
    for names in op.inputs.values():
        for name in names:
            var = block._find_var_recursive(name)
            if var is not None and var.type == VarType.SELECTED_ROWS:
                return False
    return True
