"""Convolution layers."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import convert_dtype, dtype_name
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.paddle3 import called
from paddle_compat.nn.functional import conv
from paddle_compat.nn.functional._windows import padding_of
from paddle_compat.nn.functional.common import pad
from paddle_compat.nn.layer._calls import reading
from paddle_compat.nn.layer.layers import Layer

_PLAIN: dict[int, Any] = {1: conv.conv1d, 2: conv.conv2d, 3: conv.conv3d}
_TRANSPOSED: dict[int, Any] = {1: conv.conv1d_transpose, 2: conv.conv2d_transpose, 3: conv.conv3d_transpose}


def _listed(value: Any, count: int, name: str) -> list[int]:
    """One number a dimension, as they were given."""
    if isinstance(value, int):
        return [value] * count
    try:
        return list(value)
    except TypeError:
        raise invalid_argument(name, f"an int or {count} ints", value) from None


# settings that a convolution prints where they are not the usual ones
_SHOWN = (("stride", 1), ("padding", 0), ("padding_mode", "zeros"), ("output_padding", 0), ("dilation", 1), ("groups", 1))


class _ConvNd(Layer):
    """What all convolutions share: the filter, the bias, the settings."""

    _dims: int
    _transposed = False
    output_padding = reading("_output_padding")

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        dilation: Any,
        groups: int,
        weight_attr: Any,
        bias_attr: Any,
        data_format: str,
        padding_mode: str = "zeros",
        output_padding: Any = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(dtype="float32" if dtype is None else dtype_name(convert_dtype(dtype)))
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise invalid_argument("padding_mode", "zeros, reflect, replicate or circular", padding_mode, type(self).__name__)
        if data_format not in ("NCL", "NLC", "NCHW", "NHWC", "NCDHW", "NDHWC"):
            raise invalid_argument("data_format", "the name of a layout such as NCHW", data_format, type(self).__name__)
        if isinstance(padding, str) and padding.upper() not in ("SAME", "VALID"):
            raise invalid_argument("padding", "numbers, 'SAME' or 'VALID'", padding, type(self).__name__)
        if in_channels % groups or (self._transposed is False and out_channels % groups):
            channels = (in_channels, out_channels)
            raise invalid_argument("in_channels, out_channels", f"multiples of groups {groups}", channels, type(self).__name__)
        if weight_attr is False:
            raise failed_assertion("weight_attr", "a ParamAttr or None", weight_attr, type(self).__name__)
        for setting, given in (("kernel_size", kernel_size), ("stride", stride), ("dilation", dilation)):
            if isinstance(given, (list, tuple, str)) and len(given) != self._dims:
                raise invalid_argument(setting, f"a number or {self._dims} of them", given, type(self).__name__)
        if padding_mode != "zeros" and not isinstance(padding, int):
            raise type_error("padding", f"an int, as padding_mode is {padding_mode!r}", padding, type(self).__name__)
        self._in_channels, self._out_channels, self._groups = in_channels, out_channels, groups
        self._kernel_size = _listed(kernel_size, self._dims, "kernel_size")
        self._stride, self._dilation = _listed(stride, self._dims, "stride"), _listed(dilation, self._dims, "dilation")
        self._padding = padding
        self._padding_mode, self._output_padding, self._data_format = padding_mode, output_padding, data_format
        self._param_attr, self._bias_attr = weight_attr, bias_attr
        shape = [in_channels, out_channels // groups] if self._transposed else [out_channels, in_channels // groups]
        self.weight = self.create_parameter(
            shape=[*shape, *self._kernel_size], attr=weight_attr, dtype=dtype, default_initializer=self._initializer()
        )
        self.bias = self.create_parameter(shape=[out_channels], attr=bias_attr, dtype=dtype, is_bias=True)
        if device is not None:
            self.to(device=device)

    def _initializer(self) -> Any:
        if self._transposed:
            return None
        from paddle_compat.nn.initializer import Normal

        return Normal(0.0, math.sqrt(2.0 / (self._in_channels * math.prod(self._kernel_size))))

    @called(input="x")
    def forward(self, x: Any, output_size: Any = None) -> Any:
        """Convolve.

        Args:
            x: batch, channels and spatial dimensions, in the order of the data format.
            output_size: transposed convolutions only: the spatial size of the output.
        Returns:
            [batch, out_channels, ...], channels last where the layer's format has them so.
        """
        if self._transposed:
            extra = {"output_padding": 0 if output_size is not None else self._output_padding, "output_size": output_size}
            return _TRANSPOSED[self._dims](
                x, self.weight, bias=self.bias, stride=self._stride, padding=self._padding, dilation=self._dilation,
                groups=self._groups, data_format=self._data_format, **extra,
            )  # fmt: skip
        padding = self._padding
        if self._padding_mode != "zeros":
            x = pad(x, self._reversed_padding_repeated_twice, mode=self._padding_mode, data_format=self._data_format)
            padding = 0
        return _PLAIN[self._dims](
            x, self.weight, bias=self.bias, stride=self._stride, padding=padding, dilation=self._dilation, groups=self._groups,
            data_format=self._data_format,
        )  # fmt: skip

    # What the functions work out from the settings, for subclasses that call operators themselves or say otherwise.

    @cached_property
    def _channel_dim(self) -> int:
        return 1 if self._data_format.startswith("NC") else self._dims + 1

    @cached_property
    def _op_type(self) -> str:
        by_channels = self._dims == 2 and self._groups == self._in_channels > 1 and self._out_channels % self._in_channels == 0
        return f"{'depthwise_' if by_channels else ''}conv{self._dims}d"

    @cached_property
    def _padding_algorithm(self) -> str:
        return self._paddings()[1]

    @cached_property
    def _updated_padding(self) -> list[int]:
        return self._paddings()[0]

    def _paddings(self) -> tuple[list[int], str]:
        padding = self._padding if self._padding_mode == "zeros" else 0
        return padding_of(padding, self._dims, self._channel_dim != 1, type(self).__name__)

    @cached_property
    def _reversed_padding_repeated_twice(self) -> list[int]:
        """The padding as `nn.functional.pad` wants it; that of a `padding_mode` is one number."""
        return [self._padding] * (2 * self._dims)

    def extra_repr(self) -> str:
        """The settings."""
        text = f"{self._in_channels}, {self._out_channels}, kernel_size={self._kernel_size}"
        for name, usual in _SHOWN:
            value = getattr(self, "_" + name)
            if value not in (usual, [usual] * self._dims):
                text += f", {name}={value}"
        return f"{text}, data_format={self._data_format}"


class Conv1D(_ConvNd):
    """Convolution over sequences.

    Args:
        in_channels, out_channels: channels before and after.
        kernel_size: length of the filter.
        stride, padding, dilation: ints; padding also 'SAME' or 'VALID'.
        groups: channels are convolved in that many groups.
        padding_mode: zeros, reflect, replicate or circular.
        weight_attr, bias_attr: ParamAttr; bias_attr False for no bias.
        data_format: NCL or NLC.
        bias: False for no bias, too.
        device, dtype: where the parameters live, and their data type.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Conv1D(3, 4, 3)
        >>> layer(paddle.ones([1, 3, 8])).shape
        [1, 4, 6]

    Follows Paddle 2.6.
    """

    _dims = 1

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
        padding_mode: str = "zeros", weight_attr: Any = None, bias_attr: Any = None, data_format: str = "NCL", *,
        bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, weight_attr, False if bias is False else bias_attr,
            data_format, padding_mode, device=device, dtype=dtype,
        )  # fmt: skip


class Conv2D(_ConvNd):
    """Convolution over images.

    Args:
        in_channels, out_channels: channels before and after.
        kernel_size: an int or [height, width].
        stride, padding, dilation: ints or pairs; padding also 'SAME' or 'VALID'.
        groups: channels are convolved in that many groups.
        padding_mode: zeros, reflect, replicate or circular.
        weight_attr, bias_attr: ParamAttr; bias_attr False for no bias.
        data_format: NCHW or NHWC.
        bias: False for no bias, too.
        device, dtype: where the parameters live, and their data type.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Conv2D(3, 4, 3)
        >>> layer(paddle.ones([1, 3, 8, 8])).shape
        [1, 4, 6, 6]

    Follows Paddle 2.6.
    """

    _dims = 2

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
        padding_mode: str = "zeros", weight_attr: Any = None, bias_attr: Any = None, data_format: str = "NCHW", *,
        bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, weight_attr, False if bias is False else bias_attr,
            data_format, padding_mode, device=device, dtype=dtype,
        )  # fmt: skip


class Conv3D(_ConvNd):
    """Convolution over volumes.

    Args:
        in_channels, out_channels: channels before and after.
        kernel_size: an int or [depth, height, width].
        stride, padding, dilation: ints or triples; padding also 'SAME' or 'VALID'.
        groups: channels are convolved in that many groups.
        padding_mode: zeros, reflect, replicate or circular.
        weight_attr, bias_attr: ParamAttr; bias_attr False for no bias.
        data_format: NCDHW or NDHWC.
        bias: False for no bias, too.
        device, dtype: where the parameters live, and their data type.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Conv3D(3, 4, 3)
        >>> layer(paddle.ones([1, 3, 8, 8, 8])).shape
        [1, 4, 6, 6, 6]

    Follows Paddle 2.6.
    """

    _dims = 3

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1,
        padding_mode: str = "zeros", weight_attr: Any = None, bias_attr: Any = None, data_format: str = "NCDHW", *,
        bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, weight_attr, False if bias is False else bias_attr,
            data_format, padding_mode, device=device, dtype=dtype,
        )  # fmt: skip


class Conv1DTranspose(_ConvNd):
    """Transposed convolution over sequences.

    Args:
        in_channels, out_channels: channels before and after.
        kernel_size: length of the filter.
        stride, padding, output_padding, dilation: ints.
        groups: channels are convolved in that many groups.
        weight_attr, bias_attr: ParamAttr; bias_attr False for no bias.
        data_format: NCL or NLC.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Conv1DTranspose(3, 4, 3)
        >>> layer(paddle.ones([1, 3, 8])).shape
        [1, 4, 10]

    Follows Paddle 2.6.
    """

    _dims, _transposed = 1, True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
        groups: int = 1, dilation: Any = 1, weight_attr: Any = None, bias_attr: Any = None, data_format: str = "NCL",
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, weight_attr, bias_attr, data_format,
            output_padding=output_padding,
        )  # fmt: skip


class Conv2DTranspose(_ConvNd):
    """Transposed convolution over images.

    Args:
        in_channels, out_channels: channels before and after.
        kernel_size: an int or [height, width].
        stride, padding, output_padding, dilation: ints or pairs.
        groups: channels are convolved in that many groups.
        weight_attr, bias_attr: ParamAttr; bias_attr False for no bias.
        data_format: NCHW or NHWC.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Conv2DTranspose(3, 4, 3)
        >>> layer(paddle.ones([1, 3, 8, 8])).shape
        [1, 4, 10, 10]

    Follows Paddle 2.6.
    """

    _dims, _transposed = 2, True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
        dilation: Any = 1, groups: int = 1, weight_attr: Any = None, bias_attr: Any = None, data_format: str = "NCHW",
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, weight_attr, bias_attr, data_format,
            output_padding=output_padding,
        )  # fmt: skip


class Conv3DTranspose(_ConvNd):
    """Transposed convolution over volumes.

    Args:
        in_channels, out_channels: channels before and after.
        kernel_size: an int or [depth, height, width].
        stride, padding, output_padding, dilation: ints or triples.
        groups: channels are convolved in that many groups.
        weight_attr, bias_attr: ParamAttr; bias_attr False for no bias.
        data_format: NCDHW or NDHWC.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Conv3DTranspose(3, 4, 3)
        >>> layer(paddle.ones([1, 3, 8, 8, 8])).shape
        [1, 4, 10, 10, 10]

    Follows Paddle 2.6.
    """

    _dims, _transposed = 3, True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, output_padding: Any = 0,
        dilation: Any = 1, groups: int = 1, weight_attr: Any = None, bias_attr: Any = None, data_format: str = "NCDHW",
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, weight_attr, bias_attr, data_format,
            output_padding=output_padding,
        )  # fmt: skip


Conv1d, Conv2d, Conv3d = Conv1D, Conv2D, Conv3D  # Paddle 3's names

__all__ = [
    "Conv1D", "Conv1DTranspose", "Conv1d", "Conv2D", "Conv2DTranspose", "Conv2d", "Conv3D", "Conv3DTranspose", "Conv3d",
]  # fmt: skip

__getattr__ = missing(__name__)
