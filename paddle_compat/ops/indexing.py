"""Elements by position: slices, gather and scatter, selection by a mask or condition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import PreconditionNotMetError, invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.ops._checks import check_as_many, check_index_axis, check_integers, check_rank, check_rows, fit
from paddle_compat.ops._select import select
from paddle_compat.ops._slices import drop, picked, sliced_shape, take
from paddle_compat.ops.manipulation import MaybeTensors, whole

Tensor = torch.Tensor
Shape = tuple[int, ...]


# ---- slices


def _infer_slice(
    x: Meta,
    starts_tensor: Meta | None = None,
    ends_tensor: Meta | None = None,
    starts_tensors: Any = None,
    ends_tensors: Any = None,
    *,
    axes: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    infer_flags: Sequence[int],
    decrease_axis: Sequence[int],
    _rank1: bool,
) -> Meta:
    if x.kind == "array":
        return Meta(x.shape, x.dtype, kind="tensor" if decrease_axis else "array")
    if not (starts_tensor or starts_tensors):
        check_as_many(axes, starts=starts)
    if not (ends_tensor or ends_tensors):
        check_as_many(axes, ends=ends)
    flags = [-1] * len(axes) if starts_tensor is not None or ends_tensor is not None else infer_flags
    if not (starts_tensor or ends_tensor or starts_tensors or ends_tensors):
        _check_bounds(x.shape, axes, starts, ends, _rank1)
    starts, ends = list(starts) or [0] * len(axes), list(ends) or [0] * len(axes)  # none where tensors say them
    return Meta(sliced_shape(x.shape, axes, starts, ends, (), flags, decrease_axis, _rank1), x.dtype)


def _check_bounds(shape: Shape, axes: Sequence[int], starts: Sequence[int], ends: Sequence[int], nonempty: bool) -> None:
    """Refuse a slice that ends before it starts (1.x: or where it starts), which is empty in Paddle 3."""
    if SINCE_3 and not nonempty:
        return
    for axis, start, end in zip(axes, starts, ends):
        size = shape[axis]
        first, last = (max(0, min(n + size if n < 0 else n, size)) for n in (start, end))
        if size > 0 and (last < first or nonempty and last == first):
            raise invalid_argument("ends", f"an end behind the start {start} of dimension {axis}, whose size is {size}", end)


_BOUNDS = ("StartsTensor", "EndsTensor", "StartsTensorList", "EndsTensorList")


@op(
    name="slice",
    inputs=("Input", "StartsTensor?", "EndsTensor?", "StartsTensorList*?", "EndsTensorList*?"),
    grad=("Input", *_BOUNDS),
    no_grad=_BOUNDS,
    infer=_infer_slice,
    lod=lambda rank, *, axes, **attrs: 0 not in axes,
)
def slice_(
    x: Tensor,
    starts_tensor: Tensor | None = None,
    ends_tensor: Tensor | None = None,
    starts_tensors: MaybeTensors = None,
    ends_tensors: MaybeTensors = None,
    *,
    axes: Sequence[int],
    starts: Sequence[int] = (),
    ends: Sequence[int] = (),
    infer_flags: Sequence[int] = (),
    decrease_axis: Sequence[int] = (),
    _rank1: bool = False,
) -> Tensor:
    """A block of x, or entries of a tensor array. `decrease_axis` names dimensions of size 1 to drop."""
    first, last = bounds(starts, starts_tensor, starts_tensors), bounds(ends, ends_tensor, ends_tensors)
    if isinstance(x, list):
        part = x[first[0] : last[0]]
        return part[0] if decrease_axis else part
    if list(decrease_axis) == list(axes) and _are_inside(x.shape, axes, first, last):
        for axis, at in sorted(zip(axes, first), reverse=True):
            x = x.select(axis, at)
        return x.reshape(1) if _rank1 and x.dim() == 0 else x
    ends = _behind_picks(axes, first, last, decrease_axis)
    if _rank1:
        _check_bounds(x.shape, axes, first, ends, True)
    out = take(x, axes, first, ends, [1] * len(axes))
    return drop(out, decrease_axis, _rank1) if decrease_axis else out


def _are_inside(shape: Shape, axes: Sequence[int], starts: Sequence[int], ends: Sequence[int]) -> bool:
    """Whether a slice takes one index of each axis, all counted from 0, as most do that drop dimensions."""
    return bool(axes) and all(a >= 0 <= start < shape[a] and end == start + 1 for a, start, end in zip(axes, starts, ends))


def _behind_picks(axes: Sequence[int], starts: Sequence[int], ends: Sequence[int], dropped: Sequence[int]) -> list[int]:
    """The ends of a slice; where one index is picked, -1 is the last one, and what is counted up from it (0) lies behind that."""
    return [10000000 if a in dropped and start == -1 and end == 0 else end for a, start, end in zip(axes, starts, ends)]


def bounds(numbers: Sequence[int], tensor: Tensor | None, tensors: MaybeTensors) -> list[int]:
    """The starts or ends of a slice."""
    return whole(tensor, tensors, numbers)


def _infer_strided(
    x: Meta,
    starts_tensor: Meta | None = None,
    ends_tensor: Meta | None = None,
    strides_tensor: Meta | None = None,
    starts_tensors: Any = None,
    ends_tensors: Any = None,
    strides_tensors: Any = None,
    *,
    axes: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    strides: Sequence[int],
    infer_flags: Sequence[int],
    decrease_axis: Sequence[int],
    _rank1: bool,
) -> Meta:
    if not (starts_tensor or starts_tensors):
        check_as_many(axes, starts=starts)
    if not (ends_tensor or ends_tensors):
        check_as_many(axes, ends=ends)
    if not (strides_tensor or strides_tensors) and strides:
        check_as_many(axes, strides=strides)
    by_tensor = starts_tensor is not None or ends_tensor is not None or strides_tensor is not None
    if by_tensor:
        return Meta((-1,) * len(x.shape), x.dtype, kind=x.kind)
    zeros = [0] * len(axes)
    bounds = (list(starts) or zeros, list(ends) or zeros, list(strides) or [1] * len(axes))
    return Meta(sliced_shape(x.shape, axes, *bounds, infer_flags, decrease_axis, _rank1), x.dtype, kind=x.kind)


_STRIDED = ("StartsTensor", "EndsTensor", "StridesTensor", "StartsTensorList", "EndsTensorList", "StridesTensorList")


@op(
    inputs=("Input", *(f"{name}*?" if name.endswith("List") else f"{name}?" for name in _STRIDED)),
    grad=("Input", *_STRIDED),
    no_grad=_STRIDED,
    infer=_infer_strided,
)
def strided_slice(
    x: Tensor,
    starts_tensor: Tensor | None = None,
    ends_tensor: Tensor | None = None,
    strides_tensor: Tensor | None = None,
    starts_tensors: MaybeTensors = None,
    ends_tensors: MaybeTensors = None,
    strides_tensors: MaybeTensors = None,
    *,
    axes: Sequence[int],
    starts: Sequence[int] = (),
    ends: Sequence[int] = (),
    strides: Sequence[int] = (),
    infer_flags: Sequence[int] = (),
    decrease_axis: Sequence[int] = (),
    _rank1: bool = False,
) -> Tensor:
    """A block of x, or entries of a tensor array, with steps, which may be negative."""
    first, last = bounds(starts, starts_tensor, starts_tensors), bounds(ends, ends_tensor, ends_tensors)
    steps = bounds(strides, strides_tensor, strides_tensors)
    if isinstance(x, list):
        return [x[i] for i in picked(len(x), first[0], last[0], steps[0])]
    out = take(x, axes, first, _behind_picks(axes, first, last, decrease_axis), steps, _rank1)
    return drop(out, decrease_axis, _rank1) if decrease_axis else out


def _first(x: Meta, *others: Any, **attrs: Any) -> Meta:
    return Meta(x.shape, x.dtype)


@op(
    inputs=("Input", "ValueTensor?", "StartsTensorList*?", "EndsTensorList*?", "StepsTensorList*?"),
    grad=("ValueTensor", "StartsTensorList", "EndsTensorList", "StepsTensorList"),
    no_grad=("StartsTensorList", "EndsTensorList", "StepsTensorList"),
    infer=_first,
    lod=None,
)
def set_value(
    x: Tensor,
    value: Tensor | None = None,
    starts_tensors: MaybeTensors = None,
    ends_tensors: MaybeTensors = None,
    steps_tensors: MaybeTensors = None,
    *,
    axes: Sequence[int] = (),
    starts: Sequence[int] = (),
    ends: Sequence[int] = (),
    steps: Sequence[int] = (),
    decrease_axes: Sequence[int] = (),
    none_axes: Sequence[int] = (),
    dtype: int = 5,
    shape: Sequence[int] = (),
    values: Sequence[Any] = (),
) -> Tensor:
    """A copy of x with a block overwritten, by a tensor or by `values` of that `shape`."""
    if value is None:
        value = torch.tensor(list(values), dtype=torch_dtype(dtype), device=x.device).reshape(list(shape))
    out = x.clone()
    # positions instead of a view: steps may be negative, and autograd sees one plain assignment
    numbers = torch.arange(x.numel(), device=x.device).reshape(x.shape)
    first, last = bounds(starts, None, starts_tensors), bounds(ends, None, ends_tensors)
    last = _behind_picks(axes, first, last, decrease_axes)
    block = drop(take(numbers, axes, first, last, bounds(steps, None, steps_tensors), written=True), decrease_axes, False)
    for axis in sorted(none_axes):
        block = block.unsqueeze(axis)
    value = value.to(x.dtype)
    value = value.reshape(block.shape) if value.dim() > block.dim() else value.expand(block.shape)
    return out.reshape(-1).index_copy(0, block.reshape(-1), value.reshape(-1)).reshape(x.shape)


# ---- gather and scatter


def _row_numbers(index: Tensor) -> Tensor:
    """Row numbers as a vector; they may come as a column."""
    if index.numel():  # Paddle 3 takes none of any width
        check_rows(index)
    return index.squeeze(1) if index.dim() == 2 and index.shape[1] == 1 else index


def _long(index: Tensor) -> Tensor:
    """Positions as int64; ValueError for what cannot be positions."""
    if index.dtype not in (torch.int64, torch.int32):
        raise invalid_argument("index", "int32 or int64", index.dtype)
    return index.long()


def _found(look_up: Callable[[Tensor], Tensor], index: Tensor, size: int) -> Tensor:
    """What a look-up gives. Positions below 0 count from the end: where PyTorch refuses them they are put right."""
    if index.is_cpu:
        try:
            return look_up(index)
        except (IndexError, RuntimeError) as error:
            least, most = (int(index.min()), int(index.max())) if index.numel() else (0, -1)
            if least < -size or most >= size:
                raise IndexError(str(error)) from error
            if least >= 0:
                raise
    return look_up(torch.where(index < 0, index + size, index))


def _infer_gather(x: Meta, index: Meta, axis_tensor: Meta | None = None, *, axis: int = 0, **attrs: Any) -> Meta:
    check_integers("index", index)
    check_rows(index)
    check_index_axis(axis, x)
    at = axis % len(x.shape) if axis_tensor is None else 0  # which axis a tensor tells is not looked at while recording
    return Meta((*x.shape[:at], *index.shape[:1], *x.shape[at + 1 :]), x.dtype)


class _GatherRows(torch.autograd.Function):
    """Rows as 1.8 differentiates them with `overwrite`: of a row taken twice only the last gradient counts."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, rows: Tensor) -> Tensor:
        ctx.save_for_backward(rows)
        ctx.rows = x.shape[0]
        return torch.index_select(x, 0, rows)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        (rows,) = ctx.saved_tensors
        return grad.new_zeros(ctx.rows, *grad.shape[1:]).index_copy(0, rows, grad), None


