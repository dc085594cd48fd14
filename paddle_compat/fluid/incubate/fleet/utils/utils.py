"""`paddle.fluid.incubate.fleet.utils.utils`: Programs in files of their own, and what is in them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.block import Block
from paddle_compat.core.program import Program
from paddle_compat.fluid.debugger import draw_block_graphviz
from paddle_compat.incubate.distributed.fleet.utils import (
    append_load_op,
    append_save_op,
    check_not_expected_ops,
    check_pruned_program_vars,
    check_saved_vars_try_dump,
    feed_fetch_type_list,
    feed_gen,
    load_program,
    load_program_binary,
    load_program_text,
    load_var,
    not_expected_op_types,
    program_type_trans,
    reader,
    save_program,
    save_var,
    try_load_model_vars,
)

ops_out_fn = "ops.log"
all_vars_out_fn = "vars_all.log"
persistable_vars_out_fn = "vars_persistable.log"


def graphviz(block: Block, output_dir: str = "", filename: str = "debug") -> None:
    """Draw a block, in the language of Graphviz.

    Args:
        block (Block): the block.
        output_dir (str): the folder.
        filename (str): the file's name, without `.dot`.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.incubate.fleet.utils.utils import graphviz
        >>> folder = tempfile.mkdtemp()
        >>> graphviz(fluid.Program().global_block(), folder, "net")
        >>> "net.dot" in os.listdir(folder)
        True

    Follows Paddle 1.8.
    """
    draw_block_graphviz(block, path=os.path.join(output_dir, f"{filename}.dot"))


def parse_program(program: Program, output_dir: str) -> None:
    """Write what is in a Program to `vars_all.log`, `vars_persistable.log` and `ops.log`.

    Args:
        program (Program): the Program; its first block is looked at.
        output_dir (str): the folder.

    Example:
        >>> import tempfile
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.incubate.fleet.utils.utils import parse_program
        >>> main, folder = fluid.Program(), tempfile.mkdtemp()
        >>> with fluid.program_guard(main):
        ...     _ = fluid.layers.relu(fluid.data("x", [2]))
        >>> parse_program(main, folder)
        >>> print(open(folder + "/vars_all.log").readlines()[1].strip())
        {'name': 'x', 'shape': '(2,)', 'lod_level': 0, 'dtype': 'VarType.FP32'}

    Follows Paddle 1.8.
    """
    block = program.global_block()
    every: list[dict[str, Any]] = []
    kept: list[dict[str, Any]] = []
    for var in block.vars.values():
        row = {"name": var.name, "shape": str(var.shape), "lod_level": var.lod_level, "dtype": str(var.dtype)}
        every.append(row)
        if var.persistable:
            kept.append({**row, "type": str(var.type)})
    ops = [{"type": op.type, "input_arg_names": str(op.input_arg_names), "output_arg_names": str(op.output_arg_names)} for op in block.ops]
    told = ((all_vars_out_fn, "all vars", every), (persistable_vars_out_fn, "persistable vars", kept), (ops_out_fn, "ops", ops))
    for name, title, rows in told:
        _write(os.path.join(output_dir, name), title, rows)


def _write(path: str, title: str, rows: Iterable[dict[str, Any]]) -> None:
    with open(path, "w") as file:
        file.write(f"{title}:\n" + "".join(f"{row}\n" for row in rows))


__all__ = [
    "append_load_op",
    "append_save_op",
    "check_not_expected_ops",
    "check_pruned_program_vars",
    "check_saved_vars_try_dump",
    "feed_fetch_type_list",
    "feed_gen",
    "graphviz",
    "load_program",
    "load_program_binary",
    "load_program_text",
    "load_var",
    "not_expected_op_types",
    "parse_program",
    "program_type_trans",
    "reader",
    "save_program",
    "save_var",
    "try_load_model_vars",
]
__getattr__ = missing(__name__)
