"""Described outputs (Mean, Mask, XShape ...): which of them somebody reads, and the nodes that compute those.

Operators write them into Programs for their gradient operators, which here need none. So they get a node only where a
user fetches one or an operator reads it that does more than differentiate; nothing else pays for them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Sequence
from typing import Any

import torch
from torch import fx

from paddle_compat.core.attribute_variables import reads
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.op import Op, find_op
from paddle_compat.core.operator import EMPTY_VAR, Operator
from paddle_compat.core.program import Block, Program
from paddle_compat.engine.autograd import stopped

Call = Callable[..., fx.Node]  # makes a node: call(target, args, kwargs, name=...)


def asked_names(program: Program, fetches: Sequence[str], replaced: Container[int]) -> set[str]:
    """Names that are fetched, or read by an operator that runs by itself.

    Args:
        replaced: ids of the operators whose backward pass is one autograd call.
    """
    found = set(fetches)
    for block in program.blocks:
        for op in block.ops:
            # what is no operator of its own is a gradient operator, run through its forward one if there is one
            if id(op) not in replaced and (find_op(op.type) is not None or op.forward is None):
                found.update(reads(op))
    return found


def _asked(definition: Op, op: Operator, asked: Container[str]) -> list[tuple[str, str]]:
    """The described outputs of an operator that somebody reads: (slot, name)."""
    described = [s.name for s in definition.outputs if s.described and not s.is_list]
    return [(s, n) for s in described for n in op.outputs.get(s, [])[:1] if n != EMPTY_VAR and n in asked]


def function_of(definition: Op, op: Operator, asked: Container[str]) -> Callable[..., Any]:
    """What computes the operator: its function, or the one that returns described outputs too where somebody reads one."""
    if definition.whole is not None and _asked(definition, op, asked):
        return definition.whole
    return definition.fn


def derive(
    definition: Op, op: Operator, node: fx.Node, asked: Container[str], fetched: Container[str], call: Call, attrs: dict[str, Any]
) -> dict[str, fx.Node]:
    """Make nodes for the described outputs of an operator that somebody reads.

    Args:
        node: the operator's own node; `attrs`: its attributes, and the LoDs it takes.
        call: makes a node.

    Returns:
        name -> node; what no rule computes is left out.
    """
    made = {}
    wanted = _asked(definition, op, asked)
    lod_outputs = definition.lod if isinstance(definition.lod, tuple) else ()
    if definition.whole is not None:
        first = len(definition.returns) + len(lod_outputs)
        order = [s.name for s in definition.outputs if s.described]
        return {n: call(operator.getitem, (node, first + order.index(s)), name=n) for s, n in wanted}
    for slot, name in wanted:
        rule = definition.derive.get(slot)
        if rule is None and slot == "XShape":
            rule = _no_value if name in fetched else _x_shape
        if rule is None:
            continue
        inputs = [*node.args, *[None] * (len(definition.inputs) - len(node.args))][: len(definition.inputs)]
        several = len(definition.returns) + len(lod_outputs) > 1
        outputs = [call(operator.getitem, (node, i)) for i in range(len(definition.returns))] if several else [node]
        computed = call(rule, (*inputs, *outputs), attrs)
        made[name] = call(stopped, (computed,), name=name)
    return made


def _no_value(*inputs: Any, **attrs: Any) -> None:
    """Nothing: only the description of an XShape says something, and the wheels leave the value empty."""


def _x_shape(x: torch.Tensor, *others: Any, **attrs: Any) -> torch.Tensor:
    """What a gradient operator reads off an XShape: no numbers, a dimension of 0 and the first input's dimensions."""
    return x.new_empty((0, *x.shape))


def refuse_underived(block: Block, name: str) -> None:
    """Raise if the name is a described output, for which there is no rule."""
    for op in block.ops:
        definition = find_op(op.type)
        for slot in definition.outputs if definition is not None else ():
            if slot.described and name in op.outputs.get(slot.name, []):
                computed = ", ".join(s.name for s in definition.returns) if definition is not None else ""
                raise UnsupportedError(
                    f"fetching an output that serves the gradient of operator {op.type} alone",
                    f"{slot.name} ({name})",
                    f"the outputs that are computed: {computed}",
                )


def former(lowering: Any, name: str) -> Any:
    """The node of what stands in an output before its operator runs: what this run wrote, else the Scope's value, if it keeps one."""
    var = lowering.block._find_var_recursive(name)
    if name in lowering.values.env or var is None or not var.persistable:
        return lowering.values.env.get(name)
    if lowering.known(name):
        return lowering._read(name)
    lowering.absent.append(name)
    return None
