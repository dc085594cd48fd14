"""One name for each value: what a layer overwrites (`x[0] = y`) has a gradient before and another one behind."""

from __future__ import annotations

from paddle_compat.core import unique_name
from paddle_compat.core.dtype import VarType
from paddle_compat.core.program import Program


def name_apart(program: Program) -> None:
    """Give the values of a variable that operators overwrite names of their own; the last one keeps the variable's.

    Args:
        program: the forward operators. Variables that sub-blocks use stay as they are.
    """
    block = program.global_block()
    inner = {name for other in program.blocks[1:] for op in other.ops for name in (*op.input_arg_names, *op.output_arg_names)}
    writers: dict[str, list[int]] = {}
    for at, op in enumerate(block.ops):
        for name in op.output_arg_names:
            var = block.vars.get(name)
            if var is not None and var.type == VarType.LOD_TENSOR and not (var.persistable or name in inner):
                writers.setdefault(name, []).append(at)
    for name, places in writers.items():
        var = block.vars[name]
        for first, following in zip(places, places[1:]):
            made = unique_name.generate(f"{name}.overwritten")
            block.create_var(name=made, shape=var.shape, dtype=var.dtype, stop_gradient=var.stop_gradient)
            block.ops[first]._rename_output(name, made)
            for op in block.ops[first + 1 : following + 1]:
                op._rename_input(name, made)


__all__ = ["name_apart"]
