"""`paddle.incubate.nn.layer.fused_linear`: a linear layer."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.incubate.nn.functional.fused import fused_linear
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
        self.weight = self.create_parameter(shape=shape, attr=weight_attr)
        self.bias = self.create_parameter(shape=[out_features], attr=bias_attr, is_bias=True)
        self.transpose_weight, self.name = transpose_weight, name

    def forward(self, input: Any) -> Any:
        """Apply it.

        Args:
            input: [..., in_features].
        Returns:
            [..., out_features].
        """
        return fused_linear(input, self.weight, self.bias, self.transpose_weight, self.name)


__all__ = ["FusedLinear"]

__getattr__ = missing(__name__)
