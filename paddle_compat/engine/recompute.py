"""Segments between the checkpoints of a backward pass: run under `torch.utils.checkpoint`, so that nothing inside is kept.

The operators that a Program writes a second time for this (see `core._recompute`) say which segments there are; autograd runs the
segment again by itself, and they need not run. Where a segment cannot be run twice, or the backward pass was edited, its values
are kept: the numbers are the same.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import torch
from torch import fx
from torch.utils.checkpoint import checkpoint

from paddle_compat.core._grad_spec import RECOMPUTED
from paddle_compat.core.attribute_variables import reads
from paddle_compat.core.dtype import VarType
from paddle_compat.core.op import find_op
from paddle_compat.core.operator import EMPTY_VAR, Operator
from paddle_compat.core.program import Block
from paddle_compat.engine.regions import Region, is_update

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import _Lowering


def plan(ops: list[Operator], regions: list[Region], wanted: set[str]) -> tuple[list[Operator], dict[int, list[Operator]]]:
    """The operators to run, and by the id of its first operator every segment to run under a checkpoint."""
    copies = [op for op in ops if RECOMPUTED in op.attrs and op.forward is not None]
    drop = {id(op) for op in copies}
    read = {n for op in ops if id(op) not in drop and "_region" not in op.attrs for n in reads(op)} | wanted
    if not copies or any(n.endswith(f".subprog_{op.attrs[RECOMPUTED]}") and n in read for op in copies for n in op.output_arg_names):
        return ops, {}
    ops = [op for op in ops if id(op) not in drop]
    if len(regions) != 1 or regions[0].edited:
        return ops, {}
    groups: dict[int, set[int]] = defaultdict(set)
    for op in copies:
        groups[op.attrs[RECOMPUTED]].add(id(op.forward))
    found = {}
    for members in groups.values():
        places = [i for i, op in enumerate(ops) if id(op) in members]
        if len(places) == len(members):
            segment = ops[places[0] : places[-1] + 1]
            seeds = [op for op in segment if op.type == "seed"]
            segment = [op for op in segment if op.type != "seed"]
            if all(map(_repeats, segment)):
                ops[places[0] : places[-1] + 1] = [*seeds, *segment]
                found[id(segment[0])] = segment
    again = _updates(copies)
    if again:  # the second run moves running statistics on once more
        end = next(i for i, op in enumerate(ops) if op is regions[0].ops[-1]) + 1
        ops[end:end] = again
    return ops, found


def _updates(copies: list[Operator]) -> list[Operator]:
    """Those of the second run that change a state, and what they need from it."""
    needed: set[str] = set()
    kept = []
    for op in reversed(copies):
        variables = [op.block._find_var_recursive(n) for n in op.output_arg_names]
        if not needed.isdisjoint(op.output_arg_names) or any(v is not None and v.persistable for v in variables):
            kept.append(op)
            needed.update(n for n in op.input_arg_names if ".subprog_" in n)
    return kept[::-1]


def _repeats(op: Operator) -> bool:
    """Whether a second run of the operator does what the first did."""
    definition = find_op(op.type)
    if definition is None or is_update(op) or any(isinstance(value, Block) for value in op.attrs.values()) or "blocks" in op.attrs:
        return False
    variables = [op.block._find_var_recursive(n) for n in (*op.input_arg_names, *op.output_arg_names)]
    if any(v is not None and v.type == VarType.LOD_TENSOR_ARRAY for v in variables):
        return False
    return not definition.random or bool(op.input("Seed"))


def lower_segment(lowering: _Lowering, ops: list[Operator]) -> None:
    """Lower a segment to a GraphModule of its own, which is called under a checkpoint."""
    reads: dict[str, None] = {}
    written: dict[str, None] = {}
    sources: dict[tuple[int, str, int], str] = {}
    for op in ops:
        for slot, names in op.inputs.items():
            for i, name in enumerate(names):
                if name not in written and name != EMPTY_VAR and not lowering._is_raw(name):
                    reads[name] = None
                    sources[id(op), slot, i] = name
        written.update((n, None) for n in op.output_arg_names if n != EMPTY_VAR)
    values = [lowering._read(name) for name in reads]
    lod_reads = [n for n in reads if n in lowering.values.lods]
    lods = [lowering.values.lods[n] for n in lod_reads]
    wanted = _read_outside(lowering, ops)
    for op in ops:
        definition = find_op(op.type)
        for out, source in definition.inplace.items() if definition is not None else ():
            if op.outputs.get(out) and op.outputs[out] == op.inputs.get(source):
                lowering.writes_over(op.outputs[out])
    with lowering._inside(lowering.block, list(reads), lod_reads):
        entered = dict(lowering.values.env)
        for op in ops:
            lowering._operator(op)
        inner = lowering.values
        results = [n for n in written if n in wanted and n in inner.env and inner.env[n] is not entered.get(n)]
        lod_results = [n for n in results if n in inner.lods]
        lowering.graph.output((*(inner.env[n] for n in results), *(inner.lods[n] for n in lod_results)))
        module = fx.GraphModule(lowering.root, lowering.graph, "Segment")
    attr = f"segment_{len(lowering.root._modules)}"
    holder = lowering.attach(attr, module)
    node = lowering._call(run_again, (holder, *values, *lods), name=attr + "_run")
    lowering.nodes[node.name] = ops[0]
    asked, lowering.asked_about = lowering.asked_about, lowering.asked_about - set(results)  # their places in the history are inside
    for i, name in enumerate(results):
        lowering.values.lods.pop(name, None)
        lowering._write(name, lowering._call(operator.getitem, (node, i), name=name))
    lowering.asked_about = asked
    for i, name in enumerate(lod_results):
        lowering.values.lods[name] = lowering._call(operator.getitem, (node, len(results) + i))
    outer = dict(zip(reads, values))
    for op in ops:  # what was read inside is out of reach from here on
        for slot, names in op.inputs.items():
            for i in range(len(names)):
                edge = (id(op), slot, i)
                lowering.taken.pop(edge, None)
                if edge in sources:
                    lowering.taken[edge] = outer[sources[edge]]


def _read_outside(lowering: _Lowering, ops: list[Operator]) -> set[str]:
    """Names that somebody else needs: other operators, who fetches, the Scope, and the backward pass."""
    region = lowering.regions[0]
    hidden = {id(op) for op in (*ops, *region.ops)} - {id(op) for op in region.seed_ops}
    others = [op for op in lowering.block.ops if id(op) not in hidden and RECOMPUTED not in op.attrs]
    names = {n for op in others for n in reads(op)} | lowering.wanted
    persistable = {n for n, v in lowering.block.vars.items() if v.persistable}
    names |= {owner for grad, owner in region.totals.items() if grad in names or grad in persistable}
    return names | persistable | {name for name, _ in region.targets}


def run_again(module: Any, *values: Any) -> Any:
    """Call a segment; where gradients are recorded, its inner values are computed again for the backward pass."""
    if not torch.is_grad_enabled():
        return module(*values)
    return checkpoint(module, *values, use_reentrant=False, preserve_rng_state=False)
