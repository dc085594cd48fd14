"""`paddle.nn.functional`: attention."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument
from paddle_compat.nn.functional._apply import paddle

_BACKENDS = "paddle_compat.nn.attention.sdpa"  # which nobody has asked for where it is not loaded


def _select_sdp(head_dim: int) -> str:
    """Which of Paddle's kernels computes attention on a CPU; on a GPU torch chooses one at each call."""
    if not paddle.device.is_compiled_with_cuda():
        return "math"
    raise UnsupportedError("paddle.nn.functional.flash_attention._select_sdp", instead="torch's own choice, at each call")


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
        RuntimeError: `paddle.nn.attention.sdpa_kernel` allows nothing that is there.

    Example:
        >>> import paddle_compat as paddle
        >>> q = paddle.rand([1, 128, 2, 16])
        >>> paddle.nn.functional.scaled_dot_product_attention(q, q, q, is_causal=True).shape
        [1, 128, 2, 16]

    Follows Paddle 2.6.
    """
    chosen = sys.modules.get(_BACKENDS)
    if chosen is not None:
        chosen.check_backends()
    if len(query.shape) == 3:
        query, key, value = (paddle.unsqueeze(x, 0) for x in (query, key, value))
        single = _attended(query, key, value, attn_mask, dropout_p, is_causal, training, scale, enable_gqa)[0]
        return paddle.squeeze(single, 0)
    return _attended(query, key, value, attn_mask, dropout_p, is_causal, training, scale, enable_gqa)[0]


@contextlib.contextmanager
def sdp_kernel(enable_math: bool = False, enable_flash: bool = True, enable_mem_efficient: bool = True) -> Iterator[None]:
    """Allow attention some of Paddle's kernels only; here they are one, so the results are the same.

    Args:
        enable_math, enable_flash, enable_mem_efficient (bool): the kernels.
    Returns:
        A context.
    Raises:
        AssertionError: none is allowed.

    Example:
        >>> import paddle_compat as paddle
        >>> q = paddle.rand([1, 8, 2, 4])
        >>> with paddle.nn.functional.flash_attention.sdp_kernel(enable_math=True):
        ...     paddle.nn.functional.scaled_dot_product_attention(q, q, q).shape
        [1, 8, 2, 4]

    Follows Paddle 2.6.
    """
    if not (enable_math or enable_flash or enable_mem_efficient):
        raise failed_assertion("enable_math", "True for one kernel at least", enable_math, "sdp_kernel")
    yield


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


def flash_attn_qkvpacked(
    qkv: Any, dropout: float = 0.0, causal: bool = False, return_softmax: bool = False, *, fixed_seed_offset: Any = None,
    rng_name: str = "", training: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """`flash_attention` of what lies in one tensor.

    Args:
        qkv (Tensor): [N, length, 3, heads, width]: query, key and value.
        dropout, causal, return_softmax, fixed_seed_offset, rng_name, training, name: as of `flash_attention`.
    Returns:
        tuple: as of `flash_attention`.
    Raises:
        ValueError: qkv has another number of dimensions.
        UnsupportedError: its third dimension is not 3: heads that share keys.

    Example:
        >>> import paddle_compat as paddle
        >>> out, _ = paddle.nn.functional.flash_attn_qkvpacked(paddle.rand([1, 128, 3, 2, 16]), causal=True)
        >>> out.shape
        [1, 128, 2, 16]

    Follows Paddle 3.3.
    """
    if len(qkv.shape) != 5:
        raise invalid_argument("qkv", "5 dimensions", list(qkv.shape), "flash_attn_qkvpacked")
    if qkv.shape[2] != 3:
        raise UnsupportedError("paddle.nn.functional.flash_attn_qkvpacked", "heads that share keys", "flash_attention")
    query, key, value = paddle.unstack(qkv, axis=2)
    return flash_attention(query, key, value, dropout, causal, return_softmax, training=training)


def flash_attn_unpadded(
    query: Any, key: Any, value: Any, cu_seqlens_q: Any, cu_seqlens_k: Any, max_seqlen_q: int, max_seqlen_k: int, scale: float,
    dropout: float = 0.0, causal: bool = False, return_softmax: bool = False, fixed_seed_offset: Any = None, rng_name: str = "",
    training: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """`flash_attention` of sequences that lie behind one another, each for itself (eager mode).

    Args:
        query (Tensor): [sum of lengths, heads, width]; key, value (Tensor): [sum of other lengths, heads, width].
        cu_seqlens_q, cu_seqlens_k (Tensor): [N + 1], integers, where sequences begin and, at the end, the sums of lengths.
        max_seqlen_q, max_seqlen_k (int): the longest lengths; kept.
        scale (float): factor of the products.
        dropout (float): dropout on the weights.
        causal (bool): a position attends to itself and to those before it only.
        return_softmax (bool): False only.
        fixed_seed_offset, rng_name: which random numbers a GPU draws; kept.
        training (bool): whether there is dropout.
        name (str): kept.
    Returns:
        tuple: the result, of query's shape, and None.
    Raises:
        UnsupportedError: return_softmax, or causal where a sequence has another length in key.

    Example:
        >>> import paddle_compat as paddle
        >>> q, begins = paddle.rand([5, 2, 4]), paddle.to_tensor([0, 2, 5], dtype="int32")
        >>> paddle.nn.functional.flash_attention.flash_attn_unpadded(q, q, q, begins, begins, 3, 3, 0.5)[0].shape
        [5, 2, 4]

    Follows Paddle 2.6.
    """
    api = "paddle.nn.functional.flash_attention.flash_attn_unpadded"
    if return_softmax:
        raise UnsupportedError(api, "return_softmax")
    begins, others = cu_seqlens_q.tolist(), cu_seqlens_k.tolist()
    if causal and begins != others:
        raise UnsupportedError(api, "causal with other lengths in key than in query")
    parts = []
    for first, end, first_key, end_key in zip(begins, begins[1:], others, others[1:]):
        q, k, v = (paddle.unsqueeze(x, 0) for x in (query[first:end], key[first_key:end_key], value[first_key:end_key]))
        parts.append(_attended(q, k, v, None, dropout, causal, training, scale, True)[0][0])
    return paddle.concat(parts), None


def flash_attn_varlen_qkvpacked(
    qkv: Any, cu_seqlens_q: Any, cu_seqlens_k: Any, max_seqlen_q: int, max_seqlen_k: int, scale: float, dropout: float = 0.0,
    causal: bool = False, return_softmax: bool = False, fixed_seed_offset: Any = None, rng_name: str = "", varlen_padded: bool = True,
    training: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """`flash_attn_unpadded` of what lies in one tensor.

    Args:
        qkv (Tensor): [sum of lengths, groups + 2, key's heads, width]: the heads of query by groups, those of key and of value.
        varlen_padded (bool): whether sequences lie at multiples of the longest length; False, or lengths that are all the longest.
        cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k, scale, dropout, causal, return_softmax: as of `flash_attn_unpadded`.
        fixed_seed_offset, rng_name, training, name: as of `flash_attn_unpadded`.
    Returns:
        tuple: the result, [sum of lengths, heads, width], and None.
    Raises:
        ValueError: qkv has another number of dimensions.
        UnsupportedError: sequences that are padded; what `flash_attn_unpadded` refuses.

    Example:
        >>> import paddle_compat as paddle
        >>> begins = paddle.to_tensor([0, 2, 5], dtype="int32")
        >>> qkv = paddle.rand([5, 3, 2, 4])
        >>> paddle.nn.functional.flash_attn_varlen_qkvpacked(qkv, begins, begins, 3, 3, 0.5, varlen_padded=False)[0].shape
        [5, 2, 4]

    Follows Paddle 3.3.
    """
    if len(qkv.shape) != 4:
        raise invalid_argument("qkv", "4 dimensions", list(qkv.shape), "flash_attn_varlen_qkvpacked")
    lengths = paddle.diff(cu_seqlens_q)
    if varlen_padded and (paddle.min(lengths) < max_seqlen_q).item():
        raise UnsupportedError("paddle.nn.functional.flash_attn_varlen_qkvpacked", "varlen_padded", "varlen_padded=False")
    query, key, value = paddle.split(qkv, [qkv.shape[1] - 2, 1, 1], axis=1)
    query = paddle.reshape(query, [qkv.shape[0], -1, qkv.shape[-1]])
    return flash_attn_unpadded(
        query, paddle.squeeze(key, 1), paddle.squeeze(value, 1), cu_seqlens_q, cu_seqlens_k, max_seqlen_q, max_seqlen_k, scale, dropout,
        causal, return_softmax, training=training,
    )  # fmt: skip


def flashmask_attention(
    query: Any, key: Any, value: Any, startend_row_indices: Any = None, *, dropout: float = 0.0, causal: bool = False,
    window_size: Any = None, return_softmax_lse: bool = False, return_seed_offset: bool = False, fixed_seed_offset: Any = None,
    rng_name: str = "", training: bool = True, name: str | None = None, softmax_scale: float | None = None, block_mask: Any = None,
) -> Any:  # fmt: skip
    """Attention whose mask is given by rows: for each position of key, from which row to which it is hidden.

    Args:
        query (Tensor): [N, length, heads, width]; key, value (Tensor): [N, other length, heads, width], of fewer heads where each
            serves as many of query's.
        startend_row_indices (Tensor): [N, 1 or key's heads, other length, 1, 2 or 4], int32. Causal: rows from the first number on,
            and before the second where there is one, are hidden. Else with 2: those from the first on and those before the second;
            with 4: those from the first on and before the second, and those from the third on and before the fourth. None: no mask.
        dropout (float): dropout on the weights.
        causal (bool): a position attends to itself and to those before it only.
        window_size, return_softmax_lse, return_seed_offset, block_mask: not there.
        fixed_seed_offset, rng_name: which random numbers a GPU draws; kept.
        training (bool): whether there is dropout.
        name (str): kept.
        softmax_scale (float): what stands for 1 / sqrt(width).
    Returns:
        Tensor: of query's shape; 0 in rows that see nothing.
    Raises:
        UnsupportedError: an argument is given that is not there.
        ValueError: the last dimension of startend_row_indices is another one.

    Example:
        >>> import paddle_compat as paddle
        >>> q, ends = paddle.rand([1, 4, 2, 8]), paddle.full([1, 1, 4, 1], 4, "int32")
        >>> paddle.nn.functional.flashmask_attention(q, q, q, ends, causal=True).shape
        [1, 4, 2, 8]

    Follows Paddle 3.3.
    """
    api = "flashmask_attention"
    further = {"window_size": window_size, "block_mask": block_mask}
    for argument, given in {**further, "return_softmax_lse": return_softmax_lse, "return_seed_offset": return_seed_offset}.items():
        if given is not None and given is not False:
            raise UnsupportedError(f"paddle.nn.functional.{api}", argument)
    if startend_row_indices is None:
        return _attended(query, key, value, None, dropout, causal, training, softmax_scale, True)[0]
    count = startend_row_indices.shape[-1]
    if count not in ((1, 2) if causal else (2, 4)):
        expected = f"a last dimension of {'1 or 2' if causal else '2 or 4'}"
        raise invalid_argument("startend_row_indices", expected, list(startend_row_indices.shape), api)
    heads, served = query.shape[2], startend_row_indices.shape[1]
    if served not in (1, heads):
        startend_row_indices = paddle.repeat_interleave(startend_row_indices, heads // served, axis=1)
    ends = [paddle.unsqueeze(paddle.cast(each, "int64"), 2) for each in paddle.unstack(startend_row_indices, axis=-1)]
    rows = paddle.unsqueeze(paddle.arange(query.shape[1], dtype="int64"), 1)
    hidden = rows >= ends[0]
    if count == 2 and not causal:
        hidden = paddle.logical_or(hidden, rows < ends[1])
    elif count > 1:
        hidden = paddle.logical_and(hidden, rows < ends[1])
    if count == 4:
        hidden = paddle.logical_or(hidden, paddle.logical_and(rows >= ends[2], rows < ends[3]))
    if causal:
        hidden = paddle.logical_or(hidden, paddle.arange(key.shape[1], dtype="int64") > rows)
    out = _attended(query, key, value, paddle.logical_not(hidden), dropout, False, training, softmax_scale, True)[0]
    blind = paddle.transpose(paddle.all(hidden, axis=-1, keepdim=True), [0, 2, 1, 3])
    return out * paddle.cast(paddle.logical_not(blind), out.dtype)


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
