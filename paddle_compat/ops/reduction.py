"""Many elements become few: sums, means, extremes, norms, medians."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch

from paddle_compat.core.constants import BESIDE, beside
from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, Op, op
from paddle_compat.core.paddle3 import SINCE_3_2
from paddle_compat.ops._broadcast import axes_of
from paddle_compat.ops._checks import check_axis
from paddle_compat.ops._select import SMALL, is_small, ones_where

Tensor = torch.Tensor
_COUNTS = BESIDE[float]
Reduce = Callable[[Tensor, list[int], bool], Tensor]


def flat(x: Tensor, rank1: bool) -> Tensor:
    """A result without dimensions as Paddle 1.x has it: of shape (1,)."""
    return x.reshape(1) if rank1 and x.dim() == 0 else x


def dims_of(x: Tensor, dim: int | Sequence[int], reduce_all: bool) -> list[int]:
    """The dimensions to reduce, counted from 0."""
    dims = [dim] if isinstance(dim, int) else list(dim)
    if reduce_all or not dims:
        return list(range(x.dim()))
    for axis in dims:
        check_axis(axis, x.dim(), x.shape, "dim")
    if 1 < len(dims) == x.dim():  # as many as x has are all of them in Programs, also if one is named twice
        return list(range(x.dim()))
    found = sorted({*axes_of(dims, x.dim())}) if x.dim() else []
    if x.dim() and len(found) < len(dims):
        raise invalid_argument("dim", "dimensions that differ from each other", dims)
    return found


def _infer_mean(x: Meta, *, _rank1: bool = False) -> Meta:
    return Meta((1,) if _rank1 else (), x.dtype)


@op(inputs=("X",), grad=("X",), lod=None, infer=_infer_mean)
def mean(x: Tensor, *, _rank1: bool = False) -> Tensor:
    """The mean of all elements; of whole numbers, a whole number."""
    if x.dtype.is_floating_point or x.dtype.is_complex:
        return flat(mean_of(x, None, False), _rank1)
    return flat(torch.div(x.sum(dtype=x.dtype), x.numel(), rounding_mode="trunc"), _rank1)


class _Extreme(torch.autograd.Function):
    """The extreme along dimensions. Its gradient goes to every element that equals it; torch divides it among them."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, dims: list[int], largest: bool) -> Tensor:
        out = x.amax(dims, keepdim=True) if largest else x.amin(dims, keepdim=True)
        ctx.save_for_backward(x, out)
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        x, out = ctx.saved_tensors
        return grad * ones_where(torch.eq, x, out), None, None


def extreme(x: Tensor, dims: list[int], keep: bool, *, largest: bool) -> Tensor:
    """The largest or smallest element along some dimensions."""
    if not x.requires_grad:
        return x.amax(dims, keepdim=keep) if largest else x.amin(dims, keepdim=keep)
    if is_small(x):
        whole = len(dims) == x.dim() and not keep
        out = (x.max() if largest else x.min()) if whole else x.amax(dims, keepdim=True) if largest else x.amin(dims, keepdim=True)
        if torch.eq(x, out).count_nonzero().item() == out.numel():  # nothing is divided where no two are equal
            return out if keep or whole else out.squeeze(dims)
    out = _Extreme.apply(x, dims, largest)
    return out if keep else out.squeeze(dims)


def _shared_extreme(x: Tensor, dims: list[int], keep: bool, *, largest: bool) -> Tensor:
    """The same as Paddle 3.2 differentiates it: equal elements share the gradient."""
    return x.amax(dims, keepdim=keep) if largest else x.amin(dims, keepdim=keep)


def mean_of(x: Tensor, dims: list[int] | None, keep: bool) -> Tensor:
    """The mean of floating numbers along dimensions, all of them for None: what torch does, too, is to divide a sum, but its own
    call takes longer, and its derivative divides a tensor of x's size, that of a sum one of the result's."""
    if type(x) is Tensor and x.is_cpu and (counts := _COUNTS.get(x.dtype)) is not None:
        if dims is None:
            return torch.div(x.sum([], True) if keep else torch.sum(x), counts[float(x.numel())])
        sizes = x.shape
        count = sizes[dims[0]] if len(dims) == 1 and sizes else x.numel() if len(dims) == x.dim() else math.prod([sizes[d] for d in dims])
        return torch.div(torch.sum(x, dims, keep), counts[float(count)])
    return x.mean(dims or [], keep)


