"""The memory passes of old scripts, which Paddle 1.8 keeps as names that do nothing."""

from __future__ import annotations

import warnings
from typing import Any


def memory_optimize(
    input_program: Any, skip_opt_set: Any = None, print_log: bool = False, level: int = 0, skip_grads: bool = True
) -> None:
    """Do nothing but warn: memory is managed without it, as in 1.8.

    Args:
        input_program, skip_opt_set, print_log, level, skip_grads: not looked at.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.memory_optimize(fluid.default_main_program())

    Follows Paddle 1.8.
    """
    warnings.warn("`memory_optimize` has no effect any more; leave the call out.", stacklevel=2)


def release_memory(input_program: Any, skip_opt_set: Any = None) -> None:
    """Do nothing but warn: memory is managed without it, as in 1.8.

    Args:
        input_program, skip_opt_set: not looked at.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.release_memory(fluid.default_main_program())

    Follows Paddle 1.8.
    """
    warnings.warn("`release_memory` has no effect any more; leave the call out.", stacklevel=2)


__all__ = ["memory_optimize", "release_memory"]
