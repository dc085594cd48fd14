"""Images: resizing, padding, sampling, and moving pixels between space and channels."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F

from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.core.op import Meta, Op, op
from paddle_compat.core.open_sizes import as_size, grown, is_open
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.ops._nothing import zeros_behind
from paddle_compat.ops._rounding import toward_zero
from paddle_compat.ops._spatial import channels_back, channels_first, is_channel_last, pad
from paddle_compat.ops._windows import columns_of

Tensor = torch.Tensor
Ints = Sequence[int]


# ---- resizing
def _target(sizes: Ints, attrs: dict[str, Any]) -> tuple[list[int], list[float]]:
    """The sizes after resizing, and the scales where scales were given (else 0)."""
    rank = len(sizes)
    wanted = [attrs.get(name, 0) for name in ("out_d", "out_h", "out_w")][-rank:]
    scale = attrs.get("scale", 0.0)
    scales = [float(scale)] * rank if isinstance(scale, (int, float)) else [float(s) for s in scale] or [0.0] * rank
    if len(scales) == 1:
        scales *= rank
    if all(s > 0 for s in scales):
        return [grown(n, s) if n >= 0 else -1 for n, s in zip(sizes, scales)], scales
    return [n if n > 0 else -1 for n in wanted], [0.0] * rank


def _infer_resize(x: Meta, *tensors: Any, data_layout: str = "NCHW", **attrs: Any) -> Meta:
    last = is_channel_last(data_layout)
    sizes = x.shape[1:-1] if last else x.shape[2:]
    new, _ = _target(sizes, attrs)
    return Meta((x.shape[0], *new, x.shape[-1]) if last else (*x.shape[:2], *new), x.dtype)


def _source(size: int, out: int, scale: float, align_corners: bool, half: bool, device: torch.device) -> Tensor:
    """Where each new pixel lies among the old ones."""
    index = torch.arange(out, device=device, dtype=torch.float32)
    if align_corners:
        return index * ((size - 1) / (out - 1) if out > 1 else 0.0)
    ratio = 1 / scale if scale > 0 else size / out
    return (ratio * (index + 0.5) - 0.5).clamp(min=0) if half else ratio * index


def _single(x: Tensor, new: Ints, scales: list[float], cubic: bool) -> tuple[Tensor, list[float]]:
    """Dimensions of which one pixel is left: Paddle looks at the first one's beginning, PyTorch (at times Paddle 3) into its middle."""
    for dim, (size, out) in enumerate(zip(x.shape[2:], new), 2):
        if out == 1 and size > 1:
            first = x.narrow(dim, 0, 1)
            x = first * 1.09375 - x.narrow(dim, 1, 1) * 0.09375 if cubic else first
            scales = [1.0 if i == dim - 2 and scale else scale for i, scale in enumerate(scales)]
    return x, scales


def _resize(
    x: Tensor,
    method: str,
    out_size: Tensor | None,
    sizes: list[Tensor] | None,
    scale: Tensor | None,
    attrs: dict[str, Any],
) -> Tensor:
    layout, corners, half = attrs["data_layout"], attrs["align_corners"], attrs["align_mode"] == 0
    x = channels_first(x, layout)
    if x.dtype is torch.uint8 and method != "nearest":  # cut off, where torch rounds
        return _resize(x.double(), method, out_size, sizes, scale, {**attrs, "data_layout": "NCHW"}).float().to(torch.uint8)
    if scale is not None and not sizes and out_size is None:
        attrs = {**attrs, "scale": scale.tolist()}
    new, scales = _target(x.shape[2:], attrs)
    if sizes:
        new, scales = [as_size(s.item()) for s in sizes], [0.0] * len(new)
    elif out_size is not None:
        new, scales = out_size.tolist(), [0.0] * len(new)
    if 0 in x.shape[:2]:
        return channels_back(zeros_behind(x, (*x.shape[:2], *new)), layout)
    open_ = any(map(is_open, x.shape[2:])) and all(float(factor).is_integer() for factor in scales)
    if attrs["_plain_ratio"] or open_:  # of open sizes, torch does not see that they are so many times the others
        scales = [0.0] * len(new)
    if method == "nearest":
        # a scale that leads to whole sizes asks for the pixels that the sizes ask for
        whole = x.dtype in (torch.int32, torch.int64)  # which torch has no kernel for
        if not whole and not corners and all(factor in (0.0, out / size) for size, out, factor in zip(x.shape[2:], new, scales)):
            return channels_back(F.interpolate(x, new, mode="nearest"), layout)
        for dim, (size, out, factor) in enumerate(zip(x.shape[2:], new, scales), 2):
            at = _source(size, out, factor, corners, False, x.device)
            x = x.index_select(dim, (at + 0.5 if corners else at).long().clamp(max=size - 1))
    elif method == "bicubic" or corners or half:
        if not corners and not (SINCE_3 and method in ("linear", "trilinear") and not attrs["_plain_ratio"]):
            x, scales = _single(x, new, scales, method == "bicubic")
        given: dict[str, Any] = {"scale_factor": scales} if any(scales) and not corners else {"size": new}
        x = F.interpolate(x, mode=method, align_corners=corners, **given)
    else:
        for dim, (size, out, factor) in enumerate(zip(x.shape[2:], new, scales), 2):
            at = _source(size, out, factor, False, False, x.device)
            low = at.long().clamp(max=size - 1)
            weight = (at - low).to(x.dtype).view(-1, *[1] * (x.dim() - 1 - dim))
            high = (low + 1).clamp(max=size - 1)
            x = x.index_select(dim, low) * (1 - weight) + x.index_select(dim, high) * weight
    return channels_back(x, layout)


