"""`paddle.incubate.nn.layer.fused_dropout_add`: dropout of one tensor, added to another."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.incubate.nn.functional.fused import fused_dropout_add
from paddle_compat.nn.layer._calls import shown
from paddle_compat.nn.layer.layers import Layer


class FusedDropoutAdd(Layer):
    """Dropout of one tensor, added to another.

    Args:
        p: the probability with which elements are set to 0.
        mode: as of `paddle.nn.functional.dropout`.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.incubate.nn.FusedDropoutAdd(0.5)
        >>> _ = layer.eval()
        >>> layer(paddle.ones([2]), paddle.ones([2])).tolist()
        [2.0, 2.0]

    Follows Paddle 3.3.
    """

    def __init__(self, p: float = 0.5, mode: str = "upscale_in_train", name: str | None = None) -> None:
        super().__init__()
        self.p, self.mode, self.name = p, mode, name

    def forward(self, x: Any, y: Any) -> Any:
        """Apply it.

        Args:
            x: what elements are dropped of.
            y: what the rest is added to.
        Returns:
            A tensor like `x`.
        """
        return fused_dropout_add(x, y, self.p, self.training, self.mode, self.name)

    def extra_repr(self) -> str:
        """The settings."""
        return shown(p=self.p, mode=self.mode, name=self.name)


__all__ = ["FusedDropoutAdd"]

__getattr__ = missing(__name__)
