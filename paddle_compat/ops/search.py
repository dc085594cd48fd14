"""Finding and ordering: top-k, sorting, the place of an extreme, unique values, histograms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._checks import check_axis, check_rank, fit
from paddle_compat.ops._select import SMALL, holds_nan
from paddle_compat.ops._ties import largest as largest_of

Tensor = torch.Tensor


def _infer_top(x: Meta, k_tensor: Meta | None = None, *, k: int = 1, axis: int = -1, **attrs: Any) -> tuple[Meta, Meta]:
    shape = list(x.shape)
    check_axis(axis, len(shape), shape)
    if k_tensor is None and k < 1:
        raise invalid_argument("k", "at least 1", k)
    if shape:
        shape[axis] = -1 if k_tensor is not None else k
    return Meta(tuple(shape), x.dtype), Meta(tuple(shape), torch.int64)


def _infer_top_1(x: Meta, k_tensor: Meta | None = None, *, k: int = 1) -> tuple[Meta, Meta]:
    """As Paddle 1.8, which looks at the attribute alone."""
    return _infer_top(x, None, k=k)


@op(inputs=("X", "K?"), outputs=("Out", "Indices"), grad=("X", "Indices"), no_grad=("K",), infer=_infer_top_1)
def top_k(x: Tensor, k_tensor: Tensor | None = None, *, k: int = 1) -> tuple[Tensor, Tensor]:
    """The k largest elements of each row, largest first, and where they stand."""
    count = k if k_tensor is None else int(k_tensor)
    if count == 1 and x.dim():
        values, indices = torch.max(x, -1, keepdim=True)
    else:
        indices = largest_of(x, count)
        values = x.gather(-1, indices)
    return values, indices


@op(inputs=("X", "K?"), outputs=("Out", "Indices"), grad=("X", "K", "Indices"), no_grad=("K",), infer=_infer_top)
def top_k_v2(
    x: Tensor, k_tensor: Tensor | None = None, *, k: int = 1, axis: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Tensor, Tensor]:
    """The k largest or smallest elements along a dimension, and where they stand."""
    if not x.dim():  # of which there is one, however many are asked for
        check_axis(axis, 1, (1,))
        return x.clone(), torch.zeros((), dtype=torch.int64, device=x.device)
    if not x.shape[axis] and x.is_floating_point():  # as Paddle 3
        values = (x.sum(axis, keepdim=True) / math.nan).repeat_interleave(k if k_tensor is None else int(k_tensor), axis)
        return values, torch.zeros_like(values, dtype=torch.int64)
    values, indices = torch.topk(x, k if k_tensor is None else int(k_tensor), axis, largest, sorted)
    return values, indices


def _infer_argsort(x: Meta, *, axis: int = -1, descending: bool = False) -> tuple[Meta, Meta]:
    check_axis(axis, len(x.shape), x.shape)
    return Meta(x.shape, x.dtype), Meta(x.shape, torch.int64)


@op(inputs=("X",), outputs=("Out", "Indices"), grad=("X", "Indices"), infer=_infer_argsort)
def argsort(x: Tensor, *, axis: int = -1, descending: bool = False) -> tuple[Tensor, Tensor]:
    """x in order along a dimension, and where each element came from."""
    values, indices = torch.sort(x, dim=axis, descending=descending, stable=True)
    return values, indices


def _place(x: Tensor, largest: bool, axis: int, keepdims: bool, flatten: bool, dtype: int) -> Tensor:
    if flatten:
        out = _along(x.detach().reshape(-1), largest, 0, False)
        out = out.reshape([1] * x.dim()) if keepdims else out
    else:
        check_axis(axis, x.dim(), x.shape)
        out = _along(x.detach(), largest, axis, keepdims)
    return out if dtype < 0 else out.to(torch_dtype(dtype))


_LAYER = 512  # from how many elements on it costs less to compare whole layers with one another than to walk through them
_EXACT = (torch.float32, torch.float64)  # what holds the number of a layer


def _of_layers(x: Tensor, largest: bool, axis: int) -> tuple[Tensor, Tensor]:
    """The extremes along a dimension, and the first layers that have them: by arithmetic, which works on whole registers."""
    extremes = (torch.amax if largest else torch.amin)(x, axis, True)
    count = x.shape[axis]
    numbers = torch.arange(count, dtype=x.dtype).reshape([count if n == axis % x.dim() else 1 for n in range(x.dim())])
    places = torch.ne(x, extremes, out=torch.empty_like(x)).mul_(count).add_(numbers)  # other layers are behind all that may be it
    return extremes, places.amin(axis, True).long()


def _along(x: Tensor, largest: bool, axis: int, keepdims: bool) -> Tensor:
    """Where the extreme stands along a dimension, the first of equal ones; NaN is passed over."""
    find = torch.argmax if largest else torch.argmin
    if x.dim() and x.is_cpu and type(x) is Tensor:  # nearly never is anything NaN, which is seen by what torch finds
        if x.numel() < SMALL and not holds_nan(x):
            return find(x, axis, keepdims)
        layers = x.dtype in _EXACT and x.stride(axis) >= _LAYER and x.is_contiguous()
        # in a fraction of the time
        extremes, places = _of_layers(x, largest, axis) if layers else (torch.max if largest else torch.min)(x, axis, True)
        if not x.is_floating_point() or not holds_nan(extremes):
            return places if keepdims else places.squeeze(axis)
    if x.is_floating_point():
        x = torch.nan_to_num(x, -math.inf if largest else math.inf, math.inf, -math.inf)
    return find(x, axis, keepdims) if x.dim() else find(x).reshape([1] * keepdims)


@op(inputs=("X",), lod=None)
def arg_max(x: Tensor, *, axis: int = -1, keepdims: bool = False, flatten: bool = False, dtype: int = 3) -> Tensor:
    """Where the largest element stands, along a dimension or in the flattened tensor."""
    return _place(x, True, axis, keepdims, flatten, dtype)


@op(inputs=("X",), lod=None)
def arg_min(x: Tensor, *, axis: int = -1, keepdims: bool = False, flatten: bool = False, dtype: int = 3) -> Tensor:
    """Where the smallest element stands, along a dimension or in the flattened tensor."""
    return _place(x, False, axis, keepdims, flatten, dtype)


# ---- unique


def _in_order_of_appearance(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Unique values as they first come, the number of its value for each element, and how often each value comes."""
    values, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
    order = torch.argsort(_first_places(inverse, values.numel()))
    return values[order], torch.argsort(order)[inverse], counts[order]


