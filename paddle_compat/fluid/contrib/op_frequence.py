"""`paddle.fluid.contrib.op_freq_statistic`: which operators a Program has, and which follow which."""

from __future__ import annotations

from collections import Counter

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.core.program import Program


def op_freq_statistic(program: Program) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """How often each operator occurs in a Program's main block, and each pair of which one reads what the other wrote.

    Paddle 1.8.5 itself fails here under Python 3.

    Args:
        program: the Program.
    Returns:
        Pairs of operator and count, and pairs of "writer->reader" and count; the most frequent first.
    Raises:
        TypeError: the argument is no Program.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     y = fluid.layers.relu(fluid.layers.relu(fluid.data("x", [None, 2])))
        ...     fluid.contrib.op_freq_statistic(y.block.program)
        ([('relu', 2)], [('relu->relu', 1)])

    Follows Paddle 1.8.
    """
    if not isinstance(program, Program):
        raise type_error("program", "a Program", program, "op_freq_statistic")
    parameters = {parameter.name for parameter in program.all_parameters()}
    single: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    writers: dict[str, str] = {}
    for op in program.global_block().ops:
        single[op.type] += 1
        pairs.update(f"{writers[name]}->{op.type}" for name in op.input_arg_names if name in writers)
        writers.update((name, op.type) for name in op.output_arg_names if name not in parameters)
    return single.most_common(), pairs.most_common()


__all__ = ["op_freq_statistic"]

__getattr__ = missing(__name__)
