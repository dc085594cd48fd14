"""MobileNet V3: blocks that weigh their channels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.tensor.manipulation import flatten
from paddle_compat.vision.models._pretrained import built
from paddle_compat.vision.models.mobilenetv2 import _rounded
from paddle_compat.vision.ops import ConvNormActivation

_norm = partial(nn.BatchNorm2D, epsilon=0.001, momentum=0.99)
# channels before, kernel, channels inside, channels after, whether they are weighed, activation, stride
_LARGE: tuple[tuple[int, int, int, int, bool, str, int], ...] = (
    (16, 3, 16, 16, False, "relu", 1), (16, 3, 64, 24, False, "relu", 2), (24, 3, 72, 24, False, "relu", 1),
    (24, 5, 72, 40, True, "relu", 2), (40, 5, 120, 40, True, "relu", 1), (40, 5, 120, 40, True, "relu", 1),
    (40, 3, 240, 80, False, "hardswish", 2), (80, 3, 200, 80, False, "hardswish", 1), (80, 3, 184, 80, False, "hardswish", 1),
    (80, 3, 184, 80, False, "hardswish", 1), (80, 3, 480, 112, True, "hardswish", 1), (112, 3, 672, 112, True, "hardswish", 1),
    (112, 5, 672, 160, True, "hardswish", 2), (160, 5, 960, 160, True, "hardswish", 1), (160, 5, 960, 160, True, "hardswish", 1),
)  # fmt: skip
_SMALL: tuple[tuple[int, int, int, int, bool, str, int], ...] = (
    (16, 3, 16, 16, True, "relu", 2), (16, 3, 72, 24, False, "relu", 2), (24, 3, 88, 24, False, "relu", 1),
    (24, 5, 96, 40, True, "hardswish", 2), (40, 5, 240, 40, True, "hardswish", 1), (40, 5, 240, 40, True, "hardswish", 1),
    (40, 5, 120, 48, True, "hardswish", 1), (48, 5, 144, 48, True, "hardswish", 1), (48, 5, 288, 96, True, "hardswish", 2),
    (96, 5, 576, 96, True, "hardswish", 1), (96, 5, 576, 96, True, "hardswish", 1),
)  # fmt: skip


class SqueezeExcitation(nn.Layer):
    """Channels weighed by what their means say."""

    def __init__(
        self, input_channels: int, squeeze_channels: int, activation: Any = nn.ReLU, scale_activation: Any = nn.Sigmoid
    ) -> None:
        super().__init__()
        self.avgpool = nn.AdaptiveAvgPool2D(1)
        self.fc1 = nn.Conv2D(input_channels, squeeze_channels, 1)
        self.fc2 = nn.Conv2D(squeeze_channels, input_channels, 1)
        self.activation, self.scale_activation = activation(), scale_activation()

    def forward(self, input: Any) -> Any:
        return self.scale_activation(self.fc2(self.activation(self.fc1(self.avgpool(input))))) * input


class InvertedResidualConfig:
    """What a block is built from; the channels are scaled."""

    def __init__(
        self, in_channels: int, kernel: int, expanded_channels: int, out_channels: int, use_se: bool, activation: str, stride: int,
        scale: float = 1.0,
    ) -> None:  # fmt: skip
        self.in_channels, self.expanded_channels, self.out_channels = (
            _rounded(channels * scale) for channels in (in_channels, expanded_channels, out_channels)
        )
        self.kernel, self.use_se, self.stride = kernel, use_se, stride
        self.activation_layer = {"relu": nn.ReLU, "hardswish": nn.Hardswish}[activation]


class InvertedResidual(nn.Layer):
    """A block that is wide inside, with a shortcut where the shape stays."""

    def __init__(
        self, in_channels: int, expanded_channels: int, out_channels: int, filter_size: int, stride: int, use_se: bool,
        activation_layer: Any, norm_layer: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        self.use_res_connect = stride == 1 and in_channels == out_channels
        self.use_se, self.expand = use_se, in_channels != expanded_channels
        options = {"norm_layer": norm_layer, "activation_layer": activation_layer}
        if self.expand:
            self.expand_conv = ConvNormActivation(in_channels, expanded_channels, 1, 1, 0, **options)
        inside, around = {"groups": expanded_channels, **options}, (filter_size - 1) // 2
        self.bottleneck_conv = ConvNormActivation(expanded_channels, expanded_channels, filter_size, stride, around, **inside)
        if use_se:
            self.mid_se = SqueezeExcitation(expanded_channels, _rounded(expanded_channels // 4), scale_activation=nn.Hardsigmoid)
        self.linear_conv = ConvNormActivation(expanded_channels, out_channels, 1, 1, 0, norm_layer=norm_layer, activation_layer=None)

    def forward(self, x: Any) -> Any:
        inside = self.bottleneck_conv(self.expand_conv(x) if self.expand else x)
        inside = self.linear_conv(self.mid_se(inside) if self.use_se else inside)
        return x + inside if self.use_res_connect else inside


class MobileNetV3(nn.Layer):
    """Blocks from a list of what they are built from."""

    def __init__(
        self, config: Sequence[InvertedResidualConfig], last_channel: int, scale: float = 1.0, num_classes: int = 1000,
        with_pool: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.config, self.scale, self.last_channel = config, scale, last_channel
        self.num_classes, self.with_pool = num_classes, with_pool
        self.firstconv_in_channels = config[0].in_channels
        self.lastconv_in_channels = config[-1].out_channels
        self.lastconv_out_channels = self.lastconv_in_channels * 6
        ends = {"norm_layer": _norm, "activation_layer": nn.Hardswish}
        self.conv = ConvNormActivation(3, self.firstconv_in_channels, 3, 2, 1, **ends)
        self.blocks = nn.Sequential(
            *(
                InvertedResidual(
                    c.in_channels, c.expanded_channels, c.out_channels, c.kernel, c.stride, c.use_se, c.activation_layer, _norm
                )
                for c in config
            )
        )
        self.lastconv = ConvNormActivation(self.lastconv_in_channels, self.lastconv_out_channels, 1, 1, 0, **ends)
        if with_pool:
            self.avgpool = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.classifier = nn.Sequential(
                nn.Linear(self.lastconv_out_channels, last_channel), nn.Hardswish(), nn.Dropout(p=0.2),
                nn.Linear(last_channel, num_classes),
            )  # fmt: skip

    def forward(self, x: Any) -> Any:
        """Logits, or features without classes.

        Args:
            x (Tensor): [N, 3, H, W].
        Returns:
            Tensor: [N, num_classes].
        """
        x = self.lastconv(self.blocks(self.conv(x)))
        if self.with_pool:
            x = self.avgpool(x)
        return self.classifier(flatten(x, 1)) if self.num_classes > 0 else x


class MobileNetV3Small(MobileNetV3):
    """MobileNet V3, the small one.

    Args:
        scale (float): factor of all channels.
        num_classes (int): how many classes; 0: none, the features leave.
        with_pool (bool): whether the features are averaged over the image first.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.MobileNetV3Small(0.35, num_classes=5)(paddle.rand([1, 3, 32, 32])).shape
        [1, 5]

    Follows Paddle 2.6.
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__([InvertedResidualConfig(*row, scale) for row in _SMALL], _rounded(1024 * scale), scale, num_classes, with_pool)


