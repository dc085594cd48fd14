"""Drawings of Programs in the language of Graphviz."""

from __future__ import annotations

from json import dumps

from paddle_compat.core.errors import UnavailableError
from paddle_compat.core.program import Program


def draw(program: Program, path: str) -> None:
    """Write a drawing of a Program's global block: operators are boxes, variables ellipses.

    Raises:
        UnavailableError: the file cannot be written.
    """
    block = program.global_block()
    lines, seen = [], set()
    for number, op in enumerate(block.ops):
        lines.append(f'  op_{number} [label={dumps(op.type)} shape="box" style="filled"]')
        for name in (*op.input_arg_names, *op.output_arg_names):
            if name not in seen:
                seen.add(name)
                var = block._find_var_recursive(name)
                shape = "" if var is None else "\n" + ",".join(map(str, var.shape))
                lines.append(f"  {dumps(name)} [label={dumps(name + shape)}]")
        lines += [f"  {dumps(name)} -> op_{number}" for name in dict.fromkeys(op.input_arg_names)]
        lines += [f"  op_{number} -> {dumps(name)}" for name in dict.fromkeys(op.output_arg_names)]
    try:
        with open(path, "w") as file:
            file.write("\n".join(["digraph G {", *lines, "}", ""]))
    except OSError as error:
        raise UnavailableError(f"Cannot write a drawing to {path!r} (BuildStrategy.debug_graphviz_path): {error}") from error
