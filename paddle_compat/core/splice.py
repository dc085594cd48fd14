"""A Program's operators written into another Program."""

from __future__ import annotations

import copy
from collections.abc import Mapping

from paddle_compat.core import unique_name
from paddle_compat.core.clone import copy_operator
from paddle_compat.core.program import Block, Program
from paddle_compat.core.variable import Variable


def splice(program: Program, given: Mapping[str, Variable], target: Block) -> dict[str, Variable]:
    """Write all operators of a Program into a block of another one, blocks of loops and branches too.

    Args:
        program: what is written; it stays as it is.
        given: name of a variable in it -> the Variable that takes its place.
        target: the block; what it does not have yet is made in it, under names of its own.
    Returns:
        Name in `program`'s global block -> Variable of `target`.
    """
    new = target.program
    blocks = {0: target}
    for source in program.blocks[1:]:
        former = new.current_block_idx
        blocks[source.idx] = new._create_block(blocks[source.parent_idx].idx)
        new.current_block_idx = former
    names = {name: var.name for name, var in given.items()}
    made: dict[str, Variable] = dict(given)
    for source in program.blocks:
        block = blocks[source.idx]
        for name, var in source.vars.items():
            if name not in names:
                names[name] = unique_name.generate(name)
                twin = copy.copy(var)
                twin.block, twin.name, twin.op, twin.is_data = block, names[name], None, False
                block.vars[twin.name] = made[name] = twin
    for source in program.blocks:
        block = blocks[source.idx]
        for op in source.ops:
            twin_op = copy_operator(op, block, lambda each: blocks[each.idx], made.__getitem__)
            for slots in (twin_op.inputs, twin_op.outputs):
                for slot, found in slots.items():
                    slots[slot] = [names.get(name, name) for name in found]
            block.ops.append(twin_op)
            for name in twin_op.output_arg_names:
                written = block._find_var_recursive(name)
                if written is not None:
                    written.op = twin_op
    new._touch()
    return made


__all__ = ["splice"]