def variance(x: Tensor, dims: list[int] | None, unbiased: bool, keep: bool, least: float = 1.0) -> Tensor:
    """The variance of floating numbers along dimensions, all of them for None; a sum of squares is divided by `least` at the least.

    So the variance of one number is 0; ZeroDivisionError where it would be divided by 0.
    """
    apart = torch.sub(x, mean_of(x, dims, True))
    squares = torch.mul(apart, apart)
    total = squares.sum(dims or [], keep)
    return torch.mul(total, beside(1.0 / max(x.numel() / total.numel() - unbiased, least), x))


def _mean(x: Tensor, dims: list[int], keep: bool) -> Tensor:
    if x.dtype.is_floating_point or x.dtype.is_complex:
        return mean_of(x, dims, keep)
    if x.dtype is torch.bool:
        return x.sum(dims, keep).bool()
    count = math.prod([x.shape[axis] for axis in dims])
    return torch.div(x.sum(dims, keep, dtype=x.dtype), count, rounding_mode="trunc")


def _prod(x: Tensor, dims: list[int], keep: bool) -> Tensor:
    if len(dims) == x.dim() and not keep:
        return x.prod(dtype=x.dtype)
    for axis in reversed(dims):
        x = x.prod(axis, keep, dtype=x.dtype)
    return x


def _sum(x: Tensor, dims: list[int], keep: bool) -> Tensor:
    return x.sum(dims, keep, dtype=x.dtype)


def keeps_rows(rank: int, *, dim: Sequence[int], reduce_all: bool, **attrs: Any) -> bool:
    """Whether a reduction leaves the rows, and with them their LoD, as they are."""
    return not reduce_all and 0 not in axes_of(dim, rank)


def _infer_reduction(
    x: Meta,
    *rest: Any,
    dim: Sequence[int] = (0,),
    keep_dim: bool = False,
    reduce_all: bool = False,
    in_dtype: int = -1,
    out_dtype: int = -1,
    _rank1: bool = False,
) -> Any:
    """What is left of a float tensor; a trial run shows the rest, and what is wrong with the dimensions."""
    rank = len(x.shape)
    dims = [dim] if isinstance(dim, int) else list(dim)
    for axis in dims:  # also where all are reduced
        check_axis(axis, rank, x.shape, "dim")
    if rest or not x.dtype.is_floating_point or max(in_dtype, out_dtype) >= 0 or dims and not rank:
        return NotImplemented
    gone = set(range(rank)) if reduce_all or not dims else {d % rank for d in dims}
    shape = tuple(1 if i in gone else n for i, n in enumerate(x.shape) if keep_dim or i not in gone)
    return Meta(shape or ((1,) if _rank1 else ()), x.dtype)


# what 1.8 gives for no elements; 2.x refuses them (those of sums, products and means, too, which 3.x takes)
_NEUTRAL = {"reduce_max": -math.inf, "reduce_min": math.inf}


def reduction(name: str, compute: Reduce, doc: str, grad: Sequence[str] | None, widens: bool = False) -> Op:
    """Register a `reduce_*` operator; `widens`: 2.x gives int64 for bool and int32."""

    def fn(
        x: Tensor,
        *,
        dim: Sequence[int] = (0,),
        keep_dim: bool = False,
        reduce_all: bool = False,
        in_dtype: int = -1,
        out_dtype: int = -1,
        _rank1: bool = False,
    ) -> Tensor:
        if max(in_dtype, out_dtype) >= 0:  # sums are taken in the type that they come in
            x = x.to(torch_dtype(out_dtype if out_dtype >= 0 else in_dtype))
        if not x.numel() and name in _NEUTRAL:
            gone = dims_of(x, dim, reduce_all)
            if _rank1:
                return flat(x.sum(gone, keep_dim).fill_(_NEUTRAL[name]), _rank1)
            if 0 in [x.shape[d] for d in gone]:
                raise invalid_argument("x", "elements", f"shape {list(x.shape)}", name)
        if widens and (x.dtype is torch.bool or x.dtype is torch.int32 and not _rank1):  # 1.8 sums int32 only
            x = x.long()
        out = flat(compute(x, dims_of(x, dim, reduce_all), keep_dim), _rank1)
        return out.to(torch_dtype(out_dtype)) if out_dtype >= 0 else out

    fn.__doc__ = doc
    numeric = name in ("reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod")
    return op(name=name, inputs=("X",), grad=grad, lod=keeps_rows, infer=_infer_reduction if numeric else None)(fn)


