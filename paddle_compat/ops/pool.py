"""Pooling: the largest or the mean of each window, and back.

`_whole_window` is Paddle 1.x's way: an inclusive mean divides by the size of the whole window, even where it hangs over
the padding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._nothing import zeros_behind
from paddle_compat.ops._spatial import Pads, channels_back, channels_first, pad, resolve

Tensor = torch.Tensor
Ints = Sequence[int]

Windows = dict[int, Callable[..., Any]]

_LARGEST: Windows = {2: F.max_pool2d, 3: F.max_pool3d}
_LARGEST_ALONE: Windows = {2: torch.max_pool2d, 3: torch.max_pool3d}
_LARGEST_BACK: Windows = {2: torch.ops.aten.max_pool2d_with_indices_backward, 3: torch.ops.aten.max_pool3d_with_indices_backward}
_LAST = {2: torch.channels_last, 3: torch.channels_last_3d}
# Elements and channels of an image or volume from which on the largest are found faster with its channels last.
_MANY, _CHANNELS = 1 << 14, 8


def _channels_last(x: Tensor) -> Tensor:
    """A copy whose channels lie side by side."""
    memory_format = _LAST[x.dim() - 2]
    if x.stride(1) * x.itemsize % 4096:
        return x.contiguous(memory_format=memory_format)
    copy = torch.empty_like(x, memory_format=memory_format)
    # such channels' elements fall into the same places of the processor's cache, which holds those of a few channels at a time
    for into, part in zip(copy.split(_CHANNELS, 1), x.split(_CHANNELS, 1)):
        into.copy_(part)
    return copy


class _ChannelsLast(torch.autograd.Function):
    """The largest of each window of an image or volume on the CPU, and where they stand.

    PyTorch finds them several times faster where the channels lie side by side, even counting the copies; so it does not on the
    way back. It is the same element of each window either way, the first of the largest ones.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, kernels: Ints, strides: Ints, pads: Ints) -> tuple[Tensor, Tensor]:
        out, index = _LARGEST[len(kernels)](_channels_last(x), kernels, strides, pads, return_indices=True)
        out, index = out.contiguous(), index.contiguous()
        ctx.save_for_backward(index)
        ctx.mark_non_differentiable(index)
        ctx.set_materialize_grads(False)  # no zeros for the index
        ctx.shape, ctx.window = x.shape, (list(kernels), list(strides), list(pads))
        return out, index

    @staticmethod
    def backward(ctx: Any, grad: Tensor, _: None) -> tuple[Tensor, None, None, None]:
        (index,) = ctx.saved_tensors
        rank, image = index.dim() - 2, grad.new_empty(1).expand(ctx.shape)  # which is asked for its shape only
        return _LARGEST_BACK[rank](grad, image, *ctx.window, [1] * rank, False, index), None, None, None


def max_of_windows(x: Tensor, kernels: Ints, strides: Ints, pads: Ints = (), return_indices: bool = False) -> Any:
    """The largest of each window of an image or volume; if asked, where they stand in it."""
    rank = len(kernels)
    pads = pads or [0] * rank
    if type(x) is Tensor and x.is_cpu and x.numel() >= _MANY and x.dim() == rank + 2 and x.shape[1] >= _CHANNELS and x.is_contiguous():
        out, index = _ChannelsLast.apply(x, kernels, strides, pads)
        return (out, index) if return_indices else out
    if return_indices:
        return _LARGEST[rank](x, kernels, strides, pads, return_indices=True)
    return _LARGEST_ALONE[rank](x, kernels, strides, pads)


def _average_of_volumes(x: Tensor, *window: Any, **options: Any) -> Tensor:
    """`avg_pool3d`, also of float16 on the CPU."""
    if x.dtype is torch.float16 and x.is_cpu:
        return F.avg_pool3d(x.float(), *window, **options).half()
    return F.avg_pool3d(x, *window, **options)


