"""Transformers that write one position after the other, with keys and values kept; Paddle itself computes these on GPUs only."""

from __future__ import annotations

import functools
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.incubate.nn.functional._blocks import dropped, joined, normed, refuse, weights_of, with_bias
from paddle_compat.nn.functional._apply import paddle


def _kept(key: Any, value: Any, cache: Any, step: Any, mask: Any) -> tuple[Any, Any, Any]:
    """Put the key and value of one position into a cache; all that it has by then, and which of them are seen.

    Args:
        key, value: [N, heads, 1, head's width].
        cache: [2, N, heads, positions, head's width]: changed.
        step: the position, of one element or one for each of N.
        mask: its last size says how many positions count.
    """
    places, step = paddle.arange(cache.shape[3], dtype="int64"), paddle.reshape(paddle.cast(step, "int64"), [-1, 1, 1, 1])
    with paddle.no_grad():
        paddle.assign(paddle.where(paddle.unsqueeze(places, 1) == step, paddle.stack([key, value]), cache), cache)
    end = cache.shape[3] if mask is None else mask.shape[-1]
    return cache[0][:, :, :end], cache[1][:, :, :end], (places <= step)[..., :end]


def masked_multihead_attention(
    x: Any, cache_kv: Any = None, bias: Any = None, src_mask: Any = None, cum_offsets: Any = None, sequence_lengths: Any = None,
    rotary_tensor: Any = None, beam_cache_offset: Any = None, qkv_out_scale: Any = None, out_shift: Any = None, out_smooth: Any = None,
    seq_len: int = 1, rotary_emb_dims: int = 0, use_neox_rotary_style: bool = False, compute_dtype: str = "default",
    out_scale: float = -1, quant_round_type: int = 1, quant_max_bound: float = 127.0, quant_min_bound: float = -127.0,
) -> tuple[Any, Any]:  # fmt: skip
    """Attention of one new position to those before it, whose keys and values a cache has.

    Args:
        x (Tensor): query, key and value of the new position, [N, 3 heads head's width], float.
        cache_kv (Tensor): [2, N, heads, positions, head's width]: the new key and value are written into it.
        bias (Tensor): [3, heads, head's width], added to x; None for none.
        src_mask (Tensor): added to the scores, [N, 1, 1, new position + 1].
        cum_offsets (Tensor): kept.
        sequence_lengths (Tensor): the new position of each sequence, [N, 1], int32; None: that which src_mask's size says.
        rotary_tensor, beam_cache_offset, qkv_out_scale, out_shift, out_smooth (Tensor): of rotary embedding, beams and quantized
            numbers, which are not there; so are rotary_emb_dims and out_scale.
        seq_len (int): kept.
        rotary_emb_dims, use_neox_rotary_style, out_scale, quant_round_type, quant_max_bound, quant_min_bound: see above.
        compute_dtype (str): kept: numbers are computed in x's data type.
    Returns:
        tuple: the result, [N, heads head's width], and cache_kv.
    Raises:
        ValueError: nothing says where the new position is, or cache_kv is missing.
        UnsupportedError: what is not there is given.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.functional import masked_multihead_attention
        >>> x, cache = paddle.ones([1, 6]), paddle.zeros([2, 1, 1, 4, 2])
        >>> out, cache = masked_multihead_attention(x, cache, sequence_lengths=paddle.to_tensor([[1]], dtype="int32"))
        >>> cache[0, 0, 0].tolist()
        [[0.0, 0.0], [1.0, 1.0], [0.0, 0.0], [0.0, 0.0]]

    Follows Paddle 2.6.
    """
    api = "masked_multihead_attention"
    refuse(
        api, rotary_tensor=(rotary_tensor, None), beam_cache_offset=(beam_cache_offset, None), qkv_out_scale=(qkv_out_scale, None),
        out_shift=(out_shift, None), out_smooth=(out_smooth, None), rotary_emb_dims=(rotary_emb_dims, 0), out_scale=(out_scale, -1),
    )  # fmt: skip
    if cache_kv is None:
        raise invalid_argument("cache_kv", "a Tensor", None, api)
    if src_mask is None and sequence_lengths is None:
        raise invalid_argument("src_mask, sequence_lengths", "one of them", None, api)
    heads, size = cache_kv.shape[2], cache_kv.shape[4]
    parts = with_bias(paddle.reshape(x, [-1, 3, heads, size]), bias)
    query, key, value = (paddle.unsqueeze(part, 2) for part in paddle.unstack(parts, axis=1))
    step = paddle.full([1], src_mask.shape[-1] - 1, "int64") if sequence_lengths is None else sequence_lengths
    key, value, seen = _kept(key, value, cache_kv, step, src_mask)
    return paddle.reshape(paddle.matmul(weights_of(query, key, src_mask, seen), value), [-1, heads * size]), cache_kv