def reduction_by_tensor(name: str, compute: Reduce, doc: str, grad: Sequence[str] | None) -> Op:
    """Register a `reduce_*` operator whose dimensions may be tensors (2.x)."""

    def fn(
        x: Tensor,
        axis_tensor: Tensor | None = None,
        axis_tensors: Sequence[Tensor] | None = None,
        *,
        dim: Sequence[int] = (0,),
        keep_dim: bool = False,
        reduce_all: bool = False,
        in_dtype: int = -1,
        out_dtype: int = -1,
        _rank1: bool = False,
    ) -> Tensor:
        if axis_tensor is not None:
            dim = axis_tensor.flatten().tolist()
        elif axis_tensors:
            dim = [int(t) for t in axis_tensors]
        return flat(compute(x, dims_of(x, dim, reduce_all), keep_dim), _rank1)

    fn.__doc__ = doc
    return op(
        name=name, inputs=("X", "AxisTensor?@2", "AxisTensorList*?@2"), grad=grad, no_grad=_READS[2:], lod=keeps_rows
    )(fn)


def _describe_norm(x: Meta, *, axis: int, **attrs: Any) -> Meta:
    return Meta(tuple(1 if d == axis % len(x.shape) else size for d, size in enumerate(x.shape)), x.dtype)


def _describe_x(x: Meta, *others: Meta, **attrs: Any) -> Meta:
    return x


def _describe_median(x: Meta, *, axis: Sequence[int] = (), keepdim: bool = True, **attrs: Any) -> Meta:
    gone = set(axes_of(axis, len(x.shape))) if axis else set(range(len(x.shape)))
    kept = (1 if d in gone else size for d, size in enumerate(x.shape) if keepdim or d not in gone)
    return Meta((*kept, 2), torch.int64)


def _flags(
    compute: Callable[..., Tensor], of_numbers: Callable[..., Tensor], x: Tensor, dims: int | list[int] | None = None,
    keepdim: bool = False,
) -> Tensor:  # fmt: skip
    """Whether all or any are true. On the CPU torch asks numbers a whole register at a time, booleans one by one."""
    if x.dtype is not torch.bool or type(x) is not Tensor or not x.is_cpu or x.numel() < SMALL:
        return compute(x) if dims is None else compute(x, dims, keepdim)
    return of_numbers(x.view(torch.uint8), () if dims is None else dims, keepdim).view(torch.bool)


all_of = partial(_flags, torch.all, torch.amin)
any_of = partial(_flags, torch.any, torch.amax)
_READS = ("X", "Out", "AxisTensor", "AxisTensorList")
reduce_sum = reduction("reduce_sum", _sum, "The sum.", ("X",), widens=True)
reduce_mean = reduction("reduce_mean", _mean, "The mean.", ("X",))
_extreme = _shared_extreme if SINCE_3_2 else extreme
reduce_max = reduction("reduce_max", partial(_extreme, largest=True), "The largest element.", ("X", "Out"))
reduce_min = reduction("reduce_min", partial(_extreme, largest=False), "The smallest element.", ("X", "Out"))
reduce_prod = reduction("reduce_prod", _prod, "The product.", ("X", "Out"))
reduce_amax = reduction_by_tensor(
    "reduce_amax", torch.amax, "The largest element; equal ones share the gradient.", _READS
)
reduce_amin = reduction_by_tensor(
    "reduce_amin", torch.amin, "The smallest element; equal ones share the gradient.", _READS
)
reduce_all = reduction_by_tensor("reduce_all", all_of, "Whether all are true.", None)
reduce_any = reduction_by_tensor("reduce_any", any_of, "Whether any is true.", None)


