"""Functions of `paddle.incubate.nn.functional` that normalize and hand out what they normalize by."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn.functional._apply import paddle


def _inverse(square: Any, epsilon: float) -> Any:
    """1 / sqrt of the mean of squares along the last dimension, one for each row."""
    return paddle.rsqrt(paddle.mean(square, axis=-1) + epsilon)


def fast_rms_norm(x: Any, scale: Any, epsilon: float = 1e-5) -> tuple[Any, Any]:
    """x over the root of the mean of its squares along the last dimension, and what it is multiplied by.

    Args:
        x (Tensor): [..., width], float.
        scale (Tensor): [width], float.
        epsilon (float): added to the mean of squares.
    Returns:
        tuple: the result, of x's shape, and 1 / root, [...], float32.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([[3.0, 4.0]])
        >>> out, inverse = paddle.incubate.nn.functional.fast_rms_norm(x, paddle.ones([2]))
        >>> inverse.shape, round(out[0, 0].item(), 4)
        ([1], 0.8485)

    Follows Paddle 3.3.
    """
    wide = paddle.cast(x, "float64" if str(x.dtype) == "paddle.float64" else "float32")
    inverse = _inverse(wide * wide, epsilon)
    out = wide * paddle.unsqueeze(inverse, -1) * paddle.cast(scale, wide.dtype)
    return paddle.cast(out, x.dtype), inverse


def fused_rms_norm_ext(x: Any, scale: Any, epsilon: float = 1e-5, name: str | None = None) -> tuple[Any, Any]:
    """`fast_rms_norm`, under its other name.

    Args:
        x (Tensor): [..., width], float.
        scale (Tensor): [width], float.
        epsilon (float): added to the mean of squares.
        name (str): kept.
    Returns:
        tuple: the result, of x's shape, and 1 / root of the mean of squares, [...], float32.

    Example:
        >>> import paddle_compat as paddle
        >>> out, inverse = paddle.incubate.nn.functional.fused_rms_norm_ext(paddle.rand([2, 3, 4]), paddle.ones([4]), 1e-6)
        >>> out.shape, inverse.shape
        ([2, 3, 4], [2, 3])

    Follows Paddle 3.3.
    """
    return fast_rms_norm(x, scale, epsilon)


def fast_ln(x: Any, scale: Any, bias: Any, epsilon: float = 1e-5) -> tuple[Any, Any, Any]:
    """`layer_norm` along the last dimension, and what it normalizes by.

    Args:
        x (Tensor): [..., width], float.
        scale, bias (Tensor): [width], float.
        epsilon (float): added to the variance.
    Returns:
        tuple: the result, of x's shape; the mean and 1 / standard deviation of each row, [...], float32.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([[1.0, 3.0]])
        >>> out, mean, inverse = paddle.incubate.nn.functional.fast_ln(x, paddle.ones([2]), paddle.zeros([2]), 0.0)
        >>> out.tolist(), mean.tolist(), inverse.tolist()
        ([[-1.0, 1.0]], [2.0], [1.0])

    Follows Paddle 3.3.
    """
    wide = paddle.cast(x, "float64" if str(x.dtype) == "paddle.float64" else "float32")
    mean = paddle.mean(wide, axis=-1)
    centred = wide - paddle.unsqueeze(mean, -1)
    inverse = _inverse(centred * centred, epsilon)
    out = centred * paddle.unsqueeze(inverse, -1) * paddle.cast(scale, wide.dtype) + paddle.cast(bias, wide.dtype)
    return paddle.cast(out, x.dtype), mean, inverse


__getattr__ = missing(__name__)
