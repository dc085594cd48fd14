"""ResNet, ResNeXt and wide ResNet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError
from paddle_compat.tensor.manipulation import flatten
from paddle_compat.vision.models._pretrained import built

_BLOCKS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}  # of the four stages, by depth


class BasicBlock(nn.Layer):
    """Two 3 x 3 convolutions beside a shortcut.

    Args:
        inplanes, planes (int): channels that come in and go out.
        stride (int): of the first convolution.
        downsample (Layer): what the shortcut does; None: nothing.
        groups, base_width, dilation (int): as in `BottleneckBlock`; a dilation there is none here.
        norm_layer (type): the norm behind each convolution; None: BatchNorm2D.
    Raises:
        UnimplementedError: a dilation other than 1.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.resnet.BasicBlock(4, 4)(paddle.rand([1, 4, 8, 8])).shape
        [1, 4, 8, 8]

    Follows Paddle 2.6.
    """

    expansion = 1

    def __init__(
        self, inplanes: int, planes: int, stride: int = 1, downsample: Any = None, groups: int = 1, base_width: int = 64,
        dilation: int = 1, norm_layer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        norm = norm_layer or nn.BatchNorm2D
        if dilation > 1:
            raise UnimplementedError(f"Invalid value for argument `dilation` of `BasicBlock`. Expected 1. Received: {dilation}")
        self.conv1 = nn.Conv2D(inplanes, planes, 3, padding=1, stride=stride, bias_attr=False)
        self.bn1 = norm(planes)
        self.relu = nn.ReLU()
        self.conv2 = nn.Conv2D(planes, planes, 3, padding=1, bias_attr=False)
        self.bn2 = norm(planes)
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Any) -> Any:
        """The block's features.

        Args:
            x (Tensor): [N, inplanes, H, W].
        Returns:
            Tensor: [N, planes, H / stride, W / stride].
        """
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))


class BottleneckBlock(nn.Layer):
    """Convolutions of 1 x 1, 3 x 3 and 1 x 1 beside a shortcut.

    Args:
        inplanes (int): channels that come in; 4 * planes go out.
        planes (int): channels in the middle, for one group of width 64.
        stride (int): of the middle convolution.
        downsample (Layer): what the shortcut does; None: nothing.
        groups (int): of the middle convolution.
        base_width (int): width of a group, for 64 planes.
        dilation (int): of the middle convolution.
        norm_layer (type): the norm behind each convolution; None: BatchNorm2D.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.resnet.BottleneckBlock(16, 4)(paddle.rand([1, 16, 8, 8])).shape
        [1, 16, 8, 8]

    Follows Paddle 2.6.
    """

    expansion = 4

    def __init__(
        self, inplanes: int, planes: int, stride: int = 1, downsample: Any = None, groups: int = 1, base_width: int = 64,
        dilation: int = 1, norm_layer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        norm = norm_layer or nn.BatchNorm2D
        width = int(planes * (base_width / 64.0)) * groups
        self.conv1 = nn.Conv2D(inplanes, width, 1, bias_attr=False)
        self.bn1 = norm(width)
        self.conv2 = nn.Conv2D(width, width, 3, padding=dilation, stride=stride, groups=groups, dilation=dilation, bias_attr=False)
        self.bn2 = norm(width)
        self.conv3 = nn.Conv2D(width, planes * self.expansion, 1, bias_attr=False)
        self.bn3 = norm(planes * self.expansion)
        self.relu = nn.ReLU()
        self.downsample = downsample
        self.stride = stride

    def forward(self, x: Any) -> Any:
        """The block's features.

        Args:
            x (Tensor): [N, inplanes, H, W].
        Returns:
            Tensor: [N, 4 * planes, H / stride, W / stride].
        """
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        return self.relu(out + (x if self.downsample is None else self.downsample(x)))


class ResNet(nn.Layer):
    """A convolution, four stages of blocks, and a linear layer.

    Args:
        block (type): BasicBlock or BottleneckBlock.
        depth (int): 18, 34, 50, 101 or 152.
        width (int): width of a group of the blocks' convolutions, for 64 planes.
        num_classes (int): how many classes; 0: none, the features leave.
        with_pool (bool): whether the features are averaged over the image first.
        groups (int): groups of the blocks' 3 x 3 convolutions.
    Raises:
        KeyError: another depth.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.vision.models.resnet import BasicBlock
        >>> paddle.vision.models.ResNet(BasicBlock, 18, num_classes=5)(paddle.rand([1, 3, 32, 32])).shape
        [1, 5]

    Follows Paddle 2.6.
    """

    def __init__(
        self, block: Any, depth: int = 50, width: int = 64, num_classes: int = 1000, with_pool: bool = True, groups: int = 1
    ) -> None:
        super().__init__()
        blocks = _BLOCKS[depth]
        self.groups, self.base_width, self.num_classes, self.with_pool = groups, width, num_classes, with_pool
        self._norm_layer, self.inplanes, self.dilation = nn.BatchNorm2D, 64, 1
        self.conv1 = nn.Conv2D(3, 64, kernel_size=7, stride=2, padding=3, bias_attr=False)
        self.bn1 = nn.BatchNorm2D(64)
        self.relu = nn.ReLU()
        self.maxpool = nn.MaxPool2D(kernel_size=3, stride=2, padding=1)
        for stage, count in enumerate(blocks):
            setattr(self, f"layer{stage + 1}", self._make_layer(block, 64 << stage, count, 1 if stage == 0 else 2))
        if with_pool:
            self.avgpool = nn.AdaptiveAvgPool2D((1, 1))
        if num_classes > 0:
            self.fc = nn.Linear(512 * block.expansion, num_classes)

    def _make_layer(self, block: Any, planes: int, blocks: int, stride: int = 1, dilate: bool = False) -> Any:
        """A stage, which networks that inherit from this one ask for too: its first block changes the image's size and the channels.

        Args:
            block (type): BasicBlock or BottleneckBlock.
            planes (int): channels inside the blocks.
            blocks (int): how many.
            stride (int): of the first block.
            dilate (bool): put holes into the convolutions of later stages, instead of making the image smaller.
        Returns:
            Sequential: the blocks.
        """
        norm, dilation = self._norm_layer, self.dilation
        if dilate:
            self.dilation, stride = dilation * stride, 1
        after, shortcut = planes * block.expansion, None
        if stride != 1 or self.inplanes != after:
            shortcut = nn.Sequential(nn.Conv2D(self.inplanes, after, 1, stride=stride, bias_attr=False), norm(after))
        options = {"groups": self.groups, "base_width": self.base_width, "norm_layer": norm}
        layers = [block(self.inplanes, planes, stride, shortcut, dilation=dilation, **options)]
        self.inplanes = after
        return nn.Sequential(*layers, *(block(after, planes, **options) for _ in range(blocks - 1)))

    def forward(self, x: Any) -> Any:
        """Logits, or features without classes.

        Args:
            x (Tensor): [N, 3, H, W].
        Returns:
            Tensor: [N, num_classes].
        """
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        if self.with_pool:
            x = self.avgpool(x)
        return self.fc(flatten(x, 1)) if self.num_classes > 0 else x


def _network(name: str, what: str, depth: int, width: int = 64, groups: int = 1) -> Callable[..., ResNet]:
    block = BasicBlock if depth < 50 else BottleneckBlock

    def make(pretrained: bool = False, **kwargs: Any) -> ResNet:
        options = {key: value for key, value in (("width", width), ("groups", groups)) if value != {"width": 64, "groups": 1}[key]}
        found: ResNet = built(ResNet(block, depth, **{**kwargs, **options}), name, pretrained)
        return found

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"""{what}

    Args:
        pretrained (bool): read Paddle's weights from its cache.
        kwargs: arguments of `ResNet`.
    Returns:
        ResNet.
    Raises:
        UnsupportedError: the weights are not in the cache.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.vision.models.{name}(num_classes=0)
        >>> net(paddle.rand([1, 3, 32, 32])).shape
        [1, {512 * block.expansion}, 1, 1]

    Follows Paddle 2.6.
    """
    return make


resnet18 = _network("resnet18", "ResNet with 18 layers.", 18)
resnet34 = _network("resnet34", "ResNet with 34 layers.", 34)
resnet50 = _network("resnet50", "ResNet with 50 layers.", 50)
resnet101 = _network("resnet101", "ResNet with 101 layers.", 101)
resnet152 = _network("resnet152", "ResNet with 152 layers.", 152)
resnext50_32x4d = _network("resnext50_32x4d", "ResNeXt with 50 layers, 32 groups of 4.", 50, 4, 32)
resnext50_64x4d = _network("resnext50_64x4d", "ResNeXt with 50 layers, 64 groups of 4.", 50, 4, 64)
resnext101_32x4d = _network("resnext101_32x4d", "ResNeXt with 101 layers, 32 groups of 4.", 101, 4, 32)
resnext101_64x4d = _network("resnext101_64x4d", "ResNeXt with 101 layers, 64 groups of 4.", 101, 4, 64)
resnext152_32x4d = _network("resnext152_32x4d", "ResNeXt with 152 layers, 32 groups of 4.", 152, 4, 32)
resnext152_64x4d = _network("resnext152_64x4d", "ResNeXt with 152 layers, 64 groups of 4.", 152, 4, 64)
wide_resnet50_2 = _network("wide_resnet50_2", "ResNet with 50 layers, twice as wide in the middle of its blocks.", 50, 128)
wide_resnet101_2 = _network("wide_resnet101_2", "ResNet with 101 layers, twice as wide in the middle of its blocks.", 101, 128)

__getattr__ = missing(__name__)
