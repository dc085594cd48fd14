"""Functions of `paddle.incubate.nn.functional`, each written as the functions that it stands for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument
from paddle_compat.nn.functional._apply import paddle


def _normed(
    api: str, x: Any, begin_norm_axis: int, bias: Any, residual: Any, alpha: float, quant_scale: float
) -> tuple[Any, Any, list[int]]:
    """x with what is added to it first, the sum where it is handed out, and the sizes that are normalized over."""
    if quant_scale > 0:
        raise UnsupportedError(f"paddle.incubate.nn.functional.{api}", "quant_scale")
    out = x if bias is None else x + bias
    if residual is not None:
        out = out + (residual if alpha == 1.0 else residual * alpha)
    return out, None if residual is None else out, list(x.shape[begin_norm_axis:])


def _flat(value: Any, sizes: list[int]) -> Any:
    """A weight in the shape that is normalized over."""
    return None if value is None else paddle.reshape(value, sizes)


def fused_rms_norm(
    x: Any, norm_weight: Any, norm_bias: Any, epsilon: float, begin_norm_axis: int = 1, bias: Any = None, residual: Any = None,
    quant_scale: float = -1, quant_round_type: float = 0, quant_max_bound: float = 0, quant_min_bound: float = 0,
) -> tuple[Any, Any]:  # fmt: skip
    """`rms_norm` of x + bias + residual.

    Args:
        x (Tensor): float.
        norm_weight (Tensor): scale, of as many elements as are normalized over.
        norm_bias (Tensor): shift, of as many; None for none.
        epsilon (float): added to the mean square.
        begin_norm_axis (int): the first dimension that is normalized over.
        bias, residual (Tensor): added to x first.
        quant_scale (float): a scale of quantization, which is not there; the others that begin with quant_ go with it.
        quant_round_type, quant_max_bound, quant_min_bound (float): see above.
    Returns:
        tuple: the result, and x + bias + residual, or None without a residual.
    Raises:
        UnsupportedError: quant_scale is above 0.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.functional import fused_rms_norm
        >>> fused_rms_norm(paddle.rand([2, 4]), paddle.ones([4]), None, 1e-6)[0].shape
        [2, 4]

    Follows Paddle 3.3.
    """
    x, total, sizes = _normed("fused_rms_norm", x, begin_norm_axis, bias, residual, 1.0, quant_scale)
    out = paddle.nn.functional.rms_norm(x, sizes, _flat(norm_weight, sizes), epsilon)
    return out if norm_bias is None else out + _flat(norm_bias, sizes), total


def fused_layer_norm(
    x: Any, norm_weight: Any, norm_bias: Any, epsilon: float, residual_alpha: float = 1.0, begin_norm_axis: int = 1, bias: Any = None,
    residual: Any = None, quant_scale: float = -1, quant_round_type: float = 0, quant_max_bound: float = 0, quant_min_bound: float = 0,
) -> tuple[Any, Any, Any, Any]:  # fmt: skip
    """`layer_norm` of x + bias + residual_alpha residual.

    Args:
        x (Tensor): float.
        norm_weight, norm_bias (Tensor): scale and shift, of as many elements as are normalized over; None for none.
        epsilon (float): added to the variance.
        residual_alpha (float): factor on the residual.
        begin_norm_axis (int): the first dimension that is normalized over.
        bias, residual (Tensor): added to x first.
        quant_scale (float): a scale of quantization, which is not there; the others that begin with quant_ go with it.
        quant_round_type, quant_max_bound, quant_min_bound (float): see above.
    Returns:
        tuple: the result; the sum, or None without a residual; the mean and the variance (beside a residual 1 / sqrt(variance +
        epsilon), as Paddle has it) of each normalization.
    Raises:
        UnsupportedError: quant_scale is above 0.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.functional import fused_layer_norm
        >>> fused_layer_norm(paddle.rand([2, 4]), paddle.ones([4]), paddle.zeros([4]), 1e-5)[0].shape
        [2, 4]

    Follows Paddle 3.3.
    """
    x, total, sizes = _normed("fused_layer_norm", x, begin_norm_axis, bias, residual, residual_alpha, quant_scale)
    out = paddle.nn.functional.layer_norm(x, sizes, norm_weight, norm_bias, epsilon)
    rows = paddle.reshape(x, [-1, math.prod(sizes)])
    variance = paddle.var(rows, axis=1, unbiased=False)
    return out, total, paddle.mean(rows, axis=1), variance if total is None else paddle.rsqrt(variance + epsilon)


def _turned(x: Any, sin: Any, cos: Any, neighbours: bool) -> Any:
    """Pairs of numbers turned by angles: neighbours, or one of each half."""
    if neighbours:
        pairs = paddle.reshape(x, [*x.shape[:-1], x.shape[-1] // 2, 2])
        first, second = paddle.unstack(pairs, axis=-1)
        other = paddle.reshape(paddle.stack([-second, first], axis=-1), x.shape)
    else:
        first, second = paddle.split(x, 2, axis=-1)
        other = paddle.concat([-second, first], axis=-1)
    return x * cos + other * sin


def fused_rotary_position_embedding(
    q: Any, k: Any = None, v: Any = None, sin: Any = None, cos: Any = None, position_ids: Any = None, use_neox_rotary_style: bool = True,
    time_major: bool = False, rotary_emb_base: float = 10000.0,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Rotary position embedding: pairs of numbers are turned by an angle that grows with the position.

    Args:
        q, k, v (Tensor): [N, length, heads, width]; k and v may be None.
        sin, cos (Tensor): of the angles, [length, width] or [1, length, 1, width]; None: position rotary_emb_base^(-2 i / width).
        position_ids (Tensor): the row of sin and cos for each position, [N, length]; None: one after the other.
        use_neox_rotary_style (bool): pairs are neighbours; False: one number of each half.
        time_major (bool): the first two dimensions are [length, N].
        rotary_emb_base (float): see above.
    Returns:
        tuple: q, k and v, turned; None for what is None.
    Raises:
        AssertionError: halves are to be turned without sin and cos.
        ValueError: the width is odd.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.functional import fused_rotary_position_embedding
        >>> q, k, v = fused_rotary_position_embedding(paddle.ones([1, 2, 1, 2]), paddle.ones([1, 2, 1, 2]))
        >>> [round(number, 4) for number in q.flatten().tolist()], v is None
        ([1.0, 1.0, -0.3012, 1.3818], True)

    Follows Paddle 3.3.
    """
    api = "fused_rotary_position_embedding"
    width, length = q.shape[-1], q.shape[0 if time_major else 1]
    if width % 2:
        raise invalid_argument("q", "an even last dimension", list(q.shape), api)
    if sin is None or cos is None:
        if not use_neox_rotary_style:
            raise failed_assertion("sin, cos", "both, as use_neox_rotary_style is False", None, api)
        rates = rotary_emb_base ** (-np.arange(0, width, 2, dtype="float64") / width)
        angles = np.repeat(np.outer(np.arange(length), rates), 2, axis=1)
        sin, cos = (paddle.cast(paddle.to_tensor(numbers.astype("float32")), q.dtype) for numbers in (np.sin(angles), np.cos(angles)))
    sin, cos = (paddle.reshape(table, [-1, width]) for table in (sin, cos))
    if position_ids is not None:
        sin, cos = (paddle.nn.functional.embedding(position_ids, table) for table in (sin, cos))
    else:
        sin, cos = (paddle.unsqueeze(table[:length], 0) for table in (sin, cos))
    if time_major:
        sin, cos = (paddle.transpose(table, [1, 0, 2]) for table in (sin, cos))
    sin, cos = (paddle.unsqueeze(table, 2) for table in (sin, cos))
    first, second, third = (None if x is None else _turned(x, sin, cos, use_neox_rotary_style) for x in (q, k, v))
    return first, second, third


