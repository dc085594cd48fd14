"""Object detection: quadrangles straightened, and masks from polygons."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._lod import need_lod, no_value, offsets_of, sequence_ids
from paddle_compat.ops.anchors import overlaps
from paddle_compat.ops.regions import sample

Tensor = torch.Tensor

# coordinates that differ by less count as equal
_NEAR = 1e-4


# --- quadrangles
def _projection(x: list[float], y: list[float], height: int, width: int) -> list[float]:
    """The matrix that takes pixels of the result to points of a quadrangle, whose corners go around."""
    sides = [math.hypot(x[i] - x[(i + 1) % 4], y[i] - y[(i + 1) % 4]) for i in range(4)]
    tall, wide = (sides[1] + sides[3]) / 2, (sides[0] + sides[2]) / 2
    height = max(2, height)
    width = max(2, min(math.floor(wide * (height - 1) / tall + 0.5) + 1, width))
    dx, dy = ([v[1] - v[2], v[3] - v[2], v[0] - v[1] + v[2] - v[3]] for v in (x, y))
    base = dx[0] * dy[1] - dx[1] * dy[0] + 1e-5
    across = (dx[2] * dy[1] - dx[1] * dy[2]) / base / (width - 1)
    down = (dx[0] * dy[2] - dx[2] * dy[0]) / base / (height - 1)
    rows = []
    for v in (x, y):
        rows += [
            (v[1] - v[0] + across * (width - 1) * v[1]) / (width - 1),
            (v[3] - v[0] + down * (height - 1) * v[3]) / (height - 1),
            v[0],
        ]
    return [*rows, across, down, 1.0]


def _inside(px: Tensor, py: Tensor, x: list[float], y: list[float]) -> Tensor:
    """Whether points lie inside a quadrangle or on its border."""
    on_border = torch.zeros_like(px, dtype=torch.bool)
    crossings = torch.zeros_like(px, dtype=torch.int64)
    for i in range(4):
        (xs, ys), (xe, ye) = (x[i], y[i]), (x[(i + 1) % 4], y[(i + 1) % 4])
        if abs(ys - ye) < _NEAR:
            on_border |= ((py - ys).abs() < _NEAR) & (px >= min(xs, xe) - _NEAR) & (px <= max(xs, xe) + _NEAR)
            continue
        meets = (py - ys) * (xe - xs) / (ye - ys) + xs
        on_border |= ((meets - px).abs() < _NEAR) & (py >= min(ys, ye) - _NEAR) & (py <= max(ys, ye) + _NEAR)
        within = (py > min(ys, ye) + _NEAR) & (py <= max(ys, ye) + _NEAR)
        crossings += within & (meets > px + _NEAR)
    return on_border | (crossings % 2 == 1)


def _straight_meta(x: Meta, rois: Meta, *, transformed_height: int, transformed_width: int, **attrs: Any) -> tuple[Meta, ...]:
    size = (transformed_height, transformed_width)
    out = Meta((rois.shape[0], x.shape[1], *size), x.dtype, rois.lod_level)
    return out, Meta((rois.shape[0], 1, *size), torch.int32, 0), Meta((rois.shape[0], 9), x.dtype, 0)


@op(
    inputs=("X", "ROIs"),
    outputs=("Out", "Mask", "TransformMatrix", "Out2InIdx~", "Out2InWeights~"),
    grad=("X", "ROIs", "Out2InIdx", "Out2InWeights"),
    no_grad=("ROIs",),
    infer=_straight_meta,
    describe={
        "Out2InIdx": lambda *metas, **attrs: Meta(_straight_meta(*metas, **attrs)[0].shape, torch.int32, 0),
        "Out2InWeights": lambda *metas, **attrs: Meta(_straight_meta(*metas, **attrs)[0].shape, torch.float32, 0),
    },
    derive={"Out2InIdx": no_value, "Out2InWeights": no_value},  # GPUs have them
    lod=("Out",),
)
def roi_perspective_transform(
    x: Tensor,
    rois: Tensor,
    *,
    spatial_scale: float = 1.0,
    transformed_height: int = 1,
    transformed_width: int = 1,
    rois_lod: LoD | None = None,
) -> tuple[Tensor, Tensor, Tensor, LoD]:
    """Quadrangles straightened to rectangles; which pixels of these are there; and the matrices that did it."""
    lod = need_lod(rois_lod, "ROIs", "roi_perspective_transform")
    images = sequence_ids(lod[-1]).tolist()
    down, across = torch.meshgrid(
        torch.arange(transformed_height, dtype=x.dtype, device=x.device),
        torch.arange(transformed_width, dtype=x.dtype, device=x.device),
        indexing="ij",
    )
    outs, masks, matrices = [], [], []
    height, width = x.shape[2:]
    for image, roi in zip(images, (rois * spatial_scale).tolist()):
        xs, ys = roi[::2], roi[1::2]
        matrix = _projection(xs, ys, transformed_height, transformed_width)
        share = matrix[6] * across + matrix[7] * down + matrix[8]
        px = (matrix[0] * across + matrix[1] * down + matrix[2]) / share
        py = (matrix[3] * across + matrix[4] * down + matrix[5]) / share
        there = _inside(px, py, xs, ys) & (px >= -0.5) & (px <= width - 0.5) & (py >= -0.5) & (py <= height - 0.5)
        outs.append(torch.where(there, sample(x[image], py, px), 0.0))
        masks.append(there.to(torch.int32)[None])
        matrices.append(torch.tensor(matrix, dtype=x.dtype, device=x.device))
    return torch.stack(outs), torch.stack(masks), torch.stack(matrices), lod


# --- polygons
def _border(points: np.ndarray) -> tuple[list[int], list[int]]:
    """The pixels of a polygon's border, five times enlarged."""
    x, y = (np.trunc(5 * points[:, i] + 0.5).astype(int) for i in range(2))
    u, v = [], []
    for xs, ys, xe, ye in zip(x, y, np.roll(x, -1), np.roll(y, -1)):
        dx, dy = abs(xe - xs), abs(ye - ys)
        flip = xs > xe if dx >= dy else ys > ye
        if flip:
            xs, xe, ys, ye = xe, xs, ye, ys
        steps = np.arange(max(dx, dy) + 1)
        steps = steps[::-1] if flip else steps
        if dx >= dy:
            slope = (ye - ys) / dx if dx else 0.0
            u += (steps + xs).tolist()
            v += np.trunc(ys + slope * steps + 0.5).astype(int).tolist()
        else:
            slope = (xe - xs) / dy
            v += (steps + ys).tolist()
            u += np.trunc(xs + slope * steps + 0.5).astype(int).tolist()
    return u, v


