"""`paddle.nn.functional`: attention to listed positions."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn.functional._apply import paddle


def sparse_attention(
    query: Any, key: Any, value: Any, sparse_csr_offset: Any, sparse_csr_columns: Any, key_padding_mask: Any = None,
    attn_mask: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """softmax(query key' / sqrt(width)) value, each position attending only to those that are listed for it (eager mode).

    Args:
        query, key, value (Tensor): [N, heads, length, width], float32 or float64.
        sparse_csr_offset (Tensor): [N, heads, length + 1], int32: where each row's positions begin in sparse_csr_columns.
        sparse_csr_columns (Tensor): [N, heads, count], int32: the positions, row after row.
        key_padding_mask (Tensor): [N, length], 0 where a position is left out.
        attn_mask (Tensor): [length, length], 0 where a position is left out.
        name (str): kept.
    Returns:
        Tensor: of query's shape; zeros where nothing is listed.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([[[[1.0, 0.0], [0.0, 2.0]]]])
        >>> offsets, columns = paddle.to_tensor([[[0, 1, 2]]], "int32"), paddle.to_tensor([[[1, 0]]], "int32")
        >>> paddle.nn.functional.sparse_attention(x, x, x, offsets, columns).tolist()
        [[[[0.0, 2.0], [1.0, 0.0]]]]

    Follows Paddle 2.6.
    """
    batch, heads, length, width = query.shape
    count = sparse_csr_columns.shape[-1]
    places = paddle.arange(count, dtype="int32")
    # the row of an entry: how many rows end before it
    ends = paddle.unsqueeze(sparse_csr_offset[:, :, 1:], -1)
    rows = paddle.sum(paddle.cast(ends <= places, "int64"), axis=2)
    columns = paddle.cast(sparse_csr_columns, "int64")
    listed = paddle.zeros([batch * heads, length * length + 1], "int64")  # the last for entries that no row has
    targets = paddle.where(rows < length, rows * length + columns, paddle.full_like(rows, length * length))
    listed = paddle.put_along_axis(listed, paddle.reshape(targets, [batch * heads, count]), 1, 1)
    seen = paddle.cast(paddle.reshape(listed[:, :-1], [batch, heads, length, length]), "bool")
    if key_padding_mask is not None:
        seen = paddle.logical_and(seen, paddle.reshape(key_padding_mask != 0, [batch, 1, 1, length]))
    if attn_mask is not None:
        seen = paddle.logical_and(seen, attn_mask != 0)
    scores = paddle.matmul(query, key, transpose_y=True) / float(width) ** 0.5
    weights = paddle.nn.functional.softmax(paddle.where(seen, scores, paddle.full_like(scores, -1e30)))
    return paddle.matmul(weights * paddle.cast(seen, weights.dtype), value)


__getattr__ = missing(__name__)
