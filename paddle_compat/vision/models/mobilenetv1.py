"""MobileNet V1: depthwise and pointwise convolutions in turn."""

from __future__ import annotations

from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.tensor.manipulation import flatten
from paddle_compat.vision.models._pretrained import built
from paddle_compat.vision.ops import ConvNormActivation

# name of a block, channels before and after it, stride
_BLOCKS = (
    ("conv2_1", 32, 64, 1), ("conv2_2", 64, 128, 2), ("conv3_1", 128, 128, 1), ("conv3_2", 128, 256, 2), ("conv4_1", 256, 256, 1),
    ("conv4_2", 256, 512, 2), *((f"conv5_{n}", 512, 512, 1) for n in range(1, 6)), ("conv5_6", 512, 1024, 2), ("conv6", 1024, 1024, 1),
)  # fmt: skip


class DepthwiseSeparable(nn.Layer):
    """A convolution of each channel, and one that mixes channels.

    Args:
        in_channels, out_channels1, out_channels2 (int): channels before, between and after, at scale 1.
        num_groups (int): groups of the first convolution, at scale 1.
        stride (int): of the first convolution.
        scale (float): factor of all channels.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.vision.models.mobilenetv1 import DepthwiseSeparable
        >>> DepthwiseSeparable(4, 4, 8, 4, 2, 1.0)(paddle.rand([1, 4, 6, 6])).shape
        [1, 8, 3, 3]

    Follows Paddle 2.6.
    """

    def __init__(self, in_channels: int, out_channels1: int, out_channels2: int, num_groups: int, stride: int, scale: float) -> None:
        super().__init__()
        between = int(out_channels1 * scale)
        self._depthwise_conv = ConvNormActivation(in_channels, between, 3, stride, 1, int(num_groups * scale))
        self._pointwise_conv = ConvNormActivation(between, int(out_channels2 * scale), 1, 1, 0)

    def forward(self, x: Any) -> Any:
        """The block's features.

        Args:
            x (Tensor): [N, C, H, W].
        Returns:
            Tensor: its features.
        """
        return self._pointwise_conv(self._depthwise_conv(x))


class MobileNetV1(nn.Layer):
    """MobileNet V1.

    Args:
        scale (float): factor of all channels.
        num_classes (int): how many classes; 0: none, the features leave.
        with_pool (bool): whether the features are averaged over the image first.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.MobileNetV1(scale=0.25, num_classes=5)(paddle.rand([1, 3, 32, 32])).shape
        [1, 5]

    Follows Paddle 2.6.
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.scale, self.num_classes, self.with_pool = scale, num_classes, with_pool
        self.conv1 = ConvNormActivation(3, int(32 * scale), 3, 2, 1)
        self.dwsl = []
        for name, before, after, stride in _BLOCKS:
            block = DepthwiseSeparable(int(before * scale), before, after, before, stride, scale)
            self.dwsl.append(self.add_sublayer(name, block))
        if with_pool:
            self.pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.fc = nn.Linear(int(1024 * scale), num_classes)

    def forward(self, x: Any) -> Any:
        """Logits, or features without classes.

        Args:
            x (Tensor): [N, 3, H, W].
        Returns:
            Tensor: [N, num_classes].
        """
        x = self.conv1(x)
        for block in self.dwsl:
            x = block(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.fc(flatten(x, 1)) if self.num_classes > 0 else x


def mobilenet_v1(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV1:
    """MobileNet V1.

    Args:
        pretrained (bool): read Paddle's weights from its cache.
        scale (float): factor of all channels.
        kwargs: arguments of `MobileNetV1`.
    Returns:
        MobileNetV1.
    Raises:
        UnsupportedError: the weights are not in the cache.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.mobilenet_v1(scale=0.25, num_classes=0)(paddle.rand([1, 3, 32, 32])).shape
        [1, 256, 1, 1]

    Follows Paddle 2.6.
    """
    found: MobileNetV1 = built(MobileNetV1(scale=scale, **kwargs), f"mobilenetv1_{scale}", pretrained)
    return found


__getattr__ = missing(__name__)
