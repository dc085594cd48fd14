"""Layers of `paddle.incubate.layers` on images. The real ones need a GPU; these do not."""

from __future__ import annotations

from typing import Any

from paddle_compat.ops import vision


def correlation(
    x: Any, y: Any, pad_size: int, kernel_size: int, max_displacement: int, stride1: int, stride2: int, corr_type_multiply: int = 1
) -> Any:
    """How well each pixel of one image goes with those around it in another: the mean over channels of their products.

    Args:
        x, y (Variable|Tensor): [N, C, H, W], float32 or float64.
        pad_size (int): zeros around both.
        kernel_size (int): 1.
        max_displacement (int): how far in y is looked, up and down, left and right.
        stride1 (int): steps in x.
        stride2 (int): steps around each place in y.
        corr_type_multiply (int): 1.
    Returns:
        Variable|Tensor: [N, displacements, H', W'], where a pixel that cannot be moved by max_displacement has no place.
    Raises:
        UnsupportedError: kernel_size or corr_type_multiply is another.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.ones([2, 3, 4, 5])
        >>> paddle.incubate.layers.correlation(x, x, pad_size=4, kernel_size=1, max_displacement=4, stride1=1, stride2=1).shape
        [2, 81, 4, 5]

    Follows Paddle 2.6.
    """
    return vision.correlation(
        x, y, pad_size=pad_size, kernel_size=kernel_size, max_displacement=max_displacement, stride1=stride1, stride2=stride2,
        corr_type_multiply=corr_type_multiply, _helper="correlation",
    )  # fmt: skip


def bilateral_slice(x: Any, guide: Any, grid: Any, has_offset: bool, name: str | None = None) -> Any:
    """Each pixel through the affine map of colours that a grid has at its place and brightness (HDRNet).

    Args:
        x (Variable|Tensor): [N, C, H, W], float32 or float64.
        guide (Variable|Tensor): the brightness, [N, H, W], from 0 to 1.
        grid (Variable|Tensor): the maps, [N, outputs (C + has_offset), depth, height, width].
        has_offset (bool): maps also add a number.
        name (str): has no effect.
    Returns:
        Variable|Tensor: [N, outputs, H, W].
    Raises:
        ValueError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> x, guide, grid = paddle.ones([1, 2, 4, 5]), paddle.rand([1, 4, 5]), paddle.ones([1, 3, 2, 3, 3])
        >>> [round(n, 3) for n in paddle.incubate.layers.bilateral_slice(x, guide, grid, True)[0, 0, 0].tolist()]
        [3.0, 3.0, 3.0, 3.0, 3.0]

    Follows Paddle 2.6.
    """
    return vision.bilateral_slice(x, grid, guide, has_offset=has_offset, _helper="bilateral_slice")


__all__ = ["bilateral_slice", "correlation"]
