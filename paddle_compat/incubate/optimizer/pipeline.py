"""`paddle.incubate.optimizer.PipelineOptimizer`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import mode
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.program import Program
from paddle_compat.optimizer.optimizer import Optimizer
from paddle_compat.static.amp.decorator import OptimizerWithMixedPrecision

__all__: list[str] = []


class PipelineOptimizer:
    """Another optimizer's steps, for a network whose sections run at places of their own while parts of a batch pass through them.

    Here all sections run one after another in one Program, so that a step is that of the whole network on the whole batch.

    Args:
        optimizer (Optimizer): makes the steps.
        num_microbatches (int): how many parts of a batch are under way; kept.
        start_cpu_core_id (int): kept.
    Raises:
        Exception: eager mode is on.
        ValueError: what is given is no optimizer.
        AssertionError: a number is out of range.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 8))
        ...     optimizer = paddle.incubate.optimizer.PipelineOptimizer(paddle.optimizer.SGD(0.1), num_microbatches=2)
        ...     optimizer.minimize(loss)
        ...     [op.type for op in loss.block.ops].count("sgd")
        2
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    def __init__(self, optimizer: Any, num_microbatches: int = 1, start_cpu_core_id: int = 0) -> None:
        mode.settle_static()
        if mode.in_dygraph_mode():
            raise Exception("In dygraph, don't support PipelineOptimizer.")
        if not isinstance(optimizer, (Optimizer, OptimizerWithMixedPrecision)):
            raise ValueError(
                "Invalid type for argument `optimizer` of `PipelineOptimizer`. Expected an Optimizer. "
                f"Received: {type(optimizer).__name__}"
            )
        for name, value, least in (("num_microbatches", num_microbatches, 1), ("start_cpu_core_id", start_cpu_core_id, 0)):
            if value < least:
                raise failed_assertion(name, f"at least {least}", value, "PipelineOptimizer")
        self._optimizer, self._num_microbatches, self._start_cpu_core_id = optimizer, num_microbatches, start_cpu_core_id

    def minimize(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> None:
        """Append what minimises a loss, as the inner optimizer does.

        Args:
            loss (Variable): what is minimised, of shape ().
            startup_program (Program|None): None for the default one.
            parameter_list (list|None), no_grad_set (set|None): as of `Optimizer`.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
            ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 8))
            ...     paddle.incubate.optimizer.PipelineOptimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
            ...     loss.block.ops[-1].type
            'sgd'
            >>> paddle.disable_static()
        """
        self._optimizer.minimize(loss, startup_program, parameter_list, no_grad_set)


__getattr__ = missing(__name__)
