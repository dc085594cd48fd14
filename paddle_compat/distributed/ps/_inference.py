"""Models for inference out of a worker's Program: tables of servers become parameters of the model."""

from __future__ import annotations

import os
from typing import Any

import torch

from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program
from paddle_compat.core.streams import write_tensor

_AT_ONCE = 1 << 16  # rows that are asked for together


def with_tables(program: Program) -> tuple[Program, dict[str, Operator], list[str]]:
    """A Program that reads its tables itself.

    Args:
        program: of inference, which asks servers; it is changed.
    Returns:
        It, by the name of each table the operator that asked for its rows, and the names of tables that are on servers alone.
    """
    block, tables, remote = program.global_block(), {}, []
    for op in [op for op in block.ops if op.type == "distributed_lookup_table"]:
        alone = bool(op.attrs.get("is_distributed"))
        if alone:
            remote += op.input("W")
        else:
            tables[op.input("W")[0]] = op
        place = block.ops.index(op)
        block.ops.remove(op)
        for ids, out in zip(op.input("Ids"), op.output("Outputs")):
            var = block.vars[out]
            shape, level = var.shape, var.lod_level
            attrs = {"padding_idx": op.attrs.get("padding_idx", -1), "is_sparse": True, "is_distributed": alone, "op_role": 0}
            block._insert_op(place, op.attrs["lookup_table_version"], {"Ids": [ids], "W": op.input("W")}, {"Out": [out]}, attrs)
            var.shape, var.lod_level = shape, level
    program._servers = None
    return program, tables, remote


def save_table(trainer: Any, asks: Operator, var: Any, dirname: str) -> None:
    """Write a table of servers into a file, as a variable.

    Args:
        trainer: calls the servers.
        asks: the operator that asks for rows.
        var: the table.
        dirname: the folder.
    """
    height, width = var.shape
    said = [list(asks.attrs[name]) for name in ("table_names", "height_sections", "endpoints")]
    stands = torch.zeros(()).expand(height, width)
    rows = [
        trainer.lookup(stands, [torch.arange(first, min(first + _AT_ONCE, height))], *said, -1, False)[0]
        for first in range(0, height, _AT_ONCE)
    ]
    with open(os.path.join(dirname, var.name), "wb") as stream:
        write_tensor(stream, LoDTensor(torch.cat(rows)))
