"""GoogLeNet: blocks of convolutions of several sizes side by side."""

from __future__ import annotations

from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.nn import functional as F
from paddle_compat.nn.initializer import Uniform
from paddle_compat.tensor.manipulation import concat, flatten, squeeze
from paddle_compat.vision.models._pretrained import built

# channels of the 1 x 1, of the two 3 x 3, of the two 5 x 5 convolutions, and of the one behind the pool
_BLOCKS = {
    "3a": (64, 96, 128, 16, 32, 32), "3b": (128, 128, 192, 32, 96, 64), "4a": (192, 96, 208, 16, 48, 64), "4b": (160, 112, 224, 24, 64, 64),
    "4c": (128, 128, 256, 24, 64, 64), "4d": (112, 144, 288, 32, 64, 64), "4e": (256, 160, 320, 32, 128, 128),
    "5a": (256, 160, 320, 32, 128, 128), "5b": (384, 192, 384, 48, 128, 128),
}  # fmt: skip


class ConvLayer(nn.Layer):
    """A convolution that keeps the size at stride 1."""

    def __init__(self, before: int, after: int, size: int, stride: int = 1) -> None:
        super().__init__()
        self._conv = nn.Conv2D(before, after, size, stride, (size - 1) // 2, bias_attr=False)

    def forward(self, inputs: Any) -> Any:
        return self._conv(inputs)


class Inception(nn.Layer):
    """Convolutions of several sizes side by side."""

    def __init__(self, before: int, one: int, three_in: int, three: int, five_in: int, five: int, behind_pool: int) -> None:
        super().__init__()
        self._conv1 = ConvLayer(before, one, 1)
        self._conv3r = ConvLayer(before, three_in, 1)
        self._conv3 = ConvLayer(three_in, three, 3)
        self._conv5r = ConvLayer(before, five_in, 1)
        self._conv5 = ConvLayer(five_in, five, 5)
        self._pool = nn.MaxPool2D(3, 1, 1)
        self._convprj = ConvLayer(before, behind_pool, 1)

    def forward(self, inputs: Any) -> Any:
        parts = [self._conv1(inputs), self._conv3(self._conv3r(inputs)), self._conv5(self._conv5r(inputs))]
        return F.relu(concat([*parts, self._convprj(self._pool(inputs))], axis=1))


def _linear(before: int, after: int, channels: int) -> Any:
    reach = (3.0 / channels) ** 0.5
    return nn.Linear(before, after, weight_attr=ParamAttr(initializer=Uniform(-reach, reach)))


class GoogLeNet(nn.Layer):
    """GoogLeNet.

    Args:
        num_classes (int): how many classes; 0: none, the features leave.
        with_pool (bool): whether the features are averaged over the image first.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.vision.models.GoogLeNet(num_classes=0)
        >>> [out.shape for out in net(paddle.rand([1, 3, 96, 96]))]
        [[1, 1024, 1, 1], [1, 512, 1, 1], [1, 528, 1, 1]]

    Follows Paddle 2.6.
    """

    def __init__(self, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes, self.with_pool = num_classes, with_pool
        self._conv = ConvLayer(3, 64, 7, 2)
        self._pool = nn.MaxPool2D(3, 2)
        self._conv_1 = ConvLayer(64, 64, 1)
        self._conv_2 = ConvLayer(64, 192, 3)
        before = 192
        for name, (one, three_in, three, five_in, five, behind_pool) in _BLOCKS.items():
            setattr(self, f"_ince{name}", Inception(before, one, three_in, three, five_in, five, behind_pool))
            before = one + three + five + behind_pool
        if with_pool:
            self._pool_5 = nn.AdaptiveAvgPool2D(1)
            self._pool_o1 = nn.AvgPool2D(5, 3)
            self._pool_o2 = nn.AvgPool2D(5, 3)
        if num_classes > 0:
            self._drop = nn.Dropout(p=0.4, mode="downscale_in_infer")
            self._fc_out = _linear(1024, num_classes, 1024)
            for number, channels in ((1, 512), (2, 528)):
                setattr(self, f"_conv_o{number}", ConvLayer(channels, 128, 1))
                setattr(self, f"_fc_o{number}", _linear(1152, 1024, 2048))
                setattr(self, f"_drop_o{number}", nn.Dropout(p=0.7, mode="downscale_in_infer"))
                setattr(self, f"_out{number}", _linear(1024, num_classes, 1024))

    def forward(self, inputs: Any) -> Any:
        """Logits, or features without classes; also two from the middle of the network.

        Args:
            inputs (Tensor): [N, 3, H, W]; with classes 224 by 224.
        Returns:
            list: three Tensors, [N, num_classes].
        """
        x = self._pool(self._conv_2(self._conv_1(self._pool(self._conv(inputs)))))
        middle = {}
        for name in _BLOCKS:
            x = getattr(self, f"_ince{name}")(x)
            middle[name] = x
            if name in ("3b", "4e"):
                x = self._pool(x)
        out, first, second = x, middle["4a"], middle["4d"]
        if self.with_pool:
            out, first, second = self._pool_5(out), self._pool_o1(first), self._pool_o2(second)
        if self.num_classes > 0:
            out = self._fc_out(squeeze(self._drop(out), axis=[2, 3]))
            first = self._out1(self._drop_o1(F.relu(self._fc_o1(flatten(self._conv_o1(first), 1)))))
            second = self._out2(self._drop_o2(self._fc_o2(flatten(self._conv_o2(second), 1))))  # no ReLU here in the wheel
        return [out, first, second]


def googlenet(pretrained: bool = False, **kwargs: Any) -> GoogLeNet:
    """GoogLeNet.

    Args:
        pretrained (bool): read Paddle's weights from its cache.
        kwargs: arguments of `GoogLeNet`.
    Returns:
        GoogLeNet.
    Raises:
        UnsupportedError: the weights are not in the cache.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.googlenet(num_classes=0)(paddle.rand([1, 3, 96, 96]))[0].shape
        [1, 1024, 1, 1]

    Follows Paddle 2.6.
    """
    found: GoogLeNet = built(GoogLeNet(**kwargs), "googlenet", pretrained)
    return found


__getattr__ = missing(__name__)
