"""AlexNet: five convolutions and three linear layers."""

from __future__ import annotations

from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.nn import functional as F
from paddle_compat.nn.initializer import Uniform
from paddle_compat.tensor.manipulation import flatten
from paddle_compat.vision.models._pretrained import built


def _uniform(inputs: int) -> dict[str, Any]:
    """Weights and biases drawn evenly, the narrower the more inputs there are."""
    reach = inputs**-0.5
    return {name: ParamAttr(initializer=Uniform(-reach, reach)) for name in ("weight_attr", "bias_attr")}


def _convolution(before: int, after: int, size: int, stride: int, padding: int) -> Any:
    return nn.Conv2D(before, after, size, stride, padding, **_uniform(before * size * size))


class ConvPoolLayer(nn.Layer):
    """A convolution, a ReLU and a pool."""

    def __init__(self, before: int, after: int, size: int, stride: int, padding: int) -> None:
        super().__init__()
        self.relu = nn.ReLU()
        self._conv = _convolution(before, after, size, stride, padding)
        self._pool = nn.MaxPool2D(3, 2)

    def forward(self, inputs: Any) -> Any:
        return self._pool(self.relu(self._conv(inputs)))


class AlexNet(nn.Layer):
    """AlexNet.

    Args:
        num_classes (int): how many classes; 0: none, the features leave.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.AlexNet(num_classes=0)(paddle.rand([1, 3, 64, 64])).shape
        [1, 256, 1, 1]

    Follows Paddle 2.6.
    """

    def __init__(self, num_classes: int = 1000) -> None:
        super().__init__()
        self.num_classes = num_classes
        self._conv1 = ConvPoolLayer(3, 64, 11, 4, 2)
        self._conv2 = ConvPoolLayer(64, 192, 5, 1, 2)
        self._conv3 = _convolution(192, 384, 3, 1, 1)
        self._conv4 = _convolution(384, 256, 3, 1, 1)
        self._conv5 = ConvPoolLayer(256, 256, 3, 1, 1)
        if num_classes > 0:
            drawn = _uniform(256 * 6 * 6)
            self._drop1 = nn.Dropout(p=0.5, mode="downscale_in_infer")
            self._fc6 = nn.Linear(256 * 6 * 6, 4096, **drawn)
            self._drop2 = nn.Dropout(p=0.5, mode="downscale_in_infer")
            self._fc7 = nn.Linear(4096, 4096, **drawn)
            self._fc8 = nn.Linear(4096, num_classes, **drawn)

    def forward(self, inputs: Any) -> Any:
        """Logits, or features without classes.

        Args:
            inputs (Tensor): [N, 3, H, W]; with classes 224 by 224.
        Returns:
            Tensor: [N, num_classes].
        """
        x = self._conv2(self._conv1(inputs))
        x = self._conv5(F.relu(self._conv4(F.relu(self._conv3(x)))))
        if self.num_classes <= 0:
            return x
        x = F.relu(self._fc6(self._drop1(flatten(x, 1))))
        return self._fc8(F.relu(self._fc7(self._drop2(x))))


def alexnet(pretrained: bool = False, **kwargs: Any) -> AlexNet:
    """AlexNet.

    Args:
        pretrained (bool): read Paddle's weights from its cache.
        kwargs: arguments of `AlexNet`.
    Returns:
        AlexNet.
    Raises:
        UnsupportedError: the weights are not in the cache.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.alexnet(num_classes=0)(paddle.rand([1, 3, 64, 64])).shape
        [1, 256, 1, 1]

    Follows Paddle 2.6.
    """
    found: AlexNet = built(AlexNet(**kwargs), "alexnet", pretrained)
    return found


__getattr__ = missing(__name__)
