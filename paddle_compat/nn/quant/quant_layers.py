"""`paddle.nn.quant.quant_layers`: layers that round values to few bits, as a quantized network would."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.nn import functional as F
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.nn.quant._rounding_layers import (
    FakeQuantAbsMax,
    FakeQuantChannelWiseAbsMax,
    FakeQuantMovingAverageAbsMax,
    MovingAverageAbsMaxScale,
)
from paddle_compat.nn.quant.lsq import FakeQuantActLSQPlus, FakeQuantWeightLSQPlus
from paddle_compat.tensor import matmul

QuantStub = MovingAverageAbsMaxScale

_KINDS: dict[str, tuple[type[Layer], frozenset[str]]] = {
    "abs_max": (FakeQuantAbsMax, frozenset({"quant_on_weight"})),
    "moving_average_abs_max": (FakeQuantMovingAverageAbsMax, frozenset({"moving_rate"})),
    "channel_wise_abs_max": (FakeQuantChannelWiseAbsMax, frozenset({"quant_on_weight", "channel_num", "quant_axis"})),
    "lsq_weight": (FakeQuantWeightLSQPlus, frozenset({"channel_num", "quant_linear"})),
    "channel_wise_lsq_weight": (FakeQuantWeightLSQPlus, frozenset({"channel_num", "quant_linear"})),
    "lsq_act": (FakeQuantActLSQPlus, frozenset()),
}
# what the words say themselves
_SAID: dict[str, dict[str, Any]] = {
    "lsq_act": {"symmetric": True}, "lsq_weight": {"channel_num": 1}, "channel_wise_lsq_weight": {"per_channel": True},
}  # fmt: skip


def _get_fake_quant_type(quant_type: str, **kwargs: Any) -> Layer:
    """The layer that rounds in the way that a word names, with as much of what is said as it takes."""
    cls, takes = _KINDS[quant_type]
    given = {key: value for key, value in kwargs.items() if key in takes | {"name", "quant_bits", "dtype", "reduce_type"}}
    given.update(_SAID.get(quant_type, {}))
    return cls(**given)


class _Quantized(Layer):
    """A layer with a weight whose weight and input are rounded."""

    def __init__(
        self, layer: Any, weight_bits: int, activation_bits: int, moving_rate: float, weight_quantize_type: str,
        activation_quantize_type: str, weight_pre_layer: Any, act_pre_layer: Any, weight_quant_layer: Any, act_quant_layer: Any, axis: int,
        linear: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.weight, self.bias = layer.weight, layer.bias
        if weight_quant_layer is not None:
            self._fake_quant_weight = weight_quant_layer()
        else:
            self._fake_quant_weight = _get_fake_quant_type(
                weight_quantize_type, name=self.weight.name, moving_rate=moving_rate, quant_bits=weight_bits, dtype=self._dtype,
                quant_on_weight=True, channel_num=self.weight.shape[axis], quant_axis=axis, quant_linear=linear,
            )  # fmt: skip
        if act_quant_layer is not None:
            self._fake_quant_input = act_quant_layer()
        else:
            self._fake_quant_input = _get_fake_quant_type(
                activation_quantize_type, name=layer.full_name(), moving_rate=moving_rate, quant_bits=activation_bits, dtype=self._dtype,
                quant_on_weight=False,
            )  # fmt: skip
        self._act_preprocess = None if act_pre_layer is None else act_pre_layer()
        self._weight_preprocess = None if weight_pre_layer is None else weight_pre_layer()

    def _rounded(self, input: Any) -> tuple[Any, Any]:
        """The input and the weight that the layer's product is of."""
        if self._act_preprocess is not None:
            input = self._act_preprocess(input)
        input, weight = self._fake_quant_input(input), self.weight
        if self._weight_preprocess is not None:
            weight = self._weight_preprocess(weight)
        return input, self._fake_quant_weight(weight)


