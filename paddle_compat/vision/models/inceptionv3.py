"""Inception V3: blocks of convolutions side by side, wide ones made of two narrow ones."""

from __future__ import annotations

from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.nn.initializer import Uniform
from paddle_compat.tensor.manipulation import concat, reshape
from paddle_compat.vision.models._pretrained import built
from paddle_compat.vision.ops import ConvNormActivation


def _convolution(before: int, after: int, size: Any, stride: int = 1, padding: Any = 0) -> Any:
    return ConvNormActivation(before, after, kernel_size=size, stride=stride, padding=padding)


class _Branches(nn.Layer):
    """Chains of layers side by side; a subclass names its layers and says which chains there are."""

    chains: tuple[tuple[str, ...], ...] = ()

    def forward(self, x: Any) -> Any:
        return concat([self._chain(x, names) for names in self.chains], axis=1)

    def _chain(self, x: Any, names: tuple[str, ...]) -> Any:
        for name in names:
            layers = name.split("|")  # two layers of the same input, side by side
            x = getattr(self, name)(x) if len(layers) == 1 else concat([getattr(self, layer)(x) for layer in layers], axis=1)
        return x

    def _pooled(self, before: int, after: int) -> None:
        self.branch_pool = nn.AvgPool2D(3, 1, 1, exclusive=False)
        self.branch_pool_conv = _convolution(before, after, 1)


class InceptionStem(nn.Layer):
    """What comes before the blocks."""

    def __init__(self) -> None:
        super().__init__()
        self.conv_1a_3x3 = _convolution(3, 32, 3, 2)
        self.conv_2a_3x3 = _convolution(32, 32, 3)
        self.conv_2b_3x3 = _convolution(32, 64, 3, 1, 1)
        self.max_pool = nn.MaxPool2D(3, 2)
        self.conv_3b_1x1 = _convolution(64, 80, 1)
        self.conv_4a_3x3 = _convolution(80, 192, 3)

    def forward(self, x: Any) -> Any:
        x = self.max_pool(self.conv_2b_3x3(self.conv_2a_3x3(self.conv_1a_3x3(x))))
        return self.max_pool(self.conv_4a_3x3(self.conv_3b_1x1(x)))


class InceptionA(_Branches):
    """Convolutions of 1, 5 and twice 3."""

    chains = (
        ("branch1x1",), ("branch5x5_1", "branch5x5_2"), ("branch3x3dbl_1", "branch3x3dbl_2", "branch3x3dbl_3"),
        ("branch_pool", "branch_pool_conv"),
    )  # fmt: skip

    def __init__(self, before: int, behind_pool: int) -> None:
        super().__init__()
        self.branch1x1 = _convolution(before, 64, 1)
        self.branch5x5_1 = _convolution(before, 48, 1)
        self.branch5x5_2 = _convolution(48, 64, 5, 1, 2)
        self.branch3x3dbl_1 = _convolution(before, 64, 1)
        self.branch3x3dbl_2 = _convolution(64, 96, 3, 1, 1)
        self.branch3x3dbl_3 = _convolution(96, 96, 3, 1, 1)
        self._pooled(before, behind_pool)


class InceptionB(_Branches):
    """Half the size, by convolutions of 3."""

    chains = (("branch3x3",), ("branch3x3dbl_1", "branch3x3dbl_2", "branch3x3dbl_3"), ("branch_pool",))

    def __init__(self, before: int) -> None:
        super().__init__()
        self.branch3x3 = _convolution(before, 384, 3, 2)
        self.branch3x3dbl_1 = _convolution(before, 64, 1)
        self.branch3x3dbl_2 = _convolution(64, 96, 3, 1, 1)
        self.branch3x3dbl_3 = _convolution(96, 96, 3, 2)
        self.branch_pool = nn.MaxPool2D(3, 2)


class InceptionC(_Branches):
    """Convolutions of 7, each made of one along rows and one along columns."""

    chains = (
        ("branch1x1",), ("branch7x7_1", "branch7x7_2", "branch7x7_3"),
        ("branch7x7dbl_1", "branch7x7dbl_2", "branch7x7dbl_3", "branch7x7dbl_4", "branch7x7dbl_5"), ("branch_pool", "branch_pool_conv"),
    )  # fmt: skip

    def __init__(self, before: int, inside: int) -> None:
        super().__init__()
        self.branch1x1 = _convolution(before, 192, 1)
        self.branch7x7_1 = _convolution(before, inside, 1)
        self.branch7x7_2 = _convolution(inside, inside, (1, 7), 1, (0, 3))
        self.branch7x7_3 = _convolution(inside, 192, (7, 1), 1, (3, 0))
        self.branch7x7dbl_1 = _convolution(before, inside, 1)
        self.branch7x7dbl_2 = _convolution(inside, inside, (7, 1), 1, (3, 0))
        self.branch7x7dbl_3 = _convolution(inside, inside, (1, 7), 1, (0, 3))
        self.branch7x7dbl_4 = _convolution(inside, inside, (7, 1), 1, (3, 0))
        self.branch7x7dbl_5 = _convolution(inside, 192, (1, 7), 1, (0, 3))
        self._pooled(before, 192)


