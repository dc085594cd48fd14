"""SqueezeNet: narrow convolutions feed two wider ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.nn import functional as F
from paddle_compat.tensor.manipulation import concat, squeeze
from paddle_compat.vision.models._pretrained import built

# channels of a block's narrow part and of each of its two wide ones
_BLOCKS = ((16, 64), (16, 64), (32, 128), (32, 128), (48, 192), (48, 192), (64, 256), (64, 256))
_POOLS = {"1.0": (3, 7), "1.1": (2, 4)}  # behind which blocks a pool stands


class MakeFireConv(nn.Layer):
    """A convolution and a ReLU."""

    def __init__(self, before: int, after: int, size: int, padding: int = 0) -> None:
        super().__init__()
        self._conv = nn.Conv2D(before, after, size, padding=padding)

    def forward(self, x: Any) -> Any:
        return F.relu(self._conv(x))


class MakeFire(nn.Layer):
    """A narrow convolution, and two wide ones of it side by side."""

    def __init__(self, before: int, narrow: int, wide: int) -> None:
        super().__init__()
        self._conv = MakeFireConv(before, narrow, 1)
        self._conv_path1 = MakeFireConv(narrow, wide, 1)
        self._conv_path2 = MakeFireConv(narrow, wide, 3, 1)

    def forward(self, inputs: Any) -> Any:
        x = self._conv(inputs)
        return concat([self._conv_path1(x), self._conv_path2(x)], axis=1)


class SqueezeNet(nn.Layer):
    """SqueezeNet.

    Args:
        version (str): "1.0" or "1.1".
        num_classes (int): how many classes.
        with_pool (bool): whether the logits are averaged over the image.
    Raises:
        AssertionError: another version.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.SqueezeNet("1.1", num_classes=5)(paddle.rand([1, 3, 32, 32])).shape
        [1, 5]

    Follows Paddle 2.6.
    """

    def __init__(self, version: str, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        assert version in _POOLS, f"supported versions are {list(_POOLS)} but input version is {version}"
        self.version, self.num_classes, self.with_pool = version, num_classes, with_pool
        first = 96 if version == "1.0" else 64
        self._conv = nn.Conv2D(3, 96, 7, stride=2) if version == "1.0" else nn.Conv2D(3, 64, 3, stride=2, padding=1)
        self._pool = nn.MaxPool2D(3, 2)
        for i, (narrow, wide) in enumerate(_BLOCKS):
            setattr(self, f"_conv{i + 1}", MakeFire(first, narrow, wide))
            first = 2 * wide
        self._drop = nn.Dropout(p=0.5, mode="downscale_in_infer")
        self._conv9 = nn.Conv2D(512, num_classes, 1)
        self._avg_pool = nn.AdaptiveAvgPool2D(1)

    def forward(self, inputs: Any) -> Any:
        """Logits.

        Args:
            inputs (Tensor): [N, 3, H, W].
        Returns:
            Tensor: [N, num_classes], or with the image's places where they are not averaged.
        """
        x = self._pool(F.relu(self._conv(inputs)))
        for i in range(len(_BLOCKS)):
            x = getattr(self, f"_conv{i + 1}")(x)
            if i + 1 in _POOLS[self.version]:
                x = self._pool(x)
        if self.num_classes > 0:
            x = self._conv9(self._drop(x))
        return squeeze(self._avg_pool(F.relu(x)), axis=[2, 3]) if self.with_pool else x


def _version(version: str) -> Callable[..., SqueezeNet]:
    name = f"squeezenet{version.replace('.', '_')}"

    def make(pretrained: bool = False, **kwargs: Any) -> SqueezeNet:
        found: SqueezeNet = built(SqueezeNet(version, **kwargs), name, pretrained)
        return found

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"""SqueezeNet {version}.

    Args:
        pretrained (bool): read Paddle's weights from its cache.
        kwargs: arguments of `SqueezeNet`.
    Returns:
        SqueezeNet.
    Raises:
        UnsupportedError: the weights are not in the cache.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.{name}(num_classes=5)(paddle.rand([1, 3, 32, 32])).shape
        [1, 5]

    Follows Paddle 2.6.
    """
    return make


squeezenet1_0, squeezenet1_1 = map(_version, _POOLS)

__getattr__ = missing(__name__)
