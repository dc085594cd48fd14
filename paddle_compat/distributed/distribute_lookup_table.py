"""`paddle.distributed.distribute_lookup_table`: the table of a Program that lives on servers alone."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.program import Program

LOOKUP_TABLE_TYPE = "lookup_table"


def find_distributed_lookup_table(program: Program) -> str | None:
    """The name of the table that look-ups with `is_distributed=True` read.

    Args:
        program (Program): before it is transpiled.
    Returns:
        str|None: it; None: there is no such look-up.
    Raises:
        RuntimeError: they read several tables.
        AssertionError: a later look-up without `is_distributed` reads it, too.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.distributed import distribute_lookup_table as tables
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     ids = fluid.layers.data("ids", [1], dtype="int64")
        ...     rows = fluid.layers.embedding(ids, [50, 4], is_sparse=True, is_distributed=True, param_attr=fluid.ParamAttr(name="table"))
        ...     main = fluid.default_main_program()
        ...     inputs = tables.find_distributed_lookup_table_inputs(main, "table")
        ...     outputs = tables.find_distributed_lookup_table_outputs(main, "table")
        >>> tables.find_distributed_lookup_table(main), inputs[0] is ids, outputs[0] is rows
        ('table', True, True)

    Follows Paddle 1.8.
    """
    found: str | None = None
    for op in program.global_block().ops:
        if op.type != LOOKUP_TABLE_TYPE:
            continue
        (table,) = op.input("W")
        if op.attrs.get("is_distributed"):
            if found not in (None, table):
                raise RuntimeError(f"all distributed lookup_table_ops should have only one table. Received: {found} and {table}")
            found = table
        elif found is not None and table == found:
            raise AssertionError(f"Expected that all look-ups of {table} have is_distributed=True. Received: one without")
    return found


def find_distributed_lookup_table_inputs(program: Program, table_name: str) -> list[Any]:
    """The ids that are looked up in a table.

    Args:
        program (Program): before it is transpiled.
        table_name (str): the table.
    Returns:
        list: Variables, one for each look-up.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.distributed.distribute_lookup_table import find_distributed_lookup_table_inputs
        >>> find_distributed_lookup_table_inputs(fluid.Program(), "table")
        []

    Follows Paddle 1.8.
    """
    return _of(program, table_name, "Ids", False)


def find_distributed_lookup_table_outputs(program: Program, table_name: str) -> list[Any]:
    """The rows that are found in a table.

    Args:
        program (Program): before it is transpiled.
        table_name (str): the table.
    Returns:
        list: Variables, one for each look-up.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.distributed.distribute_lookup_table import find_distributed_lookup_table_outputs
        >>> find_distributed_lookup_table_outputs(fluid.Program(), "table")
        []

    Follows Paddle 1.8.
    """
    return _of(program, table_name, "Out", True)


def _of(program: Program, table: str, slot: str, written: bool) -> list[Any]:
    variables, ops = program.current_block().vars, program.global_block().ops
    found = [op for op in ops if op.type == LOOKUP_TABLE_TYPE and op.input("W")[0] == table]
    return [variables[name] for op in found for name in (op.output(slot) if written else op.input(slot))]


__all__: list[str] = []

__getattr__ = missing(__name__)