@op(inputs=("X",), grad=("X", "Out"), lod=None)
def logsumexp(x: Tensor, *, axis: Sequence[int] = (0,), keepdim: bool = False, reduce_all: bool = False) -> Tensor:
    """The logarithm of the sum of exponentials."""
    return torch.logsumexp(x, dims_of(x, axis, reduce_all), keepdim)


@op(inputs=("X",), grad=("X", "Out"), lod=keeps_rows)
def frobenius_norm(
    x: Tensor,
    *,
    dim: Sequence[int] = (0,),
    keep_dim: bool = False,
    reduce_all: bool = False,
    in_dtype: int = -1,
    out_dtype: int = -1,
    _rank1: bool = False,
) -> Tensor:
    """The square root of the sum of squares."""
    return flat(torch.linalg.vector_norm(x, 2, dims_of(x, dim, reduce_all), keep_dim), _rank1)


class _Damped(torch.autograd.Function):
    """Norms, whose gradients Paddle divides by length^power + epsilon instead of length^power."""

    @staticmethod
    def forward(ctx: Any, length: Tensor, power: float, epsilon: float) -> Tensor:
        ctx.save_for_backward(length)
        ctx.power, ctx.epsilon = power, epsilon
        return length.view_as(length)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:
        divisor = ctx.saved_tensors[0].pow(ctx.power)
        return grad * (divisor / (divisor + ctx.epsilon)), None, None


@op(inputs=("X",), grad=("X", "Out"), lod=None)
def p_norm(
    x: Tensor,
    *,
    porder: float = 2.0,
    axis: int = -1,
    epsilon: float = 1e-12,
    keepdim: bool = False,
    asvector: bool = False,
) -> Tensor:
    """The p-norm along a dimension, or of all elements (`asvector`)."""
    dims = dims_of(x, axis, asvector)
    if abs(porder) == float("inf") and not x.numel():
        return x.abs().sum(dims, keepdim=keepdim)  # 0, as Paddle 3
    if abs(porder) == float("inf"):
        return extreme(x.abs(), dims, keepdim, largest=porder > 0)
    if porder == 0:
        return nonzeros(x, dims, keepdim)
    length = torch.linalg.vector_norm(x, porder, dims, keepdim)
    # 1e-12, which it mostly is, is too small to be seen
    return _Damped.apply(length, porder - 1, epsilon) if epsilon > 1e-9 and length.requires_grad else length


def nonzeros(x: Tensor, dims: list[int], keepdim: bool) -> Tensor:
    """How many elements are not 0, with a gradient of zeros, where torch's norm has none."""
    return (x.abs() if x.is_complex() else x).sign().abs().sum(dims, keepdim=keepdim)


def _length(x: Tensor, *others: Any, axis: int, epsilon: float = 1e-10, is_test: bool = False) -> Tensor:
    return (x.square().sum(axis, keepdim=True) + epsilon).sqrt()


@op(
    inputs=("X",),
    outputs=("Out", "Norm~"),
    grad=("X", "Norm"),
    describe={"Norm": _describe_norm},
    derive={"Norm": _length},
    lod=None,
)
def norm(x: Tensor, *, axis: int, epsilon: float = 1e-10, is_test: bool = False) -> Tensor:
    """x divided by its length along `axis`."""
    return x / _length(x, axis=axis, epsilon=epsilon)


@op(inputs=("X",), grad=("X",), lod=None)
def l1_norm(x: Tensor, *, _rank1: bool = False) -> Tensor:
    """The sum of absolute values."""
    return flat(x.abs().sum(), _rank1)


@op(inputs=("X",), grad=("X",), lod=None, infer=lambda x: Meta((1,), x.dtype))
def squared_l2_norm(x: Tensor) -> Tensor:
    """The sum of squares, of shape (1,). Takes sparse gradients."""
    if x.is_sparse:
        x = x.coalesce().values()
    return x.square().sum().reshape(1)


@op(
    inputs=("X", "Y"),
    outputs=("Out", "sub_result~"),
    grad=("X", "Y", "sub_result"),
    describe={"sub_result": _describe_x},
    derive={"sub_result": lambda x, y, out: x - y},
)
def squared_l2_distance(x: Tensor, y: Tensor) -> Tensor:
    """The squared distance of each row of x to the row of y (or to its only one), of shape (N, 1)."""
    return (x - y).flatten(1).square().sum(1, keepdim=True)


