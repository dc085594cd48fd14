"""The way back through a block: which operators have gradient operators, in sub-blocks too, and which gradients these give."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from paddle_compat.core._grad_operators import grad_definition, grad_specs, reachable_names
from paddle_compat.core._grad_pruning import following, with_dropped, without_loose
from paddle_compat.core._grad_spec import GradSpec, zero_spec
from paddle_compat.core._grad_sums import add_up
from paddle_compat.core.dtype import VarType, is_float
from paddle_compat.core.operator import EMPTY_VAR, GRAD_SUFFIX, Operator
from paddle_compat.core.program import Block
from paddle_compat.core.variable import Variable


def stopped_names(block: Block) -> set[str]:
    """The variables of a block that no gradient flows through, in that block: the gradients inside a sub-block do not ask
    whether a variable from outside lets them through."""
    return {v.name for v in block.vars.values() if v.stop_gradient}


def _floats(var: Variable | None) -> bool:
    return var is not None and (is_float(var.dtype) or var.type == VarType.LOD_TENSOR_ARRAY)


def path_between(block: Block, targets: Iterable[str], no_grad: set[str], inputs: list[str] | None) -> list[Operator]:
    """Operators between the inputs (None: anything) and the targets, in order."""
    ops = list(block.ops)
    if inputs:
        reached = set(inputs)
        kept = []
        for op in ops:
            if any(n in reached for n in op.input_arg_names) and grad_definition(op)[1] is not None:
                reached.update(n for n in op.output_arg_names if n not in no_grad)
                kept.append(op)
        ops = kept
    wanted = set(targets)
    path = []
    for op in reversed(ops):
        if any(n in wanted for n in op.output_arg_names) and grad_definition(op)[1] is not None:
            path.append(op)
            wanted.update(n for n in op.input_arg_names if n not in no_grad)
    return path[::-1]


def all_specs(
    path: list[Operator],
    live: set[str],
    reachable: set[str],
    given: dict[str, str],
    around: Block | None = None,
    outside: Collection[str] = (),
) -> list[GradSpec]:
    """The gradient operators of a path, last operator first; `live` grows by the variables that get a gradient.

    For a path in a sub-block `around` is the block they will be in, and `outside` names what has a gradient around that block.
    """
    specs = []
    for op in reversed(path):
        if op.type == "increment" and op.block.idx > 0:
            # in a loop's gradient the counter runs back
            attrs = {"step": -op.attrs["step"], **{k: v for k, v in op.attrs.items() if k == "op_device" and v}}
            specs.append(GradSpec("increment", {"X": op.output("Out")}, {"Out": op.input("X")}, attrs))
            continue
        if not any(n in live for n in op.output_arg_names):
            continue
        made = grad_specs(op, live, reachable, given)
        for spec in made:
            if "_zero" in spec.attrs or not spec.type:
                continue
            spec.forward = op
            if "sub_block" in op.attrs and op.type != "conditional_block_grad":  # of which there are no operators in a block
                before = _loop_gradients(op)
                _body_gradients(op, spec, live, around, outside)
                if before.intersection(spec.attrs.get("original_output_grad", ())):  # which the wheels ask for once
                    spec.outputs = {slot: [EMPTY_VAR] * len(names) for slot, names in spec.outputs.items()}
            for name in op.input_arg_names:
                if name + GRAD_SUFFIX in spec.writes():
                    live.add(name)
            if op.type == "while" and around is None and op.block.program.age > 1:
                stopped = [n for n in spec.attrs["_zeros"] if n not in spec.writes()]
                specs.extend(zero_spec(n.removesuffix(GRAD_SUFFIX), op.block.program.age) for n in stopped)
                spec.attrs["_zeros"] = [n for n in spec.attrs["_zeros"] if n not in stopped]
        specs.extend(made)
    return specs


def _loop_gradients(op: Operator) -> set[str]:
    """The gradients that a loop was asked for in an earlier backward pass of the Program."""
    made = [other for block in op.block.program.blocks for other in block.ops if other.forward is op]
    return {n for other in made for n in other.attrs.get("original_output_grad", ())}


def _body_gradients(op: Operator, spec: GradSpec, live: set[str], around: Block | None, outside: Collection[str]) -> None:
    """Write the gradient operators of a sub-block into a block of their own; what has no gradient in there has none outside."""
    body: Block = op.attrs["sub_block"]
    program = body.program
    current = program.current_block_idx
    block = program._create_block((around or op.block).idx)
    block.forward_block_idx = body.idx
    program.current_block_idx = current
    stops = stopped_names(body)
    old_branch = op.type == "conditional_block" and program.age == 1
    old_loop = op.type == "while" and program.age == 1
    # what the gradient is asked for; a recurrence, and a branch of 1.x before it drops some, differentiate all they write
    outs = {n for n in op.output_arg_names if n in live or op.type == "recurrent" or old_branch}
    known = outs & live
    if old_loop:  # which differentiates its whole body, and drops what finds no gradient
        outs |= {n for o in body.ops if grad_definition(o)[1] is not None for n in o.output_arg_names} - stops
    # a recurrence knows its states by other names inside: before a step and after it
    states = dict(zip(op.attrs.get("ex_states", []), op.attrs.get("states", [])))
    while True:
        inner_live = set(outs)
        found = _path_of_branch(body, outs, stops) if old_branch else path_between(body, outs, stops, None)
        on_path = {id(o) for o in found}
        counted = _counted(op, outs, outside)
        path = [o for o in body.ops if id(o) in on_path or (o.type == "increment" and o.output("Out")[0] in counted)]
        inner = all_specs(path, inner_live, reachable_names(path, stops), {}, block, known)
        written = {n for s in inner for n in s.writes()}
        # what one turn of a loop hands to the next has a gradient in the former turn too
        carried = {n for n in op.output_arg_names if n + GRAD_SUFFIX in written} if op.type == "while" else set()
        carried |= {after for before, after in states.items() if before + GRAD_SUFFIX in written}
        if carried <= outs:
            break
        outs |= carried
    behind = [o for o in path_between(body, outs, set(), None) if id(o) not in on_path and "sub_block" not in o.attrs]
    inner = with_dropped(inner, behind, body, stops)
    if old_branch:  # which still names the gradients of all outside
        inner = following(inner, outs & live)
    inner = without_loose(
        add_up(inner, body.idx, program.age, program.age > 1), {n for o in path for n in (*o.input_arg_names, *o.output_arg_names)}
    )
    spec.body = block, inner
    spec.attrs["sub_block"] = block
    _name_outside(op, spec, inner, live, outs)


def _name_outside(op: Operator, spec: GradSpec, inner: list[GradSpec], live: set[str], outs: set[str]) -> None:
    """Say in the gradient operator which gradients its block, of those operators, reads and writes."""
    written = {n for s in inner for n in s.writes()}
    for slot, names in spec.outputs.items() if op.type != "conditional_block" else ():
        before = op.attrs.get("ex_states", [])
        inner_names = [b + GRAD_SUFFIX for b in before] if slot == "initial_states" + GRAD_SUFFIX else names
        spec.outputs[slot] = [n if i in written else EMPTY_VAR for n, i in zip(names, inner_names)]
    if op.type == "conditional_block" and op.block.program.age > 1:
        spec.outputs["Input" + GRAD_SUFFIX] = [
            n if n != EMPTY_VAR and _floats(op.block._var_recursive(name)) else EMPTY_VAR
            for n, name in zip(spec.outputs["Input" + GRAD_SUFFIX], op.inputs["Input"])
        ]
    if op.type == "recurrent":
        spec.inputs["step_scopes" + GRAD_SUFFIX] = list(op.outputs["step_scopes"])
    if op.type == "while":
        asked = _asked(inner) if op.block.program.age == 1 else {n for s in inner for n in s.reads()}.intersection(
            n + GRAD_SUFFIX for n in op.outputs["Out"] if n in outs
        )
        read = sorted(n.removesuffix(GRAD_SUFFIX) for n in asked)
        spec.inputs["Out" + GRAD_SUFFIX] = [n + GRAD_SUFFIX for n in read]
        spec.attrs["original_output_grad"] = [n + GRAD_SUFFIX for n in read]
        spec.attrs["_zeros"] = [n + GRAD_SUFFIX for n in read if n not in live]


def _asked(inner: list[GradSpec]) -> set[str]:
    """The gradients that a block's operators read before any of them writes them."""
    asked: set[str] = set()
    written: set[str] = set()
    for spec in inner:
        asked.update(n for n in spec.reads() if n.endswith(GRAD_SUFFIX) and n not in written)
        written.update(spec.writes())
    return asked


