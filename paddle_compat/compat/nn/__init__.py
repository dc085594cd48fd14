"""`paddle.compat.nn`: layers with torch's arguments and layouts."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.compat.nn import functional
from paddle_compat.compat.nn.transformer import MultiheadAttention
from paddle_compat.core.dtype import default, dtype_name
from paddle_compat.nn import functional as ours
from paddle_compat.nn import init
from paddle_compat.nn.layer.layers import Layer


class Linear(Layer):
    """x W' + b, with W of shape [out_features, in_features].

    Args:
        in_features, out_features: sizes of the last dimension before and after.
        bias: whether to add one.
        device: where the parameters live; None: where they are made.
        dtype: the parameters' type; None: the default one.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.nn.Linear(3, 4).weight.shape
        [4, 3]

    Follows Paddle 3.3.
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        kind = dtype_name(default()) if dtype is None else dtype_name(dtype)
        self.weight = self.create_parameter([out_features, in_features], dtype=kind)
        self.bias = self.create_parameter([out_features], dtype=kind, is_bias=True) if bias else None
        self.reset_parameters()
        if device is not None:
            self.to(device)

    def reset_parameters(self) -> None:
        """Draw weights evenly within 1 / sqrt(out_features), as Paddle counts, and biases within 1 / sqrt(in_features).

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.compat.nn.Linear(3, 4).reset_parameters()
        """
        init.kaiming_uniform_(self.weight, math.sqrt(5.0))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features else 0.0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Any) -> Any:
        """Apply the layer.

        Args:
            input: [..., in_features].
        Returns:
            [..., out_features].
        """
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """What the layer's text says of it.

        Returns:
            A str.
        """
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Softmax(Layer):
    """Exponentials as shares of their sum.

    Args:
        dim: the dimension; None: the first one of 0, 1 or 3 dimensions, else the second.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.nn.Softmax(0)(paddle.zeros([2])).tolist()
        [0.5, 0.5]

    Follows Paddle 3.3.
    """

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        """Apply the layer.

        Args:
            input: a tensor of floats.
        Returns:
            A tensor of the same shape.
        """
        return functional.softmax(input, self.dim)

    def extra_repr(self) -> str:
        """What the layer's text says of it.

        Returns:
            A str.
        """
        return f"dim={self.dim}"


class Unfold(Layer):
    """Every window of images as a column.

    Args:
        kernel_size: height and width of the windows.
        dilation: how far the elements of a window lie apart.
        padding: how many zeros surround the images.
        stride: how far the windows lie apart.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.nn.Unfold(2)(paddle.ones([1, 1, 3, 3])).shape
        [1, 4, 4]

    Follows Paddle 3.3.
    """

    def __init__(self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> None:
        super().__init__()
        self.kernel_size, self.dilation, self.padding, self.stride = kernel_size, dilation, padding, stride

    def forward(self, input: Any) -> Any:
        """Apply the layer.

        Args:
            input: [N, C, H, W].
        Returns:
            [N, C kh kw, windows].
        """
        return functional.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)

    def extra_repr(self) -> str:
        """What the layer's text says of it.

        Returns:
            A str.
        """
        return f"kernel_size={self.kernel_size}, dilation={self.dilation}, padding={self.padding}, stride={self.stride}"


class _AvgPool(Layer):
    """What the average pooling layers share."""

    def __init__(self, kernel_size: Any, stride: Any, padding: Any, options: dict[str, Any]) -> None:
        super().__init__()
        self.kernel_size, self.stride, self.padding = kernel_size, kernel_size if stride is None else stride, padding
        self._options = options

    def forward(self, input: Any) -> Any:
        """Apply the layer.

        Args:
            input: [N, C, ...].
        Returns:
            A smaller tensor.
        """
        pool = getattr(ours, f"avg_pool{type(self).__name__[-2].lower()}d")
        return pool(input, self.kernel_size, self.stride, self.padding, **self._options)

    def extra_repr(self) -> str:
        """What the layer's text says of it.

        Returns:
            A str.
        """
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1D(_AvgPool):
    """Averages over windows of [N, C, L].

    Args:
        kernel_size: the length of the windows.
        stride: how far they lie apart; None: their length.
        padding: how many zeros surround the input.
        ceil_mode: whether the last window may be incomplete.
        count_include_pad: whether the zeros count.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.nn.AvgPool1D(2)(paddle.ones([1, 1, 4])).tolist()
        [[[1.0, 1.0]]]

    Follows Paddle 3.3.
    """

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = True
    ) -> None:
        options = {"ceil_mode": ceil_mode, "exclusive": not count_include_pad}
        super().__init__(_single(kernel_size), None if stride is None else _single(stride), _single(padding), options)


def _single(value: Any) -> tuple[Any, ...]:
    """A number as a tuple of it."""
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


class AvgPool2D(_AvgPool):
    """Averages over windows of [N, C, H, W].

    Args:
        kernel_size: height and width of the windows.
        stride: how far they lie apart; None: their size.
        padding: how many zeros surround the input.
        ceil_mode: whether the last windows may be incomplete.
        count_include_pad: whether the zeros count.
        divisor_override: what sums are divided by; None: the number of elements.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.nn.AvgPool2D(2)(paddle.ones([1, 1, 2, 2])).tolist()
        [[[[1.0]]]]

    Follows Paddle 3.3.
    """

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:  # fmt: skip
        options = {"ceil_mode": ceil_mode, "exclusive": not count_include_pad, "divisor_override": divisor_override}
        super().__init__(kernel_size, stride, padding, options)


class AvgPool3D(_AvgPool):
    """Averages over windows of [N, C, D, H, W].

    Args:
        kernel_size: depth, height and width of the windows.
        stride: how far they lie apart; None: their size.
        padding: how many zeros surround the input.
        ceil_mode: whether the last windows may be incomplete.
        count_include_pad: whether the zeros count.
        divisor_override: what sums are divided by; None: the number of elements.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.nn.AvgPool3D(2)(paddle.ones([1, 1, 2, 2, 2])).tolist()
        [[[[[1.0]]]]]

    Follows Paddle 3.3.
    """

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False, count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:  # fmt: skip
        options = {"ceil_mode": ceil_mode, "exclusive": not count_include_pad, "divisor_override": divisor_override}
        super().__init__(kernel_size, stride, padding, options)


AvgPool1d, AvgPool2d, AvgPool3d = AvgPool1D, AvgPool2D, AvgPool3D

__all__ = [
    "AvgPool1D", "AvgPool1d", "AvgPool2D", "AvgPool2d", "AvgPool3D", "AvgPool3d", "Linear", "MultiheadAttention", "Softmax", "Unfold",
    "functional",
]  # fmt: skip

__getattr__ = missing(__name__)
