"""Attention between some pairs of places."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError, invalid_argument
from paddle_compat.core.sparse import SparseCsrTensor
from paddle_compat.core.tensor import wrapped
from paddle_compat.ops import sparse as ops
from paddle_compat.sparse import _layouts
from paddle_compat.sparse._arguments import dense, sparse


def attention(
    query: Any, key: Any, value: Any, sparse_mask: Any, key_padding_mask: Any = None, attn_mask: Any = None, name: str | None = None
) -> Any:
    """softmax(query @ key.T / sqrt(width)) @ value, of which the softmax runs over the pairs that a sparse Tensor names.

    Args:
        query (Tensor): [N, heads, length, width].
        key (Tensor): as query.
        value (Tensor): as query.
        sparse_mask (Tensor): of the layout CSR, [N * heads, length, length]; its values do not matter.
        key_padding_mask (Tensor): [N, length], added to the products with each key; None: nothing.
        attn_mask (Tensor): [length, length], added to the products; None: nothing.
        name (str): has no effect.
    Returns:
        Tensor: [N, heads, length, width].
    Raises:
        NotImplementedError: sparse_mask has another layout.
        ValueError: the shapes do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> mask = paddle.sparse.sparse_csr_tensor([0, 1, 3], [0, 0, 1], [1.0, 1.0, 1.0], [1, 2, 2])
        >>> x = paddle.ones([1, 1, 2, 4])
        >>> paddle.sparse.nn.functional.attention(x, x, x, mask).shape
        [1, 1, 2, 4]

    Follows Paddle 2.6, which has it on GPUs only.
    """
    api = "attention"
    mask = sparse(sparse_mask, "sparse_mask", api)
    if not isinstance(mask, SparseCsrTensor):
        raise UnimplementedError(f"Invalid value for argument `sparse_mask` of `{api}`. Expected a CSR Tensor. Received: a COO Tensor")
    q, k, v = (dense(each, each_name, api)._t for each, each_name in ((query, "query"), (key, "key"), (value, "value")))
    if q.dim() != 4 or k.shape != q.shape or v.shape != q.shape:
        raise invalid_argument("query", "four dimensions, as key and value have", [list(each.shape) for each in (q, k, v)], api)
    batch, heads, length, width = q.shape
    if mask._shape != (batch * heads, length, length):
        raise invalid_argument("sparse_mask", f"the shape {[batch * heads, length, length]}", mask.shape, api)
    matrices, rows, cols = _layouts.indices_of(mask)
    numbers, others = matrices * length + rows, matrices * length + cols
    flat = [each.reshape(-1, width) for each in (q, k, v)]
    scores = ops.dots(numbers, others, flat[0], flat[1].t()) / math.sqrt(width)
    if key_padding_mask is not None:
        scores = scores + dense(key_padding_mask, "key_padding_mask", api)._t[matrices.div(heads, rounding_mode="floor"), cols]
    if attn_mask is not None:
        scores = scores + dense(attn_mask, "attn_mask", api)._t[rows, cols]
    count = batch * heads * length
    out = ops.times_dense(numbers, others, ops.softened(scores, numbers, count), flat[2], count)
    return wrapped(out.reshape(q.shape))


__all__ = ["attention"]

__getattr__ = missing(__name__)