def _counted(op: Operator, outs: set[str], outside: Collection[str]) -> set[str]:
    """Names whose counters a sub-block's gradient runs back: in 1.8 all that are read, in 2.x those that its results may come from.

    For 2.x all come from all where a loop in a sub-block carries what has a gradient outside that sub-block.
    """
    ops: list[Operator] = op.attrs["sub_block"].ops
    if op.block.program.age == 1:
        return {n for o in ops for n in o.input_arg_names}
    wanted = set(outs) if op.type != "while" or outs.isdisjoint(outside) else {*outs, *op.output_arg_names}
    for o in (*reversed(ops), *reversed(ops)):  # what the end of a turn writes, the start of the next may read
        if not wanted.isdisjoint(o.output_arg_names):
            wanted.update(o.input_arg_names)
    return wanted


def _path_of_branch(body: Block, outs: set[str], stops: set[str]) -> list[Operator]:
    """The operators that the gradient of a branch of 1.8 goes through: it starts at the branch's own variables that are handed out."""
    handing = [o for o in body.ops if o.type == "assign" and not outs.isdisjoint(o.output_arg_names)]
    own = {n for n in (*outs, *(name for o in handing for name in o.input_arg_names)) if n in body.vars}
    found = {id(o) for o in (*handing, *path_between(body, own, stops, None))}
    return [o for o in body.ops if id(o) in found]
