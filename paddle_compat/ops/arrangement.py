"""Elements moved within a tensor: flip, roll, triangles, diagonals, padding, cropping, and plain copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F

from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._broadcast import axes_of
from paddle_compat.ops._checks import check_axis
from paddle_compat.ops._grad_makers import by_op
from paddle_compat.ops.manipulation import MaybeTensors, whole

Tensor = torch.Tensor


def _same(x: Meta, *others: Meta | None, **attrs: Any) -> Meta:
    return Meta(x.shape, x.dtype)


@op(inputs=("X",), grad_maker=by_op("flip", lambda op_: {name: op_.attr(name) for name in ("axis", "dims")}))
def flip(x: Tensor, *, axis: Sequence[int] = (), dims: Sequence[int] = ()) -> Tensor:
    """x reversed along some dimensions (1.x calls them `dims`)."""
    named = list(axis or dims)
    for each in named:
        check_axis(each, x.dim(), x.shape)
    if len({*named}) == len(named) > 1:  # a dimension may be named from both ends
        named = [*{*axes_of(named, x.dim())}]
    return x.flip(named)


@op(inputs=("X",), grad_maker=by_op("reverse", lambda op_: {"axis": op_.attr("axis")}), lod=None)
def reverse(x: Tensor, *, axis: Sequence[int]) -> Tensor:
    """x reversed along some dimensions."""
    return x.flip(list(axis))


def _rolled(x: Meta, *rest: Meta | None, **attrs: Any) -> Meta:
    for axis in attrs.get("axis") or attrs.get("dims") or ():
        check_axis(axis, len(x.shape), x.shape)
    return _same(x)


@op(inputs=("X", "ShiftsTensor?@2"), grad={1: ("X",), 2: ("X", "ShiftsTensor")}, no_grad=("ShiftsTensor",), infer=_rolled)
def roll(
    x: Tensor,
    shifts_tensor: Tensor | None = None,
    *,
    shifts: Sequence[int] = (),
    axis: Sequence[int] = (),
    dims: Sequence[int] = (),
) -> Tensor:
    """x moved along some dimensions (1.x calls them `dims`), what leaves at the end coming back in front."""
    by, along = whole(shifts_tensor, None, shifts), list(axis or dims)
    return torch.roll(x, by, along) if along else torch.roll(x, by[0])


@op(inputs=("X",), grad=())
def tril_triu(x: Tensor, *, diagonal: int = 0, lower: bool = False) -> Tensor:
    """The lower or the upper triangle of each matrix."""
    return torch.tril(x, diagonal) if lower else torch.triu(x, diagonal)


def _diagonal_size(rows: int, columns: int, offset: int) -> int:
    return -1 if -1 in (rows, columns) else max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)


def _infer_diagonal(x: Meta, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Meta:
    first, second = axis1 % len(x.shape), axis2 % len(x.shape)
    rest = [size for axis, size in enumerate(x.shape) if axis not in (first, second)]
    return Meta((*rest, _diagonal_size(x.shape[first], x.shape[second], offset)), x.dtype)


@op(inputs=("Input",), grad=("Input",), infer=_infer_diagonal, lod=None)
def diagonal(x: Tensor, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The diagonal of each matrix that two dimensions form."""
    return torch.diagonal(x, offset, axis1, axis2)


@op(inputs=("Diagonal",), lod=None)
def diag(x: Tensor) -> Tensor:
    """A square matrix with that diagonal."""
    if x.dim() != 1:
        raise invalid_argument("diagonal", "one dimension", f"shape {list(x.shape)}", "diag")
    return torch.diag(x)


def _infer_diag(x: Meta, *, offset: int = 0, **attrs: Any) -> Meta:
    if len(x.shape) > 1:
        return _infer_diagonal(x, offset=offset)
    size = -1 if x.shape[0] == -1 else x.shape[0] + abs(offset)
    return Meta((size, size), x.dtype)


@op(inputs=("X",), grad=("X",), infer=_infer_diag, lod=None)
def diag_v2(x: Tensor, *, offset: int = 0, padding_value: float = 0.0) -> Tensor:
    """A square matrix with that diagonal, or the diagonal of a matrix."""
    out = torch.diag(x, offset)
    if x.dim() == 1 and padding_value != 0:
        on_diagonal = torch.diag(torch.ones_like(x, dtype=torch.bool), offset)
        out = torch.where(on_diagonal, out, torch.full_like(out, padding_value))
    return out


