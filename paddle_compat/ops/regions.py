"""Object detection: features of regions of images.

A region is left, top, right, bottom in pixels of the image; `spatial_scale` takes it to pixels of the feature map.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._checks import check_fits, check_rank
from paddle_compat.ops._lod import need_lod, offsets_of, sequence_ids
from paddle_compat.ops._nothing import zeros_behind
from paddle_compat.ops._update_parts import single

Tensor = torch.Tensor
Array = npt.NDArray[Any]

_MAX = 2  # of torch.embedding_bag's modes
_ELEMENTS = 1 << 22
_FEW_TAPS = 1 << 14  # so many numbers are read sooner than it is found out which are asked for


def _images(rois: Tensor, lod: LoD | None, starts: Tensor | None, counts: Tensor | None, api: str) -> Tensor:
    """Of every region the number of its image (CPU): from offsets, counts, or the regions' LoD."""
    if starts is not None:
        offsets = starts.cpu()
    elif counts is not None:
        offsets = offsets_of(counts)
    else:
        offsets = need_lod(lod, "ROIs", api)[-1]
    if int(offsets[-1]) != len(rois):
        raise invalid_argument("ROIs", f"the {int(offsets[-1])} regions that the images count", f"{len(rois)} of them", api)
    return sequence_ids(offsets)


def _pooled_meta(x: Meta, rois: Meta, *rest: Any, pooled_height: int, pooled_width: int, **attrs: Any) -> Meta:
    check_rank("X", x, 4)
    check_fits("ROIs", rois, (-1, 4))
    return Meta((rois.shape[0], x.shape[1], pooled_height, pooled_width), x.dtype, 0)


def _rounded(values: Array) -> Array:
    """To whole numbers, halves away from zero."""
    whole = np.floor(np.abs(values).astype(np.float64) + 0.5).astype(values.dtype)
    return np.copysign(whole, values, out=whole)