def _first_places(inverse: Tensor, count: int) -> Tensor:
    """Where each unique value first occurs."""
    place = torch.arange(inverse.numel(), device=inverse.device)
    return torch.full((count,), inverse.numel(), device=inverse.device).scatter_reduce(0, inverse, place, "amin")


def _infer_unique(
    x: Meta, *, dtype: int, axis: Sequence[int] = (), is_sorted: bool = False, **flags: Any
) -> tuple[Meta | None, ...]:
    number = torch_dtype(dtype)
    if not is_sorted:
        check_rank("x", x, 1)
    for dim in axis:
        check_axis(dim, len(x.shape), x.shape)
    shape = [-1] if not axis else [-1 if n == axis[0] % len(x.shape) else size for n, size in enumerate(x.shape)]
    places = Meta((-1,), number)
    size = -1 if -1 in x.shape else math.prod(x.shape[axis[0] : axis[0] + 1] if axis else x.shape)
    inverse = Meta(x.shape if not is_sorted else (size,), number)
    return (
        Meta(tuple(shape), x.dtype),
        places if flags.get("return_index") else None,
        inverse if not is_sorted or flags.get("return_inverse") else None,
        places if flags.get("return_counts") else None,
    )


@op(inputs=("X",), outputs=("Out", "Indices?@2", "Index?", "Counts?@2"), infer=_infer_unique, lod=None)
def unique(
    x: Tensor,
    *,
    dtype: int = 3,
    axis: Sequence[int] = (),
    is_sorted: bool = False,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
) -> tuple[Tensor, Tensor | None, Tensor | None, Tensor | None]:
    """The different values of x (or its different slices along `axis`), in order when `is_sorted`.

    With them: where each first occurs, the number of its value for each element, how often each value occurs.
    """
    number = torch_dtype(dtype)
    if not is_sorted:
        values, inverse, _ = _in_order_of_appearance(x.reshape(-1))
        return values, None, inverse.to(number), None
    if axis and not x.numel():  # as in 3.3.1; 2.6.2 ends the process
        none = x.new_empty(0, dtype=number)
        return x.clone(), none if return_index else None, none if return_inverse else None, none if return_counts else None
    located = return_index or return_inverse
    if axis:
        values, inverse, counts = torch.unique(x, sorted=True, return_inverse=True, return_counts=True, dim=axis[0])
    else:  # what `torch.unique` calls in the end
        values, inverse, counts = torch._unique2(x, True, located, return_counts)
    inverse = inverse.reshape(-1)
    return (
        values,
        _first_places(inverse, values.shape[axis[0] if axis else 0]).to(number) if return_index else None,
        inverse.to(number) if return_inverse else None,
        counts.to(number) if return_counts else None,
    )