class QuantizedConv2D(_Quantized):
    """A `Conv2D` whose weight and input are rounded.

    Args:
        layer (Conv2D): whose parameters it takes.
        weight_bits, activation_bits (int): how many bits tell the steps apart.
        moving_rate (float): the share that a former average keeps.
        weight_quantize_type (str): "abs_max", "channel_wise_abs_max", "lsq_weight" or "channel_wise_lsq_weight".
        activation_quantize_type (str): "abs_max", "moving_average_abs_max" or "lsq_act".
        weight_pre_layer, act_pre_layer: classes of layers that are called before.
        weight_quant_layer, act_quant_layer: classes of layers that round instead.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.nn.quant.quant_layers import QuantizedConv2D
        >>> QuantizedConv2D(paddle.nn.Conv2D(3, 4, 3))(paddle.ones([1, 3, 5, 5])).shape
        [1, 4, 3, 3]

    Follows Paddle 2.6.
    """

    def __init__(
        self, layer: Any, weight_bits: int = 8, activation_bits: int = 8, moving_rate: float = 0.9, weight_quantize_type: str = "abs_max",
        activation_quantize_type: str = "abs_max", weight_pre_layer: Any = None, act_pre_layer: Any = None, weight_quant_layer: Any = None,
        act_quant_layer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            layer, weight_bits, activation_bits, moving_rate, weight_quantize_type, activation_quantize_type, weight_pre_layer,
            act_pre_layer, weight_quant_layer, act_quant_layer, 0,
        )  # fmt: skip
        self._conv2d_quant_axis = 0
        self._groups, self._stride, self._dilation = layer._groups, layer._stride, layer._dilation
        self._padding, self._padding_mode, self._data_format = layer._padding, layer._padding_mode, layer._data_format
        if self._padding_mode != "zeros":
            self._reversed_padding_repeated_twice = layer._reversed_padding_repeated_twice

    def forward(self, input: Any) -> Any:
        """Convolve what was rounded.

        Args:
            input (Tensor): [N, C, H, W], or with the channels last.
        Returns:
            Tensor: what the convolution gives.
        """
        input, weight = self._rounded(input)
        padding = self._padding
        if self._padding_mode != "zeros":
            pads = self._reversed_padding_repeated_twice
            input, padding = F.pad(input, pads, mode=self._padding_mode, data_format=self._data_format), 0
        return F.conv2d(
            input, weight, bias=self.bias, padding=padding, stride=self._stride, dilation=self._dilation, groups=self._groups,
            data_format=self._data_format,
        )  # fmt: skip


class QuantizedConv2DTranspose(_Quantized):
    """A `Conv2DTranspose` whose weight and input are rounded.

    Args:
        layer (Conv2DTranspose): whose parameters it takes.
        weight_bits, activation_bits (int): how many bits tell the steps apart.
        moving_rate (float): the share that a former average keeps.
        weight_quantize_type, activation_quantize_type (str): as of `QuantizedConv2D`.
        weight_pre_layer, act_pre_layer: classes of layers that are called before.
        weight_quant_layer, act_quant_layer: classes of layers that round instead.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.nn.quant.quant_layers import QuantizedConv2DTranspose
        >>> QuantizedConv2DTranspose(paddle.nn.Conv2DTranspose(3, 4, 3))(paddle.ones([1, 3, 5, 5])).shape
        [1, 4, 7, 7]

    Follows Paddle 2.6.
    """

    def __init__(
        self, layer: Any, weight_bits: int = 8, activation_bits: int = 8, moving_rate: float = 0.9, weight_quantize_type: str = "abs_max",
        activation_quantize_type: str = "abs_max", weight_pre_layer: Any = None, act_pre_layer: Any = None, weight_quant_layer: Any = None,
        act_quant_layer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            layer, weight_bits, activation_bits, moving_rate, weight_quantize_type, activation_quantize_type, weight_pre_layer,
            act_pre_layer, weight_quant_layer, act_quant_layer, 1,
        )  # fmt: skip
        self._conv2d_transpose_quant_axis = 1
        self._groups, self._stride, self._dilation = layer._groups, layer._stride, layer._dilation
        self._padding, self._output_padding, self._data_format = layer._padding, layer._output_padding, layer._data_format

    def forward(self, input: Any, output_size: Any = None) -> Any:
        """Convolve what was rounded.

        Args:
            input (Tensor): [N, C, H, W], or with the channels last.
            output_size (int|list): height and width of the result.
        Returns:
            Tensor: what the convolution gives.
        """
        input, weight = self._rounded(input)
        return F.conv2d_transpose(
            input, weight, bias=self.bias, padding=self._padding, stride=self._stride, dilation=self._dilation, groups=self._groups,
            output_padding=self._output_padding if output_size is None else 0, output_size=output_size, data_format=self._data_format,
        )  # fmt: skip


class QuantizedLinear(_Quantized):
    """A `Linear` whose weight and input are rounded.

    Args:
        layer (Linear): whose parameters it takes.
        weight_bits, activation_bits (int): how many bits tell the steps apart.
        moving_rate (float): the share that a former average keeps.
        weight_quantize_type, activation_quantize_type (str): as of `QuantizedConv2D`.
        weight_pre_layer, act_pre_layer: classes of layers that are called before.
        weight_quant_layer, act_quant_layer: classes of layers that round instead.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.nn.quant.quant_layers import QuantizedLinear
        >>> QuantizedLinear(paddle.nn.Linear(3, 2), activation_quantize_type="moving_average_abs_max")(paddle.ones([4, 3])).shape
        [4, 2]

    Follows Paddle 2.6.
    """

    def __init__(
        self, layer: Any, weight_bits: int = 8, activation_bits: int = 8, moving_rate: float = 0.9, weight_quantize_type: str = "abs_max",
        activation_quantize_type: str = "abs_max", weight_pre_layer: Any = None, act_pre_layer: Any = None, weight_quant_layer: Any = None,
        act_quant_layer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            layer, weight_bits, activation_bits, moving_rate, weight_quantize_type, activation_quantize_type, weight_pre_layer,
            act_pre_layer, weight_quant_layer, act_quant_layer, 1, linear=True,
        )  # fmt: skip
        self.name = layer.name
        self._linear_quant_axis = 1

    def forward(self, input: Any) -> Any:
        """Multiply what was rounded.

        Args:
            input (Tensor): [..., in_features].
        Returns:
            Tensor: [..., out_features].
        """
        input, weight = self._rounded(input)
        return F.linear(x=input, weight=weight, bias=self.bias, name=self.name)


