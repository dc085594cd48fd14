"""Backward passes with checkpoints: what lies between two checkpoints is computed again instead of kept.

The forward operators between checkpoints are written once more into the backward part, under names of their own
(`.subprog_N`), right before the gradient operators that read them. Every dropout takes its seed from an operator, so that both
runs draw the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat.core import unique_name
from paddle_compat.core._grad_spec import OWN_MARKS, RECOMPUTED, GradSpec
from paddle_compat.core.dtype import VarType
from paddle_compat.core.operator import EMPTY_VAR, Operator, OpRole
from paddle_compat.core.program import Block

_SEEDS = ("seed", "fix_seed")


def checkpoint_names(block: Block, checkpoints: Sequence[Any]) -> list[str]:
    """Names of the checkpoints, in the order in which operators write them; data first."""
    for checkpoint in checkpoints:
        if not hasattr(checkpoint, "name") and checkpoint not in block.vars:
            raise AttributeError(f"Invalid value for argument `checkpoints`. Expected Variables of the program. Received: {checkpoint!r}")
    names = {c if isinstance(c, str) else c.name for c in checkpoints}
    last = {n: i for i, op in enumerate(block.ops) for n in op.output_arg_names if n in names}
    return sorted(names, key=lambda n: (last.get(n, -1), n))


def seed_dropouts(block: Block, path: list[Operator]) -> None:
    """Give every dropout its seed by an operator before it."""
    for op in path:
        if op.type != "dropout" or op.input("Seed"):
            continue
        name = unique_name.generate(unique_name.generate("seed") + ".tmp")
        block._add_var(name=name, shape=(1,), dtype=VarType.INT32)
        position = next(i for i, other in enumerate(block.ops) if other is op)
        seed = op.attrs.get("seed", 0) if op.attrs.get("fix_seed") else 0
        block._insert_op(position, type="seed", outputs={"Out": [name]}, attrs={"seed": seed, "op_role": OpRole.Forward})
        block.vars[name].stop_gradient = False
        op.inputs["Seed"] = [name]
        for said in _SEEDS:  # as Paddle writes it: the operator before it says so now
            op._remove_attr(said)


def whole_path(block: Block, target: str, no_grad: set[str]) -> list[Operator]:
    """The operators that a target needs, those without a gradient among them."""
    wanted, path = {target}, []
    for op in reversed(block.ops):
        if not wanted.isdisjoint(op.output_arg_names):
            path.append(op)
            wanted.update(n for n in op.input_arg_names if n not in no_grad)
    return path[::-1]


def segments(path: list[Operator], names: list[str]) -> list[list[Operator]]:
    """What lies before the first checkpoint and between two; what follows the last one is kept."""
    ends = [max((i + 1 for i, op in enumerate(path) if n in op.output_arg_names), default=0) for n in names]
    return [path[begin:end] for begin, end in zip([0, *ends], ends) if begin < end]


def recompute(block: Block, path: list[Operator], names: list[str], specs: list[GradSpec]) -> list[GradSpec]:
    """Put the operators to compute again among gradient operators, and let these read what they write."""
    out = list(specs)
    for number, ops in enumerate(reversed(segments(path, names))):
        inside = {id(op) for op in ops}
        first = next((i for i, spec in enumerate(out) if spec.forward is not None and id(spec.forward) in inside), None)
        if first is None:
            continue
        held = set(names) | {n for op in path if id(op) not in inside for n in (*op.input_arg_names, *op.output_arg_names)}
        again: dict[str, str] = {}
        copies = []
        for op in ops:
            written = [n for n in op.output_arg_names if n != EMPTY_VAR]
            if op.type == "seed" or all(n in held for n in written):
                continue
            for name in written:
                var = block._find_var_recursive(name)
                if name not in held and not (var is not None and var.persistable):
                    again[name] = f"{name}.subprog_{number}"
            attrs = {k: v for k, v in op.attrs.items() if k not in ("op_role", "op_role_var", "op_callstack")}
            copy = GradSpec(op.type, _renamed(op.inputs, again), _renamed(op.outputs, again), {**attrs, RECOMPUTED: number})
            copy.forward = op
            copies.append(copy)
        for spec in out[first:]:
            if spec.forward is not None and id(spec.forward) in inside:
                spec.inputs = _renamed(spec.inputs, again)
        out[first:first] = copies
    return out


def leave_blocks(block: Block, path: list[Operator], names: list[str], specs: list[GradSpec]) -> None:
    """Leave the two blocks behind that the wheels collect operators in, which nothing runs.

    The first has the gradient operators of what follows the last checkpoint, and the operators of each segment, last segment
    first; the second one has those that compute again.
    """
    program = block.program
    whole = segments(path, names)
    kept = {id(op) for op in path} - {id(op) for ops in whole for op in ops}
    collected = program._create_block(block.idx)
    again = program._create_block(collected.idx)
    program.current_block_idx = block.idx
    for spec in specs:
        if RECOMPUTED in spec.attrs:
            _leave(again, spec.type, spec.inputs, spec.outputs, spec.attrs)
        elif spec.forward is not None and id(spec.forward) in kept:
            _leave(collected, spec.type, spec.inputs, spec.outputs, spec.attrs)
    for earlier, later in zip(whole, whole[1:]):
        while later and later[0].type == "seed":  # a segment begins where its checkpoint is read
            earlier.append(later.pop(0))
    for op in (op for ops in reversed(whole) for op in ops):
        _leave(collected, op.type, op.inputs, op.outputs, op.attrs)


def _leave(block: Block, type: str, inputs: dict[str, list[str]], outputs: dict[str, list[str]], attrs: dict[str, Any]) -> None:
    own = {name: value for name, value in attrs.items() if name not in (*OWN_MARKS, "op_role_var")}
    block.ops.append(Operator(block, type, _renamed(inputs, {}), _renamed(outputs, {}), {**own, "op_role": OpRole.Backward}))


def _renamed(slots: dict[str, list[str]], names: dict[str, str]) -> dict[str, list[str]]:
    return {slot: [names.get(n, n) for n in given] for slot, given in slots.items()}


def append_copy(block: Block, spec: GradSpec) -> None:
    """Append an operator that computes again what its forward one did."""
    assert spec.forward is not None
    for slot, names in spec.outputs.items():
        for name, former in zip(names, spec.forward.outputs[slot]):
            source = block._find_var_recursive(former)
            if source is not None and not block.has_var(name):
                block._add_var(
                    name=name, shape=source.shape, dtype=source.dtype, type=source.type, lod_level=source.lod_level,
                    stop_gradient=source.stop_gradient and block.program.age > 1,
                )  # fmt: skip
    op = block.append_op(
        type=spec.type, inputs=spec.inputs or None, outputs=spec.outputs, attrs={k: v for k, v in spec.attrs.items() if k != "_removed"}
    )
    if block.program.age == 1:  # which copies what the operator says; later Paddles add the defaults
        for said in sorted(set(op.attr_names) - set(spec.forward.attr_names)):
            op._remove_attr(said)
    op.forward = spec.forward
