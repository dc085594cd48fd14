"""`paddle.nn.functional`: attention."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
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
    backend: str | None = None,
    scale: float | None = None,
    enable_gqa: bool = True,
) -> Any:
    """softmax(query key' / sqrt(width)) value.

    Args:
        query (Tensor): [N, length, heads, width], or without N.
        key, value (Tensor): [N, other length, heads, width]; with fewer heads, each serves as many of query's.
        attn_mask (Tensor): added to the scores before the softmax; it broadcasts against [N, heads, length,
            other length]; or bool, False for what is left out.
        dropout_p (float): dropout on the weights.
        is_causal (bool): a position attends to itself and to those before it only.
        training (bool): whether there is dropout.
        name (str): kept.
        backend (str): which kernel a GPU may take; kept.
        scale (float): what stands for 1 / sqrt(width).
        enable_gqa (bool): whether key and value may have fewer heads.
    Returns:
        Tensor: of query's shape.
    Raises:
        AssertionError: key and value have other heads, and enable_gqa is False.

    Example:
        >>> import paddle_compat as paddle
        >>> q = paddle.rand([1, 128, 2, 16])
        >>> paddle.nn.functional.scaled_dot_product_attention(q, q, q, is_causal=True).shape
        [1, 128, 2, 16]

    Follows Paddle 2.6.
    """
    if len(query.shape) == 3:
        query, key, value = (paddle.unsqueeze(x, 0) for x in (query, key, value))
        single = _attended(query, key, value, attn_mask, dropout_p, is_causal, training, scale, enable_gqa)[0]
        return paddle.squeeze(single, 0)
    return _attended(query, key, value, attn_mask, dropout_p, is_causal, training, scale, enable_gqa)[0]


def flash_attention(
    query: Any,
    key: Any,
    value: Any,
    dropout: float = 0.0,
    causal: bool = False,
    return_softmax: bool = False,
    *,
    fixed_seed_offset: Any = None,
    rng_name: str = "",
    training: bool = True,
    name: str | None = None,
    softmax_scale: float | None = None,
) -> Any:
    """`scaled_dot_product_attention`, and the weights it took.

    Args:
        query (Tensor): [N, length, heads, width].
        key, value (Tensor): [N, other length, heads, width]; with fewer heads, each serves as many of query's.
        dropout (float): dropout on the weights.
        causal (bool): a position attends to itself and to those before it only.
        return_softmax (bool): whether the weights are returned.
        fixed_seed_offset, rng_name: which random numbers a GPU draws; kept.
        training (bool): whether there is dropout.
        name (str): kept.
        softmax_scale (float): what stands for 1 / sqrt(width).
    Returns:
        tuple: the result, of query's shape, and the weights, [N, heads, length, other length], or None.

    Example:
        >>> import paddle_compat as paddle
        >>> q = paddle.rand([1, 128, 2, 16])
        >>> out, weights = paddle.nn.functional.flash_attention.flash_attention(q, q, q, return_softmax=True)
        >>> out.shape, weights.shape
        ([1, 128, 2, 16], [1, 2, 128, 128])

    Follows Paddle 3.3.
    """
    out, weights = _attended(query, key, value, None, dropout, causal, training, softmax_scale, True)
    return out, weights if return_softmax else None


def _attended(
    query: Any, key: Any, value: Any, attn_mask: Any, dropout_p: float, is_causal: bool, training: bool, scale: float | None, gqa: bool
) -> tuple[Any, Any]:
    """The result of attention, and its weights."""
    heads, others = query.shape[2], key.shape[2]
    if heads != others:
        if not gqa:
            raise failed_assertion("key", f"{heads} heads, as enable_gqa is False", others, "scaled_dot_product_attention")
        key, value = (paddle.repeat_interleave(x, heads // others, axis=2) for x in (key, value))
    F = paddle.nn.functional
    q, k, v = (paddle.transpose(x, [0, 2, 1, 3]) for x in (query, key, value))
    scores = paddle.matmul(q * (1.0 / math.sqrt(query.shape[-1]) if scale is None else scale), k, transpose_y=True)
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
    return paddle.transpose(paddle.matmul(weights, v), [0, 2, 1, 3]), weights


__getattr__ = missing(__name__)
