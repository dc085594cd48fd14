"""`paddle.fluid.contrib.memory_usage`: how much memory a Program's values take."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import type_error
from paddle_compat.core.program import Program
from paddle_compat.core.variable import Variable


def memory_usage(program: Program, batch_size: int) -> tuple[float, float, str]:
    """Bounds of the memory that what a Program's operators write takes.

    Args:
        program: the Program.
        batch_size: what stands for unknown sizes.
    Returns:
        A lower bound, an upper bound, and their unit: "B", "KB" or "MB".
    Raises:
        TypeError: the first argument is no Program.
        ValueError: the batch is empty; a variable has several unknown sizes.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program()):
        ...     y = fluid.layers.relu(fluid.data("x", [None, 256]))
        ...     fluid.contrib.memory_usage(y.block.program, batch_size=1024)
        (1075.2, 1126.4, 'KB')

    Follows Paddle 1.8.
    """
    if not isinstance(program, Program):
        raise type_error("program", "a Program", program, "memory_usage")
    if batch_size <= 0:
        raise ValueError(f"Invalid value for argument `batch_size` of `memory_usage`. Expected a positive number. Received: {batch_size}")
    block = program.global_block()
    written = {name for op in block.ops for name in op.output_arg_names if name in block.vars}
    total: Any = sum(_bytes(block.vars[name], batch_size) for name in written)
    unit = "B"
    for larger in ("KB", "MB"):
        if total > 1024:
            total, unit = total / 1024, larger
    return total * 1.05, total * 1.1, unit


def _bytes(var: Variable, batch_size: int) -> int:
    count = 1
    unknown = [dim for dim in var.shape if dim < 0]
    if len(unknown) > 1:
        raise ValueError(f"Invalid shape of variable `{var.name}`. Expected one unknown size at most. Received: {list(var.shape)}")
    for dim in var.shape:
        count *= -dim * batch_size if dim < 0 else dim
    return count * torch_dtype(var.dtype).itemsize


__all__ = ["memory_usage"]

__getattr__ = missing(__name__)
