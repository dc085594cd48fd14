"""VGG: stacks of 3 x 3 convolutions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.tensor.manipulation import flatten
from paddle_compat.vision.models._pretrained import built

# By depth: how many convolutions stand before each pool, whose channels are those of _CHANNELS.
_CONVOLUTIONS = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}
_CHANNELS = (64, 128, 256, 512, 512)
_LETTERS = {11: "A", 13: "B", 16: "D", 19: "E"}
# what `make_layers` takes, by the letters of the paper
cfgs: dict[str, list[Any]] = {
    letter: [each for count, channels in zip(_CONVOLUTIONS[depth], _CHANNELS) for each in (*[channels] * count, "M")]
    for depth, letter in _LETTERS.items()
}


class VGG(nn.Layer):
    """A stack of convolutions, and three linear layers that classify.

    Args:
        features (Layer): gives [N, 512, H, W].
        num_classes (int): how many classes; 0: none, the features leave.
        with_pool (bool): whether the features are averaged to 7 x 7 first.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.vision.models.VGG(paddle.nn.Conv2D(3, 512, 1), num_classes=0)
        >>> net(paddle.rand([1, 3, 14, 14])).shape
        [1, 512, 7, 7]

    Follows Paddle 2.6.
    """

    def __init__(self, features: Any, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.features, self.num_classes, self.with_pool = features, num_classes, with_pool
        if with_pool:
            self.avgpool = nn.AdaptiveAvgPool2D((7, 7))
        if num_classes > 0:
            self.classifier = nn.Sequential(
                nn.Linear(512 * 7 * 7, 4096), nn.ReLU(), nn.Dropout(),
                nn.Linear(4096, 4096), nn.ReLU(), nn.Dropout(),
                nn.Linear(4096, num_classes),
            )  # fmt: skip

    def forward(self, x: Any) -> Any:
        """Logits, or features without classes.

        Args:
            x (Tensor): [N, 3, H, W].
        Returns:
            Tensor: [N, num_classes].
        """
        x = self.features(x)
        if self.with_pool:
            x = self.avgpool(x)
        return self.classifier(flatten(x, 1)) if self.num_classes > 0 else x


def make_layers(cfg: Sequence[Any], batch_norm: bool = False) -> Any:
    """The convolutions of a VGG: numbers of channels, and "M" where the image gets half as high and wide."""
    layers: list[Any] = []
    before = 3
    for channels in cfg:
        if channels == "M":
            layers.append(nn.MaxPool2D(2, 2))
            continue
        layers.append(nn.Conv2D(before, channels, 3, padding=1))
        layers += [nn.BatchNorm2D(channels)] if batch_norm else []
        layers.append(nn.ReLU())
        before = channels
    return nn.Sequential(*layers)


def _depth(depth: int) -> Callable[..., VGG]:
    def make(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
        name = f"vgg{depth}" + ("_bn" if batch_norm else "")
        found: VGG = built(VGG(make_layers(cfgs[_LETTERS[depth]], batch_norm), **kwargs), name, pretrained)
        return found

    make.__name__ = make.__qualname__ = f"vgg{depth}"
    make.__doc__ = f"""VGG with {depth} layers.

    Args:
        pretrained (bool): read Paddle's weights from its cache.
        batch_norm (bool): a batch norm behind each convolution.
        kwargs: arguments of `VGG`.
    Returns:
        VGG.
    Raises:
        UnsupportedError: the weights are not in the cache.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.vision.models.vgg{depth}(num_classes=0, with_pool=False)
        >>> net(paddle.rand([1, 3, 32, 32])).shape
        [1, 512, 1, 1]

    Follows Paddle 2.6.
    """
    return make


vgg11, vgg13, vgg16, vgg19 = map(_depth, _CONVOLUTIONS)

__getattr__ = missing(__name__)