def fused_matmul_bias(
    x: Any, y: Any, bias: Any = None, transpose_x: bool = False, transpose_y: bool = False, name: str | None = None
) -> Any:
    """x y + bias.

    Args:
        x, y (Tensor): matrices.
        bias (Tensor): added to each row; None for none.
        transpose_x, transpose_y (bool): whether a matrix is transposed first.
        name (str): prefix of the output's name.
    Returns:
        Tensor: the sum.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.functional import fused_matmul_bias
        >>> fused_matmul_bias(paddle.ones([2, 3]), paddle.ones([3, 2]), paddle.ones([2])).tolist()
        [[4.0, 4.0], [4.0, 4.0]]

    Follows Paddle 3.3.
    """
    product = paddle.matmul(x, y, transpose_x, transpose_y, name)
    return product if bias is None else product + bias


def fused_linear(x: Any, weight: Any, bias: Any = None, transpose_weight: bool = False, name: str | None = None) -> Any:
    """x W + b.

    Args:
        x (Tensor): [..., in_features].
        weight (Tensor): [in_features, out_features].
        bias (Tensor): [out_features]; None for none.
        transpose_weight (bool): weight is [out_features, in_features].
        name (str): prefix of the output's name.
    Returns:
        Tensor: [..., out_features].

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.functional import fused_linear
        >>> fused_linear(paddle.ones([1, 3]), paddle.ones([3, 2]), paddle.ones([2])).tolist()
        [[4.0, 4.0]]

    Follows Paddle 3.3.
    """
    return fused_matmul_bias(x, weight, bias, False, transpose_weight, name)


