"""Appending gradient operators to their blocks, with the variables that they write."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from paddle_compat.core import _grad_facts, _recompute, composition
from paddle_compat.core._grad_lods import lod_source
from paddle_compat.core._grad_spec import RECOMPUTED, GradSpec
from paddle_compat.core.dtype import VarType
from paddle_compat.core.op import find_op
from paddle_compat.core.operator import EMPTY_VAR, GRAD_SUFFIX, Operator, OpRole
from paddle_compat.core.program import Block
from paddle_compat.core.variable import Variable

_regions = itertools.count(1)
# operators that Paddle's own code writes into a backward pass, not a copy of the forward operator's attributes
_OUTSIDE_SCOPES = frozenset(
    {"assign", "cast", "fill_any_like", "fill_constant", "fill_zeros_like", "increment", "py_func", "scale", "shape", "stack", "sum"}
)


def append(
    block: Block, specs: list[GradSpec], renamed: dict[str, str], given: dict[str, str], callbacks: Sequence[Any] | None
) -> None:
    region = next(_regions)
    originals = {new: old for old, new in renamed.items()}
    grad_to_var: dict[str, str] = {}
    owners = {grad: var for var, grad in given.items()}
    bases = {v.name + GRAD_SUFFIX: v.name for v in block.program.list_vars()}
    for spec in specs:
        for name in spec.writes() if RECOMPUTED not in spec.attrs else ():
            if name != EMPTY_VAR and (spec.forward is None or name not in spec.forward.input_arg_names):
                original = originals.get(name) or originals.get(name.rsplit("@RENAME@", 1)[0], name)
                base = original if original in bases else original.rsplit("@RENAME@", 1)[0]
                grad_to_var[name] = owners[name] = bases.get(base, base)
    for spec in specs:
        if RECOMPUTED in spec.attrs:
            _recompute.append_copy(block, spec)
            continue
        if spec.body is not None:
            _append_body(*spec.body, spec)
            if _writes_nothing(spec):
                continue
        made: list[tuple[Variable, Variable]] = []
        for name in spec.writes():
            if name != EMPTY_VAR and not block.has_var(name):
                forward = block._find_var_recursive(grad_to_var[name])
                var = _grad_variable(block, spec, name, forward)
                made += [] if forward is None or spec.forward is None else [(var, forward)]
        _hand_lods_on(block, spec)
        _empty_variable(block, spec)
        if spec.type in _OUTSIDE_SCOPES:
            spec.attrs["op_namescope"] = ""
        if _append_composed(block, spec, region):
            continue
        op = block.append_op(type=spec.type, inputs=spec.inputs or None, outputs=spec.outputs, attrs=spec.attrs)
        for var, forward in made:  # whatever shape a forward operator, which serves as a gradient operator, inferred
            var.shape = forward.shape
        op.forward = spec.forward
        _grad_facts.settle(op, spec)
        # what engine.regions needs to tell an untouched backward pass from an edited one
        op.attrs["_region"] = region
        op.attrs["_grads"] = {n: owners[n] for n in (*spec.reads(), *spec.writes()) if n in owners}
        op.attrs["_written"] = (tuple(op.input_arg_names), tuple(op.output_arg_names))
        for callback in () if spec.forward is None and spec.attrs.get("op_role", 0) & OpRole.Loss else callbacks or ():
            callback(block=block, context={"__current_op_desc__": op.desc, **grad_to_var})


def _append_composed(block: Block, spec: GradSpec, region: int) -> bool:
    """Append what is more elementary than a gradient operator, where a script asked for that and a rule is there."""
    rule = composition.rule_for(spec.type) if spec.forward is not None else None
    if rule is None or spec.forward is None:
        return False
    slots: dict[str, list[str]] = dict(spec.forward.outputs)
    slots.update(spec.forward.inputs)
    slots.update(spec.inputs)
    inputs = {slot: [block._var_recursive(n) for n in names if n != EMPTY_VAR] for slot, names in slots.items()}
    attrs: dict[str, Any] = {name: spec.attrs[name] for name in ("op_role", "op_namescope", "op_device") if name in spec.attrs}
    marks = {**attrs, "_region": region, composition.COMPOSED: True}
    return composition.compose(block, rule, composition.Call(spec.type, inputs, spec.outputs, spec.attrs), marks) is not None


def _append_body(block: Block, specs: list[GradSpec], owner: GradSpec) -> None:
    """The gradient operators of a sub-block; running them is the business of the operator that owns the block.

    One that finds none of the gradients that it reads is left out: a loop reads the gradient of what it carries by its own
    name, which is not there where that gradient is a part of a sum.
    """
    program = block.program
    forward = program.blocks[block.forward_block_idx]
    passed = {n for n in owner.writes() if n in owner.reads()}
    for spec in specs:
        gradients = [n for n in spec.reads() if GRAD_SUFFIX in n and spec.type != "rnn_memory_helper_grad"]  # which comes from another step
        if gradients and all(n not in passed and block._find_var_recursive(n) is None for n in gradients):
            continue
        if spec.body is not None:
            _append_body(*spec.body, spec)
            if _writes_nothing(spec):
                continue
        for name in spec.reads() if spec.type == "sum" else ():  # a part whose operator was left out
            if block._find_var_recursive(name) is None:
                block._add_var(name=name, shape=(), dtype=VarType.BOOL)
        for name in spec.writes():
            if name != EMPTY_VAR and block._find_var_recursive(name) is None:
                base = name.rsplit("@RENAME@", 1)[0].removesuffix(GRAD_SUFFIX)
                _grad_variable(block, spec, name, forward._find_var_recursive(base))
        _hand_lods_on(block, spec)
        _empty_variable(block, spec)
        if spec.type in _OUTSIDE_SCOPES:
            spec.attrs["op_namescope"] = ""
        op = Operator(block, spec.type, spec.inputs, spec.outputs, {**spec.attrs, "op_role": OpRole.Backward})
        op.forward = spec.forward
        _grad_facts.settle(op, spec)
        block.ops.append(op)


def _writes_nothing(spec: GradSpec) -> bool:
    """Whether it is the gradient of a loop or a branch that none of what goes in has a gradient from."""
    return spec.type in ("while_grad", "conditional_block_grad") and all(n == EMPTY_VAR for n in spec.writes())


def _hand_lods_on(block: Block, spec: GradSpec) -> None:
    """Give what a gradient operator writes the LoD levels that it hands on; ordinary operators and sub-blocks have rules of their own."""
    if spec.forward is None or spec.body is not None or find_op(spec.type) is not None:
        return
    for slot, names in spec.outputs.items():
        source = lod_source(spec.type, slot, block.program.age) if slot.endswith(GRAD_SUFFIX) else None
        sources = spec.inputs.get(source) or spec.forward.inputs.get(source, []) if source is not None else []
        for i, name in enumerate(names if slot.endswith(GRAD_SUFFIX) else []):
            var = None if name == EMPTY_VAR else block._find_var_recursive(name)
            given = block._find_var_recursive(sources[min(i, len(sources) - 1)]) if sources else None
            if var is not None:
                var.lod_level, var._lod_given = given.lod_level if given is not None else 0, given is not None


def _empty_variable(block: Block, spec: GradSpec) -> None:
    """Where a branch has inputs without a gradient, 2.x infers the type of the name that stands for these, as of a variable."""
    if spec.type != "conditional_block_grad" or block.program.age == 1:
        return
    for name, source in zip(spec.outputs["Input" + GRAD_SUFFIX], spec.inputs["Input"]):
        forward = block._find_var_recursive(source)
        if name == EMPTY_VAR and forward is not None:
            var = block._find_var_recursive(name) or block._add_var(name=name, shape=())
            var.dtype, var.type = forward.dtype, forward.type


def _grad_variable(block: Block, spec: GradSpec, name: str, forward: Variable | None) -> Variable:
    if forward is None:
        return block._add_var(name=name)
    return block._add_var(
        name=name,
        shape=forward.shape,
        dtype=forward.dtype,
        type=VarType.SELECTED_ROWS if _rows(block, spec, name) else forward.type,
        lod_level=None if spec.type == "fill_constant" else forward.lod_level,
    )


def _rows(block: Block, spec: GradSpec, name: str) -> bool:
    """Whether a gradient is SelectedRows: that of a table that is looked up so, and sums of such."""
    if spec.type == "sum":
        return all(v is not None and v.type == VarType.SELECTED_ROWS for v in map(block._find_var_recursive, spec.reads()))
    sparse = spec.forward is not None and spec.forward.attrs.get("is_sparse")
    return bool(sparse) and name in spec.outputs.get("W" + GRAD_SUFFIX, [])
