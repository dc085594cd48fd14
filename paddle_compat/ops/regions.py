"""Object detection: features of regions of images.

A region is left, top, right, bottom in pixels of the image; `spatial_scale` takes it to pixels of the feature map.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._checks import check_fits, check_rank
from paddle_compat.ops._lod import need_lod, offsets_of, sequence_ids
from paddle_compat.ops._nothing import zeros_behind

Tensor = torch.Tensor


def _images(rois: Tensor, lod: LoD | None, starts: Tensor | None, counts: Tensor | None, api: str) -> list[int]:
    """Of every region the number of its image: from offsets, counts, or the regions' LoD."""
    if starts is not None:
        offsets = starts.cpu()
    elif counts is not None:
        offsets = offsets_of(counts)
    else:
        offsets = need_lod(lod, "ROIs", api)[-1]
    if int(offsets[-1]) != len(rois):
        raise invalid_argument("ROIs", f"the {int(offsets[-1])} regions that the images count", f"{len(rois)} of them", api)
    return sequence_ids(offsets).tolist()


def _pooled_meta(x: Meta, rois: Meta, *rest: Any, pooled_height: int, pooled_width: int, **attrs: Any) -> Meta:
    check_rank("X", x, 4)
    check_fits("ROIs", rois, (-1, 4))
    return Meta((rois.shape[0], x.shape[1], pooled_height, pooled_width), x.dtype, 0)


def _stacked(parts: list[Tensor], x: Tensor, channels: int, height: int, width: int) -> Tensor:
    return torch.stack(parts) if parts else zeros_behind(x, (0, channels, height, width))


def _away_from_zero(value: float) -> int:
    return int(math.copysign(math.floor(abs(value) + 0.5), value))


def _bins(start: float, size: float, count: int, limit: int) -> list[tuple[int, int]]:
    """First and last pixel (behind it) of every window of a region along one side."""
    return [
        (min(max(math.floor(i * size) + start, 0), limit), min(max(math.ceil((i + 1) * size) + start, 0), limit))  # type: ignore[misc]
        for i in range(count)
    ]


def _windows(
    image: Tensor, rows: list[tuple[int, int]], columns: list[tuple[int, int]], pool: Callable[[Tensor, int, int], Tensor]
) -> Tensor:
    """`pool` of every window; 0 of an empty one."""
    lines = []
    for i, (top, bottom) in enumerate(rows):
        line = []
        for j, (left, right) in enumerate(columns):
            window = image[:, top:bottom, left:right]
            line.append(pool(window, i, j))
        lines.append(torch.stack(line, -1))
    return torch.stack(lines, -2)


def _roi_pooled(
    x: Tensor, rois: Tensor, images: list[int], size: tuple[int, int], scale: float, pool: Callable[[Tensor, int, int], Tensor]
) -> Tensor:
    """`pool` of every window of every region."""
    parts = []
    for image, roi in zip(images, rois.tolist()):
        left, top, right, bottom = (_away_from_zero(v * scale) for v in roi)
        height, width = max(bottom - top + 1, 1), max(right - left + 1, 1)
        rows = _bins(top, height / size[0], size[0], x.shape[2])
        columns = _bins(left, width / size[1], size[1], x.shape[3])
        parts.append(_windows(x[image], rows, columns, pool))
    return _stacked(parts, x, x.shape[1], *size)


