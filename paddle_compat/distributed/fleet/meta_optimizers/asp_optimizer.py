"""Pruned weights that stay pruned, asked for by `strategy.asp`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.program import Program, default_startup_program
from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase
from paddle_compat.incubate.asp import ASPHelper


class ASPOptimizer(MetaOptimizerBase):
    """What `paddle.incubate.asp.prune_model` sets to zero is zero again after each step.

    Args:
        optimizer: the user's optimizer, or another layer around it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.incubate import asp
        >>> paddle.enable_static()
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.asp = True
        >>> fleet.init(is_collective=True, strategy=strategy)
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 8]), 8))
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
        >>> _ = paddle.static.Executor(paddle.CPUPlace()).run(startup)
        >>> sorted(asp.prune_model(main))
        ['fc_0.w_0']
        >>> [op.type for op in main.global_block().ops][-2:]
        ['sgd', 'elementwise_mul']
        >>> paddle.disable_static()

    Follows Paddle 2.6, where workers of several do not sum their gradients beside this.
    """

    switch = "asp"

    def minimize_impl(
        self, loss: Any, startup_program: Program | None = None, parameter_list: Any = None, no_grad_set: Iterable[Any] | None = None
    ) -> tuple[Any, list[Any]]:
        """Append all that minimises a loss, and behind it what sets weights to zero again.

        Args:
            loss (Tensor): what is minimised.
            startup_program (Program|None): None for the default one, which gets the masks.
            parameter_list (list|None): what is trained.
            no_grad_set (set|None): Variables through which no gradient flows.
        Returns:
            tuple: the update operators, and the pairs of parameter and gradient.
        """
        result: tuple[Any, list[Any]] = self.inner_opt.minimize(loss, startup_program, parameter_list, no_grad_set)
        startup = default_startup_program() if startup_program is None else startup_program
        ASPHelper._keep_zeros(loss.block.program, startup, [param for param, _ in result[1]])
        return result


__all__ = ["ASPOptimizer"]

__getattr__ = missing(__name__)
