"""The operators of `paddle.sparse` that Programs have, on torch's COO tensors. None has a gradient, as in Paddle 2.6 and 3.3."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.ops import sparse
from paddle_compat.ops._update_parts import single

COO = "coo"


def _coo(shape: Sequence[int], dtype: torch.dtype) -> Meta:
    return Meta(tuple(shape), dtype, kind=COO)


def _made(indices: Tensor, values: Tensor, shape: Sequence[int]) -> Tensor:
    return torch.sparse_coo_tensor(indices, values, tuple(shape), check_invariants=False)


def _like(x: Tensor, values: Tensor) -> Tensor:
    return _made(x._indices(), values, x.shape)


def _same(x: Meta, *rest: Any, **attrs: Any) -> Meta:
    return _coo(x.shape, x.dtype)


@op(inputs=("values", "indices"), outputs=("out",), infer=lambda values, indices, *, shape=(): _coo(shape, values.dtype), lod=None)
def sparse_sparse_coo_tensor(values: Tensor, indices: Tensor, *, shape: Sequence[int] = ()) -> Tensor:
    """A sparse tensor of values and their coordinates."""
    if len(values) != indices.shape[1]:
        raise invalid_argument("values", f"as many as the {indices.shape[1]} columns of indices", len(values), "sparse_coo_tensor")
    return _made(indices, values, shape)


@op(inputs=("x",), outputs=("out",), infer=lambda x: Meta((len(x.shape) - 1, -1), torch.int64), lod=None)
def sparse_indices(x: Tensor) -> Tensor:
    """Where the values are."""
    return x._indices()


@op(inputs=("x",), outputs=("out",), infer=lambda x: Meta((-1, *x.shape[-1:]), x.dtype), lod=None)
def sparse_values(x: Tensor) -> Tensor:
    """The values that are there."""
    return x._values()


@op(inputs=("x",), outputs=("out",), infer=lambda x: Meta(x.shape, x.dtype), lod=None)
def sparse_to_dense(x: Tensor) -> Tensor:
    """All elements."""
    return sparse.whole(x._indices(), x._values(), x.shape)


# By function, what becomes of each value; where values lie stays.
OF_VALUES: dict[str, Callable[[Tensor], Tensor]] = {
    **{name: getattr(torch, name) for name in "abs asin asinh atan atanh expm1 isnan log1p relu sin sinh sqrt square tan tanh".split()},
    "relu6": torch.nn.functional.relu6,
}


def _function_of_values(name: str, compute: Callable[[Tensor], Tensor]) -> Any:
    gives = {"isnan": torch.bool}

    @op(inputs=("x",), outputs=("out",), name=f"sparse_{name}", infer=lambda x: _coo(x.shape, gives.get(name, x.dtype)), lod=None)
    def fn(x: Tensor) -> Tensor:
        return _like(x, compute(x._values()))

    return fn


for _name, _compute in OF_VALUES.items():
    globals()[f"sparse_{_name}"] = _function_of_values(_name, _compute)


@op(inputs=("x",), outputs=("out",), infer=_same, lod=None)
def sparse_leaky_relu(x: Tensor, *, alpha: float) -> Tensor:
    """The value above 0, a fraction of it below."""
    return _like(x, torch.nn.functional.leaky_relu(x._values(), single(alpha)))


@op(inputs=("x",), outputs=("out",), infer=_same, lod=None)
def sparse_pow(x: Tensor, *, factor: float) -> Tensor:
    """Powers of the values."""
    return _like(x, x._values() ** single(factor))


@op(inputs=("x",), outputs=("out",), infer=_same, lod=None)
def sparse_scale(x: Tensor, *, scale: float, bias: float, bias_after_scale: bool) -> Tensor:
    """The values times a number, and another one added before or after that."""
    return _like(x, x._values() * single(scale) + single(bias) if bias_after_scale else (x._values() + single(bias)) * single(scale))


@op(inputs=("x",), outputs=("out",), infer=_same, lod=None)
def sparse_divide_scalar(x: Tensor, *, scalar: float) -> Tensor:
    """The values by a number."""
    return _like(x, x._values() / single(scalar))


def _of_type(x: Meta, *, index_dtype: int = -1, value_dtype: int = -1) -> Meta:
    return _coo(x.shape, x.dtype if value_dtype < 0 else torch_dtype(value_dtype))


@op(inputs=("x",), outputs=("out",), infer=_of_type, lod=None)
def sparse_cast(x: Tensor, *, index_dtype: int = -1, value_dtype: int = -1) -> Tensor:
    """The values as another type; PyTorch's coordinates have one type."""
    return x if value_dtype < 0 else _like(x, x._values().to(torch_dtype(value_dtype)))


