"""The gradient operators of one operator, by its definition."""

from __future__ import annotations

from paddle_compat.core import _grad_facts
from paddle_compat.core._grad_spec import GradSpec, copied_attributes, zero_spec
from paddle_compat.core._second_order import second_order, second_specs
from paddle_compat.core.op import Op, find_op
from paddle_compat.core.operator import EMPTY_VAR, GRAD_SUFFIX, Operator


def grad_definition(op: Operator) -> tuple[Op | None, tuple[str, ...] | None]:
    """The definition whose gradient an operator has, and the slots that its gradient operator reads (None: no gradient).

    A gradient operator differentiates as the operator it belongs to: all its inputs are kept.
    """
    definition = find_op(op.type)
    if definition is not None:
        return definition, definition.grad_slots(op.block.program.age)
    return None, (tuple(op.inputs) if op.forward is not None else None)


def grad_specs(op: Operator, live: set[str], reachable: set[str], given: dict[str, str]) -> list[GradSpec]:
    """The gradient operators of one operator: its outputs in `live` have a gradient, that of its inputs in `reachable` is wanted."""
    definition, kept = grad_definition(op)
    if kept is None:
        return []
    second = second_order(op)
    if second is not None:
        return second_specs(op, second, live, reachable, given)

    def grad(name: str) -> str:
        return given.get(name, name + GRAD_SUFFIX)

    def wanted(slot: str, names: list[str]) -> list[str]:
        found = [n + GRAD_SUFFIX if n in reachable else EMPTY_VAR for n in names]
        is_list = definition is not None and (s := definition.slot(slot)) is not None and s.is_list
        return [] if not is_list and all(f == EMPTY_VAR for f in found) else found

    if definition is not None and definition.grad_maker is not None:
        grad_outs = {s: [grad(n) for n in names] for s, names in op.outputs.items()}
        grad_ins = {s: [n + GRAD_SUFFIX if n in reachable else "" for n in names] for s, names in op.inputs.items()}
        made = definition.grad_maker(op, grad_outs, grad_ins)
        if made is not None:
            made_specs = [GradSpec(*spec) for spec in made]
            specs = [s if any(n not in ("", EMPTY_VAR) for n in s.writes()) else _unwanted(s.inputs) for s in made_specs]
            if op.type in ("split", "unbind"):  # nothing may depend on some of the parts
                read = {n for s in specs for n in s.reads() if s.type}
                dead = [n for names in op.outputs.values() for n in names if n not in live and n + GRAD_SUFFIX in read]
                return [*(zero_spec(n, op.block.program.age) for n in dead), *specs]
            return specs
    differentiated = (
        [s[: -len(GRAD_SUFFIX)] for s in kept if s.endswith(GRAD_SUFFIX)]
        if definition is not None
        else list(op.outputs)
    )
    if not differentiated and definition is not None:
        differentiated = [definition.outputs[0].name]
    first = [] if definition is None else op.outputs.get(definition.outputs[0].name, [])
    inputs = {  # a name that is no slot's stands for the first output
        s: list(op.inputs.get(s) or op.outputs.get(s) or ([] if definition is None or definition.slot(s) else first))
        for s in kept
        if definition is None or not s.endswith(GRAD_SUFFIX)
    }
    some = False
    zeros: list[GradSpec] = []
    absent: list[str] = []
    for slot in differentiated:
        alias = definition is not None and definition.slot(slot) is None
        names = op.outputs.get(definition.outputs[0].name if definition is not None and alias else slot, [])
        some = some or any(n in live for n in names)
        dead = [n for n in names if n not in live and n != EMPTY_VAR]
        inputs[slot + GRAD_SUFFIX] = [grad(n) if n in live else n if n == EMPTY_VAR else n + GRAD_SUFFIX for n in names]
        if op.type == "recurrent" or (op.block.program.age > 1 and "sub_block" in op.attrs):
            # zeros for what stops gradients; what merely is not needed stays unwritten
            own = op.block.vars
            stopped = [n for n in dead if n in own and own[n].stop_gradient] if op.type != "while" else []
            zeros += [zero_spec(n, op.block.program.age) for n in stopped]
            absent += [n + GRAD_SUFFIX for n in dead if n not in stopped]
        elif op.block.program.age > 1:
            zeros += [zero_spec(n, 2) for n in dead]
        elif "sub_block" not in op.attrs:
            zeros += [zero_spec(n, 1) for n in dead]
        elif len(names) > 1:
            absent += [n + GRAD_SUFFIX for n in dead]
        elif dead:
            inputs[slot + GRAD_SUFFIX] = []
    outputs = {}
    for slot in op.inputs if definition is None else _grad_facts.differentiated(definition, op):
        outputs[slot + GRAD_SUFFIX] = wanted(slot, op.inputs[slot])
    if not some:
        return []
    if all(n == EMPTY_VAR for names in outputs.values() for n in names) and ("sub_block" not in op.attrs or op.block.program.age > 1):
        return [_unwanted(inputs)]
    attrs = copied_attributes(op)
    if absent:
        attrs["_zeros"] = absent
    return [*zeros, GradSpec(definition.grad_type if definition else op.type + "_grad", inputs, outputs, attrs)]


def _unwanted(inputs: dict[str, list[str]]) -> GradSpec:
    """In the place of an operator that computes what nobody wants: where it would stand decides where gradients are summed."""
    return GradSpec("", inputs, {})


def reachable_names(path: list[Operator], no_grad: set[str]) -> set[str]:
    """Names that a gradient may be asked for: inputs of the path's operators that are not in `no_grad`."""
    return {n for op in path for n in op.input_arg_names} - no_grad
