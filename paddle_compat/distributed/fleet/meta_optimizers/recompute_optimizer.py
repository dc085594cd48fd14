"""Values that are computed again in the backward pass, asked for by `strategy.recompute`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.program import Program
from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase
from paddle_compat.incubate.optimizer import RecomputeOptimizer as Recomputing


class RecomputeOptimizer(MetaOptimizerBase):
    """The backward pass computes what lies between checkpoints again, which saves memory.

    Args:
        optimizer: the user's optimizer, or another layer around it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.recompute = True
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     hidden = paddle.tanh(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 8))
        ...     loss = paddle.mean(paddle.static.nn.fc(hidden, 1))
        ...     strategy.recompute_configs = {"checkpoints": [hidden.name]}
        ...     fleet.init(is_collective=True, strategy=strategy)
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1)).minimize(loss)
        >>> any(".subprog" in name for name in loss.block.vars)
        True
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    switch = "recompute"

    def _misfit(self) -> str:
        return "" if checkpoints(self.user_defined_strategy) else "`recompute_configs` names no checkpoints"

    def _wrapped(self) -> None:
        """Make the backward pass with checkpoints; all else is up to the optimizers inside, which layers outside ask for their state."""
        self._again = Recomputing(self.inner_opt)
        self._again._set_checkpoints(checkpoints(self.user_defined_strategy))

    def backward(
        self,
        loss: Any,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: list[Callable[..., None]] | None = None,
    ) -> list[Any]:
        """Append the gradient operators, and before them copies of what they need; `callbacks` are of no effect."""
        parameters = self.inner_opt._parameter_list if parameter_list is None else parameter_list
        return self._again.backward(loss, startup_program, parameters, no_grad_set, callbacks)


def checkpoints(strategy: Any) -> list[str]:
    """The names in `recompute_configs`.

    Args:
        strategy: the DistributedStrategy.
    Raises:
        UnsupportedError: something else is asked for than to compute again.
    """
    configs = strategy.recompute_configs
    for name in ("enable_offload", "enable_tuning"):
        if configs[name]:
            raise UnsupportedError("fleet.DistributedStrategy.recompute_configs", f"{name}=True", "recomputation without it")
    return list(configs["checkpoints"])


__all__ = ["RecomputeOptimizer"]

__getattr__ = missing(__name__)
