"""`paddle.incubate.optimizer.RecomputeOptimizer`."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError
from paddle_compat.optimizer._recomputing import Recomputing
from paddle_compat.optimizer.optimizer import Optimizer

__all__: list[str] = []


class RecomputeOptimizer(Recomputing, Optimizer):
    """Another optimizer, whose backward pass computes what lies between checkpoints again, which saves memory.

    Args:
        optimizer (Optimizer): makes the steps.
    Raises:
        Exception: in eager mode, which has `paddle.distributed.fleet.utils.recompute`.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     hidden = paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 8)
        ...     loss = paddle.mean(paddle.static.nn.fc(hidden, 1))
        ...     sgd = paddle.incubate.optimizer.RecomputeOptimizer(paddle.optimizer.SGD(0.1))
        ...     sgd._set_checkpoints([hidden])
        ...     ops, pairs = sgd.minimize(loss)
        >>> len(ops), len(pairs)
        (4, 4)
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    _api = "paddle.incubate.optimizer.RecomputeOptimizer"

    def load(self, state_dict: Any) -> None:
        """Not there, as in Paddle.

        Args:
            state_dict (dict): whatever it is.
        Raises:
            UnimplementedError: always, as in Paddle; a NotImplementedError.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> paddle.incubate.optimizer.RecomputeOptimizer(paddle.optimizer.SGD(0.1)).load({})
            Traceback (most recent call last):
            ...
            paddle_compat.core.errors.UnimplementedError: load function is not supported by Recompute Optimizer for now
        """
        raise UnimplementedError("load function is not supported by Recompute Optimizer for now")


__getattr__ = missing(__name__)
