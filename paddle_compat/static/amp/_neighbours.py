"""Which operators hand a variable to which, in a Program that mixed precision rewrites."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.operator import Operator


def find_op_index(block_desc: Any, cur_op_desc: Any) -> int:
    """The place of an operator in its block, -1 where it is not there; both are descriptions."""
    places = (i for i in range(block_desc.op_size()) if block_desc.op(i) == cur_op_desc)
    return next(places, -1)


def find_true_prev_op(ops: list[Operator], cur_op: Operator, var_name: str) -> Operator | None:
    """The operator before this one that wrote a variable; None: there is none.

    Raises:
        ValueError: several have.
    """
    writers = [op for op in ops[: ops.index(cur_op)] if var_name in op.output_arg_names]
    if len(writers) > 1:
        raise ValueError(f"Invalid value for argument `var_name`. Expected one operator that writes {var_name}. Received: {len(writers)}")
    return writers[0] if writers else None


def find_true_post_op(ops: list[Operator], cur_op: Operator, var_name: str, search_all: bool = False) -> list[Operator]:
    """The operators behind this one (of all operators, where asked) that read a variable."""
    return [op for op in (ops if search_all else ops[ops.index(cur_op) + 1 :]) if var_name in op.input_arg_names]


def _rename_arg(op: Operator, old_name: str, new_name: str) -> None:
    """Let an operator read and write another variable."""
    op._rename_input(old_name, new_name)
    op._rename_output(old_name, new_name)
