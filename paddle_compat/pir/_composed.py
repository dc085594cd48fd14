"""Operators of Paddle 3.x models that are several of Programs, or functions: how to record them, by their names.

A function gets what a model calls inputs in order, numbers that are known as such, and attributes by name. It gives `NotImplemented`
where the operator of Programs does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paddle_compat import linalg, tensor
from paddle_compat.core.dtype import VarType, numpy_dtype
from paddle_compat.incubate.nn import functional as fused
from paddle_compat.nn import functional
from paddle_compat.ops import pool as ops_pool
from paddle_compat.static.nn import control_flow
from paddle_compat.vision import ops as vision_ops

_END = 2**31 - 1  # what stands for no start or no end in slices


def assign_value(output: Any = None, *, shape: Sequence[int], values: Any, dtype: VarType) -> Any:
    if dtype == VarType.BF16:
        return tensor.cast(assign_value(shape=shape, values=values, dtype=VarType.FP32), "bfloat16")
    return tensor.assign(np.reshape(np.asarray(values, numpy_dtype(dtype)), shape))


def elements(x: Any) -> list[Any]:
    """A Tensor of one dimension as Tensors of one element each."""
    return [tensor.slice(x, [0], [n], [n + 1]) for n in range(x.shape[0])]


def _element(array: Any, index: Any) -> Any:
    """An element of an array; below zero the index counts from the end."""
    return tensor.array_read(array, index + tensor.array_length(array) * tensor.cast(index < 0, "int64"))


def loop(given: list[Any], body: Callable[[list[Any]], list[Any]]) -> list[Any]:
    """A loop over a condition and values; what it starts from stays as it is."""
    start = [tensor.assign(one) if one.type == VarType.LOD_TENSOR else one for one in given]
    return list(control_flow.while_loop(lambda going, *values: going, lambda going, *values: body(list(values)), start))


def _pool_with_places(dimensions: int) -> Callable[..., Any]:
    """Maxima of windows and where they are; `adaptive` windows by the number of them."""
    whole, adapted = (getattr(functional, f"{prefix}max_pool{dimensions}d") for prefix in ("", "adaptive_"))
    operator = getattr(ops_pool, f"max_pool{dimensions}d_with_index")

    def pool(
        x: Any, *, kernel_size: Any, strides: Any, paddings: Any, global_pooling: bool, adaptive: bool, ceil_mode: bool = False
    ) -> Any:
        if adaptive:
            return adapted(x, kernel_size, return_mask=True)
        if ceil_mode and not global_pooling:
            return operator(x, ksize=list(kernel_size), strides=list(strides), paddings=list(paddings), _last="partial")
        windows = list(x.shape[-dimensions:]) if global_pooling else kernel_size
        return whole(x, windows, strides, 0 if global_pooling else paddings, return_mask=True)

    return pool


def _lp_pool2d(
    x: Any, kernel_size: Any, *, strides: Any, paddings: Any, ceil_mode: bool, data_format: str, norm_type: float, **rest: Any
) -> Any:
    return functional.lp_pool2d(x, float(norm_type), kernel_size, strides, paddings, ceil_mode, data_format)


def _interpolate(x: Any, out_size: Any, size_tensor: Any, scale_tensor: Any, **given: Any) -> Any:
    """Interpolation with antialiasing."""
    size = out_size if out_size is not None else [given["out_h"], given["out_w"]]
    if out_size is None and size_tensor is None and min(size) <= 0:
        size = None
    mode, corners, layout = given["interp_method"], given["align_corners"], given["data_format"]
    return functional.interpolate(
        x, size_tensor if size_tensor is not None else size, given["scale"] or None if size is None else None, mode, corners,
        given["align_mode"], layout, antialias=True,
    )  # fmt: skip


def _round(x: Any, *, decimals: int) -> Any:
    return tensor.round(x, decimals) if decimals else tensor.round(x)


def _variance(x: Any, axis: Any = None, *, keepdim: bool, unbiased: bool = True, correction: float | None = None) -> Any:
    return tensor.var(x, axis or None, unbiased if correction is None else bool(correction), keepdim)


def _fractional_pool(pool: Callable[..., Any]) -> Callable[..., Any]:
    def call(x: Any, *, output_size: Any, kernel_size: Any, random_u: float, return_mask: bool) -> Any:
        windows = None if not kernel_size or 0 in kernel_size else kernel_size
        return pool(x, output_size, windows, random_u or None, return_mask=True)

    return call


def _deformable_conv(
    x: Any, offset: Any, weight: Any, mask: Any, *, strides: Any, paddings: Any, dilations: Any, deformable_groups: int, groups: int,
    im2col_step: int,
) -> Any:  # fmt: skip
    return vision_ops.deform_conv2d(x, offset, weight, None, strides, paddings, dilations, deformable_groups, groups, mask)


def _rank(x: Any, tol: Any, hermitian: bool, **tolerances: Any) -> Any:
    return tensor.cast(linalg.matrix_rank(x, tol, hermitian, **tolerances), "int64")


def _rms_norm(x: Any, *inputs: Any, epsilon: float, normalized_shape: Sequence[int] = (), **given: Any) -> Any:
    """Of 3.3: x and a scale. Before: what `fused_rms_norm` takes."""
    if len(inputs) == 1:
        return fused.fused_rms_norm(x, inputs[0], None, epsilon, len(x.shape) - len(normalized_shape))[0]
    bias, residual, weight, offset = inputs
    return fused.fused_rms_norm(x, weight, offset, epsilon, bias=bias, residual=residual, **given)


def _logits_entropy(x: Any, label: Any, pos_weight: Any, *, normalize: bool, ignore_index: int) -> Any:
    if pos_weight is None or normalize:
        return NotImplemented
    loss = (1 - label) * x - pos_weight * functional.log_sigmoid(x)  # in 2.x the weight counts only what is above 0
    return tensor.where(label == float(ignore_index), tensor.zeros_like(loss), loss)


def _strided_slice(x: Any, starts: Any, ends: Any, strides: Any, *, axes: Sequence[int]) -> Any:
    """Steps back to the very first element, which the operator of 2.x has no number for."""
    known = all(isinstance(given, list) for given in (starts, ends, strides))
    if not known or all(stride > 0 or end > -_END for end, stride in zip(ends, strides)):
        return NotImplemented
    index = [slice(None)] * len(x.shape)
    for axis, *numbers in zip(axes, starts, ends, strides):
        index[axis] = slice(*(None if abs(number) >= _END else number for number in numbers))
    return x[tuple(index)]


def _flash_attention(q: Any, k: Any, v: Any, seed: Any, mask: Any, *, dropout: float, causal: bool, is_test: bool, **_: Any) -> Any:
    return functional.scaled_dot_product_attention(q, k, v, mask, dropout, causal, not is_test)


def _fused_attention(
    x: Any, before_scale: Any, before_bias: Any, weights: Any, bias: Any, cache: Any, mask: Any, out_weight: Any, out_bias: Any,
    scale: Any, offset: Any, *, num_heads: int, transpose_qkv_wb: bool, pre_layer_norm: bool, epsilon: float, ln_epsilon: float,
    attn_dropout_rate: float, dropout_rate: float, dropout_implementation: str, is_test: bool, add_residual: bool, **_: Any,
) -> Any:  # fmt: skip
    found = fused.fused_multi_head_attention(
        x, weights, out_weight, pre_layer_norm, before_scale, before_bias, scale, offset, epsilon, bias, out_bias, cache, mask,
        dropout_rate, attn_dropout_rate, ln_epsilon, not is_test, dropout_implementation, -1, add_residual, num_heads, transpose_qkv_wb,
    )  # fmt: skip
    out, cached = found if isinstance(found, (list, tuple)) else (found, None)
    return [None] * 18 + [cached, out]


def _fused_feedforward(
    x: Any, seed1: Any, seed2: Any, weight1: Any, bias1: Any, weight2: Any, bias2: Any, scale1: Any, offset1: Any, scale2: Any,
    offset2: Any, *, pre_layer_norm: bool, ln1_epsilon: float, ln2_epsilon: float, act_method: str, dropout1_prob: float,
    dropout2_prob: float, dropout1_implementation: str, is_test: bool, add_residual: bool, **_: Any,
) -> Any:  # fmt: skip
    return fused.fused_feedforward(
        x, weight1, weight2, bias1, bias2, scale1, offset1, scale2, offset2, dropout1_prob, dropout2_prob, act_method, ln1_epsilon,
        ln2_epsilon, pre_layer_norm, not is_test, dropout1_implementation, add_residual=add_residual,
    )  # fmt: skip


def _fused_residual(
    x: Any, residual: Any, bias: Any, scale: Any, offset: Any, *, dropout_rate: float, is_test: bool, dropout_implementation: str,
    ln_epsilon: float, **_: Any,
) -> Any:  # fmt: skip
    return fused.fused_bias_dropout_residual_layer_norm(
        x, residual, bias, scale, offset, dropout_rate, ln_epsilon, not is_test, dropout_implementation
    )


def _cumprod(x: Any, dim: int, exclusive: bool, reverse: bool) -> Any:
    if reverse:
        x = tensor.flip(x, [dim])
    found = tensor.cumprod(x, dim)
    if exclusive:
        first = tensor.ones_like(tensor.slice(found, [dim], [0], [1]))
        found = tensor.concat([first, tensor.slice(found, [dim], [0], [-1])], dim)
    return tensor.flip(found, [dim]) if reverse else found


COMPOSED: dict[str, Callable[..., Any]] = {
    "allclose": lambda x, y, rtol, atol, *, equal_nan: tensor.allclose(x, y, rtol, atol, equal_nan),
    "arange": lambda start, end, step, *, dtype: tensor.arange(start, end, step, dtype),
    "array_length": tensor.array_length,
    "array_read": lambda array, i: tensor.array_read(array, i),
    "array_write_": lambda array, x, i: tensor.array_write(x, i, array),
    "as_strided": lambda input, *, dims, stride, offset: tensor.as_strided(input, dims, stride, offset),
    "assign_out_": tensor.assign,
    "assign_value": assign_value,
    "baddbmm": lambda input, x, y, *, beta, alpha: tensor.baddbmm(input, x, y, beta, alpha),
    "bincount": lambda x, weights, minlength: tensor.bincount(x, weights, minlength),
    "copysign": tensor.copysign,
    "create_array": lambda dtype: tensor.create_array("float32" if dtype is None else dtype),
    "cummax": lambda x, *, axis, dtype: tensor.cummax(x, axis, dtype),
    "cummin": lambda x, *, axis, dtype: tensor.cummin(x, axis, dtype),
    "cumprod": lambda x, *, dim, exclusive, reverse: _cumprod(x, dim, exclusive, reverse),
    "deformable_conv": _deformable_conv,
    "empty_like": lambda x, *, dtype: tensor.empty_like(x, dtype),
    "flash_attn": _flash_attention,
    "fractional_max_pool2d": _fractional_pool(functional.fractional_max_pool2d),
    "fractional_max_pool3d": _fractional_pool(functional.fractional_max_pool3d),
    "full_with_tensor": lambda value, shape, *, dtype: tensor.full(shape, value, dtype),
    "fused_attention": _fused_attention,
    "fused_bias_act": fused.fused_bias_act,
    "fused_bias_dropout_residual_layer_norm": _fused_residual,
    "fused_bias_residual_layernorm": lambda x, bias, residual, weight, offset, **given: fused.fused_layer_norm(
        x, weight, offset, bias=bias, residual=residual, **given
    ),
    "fused_dropout_add": lambda x, y, _, *, p, is_test, mode, seed, fix_seed: fused.fused_dropout_add(x, y, p, not is_test, mode),
    "fused_feedforward": _fused_feedforward,
    "fused_gemm_epilogue": lambda x, y, bias, *, trans_x, trans_y, activation: fused.fused_linear_activation(
        x, y, bias, trans_x, trans_y, activation
    ),
    "fused_rms_norm_ext": lambda x, scale, *, epsilon: fused.fused_rms_norm_ext(x, scale, epsilon),
    "fused_rms_norm_quant": _rms_norm,
    "fused_rotary_position_embedding": fused.fused_rotary_position_embedding,
    "gammaln": tensor.gammaln,
    "histogram": lambda x, weight, *, bins, min, max, density: tensor.histogram(
        x, bins, *(int(end) if end == int(end) else end for end in (min, max)), weight=weight, density=density
    ),
    "i0": tensor.i0, "i0e": tensor.i0e, "i1": tensor.i1, "i1e": tensor.i1e,
    "index_put": lambda x, indices, value, *, accumulate: tensor.index_put(x, tuple(indices), value, accumulate),
    "interp_antialias": _interpolate,
    "isclose": lambda x, y, rtol, atol, *, equal_nan: tensor.isclose(x, y, rtol, atol, equal_nan),
    "kldiv_loss": lambda x, target, *, reduction, log_target: functional.kl_div(x, target, reduction, log_target=log_target),
    "linear_v2": lambda x, weight, bias, *, transpose_weight: fused.fused_linear(x, weight, bias, transpose_weight),
    "lp_pool2d": _lp_pool2d,
    "lu_solve": lambda b, lu, pivots, *, trans: linalg.lu_solve(b, lu, pivots, trans),
    "masked_fill": tensor.masked_fill,
    "matrix_rank": lambda x, *, tol, use_default_tol, hermitian: _rank(x, None if use_default_tol else tol, hermitian),
    "matrix_rank_atol_rtol": lambda x, atol, rtol, *, hermitian: _rank(x, None, hermitian, atol=atol, rtol=rtol),
    "matrix_rank_tol": lambda x, tol, *, use_default_tol, hermitian: _rank(x, tol, hermitian),
    "max_pool2d_with_index": _pool_with_places(2),
    "max_pool3d_with_index": _pool_with_places(3),
    "max_with_index": lambda x, *, dim, keepdim, flatten: tensor.max(x, dim, keepdim),
    "median": lambda x, axis, *, keepdim, mode: tensor.median(x, axis[0] if axis else None, keepdim, mode=mode),
    "memcpy_d2h": tensor.assign, "memcpy_h2d": tensor.assign,
    "min_with_index": lambda x, *, dim, keepdim, flatten: tensor.min(x, dim, keepdim),
    "nanmedian": lambda x, axis, *, keepdim, mode: tensor.nanmedian(
        x, axis[0] if axis and len(axis) == 1 else axis or None, keepdim, mode=mode
    ),
    "nansum": lambda x, axis, *, dtype, keepdim: tensor.nansum(x, axis or None, dtype, keepdim),
    "nextafter": tensor.nextafter,
    "ones": lambda *, shape, dtype: tensor.ones(shape, dtype),
    "ones_like": lambda x, *, dtype: tensor.ones_like(x, dtype),
    "polygamma": lambda x, *, n: tensor.polygamma(x, n),
    "reduce_as": tensor.reduce_as,
    "repeat_interleave": lambda x, *, repeats, axis, output_size=None: tensor.repeat_interleave(x, repeats, axis),
    "repeat_interleave_with_tensor_index": lambda x, repeats, *, axis, output_size=None: tensor.repeat_interleave(x, repeats, axis),
    "rint": tensor.round,
    "rms_norm": _rms_norm,
    "round": _round,
    "shape": lambda input: tensor.shape(input),
    "shape64": lambda input: tensor.cast(tensor.shape(input), "int64"),
    "share_data": tensor.assign,
    "sigmoid_cross_entropy_with_logits": _logits_entropy,
    "slice_array_dense": _element,
    "split_with_num": lambda x, axis, *, num: [tensor.split(x, num, axis)],
    "std": lambda x, axis=None, **given: tensor.sqrt(_variance(x, axis, **given)),
    "strided_slice": _strided_slice,
    "svdvals": linalg.svdvals,
    "swiglu": fused.swiglu,
    "thresholded_relu": lambda x, *, threshold, value: functional.thresholded_relu(x, threshold, value=value),
    "tril": lambda x, *, diagonal: tensor.tril(x, diagonal),
    "tril_indices": lambda *, rows, cols, offset, dtype: tensor.tril_indices(rows, cols, offset, dtype),
    "triu": lambda x, *, diagonal: tensor.triu(x, diagonal),
    "triu_indices": lambda *, row, col, offset, dtype: tensor.triu_indices(row, col, offset, dtype),
    "variable_length_memory_efficient_attention": fused.variable_length_memory_efficient_attention,
    "variance": _variance, "var": _variance,
    "view_dtype": lambda input, *, dtype: tensor.view(input, dtype),
    "view_shape": lambda input, *, dims: tensor.reshape(input, dims),
    "zeros": lambda *, shape, dtype: tensor.zeros(shape, dtype),
    "zeros_like": lambda x, *, dtype: tensor.zeros_like(x, dtype),
}  # fmt: skip