class _Kept(torch.autograd.Function):
    """A changed copy of x whose whole gradient also goes to x."""

    @staticmethod
    def forward(ctx: Any, out: Tensor, x: Tensor) -> Tensor:
        return out.view_as(out)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        return grad, grad


@op(
    inputs=("X", "Index", "Axis?@2"),
    grad={1: ("X", "Index"), 2: ("X", "Index", "Axis")},
    no_grad=("Index", "Axis"),
    infer=_infer_gather,
    older={"overwrite": True},
    lod=None,
)
def gather(
    x: Tensor, index: Tensor, axis_tensor: Tensor | None = None, *, axis: int = 0, overwrite: bool = False
) -> Tensor:
    """The slices of x at some positions along a dimension; `overwrite` concerns the gradient and is 1.x's."""
    rows = _row_numbers(index).reshape(-1)
    if overwrite:
        return _GatherRows.apply(x, rows.long())
    at = axis if axis_tensor is None else int(axis_tensor)
    out = _found(lambda places: torch.index_select(x, at, places), rows, x.shape[at] if x.dim() else 1)
    return out.squeeze(at) if index.dim() == 0 else out


def _infer_gather_nd(x: Meta, index: Meta, **attrs: Any) -> Meta:
    depth = index.shape[-1]
    check_integers("index", index)
    if depth > len(x.shape):
        raise invalid_argument("index", f"a last dimension of at most {len(x.shape)}, as x has shape {list(x.shape)}", list(index.shape))
    return Meta((*index.shape[:-1], *x.shape[depth:]), x.dtype)


