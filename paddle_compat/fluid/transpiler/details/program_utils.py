"""`fluid.transpiler.details.program_utils`: operators by what they read and write, and Programs as text that looks like code."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, TextIO

from paddle_compat._missing import missing
from paddle_compat.core.block import Block
from paddle_compat.core.dtype import VarType
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program

_INDENT = 4  # of what lies in a block


def delete_ops(block: Block, ops: Iterable[Operator]) -> None:
    """Take operators out of a block.

    Args:
        block (Block): their block.
        ops (list): the operators; those that are not there are passed over.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.transpiler.details import delete_ops
        >>> with fluid.program_guard(fluid.Program()):
        ...     block = fluid.layers.ones([2], "float32").block
        >>> delete_ops(block, block.ops[:]); block.ops
        []

    Follows Paddle 1.8.
    """
    for op in ops:
        if op in block.ops:
            block._remove_op(block.ops.index(op))


def find_op_by_input_arg(block: Block, arg_name: str) -> int:
    """The place of the first operator that reads a variable.

    Args:
        block (Block): where it is looked for.
        arg_name (str): the variable's name.
    Returns:
        int: -1 where none does.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.transpiler.details import find_op_by_input_arg
        >>> with fluid.program_guard(fluid.Program()):
        ...     out = fluid.layers.relu(fluid.data("x", [2]))
        >>> find_op_by_input_arg(out.block, "x"), find_op_by_input_arg(out.block, "y")
        (0, -1)

    Follows Paddle 1.8.
    """
    return next((place for place, op in enumerate(block.ops) if arg_name in op.input_arg_names), -1)


def find_op_by_output_arg(block: Block, arg_name: str, reverse: bool = False) -> int:
    """The place of the first operator that writes a variable.

    Args:
        block (Block): where it is looked for.
        arg_name (str): the variable's name.
        reverse (bool): the last one.
    Returns:
        int: -1 where none does.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.transpiler.details import find_op_by_output_arg
        >>> with fluid.program_guard(fluid.Program()):
        ...     out = fluid.layers.relu(fluid.data("x", [2]))
        >>> find_op_by_output_arg(out.block, out.name)
        0

    Follows Paddle 1.8.
    """
    places = [place for place, op in enumerate(block.ops) if arg_name in op.output_arg_names]
    return places[-1 if reverse else 0] if places else -1


def get_indent_space(indent: int, space_num: int = _INDENT) -> str:
    """Spaces in front of a line.

    Args:
        indent (int): how deep it lies.
        space_num (int): spaces for each step.
    Returns:
        str.

    Example:
        >>> from paddle_compat.fluid.transpiler.details import get_indent_space
        >>> get_indent_space(2, 3)
        '      '

    Follows Paddle 1.8.
    """
    return " " * (indent * space_num)


def variable_to_code(var: Any) -> str:
    """A variable as a line.

    Args:
        var (Variable): the variable.
    Returns:
        str.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.transpiler.details import variable_to_code
        >>> with fluid.program_guard(fluid.Program()):
        ...     variable_to_code(fluid.data("x", [None, 2]))
        'var x : fluid.VarType.LOD_TENSOR.shape(-1, 2).astype(VarType.FP32)'

    Follows Paddle 1.8.
    """
    what = f"VarType.{var.type.name}"
    if var.type in (VarType.LOD_TENSOR, VarType.SELECTED_ROWS):
        said = f"{what}.shape{tuple(var.shape)}.astype(VarType.{var.dtype.name})"
    else:
        said = f"{what})"
    kind = "var" if not var.is_parameter else "trainable parameter" if var.trainable else "parameter"
    return f"{'persist ' if var.persistable else ''}{kind} {var.name} : fluid.{said}"


def op_to_code(op: Operator, skip_op_callstack: bool = True) -> str:
    """An operator as a line.

    Args:
        op (Operator): the operator.
        skip_op_callstack (bool): leave out where it was written.
    Returns:
        str.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.transpiler.details import op_to_code
        >>> with fluid.program_guard(fluid.Program()):
        ...     block = fluid.layers.mean(fluid.data("x", [2])).block
        >>> op_to_code(block.ops[0]).partition(",")[0]
        "{Out=['mean_0.tmp_0']} = mean(inputs={X=['x']}"

    Follows Paddle 1.8.
    """
    return op._to_readable_code(skip_op_callstack)


def block_to_code(block: Block, block_idx: int, fout: TextIO | None = None, skip_op_callstack: bool = False) -> None:
    """Print a block, a line for each variable and operator.

    Args:
        block (Block): the block.
        block_idx (int): its number, as it is to be called.
        fout (file): where it goes; None: standard output.
        skip_op_callstack (bool): leave out where operators were written.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.transpiler.details import block_to_code
        >>> block_to_code(fluid.Program().global_block(), 0)
        { // block 0
        }

    Follows Paddle 1.8.
    """
    indent = get_indent_space(1)
    lines = [f"{indent}{variable_to_code(block.vars[name])}" for name in sorted(block.vars)]
    lines += [""] if lines else []
    lines += [f"{indent}{op_to_code(op, skip_op_callstack)}" for op in block.ops]
    print(f"{{ // block {block_idx}", *lines, "}", sep="\n", file=fout or sys.stdout)


def program_to_code(prog: Program, fout: TextIO | None = None, skip_op_callstack: bool = True) -> None:
    """Print a Program, block by block.

    Args:
        prog (Program): the Program.
        fout (file): where it goes; None: standard output.
        skip_op_callstack (bool): leave out where operators were written.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.transpiler.details import program_to_code
        >>> program_to_code(fluid.Program())
        { // block 0
        }

    Follows Paddle 1.8.
    """
    for block in prog.blocks:
        block_to_code(block, block.idx, fout, skip_op_callstack)


__getattr__ = missing(__name__)
__all__ = [
    "block_to_code", "delete_ops", "find_op_by_input_arg", "find_op_by_output_arg", "get_indent_space", "op_to_code", "program_to_code",
    "variable_to_code",
]  # fmt: skip
