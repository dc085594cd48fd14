"""Convolution layers over sparse Tensors."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.nn.initializer import Normal
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.sparse.nn import functional as F
from paddle_compat.sparse.nn.functional.conv import spread

_SHOWN = (("stride", 1), ("padding", 0), ("padding_mode", "zeros"), ("dilation", 1), ("groups", 1))


class _Conv(Layer):
    """What all convolutions share: the filter, the bias, the settings."""

    _dims: int
    _same = False

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any, padding: Any, dilation: Any, groups: int,
        padding_mode: str, key: str | None, weight_attr: Any, bias_attr: Any, data_format: str,
    ) -> None:  # fmt: skip
        super().__init__()
        kind, layout = type(self).__name__, "NHWC" if self._dims == 2 else "NDHWC"
        if weight_attr is False:
            raise failed_assertion("weight_attr", "a ParamAttr or None", weight_attr, kind)
        if groups != 1:
            raise failed_assertion("groups", "1", groups, kind)
        if padding_mode != "zeros":
            raise failed_assertion("padding_mode", "'zeros'", padding_mode, kind)
        if data_format != layout:
            raise invalid_argument("data_format", layout, data_format, kind)
        self._in_channels, self._out_channels, self._groups, self._key = in_channels, out_channels, groups, key
        self._kernel_size = spread(kernel_size, "kernel_size", self._dims, kind)
        self._stride = spread(stride, "stride", self._dims, kind)
        self._dilation = spread(dilation, "dilation", self._dims, kind)
        self._padding, self._padding_mode, self._data_format = padding, padding_mode, data_format
        self._param_attr, self._bias_attr = weight_attr, bias_attr
        cells = math.prod(self._kernel_size)
        start = Normal(0.0, math.sqrt(2.0 / (cells * in_channels)))
        self.weight = self.create_parameter([*self._kernel_size, in_channels, out_channels], weight_attr, default_initializer=start)
        self.bias = self.create_parameter([out_channels], bias_attr, is_bias=True)

    def forward(self, x: Any) -> Any:
        """Convolve.

        Args:
            x (Tensor): sparse, of the layout COO, batch, sizes and channels; all but the channels with coordinates.
        Returns:
            Tensor: sparse, with out_channels.
        """
        function = getattr(F, f"{'subm_' if self._same else ''}conv{self._dims}d")
        return function(
            x, self.weight, bias=self.bias, stride=self._stride, padding=self._padding, dilation=self._dilation, groups=self._groups,
            data_format=self._data_format, **({"key": self._key} if self._same else {}),
        )  # fmt: skip

    def extra_repr(self) -> str:
        """The settings."""
        text = f"{self._in_channels}, {self._out_channels}, kernel_size={self._kernel_size}"
        for name, usual in _SHOWN:
            value = getattr(self, "_" + name)
            if value not in (usual, [usual] * self._dims):
                text += f", {name}={value}"
        return f"{text}, data_format={self._data_format}"


_KEY = "\n        key (str): has no effect: in Paddle it names what is worked out once."
_BACKEND = "\n        backend (str): has no effect: in Paddle it chooses a kernel of GPUs."


def _document(name: str, rank: int, same: bool) -> str:
    places = ", ".join(["[1]"] * rank)
    where = "at the places of the input alone" if same else "wherever a window meets one of them"
    return f"""A convolution of the values that are there, with results {where}.

    Args:
        in_channels (int): channels before.
        out_channels (int): channels after.
        kernel_size (int|list|tuple): the window.
        stride (int|list|tuple): from window to window{"; has no effect" if same else ""}.
        padding (int|list|tuple|str): how much is added around each dimension{"; has no effect" if same else ""}.
        dilation (int|list|tuple): from cell to cell of a window.
        groups (int): 1.
        padding_mode (str): "zeros".{_KEY if same else ""}
        weight_attr (ParamAttr): of the filter, [window, in_channels, out_channels].
        bias_attr (ParamAttr): of the bias; False: none.
        data_format (str): "{"NHWC" if rank == 2 else "NDHWC"}".{_BACKEND if same else ""}

    Raises:
        AssertionError: groups or padding_mode is another.
        ValueError: the data format is another, or a setting has other than {rank} numbers.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.sparse.sparse_coo_tensor([[0], {places}], [[2.0]], [1, {"3, " * rank}1])
        >>> paddle.sparse.nn.{name}(1, 4, 3)(x).shape
        [1, {("3, " if same else "1, ") * rank}4]

    Follows Paddle 2.6{"; `backend` is Paddle 3.3's" if same else ""}.
    """


class Conv2D(_Conv):
    __doc__ = _document("Conv2D", 2, False)
    _dims = 2

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1, padding_mode: str = "zeros", weight_attr: Any = None, bias_attr: Any = None, data_format: str = "NHWC",
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode, None, weight_attr, bias_attr,
            data_format,
        )  # fmt: skip


class Conv3D(_Conv):
    __doc__ = _document("Conv3D", 3, False)
    _dims = 3

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1, padding_mode: str = "zeros", weight_attr: Any = None, bias_attr: Any = None, data_format: str = "NDHWC",
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode, None, weight_attr, bias_attr,
            data_format,
        )  # fmt: skip


class SubmConv2D(_Conv):
    __doc__ = _document("SubmConv2D", 2, True)
    _dims, _same = 2, True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1, padding_mode: str = "zeros", key: str | None = None, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NHWC", backend: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode, key, weight_attr, bias_attr,
            data_format,
        )  # fmt: skip


class SubmConv3D(_Conv):
    __doc__ = _document("SubmConv3D", 3, True)
    _dims, _same = 3, True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        groups: int = 1, padding_mode: str = "zeros", key: str | None = None, weight_attr: Any = None, bias_attr: Any = None,
        data_format: str = "NDHWC", backend: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, padding_mode, key, weight_attr, bias_attr,
            data_format,
        )  # fmt: skip


__all__ = ["Conv2D", "Conv3D", "SubmConv2D", "SubmConv3D"]

__getattr__ = missing(__name__)