def _turned(x: Any, angles: Any, parts: int) -> Any:
    """Rotary embedding: in each part of a head, the numbers of the first half are turned with those of the second."""
    cos, sin = paddle.unstack(angles, axis=0)
    out = []
    for numbers, c, s in zip(*(paddle.split(each, parts, axis=-1) for each in (x, cos, sin))):
        first, second = paddle.split(numbers, 2, axis=-1)
        out.append(numbers * c + paddle.concat([-second, first], axis=-1) * s)
    return paddle.concat(out, axis=-1)


def _activated(x: Any, activation: str) -> Any:
    if activation != "geglu":
        return getattr(paddle.nn.functional, activation)(x)
    first, second = paddle.chunk(x, 2, axis=-1)
    return paddle.nn.functional.gelu(first) * second


def _three(x: Any, weight: Any, bias: Any, trans_qkvw: bool) -> Any:
    """Query, key and value of one product: [3, N, heads, length, head's width]."""
    heads, size = weight.shape[1:3] if trans_qkvw else weight.shape[2:]
    rows = 3 * heads * size
    matrix = paddle.reshape(weight, [rows, x.shape[-1]] if trans_qkvw else [x.shape[-1], rows])
    product = paddle.reshape(paddle.matmul(x, matrix, transpose_y=trans_qkvw), [0, 0, 3, heads, size])
    return paddle.transpose(with_bias(product, bias), [2, 0, 3, 1, 4])