# --- pixels by the bag: a window is a bag of rows of a table that holds the channels of every pixel
def _table(x: Tensor, pixels: Tensor) -> tuple[Tensor, Tensor, Tensor | None]:
    """The channels of pixels, [pixels, channels].

    Args:
        x: images [images, channels, rows, columns].
        pixels: the numbers of those that are asked for, [any]; the images' rows stand one after the other.
    Returns:
        The table, where in it each of `pixels` stands, and the number of each of its rows; None where it holds all pixels of the images, as
        that costs more than to find out what is asked for only where this is much.
    """
    count = x.shape[2] * x.shape[3]
    if len(pixels) >= len(x) * count or x.numel() <= _FEW_TAPS:
        return x.permute(0, 2, 3, 1).reshape(-1, x.shape[1]), pixels, None
    own, places = pixels.unique(return_inverse=True)
    return x.flatten(2)[own // count, :, own % count], places, own


def _unfolded(pooled: Tensor, regions: int, size: tuple[int, int]) -> Tensor:
    """What was made of the bags of all windows, [regions * rows * columns, channels], as images [regions, channels, rows, columns]."""
    return pooled.reshape(regions, *size, pooled.shape[1]).permute(0, 3, 1, 2).contiguous()


def _integers(values: Array) -> Array:
    """As PyTorch makes them, of what is infinite, too."""
    whole: Array = torch.from_numpy(values).long().numpy()
    return whole


@np.errstate(invalid="ignore")  # of what is no number
def _spans(start: Array | float, size: Array, count: int, limit: int, first: Array | int = 0) -> tuple[Array, Array]:
    """First pixel and number of pixels of every window of every region along one side, [regions, windows]; sizes are [regions, 1]."""
    borders = np.arange(count + 1, dtype=size.dtype) * size + start
    low, high = (_integers(edge) + first for edge in (np.floor(borders[:, :-1]), np.ceil(borders[:, 1:])))
    low, high = low.clip(0, limit), high.clip(0, limit)
    return low, np.maximum(high - low, 0)


def _bags(planes: Array, rows: tuple[Array, Array], columns: tuple[Array, Array], height: int, width: int) -> tuple[Tensor, Tensor]:
    """The pixels of all windows, one after the other, and where each window begins.

    Args:
        planes: of every window the image that it lies in, [regions, rows of windows, columns of windows].
        rows, columns: see `_spans`.
    """
    (top, high), (left, wide) = rows, columns
    lines, long = (np.broadcast_to(part, planes.shape).ravel() for part in (high[:, :, None], wide[:, None]))
    corner = ((planes * height + top[:, :, None]) * width + left[:, None]).ravel()
    window, line = _ranges(lines)
    of_line, pixel = _ranges(long[window])
    sizes = lines * long
    return torch.from_numpy((corner[window] + line * width)[of_line] + pixel), torch.from_numpy(sizes.cumsum() - sizes)


def _ranges(counts: Array) -> tuple[Array, Array]:
    """For each of the numbers 0 .. counts[0] - 1, 0 .. counts[1] - 1, ..., whose it is, and the number."""
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - (counts.cumsum() - counts)[owner]


def _roi_pooled(x: Tensor, rois: Tensor, images: Tensor, size: tuple[int, int], scale: float) -> tuple[Tensor, Tensor]:
    """The largest element of every window and the pixel of the image that it stands at, [windows, channels]; 0 and -1 of empty windows."""
    edges = _rounded(rois.detach().cpu().numpy() * single(scale))
    with np.errstate(invalid="ignore"):  # of what is no number
        corners, lengths = _integers(edges[:, :2]), np.maximum(edges[:, 2:] - edges[:, :2] + 1, 1)
    spans = []
    for n, count, limit in ((1, size[0], x.shape[2]), (0, size[1], x.shape[3])):
        spans.append(_spans(0.0, lengths[:, n : n + 1] / count, count, limit, corners[:, n : n + 1]))
    planes = np.broadcast_to(images.numpy()[:, None, None], (len(images), *size))
    pixels, starts = (part.to(x.device) for part in _bags(planes, spans[0], spans[1], *x.shape[2:]))
    if not len(pixels):
        return x.new_zeros(len(starts), x.shape[1]) + x[:0].sum(), starts.new_full((len(starts), x.shape[1]), -1)
    table, places, own = _table(x, pixels)
    out, _, _, found = torch.embedding_bag(table, places, starts, False, _MAX)
    found = found if own is None else own[found]
    first = torch.from_numpy(planes.ravel() * (x.shape[2] * x.shape[3])).to(x.device)[:, None]
    empty = (torch.diff(starts, append=starts.new_tensor([len(pixels)])) == 0)[:, None]
    return out, torch.where(empty, -1, found - first)


def _largest_at(
    x: Tensor, rois: Tensor, starts: Tensor | None, counts: Tensor | None, out: Tensor, *, pooled_height: int = 1, pooled_width: int = 1,
    spatial_scale: float = 1.0, rois_lod: LoD | None = None, **_: Any,
) -> Tensor:  # fmt: skip
    """Where in its image the first of the largest elements of a window stands; -1 for an empty window."""
    size = pooled_height, pooled_width
    images = _images(rois, rois_lod, starts, counts, "roi_pool")
    return _unfolded(_roi_pooled(x.detach(), rois, images, size, spatial_scale)[1], len(rois), size)


def _argmax_meta(*metas: Meta, _short: bool, **attrs: Any) -> Meta:
    return Meta(_pooled_meta(*metas, **attrs).shape, torch.int32 if _short else torch.int64, 0)


@op(
    inputs=("X", "ROIs", "RoisLod?@1", "RoisNum?@2"),
    outputs=("Out", "Argmax~"),
    grad={1: ("X", "ROIs", "RoisLod", "Argmax"), 2: ("X", "ROIs", "RoisNum", "Argmax")},
    no_grad=("ROIs", "RoisLod", "RoisNum"),
    infer=_pooled_meta,
    describe={"Argmax": _argmax_meta},
    derive={"Argmax": _largest_at},
    lod=None,
)
def roi_pool(
    x: Tensor,
    rois: Tensor,
    starts: Tensor | None = None,
    counts: Tensor | None = None,
    *,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
    _short: bool = False,
    rois_lod: LoD | None = None,
) -> Tensor:
    """The largest elements of windows of regions; borders are rounded to pixels."""
    size = pooled_height, pooled_width
    images = _images(rois, rois_lod, starts, counts, "roi_pool")
    return _unfolded(_roi_pooled(x, rois, images, size, spatial_scale)[0], len(rois), size)


def _check_channels(output_channels: int) -> None:
    if output_channels <= 1:
        raise invalid_argument("output_channels", "more than 1", output_channels, "psroi_pool")


def _psroi_meta(x: Meta, rois: Meta, *rest: Any, output_channels: int, pooled_height: int, pooled_width: int, **attrs: Any) -> Meta:
    _check_channels(output_channels)
    check_rank("X", x, 4)
    check_fits("ROIs", rois, (-1, 4))
    check_fits("X", x, (-1, output_channels * pooled_height * pooled_width, -1, -1))
    return Meta((rois.shape[0], output_channels, pooled_height, pooled_width), x.dtype, 0)


@op(
    inputs=("X", "ROIs", "RoisNum?@2"),
    grad={1: ("X", "ROIs"), 2: ("X", "ROIs", "RoisNum")},
    no_grad=("ROIs", "RoisNum"),
    infer=_psroi_meta,
    lod=None,
)
def psroi_pool(
    x: Tensor,
    rois: Tensor,
    counts: Tensor | None = None,
    *,
    output_channels: int = 1,
    spatial_scale: float = 1.0,
    pooled_height: int = 1,
    pooled_width: int = 1,
    rois_lod: LoD | None = None,
) -> Tensor:
    """The means of windows of regions, each window from channels of its own."""
    _check_channels(output_channels)
    size, pixels = (pooled_height, pooled_width), x.shape[2:]
    # borders lie on whole numbers often: so in Paddle's own precision
    edges = _rounded(rois.detach().cpu().numpy())
    scale = single(spatial_scale)
    with np.errstate(invalid="ignore"):  # of what is no number
        starts, ends = edges[:, :2] * scale, (edges[:, 2:] + 1) * scale
        sides = np.maximum(ends - starts, 0.1)
    spans = [_spans(starts[:, n : n + 1], sides[:, n : n + 1] / size[i], size[i], pixels[i]) for i, n in ((0, 1), (1, 0))]
    # what the windows of a bin read lies below what those of the bin before do, in one high image
    bins = x.reshape(len(x), output_channels, -1, pixels[1])
    images = _images(rois, rois_lod, None, counts, "psroi_pool")
    planes = images.numpy()[:, None, None] * math.prod(size) + np.arange(math.prod(size)).reshape(size)
    numbers, first = (part.to(x.device) for part in _bags(planes, spans[0], spans[1], *pixels))
    table, places, _ = _table(bins, numbers)
    return _unfolded(F.embedding_bag(places, table, first, mode="mean"), len(rois), size)


def sample(image: Tensor, y: Tensor, x: Tensor, border: float = -1.0) -> Tensor:
    """The image [C, H, W] at points [...], interpolated between four pixels; 0 beyond `border` pixels outside.

    Points nearer to the border than that take its value.
    """
    height, width = image.shape[1:]
    outside = (y < border) | (y > height - 1 - border) | (x < border) | (x > width - 1 - border)
    y, x = y.clamp(0, height - 1), x.clamp(0, width - 1)
    top, left = y.detach().floor().clamp(max=max(height - 2, 0)).long(), x.detach().floor().clamp(max=max(width - 2, 0)).long()
    bottom, right = (top + 1).clamp(max=height - 1), (left + 1).clamp(max=width - 1)
    down, across = y - top, x - left
    value = image[:, top, left] * ((1 - down) * (1 - across)) + image[:, top, right] * ((1 - down) * across)
    value = value + image[:, bottom, left] * (down * (1 - across)) + image[:, bottom, right] * (down * across)
    return torch.where(outside, 0.0, value)


@op(
    inputs=("X", "ROIs", "RoisLod?@1", "RoisNum?@2"),
    grad={1: ("X", "ROIs", "RoisLod"), 2: ("X", "ROIs", "RoisNum")},
    no_grad=("ROIs", "RoisLod", "RoisNum"),
    infer=_pooled_meta,
    lod=None,
)
def roi_align(
    x: Tensor,
    rois: Tensor,
    starts: Tensor | None = None,
    counts: Tensor | None = None,
    *,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
    sampling_ratio: int = -1,
    aligned: bool = False,
    rois_lod: LoD | None = None,
) -> Tensor:
    """The means of interpolated points in windows of regions.

    The gradient counts a side shorter than a pixel as one pixel, also where `aligned` lets the means take it as it is.
    """
    size = pooled_height, pooled_width
    edges = rois.detach() * single(spatial_scale) - (0.5 if aligned else 0.0)
    corners = edges[:, [1, 0]]
    sides = edges[:, [3, 2]] - corners
    longer = sides.clamp(min=1.0)
    images = _images(rois, rois_lod, starts, counts, "roi_align").to(x.device)
    if not aligned:
        return _interpolated(x, images, corners, longer, size, sampling_ratio)
    out = _interpolated(x, images, corners, sides, size, sampling_ratio)
    if x.requires_grad and bool((sides < 1).any()):
        differentiated = _interpolated(x, images, corners, longer, size, sampling_ratio)
        out = differentiated + (out - differentiated).detach()
    return out


def _interpolated(x: Tensor, images: Tensor, corners: Tensor, sides: Tensor, size: tuple[int, int], sampling_ratio: int) -> Tensor:
    """The means of interpolated points in the windows of all regions.

    Args:
        corners, sides: top and left of every region, and height and width.
        sampling_ratio: how many points a window has along a side; below 1: as many as it has pixels, rounded up.
    """
    height, width = x.shape[2:]
    steps = sides / torch.tensor(size, dtype=sides.dtype, device=sides.device)
    if sampling_ratio > 0:
        points = None
        groups: list[tuple[Tensor | slice, list[int]]] = [(slice(None), [sampling_ratio] * 2)]
    else:
        points = steps.ceil().clamp(min=0)
        groups = _groups(points, size)
    numbers, shares, sizes = [], [], []
    for own, most in groups:
        (rows, of_rows), (columns, of_columns) = (
            _taps(corners[own, i], steps[own, i], size[i], most[i], None if points is None else points[own, i], x.shape[2 + i])
            for i in range(2)
        )
        lines = (images[own, None, None] * height + rows) * width
        numbers.append((lines[:, :, None, :, None] + columns[:, None, :, None]).flatten())
        shares.append((of_rows[:, :, None, :, None] * of_columns[:, None, :, None]).flatten())
        sizes.append(torch.full((len(rows) * math.prod(size),), rows.shape[2] * columns.shape[2], device=x.device))
    if not sum(map(len, numbers)):
        return zeros_behind(x, (len(images), x.shape[1], *size))
    ends = _joined(sizes).cumsum(0)
    bags = torch.cat((ends.new_zeros(1), ends[:-1]))
    table, places, _ = _table(x, _joined(numbers))
    pooled = F.embedding_bag(places, table, bags, mode="sum", per_sample_weights=_joined(shares).to(x.dtype))
    out = _unfolded(pooled, len(images), size)
    return out if len(groups) == 1 else out[torch.cat([own for own, _ in groups if isinstance(own, Tensor)]).argsort()]


def _joined(parts: list[Tensor]) -> Tensor:
    return parts[0] if len(parts) == 1 else torch.cat(parts)


def _groups(points: Tensor, size: tuple[int, int]) -> list[tuple[Tensor | slice, list[int]]]:
    """Regions whose windows have as many points, and these numbers; all regions and the largest numbers where they are few."""
    if not len(points):
        return []
    most = [int(number) for number in points.amax(0).tolist()]
    if len(points) * math.prod((n * (wide + 2) for n, wide in zip(size, most))) <= _FEW_TAPS:
        return [(slice(None), most)]
    kinds, kind_of = points.long().unique(dim=0, return_inverse=True)
    return [((kind_of == number).nonzero().flatten(), kind) for number, kind in enumerate(kinds.tolist())]


def _taps(start: Tensor, step: Tensor, count: int, most: int, points: Tensor | None, size: int) -> tuple[Tensor, Tensor]:
    """The pixels that points along one side of windows lie between, and what each adds to the mean, [regions, windows, pixels].

    Points beyond one pixel outside add 0; nearer ones take the value of the border.

    Args:
        start, step: where regions begin, and how long their windows are.
        count: how many windows there are.
        most: how many points there are in a window.
        points: how many of them count in each region, which then lie at most a pixel from one another; so they share their pixels, which
            come once. None: all.
        size: how many pixels the image has.
    """
    step = step[:, None, None]
    number = torch.arange(most, device=start.device)
    each = max(most, 1) if points is None else points.clamp(min=1)[:, None, None]
    at = start[:, None, None] + torch.arange(count, device=start.device)[:, None] * step + (number + 0.5) * step / each
    inside = (at >= -1) & (at <= size)
    if points is not None:
        inside &= number < each
    at = at.clamp(0, size - 1)
    low = at.floor().clamp(max=max(size - 2, 0))
    share = at - low
    pixels = torch.stack((low, (low + 1).clamp(max=size - 1)), -1).long().flatten(2)
    shares = (torch.stack((1 - share, share), -1) * (inside.to(share.dtype) / each)[..., None]).flatten(2)
    if points is None or most < 3:
        return pixels, shares
    first, span = pixels[:, :, :1], most + 2  # one more than there are between exact numbers
    shares = shares.new_zeros(*shares.shape[:2], span).scatter_add(2, pixels - first, shares)
    return (first + torch.arange(span, device=start.device)).clamp(max=size - 1), shares


# --- precise pooling: the integral of the interpolated image
def _hat(position: Tensor, start: Tensor, end: Tensor) -> Tensor:
    """The integral from `start` to `end` of 1 - |t - position|, where that is positive."""

    def total(t: Tensor) -> Tensor:
        distance = (t - position).clamp(-1, 1)
        return distance - 0.5 * distance * distance.abs()

    return total(end) - total(start)


@op(
    inputs=("X", "ROIs", "BatchRoINums?"),
    grad=("X", "ROIs", "BatchRoINums", "Out"),
    no_grad=("BatchRoINums",),
    infer=_pooled_meta,
    lod=None,
)
def prroi_pool(
    x: Tensor,
    rois: Tensor,
    counts: Tensor | None = None,
    *,
    spatial_scale: float = 1.0,
    pooled_height: int = 1,
    pooled_width: int = 1,
    rois_lod: LoD | None = None,
) -> Tensor:
    """The exact means of interpolated windows of regions; it is differentiable by the regions, too."""
    images = _images(rois, rois_lod, None, counts, "prroi_pool")
    edges = rois * spatial_scale
    shares, steps = [], []
    for side, count, size in ((1, pooled_height, x.shape[2]), (0, pooled_width, x.shape[3])):
        step = (edges[:, side + 2] - edges[:, side]).clamp(min=0) / count
        first = edges[:, side, None] + torch.arange(count, dtype=x.dtype, device=x.device) * step[:, None]
        pixels = torch.arange(size, dtype=x.dtype, device=x.device)
        shares.append(_hat(pixels, first[..., None], (first + step[:, None])[..., None]))  # [regions, windows, pixels]
        steps.append(step)
    totals = []
    # regions at a time: what is computed in between takes much memory
    most = max(1, _ELEMENTS // max(1, pooled_height * x.shape[1] * x.shape[3]))
    for number, image in enumerate(x):
        own = (images == number).to(x.device)
        for of_rows, of_columns in zip(shares[0][own].split(most), shares[1][own].split(most)):
            lines = torch.einsum("rah,chw->rcaw", of_rows, image)
            totals.append(torch.einsum("rcaw,rbw->rcab", lines, of_columns))
    if not totals:
        return zeros_behind(x, (0, x.shape[1], pooled_height, pooled_width))
    area = (steps[0] * steps[1])[:, None, None, None]
    return torch.where(area > 0, torch.cat(totals) / area.clamp(min=1e-30), 0.0)


# --- pooling with learned offsets
def _deformed_meta(x: Meta, rois: Meta, trans: Meta, **attrs: Any) -> tuple[Meta, Meta]:
    meta = Meta((rois.shape[0], attrs["output_dim"], attrs["pooled_height"], attrs["pooled_width"]), x.dtype, 0)
    return meta, meta


@op(
    inputs=("Input", "ROIs", "Trans"),
    outputs=("TopCount", "Output"),
    grad=("Input", "ROIs", "Trans", "TopCount", "Output@GRAD"),
    no_grad=("ROIs",),
    infer=_deformed_meta,
    lod=None,
)
def deformable_psroi_pooling(
    x: Tensor,
    rois: Tensor,
    trans: Tensor,
    *,
    no_trans: bool,
    spatial_scale: float,
    output_dim: int,
    group_size: list[int],
    pooled_height: int,
    pooled_width: int,
    part_size: list[int],
    sample_per_part: int,
    trans_std: float,
    rois_lod: LoD | None = None,
) -> tuple[Tensor, Tensor]:
    """The means of points in windows of regions, each window moved by an offset; and how many points lay inside."""
    device, dtype = x.device, x.dtype
    row = torch.arange(pooled_height, device=device)
    column = torch.arange(pooled_width, device=device)
    part_row, part_column = (row * part_size[0]) // pooled_height, (column * part_size[1]) // pooled_width
    group_row = ((row * group_size[0]) // pooled_height).clamp(0, group_size[0] - 1)
    group_column = ((column * group_size[1]) // pooled_width).clamp(0, group_size[1] - 1)
    channel = torch.arange(output_dim, device=device)
    groups = (channel[:, None, None] * group_size[0] + group_row[:, None]) * group_size[1] + group_column
    kind = channel // (output_dim // (1 if no_trans else trans.shape[1] // 2))
    steps = torch.arange(sample_per_part, dtype=dtype, device=device)
    pixels = x.shape[2], x.shape[3]
    # how far each window is moved across and down, as a share of its region's sides
    moves = None if no_trans else trans[:, :, part_row][:, :, :, part_column] * trans_std
    edges = torch.from_numpy(_rounded(rois.detach().cpu().numpy())).to(device)
    scale = single(spatial_scale)
    corners, ends = edges[:, :2] * scale - 0.5, (edges[:, 2:] + 1) * scale - 0.5
    sides = (ends - corners).clamp(min=0.1)
    outs, counts = [], []
    for number, image in enumerate(_images(rois, rois_lod, None, None, "deformable_psroi_pooling").tolist()):
        (left, top), (wide, high) = corners[number], sides[number]
        bin_h, bin_w = high / pooled_height, wide / pooled_width
        start_x, start_y = (column * bin_w + left).expand(groups.shape), (row[:, None] * bin_h + top).expand(groups.shape)
        if moves is not None:
            start_x, start_y = start_x + moves[number, 2 * kind] * wide, start_y + moves[number, 2 * kind + 1] * high
        at_y = (start_y[..., None, None] + steps[:, None] * (bin_h / sample_per_part)).expand(*groups.shape, -1, sample_per_part)
        at_x = (start_x[..., None, None] + steps * (bin_w / sample_per_part)).expand(*groups.shape, sample_per_part, -1)
        inside = (at_x >= -0.5) & (at_x <= pixels[1] - 0.5) & (at_y >= -0.5) & (at_y <= pixels[0] - 0.5)
        there = inside.sum((3, 4))
        total = torch.where(inside, _sample_planes(x[image], groups[..., None, None], at_y, at_x), 0.0).sum((3, 4))
        outs.append(torch.where(there > 0, total / there.clamp(min=1), 0.0))
        counts.append(there.to(dtype))
    if not outs:
        nothing = zeros_behind(x, (0, output_dim, pooled_height, pooled_width))
        return nothing, nothing
    return torch.stack(counts), torch.stack(outs)


def _sample_planes(image: Tensor, planes: Tensor, y: Tensor, x: Tensor) -> Tensor:
    """The image [C, H, W] at points, each in the plane of its own channel; they are moved inside first."""
    height, width = image.shape[1:]
    y, x = y.clamp(0, height - 1), x.clamp(0, width - 1)
    top, left = y.detach().floor().long(), x.detach().floor().long()
    bottom, right = y.detach().ceil().long(), x.detach().ceil().long()
    down, across = y - top, x - left
    pixels, above, below = image.flatten(), (planes * height + top) * width, (planes * height + bottom) * width
    value = pixels[above + left] * (1 - across) * (1 - down) + pixels[below + left] * (1 - across) * down
    return value + pixels[above + right] * across * (1 - down) + pixels[below + right] * across * down
