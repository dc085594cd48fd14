"""A scaler of losses for a model that processes share out."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.rings import ring_of

__all__ = ["HybridParallelGradScaler"]


class HybridParallelGradScaler:
    """A scaler of losses whose processes agree on whether a gradient is infinite.

    Args:
        scaler (GradScaler): the user's.
        hcg (HybridCommunicateGroup): the groups.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.meta_optimizers.dygraph_optimizer import HybridParallelGradScaler
        >>> _ = fleet.init(is_collective=True)
        >>> scaler = paddle.amp.GradScaler(enable=False)
        >>> scaler = HybridParallelGradScaler(scaler, fleet.get_hybrid_communicate_group())
        >>> scaler.scale(paddle.ones([1])).tolist()
        [1.0]
        >>> layer = paddle.nn.Linear(2, 1)
        >>> loss = layer(paddle.ones([1, 2])).sum()
        >>> loss.backward()
        >>> _ = scaler.minimize(paddle.optimizer.SGD(0.5, parameters=layer.parameters()), loss)
        >>> layer.bias.tolist()
        [-0.5]

    Follows Paddle 2.6.
    """

    def __init__(self, scaler: Any, hcg: Any) -> None:
        self._scaler, self._hcg = scaler, hcg
        let_agree(scaler, hcg)

    def __getattr__(self, name: str) -> Any:
        if name == "_scaler":  # while it is copied or unpickled
            raise AttributeError(name)
        return getattr(self._scaler, name)

    def scale(self, var: Any) -> Any:
        """The loss, scaled.

        Args:
            var (Tensor): the loss.
        Returns:
            Tensor: it, multiplied by the factor.
        """
        return self._scaler.scale(var)

    def minimize(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """Let an optimizer take its step, unless a gradient of some process is infinite, and change the factor when it is time.

        Args:
            optimizer (Optimizer): whose gradients were scaled.
            args, kwargs: as of its `minimize`.
        Returns:
            tuple: what that returns.
        """
        return self._scaler.minimize(optimizer, *args, **kwargs)


def let_agree(scaler: Any, hcg: Any) -> None:
    """Let all processes of the job find a gradient infinite when one of them does.

    Args:
        scaler (GradScaler): the scaler.
        hcg (HybridCommunicateGroup): the groups.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.meta_optimizers.dygraph_optimizer.hybrid_parallel_gradscaler import let_agree
        >>> _ = fleet.init(is_collective=True)
        >>> let_agree(paddle.amp.GradScaler(), fleet.get_hybrid_communicate_group())

    Follows Paddle 2.6.
    """
    if hcg.nranks > 1:
        scaler._agreed_by = lambda flag: ring_of(0).all_reduce([flag])[0]


__getattr__ = missing(__name__)
