"""Backward passes in a lowered graph: one `torch.autograd.grad` call each, or, where a script edited them, one an operator."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from torch import fx

from paddle_compat.core.attribute_variables import reads
from paddle_compat.core.errors import UnknownOperatorError, UnsupportedError
from paddle_compat.core.op import Op, find_op, registered
from paddle_compat.core.operator import EMPTY_VAR, GRAD_SUFFIX, Operator
from paddle_compat.core.program import Block
from paddle_compat.engine import alone, autograd, reductions
from paddle_compat.engine.nodes import attributes
from paddle_compat.engine.regions import Region, counts

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import _Lowering


def one_call(lowering: _Lowering, region: Region, following: Sequence[Operator] = ()) -> int:
    """One `torch.autograd.grad` call for a whole region.

    Args:
        following: the operators behind it. The sums over all ranks that they begin with are made, too.
    Returns:
        How many these are.
    """
    read = _read_outside(lowering, region)
    persistable = {n for n in region.totals if (v := lowering.block._find_var_recursive(n)) is not None and v.persistable}
    higher = any(r is not region and {id(op) for op in region.ops} & r.forwards for r in lowering.regions)
    partial = region.parts & (read | persistable)
    if partial:
        raise UnsupportedError("fetching a part of a gradient sum", f"{sorted(partial)}", "the whole gradient's name")
    counted = sorted(n for n in region.totals if n in read and counts(lowering.block, region.totals[n]))
    if counted:
        raise UnsupportedError("fetching the gradient of integers", f"{counted}", "the gradient of a floating variable")
    told = {n.split("@RENAME@")[0] for op in region.ops if op.type in _TELLING for n in op.output_arg_names}
    asked = [n for n in region.totals if n in read | persistable | told and not counts(lowering.block, region.totals[n])]
    lowering._set_grad(True)
    needed = {seed for _, seed in region.targets} | set(asked) | (read & {n for op in region.seed_ops for n in op.output_arg_names})
    for op in reversed(region.seed_ops):
        if op.output("Out")[0] in needed:
            needed.update(reads(op))
    for op in region.seed_ops:
        if op.output("Out")[0] in needed:
            lowering._set_grad(higher)
            lowering._operator(op)
    lowering._set_grad(True)
    seeding = {id(op) for op in region.seed_ops}
    written = {n for op in region.ops if id(op) not in seeding for n in op.output_arg_names}
    made_by_seed = ({seed for _, seed in region.targets} | region.ones) - written  # a target that a loop writes over has two gradients
    asked = [n for n in asked if n not in made_by_seed]
    if not asked:
        return 0
    targets = [lowering._read(name) for name, _ in region.targets]
    seeds = [None if seed is None else lowering._read(seed) for _, seed in region.targets]
    wrt = [_value_differentiated(lowering, region, region.totals[n]) for n in asked]
    retain = higher or any(r.first > region.last or (r.edited and r is not region) for r in lowering.regions)
    kwargs: dict[str, Any] = {}
    if any(s is not None for s in seeds):
        kwargs["seeds"] = seeds
    if retain or lowering.keep_grad:  # the caller's own backward pass is still to come
        kwargs["retain_graph"] = True
    if higher or lowering.keep_grad:
        kwargs["create_graph"] = True
    sums = [] if higher else reductions.behind(lowering, asked, following)
    function: Any = autograd.backward
    if sums:
        function = reductions.backward_and_sums
        kwargs["summed"] = [asked.index(op.input("X")[0]) for op in sums]
        kwargs["ring_ids"], kwargs["most"] = [op.attr("ring_id") for op in sums], lowering.program._bucket_bytes
    node = lowering._call(function, (targets, wrt), kwargs, name="backward")
    lowering.nodes[node.name] = region.ops[0]
    for i, name in enumerate(asked):
        lowering._write(name, lowering._call(operator.getitem, (node, i), name=name))
        if lowering.checks:
            lowering._check(region.ops[-1], lowering.values.env[name], name)
        lod = lowering.values.lods.get(region.totals[name])
        if lod is not None and _hands_lod_on(lowering, region, region.totals[name], name):
            lowering.values.lods[name] = lod
    return len(sums)


_TELLING = frozenset({"print", "py_func"})  # whose gradients are shown or go to the user's function, though nothing reads them
# which describe a gradient without a LoD, and hand one on when they run
_WITH_LOD = frozenset(
    {"linear_chain_crf_grad", "mul_grad", "sequence_concat_grad", "sequence_expand_grad", "sequence_slice_grad", "sequence_softmax_grad"}
)


def _hands_lod_on(lowering: _Lowering, region: Region, name: str, gradient: str) -> bool:
    """Whether a variable's gradient has its LoD: not where only the variable was described with one (`_grad_lods`)."""
    described, found = (lowering.block._find_var_recursive(n) for n in (name, gradient))
    if described is None or found is None or not described.lod_level or found.lod_level:
        return True
    parts = (gradient, gradient + "@RENAME")  # of a variable that several operators read
    return any(op.type in _WITH_LOD and any(n.startswith(parts) for n in op.output_arg_names) for op in region.ops)


