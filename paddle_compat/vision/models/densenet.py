"""DenseNet: each layer reads what all layers before it in its block gave."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.core.param_attr import ParamAttr
from paddle_compat.nn.initializer import Uniform
from paddle_compat.tensor.manipulation import concat, flatten
from paddle_compat.vision.models._pretrained import built

# by depth: channels in front, channels that a layer adds, layers of the four blocks
_DEPTHS = {
    121: (64, 32, [6, 12, 24, 16]), 161: (96, 48, [6, 12, 36, 24]), 169: (64, 32, [6, 12, 32, 32]), 201: (64, 32, [6, 12, 48, 32]),
    264: (64, 32, [6, 12, 64, 48]),
}  # fmt: skip


class BNACConvLayer(nn.Layer):
    """A batch norm, a ReLU and a convolution."""

    def __init__(self, before: int, after: int, size: int, padding: int = 0) -> None:
        super().__init__()
        self._batch_norm = nn.BatchNorm(before, act="relu")
        self._conv = nn.Conv2D(before, after, size, padding=padding, bias_attr=False)

    def forward(self, input: Any) -> Any:
        return self._conv(self._batch_norm(input))


class DenseLayer(nn.Layer):
    """Two convolutions whose channels come behind those that went in."""

    def __init__(self, before: int, growth: int, bn_size: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.bn_ac_func1 = BNACConvLayer(before, bn_size * growth, 1)
        self.bn_ac_func2 = BNACConvLayer(bn_size * growth, growth, 3, 1)
        if dropout:
            self.dropout_func = nn.Dropout(p=dropout, mode="downscale_in_infer")

    def forward(self, input: Any) -> Any:
        x = self.bn_ac_func2(self.bn_ac_func1(input))
        return concat([input, self.dropout_func(x) if self.dropout else x], axis=1)


class DenseBlock(nn.Layer):
    """Dense layers of one size."""

    def __init__(self, before: int, name: str, count: int, growth: int, bn_size: int, dropout: float) -> None:
        super().__init__()
        layers = [DenseLayer(before + i * growth, growth, bn_size, dropout) for i in range(count)]
        self.dense_layer_func = [self.add_sublayer(f"{name}_{i + 1}", layer) for i, layer in enumerate(layers)]

    def forward(self, input: Any) -> Any:
        for layer in self.dense_layer_func:
            input = layer(input)
        return input


class TransitionLayer(nn.Layer):
    """Half as many channels, and half the size."""

    def __init__(self, before: int) -> None:
        super().__init__()
        self.conv_ac_func = BNACConvLayer(before, before // 2, 1)
        self.pool2d_avg = nn.AvgPool2D(2, 2)

    def forward(self, input: Any) -> Any:
        return self.pool2d_avg(self.conv_ac_func(input))


class ConvBNLayer(nn.Layer):
    """A convolution, a batch norm and a ReLU."""

    def __init__(self, before: int, after: int, size: int, stride: int, padding: int) -> None:
        super().__init__()
        self._conv = nn.Conv2D(before, after, size, stride, padding, bias_attr=False)
        self._batch_norm = nn.BatchNorm(after, act="relu")

    def forward(self, input: Any) -> Any:
        return self._batch_norm(self._conv(input))


class DenseNet(nn.Layer):
    """DenseNet.

    Args:
        layers (int): 121, 161, 169, 201 or 264.
        bn_size (int): how many times as many channels the first convolution of a layer gives as the layer adds.
        dropout (float): how probable it is that what a layer adds is zero.
        num_classes (int): how many classes; 0: none, the features leave.
        with_pool (bool): whether the features are averaged over the image first.
    Raises:
        AssertionError: another number of layers.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.models.DenseNet(121, num_classes=0)(paddle.rand([1, 3, 32, 32])).shape
        [1, 1024, 1, 1]

    Follows Paddle 2.6.
    """

    def __init__(
        self, layers: int = 121, bn_size: int = 4, dropout: float = 0.0, num_classes: int = 1000, with_pool: bool = True
    ) -> None:
        super().__init__()
        self.num_classes, self.with_pool = num_classes, with_pool
        assert layers in _DEPTHS, f"supported layers are {list(_DEPTHS)} but input layer is {layers}"
        channels, growth, self.block_config = _DEPTHS[layers]
        self.conv1_func = ConvBNLayer(3, channels, 7, 2, 3)
        self.pool2d_max = nn.MaxPool2D(3, 2, 1)
        self.dense_block_func_list: list[Any] = []
        self.transition_func_list: list[Any] = []
        for i, count in enumerate(self.block_config):
            block = DenseBlock(channels, f"conv{i + 2}", count, growth, bn_size, dropout)
            self.dense_block_func_list.append(self.add_sublayer(f"db_conv_{i + 2}", block))
            channels += count * growth
            if i + 1 < len(self.block_config):
                self.transition_func_list.append(self.add_sublayer(f"tr_conv{i + 2}_blk", TransitionLayer(channels)))
                channels //= 2
        self.batch_norm = nn.BatchNorm(channels, act="relu")
        if with_pool:
            self.pool2d_avg = nn.AdaptiveAvgPool2D(1)
        if num_classes > 0:
            reach = channels**-0.5
            self.out = nn.Linear(channels, num_classes, weight_attr=ParamAttr(initializer=Uniform(-reach, reach)), bias_attr=ParamAttr())

    def forward(self, input: Any) -> Any:
        """Logits, or features without classes.

        Args:
            input (Tensor): [N, 3, H, W].
        Returns:
            Tensor: [N, num_classes].
        """
        x = self.pool2d_max(self.conv1_func(input))
        for i, block in enumerate(self.dense_block_func_list):
            x = block(x)
            if i < len(self.transition_func_list):
                x = self.transition_func_list[i](x)
        x = self.batch_norm(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.out(flatten(x, 1)) if self.num_classes > 0 else x


def _depth(depth: int) -> Callable[..., DenseNet]:
    def make(pretrained: bool = False, **kwargs: Any) -> DenseNet:
        found: DenseNet = built(DenseNet(layers=depth, **kwargs), f"densenet{depth}", pretrained)
        return found

    make.__name__ = make.__qualname__ = f"densenet{depth}"
    make.__doc__ = f"""DenseNet with {depth} layers.

    Args:
        pretrained (bool): read Paddle's weights from its cache.
        kwargs: arguments of `DenseNet`.
    Returns:
        DenseNet.
    Raises:
        UnsupportedError: the weights are not in the cache.

    Example:
        >>> import paddle_compat as paddle
        >>> net = paddle.vision.models.densenet{depth}(num_classes=5)  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    return make


densenet121, densenet161, densenet169, densenet201, densenet264 = map(_depth, _DEPTHS)

__getattr__ = missing(__name__)
