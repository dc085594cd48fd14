"""MobileNet V2: inverted residual blocks."""

from __future__ import annotations

from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.tensor.manipulation import flatten
from paddle_compat.vision.models._pretrained import built
from paddle_compat.vision.ops import ConvNormActivation

# of each stage: how much wider its blocks are inside, channels, blocks, stride of the first one
_STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))


def _rounded(channels: float, divisor: int = 8) -> int:
    """The nearest multiple of 8, one more where that would lose over a tenth."""
    near = max(divisor, int(channels + divisor / 2) // divisor * divisor)
    return near + divisor if near < 0.9 * channels else near


class InvertedResidual(nn.Layer):
    """A block that is wide inside, with a shortcut where the shape stays.

    Args:
        inp, oup (int): channels that come in and go out.
        stride (int): 1 or 2.
        expand_ratio (int): how much wider it is inside.
        norm_layer (type): the norm behind each convolution.
    Raises:
        AssertionError: another stride.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.vision.models.mobilenetv2 import InvertedResidual
        >>> InvertedResidual(4, 4, 1, 6)(paddle.rand([1, 4, 6, 6])).shape
        [1, 4, 6, 6]

    Follows Paddle 2.6.
    """

    def __init__(self, inp: int, oup: int, stride: int, expand_ratio: float, norm_layer: Any = nn.BatchNorm2D) -> None:
        super().__init__()
        assert stride in (1, 2), f"Invalid value for argument `stride` of `InvertedResidual`. Expected 1 or 2. Received: {stride}"
        self.stride = stride
        self.use_res_connect = stride == 1 and inp == oup
        inside = round(inp * expand_ratio)
        options = {"norm_layer": norm_layer, "activation_layer": nn.ReLU6}
        parts: list[Any] = [ConvNormActivation(inp, inside, kernel_size=1, **options)] if expand_ratio != 1 else []
        parts.append(ConvNormActivation(inside, inside, stride=stride, groups=inside, **options))
        self.conv = nn.Sequential(*parts, nn.Conv2D(inside, oup, 1, 1, 0, bias_attr=False), norm_layer(oup))

    def forward(self, x: Any) -> Any:
        """The block's features.

        Args:
            x (Tensor): [N, inp, H, W].
        Returns:
            Tensor: [N, oup, H / stride, W / stride].
        """
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(nn.Layer):
    """MobileNet V2.

    Args:
        scale (float): factor of all channels.
        num_classes (int): how many classes; 0: none, the features leave.
        with_pool (bool): whether the features are averaged over the image first.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.MobileNetV2(scale=0.35, num_classes=5)(paddle.rand([1, 3, 32, 32])).shape
        [1, 5]

    Follows Paddle 2.6.
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes, self.with_pool = num_classes, with_pool
        before = _rounded(32 * scale)
        self.last_channel = _rounded(1280 * max(1.0, scale))
        features: list[Any] = [ConvNormActivation(3, before, stride=2, activation_layer=nn.ReLU6)]
        for ratio, channels, count, stride in _STAGES:
            after = _rounded(channels * scale)
            for block in range(count):
                features.append(InvertedResidual(before, after, stride if block == 0 else 1, ratio))
                before = after
        features.append(ConvNormActivation(before, self.last_channel, kernel_size=1, activation_layer=nn.ReLU6))
        self.features = nn.Sequential(*features)
        if with_pool:
            self.pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(self.last_channel, num_classes))

    def forward(self, x: Any) -> Any:
        """Logits, or features without classes.

        Args:
            x (Tensor): [N, 3, H, W].
        Returns:
            Tensor: [N, num_classes].
        """
        x = self.features(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.classifier(flatten(x, 1)) if self.num_classes > 0 else x


def mobilenet_v2(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV2:
    """MobileNet V2.

    Args:
        pretrained (bool): read Paddle's weights from its cache.
        scale (float): factor of all channels.
        kwargs: arguments of `MobileNetV2`.
    Returns:
        MobileNetV2.
    Raises:
        UnsupportedError: the weights are not in the cache.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.mobilenet_v2(scale=0.35, num_classes=0)(paddle.rand([1, 3, 32, 32])).shape
        [1, 1280, 1, 1]

    Follows Paddle 2.6.
    """
    found: MobileNetV2 = built(MobileNetV2(scale=scale, **kwargs), f"mobilenetv2_{scale}", pretrained)
    return found


__getattr__ = missing(__name__)
