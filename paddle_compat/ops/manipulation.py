"""The same elements in another shape or order: reshape, transpose, concat, split, expand, pad, ..."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import OutOfRangeError, invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.core.open_sizes import as_size
from paddle_compat.core.paddle3 import SINCE_3, SINCE_3_2
from paddle_compat.ops._broadcast import axes_of, broadcast_shapes
from paddle_compat.ops._checks import check_axis, check_same_shape, fit
from paddle_compat.ops._grad_makers import by_op, copies
from paddle_compat.ops._select import SMALL

Tensor = torch.Tensor
MaybeTensors = Sequence[Tensor] | None


def whole(tensor: Tensor | None, tensors: MaybeTensors, numbers: Sequence[int]) -> list[int]:
    """Numbers that come as one tensor, as a list of tensors, or as an attribute."""
    if tensors:
        return [as_size(t.item()) for t in tensors]
    return [*map(as_size, tensor.flatten().tolist())] if tensor is not None else list(numbers)


# ---- reshape


def sizes_of(of_x: Sequence[int], shape: Sequence[int]) -> list[int]:
    """The sizes that a shape asks for: 0 keeps x's.

    Where x has no elements, 0 is 0 in Paddle 3, and in Paddle 2 if sizes that are kept give a shape that has some or leave -1 open.
    """
    if 0 not in of_x or 0 not in shape:
        return [of_x[n] if size == 0 else size for n, size in enumerate(shape)]
    kept = [of_x[n] if size == 0 and n < len(of_x) else size for n, size in enumerate(shape)]
    if not SINCE_3_2 and (math.prod(size for size in kept if size != -1) != 0) == (-1 in kept):
        return kept
    left, known = math.prod(size for size in of_x if size), math.prod(size for size in shape if size > 0)
    return list(shape) if left % known else [left // known if size == -1 else size for size in shape]


def _reshaped(
    x: Meta, tensor: Meta | None = None, tensors: Sequence[Meta] | None = None, *, shape: Sequence[int] = ()
) -> Meta:
    if tensors:
        shape = list(shape) or [-1] * len(tensors)
    elif tensor is not None and not shape:
        return Meta((-1,) * (tensor.shape[0] if tensor.shape else 1), x.dtype)
    out = sizes_of(x.shape, shape)
    if -1 in out and -1 not in x.shape and not tensors:
        known = math.prod(size for size in out if size != -1)
        out[out.index(-1)] = math.prod(x.shape) // known if known else 0
    unknown = {-1} & {*out, *x.shape}
    if not tensors and tensor is None and not unknown and math.prod(out) != math.prod(x.shape):
        raise invalid_argument("shape", f"{math.prod(x.shape)} elements, as x of shape {list(x.shape)} has", list(shape))
    return Meta(tuple(out), x.dtype)


def _reshape(
    x: Tensor, tensor: Tensor | None = None, tensors: MaybeTensors = None, *, shape: Sequence[int] = ()
) -> Tensor:
    """x in another shape: 0 keeps a dimension, -1 takes what is left."""
    return x.reshape(sizes_of(x.shape, whole(tensor, tensors, shape)))


_SHAPE = ("X", "Shape?", "ShapeTensor*?")
reshape = op(name="reshape", inputs=_SHAPE, grad=("X", "Shape", "ShapeTensor", "Out"), infer=_reshaped, lod="rows")(
    _reshape
)
reshape2 = op(
    name="reshape2",
    inputs=_SHAPE,
    outputs=("Out", "XShape~"),
    grad=("XShape",),
    no_grad=("Shape", "ShapeTensor"),
    infer=_reshaped,
    lod="rows",
)(_reshape)


def _squeezed(x: Meta, *, axes: Sequence[int] = (), _strict: bool = False) -> Meta:
    rank = len(x.shape)
    for axis in axes:
        check_axis(axis, rank, x.shape)
    drop = (
        {axis for axis in axes_of(axes, rank) if x.shape[axis] in (1, -1)}
        if axes and rank
        else {n for n in range(rank) if x.shape[n] == 1}
    )
    return Meta(tuple(size for n, size in enumerate(x.shape) if n not in drop), x.dtype)


def _squeeze(x: Tensor, *, axes: Sequence[int] = (), _strict: bool = False) -> Tensor:
    """x without dimensions of size 1: those of `axes`, or all. Paddle 1.x refuses an axis of another size (`_strict`)."""
    if _strict and x.dim() and any(x.shape[axis] != 1 for axis in axes):
        raise invalid_argument("axes", f"dimensions of size 1, as x has shape {list(x.shape)}", list(axes), "squeeze")
    if not x.dim():
        for axis in axes:
            check_axis(axis, 1, (1,))
        return x.squeeze()
    return x.squeeze(tuple(set(axes_of(axes, x.dim())))) if axes else x.squeeze()


squeeze = op(name="squeeze", inputs=("X",), grad=("X",), infer=_squeezed, lod="rows")(_squeeze)
squeeze2 = op(
    name="squeeze2", inputs=("X",), outputs=("Out", "XShape~"), grad=("XShape",), infer=_squeezed, lod="rows"
)(_squeeze)


def _unsqueezed(
    x: Meta, tensor: Meta | None = None, tensors: Sequence[Meta] | None = None, *, axes: Sequence[int] = ()
) -> Meta:
    if tensors or tensor is not None:
        extra = len(tensors) if tensors else tensor.shape[0] if tensor and tensor.shape else 1
        return Meta((-1,) * (len(x.shape) + extra), x.dtype, lod_level=0)
    shape = list(x.shape)
    for axis in axes:
        check_axis(axis, len(shape) + 1, shape)
        shape.insert(axis if axis >= 0 else axis + len(shape) + 1, 1)
    if len(shape) > 6:
        raise invalid_argument("axis", "at most 6 dimensions in all", list(axes))
    return Meta(tuple(shape), x.dtype)


def _unsqueeze(
    x: Tensor, tensor: Tensor | None = None, tensors: MaybeTensors = None, *, axes: Sequence[int] = ()
) -> Tensor:
    """x with new dimensions of size 1, inserted one after the other."""
    out = x
    for axis in whole(tensor, tensors, axes):
        out = out.unsqueeze(axis)
    return _another(out, x)


def _another(out: Tensor, x: Tensor) -> Tensor:
    """An operator's result, which has a place of its own in the history of x also where there was nothing to do."""
    return x.view_as(x) if out is x else out


