"""ShuffleNet V2: half of the channels pass a block by, then they are mixed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.nn.functional.vision import channel_shuffle
from paddle_compat.tensor.manipulation import concat, flatten, split
from paddle_compat.vision.models._pretrained import built
from paddle_compat.vision.ops import ConvNormActivation

# by scale: channels of the three stages and of the last convolution; 24 come first
_CHANNELS = {
    0.25: (24, 48, 96, 512), 0.33: (32, 64, 128, 512), 0.5: (48, 96, 192, 1024), 1.0: (116, 232, 464, 1024), 1.5: (176, 352, 704, 1024),
    2.0: (224, 488, 976, 2048),
}  # fmt: skip
_BLOCKS = (4, 8, 4)
_ACTIVATIONS = {"relu": nn.ReLU, "swish": nn.Swish, None: None}


def create_activation_layer(act: str | None) -> Any:
    """The class of a network's activations.

    Args:
        act (str): "relu" or "swish"; None: no activation.
    Returns:
        A class of layers, or None.
    Raises:
        RuntimeError: another activation.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.vision.models.shufflenetv2 import create_activation_layer
        >>> create_activation_layer("swish") is paddle.nn.Swish
        True

    Follows Paddle 2.6.
    """
    if act not in _ACTIVATIONS:
        raise RuntimeError(f"The activation function is not supported: {act}. Expected one of {list(_ACTIVATIONS)} for `act`")
    return _ACTIVATIONS[act]


def _point(before: int, after: int, activation: Any) -> Any:
    return ConvNormActivation(before, after, 1, 1, 0, activation_layer=activation)


def _depth(channels: int, stride: int) -> Any:
    return ConvNormActivation(channels, channels, 3, stride, 1, groups=channels, activation_layer=None)


class InvertedResidual(nn.Layer):
    """A block that half of the channels pass by."""

    def __init__(self, channels: int, activation: Any) -> None:
        super().__init__()
        half = channels // 2
        self._conv_pw = _point(half, half, activation)
        self._conv_dw = _depth(half, 1)
        self._conv_linear = _point(half, half, activation)

    def forward(self, inputs: Any) -> Any:
        kept, changed = split(inputs, 2, axis=1)
        changed = self._conv_linear(self._conv_dw(self._conv_pw(changed)))
        return channel_shuffle(concat([kept, changed], axis=1), 2)


class InvertedResidualDS(nn.Layer):
    """A block that halves the image."""

    def __init__(self, before: int, after: int, activation: Any) -> None:
        super().__init__()
        half = after // 2
        self._conv_dw_1 = _depth(before, 2)
        self._conv_linear_1 = _point(before, half, activation)
        self._conv_pw_2 = _point(before, half, activation)
        self._conv_dw_2 = _depth(half, 2)
        self._conv_linear_2 = _point(half, half, activation)

    def forward(self, inputs: Any) -> Any:
        first = self._conv_linear_1(self._conv_dw_1(inputs))
        second = self._conv_linear_2(self._conv_dw_2(self._conv_pw_2(inputs)))
        return channel_shuffle(concat([first, second], axis=1), 2)


class ShuffleNetV2(nn.Layer):
    """ShuffleNet V2.

    Args:
        scale (float): 0.25, 0.33, 0.5, 1.0, 1.5 or 2.0: how wide it is.
        act (str): "relu" or "swish"; None: no activation.
        num_classes (int): how many classes; 0: none, the features leave.
        with_pool (bool): whether the features are averaged over the image first.
    Raises:
        NotImplementedError: another scale.
        RuntimeError: another activation.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.ShuffleNetV2(0.25, num_classes=5)(paddle.rand([1, 3, 32, 32])).shape
        [1, 5]

    Follows Paddle 2.6.
    """

    def __init__(self, scale: float = 1.0, act: str | None = "relu", num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.scale, self.num_classes, self.with_pool = scale, num_classes, with_pool
        if scale not in _CHANNELS:
            error = NotImplementedError(f"This scale size:[{scale}] is not implemented!")  # the wheel's
            raise error
        activation = create_activation_layer(act)
        *stages, last = _CHANNELS[scale]
        self._conv1 = ConvNormActivation(3, 24, 3, 2, 1, activation_layer=activation)
        self._max_pool = nn.MaxPool2D(3, 2, 1)
        before = 24
        self._block_list: list[Any] = []
        for stage, (channels, count) in enumerate(zip(stages, _BLOCKS)):
            for i in range(count):
                block = InvertedResidual(channels, activation) if i else InvertedResidualDS(before, channels, activation)
                self._block_list.append(self.add_sublayer(f"{stage + 2}_{i + 1}", block))
            before = channels
        self._last_conv = _point(before, last, activation)
        if with_pool:
            self._pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self._fc = nn.Linear(last, num_classes)

    def forward(self, inputs: Any) -> Any:
        """Logits, or features without classes.

        Args:
            inputs (Tensor): [N, 3, H, W].
        Returns:
            Tensor: [N, num_classes].
        """
        x = self._max_pool(self._conv1(inputs))
        for block in self._block_list:
            x = block(x)
        x = self._last_conv(x)
        if self.with_pool:
            x = self._pool2d_avg(x)
        return self._fc(flatten(x, 1)) if self.num_classes > 0 else x


def _scaled(name: str, scale: float, act: str = "relu") -> Callable[..., ShuffleNetV2]:
    def make(pretrained: bool = False, **kwargs: Any) -> ShuffleNetV2:
        found: ShuffleNetV2 = built(ShuffleNetV2(scale, act, **kwargs), name, pretrained)
        return found

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"""ShuffleNet V2 of scale {scale}, with {act}.

    Args:
        pretrained (bool): read Paddle's weights from its cache.
        kwargs: arguments of `ShuffleNetV2`.
    Returns:
        ShuffleNetV2.
    Raises:
        UnsupportedError: the weights are not in the cache.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.{name}(num_classes=5)(paddle.rand([1, 3, 32, 32])).shape
        [1, 5]

    Follows Paddle 2.6.
    """
    return make


shufflenet_v2_x0_25, shufflenet_v2_x0_33, shufflenet_v2_x0_5, shufflenet_v2_x1_0, shufflenet_v2_x1_5, shufflenet_v2_x2_0 = (
    _scaled(f"shufflenet_v2_x{str(scale).replace('.', '_')}", scale) for scale in _CHANNELS
)
shufflenet_v2_swish = _scaled("shufflenet_v2_swish", 1.0, "swish")

__getattr__ = missing(__name__)