def _read_outside(lowering: _Lowering, region: Region) -> set[str]:
    """The names that are fetched, read by an operator that no call stands for, or differentiated by another call."""
    inside = {id(op) for r in lowering.regions if not r.edited for op in r.ops}
    outside = [op for op in lowering.block.ops if id(op) not in inside]
    others = [r for r in lowering.regions if r is not region and not r.edited]
    outside += [op for r in others for op in r.seed_ops]
    targets = {name for r in others for name, _ in r.targets}
    return {n for op in outside for n in reads(op)} | targets | lowering.wanted


def asked_about(lowering: _Lowering) -> set[str]:
    """The forward variables whose gradients somebody reads: their values must be differentiable, whatever they were made from."""
    found: set[str] = set()
    for region in lowering.regions:
        read = _read_outside(lowering, region)
        found.update(owner for name, owner in region.totals.items() if name in read and not region.edited)
    return found


def rewind(lowering: _Lowering, op: Operator) -> None:
    """A loop's gradient runs the loop's counters back: afterwards they hold what they held before the loop."""
    body = op.attrs.get("sub_block")
    if op.forward is None or not isinstance(body, Block):
        return
    for inner in body.ops:
        for name in inner.output_arg_names if inner.type == "increment" else ():
            names = op.forward.inputs.get("X", [])
            before = lowering.taken.get((id(op.forward), "X", names.index(name))) if name in names else None
            if before is not None:
                lowering._write(name, before)


def _value_differentiated(lowering: _Lowering, region: Region, name: str) -> fx.Node:
    """The value of a forward variable that the gradient is for: a loop may have written the name again since."""
    edge = region.taken.get(name)
    return lowering.taken[edge] if edge in lowering.taken else lowering._read(name)


# operators whose derivative PyTorch computes from the result, as their gradient operators do that read it
_FROM_RESULT = frozenset({"leaky_relu", "relu", "rsqrt", "sigmoid", "sqrt", "tanh"})


def of_operator(lowering: _Lowering, op: Operator) -> None:
    """One `torch.autograd.grad` call for one gradient operator, through the aliases of its forward operator's inputs."""
    forward = op.forward
    assert forward is not None
    if find_op(op.type) is not None:  # an ordinary operator that serves as gradient (scale, assign)
        lowering._operator(op)
        return
    if id(op) not in lowering.differentiated and any(id(op) in region.late for region in lowering.regions):
        without_forward(lowering, op, literally=True)
        return
    grads: dict[str, str] = op.attrs["_grads"]
    outs, seeds = [], []
    for slot, names in op.inputs.items():
        for i, grad in enumerate(names):
            if grad in grads and grads[grad] in forward.output_arg_names:
                made = lowering.made.get((id(forward), grads[grad]))
                outs.append(lowering._read(grads[grad]) if made is None else made)
                seeds.append(_seed(lowering, op, slot, i))
    wrt, results = [], []
    for slot, names in op.outputs.items():
        for i, name in enumerate(names):
            if name != EMPTY_VAR and name in grads:
                alias = _alias(lowering, forward, grads[name], slot.removesuffix(GRAD_SUFFIX), i)
                if alias is None:
                    raise UnsupportedError(
                        f"an edited backward pass through {forward.type}", f"gradient {name}", "an unedited backward pass"
                    )
                wrt.append(alias)
                results.append(name)
    kwargs: dict[str, Any] = {"seeds": seeds, "retain_graph": True}
    if id(op) in lowering.differentiated:
        kwargs["create_graph"] = True
    node = lowering._call(autograd.backward, (outs, wrt), kwargs, name=op.type)
    lowering.nodes[node.name] = op
    for i, name in enumerate(results):
        lowering._write(name, lowering._call(operator.getitem, (node, i), name=name))
        lowering.made[id(op), name] = lowering.values.env[name]


def _seed(lowering: _Lowering, op: Operator, slot: str, position: int) -> fx.Node:
    """A gradient that an operator reads, without its history if the operator is differentiated by itself: it may come from what this
    operator's own derivative is asked for."""
    node: fx.Node = lowering._read(op.inputs[slot][position])
    if id(op) in lowering.single:
        node = lowering.aliases[id(op), slot, position] = lowering._call(autograd.leaf, (node,))
    return node