def fused_multi_transformer(
    x: Any, ln_scales: Any, ln_biases: Any, qkv_weights: Any, qkv_biases: Any, linear_weights: Any, linear_biases: Any,
    ffn_ln_scales: Any, ffn_ln_biases: Any, ffn1_weights: Any, ffn1_biases: Any, ffn2_weights: Any, ffn2_biases: Any,
    pre_layer_norm: bool = True, epsilon: float = 1e-05, cache_kvs: Any = None, pre_caches: Any = None, seq_lens: Any = None,
    rotary_embs: Any = None, time_step: Any = None, attn_mask: Any = None, dropout_rate: float = 0.0, rotary_emb_dims: int = 0,
    activation: str = "gelu", training: bool = False, mode: str = "upscale_in_train", trans_qkvw: bool = True, ring_id: int = -1,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Layers of a transformer one after the other: attention, then a block that looks at each position for itself.

    Arguments that are lists have an element for each layer; a list of biases may be None, or hold None.

    Args:
        x (Tensor): [N, length, width], float.
        ln_scales, ln_biases (list): [width], of the normalization of attention.
        qkv_weights (list): [3, heads, head's width, width]; where trans_qkvw is False, [width, 3, heads, head's width].
        qkv_biases (list): [3, heads, head's width].
        linear_weights, linear_biases (list): [heads head's width, width] and [width], behind the heads.
        ffn_ln_scales, ffn_ln_biases (list): [width], of the normalization of the second block.
        ffn1_weights, ffn1_biases (list): [width, hidden] and [hidden] (twice as wide for "geglu").
        ffn2_weights, ffn2_biases (list): [hidden, width] and [width].
        pre_layer_norm (bool): what goes into a block is normalized; else what comes out with what is added.
        epsilon (float): added to variances.
        cache_kvs (list): keys and values, [2, N, heads, positions, head's width]: those of x are written into them, at the beginning
            or, with time_step, there.
        pre_caches (list): keys and values in front of x, [2, N, heads, earlier length, head's width].
        seq_lens (Tensor): how long each sequence is, [N], int32: what is behind is not seen, and 0 in the result. With time_step,
            the position of x in each.
        rotary_embs (Tensor): cosines and sines, [2, N, 1, length, head's width].
        time_step (Tensor): the position of x, of length 1, among those in cache_kvs: one element, int32.
        attn_mask (Tensor): added to the scores, [N, 1 or heads, length, all positions].
        dropout_rate (float): the probability, behind both blocks.
        rotary_emb_dims (int): into how many parts a head is cut, each of which is turned for itself; 0 turns nothing.
        activation (str): "gelu", "relu" or "geglu".
        training (bool): False drops nothing.
        mode (str): "upscale_in_train" or "downscale_in_infer".
        trans_qkvw (bool): see above.
        ring_id (int): of tensor parallelism, which is not there.
        name (str): kept.
    Returns:
        Tensor: of x's shape; with cache_kvs a tuple of it and of cache_kvs.
    Raises:
        ValueError: mode or activation is none of these.
        AssertionError: time_step is given without cache_kvs, or for several positions.
        UnsupportedError: ring_id is given.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.incubate.nn.FusedMultiTransformer(8, 2, 16, num_layers=2)
        >>> caches = [paddle.zeros([2, 1, 2, 6, 4]) for _ in range(2)]
        >>> out, caches = layer(paddle.rand([1, 3, 8]), caches=caches)
        >>> out, caches = layer(out[:, -1:], caches=caches, time_step=paddle.to_tensor([3], dtype="int32"))
        >>> out.shape, [float(caches[0][0, 0, 0, at].abs().sum()) > 0 for at in (3, 4)]
        ([1, 1, 8], [True, False])

    Follows Paddle 2.6.
    """
    api = "fused_multi_transformer"
    refuse(api, ring_id=(ring_id, -1))
    if activation not in ("gelu", "relu", "geglu"):
        raise invalid_argument("activation", "'gelu', 'relu' or 'geglu'", repr(activation), api)
    if time_step is not None and (not cache_kvs or x.shape[1] != 1):
        raise failed_assertion("time_step", "cache_kvs, and an x of one position", list(x.shape), api)
    drop = functools.partial(dropped, rate=dropout_rate, training=training, mode=mode, api=api)
    length = None if seq_lens is None else paddle.reshape(paddle.cast(seq_lens, "int64"), [-1, 1, 1, 1])

    def at(values: Any) -> Any:
        return values[layer] if values else None

    for layer in range(len(qkv_weights)):
        norm = functools.partial(normed, scale=at(ln_scales), bias=at(ln_biases), epsilon=epsilon)
        last_norm = functools.partial(normed, scale=at(ffn_ln_scales), bias=at(ffn_ln_biases), epsilon=epsilon)
        query, key, value = paddle.unstack(_three(norm(x) if pre_layer_norm else x, qkv_weights[layer], at(qkv_biases), trans_qkvw))
        if rotary_emb_dims:
            query, key = (_turned(each, rotary_embs, rotary_emb_dims) for each in (query, key))
        seen, cache = None, at(cache_kvs)
        if time_step is not None:
            key, value, seen = _kept(key, value, cache, time_step if length is None else length, attn_mask)
        else:
            if pre_caches:
                key, value = (paddle.concat([before, each], axis=2) for before, each in zip(pre_caches[layer], (key, value)))
            if cache is not None:
                with paddle.no_grad():
                    paddle.assign(paddle.concat([paddle.stack([key, value]), cache[:, :, :, key.shape[2] :]], axis=3), cache)
            if length is not None:
                seen = paddle.arange(key.shape[2], dtype="int64") < length + (key.shape[2] - query.shape[2])
        heads = joined(paddle.matmul(weights_of(query, key, attn_mask, seen), value))
        x = x + drop(with_bias(paddle.matmul(heads, linear_weights[layer]), at(linear_biases)))
        x = x if pre_layer_norm else norm(x)
        hidden = with_bias(paddle.matmul(last_norm(x) if pre_layer_norm else x, ffn1_weights[layer]), at(ffn1_biases))
        x = x + drop(with_bias(paddle.matmul(_activated(hidden, activation), ffn2_weights[layer]), at(ffn2_biases)))
        x = x if pre_layer_norm else last_norm(x)
    if length is not None and time_step is None:
        inside = paddle.unsqueeze(paddle.arange(x.shape[1], dtype="int64"), 1) < paddle.squeeze(length, 1)
        x = paddle.where(inside, x, paddle.zeros_like(x))
    return (x, cache_kvs) if cache_kvs else x


__all__ = ["fused_multi_transformer", "masked_multihead_attention"]

__getattr__ = missing(__name__)
