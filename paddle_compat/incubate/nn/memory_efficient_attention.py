"""`paddle.incubate.nn.memory_efficient_attention`: attention that a GPU computes in blocks."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.incubate.nn.attn_bias import (  # noqa: F401
    AttentionBias,
    BlockDiagonalCausalMask,
    BlockDiagonalCausalWithOffsetPaddedKeysMask,
    BlockDiagonalMask,
    LowerTriangularMask,
    LowerTriangularMaskWithTensorBias,
)
from paddle_compat.nn.functional.flash_attention import scaled_dot_product_attention


def memory_efficient_attention(
    query: Any, key: Any, value: Any, attn_bias: Any = None, p: float = 0.0, scale: float | None = None, training: bool = True
) -> Any:
    """softmax(scale query key' + attn_bias) value.

    Args:
        query (Tensor): [N, length, heads, width].
        key, value (Tensor): [N, other length, heads, width].
        attn_bias (Tensor|AttentionBias): added to the scores; a Tensor, or one of those of `paddle.incubate.nn.attn_bias`.
        p (float): dropout on the weights.
        scale (float): factor on the scores; None: 1 / sqrt(width).
        training (bool): whether there is dropout.
    Returns:
        Tensor: of query's shape.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.memory_efficient_attention import memory_efficient_attention
        >>> q = paddle.rand([1, 8, 2, 4])
        >>> memory_efficient_attention(q, q, q).shape
        [1, 8, 2, 4]

    Follows Paddle 3.3.
    """
    if isinstance(attn_bias, AttentionBias):
        attn_bias = attn_bias.materialize([query.shape[0], query.shape[2], query.shape[1], key.shape[1]], query.dtype)
    return scaled_dot_product_attention(query, key, value, attn_bias, p, False, training, scale=scale)


__all__ = ["memory_efficient_attention"]

__getattr__ = missing(__name__)
