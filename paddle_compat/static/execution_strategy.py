"""`paddle.static.ExecutionStrategy`: how a data parallel Program is to be run."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.static._switches import Switches


class ExecutionStrategy(Switches):
    """How a data parallel Program is to be run: switches that are kept, and change nothing here.

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


__all__ = ["ExecutionStrategy"]

__getattr__ = missing(__name__)
