"""`paddle.compat.nn.functional`: functions of layers with torch's arguments and layouts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.nn import functional as ours
from paddle_compat.tensor import creation, manipulation, search
from paddle_compat.tensor._paddle3 import softmax as softmax_of
from paddle_compat.tensor._products import matmul
from paddle_compat.tensor.ops import cast


@paddle3(out=True)
def softmax(input: Any, dim: int | None = None, dtype: Any = None) -> Any:
    """Exponentials as shares of their sum.

    Args:
        input: a tensor of floats.
        dim: the dimension; None: the first one of 0, 1 or 3 dimensions, else the second.
        dtype: the type to compute in; None: the input's.
    Returns:
        A tensor of the same shape.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.nn.functional.softmax(paddle.zeros([2])).tolist()
        [0.5, 0.5]

    Follows Paddle 3.3.
    """
    return softmax_of(input, dim, dtype)


def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """input W' + b.

    Args:
        input: [..., in].
        weight: [out, in].
        bias: [out], or None.
    Returns:
        [..., out].

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.nn.functional.linear(paddle.ones([1, 2]), paddle.ones([3, 2])).tolist()
        [[2.0, 2.0, 2.0]]

    Follows Paddle 3.3.
    """
    return ours.linear(input, manipulation.transpose(weight, [1, 0]), bias)


def pad(input: Any, pad: Any, mode: str = "constant", value: float = 0.0) -> Any:
    """A tensor with a border.

    Args:
        input: a tensor; of 2 to 5 dimensions where the mode is not "constant".
        pad: how much comes before and behind, from the last dimension on; a last number alone comes before.
        mode: "constant", "reflect", "replicate" or "circular".
        value: what a constant border is of.
    Returns:
        A larger tensor.
    Raises:
        AssertionError: no such mode.
        ValueError: a width is negative, or the input has other dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.nn.functional.pad(paddle.ones([1, 2]), [1, 0]).tolist()
        [[0.0, 1.0, 1.0]]

    Follows Paddle 3.3.
    """
    if mode not in ("constant", "reflect", "replicate", "circular"):
        raise failed_assertion("mode", "constant, reflect, replicate or circular", mode, "pad")
    widths, rank = [int(width) for width in pad], len(input.shape)
    if len(widths) > 2 * rank and not any(widths[2 * rank :]):
        widths = widths[: 2 * rank]
    if len(widths) > 2 * rank or any(width < 0 for width in widths):
        raise ValueError(f"Invalid value for argument `pad` of `pad`. Expected widths of {rank} dimensions. Received: {widths}")
    widths += [0] * (len(widths) % 2)
    if not widths:
        return creation.assign(input)
    if mode == "constant":
        widths += [0] * (2 * rank - len(widths))
        ends = [width for at in range(rank - 1, -1, -1) for width in widths[2 * at : 2 * at + 2]]
        return ours.pad(input, ends, mode, value)
    if not 2 <= rank <= 5:
        raise ValueError(f"Invalid value for argument `input` of `pad`. Expected 2 to 5 dimensions for {mode!r}. Received: {rank}")
    inner = max(len(widths) // 2, rank - 2)
    widths += [0] * (2 * inner - len(widths))
    added = inner + 2 - rank
    wide = manipulation.unsqueeze(input, list(range(added))) if added else input
    out = ours.pad(wide, widths, mode, data_format=("NCL", "NCHW", "NCDHW")[inner - 1])
    return manipulation.squeeze(out, list(range(added))) if added else out


def scaled_dot_product_attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
    scale: float | None = None, enable_gqa: bool = False,
) -> Any:  # fmt: skip
    """Attention: means of values, weighted by how well keys match queries.

    Args:
        query: [..., H, L, E].
        key: [..., H, S, E].
        value: [..., H, S, F].
        attn_mask: [..., L, S]: bool, whether a query sees a key, or floats that are added to the products.
        dropout_p: the share of weights that are dropped.
        is_causal: whether a query sees no later key.
        scale: what the products are multiplied by; None: 1 / sqrt(E).
        enable_gqa: whether several heads of the query share one of key and value.
    Returns:
        [..., H, L, F].
    Raises:
        RuntimeError: a mask and is_causal are given both.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.ones([1, 1, 2, 4])
        >>> paddle.compat.nn.functional.scaled_dot_product_attention(x, x, x).shape
        [1, 1, 2, 4]

    Follows Paddle 3.3.
    """
    if attn_mask is not None and is_causal:
        raise RuntimeError("Invalid value for argument `attn_mask` of `scaled_dot_product_attention`. Expected None with is_causal=True.")
    if enable_gqa:
        times = query.shape[-3] // key.shape[-3]
        key, value = (manipulation.repeat_interleave(part, times, -3) for part in (key, value))
    products = matmul(query, key, transpose_y=True) * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        attn_mask = creation.tril(creation.ones([query.shape[-2], key.shape[-2]])).astype("bool")
    if attn_mask is not None:
        if "bool" in str(attn_mask.dtype):
            seen = creation.zeros_like(products) + cast(attn_mask, products.dtype) > 0.5
            products = search.where(seen, products, creation.full_like(products, -math.inf))
        else:
            products = products + attn_mask
    weights = ours.softmax(products, -1)
    return matmul(ours.dropout(weights, dropout_p) if dropout_p else weights, value)


def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """Every window of images as a column.

    Args:
        input: [N, C, H, W].
        kernel_size: height and width of the windows.
        dilation: how far the elements of a window lie apart.
        padding: how many zeros surround the images.
        stride: how far the windows lie apart.
    Returns:
        [N, C kh kw, windows].
    Raises:
        AssertionError: the input has other dimensions.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.nn.functional.unfold(paddle.ones([1, 1, 3, 3]), 2).shape
        [1, 4, 4]

    Follows Paddle 3.3.
    """
    if len(input.shape) != 4:
        raise failed_assertion("input", "[N, C, H, W]", list(input.shape), "unfold")
    kernel, space, border, step = (list(v) if isinstance(v, Sequence) else v for v in (kernel_size, dilation, padding, stride))
    return ours.unfold(input, kernel, step, border, space)


__all__ = ["linear", "pad", "scaled_dot_product_attention", "softmax", "unfold"]

__getattr__ = missing(__name__)