def _infer_scatter(x: Meta, ids: Meta, updates: Meta, **attrs: Any) -> Meta:
    check_integers("index", ids)
    check_rows(ids)
    if ids.shape and (len(updates.shape) != len(x.shape) or not fit(updates.shape[:1], ids.shape[:1])):
        rows = f"{len(x.shape)} dimensions and {ids.shape[0]} rows, as x has shape {list(x.shape)} and index {list(ids.shape)}"
        raise invalid_argument("updates", rows, f"shape {list(updates.shape)}")
    return Meta(x.shape, x.dtype)


@op(inputs=("X", "Index"), grad=("X", "Index"), no_grad=("Index",), infer=_infer_gather_nd)
def gather_nd(x: Tensor, index: Tensor) -> Tensor:
    """The slices of x at the positions that the last dimension of `index` spells."""
    if index.shape[-1] == 0:
        return x.expand(*index.shape[:-1], *x.shape).clone()
    if index.shape[-1] == 1:  # rows, which have a kernel of their own
        rows = _found(lambda places: torch.index_select(x, 0, places), _long(index).reshape(-1), x.shape[0])
        return rows if index.dim() == 2 else rows.reshape((*index.shape[:-1], *x.shape[1:]))
    return x[_long(index).unbind(-1)]


@op(inputs=("X", "Ids", "Updates"), grad=("Ids", "Updates"), no_grad=("Ids",), infer=_infer_scatter, lod=None)
def scatter(x: Tensor, ids: Tensor, updates: Tensor, *, overwrite: bool = True, _keep_gradient: bool = False) -> Tensor:
    """x with some rows replaced; without `overwrite`, by the sum of all updates of a row.

    In 1.x (`_keep_gradient`) replaced rows of x get the gradient, too.
    """
    rows = _long(_row_numbers(ids).reshape(-1))
    if ids.dim() == 0:
        updates = updates.unsqueeze(0)
    if updates.dim() and updates.shape[0] > rows.shape[0]:  # as Paddle 3
        updates = updates[: rows.shape[0]]
    base = x.detach() if _keep_gradient else x

    def written(places: Tensor) -> Tensor:
        return base.index_copy(0, places, updates) if overwrite else base.index_fill(0, places, 0).index_add(0, places, updates)

    out = _found(written, rows, x.shape[0] if x.dim() else 1)
    return _Kept.apply(out, x) if _keep_gradient else out


