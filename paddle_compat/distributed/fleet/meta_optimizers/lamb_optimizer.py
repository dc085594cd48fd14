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
    replaced = Adam

    def _replacement(self, optimizer: Any) -> Any:
        """The `Lamb`, with the settings of the user's and those of the strategy."""
        configs = self.user_defined_strategy.lamb_configs
        endings = tuple(configs["exclude_from_weight_decay"])
        return Lamb(
            learning_rate=optimizer._learning_rate,
            lamb_weight_decay=configs["lamb_weight_decay"],
            beta1=optimizer._beta1,
            beta2=optimizer._beta2,
            epsilon=optimizer._epsilon,
            parameters=optimizer._parameter_list,
            grad_clip=optimizer._grad_clip,
            exclude_from_weight_decay_fn=(lambda param: param.name.endswith(endings)) if endings else None,
            name=optimizer._name,
        )


__all__ = ["LambOptimizer"]

__getattr__ = missing(__name__)
