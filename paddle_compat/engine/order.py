"""The order in which operators are replayed: updates in place come last, so that what fails before leaves states alone."""

from __future__ import annotations

from collections.abc import Container

from paddle_compat.core.attribute_variables import reads
from paddle_compat.core.operator import Operator, OpRole
from paddle_compat.core.program import Block
from paddle_compat.engine.control_flow import block_interface
from paddle_compat.engine.overwritten import in_place


def updates_last(ops: list[Operator], bound: Container[int]) -> list[Operator]:
    """Operators that follow an update in place, but have nothing to do with it, before it.

    Args:
        ops: operators of a block.
        bound: ids of operators that keep their place.
    """
    first = next((i for i, op in enumerate(ops) if op.role & OpRole.Optimize and in_place(op)), len(ops))
    early, late = ops[:first], ops[first : first + 1]
    if not late:
        return ops
    read, written = map(set, interface(late[0]))
    for op in ops[first + 1 :]:
        reads, writes = interface(op)
        free = (
            id(op) not in bound
            and not op.role & OpRole.Optimize
            and not _draws(op)
            and written.isdisjoint(reads)
            and (read | written).isdisjoint(writes)
        )
        if free:
            early.append(op)
        else:
            late.append(op)
            read.update(reads)
            written.update(writes)
    return early + late


# What cannot fail once its shapes are known: arithmetic on whole tensors.
_CANNOT_FAIL = frozenset(
    {
        *(f"elementwise_{name}" for name in ("add", "sub", "mul", "div", "max", "min", "mod", "floordiv", "pow")),
        *("sum", "scale", "assign", "cast", "increment", "square", "sqrt", "clip", "fill_constant", "average_accumulates"),
        *("equal", "not_equal", "less_than", "less_equal", "greater_than", "greater_equal"),
        *("logical_and", "logical_or", "logical_not", "logical_xor"),
    }
)


def may_fail_after_update(ops: list[Operator]) -> bool:
    """Whether one of these operators may fail when another has updated a state in place before it."""
    first = next((i for i, op in enumerate(ops) if op.role & OpRole.Optimize and in_place(op)), len(ops))
    return not all(_is_safe(op) for op in ops[first + 1 :])


def _is_safe(op: Operator) -> bool:
    inner = _blocks(op)
    if inner:
        return op.type == "conditional_block" and all(_is_safe(each) for block in inner for each in block.ops)
    if op.role & OpRole.Optimize and in_place(op):
        return True
    return op.type in _CANNOT_FAIL and all(_is_sized(op, name) for name in op.input_arg_names)


def _is_sized(op: Operator, name: str) -> bool:
    var = op.block._find_var_recursive(name)
    return var is not None and -1 not in var.shape


def interface(op: Operator) -> tuple[list[str], list[str]]:
    """The names that an operator reads and writes, those of its sub-blocks among them."""
    inner = [block_interface(block) for block in _blocks(op)]
    read = [*reads(op), *(name for more, _ in inner for name in more)]
    return read, [*op.output_arg_names, *(name for _, more in inner for name in more)]


def _draws(op: Operator) -> bool:
    """Whether it draws random numbers, whose order counts."""
    return "seed" in op.attrs or any(_draws(inner) for block in _blocks(op) for inner in block.ops)


def _blocks(op: Operator) -> list[Block]:
    held = (value if isinstance(value, list) else [value] for value in op.attrs.values())
    return [value for values in held for value in values if isinstance(value, Block)]
