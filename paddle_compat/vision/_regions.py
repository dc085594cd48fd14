"""`paddle.vision.ops`: features of regions of images."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.functional._apply import helper_for
from paddle_compat.ops import regions as ops

paddle: Any = import_module("paddle_compat")


def _pair(value: Any, api: str) -> tuple[int, int]:
    if isinstance(value, (int, float)):
        value = value, value
    try:
        height, width = value
    except (TypeError, ValueError):
        raise invalid_argument("output_size", "an int or (height, width)", value, api) from None
    return height, width


def _counted(x: Any, boxes: Any, boxes_num: Any, api: str) -> None:
    """At once, every image says how many of the boxes are its own, as Tensors have no LoD."""
    if not isinstance(x, Tensor):
        return
    if not isinstance(boxes, Tensor):
        raise type_error("boxes", "Tensor", boxes, api)
    if boxes_num is None:
        raise failed_assertion("boxes_num", "a Tensor in eager mode", None, api)
    if boxes_num.dtype not in (paddle.int32, paddle.int64) or boxes_num.shape != x.shape[:1]:
        received = f"{boxes_num.shape} of {boxes_num.dtype}"
        raise invalid_argument("boxes_num", f"a whole number for each of the {x.shape[0]} images", received, api)


def roi_align(
    x: Any,
    boxes: Any,
    boxes_num: Any,
    output_size: Any,
    spatial_scale: float = 1.0,
    sampling_ratio: int = -1,
    aligned: bool = True,
    name: str | None = None,
) -> Any:
    """The means of interpolated points in windows of regions.

    Args:
        x (Tensor): feature maps, [N, C, H, W].
        boxes (Tensor): the regions of all images, one image after the other: left, top, right, bottom of each, [regions, 4].
        boxes_num (Tensor): how many of the regions lie in each image, int32 [N].
        output_size (int|tuple): windows of a region, down and across.
        spatial_scale (float): takes the regions' coordinates to those of the feature maps.
        sampling_ratio (int): points of a window along each side; -1: one for every pixel of it.
        aligned (bool): pixels are squares around their coordinates, half a pixel to each side.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [regions, C, height, width].
    Raises:
        ValueError: output_size or boxes_num does not fit.
        AssertionError: boxes_num is None in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> boxes, count = paddle.to_tensor([[0.0, 0.0, 4.0, 4.0]]), paddle.to_tensor([1], "int32")
        >>> paddle.vision.ops.roi_align(paddle.ones([1, 3, 8, 8]), boxes, count, 2).shape
        [1, 3, 2, 2]

    Follows Paddle 2.6.
    """
    height, width = _pair(output_size, "roi_align")
    _counted(x, boxes, boxes_num, "roi_align")
    return ops.roi_align(
        x, boxes, None, boxes_num, pooled_height=height, pooled_width=width, spatial_scale=spatial_scale,
        sampling_ratio=sampling_ratio, aligned=aligned, _helper=helper_for("roi_align", x, name),
    )  # fmt: skip


def roi_pool(
    x: Any, boxes: Any, boxes_num: Any, output_size: Any, spatial_scale: float = 1.0, name: str | None = None
) -> Any:
    """The largest elements of windows of regions; borders are rounded to pixels.

    Args:
        x (Tensor): feature maps, [N, C, H, W].
        boxes (Tensor): the regions of all images, one image after the other: left, top, right, bottom of each, [regions, 4].
        boxes_num (Tensor): how many of the regions lie in each image, int32 [N].
        output_size (int|tuple): windows of a region, down and across.
        spatial_scale (float): takes the regions' coordinates to those of the feature maps.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [regions, C, height, width].
    Raises:
        ValueError: output_size or boxes_num does not fit.
        AssertionError: boxes_num is None in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> boxes, count = paddle.to_tensor([[0.0, 0.0, 4.0, 4.0]]), paddle.to_tensor([1], "int32")
        >>> paddle.vision.ops.roi_pool(paddle.ones([1, 3, 8, 8]), boxes, count, (2, 1)).shape
        [1, 3, 2, 1]

    Follows Paddle 2.6.
    """
    height, width = _pair(output_size, "roi_pool")
    _counted(x, boxes, boxes_num, "roi_pool")
    return ops.roi_pool(
        x, boxes, None, boxes_num, pooled_height=height, pooled_width=width, spatial_scale=spatial_scale,
        _helper=helper_for("roi_pool", x, name),
    )  # fmt: skip


def psroi_pool(
    x: Any, boxes: Any, boxes_num: Any, output_size: Any, spatial_scale: float = 1.0, name: str | None = None
) -> Any:
    """The means of windows of regions, each window from channels of its own.

    Args:
        x (Tensor): feature maps, [N, C, H, W]; C is a multiple of the number of windows.
        boxes (Tensor): the regions of all images, one image after the other: left, top, right, bottom of each, [regions, 4].
        boxes_num (Tensor): how many of the regions lie in each image, int32 [N].
        output_size (int|tuple): windows of a region, down and across.
        spatial_scale (float): takes the regions' coordinates to those of the feature maps.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [regions, C / (height * width), height, width].
    Raises:
        ValueError: output_size does not fit x, or boxes_num does not.
        AssertionError: x has other dimensions, or boxes_num is None in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> boxes, count = paddle.to_tensor([[0.0, 0.0, 4.0, 4.0]]), paddle.to_tensor([1], "int32")
        >>> paddle.vision.ops.psroi_pool(paddle.ones([1, 12, 8, 8]), boxes, count, 2).shape
        [1, 3, 2, 2]

    Follows Paddle 2.6.
    """
    api = "psroi_pool"
    height, width = _pair(output_size, api)
    if len(x.shape) != 4:
        raise failed_assertion("x", "features of shape (N, C, H, W)", list(x.shape), api)
    if height * width == 0:
        raise invalid_argument("output_size", "numbers that are not 0", output_size, api)
    if x.shape[1] % (height * width):
        raise invalid_argument("x", f"channels in multiples of the {height} x {width} windows", list(x.shape), api)
    _counted(x, boxes, boxes_num, api)
    return ops.psroi_pool(
        x, boxes, boxes_num, output_channels=int(x.shape[1] / (height * width)), spatial_scale=spatial_scale,
        pooled_height=height, pooled_width=width, _helper=helper_for(api, x, name),
    )  # fmt: skip


class RoIAlign(nn.Layer):
    """`roi_align` as a layer.

    Args:
        output_size (int|tuple): windows of a region, down and across.
        spatial_scale (float): takes the regions' coordinates to those of the feature maps.

    Example:
        >>> import paddle_compat as paddle
        >>> boxes, count = paddle.to_tensor([[0.0, 0.0, 4.0, 4.0]]), paddle.to_tensor([1], "int32")
        >>> layer = paddle.vision.ops.RoIAlign(2)
        >>> layer(paddle.ones([1, 3, 8, 8]), boxes, count).shape
        [1, 3, 2, 2]

    Follows Paddle 2.6.
    """

    def __init__(self, output_size: Any, spatial_scale: float = 1.0) -> None:
        super().__init__()
        self._output_size, self._spatial_scale = output_size, spatial_scale

    def forward(self, x: Any, boxes: Any, boxes_num: Any, aligned: bool = True) -> Any:
        """The features of the regions.

        Args:
            x: feature maps.
            boxes: the regions of all images.
            boxes_num: how many of them lie in each image.
            aligned: pixels are squares around their coordinates.
        Returns:
            Tensor: [regions, C, height, width].
        """
        return roi_align(x, boxes, boxes_num, self._output_size, self._spatial_scale, aligned=aligned)


class RoIPool(nn.Layer):
    """`roi_pool` as a layer.

    Args:
        output_size (int|tuple): windows of a region, down and across.
        spatial_scale (float): takes the regions' coordinates to those of the feature maps.

    Example:
        >>> import paddle_compat as paddle
        >>> boxes, count = paddle.to_tensor([[0.0, 0.0, 4.0, 4.0]]), paddle.to_tensor([1], "int32")
        >>> layer = paddle.vision.ops.RoIPool(2)
        >>> layer(paddle.ones([1, 3, 8, 8]), boxes, count).shape
        [1, 3, 2, 2]

    Follows Paddle 2.6.
    """

    def __init__(self, output_size: Any, spatial_scale: float = 1.0) -> None:
        super().__init__()
        self._output_size, self._spatial_scale = output_size, spatial_scale

    def forward(self, x: Any, boxes: Any, boxes_num: Any) -> Any:
        """The features of the regions.

        Args:
            x: feature maps.
            boxes: the regions of all images.
            boxes_num: how many of them lie in each image.
        Returns:
            Tensor: [regions, C, height, width].
        """
        return roi_pool(x, boxes, boxes_num, self._output_size, self._spatial_scale)

    def extra_repr(self) -> str:
        """The arguments, for printing.

        Returns:
            str.
        """
        return f"output_size={self._output_size}, spatial_scale={self._spatial_scale}"


class PSRoIPool(nn.Layer):
    """`psroi_pool` as a layer.

    Args:
        output_size (int|tuple): windows of a region, down and across.
        spatial_scale (float): takes the regions' coordinates to those of the feature maps.

    Example:
        >>> import paddle_compat as paddle
        >>> boxes, count = paddle.to_tensor([[0.0, 0.0, 4.0, 4.0]]), paddle.to_tensor([1], "int32")
        >>> layer = paddle.vision.ops.PSRoIPool(2)
        >>> layer(paddle.ones([1, 12, 8, 8]), boxes, count).shape
        [1, 3, 2, 2]

    Follows Paddle 2.6.
    """

    def __init__(self, output_size: Any, spatial_scale: float = 1.0) -> None:
        super().__init__()
        self.output_size, self.spatial_scale = output_size, spatial_scale

    def forward(self, x: Any, boxes: Any, boxes_num: Any) -> Any:
        """The features of the regions.

        Args:
            x: feature maps.
            boxes: the regions of all images.
            boxes_num: how many of them lie in each image.
        Returns:
            Tensor: [regions, channels, height, width].
        """
        return psroi_pool(x, boxes, boxes_num, self.output_size, self.spatial_scale)


__all__ = ["PSRoIPool", "RoIAlign", "RoIPool", "psroi_pool", "roi_align", "roi_pool"]

__getattr__ = missing(__name__)
