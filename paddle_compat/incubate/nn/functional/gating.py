"""Attention whose heads are gated, as AlphaFold has it; Paddle itself computes it on GPUs only."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument
from paddle_compat.incubate.nn.functional._blocks import with_bias
from paddle_compat.nn.functional._apply import paddle


def fused_gate_attention(
    query: Any, key: Any = None, query_weight: Any = None, key_weight: Any = None, value_weight: Any = None, qkv_weight: Any = None,
    gate_linear_weight: Any = None, gate_linear_bias: Any = None, out_linear_weight: Any = None, out_linear_bias: Any = None,
    nonbatched_bias: Any = None, attn_mask: Any = None, has_gating: bool = True, merge_qkv: bool = True, use_flash_attn: bool = False,
) -> Any:  # fmt: skip
    """Attention along the third dimension: the heads times sigmoids of query, and a product behind them.

    Args:
        query (Tensor): [N, rows, length, width], float.
        key (Tensor): [N, rows, other length, other width], where merge_qkv is False; None: query.
        query_weight, key_weight, value_weight (Tensor): [width, heads, head's width] each, where merge_qkv is False.
        qkv_weight (Tensor): [3, heads, head's width, width], where merge_qkv is True.
        gate_linear_weight (Tensor): [width, heads, head's width]; gate_linear_bias (Tensor): [heads, head's width].
        out_linear_weight (Tensor): [heads, head's width, outputs]; out_linear_bias (Tensor): [outputs].
        nonbatched_bias (Tensor): added to the scores of all rows, [N, 1, heads, length, other length], or without the 1.
        attn_mask (Tensor): added to the scores, [N, rows, 1, 1, other length].
        has_gating (bool): whether heads are gated.
        merge_qkv (bool): see above.
        use_flash_attn (bool): kept: the result is the same.
    Returns:
        Tensor: [N, rows, length, outputs].
    Raises:
        ValueError: a weight is missing.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.functional import fused_gate_attention
        >>> x, gate, out = paddle.rand([1, 4, 2, 8]), paddle.rand([8, 2, 4]), paddle.rand([2, 4, 8])
        >>> fused_gate_attention(x, qkv_weight=paddle.rand([3, 2, 4, 8]), gate_linear_weight=gate, out_linear_weight=out).shape
        [1, 4, 2, 8]

    Follows Paddle 2.6.
    """
    api = "fused_gate_attention"
    needed = {"qkv_weight": qkv_weight} if merge_qkv else {
        "query_weight": query_weight, "key_weight": key_weight, "value_weight": value_weight,
    }  # fmt: skip
    needed["out_linear_weight"] = out_linear_weight
    if has_gating:
        needed["gate_linear_weight"] = gate_linear_weight
    for name, weight in needed.items():
        if weight is None:
            raise invalid_argument(name, "a tensor", None, api)
    if merge_qkv:
        q, k, v = paddle.unstack(paddle.einsum("nbqa,jhca->jnbqhc", query, qkv_weight), axis=0)
    else:
        others = query if key is None else key
        weights = ((query, query_weight), (others, key_weight), (others, value_weight))
        q, k, v = (paddle.einsum("nbqa,ahc->nbqhc", x, weight) for x, weight in weights)
    scores = paddle.einsum("nbqhc,nbkhc->nbhqk", q * q.shape[-1] ** -0.5, k)
    if attn_mask is not None:
        scores = scores + attn_mask
    if nonbatched_bias is not None:
        scores = scores + (nonbatched_bias if len(nonbatched_bias.shape) == 5 else paddle.unsqueeze(nonbatched_bias, 1))
    heads = paddle.einsum("nbhqk,nbkhc->nbqhc", paddle.nn.functional.softmax(scores), v)
    if has_gating:
        gates = with_bias(paddle.einsum("nbqa,ahc->nbqhc", query, gate_linear_weight), gate_linear_bias)
        heads = heads * paddle.nn.functional.sigmoid(gates)
    return with_bias(paddle.einsum("nbqhc,hco->nbqo", heads, out_linear_weight), out_linear_bias)


__all__ = ["fused_gate_attention"]

__getattr__ = missing(__name__)
