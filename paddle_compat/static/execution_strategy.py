"""`paddle.static.ExecutionStrategy`: how a data parallel Program is to be run."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.static._switches import Switches


class ExecutionStrategy(Switches):
    """How a data parallel Program is to be run. docs/parallel_executor.md says what acts.

    Raises:
        TypeError: a switch is set to something of another type.

    Example:
        >>> import paddle_compat as paddle
        >>> strategy = paddle.static.ExecutionStrategy()
        >>> strategy.num_threads = 4
        >>> strategy.num_threads, strategy.num_iteration_per_drop_scope
        (4, 100)

    Follows Paddle 1.8 and 2.6.
    """

    _table = {
        "_dry_run": False, "allow_op_delay": False, "num_iteration_per_drop_scope": 100, "num_iteration_per_run": 1, "num_threads": 0,
        "use_cuda": True, "use_experimental_executor": True, "use_thread_barrier": False,
    }  # fmt: skip


def iterations(execution: Any, build: Any) -> int:
    """How many steps a run of a Program makes, of which it returns the last one's values; 0: nothing runs.

    As in 1.8.5, only what runs in `async_mode` makes more than one.

    Args:
        execution: the ExecutionStrategy, or None.
        build: the BuildStrategy.
    """
    if execution is None:
        return 1
    return 0 if execution._dry_run else max(execution.num_iteration_per_run, 1) if build.async_mode else 1


__all__ = ["ExecutionStrategy"]

__getattr__ = missing(__name__)