def _largest_at(
    x: Tensor, rois: Tensor, starts: Tensor | None, counts: Tensor | None, out: Tensor, *, pooled_height: int = 1, pooled_width: int = 1,
    spatial_scale: float = 1.0, rois_lod: LoD | None = None, **_: Any,
) -> Tensor:  # fmt: skip
    """Where in its image the first of the largest elements of a window stands; -1 for an empty window."""
    numbers = torch.arange(x.shape[2] * x.shape[3], device=x.device).reshape(1, 1, *x.shape[2:]).expand(x.shape)
    pairs = torch.stack([x, numbers.to(x.dtype)], 2).flatten(1, 2)  # a channel of values, one of numbers, and so on

    def first(window: Tensor, i: int, j: int) -> Tensor:
        values, at = window[0::2].flatten(1), window[1::2].flatten(1)
        if not values.shape[1]:
            return window.new_full((len(window) // 2,), -1.0)
        return at.gather(1, values.argmax(1, keepdim=True)).squeeze(1)

    images = _images(rois, rois_lod, starts, counts, "roi_pool")
    found = _roi_pooled(pairs, rois, images, (pooled_height, pooled_width), spatial_scale, first)
    return (found if images else found[:, : x.shape[1]]).to(torch.int64)


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

    def largest(window: Tensor, i: int, j: int) -> Tensor:
        return window.amax((1, 2)) if window.numel() else window.new_zeros(window.shape[0])

    images = _images(rois, rois_lod, starts, counts, "roi_pool")
    return _roi_pooled(x, rois, images, (pooled_height, pooled_width), spatial_scale, largest)


def _psroi_meta(x: Meta, rois: Meta, *rest: Any, output_channels: int, pooled_height: int, pooled_width: int, **attrs: Any) -> Meta:
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
    rows_of = torch.arange(output_channels, device=x.device) * (pooled_height * pooled_width)

    def mean(window: Tensor, i: int, j: int) -> Tensor:
        own = window[rows_of + i * pooled_width + j]
        return own.mean((1, 2)) if own.numel() else own.new_zeros(output_channels)

    parts = []
    number = np.float64 if x.dtype == torch.float64 else np.float32  # Paddle's own precision: borders lie on whole numbers often
    scale = np.float32(spatial_scale)
    for image, roi in zip(_images(rois, rois_lod, None, counts, "psroi_pool"), rois.tolist()):
        left, top = (number(_away_from_zero(v)) * scale for v in roi[:2])
        right, bottom = (number(_away_from_zero(v) + 1.0) * scale for v in roi[2:])
        height, width = max(bottom - top, number(0.1)) / number(pooled_height), max(right - left, number(0.1)) / number(pooled_width)
        spans = []
        for start, size, count, limit in ((top, height, pooled_height, x.shape[2]), (left, width, pooled_width, x.shape[3])):
            spans.append(
                [
                    (min(max(math.floor(i * size + start), 0), limit), min(max(math.ceil((i + 1) * size + start), 0), limit))
                    for i in range(count)
                ]
            )
        parts.append(_windows(x[image], spans[0], spans[1], mean))
    return _stacked(parts, x, output_channels, pooled_height, pooled_width)


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
    parts = []
    shift = 0.5 if aligned else 0.0
    sizes = (pooled_height, pooled_width)
    for image, roi in zip(_images(rois, rois_lod, starts, counts, "roi_align"), rois.tolist()):
        left, top, right, bottom = (v * spatial_scale - shift for v in roi)
        height, width = bottom - top, right - left
        longer = max(height, 1.0), max(width, 1.0)
        part = _interpolated(x[image], (top, left), (height, width) if aligned else longer, sizes, sampling_ratio)
        if aligned and (height, width) != longer and x.requires_grad:
            differentiated = _interpolated(x[image], (top, left), longer, sizes, sampling_ratio)
            part = differentiated + (part - differentiated).detach()
        parts.append(part)
    return _stacked(parts, x, x.shape[1], pooled_height, pooled_width)


def _interpolated(
    image: Tensor, corner: tuple[float, float], sides: tuple[float, float], sizes: tuple[int, int], sampling_ratio: int
) -> Tensor:
    """The means of interpolated points in the windows of one region."""
    points = []
    for start, side, count in zip(corner, sides, sizes):
        step = side / count
        own = sampling_ratio if sampling_ratio > 0 else math.ceil(step)
        at = torch.arange(count, device=image.device)[:, None] * step
        points.append(start + at + (torch.arange(own, device=image.device) + 0.5) * (step / max(own, 1)))
    (rows, down), (columns, across) = points[0].shape, points[1].shape
    y, x = torch.meshgrid(points[0].flatten(), points[1].flatten(), indexing="ij")
    if not y.numel():
        return image.new_zeros((image.shape[0], *sizes))
    values = sample(image, y.to(image.dtype), x.to(image.dtype))
    return values.reshape(-1, rows, down, columns, across).mean((2, 4))


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
    parts = []
    row = torch.arange(x.shape[2], dtype=x.dtype, device=x.device)
    column = torch.arange(x.shape[3], dtype=x.dtype, device=x.device)
    for number, image in enumerate(_images(rois, rois_lod, None, counts, "prroi_pool")):
        left, top, right, bottom = rois[number].unbind()
        sides = []
        for start, end, count, pixels in ((top, bottom, pooled_height, row), (left, right, pooled_width, column)):
            start, end = start * spatial_scale, end * spatial_scale
            step = (end - start).clamp(min=0) / count
            first = start + torch.arange(count, dtype=x.dtype, device=x.device)[:, None] * step
            sides.append((_hat(pixels, first, first + step), step))
        area = sides[0][1] * sides[1][1]
        total = torch.einsum("chw,ah,bw->cab", x[image], sides[0][0], sides[1][0])
        parts.append(torch.where(area > 0, total / area.clamp(min=1e-30), 0.0))
    return _stacked(parts, x, x.shape[1], pooled_height, pooled_width)


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
    steps = torch.arange(sample_per_part, dtype=dtype, device=device)
    pixels = x.shape[2], x.shape[3]
    outs, counts = [], []
    classes = 1 if no_trans else trans.shape[1] // 2
    per_class = output_dim // classes
    for number, image in enumerate(_images(rois, rois_lod, None, None, "deformable_psroi_pooling")):
        left, top, right, bottom = rois[number].tolist()
        left, top = _away_from_zero(left) * spatial_scale - 0.5, _away_from_zero(top) * spatial_scale - 0.5
        right, bottom = (_away_from_zero(right) + 1) * spatial_scale - 0.5, (_away_from_zero(bottom) + 1) * spatial_scale - 0.5
        width, height = max(right - left, 0.1), max(bottom - top, 0.1)
        bin_h, bin_w = height / pooled_height, width / pooled_width
        out, count = [], []
        for channel in range(output_dim):
            kind = channel // per_class
            move_x = move_y = torch.zeros((pooled_height, pooled_width), dtype=dtype, device=device)
            if not no_trans:
                move_x = trans[number, 2 * kind][part_row][:, part_column] * trans_std
                move_y = trans[number, 2 * kind + 1][part_row][:, part_column] * trans_std
            start_x = column * bin_w + left + move_x * width
            start_y = row[:, None] * bin_h + top + move_y * height
            at_y = (start_y[..., None, None] + steps[:, None] * (bin_h / sample_per_part)).expand(-1, -1, -1, sample_per_part)
            at_x = (start_x[..., None, None] + steps * (bin_w / sample_per_part)).expand(-1, -1, sample_per_part, -1)
            inside = (at_x >= -0.5) & (at_x <= pixels[1] - 0.5) & (at_y >= -0.5) & (at_y <= pixels[0] - 0.5)
            groups = (channel * group_size[0] + group_row)[:, None] * group_size[1] + group_column
            planes = x[image][groups]
            values = _sample_planes(planes, at_y, at_x)
            there = inside.sum((2, 3))
            total = torch.where(inside, values, 0.0).sum((2, 3))
            out.append(torch.where(there > 0, total / there.clamp(min=1), 0.0))
            count.append(there.to(dtype))
        outs.append(torch.stack(out))
        counts.append(torch.stack(count))
    return _stacked(counts, x, output_dim, pooled_height, pooled_width), _stacked(outs, x, output_dim, pooled_height, pooled_width)


def _sample_planes(planes: Tensor, y: Tensor, x: Tensor) -> Tensor:
    """Each plane [A, B, H, W] at points of its own [A, B, P, Q], which are moved inside first."""
    height, width = planes.shape[2:]
    y, x = y.clamp(0, height - 1), x.clamp(0, width - 1)
    top, left = y.detach().floor().long(), x.detach().floor().long()
    bottom, right = y.detach().ceil().long(), x.detach().ceil().long()
    down, across = y - top, x - left
    a = torch.arange(planes.shape[0], device=planes.device).view(-1, 1, 1, 1)
    b = torch.arange(planes.shape[1], device=planes.device).view(1, -1, 1, 1)
    value = planes[a, b, top, left] * (1 - across) * (1 - down) + planes[a, b, bottom, left] * (1 - across) * down
    return value + planes[a, b, top, right] * across * (1 - down) + planes[a, b, bottom, right] * across * down
