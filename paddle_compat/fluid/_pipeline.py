"""`PipelineOptimizer` of Paddle 1.8: a network that is cut into sections, each at its place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat.core import mode
from paddle_compat.core.program import Program


class PipelineOptimizer:
    """Another optimizer's steps, for a network whose sections run at places of their own while batches pass through them.

    Here all sections run one after another in one Program, at the Executor's place, so that a step is that of the whole
    network on one batch: `train_from_dataset` trains it, and so does `run`.

    Args:
        optimizer (Optimizer): makes the steps.
        cut_list (list): lists of Variables where sections end.
        place_list (list), concurrency_list (list): where each section runs, and how many times at once.
        queue_size (int), sync_steps (int), start_cpu_core_id (int): how batches pass from section to section.
        num_microbatches (int): the parts of a batch, as in Paddle 2; a step is that of the whole batch anyway.
    Raises:
        Exception: eager mode is on.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     hidden = fluid.layers.fc(fluid.data("x", [None, 4]), 3)
        ...     loss = fluid.layers.mean(fluid.layers.fc(hidden, 1))
        ...     optimizer = fluid.optimizer.PipelineOptimizer(
        ...         fluid.optimizer.SGD(0.1), cut_list=[[hidden], [loss]], place_list=[fluid.CPUPlace()] * 3,
        ...         concurrency_list=[1, 1, 1])
        ...     optimizer.minimize(loss)
        ...     [op.type for op in loss.block.ops].count("sgd")
        4

    Follows Paddle 1.8.
    """

    def __init__(
        self, optimizer: Any, cut_list: Any = None, place_list: Any = None, concurrency_list: Any = None, queue_size: int = 30,
        sync_steps: int = 1, start_cpu_core_id: int = 0, num_microbatches: int = 1,
    ) -> None:  # fmt: skip
        mode.need_static("PipelineOptimizer")
        self._optimizer, self._cut_list, self._place_list = optimizer, cut_list, place_list
        self._concurrency_list, self._queue_size = concurrency_list, queue_size
        self._sync_steps, self._start_cpu_core_id = sync_steps, start_cpu_core_id

    def minimize(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
    ) -> None:
        """Append what minimises a loss, as the inner optimizer does.

        Args:
            loss (Variable): what is minimised, of shape (1,).
            startup_program (Program|None): None for the default one.
            parameter_list (list|None), no_grad_set (set|None): as of `Optimizer`.
        """
        self._optimizer.minimize(loss, startup_program, parameter_list, no_grad_set)


__all__ = ["PipelineOptimizer"]
