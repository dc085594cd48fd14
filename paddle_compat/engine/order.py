"""The order in which operators are replayed: updates in place come last, so that what fails before leaves states alone."""

from __future__ import annotations

from collections.abc import Container

from paddle_compat.core.op import find_op
from paddle_compat.core.operator import Operator, OpRole


def updates_last(ops: list[Operator], bound: Container[int]) -> list[Operator]:
    """Operators that follow an update in place, but have nothing to do with it, before it.

    Args:
        ops: operators of a block.
        bound: ids of operators that keep their place.
    """
    first = next((i for i, op in enumerate(ops) if op.role & OpRole.Optimize and _in_place(op)), len(ops))
    early, late = ops[:first], ops[first : first + 1]
    if not late:
        return ops
    read, written = set(late[0].input_arg_names), set(late[0].output_arg_names)
    for op in ops[first + 1 :]:
        free = (
            id(op) not in bound
            and not op.role & OpRole.Optimize
            and not any(name in op.attrs for name in ("sub_block", "blocks", "seed"))
            and written.isdisjoint(op.input_arg_names)
            and (read | written).isdisjoint(op.output_arg_names)
        )
        if free:
            early.append(op)
        else:
            late.append(op)
            read.update(op.input_arg_names)
            written.update(op.output_arg_names)
    return early + late


def _in_place(op: Operator) -> bool:
    definition = find_op(op.type)
    return definition is not None and any(
        op.outputs.get(o) and op.outputs[o] == op.inputs.get(i) for o, i in definition.inplace.items()
    )