class _ParallelQuantizedLinear(Layer):
    """A parallel layer whose weight and input would be rounded."""

    def __init__(
        self, layer: Any, weight_bits: int = 8, activation_bits: int = 8, moving_rate: float = 0.9, weight_quantize_type: str = "abs_max",
        activation_quantize_type: str = "abs_max", weight_pre_layer: Any = None, act_pre_layer: Any = None, weight_quant_layer: Any = None,
        act_quant_layer: Any = None,
    ) -> None:  # fmt: skip
        raise UnsupportedError(f"paddle.nn.quant.quant_layers.{type(self).__name__}", instead="QuantizedLinear on one process")

    def forward(self, input: Any) -> Any:
        """Nothing gets here.

        Args:
            input (Tensor): [..., in_features].
        Returns:
            Tensor: [..., out_features].
        """


class QuantizedColumnParallelLinear(_ParallelQuantizedLinear):
    """A `ColumnParallelLinear` whose weight and input are rounded, which is not supported.

    Args:
        layer (ColumnParallelLinear): whose parameters it takes.
        weight_bits, activation_bits (int): how many bits tell the steps apart.
        moving_rate (float): the share that a former average keeps.
        weight_quantize_type, activation_quantize_type (str): as of `QuantizedConv2D`.
        weight_pre_layer, act_pre_layer: classes of layers that are called before.
        weight_quant_layer, act_quant_layer: classes of layers that round instead.
    Raises:
        UnsupportedError: always.

    Example:
        >>> from paddle_compat.nn.quant.quant_layers import QuantizedColumnParallelLinear
        >>> try:
        ...     QuantizedColumnParallelLinear(None)
        ... except NotImplementedError as error:
        ...     print("QuantizedLinear" in str(error))
        True

    Follows Paddle 2.6.
    """


class QuantizedRowParallelLinear(_ParallelQuantizedLinear):
    """A `RowParallelLinear` whose weight and input are rounded, which is not supported.

    Args:
        layer (RowParallelLinear): whose parameters it takes.
        weight_bits, activation_bits (int): how many bits tell the steps apart.
        moving_rate (float): the share that a former average keeps.
        weight_quantize_type, activation_quantize_type (str): as of `QuantizedConv2D`.
        weight_pre_layer, act_pre_layer: classes of layers that are called before.
        weight_quant_layer, act_quant_layer: classes of layers that round instead.
    Raises:
        UnsupportedError: always.

    Example:
        >>> from paddle_compat.nn.quant.quant_layers import QuantizedRowParallelLinear
        >>> try:
        ...     QuantizedRowParallelLinear(None)
        ... except NotImplementedError as error:
        ...     print("QuantizedLinear" in str(error))
        True

    Follows Paddle 2.6.
    """


