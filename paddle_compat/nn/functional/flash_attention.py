"""`paddle.nn.functional`: attention."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat.nn.functional._apply import paddle


def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    training: bool = True,
    name: str | None = None,
) -> Any:
    """softmax(query key' / sqrt(width)) value.

    Args:
        query (Tensor): [N, length, heads, width].
        key, value (Tensor): [N, other length, heads, width].
        attn_mask (Tensor): added to the scores before the softmax; it broadcasts against [N, heads, length,
            other length]; or bool, False for what is left out.
        dropout_p (float): dropout on the weights.
        is_causal (bool): a position attends to itself and to those before it only.
        training (bool): whether there is dropout.
        name (str): kept.
    Returns:
        Tensor: [N, length, heads, width].

    Example:
        >>> import paddle_compat as paddle
        >>> q = paddle.rand([1, 128, 2, 16])
        >>> paddle.nn.functional.scaled_dot_product_attention(q, q, q, is_causal=True).shape
        [1, 128, 2, 16]

    Follows Paddle 2.6.
    """
    F = paddle.nn.functional
    q, k, v = (paddle.transpose(x, [0, 2, 1, 3]) for x in (query, key, value))
    scores = paddle.matmul(q * (1.0 / math.sqrt(query.shape[-1])), k, transpose_y=True)
    if attn_mask is not None:
        if str(attn_mask.dtype) == "paddle.bool":
            attn_mask = paddle.scale(paddle.cast(attn_mask, scores.dtype), scale=1e9, bias=-1e9)
        scores = scores + attn_mask
    if is_causal:
        length, other = query.shape[1], key.shape[1]
        hidden = paddle.triu(paddle.full([length, other], -1e9, scores.dtype), diagonal=1)
        scores = scores + hidden
    weights = F.softmax(scores)
    if dropout_p > 0.0:
        weights = F.dropout(weights, dropout_p, training=training, mode="upscale_in_train")
    return paddle.transpose(paddle.matmul(weights, v), [0, 2, 1, 3])
