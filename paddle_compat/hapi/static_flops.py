"""`paddle.hapi.static_flops`: how many operations a Program takes, and the table that says so."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.program import Program


class Table:
    """A table of text, with as much room for each column as its longest cell takes.

    Args:
        table_heads: what stands at the head of each column.
    """

    def __init__(self, table_heads: list[str]) -> None:
        self.table_heads = table_heads
        self.data: list[list[str]] = []

    @property
    def table_len(self) -> list[int]:
        """The width of each column."""
        return [max(map(len, column)) + 2 for column in zip(self.table_heads, *self.data)]

    def add_row(self, row_str: list[Any]) -> None:
        """Add a row at the end."""
        self.data.append([str(cell) for cell in row_str])

    def print_table(self) -> None:
        """Print it."""
        widths = self.table_len
        rule = "+" + "+".join("-" * width for width in widths) + "+"
        rows = (self.table_heads, *self.data)
        lines = ["|" + "|".join(cell.center(width) for cell, width in zip(row, widths)) + "|" for row in rows]
        print("\n".join([rule, lines[0], rule, *lines[1:], rule]))


def static_flops(program: Program, print_detail: bool = False) -> int:
    """The count of a Program; an operator that is not known counts for nothing."""
    rows: list[list[Any]] = []
    count = 0
    for block in program.blocks:
        for op in block.ops:
            work = _work(op, lambda slot, op=op, block=block: list(block._var_recursive(op.input(slot)[0]).shape))
            if work is not None:
                rows.append([op.type, op.input(_WEIGHTS[op.type])[0] if op.type in _WEIGHTS else "", work])
                count += work
    if print_detail:
        table = Table(["OP Type", "Param name", "Flops"])
        for row in rows:
            table.add_row(row)
        table.print_table()
    return count


_WEIGHTS = {"conv2d": "Filter", "depthwise_conv2d": "Filter", "mul": "Y"}


def _work(op: Any, shape: Any) -> int | None:
    """What an operator does for one sample; None where it is not known."""
    if op.type in ("conv2d", "depthwise_conv2d"):
        out = op.block._var_recursive(op.output("Output")[0]).shape
        return int(np.prod(out[1:]) * np.prod(shape("Filter")[1:]))
    if op.type == "pool2d":
        (height, width), out = shape("X")[2:], op.block._var_recursive(op.output("Out")[0]).shape
        return int(np.prod(out[1:]) * ((height // out[2]) * (width // out[3]) + 1))
    if op.type == "mul":
        return int(np.prod(shape("X")[1:]) * shape("Y")[1])
    if op.type == "batch_norm":
        return int(2 * np.prod(shape("X")[1:]))
    return int(np.prod(shape("X")[1:])) if op.type.startswith("elementwise") else None


__all__: list[str] = []

__getattr__ = missing(__name__)
