"""`paddle.fluid.debugger`: Programs as listings and drawings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.descs import BlockDesc, ProgramDesc
from paddle_compat.core.dtype import VarType, dtype_name
from paddle_compat.core.operator import GRAD_SUFFIX, Operator
from paddle_compat.core.program import Block
from paddle_compat.core.text import variable_text
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.graphviz import GraphPreviewGenerator


def pprint_program_codes(program_desc: Any) -> str:
    """A Program's variables and operators, gradients left out, in the style of code.

    Args:
        program_desc: a Program, or its description.
    Returns:
        The text.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     y = fluid.layers.relu(fluid.data("x", [None, 2]))
        ...     text = fluid.debugger.pprint_program_codes(y.block.program)
        >>> "Tensor x (tensor(type=float32, shape=[-1, 2]))" in text
        True

    Follows Paddle 1.8.
    """
    program = program_desc._program if isinstance(program_desc, ProgramDesc) else program_desc
    return "\n".join(pprint_block_codes(block) for block in program.blocks)


def pprint_block_codes(block_desc: Any, show_backward: bool = False) -> str:
    """A block's variables and operators in the style of code.

    Args:
        block_desc: a Block, or its description.
        show_backward: list gradients, too.
    Returns:
        The text.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     y = fluid.layers.relu(fluid.data("x", [None, 2]))
        ...     text = fluid.debugger.pprint_block_codes(y.block)
        >>> text.splitlines()[0]
        '// block-0  parent--1'

    Follows Paddle 1.8.
    """
    block: Block = block_desc._block if isinstance(block_desc, BlockDesc) else block_desc
    variables = [var for var in block.vars.values() if show_backward or GRAD_SUFFIX not in var.name]
    shown = [op for op in block.ops if show_backward or not _is_backward(op)]
    lines = [f"// block-{block.idx}  parent-{block.parent_idx}", "// variables", *map(_variable_line, variables), ""]
    return "\n".join([*lines, "// operators", *map(_operator_line, shown), ""])


def _is_backward(op: Operator) -> bool:
    return any(GRAD_SUFFIX in name for name in (*op.input_arg_names, *op.output_arg_names))


def _variable_line(var: Variable) -> str:
    tensor = f"tensor(type={dtype_name(var.dtype)}, shape={list(var.shape)})"
    if var.type == VarType.LOD_TENSOR:
        return f"LoDTensor {var.name} (level={var.lod_level}, {tensor})" if var.lod_level else f"Tensor {var.name} ({tensor})"
    if var.type == VarType.LOD_TENSOR_ARRAY:
        return f"TensorArray {var.name} (level={var.lod_level}, {tensor})"
    return f"{var.type.name} {var.name} ({tensor})"


def _operator_line(op: Operator) -> str:
    outputs = [name for slot in op.output_names for name in op.outputs[slot]]
    inputs = [f"{slot}={names[0] if len(names) == 1 else names}" for slot, names in sorted(op.inputs.items())]
    values = {name: op._block_attr_id(name) if name == "sub_block" else op.attr(name) for name in op.attr_names}
    attrs = ",".join(f"{name}={value}" for name, value in values.items())
    return f"{', '.join(outputs)} = {op.type}({', '.join(inputs)}) [{{{attrs}}}]"


def draw_block_graphviz(block: Block, highlights: Iterable[str] | None = None, path: str = "./temp.dot") -> None:
    """Write a drawing of a block in the language of Graphviz; with `dot` installed, also a PDF beside it.

    Args:
        block: the block.
        highlights: names of variables to be drawn in orange.
        path: the file; ends in `.dot`.

    Example:
        >>> import os, tempfile, paddle_compat.fluid as fluid
        >>> path = os.path.join(tempfile.mkdtemp(), "net.dot")
        >>> with fluid.program_guard(fluid.Program()):
        ...     y = fluid.layers.relu(fluid.data("x", [None, 2]))
        ...     fluid.debugger.draw_block_graphviz(y.block, path=path)
        >>> open(path).readline()
        'digraph G {\\n'

    Follows Paddle 1.8.
    """
    marked = set(highlights or ())

    def highlighted(name: str) -> bool:
        return any(name.startswith(mark) for mark in marked)

    graph = GraphPreviewGenerator("some graph")
    nodes = {}
    for var in block.vars.values():
        if var.persistable:
            nodes[var.name] = graph.add_param(var.name, _type_text(var), highlighted(var.name))
        else:
            nodes[var.name] = graph.add_arg(var.name, highlighted(var.name))
    for op in block.ops:
        node = graph.add_op(op.type)
        for names, reads in ((op.input_arg_names, True), (op.output_arg_names, False)):
            for name in names:
                if name not in nodes:
                    nodes[name] = graph.add_arg(name)
                ends = (nodes[name], node) if reads else (node, nodes[name])
                graph.add_edge(*ends, highlight=highlighted(name))
    graph(path)


def _type_text(var: Variable) -> str:
    """What the variable's description says of its type."""
    lines = variable_text(var).splitlines()
    first = lines.index("type {") + 1
    inner = [line.removeprefix("  ") for line in lines[first : lines.index("}", first)]]
    return "\n".join([f"{inner[0]}<br />{inner[1]}", *inner[2:], ""]) if len(inner) > 1 else inner[0]


__all__ = ["draw_block_graphviz", "pprint_block_codes", "pprint_program_codes"]

__getattr__ = missing(__name__)