def fused_linear_activation(
    x: Any, y: Any, bias: Any, trans_x: bool = False, trans_y: bool = False, activation: str | None = None
) -> Any:
    """An activation of x y + bias.

    Args:
        x, y (Tensor): matrices.
        bias (Tensor): added to each row.
        trans_x, trans_y (bool): whether a matrix is transposed first.
        activation (str): "gelu", "relu", "none" or None.
    Returns:
        Tensor: the result.
    Raises:
        ValueError: there is no such activation.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.functional import fused_linear_activation
        >>> fused_linear_activation(paddle.ones([1, 3]), -paddle.ones([3, 2]), paddle.ones([2]), activation="relu").tolist()
        [[0.0, 0.0]]

    Follows Paddle 3.3.
    """
    out = fused_matmul_bias(x, y, bias, trans_x, trans_y)
    if activation in (None, "none"):
        return out
    if activation not in ("gelu", "relu"):
        raise invalid_argument("activation", "'gelu', 'relu' or 'none'", activation, "fused_linear_activation")
    return getattr(paddle.nn.functional, activation)(out)


def fused_dropout_add(
    x: Any, y: Any, p: float = 0.5, training: bool = True, mode: str = "upscale_in_train", name: str | None = None
) -> Any:
    """Dropout of x, added to y.

    Args:
        x (Tensor): what elements are dropped of.
        y (Tensor): what the rest is added to.
        p (float): the probability.
        training (bool): False drops nothing.
        mode (str): "upscale_in_train" or "downscale_in_infer".
        name (str): kept.
    Returns:
        Tensor: of x's shape.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.nn.functional import fused_dropout_add
        >>> fused_dropout_add(paddle.ones([2]), paddle.ones([2]), training=False).tolist()
        [2.0, 2.0]

    Follows Paddle 3.3.
    """
    return paddle.nn.functional.dropout(x, p, training=training, mode=mode) + y


def fused_dot_product_attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
    scaling_factor: float | None = None, training: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """`scaled_dot_product_attention`, by another kernel of GPUs.

    Args:
        query (Tensor): [N, length, heads, width].
        key, value (Tensor): [N, other length, heads, width].
        attn_mask (Tensor): added to the scores before the softmax; of no effect where is_causal.
        dropout_p (float): dropout on the weights.
        is_causal (bool): a position attends to itself and to those before it only.
        scaling_factor (float): what scores are multiplied by; None: 1 / sqrt(width).
        training (bool): whether there is dropout.
        name (str): kept.
    Returns:
        Tensor: of query's shape.

    Example:
        >>> import paddle_compat as paddle
        >>> q = paddle.rand([1, 128, 2, 16])
        >>> paddle.incubate.nn.functional.fused_dot_product_attention(q, q, q, is_causal=True).shape
        [1, 128, 2, 16]

    Follows Paddle 3.3, whose kernel needs a GPU.
    """
    mask = None if is_causal else attn_mask
    attend = paddle.nn.functional.scaled_dot_product_attention
    return attend(query, key, value, mask, dropout_p, is_causal, training, scale=scaling_factor)


__all__ = [
    "fused_dot_product_attention", "fused_dropout_add", "fused_layer_norm", "fused_linear", "fused_linear_activation", "fused_matmul_bias",
    "fused_rms_norm", "fused_rotary_position_embedding",
]  # fmt: skip

__getattr__ = missing(__name__)