class InceptionD(_Branches):
    """Half the size, by convolutions of 7 and 3."""

    chains = (
        ("branch3x3_1", "branch3x3_2"), ("branch7x7x3_1", "branch7x7x3_2", "branch7x7x3_3", "branch7x7x3_4"), ("branch_pool",),
    )  # fmt: skip

    def __init__(self, before: int) -> None:
        super().__init__()
        self.branch3x3_1 = _convolution(before, 192, 1)
        self.branch3x3_2 = _convolution(192, 320, 3, 2)
        self.branch7x7x3_1 = _convolution(before, 192, 1)
        self.branch7x7x3_2 = _convolution(192, 192, (1, 7), 1, (0, 3))
        self.branch7x7x3_3 = _convolution(192, 192, (7, 1), 1, (3, 0))
        self.branch7x7x3_4 = _convolution(192, 192, 3, 2)
        self.branch_pool = nn.MaxPool2D(3, 2)


class InceptionE(_Branches):
    """Convolutions along rows beside ones along columns."""

    chains = (
        ("branch1x1",), ("branch3x3_1", "branch3x3_2a|branch3x3_2b"),
        ("branch3x3dbl_1", "branch3x3dbl_2", "branch3x3dbl_3a|branch3x3dbl_3b"), ("branch_pool", "branch_pool_conv"),
    )  # fmt: skip

    def __init__(self, before: int) -> None:
        super().__init__()
        self.branch1x1 = _convolution(before, 320, 1)
        self.branch3x3_1 = _convolution(before, 384, 1)
        self.branch3x3_2a = _convolution(384, 384, (1, 3), 1, (0, 1))
        self.branch3x3_2b = _convolution(384, 384, (3, 1), 1, (1, 0))
        self.branch3x3dbl_1 = _convolution(before, 448, 1)
        self.branch3x3dbl_2 = _convolution(448, 384, 3, 1, 1)
        self.branch3x3dbl_3a = _convolution(384, 384, (1, 3), 1, (0, 1))
        self.branch3x3dbl_3b = _convolution(384, 384, (3, 1), 1, (1, 0))
        self._pooled(before, 192)


class InceptionV3(nn.Layer):
    """Inception V3.

    Args:
        num_classes (int): how many classes; 0: none, the features leave.
        with_pool (bool): whether the features are averaged over the image first.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.vision.models.InceptionV3(num_classes=5)  # doctest: +SKIP

    Follows Paddle 2.6.
    """

    def __init__(self, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes, self.with_pool = num_classes, with_pool
        self.inception_stem = InceptionStem()
        blocks: list[Any] = [InceptionA(before, behind) for before, behind in ((192, 32), (256, 64), (288, 64))]
        blocks += [InceptionB(288), *(InceptionC(768, inside) for inside in (128, 160, 160, 192)), InceptionD(768)]
        self.inception_block_list = nn.LayerList([*blocks, InceptionE(1280), InceptionE(2048)])
        if with_pool:
            self.avg_pool = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            reach = 2048**-0.5
            self.dropout = nn.Dropout(p=0.2, mode="downscale_in_infer")
            self.fc = nn.Linear(2048, num_classes, weight_attr=ParamAttr(initializer=Uniform(-reach, reach)), bias_attr=ParamAttr())

    def forward(self, x: Any) -> Any:
        """Logits, or features without classes.

        Args:
            x (Tensor): [N, 3, H, W], at least 75 by 75.
        Returns:
            Tensor: [N, num_classes].
        """
        x = self.inception_stem(x)
        for block in self.inception_block_list:
            x = block(x)
        if self.with_pool:
            x = self.avg_pool(x)
        return self.fc(self.dropout(reshape(x, [-1, 2048]))) if self.num_classes > 0 else x


def inception_v3(pretrained: bool = False, **kwargs: Any) -> InceptionV3:
    """Inception V3.

    Args:
        pretrained (bool): read Paddle's weights from its cache.
        kwargs: arguments of `InceptionV3`.
    Returns:
        InceptionV3.
    Raises:
        UnsupportedError: the weights are not in the cache.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.vision.models.inception_v3(num_classes=5)  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    found: InceptionV3 = built(InceptionV3(**kwargs), "inception_v3", pretrained)
    return found


__getattr__ = missing(__name__)