_AVERAGE: Windows = {2: F.avg_pool2d, 3: _average_of_volumes}
_ADAPTIVE_MAX: Windows = {2: F.adaptive_max_pool2d, 3: F.adaptive_max_pool3d}
_ADAPTIVE_AVERAGE: Windows = {2: F.adaptive_avg_pool2d, 3: F.adaptive_avg_pool3d}


def _reach(sizes: Ints, kernels: Ints, strides: Ints, pads: Pads) -> Pads:
    """More padding behind where the window is larger than the image, by less than a stride: that is one window in Paddle."""
    missing = [k - n - sum(p) for n, k, p in zip(sizes, kernels, pads)]
    return [(p[0], p[1] + m) if 0 < m < s else p for p, m, s in zip(pads, missing, strides)]


def _cover(sizes: Ints, kernels: Ints, strides: Ints, pads: Pads) -> Pads:
    """More padding behind, so that the last, incomplete window counts (`ceil_mode`)."""
    grown = []
    for size, kernel, stride, (before, behind) in zip(sizes, kernels, strides, pads):
        windows = -(-(size + before + behind - kernel) // stride) + 1
        grown.append((before, behind + (windows - 1) * stride + kernel - (size + before + behind)))
    return grown


def _of_empty_sides(x: Tensor, kernels: Ints, strides: Ints, pads: Pads, ceil_mode: bool, filled: float) -> Tensor:
    """What windows of an image have in them that has no pixels, which torch refuses: one number everywhere, on the gradient's way."""
    left = [n + sum(p) - k + (s - 1) * ceil_mode for n, k, s, p in zip(x.shape[2:], kernels, strides, pads)]
    windows = [int(rest / stride) + 1 for rest, stride in zip(left, strides)]
    if min(windows) < 0:
        raise invalid_argument("ksize", "windows of the padded image, or little larger ones", f"{list(kernels)} for {list(x.shape)}")
    return zeros_behind(x, (*x.shape[:2], *windows)) + filled


def _torch_pads(pads: Pads, kernels: Ints) -> bool:
    """Whether torch's poolings take such padding: alike on both sides, and at most half a window."""
    return all(before == behind <= k // 2 for (before, behind), k in zip(pads, kernels))


def _average(
    x: Tensor, kernels: Ints, strides: Ints, pads: Pads, ceil_mode: bool, exclusive: bool, whole_window: bool
) -> Tensor:
    run = _AVERAGE[len(kernels)]
    sizes = x.shape[2:]
    seen = len(kernels) == 2 or all(n >= k for n, k in zip(sizes, kernels))  # torch refuses volumes that a window reaches out of
    if seen and not ceil_mode and _torch_pads(pads, kernels):
        return run(x, kernels, strides, [p[0] for p in pads], False, not exclusive)
    covered = _cover(sizes, kernels, strides, pads) if ceil_mode else pads
    if whole_window and not exclusive:
        return run(pad(x, covered), kernels, strides)
    total = run(pad(x, covered), kernels, strides, divisor_override=1)
    # How many elements each window counts, those of the image or (inclusive) of the padded image, which Paddle 2.x takes to be padded
    # behind as it is before. Where windows see nothing, these are no numbers of elements, but what Paddle divides by: 0, or less.
    shape, counted = [1] * len(kernels), torch.ones((), dtype=x.dtype, device=x.device)
    for axis, (size, kernel, stride, (before, behind)) in enumerate(zip(sizes, kernels, strides, covered)):
        first = torch.arange(total.shape[2 + axis], device=x.device) * stride - before
        end = (first + kernel).clamp_(max=size if exclusive else size + min(before, behind))
        count = end - (first.clamp(min=0) if exclusive else first)
        counted = counted * count.to(x.dtype).view(*shape[:axis], -1, *shape[axis + 1 :])
    return total / counted


def _pool(
    x: Tensor,
    kind: str,
    kernels: Ints,
    strides: Ints,
    paddings: Ints,
    global_pooling: bool,
    ceil_mode: bool,
    exclusive: bool,
    adaptive: bool,
    data_format: str,
    algorithm: str,
    whole_window: bool,
) -> Tensor:
    rank = len(kernels)
    everything = global_pooling or (adaptive and all(k == 1 for k in kernels))
    if everything and kind == "avg":
        first = 1 if data_format[-1] == "C" else 2
        return x.mean(tuple(range(first, first + rank)), keepdim=True)
    x = channels_first(x, data_format)
    if 0 in x.shape[:2]:  # torch wants channels, and images for the way back
        one = x.new_zeros((1, 1, *x.shape[2:]))
        like = _pool(one, kind, kernels, strides, paddings, everything, ceil_mode, exclusive, adaptive, "NCHW", algorithm, whole_window)
        return channels_back(zeros_behind(x, (*x.shape[:2], *like.shape[2:])), data_format)
    if adaptive and 0 in kernels:  # which torch finds no way back from
        return channels_back(zeros_behind(x, (*x.shape[:2], *kernels)), data_format)
    if 0 in x.shape[2:] and (adaptive or everything):
        return channels_back(zeros_behind(x, (*x.shape[:2], *([1] * rank if everything else kernels))) + torch.nan, data_format)
    if adaptive or everything:
        run = (_ADAPTIVE_MAX if kind == "max" else _ADAPTIVE_AVERAGE)[rank]
        return channels_back(run(x, [1] * rank if everything else list(kernels)), data_format)
    pads = resolve(x.shape[2:], kernels, strides, paddings, algorithm)
    if 0 in x.shape[2:]:
        filled = torch.nan if kind == "avg" else torch.finfo(x.dtype).min
        return channels_back(_of_empty_sides(x, kernels, strides, pads, ceil_mode, filled), data_format)
    pads = _reach(x.shape[2:], kernels, strides, pads)
    if kind == "avg":
        out = _average(x, kernels, strides, pads, ceil_mode, exclusive, whole_window)
    elif not ceil_mode and _torch_pads(pads, kernels):
        out = max_of_windows(x, kernels, strides, [p[0] for p in pads])
    else:
        covered = _cover(x.shape[2:], kernels, strides, pads) if ceil_mode else pads
        out = max_of_windows(pad(x, covered, torch.finfo(x.dtype).min), kernels, strides)
    return channels_back(out, data_format)


def _infer_pool(
    x: Meta, *, ksize: Ints, global_pooling: bool = False, adaptive: bool = False, data_format: str = "NCHW", **attrs: Any
) -> Any:
    """The common cases, without a trial run: one window for all, windows that all fit, as many as asked for."""
    rank = len(x.shape) - 2
    first = 1 if data_format[-1] == "C" else 2
    if not x.dtype.is_floating_point or rank != len(ksize):
        return NotImplemented
    sizes = x.shape[first : first + rank]
    if global_pooling or adaptive:
        out = [1] * rank if global_pooling else list(ksize)
    elif attrs.get("ceil_mode") or min(sizes) < 0:
        return NotImplemented
    else:
        strides = attrs.get("strides", (1,) * rank)
        pads = resolve(sizes, ksize, strides, attrs.get("paddings", (0,) * rank), attrs.get("padding_algorithm", "EXPLICIT"))
        pads = _reach(sizes, ksize, strides, pads)
        out = [(n + sum(p) - k) // s + 1 for n, k, s, p in zip(sizes, ksize, strides, pads)]
        if min(out) < 1:
            return NotImplemented
    return Meta((*x.shape[:first], *out, *x.shape[first + rank :]), x.dtype)


@op(inputs=("X",), grad=("X", "Out"), infer=_infer_pool)
def pool2d(
    x: Tensor,
    *,
    pooling_type: str,
    ksize: Ints,
    global_pooling: bool = False,
    strides: Ints = (1, 1),
    paddings: Ints = (0, 0),
    exclusive: bool = True,
    adaptive: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCHW",
    padding_algorithm: str = "EXPLICIT",
    _whole_window: bool = False,
) -> Tensor:
    """The largest (`pooling_type="max"`) or the mean ("avg") of each window of an image."""
    return _pool(
        x,
        pooling_type,
        ksize,
        strides,
        paddings,
        global_pooling,
        ceil_mode,
        exclusive,
        adaptive,
        data_format,
        padding_algorithm,
        _whole_window,
    )


@op(inputs=("X",), grad=("X", "Out"))
def pool3d(
    x: Tensor,
    *,
    pooling_type: str,
    ksize: Ints,
    global_pooling: bool = False,
    strides: Ints = (1, 1, 1),
    paddings: Ints = (0, 0, 0),
    exclusive: bool = True,
    adaptive: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCDHW",
    padding_algorithm: str = "EXPLICIT",
    _whole_window: bool = False,
) -> Tensor:
    """The largest or the mean of each window of a volume."""
    return _pool(
        x,
        pooling_type,
        ksize,
        strides,
        paddings,
        global_pooling,
        ceil_mode,
        exclusive,
        adaptive,
        data_format,
        padding_algorithm,
        _whole_window,
    )


def _max_with_index(
    x: Tensor, kernels: Ints, strides: Ints, paddings: Ints, global_pooling: bool, adaptive: bool, ceil_mode: bool
) -> tuple[Tensor, Tensor]:
    rank = len(kernels)
    if 0 in x.shape[:2]:
        like, _ = _max_with_index(x.new_zeros((1, 1, *x.shape[2:])), kernels, strides, paddings, global_pooling, adaptive, ceil_mode)
        shape = (*x.shape[:2], *like.shape[2:])
        return zeros_behind(x, shape), x.new_zeros(shape, dtype=torch.int32)
    if adaptive and 0 in kernels:
        shape = (*x.shape[:2], *kernels)
        return zeros_behind(x, shape), x.new_zeros(shape, dtype=torch.int32)
    if 0 in x.shape[2:]:
        if global_pooling or adaptive:
            out = zeros_behind(x, (*x.shape[:2], *([1] * rank if global_pooling else kernels))) + torch.nan
        else:
            out = _of_empty_sides(x, kernels, strides, [(p, p) for p in paddings], ceil_mode, torch.nan)
        return out, x.new_zeros(out.shape, dtype=torch.int32)
    if global_pooling or adaptive:
        out, index = _ADAPTIVE_MAX[rank](x, [1] * rank if global_pooling else list(kernels), return_indices=True)
    else:
        pads = (_cover if ceil_mode else _reach)(x.shape[2:], kernels, strides, [(p, p) for p in paddings])
        if not ceil_mode and _torch_pads(pads, kernels):
            out, index = max_of_windows(x, kernels, strides, paddings, return_indices=True)
        else:
            out, index = _max_of_all_windows(x, kernels, strides, pads)
    return out, index.to(torch.int32)


def _max_of_all_windows(x: Tensor, kernels: Ints, strides: Ints, pads: Pads) -> tuple[Tensor, Tensor]:
    """The largest of each window with its place in x, where paddings differ; a window beside x gives the lowest number and -1."""
    padded = F.pad(x, [p for pair in reversed(pads) for p in pair], value=-torch.inf)
    out, rest = max_of_windows(padded, kernels, strides, return_indices=True)
    place, step, beside = torch.zeros_like(rest), 1, torch.zeros_like(rest, dtype=torch.bool)
    for size, whole, (before, _) in zip(reversed(x.shape[2:]), reversed(padded.shape[2:]), reversed(pads)):
        at = rest % whole - before
        place, step, rest, beside = place + at * step, step * size, rest // whole, beside | (at < 0) | (at >= size)
    return out.masked_fill(beside, torch.finfo(x.dtype).min), place.masked_fill(beside, -1)


@op(inputs=("X",), outputs=("Out", "Mask"), grad=("X", "Mask"), lod=None)
def max_pool2d_with_index(
    x: Tensor,
    *,
    ksize: Ints,
    global_pooling: bool = False,
    adaptive: bool = False,
    strides: Ints = (1, 1),
    paddings: Ints = (0, 0),
    _last: str = "whole",  # or "partial": the last windows may reach out
) -> tuple[Tensor, Tensor]:
    """The largest of each window of an image, and where it stands in the flattened image."""
    return _max_with_index(x, ksize, strides, paddings, global_pooling, adaptive, _last == "partial")


@op(inputs=("X",), outputs=("Out", "Mask"), grad=("X", "Mask"), lod=None)
def max_pool3d_with_index(
    x: Tensor,
    *,
    ksize: Ints,
    global_pooling: bool = False,
    adaptive: bool = False,
    strides: Ints = (1, 1, 1),
    paddings: Ints = (0, 0, 0),
    _last: str = "whole",  # or "partial": the last windows may reach out
) -> tuple[Tensor, Tensor]:
    """The largest of each window of a volume, and where it stands in the flattened volume."""
    return _max_with_index(x, ksize, strides, paddings, global_pooling, adaptive, _last == "partial")


def _unpool(x: Tensor, indices: Tensor, size: Ints) -> Tensor:
    count = 1
    for length in size:
        count *= length
    out = x.new_zeros(*x.shape[:2], count).scatter(2, indices.flatten(2).long(), x.flatten(2))
    return out.reshape(*x.shape[:2], *size)


def _unpooled_size(x: Tensor, ksize: Ints, strides: Ints, paddings: Ints, output_size: Ints) -> list[int]:
    if output_size:
        return list(output_size)[-len(ksize) :]
    return [(n - 1) * s - 2 * p + k for n, k, s, p in zip(x.shape[2:], ksize, strides, paddings)]


@op(inputs=("X", "Indices"), grad=("X", "Out", "Indices"), no_grad=("Indices",))
def unpool(
    x: Tensor,
    indices: Tensor,
    *,
    ksize: Ints,
    unpooling_type: str = "max",
    strides: Ints = (1, 1),
    paddings: Ints = (0, 0),
    output_size: Ints = (),
    data_format: str = "NCHW",
) -> Tensor:
    """Put the largest elements of `max_pool2d_with_index` back where they stood; zeros elsewhere."""
    return _unpool(x, indices, _unpooled_size(x, ksize, strides, paddings, output_size))


@op(inputs=("X", "Indices"), grad=("X", "Out", "Indices"), no_grad=("Indices",))
def unpool3d(
    x: Tensor,
    indices: Tensor,
    *,
    ksize: Ints,
    strides: Ints = (1, 1, 1),
    paddings: Ints = (0, 0, 0),
    output_size: Ints = (),
    data_format: str = "NCDHW",
) -> Tensor:
    """Put the largest elements of `max_pool3d_with_index` back where they stood; zeros elsewhere."""
    return _unpool(x, indices, _unpooled_size(x, ksize, strides, paddings, output_size))


def _pyramid_meta(x: Meta, *, pyramid_height: int, **attrs: Any) -> Meta:
    return Meta((x.shape[0], x.shape[1] * (4**pyramid_height - 1) // 3), x.dtype)


@op(inputs=("X",), grad=("X", "Out"), infer=_pyramid_meta, lod=None)
def spp(x: Tensor, *, pyramid_height: int, pooling_type: str) -> Tensor:
    """Spatial pyramid pooling: the image pooled into 1, 4, 16, ... windows, side by side."""
    if pooling_type not in ("max", "avg"):
        raise invalid_argument("pooling_type", "'max' or 'avg'", pooling_type, "spp")
    levels = []
    for bins in (1 << level for level in range(pyramid_height)):
        kernels = [-(-size // bins) for size in x.shape[2:]]
        before = [(kernel * bins - size + 1) // 2 for kernel, size in zip(kernels, x.shape[2:])]
        pads = [(b, max(kernel * bins - size - b, 0)) for b, kernel, size in zip(before, kernels, x.shape[2:])]
        if pooling_type == "max":
            pooled = F.max_pool2d(pad(x, pads, torch.finfo(x.dtype).min), kernels, kernels)
        else:
            inside = pad(torch.ones_like(x[:1, :1]), pads)
            pooled, counted = (F.avg_pool2d(v, kernels, kernels, divisor_override=1) for v in (pad(x, pads), inside))
            pooled = pooled / counted
        levels.append(pooled[:, :, :bins, :bins].flatten(1))
    return torch.cat(levels, 1)
