"""Layers of `paddle.incubate.nn`."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.incubate.nn.functional.fused import fused_dropout_add, fused_linear
from paddle_compat.nn.layer._calls import shown
from paddle_compat.nn.layer.layers import Layer


class FusedLinear(Layer):
    """x W + b, with W of shape [in_features, out_features].

    Args:
        in_features, out_features: sizes of the last dimension before and after.
        weight_attr, bias_attr: ParamAttr; bias_attr False for no bias.
        transpose_weight: W has the shape [out_features, in_features].
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.incubate.nn.FusedLinear(3, 4)
        >>> layer(paddle.ones([2, 3])).shape
        [2, 4]

    Follows Paddle 3.3.
    """

    def __init__(
        self, in_features: int, out_features: int, weight_attr: Any = None, bias_attr: Any = None, transpose_weight: bool = False,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        shape = [out_features, in_features] if transpose_weight else [in_features, out_features]
        self.weight = self.create_parameter(shape, weight_attr)
        self.bias = self.create_parameter([out_features], bias_attr, is_bias=True)
        self.transpose_weight, self.name = transpose_weight, name

    def forward(self, input: Any) -> Any:
        """Apply it.

        Args:
            input: [..., in_features].
        Returns:
            [..., out_features].
        """
        return fused_linear(input, self.weight, self.bias, self.transpose_weight, self.name)


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


__all__ = ["FusedDropoutAdd", "FusedLinear"]

__getattr__ = missing(__name__)
