"""A rank's Program as operators: the serial Program with this process's shapes, and each collective as an operator of its own."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.clone import copy_program
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.program import Block, Program
from paddle_compat.core.variable import Variable
from paddle_compat.engine.dist_program_walk import Meeting, Notes


def rank_program(program: Program, notes: Notes, groups: dict[str, int], sizes: dict[str, int]) -> Program:
    """Write a rank's Program.

    Args:
        program: the serial one.
        notes: what its run has noted.
        groups: name of a group -> its number, which becomes the operators' `ring_id`.
        sizes: name of a group -> how many processes it has.
    """
    new = copy_program(program)
    block = new.global_block()
    for name, shape in notes.shapes.items():
        if name in block.vars:
            block.vars[name].shape = shape
    written: list[Operator] = []
    stands_for: dict[str, str] = {}  # variable -> what is read in its place from now on
    for source, op in zip(program.global_block().ops, block.ops):
        here = dict(stands_for)
        behind: list[Operator] = []
        for meeting in notes.meetings.get(id(source), ()):
            given = meeting.source
            if given is not None and given in op.input_arg_names and not meeting.behind:
                made = _written(block, op, meeting, here.get(given, given), None, groups, sizes)
                written.append(made)
                here[given] = made.output("out")[0]
                if meeting.stays:
                    stands_for[given] = here[given]
            else:
                first = next(iter(op.output_arg_names))
                behind.append(_written(block, op, meeting, given or first, given or first, groups, sizes))
        op.inputs = {slot: [here.get(name, name) for name in names] for slot, names in op.inputs.items()}
        for name in op.output_arg_names:
            stands_for.pop(name, None)
        written += [op, *behind]
    block.ops[:] = written
    new._touch()
    return new


def _written(
    block: Block, op: Operator, meeting: Meeting, source: str, target: str | None, groups: dict[str, int], sizes: dict[str, int]
) -> Operator:
    """The operator of a collective; `target`: the variable that it writes, None for a new one."""
    if target is None:
        like: Variable = block.vars[source]
        target = name = f"{source}@{meeting.type.upper()}"
        count = 0
        while block.has_var(target):
            count += 1
            target = f"{name}.{count}"
        block._add_var(name=target, shape=meeting.shape, dtype=like.dtype, type=like.type, stop_gradient=like.stop_gradient)
    attrs: dict[str, Any] = {"ring_id": groups.get(meeting.group, 0), "op_role": op.role & ~OpRole.Loss}
    if meeting.type in ("all_gather", "reduce_scatter"):
        attrs["nranks"] = sizes[meeting.group]
    if meeting.type == "all_reduce":
        attrs["reduce_type"] = 0
    return Operator(block, meeting.type, {"x": [source]}, {"out": [target]}, attrs)


__all__ = ["rank_program"]