_AXES = ("X", "AxesTensor?", "AxesTensorList*?")
_BY_AXES = {1: ("XShape",), 2: ("XShape", "AxesTensor", "AxesTensorList")}
unsqueeze = op(name="unsqueeze", inputs=_AXES, grad=("X",), no_grad=_BY_AXES[2], infer=_unsqueezed, lod="rows")(
    _unsqueeze
)
unsqueeze2 = op(
    name="unsqueeze2",
    inputs=_AXES,
    outputs=("Out", "XShape~"),
    grad=_BY_AXES,
    no_grad=_BY_AXES[2],
    infer=_unsqueezed,
    lod="rows",
)(_unsqueeze)


def _flatten(x: Tensor, *, axis: int = 1) -> Tensor:
    """x as a matrix: the dimensions before `axis`, and the rest."""
    if not 0 <= axis <= max(x.dim(), 1):
        raise invalid_argument("axis", f"0 to {x.dim()}, as x has shape {list(x.shape)}", axis)
    return x.reshape(math.prod(x.shape[:axis]), -1)


flatten = op(name="flatten", inputs=("X",), grad=("X",), lod=lambda rank, *, axis: axis == 1)(_flatten)
flatten2 = op(
    name="flatten2", inputs=("X",), outputs=("Out", "XShape~"), grad=("XShape",), lod=lambda rank, *, axis: axis == 1
)(_flatten)


@op(inputs=("X",), outputs=("Out", "XShape~"), grad=("XShape",), lod="rows")
def flatten_contiguous_range(x: Tensor, *, start_axis: int = 1, stop_axis: int = 1) -> Tensor:
    """x with the dimensions from `start_axis` to `stop_axis` made one."""
    return _another(x.flatten(start_axis, stop_axis), x)