def _resizer(method: str, version: int) -> Op:
    def fn(
        x: Tensor,
        out_size: Tensor | None = None,
        size_tensor: list[Tensor] | None = None,
        scale_tensor: Tensor | None = None,
        *,
        data_layout: str = "NCHW",
        out_d: int = 0,
        out_h: int = 0,
        out_w: int = 0,
        scale: float | Sequence[float] = 0.0 if version == 1 else (),
        interp_method: str = "bilinear",
        align_corners: bool = True,
        align_mode: int = 1,
    ) -> Tensor:
        attrs = {"data_layout": data_layout, "out_d": out_d, "out_h": out_h, "out_w": out_w, "scale": scale}
        attrs.update(align_corners=align_corners, align_mode=align_mode, _plain_ratio=version == 1)
        return _resize(x, method, out_size, size_tensor, scale_tensor, attrs)

    fn.__doc__ = f"Resize by {method} interpolation."
    return op(
        name=f"{method}_interp" + ("" if version == 1 else "_v2"),
        inputs=("X", "OutSize?", "SizeTensor*?", "Scale?"),
        grad=("X", "OutSize", "SizeTensor", "Scale"),
        no_grad=("OutSize", "SizeTensor", "Scale"),
        infer=_infer_resize,
        lod=None,
    )(fn)


RESIZERS = {
    (method, version): _resizer(method, version)
    for method in ("linear", "bilinear", "trilinear", "nearest", "bicubic")
    for version in (1, 2)
}


# ---- padding
_MODES = {"edge": "replicate"}


def _infer_pad(x: Meta, paddings_tensor: Meta | None = None, *, paddings: Ints, data_format: str, **attrs: Any) -> Meta:
    first = 1 if is_channel_last(data_format) else 2
    if paddings_tensor is not None:
        if len(x.shape) == 4:  # Paddle 1.8 does not count the padding of images that it does not know yet
            return Meta(x.shape, x.dtype)
        known = (0, len(x.shape) - 1 if first == 1 else 1)
        return Meta(tuple(n if i in known else -1 for i, n in enumerate(x.shape)), x.dtype)
    if len(paddings) != 2 * (len(x.shape) - 2):
        raise invalid_argument("paddings", f"{2 * (len(x.shape) - 2)} numbers, as x has shape {list(x.shape)}", list(paddings))
    pairs = list(zip(paddings[::2], paddings[1::2]))
    if len(x.shape) == 5:
        pairs = pairs[::-1]
    shape = list(x.shape)
    for dim, (before, behind) in enumerate(pairs, first):
        shape[dim] = shape[dim] + before + behind if shape[dim] >= 0 else -1
    return Meta(tuple(shape), x.dtype)


