"""`paddle.vision.ops`: convolution at points that are moved."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.functional._apply import helper_for
from paddle_compat.nn.functional._windows import each
from paddle_compat.nn.initializer import Normal
from paddle_compat.ops import conv as ops
from paddle_compat.ops.elementwise import elementwise_add


def deform_conv2d(
    x: Any,
    offset: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    deformable_groups: int = 1,
    groups: int = 1,
    mask: Any = None,
    name: str | None = None,
) -> Any:
    """Convolve images at points that are moved, and weighted where there is a mask.

    Args:
        x (Tensor): images, [N, C, H, W].
        offset (Tensor): how far each point of each window moves, [N, 2 * deformable_groups * height * width, H', W'].
        weight (Tensor): the filters, [M, C / groups, height, width].
        bias (Tensor): added to every channel of the result, [M].
        stride (int|list): from window to window.
        padding (int|list): pixels of zeros around the image.
        dilation (int|list): from point to point of a window.
        deformable_groups (int): parts of the channels with offsets of their own.
        groups (int): parts of the channels with filters of their own.
        mask (Tensor): the points' weights, [N, deformable_groups * height * width, H', W'].
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, M, H', W'].
    Raises:
        TypeError: offset, weight or mask is no Tensor.
        ValueError: the offsets do not fit the filters.

    Example:
        >>> import paddle_compat as paddle
        >>> x, offset, weight = paddle.ones([1, 2, 4, 4]), paddle.zeros([1, 18, 2, 2]), paddle.ones([1, 2, 3, 3])
        >>> paddle.vision.ops.deform_conv2d(x, offset, weight).flatten().tolist()
        [18.0, 18.0, 18.0, 18.0]

    Follows Paddle 2.6.
    """
    api = "deform_conv2d"
    if isinstance(x, Tensor):
        for argument, value in (("offset", offset), ("weight", weight), ("mask", mask)):
            if not isinstance(value, Tensor) and not (argument == "mask" and value is None):
                raise type_error(argument, "Tensor", value, api)
    points = math.prod(weight.shape[2:])
    if offset.shape[1] > 0 and offset.shape[1] != 2 * deformable_groups * points:
        received = f"{offset.shape[1]} channels, {deformable_groups} groups, {points} points"
        raise invalid_argument("offset", "two channels for each point of the filters and group of offsets", received, api)
    helper = helper_for("deformable_conv", x, name)
    attrs: dict[str, Any] = {
        "strides": each(stride, 2, "stride"),
        "paddings": each(padding, 2, "padding"),
        "dilations": each(dilation, 2, "dilation"),
        "groups": groups,
        "deformable_groups": deformable_groups,
        "im2col_step": 1,
    }
    if mask is None:
        out = ops.deformable_conv_v1(x, offset, weight, _helper=helper, **attrs)
    else:
        out = ops.deformable_conv(x, offset, mask, weight, _helper=helper, **attrs)
    return out if bias is None else elementwise_add(out, bias, axis=1, _helper=helper)


class DeformConv2D(nn.Layer):
    """`deform_conv2d` as a layer, with filters and a bias of its own.

    Args:
        in_channels (int): C, the channels of the images.
        out_channels (int): M, the channels of the result.
        kernel_size (int|list): height and width of the filters.
        stride (int|list): from window to window.
        padding (int|list): pixels of zeros around the image.
        dilation (int|list): from point to point of a window.
        deformable_groups (int): parts of the channels with offsets of their own.
        groups (int): parts of the channels with filters of their own.
        weight_attr (ParamAttr): of the filters [M, C / groups, height, width].
        bias_attr (ParamAttr): of the bias [M]; False for none.
    Raises:
        ValueError: groups do not divide the channels.
        AssertionError: weight_attr is False.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.vision.ops.DeformConv2D(3, 8, 3)
        >>> layer(paddle.ones([1, 3, 6, 6]), paddle.zeros([1, 18, 4, 4])).shape
        [1, 8, 4, 4]

    Follows Paddle 2.6.
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
        deformable_groups: int = 1, groups: int = 1, weight_attr: Any = None, bias_attr: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if weight_attr is False:
            raise failed_assertion("weight_attr", "None or a ParamAttr", weight_attr, "DeformConv2D")
        if in_channels % groups:
            raise invalid_argument("groups", f"a number that divides the {in_channels} input channels", groups, "DeformConv2D")
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        self._deformable_groups, self._groups = deformable_groups, groups
        self._in_channels, self._out_channels = in_channels, out_channels
        self._stride = each(stride, 2, "stride")
        self._kernel_size = each(kernel_size, 2, "kernel_size")
        self._padding = each(padding, 2, "padding")
        self._dilation = each(dilation, 2, "dilation")
        deviation = math.sqrt(2.0 / (math.prod(self._kernel_size) * in_channels))
        shape = [out_channels, in_channels // groups, *self._kernel_size]
        self.weight = self.create_parameter(shape=shape, attr=weight_attr, default_initializer=Normal(0.0, deviation))
        self.bias = self.create_parameter(shape=[out_channels], attr=bias_attr, is_bias=True)

    def forward(self, x: Any, offset: Any, mask: Any = None) -> Any:
        """Convolve images.

        Args:
            x: images, [N, C, H, W].
            offset: how far each point of each window moves.
            mask: the points' weights; None for none.
        Returns:
            Tensor: [N, M, H', W'].
        """
        return deform_conv2d(
            x, offset, self.weight, self.bias, self._stride, self._padding, self._dilation, self._deformable_groups,
            self._groups, mask,
        )  # fmt: skip


__all__ = ["DeformConv2D", "deform_conv2d"]

__getattr__ = missing(__name__)