class QuantizedMatmul(Layer):
    """`matmul` as a layer whose operands are rounded.

    Args:
        layer (Layer): the `matmul` layer that it takes the place of, or None.
        weight_bits (int): not used.
        activation_bits (int): how many bits tell the steps apart.
        moving_rate (float): the share that a former average keeps.
        weight_quantize_type (str): not used.
        activation_quantize_type (str): "abs_max", "moving_average_abs_max" or "lsq_act".
        weight_pre_layer, weight_quant_layer: not used.
        act_pre_layer: class of a layer that is called before.
        act_quant_layer: class of a layer that rounds instead.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.nn.quant.quant_layers import QuantizedMatmul
        >>> QuantizedMatmul()(paddle.ones([2, 3]), paddle.ones([4, 3]), transpose_y=True).shape
        [2, 4]

    Follows Paddle 2.6.
    """

    def __init__(
        self, layer: Any = None, weight_bits: int = 8, activation_bits: int = 8, moving_rate: float = 0.9,
        weight_quantize_type: str = "abs_max", activation_quantize_type: str = "abs_max", weight_pre_layer: Any = None,
        act_pre_layer: Any = None, weight_quant_layer: Any = None, act_quant_layer: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()

        def rounding() -> Any:
            if act_quant_layer is not None:
                return act_quant_layer()
            return _get_fake_quant_type(
                activation_quantize_type, moving_rate=moving_rate, quant_bits=activation_bits, quant_on_weight=False
            )

        self._fake_quant_x, self._fake_quant_y = rounding(), rounding()
        self._act_preprocess_x = None if act_pre_layer is None else act_pre_layer()
        self._act_preprocess_y = None if act_pre_layer is None else act_pre_layer()

    def forward(self, x: Any, y: Any, transpose_x: bool = False, transpose_y: bool = False, name: str | None = None) -> Any:
        """Multiply what was rounded.

        Args:
            x, y (Tensor): as of `paddle.matmul`.
            transpose_x, transpose_y (bool): swap the last two dimensions first.
            name (str): prefix of the output's name.
        Returns:
            Tensor: the product.
        """
        if self._act_preprocess_x is not None:
            x = self._act_preprocess_x(x)
        x = self._fake_quant_x(x)
        if self._act_preprocess_y is not None:
            y = self._act_preprocess_y(y)
        return matmul(x, self._fake_quant_y(y), transpose_x, transpose_y, name=name)


class MAOutputScaleLayer(Layer):
    """A layer, and a moving average of its output's largest magnitudes.

    Args:
        layer (Layer): what computes.
        moving_rate (float): the share that the former average keeps.
        name (str): beginning of the names of what is kept; None: the layer's.
        dtype (str): data type of the scale.
        reduce_type (str): None; "max", the largest scale of all processes, is not supported.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.nn.quant.quant_layers import MAOutputScaleLayer
        >>> layer = MAOutputScaleLayer(paddle.nn.ReLU())
        >>> layer(paddle.to_tensor([-5.0, 2.0])).tolist(), layer._ma_output_scale._scale.tolist()
        ([0.0, 2.0], [2.0])

    Follows Paddle 2.6.
    """

    def __init__(
        self, layer: Any = None, moving_rate: float = 0.9, name: str | None = None, dtype: Any = "float32", reduce_type: str | None = None
    ) -> None:
        super().__init__()
        self._layer = layer
        self._ma_output_scale = MovingAverageAbsMaxScale(layer.full_name() if name is None else name, moving_rate, dtype, reduce_type)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the layer, and take note of what it gives.

        Args:
            inputs, kwargs: what the layer takes.
        Returns:
            What the layer gives; several outputs are not looked at.
        """
        out = self._layer(*inputs, **kwargs)
        return out if isinstance(out, (list, tuple)) and len(out) > 1 else self._ma_output_scale(out)


class FakeQuantMAOutputScaleLayer(Layer):
    """A layer whose output is rounded, by a moving average of its largest magnitudes.

    Args:
        layer (Layer): what computes.
        weight_bits (int): not used.
        activation_bits (int): how many bits tell the steps apart.
        moving_rate (float): the share that the former average keeps.
        name (str): beginning of the names of what is kept; None: the layer's.
        reduce_type (str): None; "max", the largest scale of all processes, is not supported.
        args, kwargs: not used.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.nn.quant.quant_layers import FakeQuantMAOutputScaleLayer
        >>> FakeQuantMAOutputScaleLayer(paddle.nn.ReLU(), activation_bits=4)(paddle.to_tensor([-5.0, 0.0])).tolist()
        [0.0, 0.0]

    Follows Paddle 2.6.
    """

    def __init__(
        self, layer: Any, weight_bits: int = 8, activation_bits: int = 8, moving_rate: float = 0.9, name: str | None = None,
        reduce_type: str | None = None, *args: Any, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        self._layer = layer
        self._fake_quant_output = _get_fake_quant_type(
            "moving_average_abs_max", name=layer.full_name() if name is None else name, moving_rate=moving_rate,
            quant_bits=activation_bits, dtype=self._dtype, reduce_type=reduce_type,
        )  # fmt: skip

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the layer, and round what it gives.

        Args:
            inputs, kwargs: what the layer takes.
        Returns:
            What the layer gives, rounded; several outputs are not.
        """
        out = self._layer(*inputs, **kwargs)
        return out if isinstance(out, (list, tuple)) and len(out) > 1 else self._fake_quant_output(out)


__all__ = [
    "FakeQuantAbsMax", "FakeQuantMovingAverageAbsMax", "FakeQuantChannelWiseAbsMax", "QuantizedConv2D", "QuantizedConv2DTranspose",
    "QuantizedLinear", "MovingAverageAbsMaxScale", "MAOutputScaleLayer", "FakeQuantMAOutputScaleLayer", "QuantStub",
    "QuantizedRowParallelLinear", "QuantizedColumnParallelLinear", "QuantizedMatmul",
]  # fmt: skip

__getattr__ = missing(__name__)
