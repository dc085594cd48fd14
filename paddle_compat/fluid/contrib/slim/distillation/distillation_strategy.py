"""`paddle.fluid.contrib.slim.distillation.distillation_strategy`: has a network learn from others for some epochs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.fluid.contrib.slim.core._context import Context, logger
from paddle_compat.fluid.contrib.slim.core.strategy import Strategy

_BACKUP = "distillation_backup_optimize_graph"


class DistillationStrategy(Strategy):
    """Has a network learn from the teachers that a Compressor is given, by `distiller_optimizer`.

    Args:
        distillers (list): what adds losses, distillers.
        start_epoch, end_epoch (int): the epochs with which it begins and ends; all but the last one are such epochs.

    Example:
        >>> from paddle_compat.fluid.contrib.slim.distillation import DistillationStrategy, L2Distiller
        >>> strategy = DistillationStrategy([L2Distiller("student", "teacher")], start_epoch=0, end_epoch=3)
        >>> len(strategy.distillers), strategy.end_epoch
        (1, 3)

    Follows Paddle 1.8.
    """

    def __init__(self, distillers: Sequence[Any] | None = None, start_epoch: int = 0, end_epoch: int = 0) -> None:
        super().__init__(start_epoch, end_epoch)
        self.distillers = distillers

    def restore_from_checkpoint(self, context: Context) -> None:
        """Train with the teachers' losses again, where the checkpoint was made while it did.

        Args:
            context (Context): the state of the training.
        """
        if self.start_epoch < context.epoch_id < self.end_epoch:
            logger.info("Restore DistillationStrategy")
            self._begin(context)
            logger.info("Restore DistillationStrategy finish.")

    def on_epoch_begin(self, context: Context) -> None:
        """Train with the teachers' losses from the first epoch on.

        Args:
            context (Context): the state of the training.
        """
        if context.epoch_id == self.start_epoch:
            logger.info("DistillationStrategy::on_epoch_begin.")
            self._begin(context)
            logger.info("DistillationStrategy set optimize_graph.")

    def on_epoch_end(self, context: Context) -> None:
        """Train without them after the last epoch.

        Args:
            context (Context): the state of the training.
        """
        if context.epoch_id == self.end_epoch - 1:
            logger.info("DistillationStrategy::on_epoch_end.")
            context.optimize_graph = context.get(_BACKUP)
            logger.info("DistillationStrategy set context.optimize_graph to None.")

    def _begin(self, context: Context) -> None:
        assert context.train_graph is not None
        graph = context.train_graph.clone()
        for teacher in context.teacher_graphs or ():
            for var in teacher.program.list_vars():
                var.stop_gradient = True
            graph.merge(teacher)
        graph.out_nodes["student_loss"] = graph.out_nodes["loss"]
        for distiller in self.distillers or ():
            graph = distiller.distiller_loss(graph)
        context.put(_BACKUP, context.optimize_graph)
        optimizer = context.distiller_optimizer or context.train_optimizer
        context.optimize_graph = graph.get_optimize_graph(optimizer, context.place, context.scope)


__all__ = ["DistillationStrategy"]

__getattr__ = missing(__name__)