def _pad(x: Tensor, pairs: list[tuple[int, int]], mode: str, value: float, data_format: str) -> Tensor:
    rows = channels_first(x, data_format)
    if mode == "constant" or 0 in rows.shape:  # of nothing there is nothing to repeat
        return channels_back(pad(rows, pairs, value), data_format)
    if mode == "circular":
        for dim, (before, behind) in enumerate(pairs, 2):
            # torch goes round once at most, and where a side is cut off, through what is left
            if rows.shape[dim] and (max(before, behind) > rows.shape[dim] or min(before, behind) < 0):
                places = torch.arange(-before, rows.shape[dim] + behind, device=rows.device) % rows.shape[dim]
                rows, pairs[dim - 2] = rows.index_select(dim, places), (0, 0)
    flat = [p for pair in reversed(pairs) for p in pair]
    return channels_back(F.pad(rows, flat, mode=_MODES.get(mode, mode)), data_format)


@op(inputs=("X", "Paddings?"), grad=("X", "Paddings"), no_grad=("Paddings",), infer=_infer_pad)
def pad2d(
    x: Tensor,
    paddings_tensor: Tensor | None = None,
    *,
    paddings: Ints = (0, 0, 0, 0),
    pad_value: float = 0.0,
    mode: str = "constant",
    data_format: str = "NCHW",
) -> Tensor:
    """Pad images: above, below, left, right."""
    p = list(paddings) if paddings_tensor is None else paddings_tensor.tolist()
    return _pad(x, [(p[0], p[1]), (p[2], p[3])], mode, pad_value, data_format)


@op(inputs=("X", "Paddings?"), grad=("X", "Paddings"), no_grad=("Paddings",), infer=_infer_pad)
def pad3d(
    x: Tensor,
    paddings_tensor: Tensor | None = None,
    *,
    paddings: Ints = (0, 0, 0, 0, 0, 0),
    value: float = 0.0,
    mode: str = "constant",
    data_format: str = "NCDHW",
) -> Tensor:
    """Pad volumes: left, right, above, below, front, back."""
    p = list(paddings) if paddings_tensor is None else paddings_tensor.tolist()
    return _pad(x, [(p[4], p[5]), (p[2], p[3]), (p[0], p[1])], mode, value, data_format)


# ---- sampling
def _on_pixels(grid: Tensor, sizes: Sequence[int], align_corners: bool, strict: bool) -> Tensor:
    """The points moved to the nearest pixels; Paddle takes the outer one of two that are as near, PyTorch the even one.

    Args:
        grid: the points.
        sizes: width, height (and depth).
        align_corners: whether -1 and 1 are the middles of the outer pixels.
        strict: points beyond those middles have no pixel.
    """
    size = torch.tensor(sizes, dtype=grid.dtype, device=grid.device)
    first = 0.0 if align_corners else 0.5
    scale = (size - 1 if align_corners else size) / 2
    place = (grid + 1) * scale - first
    whole = toward_zero(place)
    pixel = torch.where((place - whole).abs() == 0.5, whole + place.sign(), place.round())
    if strict:
        pixel = torch.where(place < 0, -1.0, torch.where(place > size - 1, size, pixel))
    return (pixel + first) / scale.clamp(min=0.5) - 1


def _inside(grid: Tensor, sizes: Sequence[int], padding_mode: str, align_corners: bool) -> Tensor:
    """The points moved onto the image. One on the edge has a gradient in Paddle, of which PyTorch's own padding makes 0."""
    if padding_mode == "reflection":
        way = torch.where(grid < -1, -1 - grid, grid + 1) % 4
        grid = torch.where(grid.abs() > 1, torch.where(way > 2, 4 - way, way) - 1, grid)
    size = torch.tensor(sizes, dtype=grid.dtype, device=grid.device)
    # where they lie, in pixels, by the formula of PyTorch's kernel: points that are left alone must not change pixels
    place = (grid + 1) / 2 * (size - 1) if align_corners else ((grid + 1) * size - 1) / 2
    edge = torch.ones_like(size) if align_corners else 1 - 1 / size
    return torch.where(place < 0, -edge, torch.where(place > size - 1, edge, grid))


def _infer_sampled(x: Meta, grid: Meta, **attrs: Any) -> Meta:
    rank = len(x.shape)
    if rank not in (4, 5) or len(grid.shape) != rank or grid.shape[-1] not in (-1, rank - 2):
        expected = "an image and [N, H, W, 2], or a volume and [N, D, H, W, 3]"
        raise invalid_argument("x, grid", expected, f"shapes {list(x.shape)} and {list(grid.shape)}", "grid_sampler")
    return Meta((*x.shape[:2], *grid.shape[1:-1]), x.dtype)