def _rows_and_middles(x: Tensor, kept: list[int], dims: Sequence[int]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """x with what the medians are of as rows, how many are no NaN, and which two of each row in order are its middle."""
    rows = x.permute(*kept, *dims).flatten(len(kept)) if dims else x.reshape(1)
    count = (rows == rows).sum(-1, keepdim=True)
    return rows, count, ((count - 1) // 2).clamp(min=0), (count // 2).clamp(max=rows.shape[-1] - 1)


def _median_places(x: Tensor, out: Tensor, *, axis: Sequence[int] = (), **attrs: Any) -> Tensor:
    """Where the two numbers in the middle stand among those that the median is of; -1 where all are NaN."""
    dims = dims_of(x, axis, False)
    rows, count, low, high = _rows_and_middles(x, [d for d in range(x.dim()) if d not in dims], dims)
    order = rows.argsort(dim=-1, stable=True)
    places = torch.cat([order.gather(-1, low), order.gather(-1, high)], -1)
    return places.masked_fill(count == 0, -1).reshape(*out.shape, 2)


@op(
    inputs=("X",),
    outputs=("Out", "MedianIndex~"),
    grad=("X", "MedianIndex"),
    describe={"MedianIndex": _describe_median},
    derive={"MedianIndex": _median_places},
    lod=None,
)
def nanmedian(x: Tensor, *, axis: Sequence[int] = (), keepdim: bool = True, _shared: bool = False) -> Tensor:
    """The median without NaN; of an even count, the mean of the middle two, in x's type.

    With _shared, as in Paddle 3, the gradient of a median that is one of the elements goes in equal parts to all that equal it.
    """
    dims = dims_of(x, axis, False)
    kept = [d for d in range(x.dim()) if d not in dims]
    rows, _, low, high = _rows_and_middles(x, kept, dims)
    shape = [1 if d in dims else x.shape[d] for d in range(x.dim())] if keepdim else [x.shape[d] for d in kept]
    if not rows.shape[-1]:
        return x.new_full(shape, math.nan)
    ordered = rows.sort(-1).values  # NaN last
    first, second = ordered.gather(-1, low), ordered.gather(-1, high)
    middle = ((first + second) / 2).to(x.dtype)
    if _shared and x.requires_grad:
        equals = rows.masked_fill(rows != first, math.inf).amin(-1, keepdim=True)  # whose gradient is shared out
        middle = torch.where(first == second, equals, middle)
    return torch.where(first.isnan(), first.detach(), middle).reshape(shape)  # NaN, where there is nothing else, gets no gradient


@op(inputs=("X",), outputs=("Out", "Indices"), grad=("X", "Indices"))
def kthvalue(x: Tensor, *, k: int = 1, axis: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The k-th smallest element along a dimension, and where it stands."""
    if x.dim() and 0 < 64 * k <= x.shape[axis]:  # few enough for torch to sort no more than them
        values, indices = (found.narrow(axis, k - 1, 1) for found in torch.topk(x, k, axis, largest=False))
        return (values, indices) if keepdim else (values.squeeze(axis), indices.squeeze(axis))
    values, indices = torch.kthvalue(x, k, axis, keepdim)
    return values, indices


@op(inputs=("X",), outputs=("Out", "Indices"), grad=("X", "Indices"))
def mode(x: Tensor, *, axis: int = -1, keepdim: bool = False) -> tuple[Tensor, Tensor]:
    """The most frequent element along a dimension (the smallest of several), and where its last occurrence stands."""
    if x.dim() == 0:
        return x.clone(), torch.zeros_like(x, dtype=torch.int64)
    ordered, order = torch.sort(x.detach(), dim=axis, stable=True)
    position = torch.arange(x.shape[axis], device=x.device).reshape([-1] + [1] * (x.dim() - 1 - axis % x.dim()))
    begins = ordered != ordered.roll(1, axis)  # NaN is not equal to NaN
    length = position - torch.where(begins, position, 0).cummax(axis).values
    indices = order.gather(axis, length.argmax(axis, keepdim=True))
    out = x.gather(axis, indices)
    return (out, indices) if keepdim else (out.squeeze(axis), indices.squeeze(axis))
