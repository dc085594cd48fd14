"""LAMB, asked for by `strategy.lamb`."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.distributed.fleet.meta_optimizers._replacing import Replacing
from paddle_compat.optimizer import Adam, Lamb


class LambOptimizer(Replacing):
    """Adam becomes `Lamb`: its rate follows the norms of parameter and step.

    Args:
        optimizer: the user's, an `Adam`.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.lamb = True
        >>> fleet.init(is_collective=True, strategy=strategy)
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1, bias_attr=False))
        ...     ops, _ = fleet.distributed_optimizer(paddle.optimizer.Adam(0.1)).minimize(loss)
        >>> [op.type for op in ops]
        ['lamb']
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    switch = "lamb"
    replaced, replacement = Adam, Lamb
    kept = ("learning_rate", "beta1", "beta2", "epsilon", "grad_clip", "name")
    configured = ("lamb_weight_decay",)

    def _settings(self, optimizer: Any) -> dict[str, Any]:
        """The parameters, and which of them do not decay: those whose names end as the strategy says."""
        endings = tuple(self._configs["exclude_from_weight_decay"])
        without = {"exclude_from_weight_decay_fn": lambda param: param.name.endswith(endings)} if endings else {}
        return {"parameters": optimizer._parameter_list, **without}


__all__ = ["LambOptimizer"]

__getattr__ = missing(__name__)