@op(inputs=("x",), outputs=("out",), infer=_same, lod=None)
def sparse_coalesce(x: Tensor) -> Tensor:
    """Places in order, once each, with the sums of their values."""
    return _made(*sparse.coalesced(x._indices(), x._values(), x.shape[: x.sparse_dim()]), x.shape)


@op(inputs=("x",), outputs=("out",), infer=_same, lod=None)
def sparse_softmax(x: Tensor, *, axis: int = -1) -> Tensor:
    """The softmax of the values that are there."""
    return _like(x, sparse.softmax(x._indices(), x._values(), x.shape, axis % x.dim()))


@op(inputs=("x", "y"), outputs=("out",), infer=_same, lod=None)
def sparse_add(x: Tensor, y: Tensor) -> Tensor:
    """The sum of two sparse tensors, or of the values of one and a vector."""
    if not y.is_sparse:
        return _like(x, x._values() + y)
    if torch.equal(x._indices(), y._indices()):  # one by one, also where they name a place several times
        return _like(x, x._values() + y._values())
    return _together(x, y, torch.add)


def _together(x: Tensor, y: Tensor, function: Callable[[Tensor, Tensor], Tensor]) -> Tensor:
    sizes = x.shape[: x.sparse_dim()]
    return _made(*sparse.together(x._indices(), x._values(), y._indices(), y._values(), sizes, function), x.shape)


@op(inputs=("x", "y"), outputs=("out",), infer=_same, lod=None)
def sparse_subtract(x: Tensor, y: Tensor) -> Tensor:
    """The difference of two sparse tensors."""
    return _together(x, y, torch.sub)


@op(inputs=("x", "y"), outputs=("out",), infer=_same, lod=None)
def sparse_multiply(x: Tensor, y: Tensor) -> Tensor:
    """The product of two sparse tensors."""
    return _together(x, y, torch.mul)


@op(inputs=("x", "y"), outputs=("out",), infer=_same, lod=None)
def sparse_divide(x: Tensor, y: Tensor) -> Tensor:
    """The quotient of two sparse tensors, at every place."""
    sizes = x.shape[: x.sparse_dim()]
    return _made(*sparse.divided(x._indices(), x._values(), y._indices(), y._values(), sizes), x.shape)


def _moved(x: Meta, *, perm: Sequence[int]) -> Meta:
    return _coo([x.shape[n] for n in perm], x.dtype)


@op(inputs=("x",), outputs=("out",), infer=_moved, lod=None)
def sparse_transpose(x: Tensor, *, perm: Sequence[int]) -> Tensor:
    """The same values with the dimensions in another order."""
    outer = x.sparse_dim()
    values = x._values().permute(0, *[n - outer + 1 for n in perm[outer:]])
    return _made(x._indices()[list(perm[:outer])], values, [x.shape[n] for n in perm])


def _times(x: Meta, y: Meta) -> Meta:
    return Meta((*x.shape[:-1], *y.shape[1:]), x.dtype) if y.kind != COO else _coo((x.shape[0], y.shape[1]), x.dtype)


@op(inputs=("x", "y"), outputs=("out",), infer=_times, lod=None)
def sparse_matmul(x: Tensor, y: Tensor) -> Tensor:
    """A sparse matrix times a dense one, a vector, or another sparse one."""
    rows, cols = x._indices()
    if not y.is_sparse:
        return sparse.times_dense(rows, cols, x._values(), y, x.shape[0])
    left, right = (rows, cols, x._values()), (*y._indices(), y._values())
    return _made(*sparse.times_sparse(left, right, (*x.shape, y.shape[1])), (x.shape[0], y.shape[1]))


def _reshaped(x: Meta, *rest: Any, shape: Sequence[int]) -> Meta:
    return _coo(sparse.resolved(x.shape, shape), x.dtype)


@op(inputs=("x", "ShapeTensor?", "ShapeTensorList*?"), outputs=("out",), infer=_reshaped, lod=None)
def sparse_reshape(x: Tensor, size: Tensor | None = None, sizes: list[Tensor] | None = None, *, shape: Sequence[int]) -> Tensor:
    """The same values where they lie in another shape."""
    shape = sparse.resolved(x.shape, shape)
    outer = len(shape) - x.dense_dim()
    return _made(sparse.places(sparse.keys(x._indices(), x.shape[: x.sparse_dim()]), shape[:outer]), x._values(), shape)


def _summed(x: Meta, *rest: Any, axis: Sequence[int] = (), dtype: int = -1, keepdim: bool = False) -> Meta:
    rank = len(x.shape)
    along = {axis[0] % rank} if axis else set(range(rank))
    shape = [1 if n in along else size for n, size in enumerate(x.shape) if keepdim or n not in along]
    return _coo(shape if axis or keepdim else [1], x.dtype if dtype < 0 else torch_dtype(dtype))


