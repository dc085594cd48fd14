"""`paddle.compat.nn.transformer`: attention with torch's arguments and parameters."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import default, dtype_name
from paddle_compat.core.errors import failed_assertion
from paddle_compat.nn import functional as ours
from paddle_compat.nn.initializer import XavierNormal
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.tensor import creation, manipulation, search
from paddle_compat.tensor._products import matmul


class MultiheadAttention(Layer):
    """Attention of several heads side by side.

    Args:
        embed_dim: the size of queries and results.
        num_heads: how many heads share it.
        dropout: the share of weights that are dropped in training.
        bias: whether the projections have one.
        add_bias_kv: whether a learned key and value stand behind all others.
        add_zero_attn: whether a key and value of zeros do.
        kdim, vdim: the sizes of keys and values; None: embed_dim.
        batch_first: whether the batch comes before the sequence.
        device: where the parameters live; None: where they are made.
        dtype: the parameters' type; None: the default one.

    Example:
        >>> import paddle_compat as paddle
        >>> attention, x = paddle.compat.nn.MultiheadAttention(4, 2), paddle.ones([3, 1, 4])
        >>> [part.shape for part in attention(x, x, x)]
        [[3, 1, 4], [1, 3, 3]]

    Follows Paddle 3.3.
    """

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True, add_bias_kv: bool = False,
        add_zero_attn: bool = False, kdim: int | None = None, vdim: int | None = None, batch_first: bool = False, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        from paddle_compat.compat.nn import Linear

        super().__init__()
        if embed_dim <= 0 or num_heads <= 0 or embed_dim % num_heads:
            raise failed_assertion("embed_dim", f"a multiple of num_heads={num_heads}", embed_dim, "MultiheadAttention")
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = embed_dim, num_heads, dropout, batch_first
        self.kdim, self.vdim = kdim or embed_dim, vdim or embed_dim
        self.head_dim, self.add_zero_attn = embed_dim // num_heads, add_zero_attn
        kind = dtype_name(default()) if dtype is None else dtype_name(dtype)

        def parameter(*shape: int, is_bias: bool = False, start: Any = None) -> Any:
            return self.create_parameter(list(shape), dtype=kind, is_bias=is_bias, default_initializer=start)

        self._qkv_same_embed_dim = self.kdim == self.vdim == embed_dim
        if self._qkv_same_embed_dim:
            self.in_proj_weight = parameter(3 * embed_dim, embed_dim)
            self.q_proj_weight = self.k_proj_weight = self.v_proj_weight = None
        else:
            self.q_proj_weight, self.k_proj_weight = parameter(embed_dim, embed_dim), parameter(embed_dim, self.kdim)
            self.v_proj_weight, self.in_proj_weight = parameter(embed_dim, self.vdim), None
        self.in_proj_bias = parameter(3 * embed_dim, is_bias=True) if bias else None
        self.out_proj = Linear(embed_dim, embed_dim, bias, device, dtype)
        self.bias_k = parameter(1, 1, embed_dim, start=XavierNormal()) if add_bias_kv else None
        self.bias_v = parameter(1, 1, embed_dim, start=XavierNormal()) if add_bias_kv else None
        if device is not None:
            self.to(device)

    def forward(
        self, query: Any, key: Any, value: Any, key_padding_mask: Any = None, need_weights: bool = True, attn_mask: Any = None,
        average_attn_weights: bool = True, is_causal: bool = False,
    ) -> tuple[Any, Any]:  # fmt: skip
        """Attend.

        Args:
            query: [L, N, embed_dim]; [N, L, embed_dim] with batch_first, [L, embed_dim] without a batch.
            key: [S, N, kdim], likewise.
            value: [S, N, vdim], likewise.
            key_padding_mask: [N, S], True where a key does not count, or floats that are added.
            need_weights: whether to return the weights.
            attn_mask: [L, S] or [N num_heads, L, S], True where a query does not see a key, or floats that are added.
            average_attn_weights: whether the weights are means over the heads.
            is_causal: that attn_mask hides later keys.
        Returns:
            (results like the query, weights [N, L, S] or [N, num_heads, L, S], or None).
        Raises:
            RuntimeError: is_causal without attn_mask.
        """
        if is_causal and attn_mask is None:
            raise RuntimeError("Invalid value for argument `attn_mask`. Expected a mask with is_causal=True. Received: None")
        alone = len(query.shape) == 2
        if alone:
            query, key, value = (manipulation.unsqueeze(part, 0) for part in (query, key, value))
            key_padding_mask = None if key_padding_mask is None else manipulation.unsqueeze(key_padding_mask, 0)
        elif not self.batch_first:
            query, key, value = (manipulation.transpose(part, [1, 0, 2]) for part in (query, key, value))
        queries, keys, values = self._projected(query, key, value)
        batch, length = query.shape[:2]
        for bias, parts in ((self.bias_k, keys), (self.bias_v, values)):
            if bias is not None:
                parts.append(manipulation.expand(bias, [batch, 1, self.embed_dim]))
        if self.add_zero_attn:
            for parts in (keys, values):
                parts.append(creation.zeros([batch, 1, self.embed_dim], query.dtype))
        q, k, v = (self._heads(manipulation.concat(parts, 1)) for parts in (queries, keys, values))
        products = matmul(q, k, transpose_y=True) / math.sqrt(self.head_dim)
        added = k.shape[2] - key.shape[1]
        if attn_mask is not None:
            by_head = [batch, self.num_heads, *attn_mask.shape[1:]]
            mask = manipulation.reshape(attn_mask, by_head) if len(attn_mask.shape) == 3 else attn_mask
            products = products + _summand(mask, added, products.dtype)
        if key_padding_mask is not None:
            products = products + manipulation.unsqueeze(_summand(key_padding_mask, added, products.dtype), [1, 2])
        weights = ours.dropout(ours.softmax(products, -1), self.dropout, training=self.training)
        joined = manipulation.reshape(manipulation.transpose(matmul(weights, v), [0, 2, 1, 3]), [batch, length, self.embed_dim])
        out = self.out_proj(joined)
        shown = None if not need_weights else weights.mean(1) if average_attn_weights else weights
        if alone:
            return manipulation.squeeze(out, 0), None if shown is None else manipulation.squeeze(shown, 0)
        return out if self.batch_first else manipulation.transpose(out, [1, 0, 2]), shown

    def _projected(self, *parts: Any) -> list[list[Any]]:
        """Queries, keys and values of all heads, each in a list that more can be added to."""
        from paddle_compat.compat.nn.functional import linear

        weights = [self.q_proj_weight, self.k_proj_weight, self.v_proj_weight]
        if self.in_proj_weight is not None:
            weights = manipulation.split(self.in_proj_weight, 3, 0)
        biases = [None] * 3 if self.in_proj_bias is None else manipulation.split(self.in_proj_bias, 3, 0)
        return [[linear(part, weight, bias)] for part, weight, bias in zip(parts, weights, biases)]

    def _heads(self, x: Any) -> Any:
        """[N, S, embed_dim] as [N, num_heads, S, head_dim]."""
        return manipulation.transpose(manipulation.reshape(x, [x.shape[0], x.shape[1], self.num_heads, self.head_dim]), [0, 2, 1, 3])


def _summand(mask: Any, added: int, dtype: Any) -> Any:
    """What a mask adds to products, with nothing for keys that the layer adds itself."""
    if "bool" in str(mask.dtype):
        zeros = creation.zeros(mask.shape, dtype)
        mask = search.where(mask, creation.full_like(zeros, -math.inf), zeros)
    if added:
        mask = manipulation.concat([mask, creation.zeros([*mask.shape[:-1], added], mask.dtype)], -1)
    return mask


__all__ = ["MultiheadAttention"]

__getattr__ = missing(__name__)