@op(inputs=("X", "Grid"), outputs=("Output",), grad=("X", "Grid"), infer=_infer_sampled)
def grid_sampler(x: Tensor, grid: Tensor, *, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool = True) -> Tensor:
    """The image (or volume) at the points of a grid, whose coordinates run from -1 to 1."""
    if mode == "nearest" and padding_mode != "reflection":
        # 2.6 asks where a point of a volume lies before it rounds
        grid = _on_pixels(grid, x.shape[:1:-1], align_corners, strict=x.dim() == 5 and padding_mode == "zeros")
    if mode == "bilinear" and padding_mode != "zeros":
        grid, padding_mode = _inside(grid, x.shape[:1:-1], padding_mode, align_corners), "zeros"
    return F.grid_sample(x, grid, mode, padding_mode, align_corners)


def _infer_sliced(x: Meta, grid: Meta, guide: Meta, *, has_offset: bool = False) -> Meta:
    factors = x.shape[1] + has_offset
    if len(x.shape) != 4 or len(grid.shape) != 5 or len(guide.shape) != 3 or grid.shape[1] % factors:
        expected = f"[N, C, H, W], [N, a multiple of {factors}, ., ., .] and [N, H, W]"
        given = f"shapes {list(x.shape)}, {list(grid.shape)} and {list(guide.shape)}"
        raise invalid_argument("x, grid, guide", expected, given, "bilateral_slice")
    return Meta((x.shape[0], grid.shape[1] // factors, *x.shape[2:]), x.dtype)


@op(inputs=("X", "Grid", "Guide"), grad=("X", "Grid", "Guide"), infer=_infer_sliced)
def bilateral_slice(x: Tensor, grid: Tensor, guide: Tensor, *, has_offset: bool = False) -> Tensor:
    """Each pixel through the affine map of colours that a grid has at its place and brightness; the grid is interpolated between."""
    images, channels, height, width = x.shape
    maps, (deep, high, wide) = grid.flatten(2), grid.shape[2:]
    rows, columns = (torch.arange(n, device=x.device, dtype=x.dtype) + 0.5 for n in (height, width))
    places = ((guide * deep, deep), ((rows * high / height)[:, None], high), (columns * wide / width, wide))
    factors = x.new_zeros((images, grid.shape[1], height * width))
    for corner in itertools.product((0.0, 1.0), repeat=3):
        cells, weight = [], torch.ones_like(guide)
        for step, (place, size) in zip(corner, places):
            cell = (place.detach() - 0.5).floor() + step
            away = cell + 0.5 - place
            # the distance along brightness is smooth where it is 0, so that it has a gradient there
            weight = weight * (1 - ((away.square() + 1e-8).sqrt() if place.dim() == 3 else away.abs())).clamp(min=0)
            cells.append(cell.clamp(0, size - 1).long())
        index = ((cells[0] * high + cells[1]) * wide + cells[2]).reshape(images, 1, -1)
        factors = factors + maps.gather(2, index.expand(-1, maps.shape[1], -1)) * weight.reshape(images, 1, -1)
    factors = factors.reshape(images, -1, channels + has_offset, height, width)
    out = (factors[:, :, :channels] * x.unsqueeze(1)).sum(2)
    return out + factors[:, :, channels] if has_offset else out


def _infer_correlated(
    x: Meta, y: Meta, *, pad_size: int, kernel_size: int, max_displacement: int, stride1: int, stride2: int, corr_type_multiply: int = 1
) -> Meta:
    if len(x.shape) != 4 or len(y.shape) != 4:
        raise invalid_argument("x, y", "four dimensions each", f"shapes {list(x.shape)} and {list(y.shape)}", "correlation")
    sizes = [-1 if n < 0 else -(-(n + 2 * pad_size - 2 * max_displacement) // stride1) for n in x.shape[2:]]
    return Meta((x.shape[0], (2 * (max_displacement // stride2) + 1) ** 2, *sizes), x.dtype)


@op(inputs=("Input1", "Input2"), outputs=("Output",), grad=("Input1", "Input2"), infer=_infer_correlated)
def correlation(
    x: Tensor, y: Tensor, *, pad_size: int, kernel_size: int, max_displacement: int, stride1: int, stride2: int, corr_type_multiply: int = 1
) -> Tensor:
    """How well each pixel of x goes with those of y around it: the mean over channels of their products."""
    if kernel_size != 1 or corr_type_multiply != 1:
        raise UnsupportedError("paddle.incubate.layers.correlation", "kernel_size or corr_type_multiply other than 1")
    x, y = (F.pad(each, [pad_size] * 4) for each in (x, y))
    high, wide = (n - 2 * max_displacement for n in x.shape[2:])
    reach = max_displacement // stride2
    starts = [max_displacement + step * stride2 for step in range(-reach, reach + 1)]
    middle = x[:, :, max_displacement : max_displacement + high : stride1, max_displacement : max_displacement + wide : stride1]
    near = (y[:, :, top : top + high : stride1, left : left + wide : stride1] for top in starts for left in starts)
    return torch.stack([(middle * each).mean(1) for each in near], 1)


def _infer_grid(theta: Meta, shape: Meta | None = None, *, _v1: bool = False, **attrs: Any) -> Meta:
    if len(theta.shape) != 3:
        raise invalid_argument("theta", "3 dimensions", f"shape {list(theta.shape)}", "affine_grid")
    sizes = attrs.get("output_shape") or ()
    if shape is None and len(sizes) < 4:
        raise invalid_argument("out_shape", "at least 4 sizes", list(sizes), "affine_grid")
    # the sizes stay unknown even where they are attributes; for a tensor 2.x expects the grid of a volume
    unknown = theta.shape[1] if shape is None or _v1 else 3
    return Meta((theta.shape[0], *[-1] * unknown, unknown), theta.dtype)


@op(
    inputs=("Theta", "OutputShape?"),
    outputs=("Output",),
    grad={1: ("OutputShape",), 2: ("Theta", "OutputShape")},
    no_grad=("OutputShape",),
    infer=_infer_grid,
)
def affine_grid(
    theta: Tensor, shape: Tensor | None = None, *, output_shape: Ints = (), align_corners: bool = True, _v1: bool = False
) -> Tensor:
    """The grid that an affine map per image takes an evenly spaced one to; of square matrices of a plane, the last row is left out."""
    sizes = list(output_shape) if shape is None else shape.tolist()
    if 0 in theta.shape:
        return zeros_behind(theta, (len(theta), *sizes[2:], len(sizes) - 2))
    # as many grids as maps, whatever number of images is said
    return F.affine_grid(theta[:, :2] if len(sizes) == 4 else theta, [theta.shape[0], *sizes[1:]], align_corners)


# ---- between space and channels
def _per_layout(x: Tensor, data_format: str, run: Callable[[Tensor], Tensor]) -> Tensor:
    return channels_back(run(channels_first(x, data_format)), data_format)


def _rearranged(rows: Tensor, rearrange: Callable[[Tensor, int], Tensor], factor: int) -> Tensor:
    """An image with channels and pixels exchanged; torch forgets the sizes, or the gradient's, of images without elements."""
    if rows.numel():
        return rearrange(rows, factor)
    return zeros_behind(rows, (len(rows), *rearrange(rows.new_empty((1, *rows.shape[1:]), device="meta"), factor).shape[1:]))


@op(inputs=("X",), grad=(), lod=None)
def pixel_shuffle(x: Tensor, *, upscale_factor: int = 1, data_format: str = "NCHW") -> Tensor:
    """Every r * r channels become r * r pixels."""
    if x.shape[3 if is_channel_last(data_format) else 1] % (upscale_factor * upscale_factor):
        raise invalid_argument("upscale_factor", "a number whose square divides the channels", upscale_factor)
    return _per_layout(x, data_format, lambda rows: _rearranged(rows, F.pixel_shuffle, upscale_factor))


@op(inputs=("X",), grad=())
def pixel_unshuffle(x: Tensor, *, downscale_factor: int = 1, data_format: str = "NCHW") -> Tensor:
    """Every r * r pixels become r * r channels."""
    return _per_layout(x, data_format, lambda rows: _rearranged(rows, F.pixel_unshuffle, downscale_factor))


def _shuffled(x: Tensor, groups: int) -> Tensor:
    batch, channels, *sizes = x.shape
    return x.reshape(batch, groups, channels // groups, *sizes).transpose(1, 2).reshape(x.shape)


@op(inputs=("X",), grad=(), lod=None)
def channel_shuffle(x: Tensor, *, groups: int, data_format: str = "NCHW") -> Tensor:
    """Interleave groups of channels."""
    return _per_layout(x, data_format, lambda rows: _shuffled(rows, groups))


class _ShuffleChannel(torch.autograd.Function):
    """The real gradient of `shuffle_channel` shuffles once more, instead of back."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, group: int) -> Tensor:
        ctx.group = group
        return _shuffled(x, group)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        return _shuffled(grad, ctx.group), None


@op(inputs=("X",), grad=(), lod=None)
def shuffle_channel(x: Tensor, *, group: int = 1) -> Tensor:
    """Interleave groups of channels (1.x)."""
    return _ShuffleChannel.apply(x, group)


@op(inputs=("X",), grad=("X",))
def space_to_depth(x: Tensor, *, blocksize: int = 2) -> Tensor:
    """Blocks of pixels become channels, in the order of YOLO's "reorg" layer."""
    batch, channels, height, width = x.shape
    inner = channels // (blocksize * blocksize)
    grown = x.reshape(batch, blocksize, blocksize, inner, height, width).permute(0, 3, 4, 1, 5, 2)
    return grown.reshape(batch, channels * blocksize * blocksize, height // blocksize, width // blocksize)


# ---- windows
@op(inputs=("X",), outputs=("Y",), grad=("X",), lod=None)
def unfold(x: Tensor, *, kernel_sizes: Ints, strides: Ints = (1, 1), paddings: Ints = (0, 0, 0, 0), dilations: Ints = (1, 1)) -> Tensor:
    """Every window as a column; paddings are above, left, below, right."""
    top, left, bottom, right = paddings
    images = x if x.shape[1] else x.new_zeros((1, 1, *x.shape[2:]))  # torch wants channels
    if any(paddings):
        images = F.pad(images, (left, right, top, bottom))
    columns = columns_of(images, tuple(kernel_sizes), tuple(dilations), tuple(strides))
    return columns if x.shape[1] else zeros_behind(x, (len(x), 0, columns.shape[2]))


@op(inputs=("X",), outputs=("Y",), grad=("X",))
def fold(
    x: Tensor,
    *,
    output_sizes: Ints,
    kernel_sizes: Ints,
    strides: Ints = (1, 1),
    paddings: Ints = (0, 0, 0, 0),
    dilations: Ints = (1, 1),
) -> Tensor:
    """The image that columns of windows add up to; paddings are above, left, below, right."""
    top, left, bottom, right = paddings
    height, width = output_sizes
    size = (height + top + bottom, width + left + right)
    whole = F.fold(x, size, tuple(kernel_sizes), tuple(dilations), 0, tuple(strides))
    return whole[:, :, top : top + height, left : left + width]


@op(inputs=("X",), grad=())
def temporal_shift(x: Tensor, *, seg_num: int, shift_ratio: float = 0.25, data_format: str = "NCHW") -> Tensor:
    """Shift some channels one frame back and as many one frame ahead within segments of `seg_num` frames."""
    if x.dim() != 4 or not x.is_floating_point():
        raise invalid_argument("x", "four dimensions of floats", f"{x.dtype} of shape {list(x.shape)}", "temporal_shift")
    if seg_num < 1 or not 0.0 < shift_ratio < 0.5:
        expected = "a number above 0, and one between 0 and 0.5"
        raise invalid_argument("seg_num, shift_ratio", expected, (seg_num, shift_ratio), "temporal_shift")
    rows = channels_first(x, data_format)
    frames = rows.reshape(-1, seg_num, *rows.shape[1:])
    first, second = int(rows.shape[1] * shift_ratio), int(rows.shape[1] * 2 * shift_ratio)
    back, ahead, still = frames[:, :, :first], frames[:, :, first:second], frames[:, :, second:]
    rest = [0, 0] * (rows.dim() - 1)
    back = F.pad(back[:, :-1], [*rest, 1, 0])
    ahead = F.pad(ahead[:, 1:], [*rest, 0, 1])
    return channels_back(torch.cat((back, ahead, still), 2).reshape(rows.shape), data_format)