def _infer_scatter_nd(x: Meta, index: Meta, updates: Meta) -> Meta:
    if index.shape and index.shape[-1] > len(x.shape):
        raise invalid_argument("index", f"at most {len(x.shape)} numbers for a position in x", f"shape {list(index.shape)}")
    check_integers("index", index)
    if index.shape and -1 not in index.shape[-1:]:
        rest = (*index.shape[:-1], *x.shape[index.shape[-1] :])
        if len(updates.shape) == len(rest) and not fit(updates.shape, rest):
            raise invalid_argument("updates", f"shape {list(rest)}", f"shape {list(updates.shape)}")
    return Meta(x.shape, x.dtype)


@op(inputs=("X", "Index", "Updates"), grad=("Index", "Updates"), no_grad=("Index",), infer=_infer_scatter_nd)
def scatter_nd_add(x: Tensor, index: Tensor, updates: Tensor) -> Tensor:
    """x with updates added at the positions that the last dimension of `index` spells."""
    if index.shape[-1] == 0:
        return x + updates.reshape(-1, *x.shape).sum(0)
    if index.shape[-1] == 1:
        rows = updates.expand((*index.shape[:-1], *x.shape[1:]))
        rows = rows.flatten(0, index.dim() - 2) if index.dim() > 1 else rows[None]
        return _found(lambda places: x.index_add(0, places, rows), _long(index).reshape(-1), x.shape[0])
    return x.index_put(_long(index).unbind(-1), updates, accumulate=True)


