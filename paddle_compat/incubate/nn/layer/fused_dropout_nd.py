"""`paddle.incubate.nn.layer.fused_dropout_nd`: dropout along some dimensions."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.nn.functional import dropout
from paddle_compat.nn.layer._calls import shown
from paddle_compat.nn.layer.layers import Layer


class FusedDropout(Layer):
    """`paddle.nn.functional.dropout` as a layer, along some dimensions.

    Args:
        p: the probability with which elements are set to 0.
        axis: a dimension or a list of them, along which elements are dropped each for itself; None: all.
        mode: "upscale_in_train" or "downscale_in_infer".
        name: kept.
    Raises:
        TypeError: p or axis is of another type.
        ValueError: p is no probability, or there is no such mode.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.incubate.nn.FusedDropout(0.5, axis=1)
        >>> _ = layer.eval()
        >>> layer(paddle.ones([2])).tolist()
        [1.0, 1.0]

    Follows Paddle 2.6.
    """

    def __init__(self, p: float = 0.5, axis: Any = None, mode: str = "upscale_in_train", name: str | None = None) -> None:
        super().__init__()
        if not isinstance(p, (float, int)):
            raise type_error("p", "a number", p, "FusedDropout")
        if not 0 <= p <= 1:
            raise invalid_argument("p", "a number from 0 to 1", p, "FusedDropout")
        if mode not in ("downscale_in_infer", "upscale_in_train"):
            raise invalid_argument("mode", "'downscale_in_infer' or 'upscale_in_train'", repr(mode), "FusedDropout")
        if axis is not None and not isinstance(axis, (int, list, tuple)):
            raise type_error("axis", "an int or a list of them", axis, "FusedDropout")
        self.p, self.mode, self.name = p, mode, name
        self.axis = [axis] if isinstance(axis, int) else axis

    def forward(self, input: Any) -> Any:
        """Apply it.

        Args:
            input: what elements are dropped of.
        Returns:
            A tensor like `input`.
        """
        return dropout(input, self.p, self.axis, self.training, mode=self.mode)

    def extra_repr(self) -> str:
        """The settings."""
        return shown(p=self.p, axis=self.axis, mode=self.mode, name=self.name)


__all__ = ["FusedDropout"]

__getattr__ = missing(__name__)
