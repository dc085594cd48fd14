"""`paddle.vision.ops`: parts of networks for images, object detection, files of images."""

from __future__ import annotations

from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.nn.functional._apply import helper_for
from paddle_compat.ops import image_files
from paddle_compat.vision._boxes import box_coder, prior_box, yolo_box, yolo_loss
from paddle_compat.vision._deformable import DeformConv2D, deform_conv2d
from paddle_compat.vision._proposals import distribute_fpn_proposals, generate_proposals, matrix_nms, nms
from paddle_compat.vision._regions import PSRoIPool, RoIAlign, RoIPool, psroi_pool, roi_align, roi_pool


class ConvNormActivation(nn.Sequential):
    """A convolution, a norm and an activation.

    Args:
        in_channels, out_channels (int): of the convolution.
        kernel_size, stride, groups, dilation (int): of the convolution.
        padding (int): of the convolution; None: what keeps the image's size at stride 1.
        norm_layer (type): called with the number of channels; None: no norm.
        activation_layer (type): called without arguments; None: no activation.
        bias (bool): whether the convolution has a bias; None: where no norm follows.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.vision.ops.ConvNormActivation(3, 8)
        >>> layer(paddle.rand([1, 3, 4, 4])).shape, [type(part).__name__ for part in layer]
        ([1, 8, 4, 4], ['Conv2D', 'BatchNorm2D', 'ReLU'])

    Follows Paddle 2.6.
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: int = 3, stride: int = 1, padding: Any = None, groups: int = 1,
        norm_layer: Any = nn.BatchNorm2D, activation_layer: Any = nn.ReLU, dilation: int = 1, bias: bool | None = None,
    ) -> None:  # fmt: skip
        if padding is None:
            padding = (kernel_size - 1) // 2 * dilation
        biased = norm_layer is None if bias is None else bias
        options = {"dilation": dilation, "groups": groups, "bias_attr": None if biased else False}
        parts: list[Any] = [nn.Conv2D(in_channels, out_channels, kernel_size, stride, padding, **options)]
        parts += [norm_layer(out_channels)] if norm_layer is not None else []
        parts += [activation_layer()] if activation_layer is not None else []
        super().__init__(*parts)


def read_file(filename: str, name: str | None = None) -> Any:
    """The bytes of a file.

    Args:
        filename (str): the file.
        name (str): prefix of the output's name.
    Returns:
        Tensor: uint8 [bytes].
    Raises:
        RuntimeError: it cannot be read.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.ops.read_file("image.jpg")  # doctest: +SKIP

    Follows Paddle 2.6.
    """
    return image_files.read_file(filename=filename, _helper=helper_for("read_file", None, name))


def decode_jpeg(x: Any, mode: str = "unchanged", name: str | None = None) -> Any:
    """The pixels of an image from the bytes of its file. Needs Pillow (`paddle_compat[vision]`).

    Args:
        x (Tensor): the bytes, uint8 [bytes].
        mode (str): "unchanged", "gray" or "rgb".
        name (str): prefix of the output's name.
    Returns:
        Tensor: uint8 [channels, height, width].
    Raises:
        ValueError: there is no such mode.
        ImportError: Pillow is not installed.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.ops.decode_jpeg(paddle.vision.ops.read_file("image.jpg"))  # doctest: +SKIP

    Follows Paddle 2.6, where only GPUs can.
    """
    return image_files.decode_jpeg(x, mode=mode, _helper=helper_for("decode_jpeg", x, name))


__all__ = [
    "DeformConv2D", "PSRoIPool", "RoIAlign", "RoIPool", "box_coder", "decode_jpeg", "deform_conv2d", "distribute_fpn_proposals",
    "generate_proposals", "matrix_nms", "nms", "prior_box", "psroi_pool", "read_file", "roi_align", "roi_pool", "yolo_box",
    "yolo_loss",
]  # fmt: skip

__getattr__ = missing(__name__)