def _infer_select(x: Meta, index: Meta, *, dim: int = 0) -> Meta:
    check_index_axis(dim, x)
    if len(index.shape) != 1 and index.shape[1:] != (1,):
        raise invalid_argument("index", "1 dimension", f"shape {list(index.shape)}", "index_select")
    at = dim % len(x.shape)
    return Meta((*x.shape[:at], *index.shape[:1], *x.shape[at + 1 :]), x.dtype)


@op(inputs=("X", "Index"), grad=("X", "Index"), no_grad=("Index",), infer=_infer_select)
def index_select(x: Tensor, index: Tensor, *, dim: int = 0) -> Tensor:
    """The slices of x at some positions along a dimension; the positions may come as a column."""
    return _found(lambda places: torch.index_select(x, dim, places), _row_numbers(index), x.shape[dim] if x.dim() else 1)


@op(inputs=("x",), outputs=("out",), grad=("x",))
def index_select_strided(x: Tensor, *, index: int, axis: int) -> Tensor:
    """The slice of x at one position."""
    return x.select(axis, index)


def _infer_sample(x: Meta, index: Meta) -> Meta:
    for name, value in (("x", x), ("index", index)):
        check_rank(name, value, 2)
    if not fit(x.shape[:1], index.shape[:1]):
        raise invalid_argument("index", f"as many rows as x has, {x.shape[0]}", index.shape[0], "index_sample")
    return Meta(index.shape, x.dtype)


@op(inputs=("X", "Index"), grad=("X", "Index"), no_grad=("Index",), infer=_infer_sample, lod=None)
def index_sample(x: Tensor, index: Tensor) -> Tensor:
    """From each row of x, the elements at the positions in the same row of `index`."""
    if x.shape[0] != index.shape[0]:
        raise invalid_argument("index", f"as many rows as x has, {x.shape[0]}", index.shape[0], "index_sample")
    return torch.gather(x, 1, _long(index))


def _infer_index_add(x: Meta, index: Meta, value: Meta, *, axis: int = 0) -> Meta:
    check_index_axis(axis, x)
    return Meta(x.shape, x.dtype)


@op(inputs=("X", "Index", "AddValue"), grad=("Index", "AddValue"), no_grad=("Index",), infer=_infer_index_add)
def index_add(x: Tensor, index: Tensor, value: Tensor, *, axis: int = 0) -> Tensor:
    """x with slices added at some positions along a dimension; rows beyond the positions stay out, as in the wheels."""
    if axis in (0, -x.dim()) and value.dim() == x.dim():
        value = value[: len(index)]
    return x.index_add(axis, index, value)


@op(
    inputs=("x", "indices*", "value"),
    outputs=("out",),
    grad=("x", "indices", "value"),
    no_grad=("indices",),
    infer=_first,
)
def index_put(x: Tensor, indices: Sequence[Tensor], value: Tensor, *, accumulate: bool = False) -> Tensor:
    """x with the elements at some positions (or under a mask) replaced or added to."""
    index = [i if i.dtype is torch.bool else i.long() for i in indices]
    if x.is_complex() and value.is_floating_point():
        value = value.to(x.dtype)
    if value.dtype is not x.dtype:
        raise invalid_argument("value", f"the data type of x, {x.dtype}", value.dtype, "index_put")
    return x.index_put(tuple(index), value, accumulate)


def _infer_along(x: Meta, index: Meta, **attrs: Any) -> Meta:
    return Meta(index.shape, x.dtype)


@op(
    inputs=("Input", "Index"),
    outputs=("Result",),
    grad=("Input", "Index"),
    no_grad=("Index",),
    infer=_infer_along,
    lod=None,
)
def take_along_axis(x: Tensor, index: Tensor, *, Axis: int) -> Tensor:
    """The elements at the positions that `index` gives along one dimension."""
    return _found(lambda places: torch.gather(x, Axis, places), index.long(), x.shape[Axis] if x.dim() else 1)