def _alias(lowering: _Lowering, forward: Operator, name: str, slot: str, position: int) -> fx.Node | None:
    """What stands for a variable that an operator, or a gradient operator, read; None: nothing does."""
    direct = lowering.aliases.get((id(forward), slot, position))
    if forward.forward is None:
        return direct
    source = forward.forward
    for kept, names in forward.inputs.items():
        for i, read in enumerate(names):
            if read == name and (id(forward), kept, i) in lowering.aliases:
                return lowering.aliases[id(forward), kept, i]
    if name in source.output_arg_names:
        return lowering.made.get((id(source), name)) if source.type in _FROM_RESULT else None
    places = ((s, i) for s, names in source.inputs.items() for i, n in enumerate(names) if n == name)
    # an operator whose result its gradient operator reads too has derivatives of another kind in the wheels
    if any(n in source.output_arg_names for n in forward.input_arg_names):
        return None
    return next((lowering.aliases[id(source), s, i] for s, i in places if (id(source), s, i) in lowering.aliases), None)


def without_forward(lowering: _Lowering, op: Operator, literally: bool = False) -> None:
    """A gradient operator without its forward one: one that a user appended, or whose forward operator is in another Program.

    Args:
        literally: it reads nothing but what is written down for it, if that tells the gradient.
    """
    definition = _differentiated_by(op.type)
    if definition is None:
        raise UnknownOperatorError(op.type)
    slots = dict(op.inputs)
    if literally:  # what is described alone has no value
        slots = {s: names for s, names in slots.items() if not any(out.name == s and out.described for out in definition.outputs)}
    if op.forward is not None and not definition.random:
        here = {s: names for s, names in op.forward.inputs.items() if all(_is_here(lowering, n) for n in names)}
        if not (literally and alone.tells(definition, slots, {s.removesuffix(GRAD_SUFFIX) for s in op.outputs})):
            slots = {**here, **slots}
    given: dict[str, Any] = {}
    lods: dict[str, Any] = {}
    seeds: dict[str, list[Any]] = {}
    outputs = {s.name for s in definition.returns}
    names: list[str]
    for slot, names in slots.items():
        if slot.endswith(GRAD_SUFFIX):
            seeds[slot.removesuffix(GRAD_SUFFIX)] = [lowering._read(n) if _is_here(lowering, n) else None for n in names]
            lods[slot] = next((lowering.values.lods.get(n) for n in names), None)
        elif names:
            declared = definition.slot(slot)
            listed = declared is not None and declared.is_list
            values = [lowering._read(n) for n in names]
            found = [lowering.values.lods.get(n) for n in names]
            given[slot], lods[slot] = (values, found) if listed else (values[0], found[0])
    seeds = {slot: values for slot, values in seeds.items() if slot in outputs or len(outputs) == 1}
    if len(outputs) == 1:
        seeds = dict.fromkeys(outputs, next(iter(seeds.values()), []))
    want = {s.name: len(op.outputs[s.name + GRAD_SUFFIX]) for s in definition.inputs if op.outputs.get(s.name + GRAD_SUFFIX)}
    needed = definition.grad_slots(lowering.program.age) or ()
    more = {"literally": True} if literally else {}
    node = lowering._call(
        alone.gradient,
        (definition.type, given, seeds, want),
        {"attrs": {**definition.attrs, **attributes(definition, op)}, "lods": lods, "needed": tuple(needed), **more},
        name=op.type,
    )
    lowering.nodes[node.name] = op
    passed = next((lod for slot, lod in lods.items() if slot.endswith(GRAD_SUFFIX) and lod is not None), None)
    for k, slot in enumerate(want):
        value = lowering._call(operator.getitem, (node, k))
        declared = definition.slot(slot)
        assert declared is not None
        for j, name in enumerate(op.outputs[slot + GRAD_SUFFIX]):
            if name == EMPTY_VAR:
                continue
            lowering._write(name, lowering._call(operator.getitem, (value, j), name=name) if declared.is_list else value)
            own = lods.get(slot, passed if definition.lod in ("share", "joined") else None)
            lod = own[j] if isinstance(own, list) else own
            if lod is not None:
                lowering.values.lods[name] = lod


def _differentiated_by(grad_type: str) -> Op | None:
    """The operator that a type of gradient operator differentiates."""
    found = find_op(grad_type.removesuffix("_grad"))
    return found or next((op for op in registered().values() if op.grad is not None and op.grad_type == grad_type), None)


def _is_here(lowering: _Lowering, name: str) -> bool:
    """Whether a variable has a value where the operator runs."""
    return name != EMPTY_VAR and (lowering.known(name) or lowering.block._find_var_recursive(name) is not None)