class MobileNetV3Large(MobileNetV3):
    """MobileNet V3, the large one.

    Args:
        scale (float): factor of all channels.
        num_classes (int): how many classes; 0: none, the features leave.
        with_pool (bool): whether the features are averaged over the image first.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.MobileNetV3Large(0.35, num_classes=5)(paddle.rand([1, 3, 32, 32])).shape
        [1, 5]

    Follows Paddle 2.6.
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__([InvertedResidualConfig(*row, scale) for row in _LARGE], _rounded(1280 * scale), scale, num_classes, with_pool)


def mobilenet_v3_small(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV3Small:
    """MobileNet V3, the small one.

    Args:
        pretrained (bool): read Paddle's weights from its cache.
        scale (float): factor of all channels.
        kwargs: arguments of `MobileNetV3Small`.
    Returns:
        MobileNetV3Small.
    Raises:
        UnsupportedError: the weights are not in the cache.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.mobilenet_v3_small(scale=0.35, num_classes=0)(paddle.rand([1, 3, 32, 32])).shape
        [1, 192, 1, 1]

    Follows Paddle 2.6.
    """
    found: MobileNetV3Small = built(MobileNetV3Small(scale=scale, **kwargs), f"mobilenet_v3_small_x{scale}", pretrained)
    return found


def mobilenet_v3_large(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV3Large:
    """MobileNet V3, the large one.

    Args:
        pretrained (bool): read Paddle's weights from its cache.
        scale (float): factor of all channels.
        kwargs: arguments of `MobileNetV3Large`.
    Returns:
        MobileNetV3Large.
    Raises:
        UnsupportedError: the weights are not in the cache.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.mobilenet_v3_large(scale=0.35, num_classes=0)(paddle.rand([1, 3, 32, 32])).shape
        [1, 336, 1, 1]

    Follows Paddle 2.6.
    """
    found: MobileNetV3Large = built(MobileNetV3Large(scale=scale, **kwargs), f"mobilenet_v3_large_x{scale}", pretrained)
    return found


__getattr__ = missing(__name__)
