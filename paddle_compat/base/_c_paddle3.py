"""Operators of `paddle._C_ops` that Paddle 3 has besides, by position: each is a function, or a few, of this package.

What has a random number generator's seed, a fused activation or a mask as one of its arguments takes it as Paddle does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import torch

from paddle_compat import linalg, nn, tensor
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.place import Place
from paddle_compat.core.tensor import Tensor

F = nn.functional


def _axes(axis: Any) -> Any:
    """Dimensions as functions take them: none of them is all."""
    return None if axis is None or isinstance(axis, (list, tuple)) and not axis else axis


def _linear(x: Any, weight: Any, bias: Any, transpose_weight: bool = False) -> Any:
    return F.linear(x, tensor.transpose(weight, [1, 0]) if transpose_weight else weight, bias)


def _end_with_index(last: Any, where: Any) -> Callable[..., Any]:
    def found(x: Any, dim: Any, keepdim: bool = False, flatten: bool = False) -> tuple[Any, Any]:
        axis = None if flatten else int(dim)
        return last(x, axis, keepdim), where(x, axis, keepdim)

    return found


def _median(x: Any, axis: Any = (), keepdim: bool = True, mode: str = "avg") -> tuple[Any, Any]:
    axis = _axes(axis)
    axis = axis[0] if isinstance(axis, (list, tuple)) and len(axis) == 1 else axis
    if mode == "avg":  # the places of both middle values
        order = tensor.argsort(tensor.flatten(x) if axis is None else x, axis=-1 if axis is None else axis, stable=True)
        along = -1 if axis is None else axis
        count = order.shape[along]
        middle = tensor.to_tensor([(count - 1) // 2, count // 2], dtype="int64")
        places = tensor.moveaxis(tensor.index_select(order, middle, along), along, -1)
        return tensor.median(x, axis, keepdim), tensor.unsqueeze(
            places, along - 1 if along < 0 else along
        ) if keepdim and axis is not None else places
    values, places = (
        tensor.median(x, axis, keepdim, mode="min") if axis is not None else (tensor.median(x, keepdim=keepdim, mode="min"), None)
    )
    return values, Tensor(torch.zeros(0, dtype=torch.int64)) if places is None else places


def _fractional(pool: Any) -> Callable[..., Any]:
    def pooled(x: Any, output_size: Any, kernel_size: Any = (), random_u: float = 0.0, return_mask: bool = True) -> tuple[Any, Any]:
        kernel = None if not kernel_size or not any(kernel_size) else list(kernel_size)
        found: tuple[Any, Any] = pool(x, list(output_size), kernel, random_u or None, True)
        return found

    return pooled


def _power_pool(
    x: Any, kernel_size: Any, strides: Any = (1, 1), paddings: Any = (0, 0), ceil_mode: bool = False, exclusive: bool = True,
    data_format: str = "NCHW", pooling_type: str = "", global_pooling: bool = False, adaptive: bool = False,
    padding_algorithm: str = "EXPLICIT", norm_type: float = 0.0,
) -> Any:  # fmt: skip
    kernel = list(x.shape[2:] if data_format == "NCHW" else x.shape[1:-1]) if global_pooling else kernel_size
    padding = paddings if padding_algorithm == "EXPLICIT" else padding_algorithm
    return F.lp_pool2d(x, float(norm_type), kernel, strides, padding, ceil_mode, data_format)


def _rank(x: Any, atol_tensor: Any, use_default_tol: bool = True, hermitian: bool = False) -> Any:
    return linalg.matrix_rank(x, tol=None if use_default_tol else atol_tensor, hermitian=hermitian)


def _sample_top(
    x: Any, ps: Any, threshold: Any = None, topp_seed: Any = None, seed: int = -1, k: int = 0, mode: str = "truncate"
) -> tuple[Any, ...]:
    found: tuple[Any, ...] = tensor.top_p_sampling(x, ps, threshold, topp_seed, seed, k, mode, True)
    return found


def _dropout_add(
    x: Any, y: Any, seed_tensor: Any, p: Any, is_test: bool, mode: str, seed: int = 0, fix_seed: bool = False
) -> tuple[Any, Any]:
    from paddle_compat.incubate.nn import functional

    sum_ = functional.fused_dropout_add(x, y, float(p), not is_test, mode)
    return sum_, Tensor(torch.zeros(2, dtype=torch.int64))  # the generator's state


def _product_and_activation(x: Any, y: Any, bias: Any, trans_x: bool, trans_y: bool, activation: str) -> tuple[Any, Any]:
    found = tensor.matmul(x, y, trans_x, trans_y) + bias
    return found if activation in ("", "none") else getattr(F, activation)(found), found


def _rotary(
    q: Any, k: Any = None, v: Any = None, sin: Any = None, cos: Any = None, position_ids: Any = None, use_neox_rotary_style: bool = True,
    time_major: bool = False, rotary_emb_base: float = 10000.0,
) -> Any:  # fmt: skip
    from paddle_compat.incubate.nn import functional

    turn = functional.fused_rotary_position_embedding
    return turn(q, k, v, sin, cos, position_ids, use_neox_rotary_style, time_major, rotary_emb_base)


def _attention(
    query: Any, key: Any, value: Any, bias: Any, cu_seqlens_q: Any, cu_seqlens_k: Any, causal_diagonal: Any, seqlen_k: Any,
    max_seqlen_q: Any, max_seqlen_k: Any, causal: bool, dropout_p: float, scale: float, is_test: bool,
) -> tuple[Any, Any, Any]:  # fmt: skip
    for name, given in (("cu_seqlens_q", cu_seqlens_q), ("cu_seqlens_k", cu_seqlens_k), ("causal", causal or None)):
        if given is not None:
            raise UnsupportedError("paddle._C_ops.memory_efficient_attention", name, "incubate.nn.memory_efficient_attention")
    from paddle_compat.incubate.nn.memory_efficient_attention import memory_efficient_attention

    found = memory_efficient_attention(query, key, value, bias, dropout_p, scale if scale > 0 else None, not is_test)
    return found, Tensor(torch.zeros(0)), Tensor(torch.zeros(2, dtype=torch.int64))


def _count(x: Any, low: int, high: int, dtype: Any) -> Any:
    inside = tensor.masked_select(x, tensor.logical_and(x >= low, x < high))
    return tensor.cast(tensor.bincount(inside - low, minlength=high - low), "int64")


def _variance(x: Any, axis: Any = (), keepdim: bool = False, *others: Any) -> Any:
    unbiased, correction = others if len(others) == 2 else (False, None)
    return _spread(tensor.var, x, axis, keepdim, unbiased, correction)


def _deviation(x: Any, axis: Any = (), keepdim: bool = False, unbiased: bool = True, correction: Any = None) -> Any:
    return _spread(tensor.std, x, axis, keepdim, unbiased, correction)


def _spread(function: Any, x: Any, axis: Any, keepdim: bool, unbiased: bool, correction: float | None) -> Any:
    if correction is None or correction == float(unbiased):
        return function(x, _axes(axis), unbiased, keepdim)
    return function(x, _axes(axis), keepdim=keepdim, correction=correction)


def _resilient(
    param: Any, grad: Any, prev: Any, rate: Any, master: Any, limits: Any, factors: Any, multi_precision: bool = False
) -> tuple[Any, ...]:
    """One step of Rprop: the sizes of steps are what Paddle calls the learning rate."""
    from paddle_compat.base._c_operators import run

    attrs = dict(zip(("least", "most", "shrinks", "grows"), map(float, [*limits.tolist(), *factors.tolist()])))
    slots = ("Param", "Grad", "LearningRate", "Prev", "LearningRates", "MasterParam", "ParamOut", "PrevOut", "LearningRatesOut")
    values = (param, grad, rate, prev, rate, master, param, prev, rate)
    attrs["multi_precision"] = multi_precision
    run("rprop_", "rprop", slots, values, attrs, slots[6:])
    return param, prev, rate, master


def _averaged(
    param: Any, grad: Any, rate: Any, d: Any, y: Any, n: Any, master: Any = None, multi_precision: bool = False
) -> tuple[Any, ...]:
    """One step of ASGD: the sum of the last gradients takes this one for the oldest, which is told apart by nobody here."""
    with torch.no_grad():
        target = param if master is None else master
        d._t.add_(grad._t - y._t)
        y._t.copy_(grad._t)
        target._t.sub_((rate._t / n._t * d._t).to(target._t.dtype))
        if master is not None:
            param._t.copy_(master._t)
    return param, d, y, master


def _from_to(start: Any, end: Any, step: Any, dtype: Any, place: Any = None) -> Any:
    """Numbers up to the end, the end included."""
    first, last, by = (value.item() if isinstance(value, Tensor) else value for value in (start, end, step))
    return tensor.cast(first + by * tensor.arange(int((last - first) // by) + 1), dtype)


def _filled(value: Sequence[int], dtype: Any = "float32", place: Any = None) -> Any:
    return tensor.to_tensor(list(value), dtype=dtype)


def _full_like_scalar(value: Any, shape: Any, dtype: Any = None) -> Any:
    return tensor.expand(tensor.cast(tensor.reshape(value, [1]), dtype or value.dtype), shape)


_TABLE: dict[str, Callable[..., Any]] = {
    "asgd_": _averaged,
    "baddbmm": lambda input, x, y, beta=1.0, alpha=1.0: tensor.baddbmm(input, x, y, beta=beta, alpha=alpha),
    "binomial": lambda count, prob: tensor.binomial(count, prob),
    "bitwise_left_shift": lambda x, y, is_arithmetic=True: tensor.bitwise_left_shift(x, y, is_arithmetic),
    "bitwise_right_shift": lambda x, y, is_arithmetic=True: tensor.bitwise_right_shift(x, y, is_arithmetic),
    "copy_to": lambda x, place, blocking=True: x._copy_to(place, blocking),
    "copysign": lambda x, y: tensor.copysign(x, y),
    "div_scale": lambda x, scale=1.0: x / scale,
    "fractional_max_pool2d": _fractional(F.fractional_max_pool2d),
    "fractional_max_pool3d": _fractional(F.fractional_max_pool3d),
    "full_int_array": _filled,
    "full_with_tensor": _full_like_scalar,
    "fused_dropout_add": _dropout_add,
    "fused_gemm_epilogue": _product_and_activation,
    "fused_rotary_position_embedding": _rotary,
    "gammaincc": lambda x, y: tensor.gammaincc(x, y),
    "gammaln": lambda x: tensor.gammaln(x),
    "int_bincount": _count,
    "linear_v2": _linear,
    "lp_pool2d": _power_pool,
    "lu_solve": lambda b, lu, pivots, trans="N": linalg.lu_solve(b, lu, pivots, trans),
    "masked_fill": lambda x, mask, value: tensor.masked_fill(x, mask, value),
    "matrix_rank_atol_rtol": lambda x, atol, rtol=None, hermitian=False: linalg.matrix_rank(x, hermitian=hermitian, atol=atol, rtol=rtol),
    "matrix_rank_tol": _rank,
    "max_with_index": _end_with_index(tensor.max, tensor.argmax),
    "median": _median,
    "memory_efficient_attention": _attention,
    "min_with_index": _end_with_index(tensor.min, tensor.argmin),
    "nansum": lambda x, axis=(), dtype=None, keepdim=False: tensor.nansum(x, _axes(axis), dtype, keepdim),
    "random": lambda x, low, high: tensor.cast(tensor.randint(low, high, x.shape), x.dtype),
    "range_v2": _from_to,
    "reduce_as": lambda x, target: tensor.reduce_as(x, target),
    "rprop_": _resilient,
    "rint": lambda x: Tensor(torch.round(x._t)),
    "shape64": lambda input: tensor.cast(tensor.shape(input), "int64"),
    "slogdet_v2": lambda x: tuple(tensor.unbind(linalg.slogdet(x), 0)),
    "standard_gamma": lambda x: tensor.standard_gamma(x),
    "std": _deviation,
    "svdvals": lambda x: linalg.svdvals(x),
    "swiglu": lambda x, y=None: import_module("paddle_compat.incubate.nn.functional").swiglu(x, y),
    "top_p_sampling": _sample_top,
    "trans_layout": lambda x, perm: tensor.transpose(x, perm),
    "trunc_divide": lambda x, y: tensor.trunc(x / y) if x.dtype in ("float32", "float64") else tensor.cast(tensor.trunc(x / y), x.dtype),
    "var": _variance,
    "variance": _variance,
    "view_slice": lambda input, begin_idx, end_idx: input[begin_idx:end_idx],
}  # fmt: skip


def function(name: str) -> Callable[..., Any] | None:
    """What computes an operator; None where nothing here does.

    Args:
        name: the operator.
    """
    made = _TABLE.get(name)
    return None if made is None else lambda *args: made(*args[:-1] if args and isinstance(args[-1], Place) and name != "copy_to" else args)