def _infer_counts(x: Meta, *, dtype: int = 2) -> tuple[Meta, Meta, Meta]:
    return Meta((-1,), x.dtype), Meta(x.shape, torch_dtype(dtype)), Meta((-1,), torch_dtype(dtype))


@op(inputs=("X",), outputs=("Out", "Index", "Count"), infer=_infer_counts, lod=None)
def unique_with_counts(x: Tensor, *, dtype: int = 2) -> tuple[Tensor, Tensor, Tensor]:
    """The different values of a vector as they first come, each element's number among them, and all counts."""
    values, inverse, counts = _in_order_of_appearance(x)
    return values, inverse.to(torch_dtype(dtype)), counts.to(torch_dtype(dtype))


def _infer_consecutive(x: Meta, *, axis: Sequence[int] = (), dtype: int = 3, **flags: Any) -> tuple[Meta | None, ...]:
    shape = [-1] if not axis else [-1 if n == axis[0] % len(x.shape) else size for n, size in enumerate(x.shape)]
    places = Meta((-1,), torch_dtype(dtype))
    size = -1 if -1 in x.shape else math.prod(x.shape[axis[0] : axis[0] + 1] if axis else x.shape)
    inverse = Meta((size,), torch_dtype(dtype)) if flags.get("return_inverse") else None
    return Meta(tuple(shape), x.dtype), inverse, places if flags.get("return_counts") else None


@op(inputs=("X",), outputs=("Out", "Index?", "Counts?"), infer=_infer_consecutive, lod=None)
def unique_consecutive(
    x: Tensor, *, axis: Sequence[int] = (), dtype: int = 5, return_inverse: bool = False, return_counts: bool = False
) -> tuple[Tensor, Tensor | None, Tensor | None]:
    """x with runs of equal values (or of equal slices along `axis`) cut to one."""
    values, inverse, counts = torch.unique_consecutive(
        x, return_inverse=True, return_counts=True, dim=axis[0] if axis else None
    )
    number = torch_dtype(dtype)
    return (
        values,
        inverse.reshape(-1).to(number) if return_inverse else None,
        counts.to(number) if return_counts else None,
    )


# ---- counting


@op(inputs=("SortedSequence", "Values"), lod=None)
def searchsorted(sequence: Tensor, values: Tensor, *, out_int32: bool = False, right: bool = False) -> Tensor:
    """Where each value would have to be inserted into its sorted row."""
    places = torch.searchsorted(sequence.contiguous(), values.contiguous(), out_int32=out_int32, right=right)
    if values.is_floating_point():  # what is not finite comes behind everything in Paddle, whatever its sign
        places = places.masked_fill(~values.isfinite(), sequence.shape[-1])
    return places


@op(inputs=("X",), infer=lambda x, *, bins, **attrs: Meta((bins,), torch.int64), lod=None)
def histogram(x: Tensor, *, bins: int = 100, min: int = 0, max: int = 0) -> Tensor:
    """How many elements fall into each of `bins` equal parts of the range; both ends 0: the range of x."""
    numbers = x.detach().double()
    if type(x) is Tensor and x.is_cpu and x.numel() >= SMALL:
        low, high = (min, max) if min != max else torch.stack(torch.aminmax(numbers)).tolist()
        if -math.inf < low < high < math.inf:
            return _counted(numbers.reshape(-1).numpy(), bins, low, high, min == max)
    return torch.histc(numbers, bins, min, max).long()


def _counted(values: npt.NDArray[np.float64], bins: int, low: float, high: float, inside: bool) -> Tensor:
    """What `torch.histc` counts, in a third of the time: whether all values lie between the bounds is known, or found out."""
    if not inside:
        values = values[(values >= low) & (values <= high)]
    places = ((values - low) * bins / (high - low)).astype(np.int64)
    return torch.from_numpy(np.bincount(np.minimum(places, bins - 1), minlength=bins))


def _infer_bincount(x: Meta, weights: Meta | None = None, **attrs: Any) -> Meta:
    check_rank("x", x, 1)
    if weights is not None and not fit(x.shape, weights.shape):
        raise invalid_argument("weights", f"shape {list(x.shape)}, as x has", f"shape {list(weights.shape)}")
    return Meta((-1,), x.dtype if weights is None else weights.dtype)


@op(inputs=("X", "Weights?"), infer=_infer_bincount, lod=None)
def bincount(x: Tensor, weights: Tensor | None = None, *, minlength: int = 0) -> Tensor:
    """How often each whole number occurs, or the sum of the weights of its occurrences."""
    out = torch.bincount(x, weights, minlength)
    return out if weights is None else out.to(weights.dtype if weights.is_floating_point() else torch.float64)