@op(inputs=("Input",), lod=None)
def diag_embed(x: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Square matrices whose diagonals are the last dimension of x."""
    return torch.diag_embed(x, offset, dim1, dim2)


@op(inputs=("Input",), grad=("Input",), lod=None)
def trace(
    x: Tensor,
    *,
    offset: int = 0,
    axis1: int = 0,
    axis2: int = 1,
    dim1: int | None = None,
    dim2: int | None = None,
    _rank1: bool = False,
) -> Tensor:
    """The sum of the diagonal of each matrix that two dimensions form (1.x calls them `dim1` and `dim2`)."""
    axes = (axis1, axis2) if dim1 is None or dim2 is None else (dim1, dim2)
    # the earlier dimension has the rows, in whatever order they are given: unlike numpy's
    out = torch.diagonal(x, offset, *sorted(axis % x.dim() for axis in axes)).sum(-1, dtype=x.dtype)
    return out.reshape(1) if _rank1 and out.dim() == 0 else out


def _check_paddings(x: Meta | Tensor, paddings: Sequence[int]) -> None:
    if len(paddings) != 2 * len(x.shape):
        raise invalid_argument("paddings", f"{2 * len(x.shape)} numbers, as x has shape {list(x.shape)}", list(paddings))


def _infer_pad(x: Meta, *, paddings: Sequence[int], pad_value: float = 0.0) -> Meta:
    _check_paddings(x, paddings)
    sizes = zip(x.shape, paddings[::2], paddings[1::2])
    return Meta(tuple(size if size < 0 else size + before + after for size, before, after in sizes), x.dtype)


def last_first(paddings: Sequence[int]) -> list[int]:
    """Paddings, two numbers a dimension, with the dimensions the other way round: PyTorch begins with the last one."""
    return [size for at in range(len(paddings) - 2, -1, -2) for size in paddings[at : at + 2]]


@op(inputs=("X",), grad=(), lod="rows", infer=_infer_pad)
def pad(x: Tensor, *, paddings: Sequence[int], pad_value: float = 0.0) -> Tensor:
    """x with constants around it; `paddings` has two numbers a dimension, the first dimension first."""
    _check_paddings(x, paddings)
    return F.pad(x, last_first(paddings), value=pad_value)


def _check_pattern(x: Meta | Tensor, y: Meta | Tensor) -> None:
    """Refuse y where it is, as far as is known, larger than x."""
    if len(x.shape) != len(y.shape) or any(-1 != whole < part for whole, part in zip(x.shape, y.shape)):
        raise invalid_argument("y", f"no larger sizes than x has, {list(x.shape)}", list(y.shape), "pad_constant_like")


def _infer_pad_constant_like(x: Meta, y: Meta, **attrs: Any) -> Meta:
    _check_pattern(x, y)
    return Meta(x.shape, y.dtype)


@op(inputs=("X", "Y"), grad=("Y",), no_grad=("X",), infer=_infer_pad_constant_like)
def pad_constant_like(x: Tensor, y: Tensor, *, pad_value: float = 0.0) -> Tensor:
    """y, padded behind to the shape of x."""
    _check_pattern(x, y)
    missing = [whole - part for whole, part in zip(x.shape, y.shape)]
    return F.pad(y, [n for size in reversed(missing) for n in (0, size)], value=pad_value)


def _crop(x: Tensor, shape: Sequence[int], offsets: Sequence[int]) -> Tensor:
    starts = list(offsets) or [0] * x.dim()
    for axis, (start, size) in enumerate(zip(starts, shape)):
        x = x.narrow(axis, start, x.shape[axis] - start if size == -1 else size)
    return x


def _cropped(
    x: Meta, y: Meta | None = None, offset: Meta | None = None, *, shape: Sequence[int] = (), **attrs: Any
) -> Meta:
    wanted = tuple(y.shape if y is not None else shape)
    if len(wanted) != len(x.shape):
        raise invalid_argument("shape" if y is None else "Y", f"{len(x.shape)} dimensions, as many as x has", list(wanted), "crop")
    return Meta(wanted, x.dtype)


@op(inputs=("X", "Y?", "Offsets?"), grad=("X", "Offsets"), no_grad=("Y", "Offsets"), infer=_cropped, lod=None)
def crop(
    x: Tensor,
    y: Tensor | None = None,
    offset: Tensor | None = None,
    *,
    offsets: Sequence[int] = (),
    shape: Sequence[int] = (),
) -> Tensor:
    """A block of x, with the shape of y or the given one."""
    return _crop(x, shape if y is None else y.shape, whole(offset, None, offsets))


def _cropped_by_tensor(
    x: Meta,
    shape_tensor: Meta | None = None,
    offset: Meta | None = None,
    shape_tensors: Sequence[Meta] | None = None,
    offset_tensors: Sequence[Meta] | None = None,
    *,
    shape: Sequence[int] = (),
    offsets: Sequence[int] = (),
    _v1: bool = False,
) -> Meta:
    rank = len(x.shape)
    if shape_tensor is not None and shape_tensor.shape not in ((rank,), (-1,)):
        raise invalid_argument("shape", f"{rank} sizes, as x has {rank} dimensions", f"a tensor of shape {list(shape_tensor.shape)}")
    if shape and shape_tensor is None and len(shape) != rank:
        raise invalid_argument("shape", f"{rank} sizes, as x has shape {list(x.shape)}", list(shape), "crop")
    starts = [-1] * rank if offset is not None else list(offsets) or [0] * rank
    rest = [-1 if -1 in (size, start) else size - start for size, start in zip(x.shape, starts)]
    if _v1:
        # 0 stands where a tensor tells the size
        sizes = [left if size == -1 else size or -1 for left, size in zip(rest, shape)] if shape_tensor is None else [-1] * rank
    elif shape_tensor is not None or shape_tensors:  # a tensor among the sizes makes 2.x expect all that is left
        sizes = [-1] * rank if -1 in starts else rest
    else:
        sizes = [left if size == -1 else size for left, size in zip(rest, shape)]
    return Meta(tuple(sizes), x.dtype)


@op(
    inputs=("X", "Shape?", "Offsets?", "ShapeTensor*?", "OffsetsTensor*?"),
    grad=("X", "Offsets", "OffsetsTensor"),
    no_grad=("Shape", "Offsets", "ShapeTensor", "OffsetsTensor"),
    infer=_cropped_by_tensor,
    lod=None,
)
def crop_tensor(
    x: Tensor,
    shape_tensor: Tensor | None = None,
    offset: Tensor | None = None,
    shape_tensors: MaybeTensors = None,
    offset_tensors: MaybeTensors = None,
    *,
    shape: Sequence[int] = (),
    offsets: Sequence[int] = (),
    _v1: bool = False,
) -> Tensor:
    """A block of x; -1 in `shape` takes what is left of a dimension."""
    return _crop(x, whole(shape_tensor, shape_tensors, shape), whole(offset, offset_tensors, offsets))


@op(inputs=("X",), grad=())
def shard_index(x: Tensor, *, index_num: int, nshards: int, shard_id: int, ignore_value: int = -1) -> Tensor:
    """Indices into this shard of a table, `ignore_value` for those that live in another."""
    if x.is_cpu and type(x) is Tensor and not ((x >= 0) & (x < index_num)).all():
        raise invalid_argument("input", f"numbers from 0 to {index_num - 1}, as index_num is {index_num}", x.tolist(), "shard_index")
    size = -(-index_num // nshards)
    mine = torch.div(x, size, rounding_mode="floor") == shard_id
    return torch.where(mine, torch.remainder(x, size), torch.full_like(x, ignore_value))


@op(inputs=("X?",), grad_maker=by_op("assign"), infer=lambda x: x if x is not None and x.kind == "array" else NotImplemented)
def assign(x: Tensor) -> Tensor:
    """A copy of a tensor or of a tensor array."""
    return list(x) if isinstance(x, list) else x.clone()


@op(inputs=("X",), lod=None)
def share_data(x: Tensor) -> Tensor:
    """The same data, without a gradient."""
    return x.detach()


# ---- filling


@op(inputs=("X",), grad=())
def fill_any(x: Tensor, *, value: float = 0.0) -> Tensor:
    """A tensor like x with one value everywhere."""
    return x * 0 + value if x.requires_grad else torch.full_like(x, value)


@op(inputs=("X",), grad=(), infer=_same, lod=None)
def fill_diagonal(x: Tensor, *, value: float = 0.0, offset: int = 0, wrap: bool = False) -> Tensor:
    """x with one value on its main diagonal; `wrap` starts a new diagonal below a tall matrix."""
    columns = x.shape[-1]
    stop = x.numel() if wrap else min(x.numel(), x.shape[1] * x.shape[1])
    main = torch.arange(0, stop, sum(x.stride()) or 1, device=x.device)
    column = main % columns + offset
    places = (main + offset)[(column >= 0) & (column < columns)]
    return x.reshape(-1).index_fill(0, places, value).reshape(x.shape)


@op(inputs=("X", "Y"), grad=(), no_grad=("Y",), infer=_same, lod=None)
def fill_diagonal_tensor(x: Tensor, y: Tensor, *, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """x with y on the diagonal of each matrix that two dimensions form."""
    if dim1 % x.dim() == dim2 % x.dim():
        raise failed_assertion("dim2", f"another dimension than dim1, {dim1}", dim2, "fill_diagonal_tensor")
    shape = torch.diagonal(x, offset, dim1, dim2).shape
    if y.numel() != shape.numel():
        raise failed_assertion("y", f"shape {list(shape)}", list(y.shape), "fill_diagonal_tensor")
    return torch.diagonal_scatter(x, y.detach().reshape(shape), offset, dim1, dim2)
