"""The blocks of transformers that `paddle.incubate.nn.functional` has in one call each; Paddle itself computes these on GPUs only."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.incubate.nn.functional._blocks import dropped, joined, normed, refuse, weights_of, with_bias
from paddle_compat.incubate.nn.functional.decoding import fused_multi_transformer
from paddle_compat.nn.functional._apply import paddle

_ACTIVATIONS = ("gelu", "relu", "geglu", "swiglu", "silu")


def fused_bias_dropout_residual_layer_norm(
    x: Any, residual: Any, bias: Any = None, ln_scale: Any = None, ln_bias: Any = None, dropout_rate: float = 0.5,
    ln_epsilon: float = 1e-5, training: bool = True, mode: str = "upscale_in_train", name: str | None = None,
) -> Any:  # fmt: skip
    """`layer_norm` of residual + dropout(x + bias).

    Args:
        x (Tensor): [..., width], float.
        residual (Tensor): of x's shape.
        bias (Tensor): [width], added to x; None for none.
        ln_scale, ln_bias (Tensor): [width], scale and shift of the normalization; None for none.
        dropout_rate (float): the probability.
        ln_epsilon (float): added to the variance.
        training (bool): False drops nothing.
        mode (str): "upscale_in_train" or "downscale_in_infer".
        name (str): kept.
    Returns:
        Tensor: of x's shape.
    Raises:
        AssertionError: scale or shift is of another width.
        ValueError: mode is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.functional import fused_bias_dropout_residual_layer_norm
        >>> x = paddle.to_tensor([[1.0, 3.0]])
        >>> [round(n, 3) for n in fused_bias_dropout_residual_layer_norm(x, x, training=False).flatten().tolist()]
        [-1.0, 1.0]

    Follows Paddle 2.6.
    """
    api = "fused_bias_dropout_residual_layer_norm"
    for what, given in (("ln_scale", ln_scale), ("ln_bias", ln_bias)):
        if given is not None and (len(given.shape) != 1 or given.shape[0] != x.shape[-1]):
            raise failed_assertion(what, f"the shape [{x.shape[-1]}], x's last dimension", list(given.shape), api)
    return normed(residual + dropped(with_bias(x, bias), dropout_rate, training, mode, api), ln_scale, ln_bias, ln_epsilon)


def fused_feedforward(
    x: Any, linear1_weight: Any, linear2_weight: Any, linear1_bias: Any = None, linear2_bias: Any = None, ln1_scale: Any = None,
    ln1_bias: Any = None, ln2_scale: Any = None, ln2_bias: Any = None, dropout1_rate: float = 0.5, dropout2_rate: float = 0.5,
    activation: str = "relu", ln1_epsilon: float = 1e-5, ln2_epsilon: float = 1e-5, pre_layer_norm: bool = False, training: bool = True,
    mode: str = "upscale_in_train", ring_id: int = -1, add_residual: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """The block of a transformer that looks at each position for itself: x + dropout2(linear2(dropout1(activation(linear1(x))))).

    Args:
        x (Tensor): [N, length, width], float.
        linear1_weight (Tensor): [width, hidden]; linear2_weight (Tensor): [hidden, width].
        linear1_bias, linear2_bias (Tensor): [hidden] and [width]; None for none.
        ln1_scale, ln1_bias (Tensor): [width], of the normalization before; None for none.
        ln2_scale, ln2_bias (Tensor): [width], of the normalization behind; None for none.
        dropout1_rate, dropout2_rate (float): probabilities.
        activation (str): "relu" or "gelu".
        ln1_epsilon, ln2_epsilon (float): added to variances.
        pre_layer_norm (bool): x is normalized before; else the result is.
        training (bool): False drops nothing.
        mode (str): "upscale_in_train" or "downscale_in_infer".
        ring_id (int): of tensor parallelism, which is not there.
        add_residual (bool): whether x is added.
        name (str): kept.
    Returns:
        Tensor: of x's shape.
    Raises:
        ValueError: mode or activation is none of these.
        UnsupportedError: ring_id is given.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.functional import fused_feedforward
        >>> fused_feedforward(paddle.rand([2, 3, 4]), paddle.rand([4, 8]), paddle.rand([8, 4])).shape
        [2, 3, 4]

    Follows Paddle 2.6.
    """
    api = "fused_feedforward"
    refuse(api, ring_id=(ring_id, -1))
    if activation not in ("relu", "gelu"):
        raise invalid_argument("activation", "'relu' or 'gelu'", repr(activation), api)
    out = normed(x, ln1_scale, ln1_bias, ln1_epsilon) if pre_layer_norm else x
    hidden = getattr(paddle.nn.functional, activation)(with_bias(paddle.matmul(out, linear1_weight), linear1_bias))
    hidden = dropped(hidden, dropout1_rate, training, mode, api)
    out = dropped(with_bias(paddle.matmul(hidden, linear2_weight), linear2_bias), dropout2_rate, training, mode, api)
    out = x + out if add_residual else out
    return out if pre_layer_norm else normed(out, ln2_scale, ln2_bias, ln2_epsilon)


def _queries_keys_values(x: Any, weight: Any, bias: Any, transpose_qkv_wb: bool, num_heads: int) -> Any:
    """Of one product: [3, N, heads, length, head's width]."""
    api = "fused_multi_head_attention"
    width = x.shape[-1]
    if transpose_qkv_wb:
        if list(weight.shape) != [width, 3 * width]:
            raise failed_assertion("qkv_weight", f"the shape {[width, 3 * width]}", list(weight.shape), api)
        if num_heads <= 0 or width % num_heads:
            raise failed_assertion("num_heads", f"a divisor of {width}", num_heads, api)
        product = with_bias(paddle.matmul(x, weight), bias)
        parts = paddle.reshape(product, [0, 0, 3, num_heads, width // num_heads])
    else:
        if len(weight.shape) != 4 or weight.shape[0] != 3 or weight.shape[3] != width:
            raise failed_assertion("qkv_weight", f"the shape [3, heads, head's width, {width}]", list(weight.shape), api)
        heads, size = weight.shape[1:3]
        if heads * size != width:
            raise failed_assertion("qkv_weight", f"{width} as heads times the head's width", list(weight.shape), api)
        product = paddle.matmul(x, paddle.reshape(weight, [3 * width, width]), transpose_y=True)
        parts = with_bias(paddle.reshape(product, [0, 0, 3, heads, size]), bias)
    return paddle.transpose(parts, [2, 0, 3, 1, 4])


def fused_multi_head_attention(
    x: Any, qkv_weight: Any, linear_weight: Any, pre_layer_norm: bool = False, pre_ln_scale: Any = None, pre_ln_bias: Any = None,
    ln_scale: Any = None, ln_bias: Any = None, pre_ln_epsilon: float = 1e-5, qkv_bias: Any = None, linear_bias: Any = None,
    cache_kv: Any = None, attn_mask: Any = None, dropout_rate: float = 0.5, attn_dropout_rate: float = 0.5, ln_epsilon: float = 1e-5,
    training: bool = True, mode: str = "upscale_in_train", ring_id: int = -1, add_residual: bool = True, num_heads: int = -1,
    transpose_qkv_wb: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The block of a transformer in which positions attend to each other: x + dropout(linear(attention(x))).

    Args:
        x (Tensor): [N, length, width], float.
        qkv_weight (Tensor): [3, heads, head's width, width], or [width, 3 width] where transpose_qkv_wb says so.
        linear_weight (Tensor): [width, width], of the product behind the heads.
        pre_layer_norm (bool): x is normalized before; else the result is.
        pre_ln_scale, pre_ln_bias (Tensor): [width], of the normalization before; None for none.
        ln_scale, ln_bias (Tensor): [width], of the normalization behind; None for none.
        pre_ln_epsilon, ln_epsilon (float): added to variances.
        qkv_bias (Tensor): [3, heads, head's width] or [3 width]; linear_bias (Tensor): [width]; None for none.
        cache_kv (Tensor): keys and values of earlier positions, [2, N, heads, earlier length, head's width].
        attn_mask (Tensor): added to the scores, [N, heads, length, length] or what becomes that by broadcasting; False and 0 of bools
            and integers hide a position.
        dropout_rate, attn_dropout_rate (float): probabilities, behind the product and on the weights of attention.
        training (bool): False drops nothing.
        mode (str): "upscale_in_train" or "downscale_in_infer".
        ring_id (int): of tensor parallelism, which is not there.
        add_residual (bool): whether x is added.
        num_heads (int): where transpose_qkv_wb asks for it.
        transpose_qkv_wb (bool): see above.
        name (str): kept.
    Returns:
        Tensor: of x's shape; with cache_kv a tuple of it and of keys and values of all positions, as cache_kv holds them.
    Raises:
        ValueError: mode is neither, or x has another number of dimensions.
        AssertionError: qkv_weight has another shape.
        UnsupportedError: ring_id is given.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.functional import fused_multi_head_attention
        >>> fused_multi_head_attention(paddle.rand([2, 3, 8]), paddle.rand([3, 2, 4, 8]), paddle.rand([8, 8])).shape
        [2, 3, 8]

    Follows Paddle 2.6.
    """
    api = "fused_multi_head_attention"
    refuse(api, ring_id=(ring_id, -1))
    if len(x.shape) != 3:
        raise invalid_argument("x", "3 dimensions", list(x.shape), api)
    out = normed(x, pre_ln_scale, pre_ln_bias, pre_ln_epsilon) if pre_layer_norm else x
    query, key, value = paddle.unstack(_queries_keys_values(out, qkv_weight, qkv_bias, transpose_qkv_wb, num_heads), axis=0)
    if cache_kv is not None:
        key, value = (paddle.concat([cache_kv[i], new], axis=2) for i, new in enumerate((key, value)))
    weights = dropped(weights_of(query, key, attn_mask), attn_dropout_rate, training, mode, api)
    heads = joined(paddle.matmul(weights, value))
    out = dropped(with_bias(paddle.matmul(heads, linear_weight), linear_bias), dropout_rate, training, mode, api)
    out = x + out if add_residual else out
    out = out if pre_layer_norm else normed(out, ln_scale, ln_bias, ln_epsilon)
    return out if cache_kv is None else (out, paddle.stack([key, value]))


def fused_bias_act(
    x: Any, bias: Any = None, dequant_scales: Any = None, shift: Any = None, smooth: Any = None, act_method: str = "gelu",
    compute_dtype: str = "default", quant_scale: float = -1, quant_round_type: int = 0, quant_max_bound: float = 0,
    quant_min_bound: float = 0,
) -> Any:  # fmt: skip
    """An activation of x + bias.

    Args:
        x (Tensor): [..., width], float.
        bias (Tensor): [width]; None for none.
        dequant_scales, shift, smooth (Tensor): of quantized numbers, which are not there; so are those that begin with quant_.
        act_method (str): "gelu", "relu", "silu", or "swiglu" and "geglu", whose first half of the width is activated and gates the second.
        compute_dtype (str): kept: numbers are computed in x's data type.
        quant_scale, quant_round_type, quant_max_bound, quant_min_bound: see above.
    Returns:
        Tensor: of x's shape; half as wide where halves gate.
    Raises:
        ValueError: act_method is none of these.
        UnsupportedError: an argument of quantized numbers is given.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.functional import fused_bias_act
        >>> fused_bias_act(paddle.to_tensor([[-1.0, 2.0]]), paddle.to_tensor([0.5, 0.5]), act_method="relu").tolist()
        [[0.0, 2.5]]

    Follows Paddle 3.3.
    """
    api = "fused_bias_act"
    if act_method not in _ACTIVATIONS:
        raise invalid_argument("act_method", ", ".join(map(repr, _ACTIVATIONS)), repr(act_method), api)
    refuse(api, dequant_scales=(dequant_scales, None), shift=(shift, None), smooth=(smooth, None), quant_scale=(quant_scale, -1))
    out = with_bias(x, bias)
    if act_method not in ("swiglu", "geglu"):
        return getattr(paddle.nn.functional, act_method)(out)
    first, second = paddle.chunk(out, 2, axis=-1)
    return (paddle.nn.functional.silu if act_method == "swiglu" else paddle.nn.functional.gelu)(first) * second


def variable_length_memory_efficient_attention(
    query: Any, key: Any, value: Any, seq_lens: Any, kv_seq_lens: Any, mask: Any = None, scale: float | None = None,
    causal: bool = False, pre_cache_length: int = 0,
) -> Any:  # fmt: skip
    """Attention over batches of sequences whose ends are filled up.

    Args:
        query (Tensor): [N, heads, length, width], float; key, value (Tensor): [N, heads, other length, width], of fewer heads where
            each serves as many of query's.
        seq_lens, kv_seq_lens (Tensor): [N, 1] or [N], integers: how long each sequence is in query, and in key and value.
        mask (Tensor): added to the scores, [N, 1 or heads, length, other length]; None for none.
        scale (float): factor of the products; None: 1 / sqrt(width).
        causal (bool): a position attends to itself and to those before it only.
        pre_cache_length (int): how many of key's positions come before the first of query's.
    Returns:
        Tensor: of query's shape; 0 behind the ends.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.functional import variable_length_memory_efficient_attention
        >>> q, lengths = paddle.rand([1, 2, 4, 8]), paddle.to_tensor([3], dtype="int32")
        >>> out = variable_length_memory_efficient_attention(q, q, q, lengths, lengths)
        >>> out.shape, float(out[:, :, 3].abs().sum())
        ([1, 2, 4, 8], 0.0)

    Follows Paddle 2.6.
    """
    if query.shape[1] != key.shape[1]:
        key, value = (paddle.repeat_interleave(each, query.shape[1] // each.shape[1], axis=1) for each in (key, value))
    rows, columns = paddle.arange(query.shape[2], dtype="int64"), paddle.arange(key.shape[2], dtype="int64")
    ends, others = (paddle.reshape(paddle.cast(each, "int64"), [-1, 1, 1, 1]) for each in (seq_lens, kv_seq_lens))
    scores = paddle.matmul(query, key, transpose_y=True) * (1.0 / math.sqrt(query.shape[-1]) if scale is None else scale)
    seen = columns < others
    if mask is not None:
        scores = scores + mask
    if causal:
        seen = paddle.logical_and(seen, columns <= paddle.unsqueeze(rows, 1) + pre_cache_length)
    scores = scores + (paddle.cast(seen, scores.dtype) - 1.0) * 1e9
    out = paddle.matmul(paddle.nn.functional.softmax(scores), value)
    return out * paddle.cast(paddle.unsqueeze(rows, 1) < ends, out.dtype)


__all__ = [
    "fused_bias_act", "fused_bias_dropout_residual_layer_norm", "fused_feedforward", "fused_multi_head_attention",
    "fused_multi_transformer", "variable_length_memory_efficient_attention",
]  # fmt: skip

__getattr__ = missing(__name__)