def rasterized(points: np.ndarray, size: int) -> np.ndarray:
    """The mask [size, size] of a polygon [N, 2], as the COCO tools make it: a pixel counts when its centre lies inside."""
    u, v = _border(points)
    turns = np.zeros(size * size + 1, int)
    for (before_u, before_v), (after_u, after_v) in zip(zip(u, v), zip(u[1:], v[1:])):
        if after_u == before_u:
            continue
        column = ((after_u if after_u < before_u else after_u - 1) + 0.5) / 5 - 0.5
        if column != math.floor(column) or not 0 <= column <= size - 1:
            continue
        row = math.ceil(min(max((min(after_v, before_v) + 0.5) / 5 - 0.5, 0), size))
        turns[int(column) * size + row] += 1
    return (np.cumsum(turns)[:-1] % 2).reshape(size, size).T


def _within(polygons: list[np.ndarray], box: list[float], size: int) -> np.ndarray:
    """The mask of an object inside a box, scaled to [size, size]."""
    width, height = max(box[2] - box[0], 1.0), max(box[3] - box[1], 1.0)
    corner, scale = np.array(box[:2]), np.array([size / width, size / height])
    return np.maximum.reduce([rasterized((polygon - corner) * scale, size) for polygon in polygons])


def _masks_meta(*metas: Meta, num_classes: int, resolution: int) -> tuple[Meta, Meta, Meta]:
    wide, rois = num_classes * resolution * resolution, metas[4]
    levels = rois.lod_level  # whose LoD the results declare, whatever they have when they run
    return Meta((-1, 4), rois.dtype, levels), Meta((-1, 1), torch.int32, levels), Meta((-1, wide), torch.int32, levels)


@op(
    inputs=("ImInfo", "GtClasses", "IsCrowd", "GtSegms", "Rois", "LabelsInt32"),
    outputs=("MaskRois", "RoiHasMaskInt32", "MaskInt32"),
    lod=("MaskRois", "RoiHasMaskInt32", "MaskInt32"),
    infer=_masks_meta,
)
def generate_mask_labels(
    info: Tensor,
    classes: Tensor,
    crowd: Tensor,
    segments: Tensor,
    rois: Tensor,
    labels: Tensor,
    *,
    num_classes: int,
    resolution: int,
    classes_lod: LoD | None = None,
    segments_lod: LoD | None = None,
    rois_lod: LoD | None = None,
) -> tuple[Any, ...]:
    """Which regions learn a mask, and which mask: that of the object whose outline fits best, -1 for all other classes."""
    api = "generate_mask_labels"
    owners, outlines, points = (level.tolist() for level in need_lod(segments_lod, "GtSegms", api, 3))
    objects_of = need_lod(classes_lod, "GtClasses", api)[-1].tolist()
    regions_of = need_lod(rois_lod, "Rois", api)[-1].tolist()
    flat = segments.cpu().numpy()
    kept, chosen, masks, counts = [], [], [], []
    for n in range(len(regions_of) - 1):
        polygons = []
        for i in range(objects_of[n + 1] - objects_of[n]):
            row = objects_of[n] + i
            if int(classes[row]) > 0 and int(crowd[row]) == 0:
                own = owners[n] + i
                polygons.append([flat[points[p] : points[p + 1]] for p in range(outlines[own], outlines[own + 1])])
        label = labels[regions_of[n] : regions_of[n + 1]].flatten()
        front = (label > 0).nonzero().flatten()
        own_rois = rois[regions_of[n] : regions_of[n + 1]] / info[n, 2]
        slots = torch.full((max(len(front), 1), num_classes, resolution * resolution), -1, dtype=torch.int32)
        if len(front):
            bounds = [np.concatenate(p) for p in polygons]
            boxes = torch.tensor(np.array([[*b.min(0), *b.max(0)] for b in bounds]), dtype=rois.dtype)
            nearest = overlaps(own_rois[front].cpu(), boxes, False).argmax(1).tolist()
            for j, (box, best) in enumerate(zip(own_rois[front].tolist(), nearest)):
                mask = _within(polygons[best], box, resolution)
                slots[j, int(label[front[j]])] = torch.from_numpy(np.ascontiguousarray(mask)).flatten().to(torch.int32)
        else:  # one of the background stands in, with a mask that does not count
            front = torch.zeros(1, dtype=torch.int64)
        kept.append(own_rois[front] * info[n, 2])
        chosen.append(front.to(torch.int32)[:, None])
        masks.append(slots.flatten(1))
        counts.append(len(front))
    lod = (offsets_of(torch.tensor(counts)),)
    return torch.cat(kept), torch.cat(chosen).to(rois.device), torch.cat(masks).to(rois.device), lod, lod, lod
