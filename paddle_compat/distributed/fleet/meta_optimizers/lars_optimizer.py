"""LARS, asked for by `strategy.lars`."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.distributed.fleet.meta_optimizers._replacing import Replacing
from paddle_compat.incubate.optimizer import LarsMomentumOptimizer
from paddle_compat.optimizer import Momentum


class LarsOptimizer(Replacing):
    """Momentum becomes `LarsMomentumOptimizer`: its rate follows the norms of parameter and gradient.

    Args:
        optimizer: the user's, a `Momentum`.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.lars = True
        >>> fleet.init(is_collective=True, strategy=strategy)
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1, bias_attr=False))
        ...     ops, _ = fleet.distributed_optimizer(paddle.optimizer.Momentum(0.1, 0.9)).minimize(loss)
        >>> [op.type for op in ops]
        ['lars_momentum']
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    switch = "lars"
    replaced, replacement = Momentum, LarsMomentumOptimizer
    kept = ("learning_rate", "momentum", "parameter_list", "grad_clip", "name")
    configured = ("lars_coeff", "lars_weight_decay", "epsilon", "exclude_from_weight_decay")

    def _settings(self, optimizer: Any) -> dict[str, Any]:
        """The rule of decay, beside that of LARS."""
        return {"regularization": optimizer.regularization}


__all__ = ["LarsOptimizer"]

__getattr__ = missing(__name__)