def _transpose(x: Tensor, *, axis: Sequence[int], data_format: str = "AnyLayout") -> Tensor:
    """x with its dimensions in another order."""
    return x.permute(tuple(axis))


transpose = op(name="transpose", inputs=("X",), grad=(), lod=None)(_transpose)
transpose2 = op(name="transpose2", inputs=("X",), outputs=("Out", "XShape~"), grad=("XShape",), lod=None)(_transpose)


@op(inputs=("input",), outputs=("out",), grad=("input",))
def view_shape(x: Tensor, *, dims: Sequence[int] = ()) -> Tensor:
    """x in another shape, sharing its memory."""
    return x.view(list(dims))


@op(inputs=("input",), outputs=("out",), grad=("input",))
def view_dtype(x: Tensor, *, dtype: int) -> Tensor:
    """The bytes of x read as another data type."""
    kind = torch_dtype(dtype)
    return x.view_as(x) if kind is x.dtype else x.view(kind)  # torch's own cuts the history off


@op(inputs=("input",), outputs=("out",), grad=("input",))
def as_strided(x: Tensor, *, dims: Sequence[int] = (), stride: Sequence[int] = (), offset: int = 0) -> Tensor:
    """The memory of x with other sizes and strides; `offset` counts bytes."""
    return x.as_strided(list(dims), list(stride), offset // x.element_size())


@op(inputs=("input",), outputs=("out",), grad=("input",))
def tensor_unfold(x: Tensor, *, axis: int, size: int, step: int) -> Tensor:
    """Windows of `size` elements along a dimension, as a new last dimension."""
    return x.unfold(axis, size, step)


# ---- several tensors


def _merged(sizes: Sequence[int]) -> int:
    """A dimension that several tensors share, some of them not knowing it."""
    return max(sizes)


def _concatenated(x: Sequence[Meta], axis_tensor: Meta | None = None, *, axis: int = 0) -> Meta:
    rank = len(x[0].shape)
    if any(len(m.shape) != rank for m in x):
        raise invalid_argument("x", "tensors of as many dimensions", [list(m.shape) for m in x], "concat")
    if not rank:
        raise invalid_argument("x", "tensors of one dimension or more", "one of none", "concat")
    if axis_tensor is not None:
        return Meta((-1,) * rank, x[0].dtype)
    check_axis(axis, rank, x[0].shape)
    shape = [_merged([m.shape[n] for m in x]) for n in range(rank)]
    if any(m.shape[n] not in (-1, shape[n]) for m in x for n in range(rank) if n != axis % rank):
        shapes = [list(m.shape) for m in x]
        raise invalid_argument("x", f"equal shapes but for dimension {axis}", shapes, "concat")
    joined = [m.shape[axis] for m in x]
    shape[axis] = -1 if -1 in joined else sum(joined)
    return Meta(tuple(shape), x[0].dtype)


@op(inputs=("X*", "AxisTensor?"), grad=("X", "AxisTensor"), no_grad=("AxisTensor",), lod="joined", infer=_concatenated)
def concat(x: Sequence[Tensor], axis_tensor: Tensor | None = None, *, axis: int = 0) -> Tensor:
    """Tensors one after the other along a dimension."""
    return torch.cat(list(x), axis if axis_tensor is None else int(axis_tensor))


def sizes_of_parts(size: int, num: int, sections: Sequence[int]) -> list[int]:
    """The sizes of the parts of a dimension, one of which may be -1."""
    if not sections:
        if num < 1 or size % num:
            raise invalid_argument("num_or_sections", f"a divisor of the dimension, {size}", num)
        return [size // num] * num
    rest = size - sum(n for n in sections if n != -1)
    unknown = sum(n == -1 for n in sections)
    if unknown > 1 or rest < 0 or bool(rest) != bool(unknown) and (size or not unknown):
        raise invalid_argument("num_or_sections", f"sizes that add up to {size}, one of which may be -1", list(sections))
    return [rest if n == -1 else n for n in sections]


def _split_up(
    x: Meta,
    axis_tensor: Meta | None = None,
    section_tensors: Sequence[Meta] | None = None,
    *,
    axis: int = 0,
    num: int = 0,
    sections: Sequence[int] = (),
    _v1: bool = False,
) -> list[Meta]:
    count = len(section_tensors or ()) or len(sections) or num
    if axis_tensor is not None or (section_tensors and not _v1):
        return [Meta((-1,) * len(x.shape), x.dtype)] * count
    if section_tensors or x.shape[axis] == -1:
        parts = list(sections) if sections and (_v1 or section_tensors) else [-1] * count
    else:
        parts = sizes_of_parts(x.shape[axis], num, sections)
    at = axis % len(x.shape)
    return [Meta((*x.shape[:at], part, *x.shape[at + 1 :]), x.dtype) for part in parts]


@op(
    inputs=("X", "AxisTensor?", "SectionsTensorList*?"),
    outputs=("Out*",),
    grad_maker=by_op("concat", copies("axis"), keeps=("AxisTensor",)),
    no_grad=("AxisTensor", "SectionsTensorList"),
    infer=_split_up,
    lod=lambda rank, *, axis, **attrs: axis % rank != 0,
)
def split(
    x: Tensor,
    axis_tensor: Tensor | None = None,
    section_tensors: MaybeTensors = None,
    *,
    axis: int = 0,
    num: int = 0,
    sections: Sequence[int] = (),
    _v1: bool = False,
) -> list[Tensor]:
    """x cut along a dimension into `num` equal parts, or parts of the given sizes."""
    axis = axis if axis_tensor is None else int(axis_tensor)
    return list(x.split(sizes_of_parts(x.shape[axis], num, whole(None, section_tensors, sections)), axis))


def _stacked(x: Sequence[Meta], *, axis: int = 0) -> Meta:
    check_same_shape("x", x)
    check_axis(axis, len(x[0].shape) + 1, x[0].shape)
    shape = [_merged(sizes) for sizes in zip(*(m.shape for m in x))]
    shape.insert(axis if axis >= 0 else axis + len(shape) + 1, len(x))
    return Meta(tuple(shape), x[0].dtype)


@op(inputs=("X*",), outputs=("Y",), grad={1: (), 2: ("X",)}, infer=_stacked)
def stack(x: Sequence[Tensor], *, axis: int = 0) -> Tensor:
    """Tensors of one shape as slices along a new dimension."""
    return torch.stack(list(x), axis)


def _check_count(x: Meta | Tensor, axis: int, num: int) -> None:
    size = x.shape[axis % len(x.shape)]
    if num and size not in (-1, num):
        raise invalid_argument("num", f"{size}, the size of dimension {axis}", num)


def _unstacked(x: Meta, *, axis: int = 0, num: int = 0) -> list[Meta]:
    check_axis(axis, len(x.shape), x.shape)
    at = axis % len(x.shape)
    _check_count(x, axis, num)
    size = x.shape[at] if x.shape[at] != -1 else num
    return [Meta(x.shape[:at] + x.shape[at + 1 :], x.dtype)] * size


@op(inputs=("X",), outputs=("Y*",), grad=(), infer=_unstacked, lod=None)
def unstack(x: Tensor, *, axis: int = 0, num: int = 0) -> list[Tensor]:
    """The slices along a dimension."""
    found = list(x.unbind(axis))
    if num != len(found):
        _check_count(x, axis, num)
    return found


@op(inputs=("X",), outputs=("Out*",), grad_maker=by_op("stack", copies("axis"), writes="Y"), infer=_unstacked)
def unbind(x: Tensor, *, axis: int = 0) -> list[Tensor]:
    """The slices along a dimension."""
    return list(x.unbind(axis))


class _Slices(torch.autograd.Function):
    """The slices along a dimension, in the memory that they come from. What is written to one leaves the history of the others alone."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, axis: int) -> tuple[Tensor, ...]:
        ctx.axis = axis
        return tuple(part.detach() for part in x.unbind(axis))  # no views to torch, which would refuse to read one after that

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        return torch.stack(grads, ctx.axis), None


def slices(x: Tensor, axis: int) -> list[Tensor]:
    """`unbind` of eager mode, where a script may write to what comes out."""
    return list(_Slices.apply(x, axis)) if x.requires_grad and x.numel() and torch.is_grad_enabled() else list(x.unbind(axis))


def _meshed(x: Sequence[Meta]) -> list[Meta]:
    return [Meta(tuple(m.shape[0] if m.shape else 1 for m in x), x[0].dtype)] * len(x)


class _Copies(torch.autograd.Function):
    """Copies of tensors, all of which can be differentiated: where one input of an operator can, all its outputs can in Paddle."""

    @staticmethod
    def forward(ctx: Any, *x: Tensor) -> tuple[Tensor, ...]:
        return tuple(t.clone(memory_format=torch.contiguous_format) for t in x)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, ...]:
        return grads


def _differ(x: Sequence[Tensor]) -> bool:
    """Whether some tensors can be differentiated, and others not."""
    return len({t.requires_grad for t in x}) > 1


@op(inputs=("X*",), outputs=("Out*",), grad={1: ("X",), 2: ("X", "outputs@GRAD")}, infer=_meshed, lod=None)
def meshgrid(x: Sequence[Tensor]) -> list[Tensor]:
    """Coordinate grids: output n holds x[n] along dimension n."""
    grids = torch.meshgrid(*x, indexing="ij")
    return list(_Copies.apply(*grids)) if _differ(x) else [t.clone(memory_format=torch.contiguous_format) for t in grids]


def _broadcast(x: Sequence[Meta]) -> list[Meta]:
    shape = broadcast_shapes(*(m.shape for m in x))
    return [Meta(shape, m.dtype) for m in x]


@op(inputs=("X*",), outputs=("Out*",), grad=("X",), infer=_broadcast, lod="rows")
def broadcast_tensors(x: Sequence[Tensor]) -> list[Tensor]:
    """All tensors in their common shape."""
    alike = torch.broadcast_tensors(*x)
    return list(_Copies.apply(*alike)) if _differ(x) else [t.contiguous() for t in alike]


def _columns(x: Sequence[Tensor], start: int, length: int) -> list[Tensor]:
    width = x[0].shape[1]
    if not -width <= start < width:
        raise invalid_argument("start_index", f"{-width} to {width - 1}, for {width} columns", start)
    start = start if start >= 0 else start + width
    if start + length > width:  # the wheels read other memory there, or refuse it
        raise OutOfRangeError(f"Invalid value for argument `length`. Expected at most {width - start} columns. Received: {length}")
    return [t[:, start : None if length < 0 else start + length] for t in x]


@op(inputs=("X*",), grad=("X",))
def partial_concat(x: Sequence[Tensor], *, start_index: int = 0, length: int = -1) -> Tensor:
    """Some columns of each matrix, side by side."""
    return torch.cat(_columns(x, start_index, length), 1)


@op(inputs=("X*",), grad=("X",))
def partial_sum(x: Sequence[Tensor], *, start_index: int = 0, length: int = -1) -> Tensor:
    """The sum of some columns of each matrix."""
    return torch.stack(_columns(x, start_index, length)).sum(0)


# ---- repeating


class _Repeated(torch.autograd.Function):
    """x repeated along several dimensions. Its gradient sums one of them after the other: torch, which sums all at once, takes
    up to ten times as long on the CPU, unless x is small."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, times: list[int]) -> Tensor:
        ctx.shape, ctx.times = x.shape, times
        return x.repeat(times)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        own = [1] * (len(ctx.times) - len(ctx.shape)) + list(ctx.shape)
        for axis, (count, size) in enumerate(zip(ctx.times, own)):
            if count != 1:
                grad = grad.unflatten(axis, (count, size)).sum(axis)
        return grad.reshape(ctx.shape), None


def _times(x: Tensor, times: list[int]) -> Tensor:
    times = [1] * (x.dim() - len(times)) + times
    if x.requires_grad and type(x) is Tensor and x.numel() >= SMALL and 0 not in times and sum(n > 1 for n in times) > 1:
        return _Repeated.apply(x, times)
    few = type(x) is Tensor and x.dim() == len(times) and all(0 < n < 5 for n in times)
    if few and any(n > 1 for n in times):  # a quarter of the time of `repeat`
        for axis, n in enumerate(times):
            if n > 1:
                x = torch.cat([x] * n, axis)
        return x
    return x.repeat(times)


def _tiled(attribute: str) -> Callable[..., Meta]:
    def infer(x: Meta, tensor: Meta | None = None, tensors: Sequence[Meta] | None = None, **attrs: Any) -> Meta:
        times = list(attrs[attribute])
        if tensors:
            times = times or [-1] * len(tensors)
        elif tensor is not None:
            times = [-1] * max(len(x.shape), tensor.shape[0])
        rank = max(len(x.shape), len(times))
        sizes = [1] * (rank - len(x.shape)) + list(x.shape)
        times = [1] * (rank - len(times)) + times
        return Meta(tuple(-1 if -1 in (n, size) else n * size for n, size in zip(times, sizes)), x.dtype)

    return infer


def _check_times(x: Meta | Tensor, times: Sequence[Any]) -> None:
    if times and len(times) != len(x.shape):
        raise invalid_argument("expand_times", f"{len(x.shape)} numbers, as x has shape {list(x.shape)}", list(times))


def _repeated(x: Meta, tensor: Meta | None = None, tensors: Sequence[Meta] | None = None, *, expand_times: Sequence[int] = ()) -> Meta:
    _check_times(x, expand_times or tensors or ())
    return _tiled("expand_times")(x, tensor, tensors, expand_times=expand_times)


@op(
    inputs=("X", "ExpandTimes?", "expand_times_tensor*?"),
    grad=("X", "ExpandTimes", "expand_times_tensor"),
    no_grad=("ExpandTimes", "expand_times_tensor"),
    infer=_repeated,
    lod="rows",
)
def expand(
    x: Tensor, tensor: Tensor | None = None, tensors: MaybeTensors = None, *, expand_times: Sequence[int] = ()
) -> Tensor:
    """x repeated along each dimension."""
    times = whole(tensor, tensors, expand_times)
    _check_times(x, times)
    return _times(x, times)


def _tiled_in_six(x: Meta, *tensors: Any, repeat_times: Sequence[int] = ()) -> Any:
    if len(repeat_times) > 6:
        raise invalid_argument("repeat_times", "at most 6 numbers", list(repeat_times), "tile")
    return _tiled("repeat_times")(x, *tensors, repeat_times=repeat_times)


@op(
    inputs=("X", "RepeatTimes?", "repeat_times_tensor*?"),
    grad=("X", "RepeatTimes", "repeat_times_tensor"),
    no_grad=("RepeatTimes", "repeat_times_tensor"),
    infer=_tiled_in_six,
    lod="rows",
)
def tile(
    x: Tensor, tensor: Tensor | None = None, tensors: MaybeTensors = None, *, repeat_times: Sequence[int] = ()
) -> Tensor:
    """x repeated along each dimension; x or the repeats are padded with 1 in front."""
    return _times(x, whole(tensor, tensors, repeat_times))


def _expanded(
    x: Meta, tensor: Meta | None = None, tensors: Sequence[Meta] | None = None, *, shape: Sequence[int] = ()
) -> Meta:
    if tensors:
        shape = list(shape) or [-2] * len(tensors)
    elif tensor is not None:
        shape = [-1] * tensor.shape[0]
    rank = len(x.shape)
    if len(shape) < rank:
        raise invalid_argument("shape", f"at least {rank} sizes, as x has shape {list(x.shape)}", list(shape))
    sizes = (1,) * (len(shape) - rank) + x.shape
    if not tensors and any(own not in (-1, 1, size) for size, own in zip(shape, sizes) if size >= 0):
        raise invalid_argument("shape", f"sizes to which {list(x.shape)} can be broadcast", list(shape))
    if SINCE_3:
        open_sizes = (-1,) * (len(shape) - rank) + x.shape
        return Meta(tuple(own if size < 0 else size for size, own in zip(shape, open_sizes)), x.dtype)
    # while recording, Paddle 2 looks at x's dimensions from the left, though a run broadcasts them from the right
    out = [max(size, -1) for size in shape]
    for i, own in enumerate(x.shape):
        if own == -1 or shape[i] == -1:
            out[i] = own
    return Meta(tuple(out), x.dtype)


@op(
    inputs=("X", "Shape?", "expand_shapes_tensor*?"),
    grad=("X", "Shape", "expand_shapes_tensor"),
    no_grad=("Shape", "expand_shapes_tensor"),
    infer=_expanded,
    lod="rows",
)
def expand_v2(
    x: Tensor, tensor: Tensor | None = None, tensors: MaybeTensors = None, *, shape: Sequence[int] = ()
) -> Tensor:
    """x broadcast to a shape, in which -1 keeps x's own size."""
    return x.expand(whole(tensor, tensors, shape)).contiguous()


def _as_target(x: Meta, y: Meta | None = None, *, target_shape: Sequence[int] = ()) -> Meta:
    shape = tuple(target_shape or (y.shape if y is not None else ()))
    sizes = (1,) * (len(shape) - len(x.shape)) + x.shape
    if len(sizes) != len(shape) or not all(own in (-1, 1) or size in (-1, own) for own, size in zip(sizes, shape)):
        raise invalid_argument("y", f"a shape to which {list(x.shape)} can be broadcast", list(shape))
    return Meta(shape, x.dtype)


def _times_target(x: Meta, target: Meta) -> Meta:
    if not fit(x.shape, target.shape) and any(own > 0 and size % own for own, size in zip(x.shape, target.shape) if size >= 0):
        raise invalid_argument("target_tensor", f"multiples of x's sizes, {list(x.shape)}", list(target.shape))
    return Meta(target.shape, x.dtype)


@op(inputs=("X", "Y?"), grad=("X",), no_grad=("Y",), infer=_as_target, lod=None)
def expand_as_v2(x: Tensor, y: Tensor | None = None, *, target_shape: Sequence[int] = ()) -> Tensor:
    """x broadcast to the shape of y."""
    return x.expand(tuple(target_shape if y is None else y.shape)).contiguous()


@op(inputs=("X", "target_tensor"), grad=("X", "target_tensor"), no_grad=("target_tensor",), infer=_times_target, lod=None)
def expand_as(x: Tensor, target: Tensor) -> Tensor:
    """x repeated until it has the shape of the target."""
    return x.repeat([whole // part for whole, part in zip(target.shape, x.shape)])


def _interleaved(x: Meta, repeats: Meta | None = None, *, Repeats: int = 0, dim: int = 0) -> Meta:
    if repeats is not None and len(repeats.shape) != 1 and repeats.shape[1:] != (1,):
        raise invalid_argument("repeats", "1 dimension", f"shape {list(repeats.shape)}", "repeat_interleave")
    shape = list(x.shape)
    shape[dim] = -1 if repeats is not None or shape[dim] == -1 else shape[dim] * Repeats
    return Meta(tuple(shape), x.dtype)


@op(inputs=("X", "RepeatsTensor?"), grad=("X", "RepeatsTensor"), no_grad=("RepeatsTensor",), infer=_interleaved)
def repeat_interleave(x: Tensor, repeats: Tensor | None = None, *, Repeats: int = 0, dim: int = 0) -> Tensor:
    """Each slice along a dimension repeated in place."""
    if repeats is not None and repeats.numel() != x.shape[dim]:
        raise invalid_argument("repeats", f"{x.shape[dim]} numbers, as many as x has along dimension {dim}", list(repeats.shape))
    return torch.repeat_interleave(x, Repeats if repeats is None else repeats, dim)
