"""Clips and scalers of models whose optimizer's states processes share out."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn.clip import ClipGradBase

__all__ = ["GroupShardedClipGrad", "GroupShardedScaler"]


class GroupShardedClipGrad(ClipGradBase):
    """A clip by the global norm where processes share out gradients: models and optimizers that do so ask all processes for the norm.

    Args:
        clip (ClipGradByGlobalNorm): the bound.
        device (str), group (Group): kept, without effect.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.sharding.group_sharded_utils import GroupShardedClipGrad
        >>> clip = GroupShardedClipGrad(paddle.nn.ClipGradByGlobalNorm(1.0), "cpu", None)
        >>> weight = paddle.create_parameter([2], "float32")
        >>> [round(x, 3) for x in clip([(weight, paddle.to_tensor([3.0, 4.0]))])[0][1].tolist()]
        [0.6, 0.8]

    Follows Paddle 2.6.
    """

    def __init__(self, clip: Any, device: Any, group: Any) -> None:
        self._clip, self._device, self._group = clip, device, group

    def __getattr__(self, name: str) -> Any:
        if name == "_clip":  # while it is copied or unpickled
            raise AttributeError(name)
        return getattr(self._clip, name)

    def _dygraph_clip(self, params_grads: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
        found: list[tuple[Any, Any]] = self._clip._dygraph_clip(params_grads)
        return found


def GroupShardedScaler(scaler: Any) -> Any:
    """A scaler of losses of such a model: its optimizer has all processes agree on whether a gradient is infinite.

    Args:
        scaler (GradScaler): the user's.
    Returns:
        GradScaler: the same.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.sharding.group_sharded_utils import GroupShardedScaler
        >>> scaler = paddle.amp.GradScaler(enable=False)
        >>> GroupShardedScaler(scaler) is scaler
        True

    Follows Paddle 2.6.
    """
    return scaler


__getattr__ = missing(__name__)