_REDUCES = {"add": "sum", "mul": "prod", "multiply": "prod", "mean": "mean", "amax": "amax", "amin": "amin"}


@op(
    inputs=("Input", "Index", "Value"),
    outputs=("Result",),
    grad=("Input", "Index", "Value", "Result"),
    no_grad=("Index",),
    infer=_first,
)
def put_along_axis(
    x: Tensor,
    index: Tensor,
    value: Tensor,
    *,
    Axis: int,
    Reduce: str = "assign",
    Include_self: bool = True,
) -> Tensor:
    """x with elements overwritten, added to or multiplied at the positions that `index` gives along one dimension."""
    if Reduce != "assign" and Reduce not in _REDUCES:
        raise invalid_argument("reduce", f"one of 'assign', {', '.join(map(repr, _REDUCES))}", Reduce)

    def put(places: Tensor) -> Tensor:
        if Reduce != "assign":
            return x.scatter_reduce(Axis, places, value, _REDUCES[Reduce], include_self=Include_self)
        if not value.requires_grad:
            return x.scatter(Axis, places, value)
        # of values for one place only the last one, which stays there, has a gradient
        number = torch.arange(places.numel(), device=places.device).reshape(places.shape)
        last = number.new_zeros(x.shape).scatter(Axis, places, number).gather(Axis, places) == number
        return x.scatter(Axis, places, torch.where(last, value, value.detach()))

    return _found(put, index.long(), x.shape[Axis] if x.dim() else 1)


def _infer_multiplex(ids: Meta, x: Sequence[Meta]) -> Meta:
    if len(ids.shape) != 2:
        raise invalid_argument("index", "two dimensions", f"shape {list(ids.shape)}")
    if not all(fit(m.shape, x[0].shape) for m in x):
        raise invalid_argument("inputs", "equal shapes", [list(m.shape) for m in x], "multiplex")
    return Meta(x[0].shape, x[0].dtype, 0)


@op(inputs=("Ids", "X*"), grad={1: ("Ids",), 2: ("Ids", "X")}, no_grad=("Ids",), infer=_infer_multiplex, lod=None)
def multiplex(ids: Tensor, x: Sequence[Tensor]) -> Tensor:
    """Row by row, the tensor that `ids` names."""
    if ids.dtype is not torch.int32:
        raise invalid_argument("index", "int32", ids.dtype, "multiplex")
    if ids.dim() != 2:
        raise PreconditionNotMetError(f"Invalid value for argument `index` of `multiplex`. Expected two dimensions. Received: {ids.dim()}")
    rows = ids.shape[0]
    places = ids.reshape(-1).long() * x[0].shape[0] + torch.arange(rows, device=ids.device)
    return torch.cat(list(x)).index_select(0, places)


# ---- conditions


def _infer_where(condition: Meta, x: Meta, y: Meta) -> Meta:
    same = condition.shape == x.shape == y.shape and x.dtype is y.dtype and condition.dtype is torch.bool
    return Meta(x.shape, x.dtype) if same else NotImplemented


@op(inputs=("Condition", "X", "Y"), grad=("Condition", "X", "Y"), no_grad=("Condition",), infer=_infer_where, lod=None)
def where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """x where the condition holds, y elsewhere."""
    return select(condition, x, y)


def _infer_where_index(condition: Meta) -> Meta:
    return Meta((-1, len(condition.shape)), torch.int64)


@op(inputs=("Condition",), infer=_infer_where_index, lod=None)
def where_index(condition: Tensor) -> Tensor:
    """The positions of the elements that are not zero, one a row."""
    return torch.nonzero(condition)


def _infer_masked(x: Meta, mask: Meta) -> Meta:
    return Meta((-1,), x.dtype)


@op(inputs=("X", "Mask"), outputs=("Y",), grad=("X", "Mask"), no_grad=("Mask",), infer=_infer_masked, lod=None)
def masked_select(x: Tensor, mask: Tensor) -> Tensor:
    """The elements under a mask, as a vector."""
    return torch.masked_select(x, mask)
