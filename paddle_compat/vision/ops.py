"""`paddle.vision.ops`: parts of networks for images."""

from __future__ import annotations

from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing


class ConvNormActivation(nn.Sequential):
    """A convolution, a norm and an activation.

    Args:
        in_channels, out_channels (int): of the convolution.
        kernel_size, stride, groups, dilation (int): of the convolution.
        padding (int): of the convolution; None: what keeps the image's size at stride 1.
        norm_layer (type): called with the number of channels; None: no norm.
        activation_layer (type): called without arguments; None: no activation.
        bias (bool): whether the convolution has a bias; None: where no norm follows.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.vision.ops.ConvNormActivation(3, 8)
        >>> layer(paddle.rand([1, 3, 4, 4])).shape, [type(part).__name__ for part in layer]
        ([1, 8, 4, 4], ['Conv2D', 'BatchNorm2D', 'ReLU'])

    Follows Paddle 2.6.
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: int = 3, stride: int = 1, padding: Any = None, groups: int = 1,
        norm_layer: Any = nn.BatchNorm2D, activation_layer: Any = nn.ReLU, dilation: int = 1, bias: bool | None = None,
    ) -> None:  # fmt: skip
        if padding is None:
            padding = (kernel_size - 1) // 2 * dilation
        biased = norm_layer is None if bias is None else bias
        options = {"dilation": dilation, "groups": groups, "bias_attr": None if biased else False}
        parts: list[Any] = [nn.Conv2D(in_channels, out_channels, kernel_size, stride, padding, **options)]
        parts += [norm_layer(out_channels)] if norm_layer is not None else []
        parts += [activation_layer()] if activation_layer is not None else []
        super().__init__(*parts)


__getattr__ = missing(__name__)
