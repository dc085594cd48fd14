"""The operators of `paddle.sparse` in eager mode, by position, as `paddle._C_ops` hands them out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat import sparse, tensor
from paddle_compat.sparse._arguments import sparse as checked
from paddle_compat.sparse.nn import functional


def _scale(x: Any, scale: float, bias: float, bias_after_scale: bool) -> Any:
    values = checked(x, "x", "scale")._values
    return x._like(values * scale + bias if bias_after_scale else (values + bias) * scale)  # type: ignore[operator]


def _convolution(x: Any, kernel: Any, paddings: Any, dilations: Any, strides: Any, groups: int, subm: bool, key: str = "") -> Any:
    if subm:
        return functional.subm_conv3d(x, kernel, None, list(strides), list(paddings), list(dilations), groups, key=key or None)
    return functional.conv3d(x, kernel, None, list(strides), list(paddings), list(dilations), groups)


def _of_values(name: str) -> Callable[[Any], Any]:
    return lambda x: x._like(getattr(checked(x, "x", name)._values, name)())


_OTHERS: dict[str, Callable[..., Any]] = {
    **{name: _of_values(name) for name in ("acos", "acosh")},
    "conv3d": _convolution,
    "divide_scalar": lambda x, scalar: sparse.divide(x, float(scalar)),
    "full_like": lambda x, value, dtype=None: x._like(tensor.full_like(checked(x, "x", "full_like")._values, value, dtype)),
    "fused_attention": lambda q, k, v, mask, padding=None, attn=None: functional.attention(q, k, v, mask, padding, attn),
    "indices": lambda x: x.indices(),
    "maxpool": lambda x, sizes, paddings, dilations, strides: functional.max_pool3d(x, list(sizes), list(strides), list(paddings)),
    "scale": _scale,
    "sparse_coo_tensor": lambda values, indices, shape: sparse.sparse_coo_tensor(
        indices, values, shape, stop_gradient=values.stop_gradient
    ),
    "to_dense": lambda x: x.to_dense(),
    "to_sparse_coo": lambda x, sparse_dim: x.to_sparse_coo(sparse_dim),
    "to_sparse_csr": lambda x: x.to_sparse_csr(),
    "values": lambda x: x.values(),
}
_ACTIVATIONS = ("leaky_relu", "relu", "relu6", "softmax")
_SAME = (
    "abs", "add", "addmm", "asin", "asinh", "atan", "atanh", "cast", "coalesce", "divide", "expm1", "isnan", "log1p", "mask_as",
    "masked_matmul", "matmul", "multiply", "mv", "pow", "reshape", "sin", "sinh", "slice", "sqrt", "square", "subtract", "sum",
    "tan", "tanh", "transpose",
)  # fmt: skip


def function(name: str) -> Callable[..., Any] | None:
    """What computes `sparse_` and a name; None where nothing here does."""
    name = name.removeprefix("sparse_")
    if name in _OTHERS:
        return _OTHERS[name]
    home = functional if name in _ACTIVATIONS else sparse if name in _SAME else None
    made: Callable[..., Any] | None = getattr(home, name, None)
    return made