@op(inputs=("x", "AxisTensor?", "AxisTensorList*?"), outputs=("out",), infer=_summed, lod=None)
def sparse_sum(
    x: Tensor, along: Tensor | None = None, alongs: list[Tensor] | None = None, *, axis: Sequence[int] = (), dtype: int = -1,
    keepdim: bool = False,
) -> Tensor:  # fmt: skip
    """Sums along the first of the dimensions that are named, or of all elements."""
    values = x._values() if dtype < 0 else x._values().to(torch_dtype(dtype))
    if not axis:
        rank = x.dim() if keepdim else 1
        return _made(torch.zeros(rank, 1, dtype=torch.int64, device=x.device), values.sum().reshape(1), [1] * rank)
    indices, values, shape = sparse.summed(x._indices(), values, x.shape, axis[0] % x.dim(), keepdim)
    return _made(indices, values, shape)


def _cut(x: Meta, *rest: Any, axes: Sequence[int], starts: Sequence[int], ends: Sequence[int]) -> Meta:
    shape = list(x.shape)
    for axis, first, last in sparse.bounds(x.shape, axes, starts, ends):
        shape[axis] = last - first
    return _coo(shape, x.dtype)


@op(
    inputs=("x", *(f"{name}Tensor{end}" for name in ("Axes", "Starts", "Ends") for end in ("?", "List*?"))),
    outputs=("out",),
    infer=_cut,
    lod=None,
)
def sparse_slice(
    x: Tensor, a: Any = None, b: Any = None, c: Any = None, d: Any = None, e: Any = None, f: Any = None, *, axes: Sequence[int],
    starts: Sequence[int], ends: Sequence[int],
) -> Tensor:  # fmt: skip
    """A part."""
    return _made(*sparse.part(x._indices(), x._values(), x.shape, sparse.bounds(x.shape, axes, starts, ends)))


def _convolved(
    x: Meta, kernel: Meta, *, paddings: Sequence[int], dilations: Sequence[int], strides: Sequence[int], groups: int, subm: bool, key: str
) -> Meta:
    window, sizes = kernel.shape[:-2], x.shape[1:-1]
    if not subm:
        spans = [d * (k - 1) + 1 for k, d in zip(window, dilations)]
        sizes = tuple((n + 2 * p - span) // s + 1 for n, p, span, s in zip(sizes, paddings, spans, strides))
    return _coo((x.shape[0], *sizes, kernel.shape[-1]), x.dtype)


def _numbers(*rest: Any, **attrs: Any) -> Meta:
    return Meta((-1,), torch.int32)


@op(
    inputs=("x", "kernel"),
    outputs=("out", "rulebook~", "counter~"),
    infer=_convolved,
    describe={"rulebook": _numbers, "counter": _numbers},
    lod=None,
)
def sparse_conv3d(
    x: Tensor, kernel: Tensor, *, paddings: Sequence[int], dilations: Sequence[int], strides: Sequence[int], groups: int, subm: bool,
    key: str,
) -> Tensor:  # fmt: skip
    """A convolution over the values that are there, of two or three dimensions."""
    rules = sparse.Rules(x._indices(), x.shape[:-1], kernel.shape[:-2], strides, [(n, n) for n in paddings], dilations, subm)
    return _made(rules.indices, sparse.convolved(rules, x._values(), kernel, None), [*rules.sizes, kernel.shape[-1]])


def _normalized(x: Meta, mean: Meta, *rest: Any, **attrs: Any) -> tuple[Meta, ...]:
    return (_coo(x.shape, x.dtype), *[Meta(mean.shape, mean.dtype)] * 4, Meta((-1,), x.dtype))


@op(
    inputs=("x", "mean", "variance", "scale", "bias"),
    outputs=("out", "mean_out", "variance_out", "saved_mean", "saved_variance", "reserve_space"),
    infer=_normalized,
    lod=None,
)
def sparse_batch_norm(
    x: Tensor, mean: Tensor, variance: Tensor, scale: Tensor, bias: Tensor, *, momentum: float, epsilon: float, data_layout: str,
    is_test: bool, use_global_stats: bool, trainable_statistics: bool,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Every channel of the values that are there, normalized."""
    values = x._values()
    centre, spread = mean, variance
    if not (is_test and not trainable_statistics or use_global_stats):
        centre, spread = values.mean(0), values.var(0, unbiased=False)
        mean, variance = (old * momentum + new * (1 - momentum) for old, new in ((mean, centre), (variance, spread)))
    factor = (spread + epsilon).rsqrt()
    return _like(x, (values - centre) * factor * scale + bias), mean, variance, centre, factor, values.new_empty(0)
