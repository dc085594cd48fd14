"""`paddle.nn.functional`: sampling images, and moving pixels between space and channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.nn.functional._apply import check_recorded, helper_for, refuse_whole
from paddle_compat.nn.functional._windows import is_channel_last
from paddle_compat.ops import vision as ops
from paddle_compat.tensor._calls import check
from paddle_compat.tensor._shapes import size_in


def affine_grid(theta: Any, out_shape: Any, align_corners: bool = True, name: str | None = None) -> Any:
    """The grid of points that affine maps take an evenly spaced grid to.

    Args:
        theta (Tensor): the maps, [N, 2, 3] or [N, 3, 4].
        out_shape (list|tuple|Tensor): [N, C, H, W] or [N, C, D, H, W].
        align_corners (bool): whether -1 and 1 are the centres of the outermost pixels, or their edges.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, H, W, 2] or [N, D, H, W, 3].
    Raises:
        ValueError: out_shape is no list, tuple or Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.affine_grid(paddle.rand([1, 2, 3]), [1, 2, 3, 3]).shape
        [1, 3, 3, 2]

    Follows Paddle 2.6.
    """
    if not isinstance(theta, (Variable, Tensor)):
        raise type_error("theta", "Tensor", theta, "affine_grid")
    if isinstance(theta, Variable):
        check(theta, "theta", "affine_grid", ("float32", "float64"))
    helper = helper_for("affine_grid", theta, name)
    if isinstance(out_shape, Tensor) or isinstance(out_shape, np.ndarray) and not isinstance(theta, Variable):
        out_shape = out_shape.tolist()
    if isinstance(out_shape, Variable):
        return ops.affine_grid(theta, out_shape, align_corners=align_corners, _helper=helper)
    if not isinstance(out_shape, (list, tuple)):
        raise invalid_argument("out_shape", "a list, tuple or Tensor", out_shape, "affine_grid")
    sizes = [*map(size_in, out_shape)]
    return ops.affine_grid(theta, output_shape=sizes, align_corners=align_corners, _helper=helper)


@paddle3(input="x")
def grid_sample(
    x: Any,
    grid: Any,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = True,
    name: str | None = None,
) -> Any:
    """Images (or volumes) at the points of a grid.

    Args:
        x (Tensor): [N, C, H, W] or [N, C, D, H, W].
        grid (Tensor): points with coordinates from -1 to 1, [N, H', W', 2] or [N, D', H', W', 3].
        mode (str): "bilinear" or "nearest".
        padding_mode (str): what lies outside: "zeros", "reflection" or "border".
        align_corners (bool): whether -1 and 1 are the centres of the outermost pixels, or their edges.
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, C, H', W'] or [N, C, D', H', W'].
    Raises:
        ValueError: there is no such mode or padding_mode.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.grid_sample(paddle.rand([1, 1, 3, 3]), paddle.rand([1, 3, 4, 2])).shape
        [1, 1, 3, 4]

    Follows Paddle 2.6.
    """
    check_recorded("grid_sample", x=x, grid=grid)
    if mode not in ("bilinear", "nearest"):
        raise invalid_argument("mode", "'bilinear' or 'nearest'", mode, "grid_sample")
    if padding_mode not in ("zeros", "reflection", "border"):
        raise invalid_argument("padding_mode", "'zeros', 'reflection' or 'border'", padding_mode, "grid_sample")
    return ops.grid_sampler(
        x,
        grid,
        mode=mode,
        padding_mode=padding_mode,
        align_corners=align_corners,
        _helper=helper_for("grid_sample", x, name),
    )


def _checked(x: Any, factor: Any, argument: str, data_format: str, api: str) -> None:
    check_recorded(api, x=x)
    if len(x.shape) != 4:
        raise invalid_argument("x", "four dimensions", list(x.shape), api)
    if not isinstance(factor, int):
        raise type_error(argument, "int", factor, api)
    is_channel_last(data_format, 2, api)


def pixel_shuffle(x: Any, upscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Every r * r channels become r * r pixels.

    Args:
        x (Tensor): [N, C, H, W], or [N, H, W, C] for "NHWC".
        upscale_factor (int): r; its square divides C.
        data_format (str): "NCHW" or "NHWC".
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, C / r^2, H r, W r], or with the channels last.
    Raises:
        TypeError: upscale_factor is no int.
        ValueError: x or data_format does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.pixel_shuffle(paddle.rand([2, 9, 4, 4]), 3).shape
        [2, 1, 12, 12]

    Follows Paddle 2.6.
    """
    _checked(x, upscale_factor, "upscale_factor", data_format, "pixel_shuffle")
    refuse_whole(x, "pixel_shuffle")
    helper = helper_for("pixel_shuffle", x, name)
    return ops.pixel_shuffle(x, upscale_factor=upscale_factor, data_format=data_format, _helper=helper)


def pixel_unshuffle(x: Any, downscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Every r * r pixels become r * r channels.

    Args:
        x (Tensor): [N, C, H, W], or [N, H, W, C] for "NHWC".
        downscale_factor (int): r; it divides H and W.
        data_format (str): "NCHW" or "NHWC".
        name (str): prefix of the output's name.
    Returns:
        Tensor: [N, C r^2, H / r, W / r], or with the channels last.
    Raises:
        TypeError: downscale_factor is no int.
        ValueError: x or data_format does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.pixel_unshuffle(paddle.rand([2, 1, 12, 12]), 3).shape
        [2, 9, 4, 4]

    Follows Paddle 2.6.
    """
    _checked(x, downscale_factor, "downscale_factor", data_format, "pixel_unshuffle")
    if downscale_factor <= 0:
        raise invalid_argument("downscale_factor", "a number above 0", downscale_factor, "pixel_unshuffle")
    refuse_whole(x, "pixel_unshuffle")
    helper = helper_for("pixel_unshuffle", x, name)
    return ops.pixel_unshuffle(x, downscale_factor=downscale_factor, data_format=data_format, _helper=helper)


def channel_shuffle(x: Any, groups: int, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Interleave groups of channels.

    Args:
        x (Tensor): [N, C, H, W], or [N, H, W, C] for "NHWC".
        groups (int): how many groups the channels divide into.
        data_format (str): "NCHW" or "NHWC".
        name (str): prefix of the output's name.
    Returns:
        Tensor: of x's shape.
    Raises:
        TypeError: groups is no int.
        ValueError: x, groups or data_format does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.functional.channel_shuffle(paddle.rand([1, 6, 2, 2]), 3).shape
        [1, 6, 2, 2]

    Follows Paddle 2.6.
    """
    _checked(x, groups, "groups", data_format, "channel_shuffle")
    if groups <= 0:
        raise invalid_argument("groups", "a number above 0", groups, "channel_shuffle")
    refuse_whole(x, "channel_shuffle")
    helper = helper_for("channel_shuffle", x, name)
    return ops.channel_shuffle(x, groups=groups, data_format=data_format, _helper=helper)


__getattr__ = missing(__name__)
