"""Batch norms over the batches of all workers, asked for by `strategy.sync_batch_norm`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.program import Program
from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase
from paddle_compat.engine.data_parallel import share_statistics


class SyncBatchNormOptimizer(MetaOptimizerBase):
    """Batch norms take the mean and the variance of all workers' batches.

    Args:
        optimizer: the user's optimizer, or another layer around it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.sync_batch_norm = True
        >>> fleet.init(is_collective=True, strategy=strategy)
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.batch_norm(paddle.static.data("x", [None, 4])))
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
        >>> loss.block.ops[0].type
        'sync_batch_norm'
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    switch = "sync_batch_norm"

    def _can_apply(self) -> bool:
        return super()._can_apply() or self.user_defined_strategy.build_strategy.sync_batch_norm

    def backward(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: list[Callable[..., None]] | None = None,
    ) -> list[Any]:
        """Change the batch norms, then append the gradient operators."""
        for block in loss.block.program.blocks:
            share_statistics(block.ops)
        loss.block.program._touch()
        return super().backward(loss, startup_program, parameter_list, no_grad_set, callbacks)


__all__ = ["SyncBatchNormOptimizer"]

__getattr__ = missing(__name__)
