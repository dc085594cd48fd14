"""Object detection: of many boxes over one object, only the best (non-maximum suppression)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._lod import offsets_of
from paddle_compat.ops._suppression import Array, shares, sides_of, suppress
from paddle_compat.ops.anchors import centre_size, overlaps

Tensor = torch.Tensor

Found = tuple[int, float, int]  # class, score, number of the box

_BLOCK = 128  # boxes that are compared with all better ones at once


def best(scores: Tensor, least: float, count: int, allowed: Tensor | None = None) -> Tensor:
    """The numbers of the scores above `least`, the highest first; at most `count` unless it is -1."""
    above = scores > least
    chosen = (above if allowed is None else above & allowed).nonzero().flatten()
    chosen = chosen[torch.sort(scores[chosen], descending=True, stable=True).indices]
    return chosen[:count] if count > -1 else chosen


def _scored(numbers: list[int], scores: Tensor) -> Iterator[tuple[int, float]]:
    """Numbers of boxes, each with its score."""
    return zip(numbers, scores[numbers].tolist())


def _highest(found: list[Found], count: int) -> list[Found]:
    """At most `count` of the findings, by score; grouped by class again."""
    if count > -1 and len(found) > count:
        found = sorted(found, key=lambda f: -f[1])[:count]
        found.sort(key=lambda f: f[0])
    return found


def _rows(found: list[Found], boxes: Tensor, per_class: bool) -> Tensor:
    """Class, score and box of each finding."""
    numbers = [f[2] for f in found]
    chosen = boxes[numbers, [f[0] for f in found]] if per_class else boxes[numbers]
    head = torch.tensor([f[:2] for f in found], dtype=boxes.dtype, device=boxes.device)
    return torch.cat((head.reshape(-1, 2), chosen), 1)


def _gathered(parts: list[Tensor], like: Tensor) -> tuple[Tensor, LoD]:
    """The findings of all images, and the LoD; a single -1 where there are none."""
    if not any(len(p) for p in parts):
        return torch.full((1, 1), -1.0, dtype=like.dtype, device=like.device), (torch.tensor([0, 1]),)
    return torch.cat([p for p in parts if len(p)]), (offsets_of(torch.tensor([len(p) for p in parts])),)


def _images(boxes: Tensor, scores: Tensor, lod: LoD | None) -> Iterator[tuple[Tensor, Tensor, int, bool]]:
    """For every image boxes, scores [classes, boxes], the number of its first box, and whether each class has its own boxes."""
    if scores.dim() == 3:
        for i in range(len(scores)):
            yield boxes[i], scores[i], i * boxes.shape[1], False
        return
    offsets = [0, len(scores)] if lod is None else lod[-1].tolist()
    for start, end in zip(offsets, offsets[1:]):
        yield boxes[start:end], scores[start:end].t(), start, True


def _multiclass(
    boxes: Tensor, scores: Tensor, lod: LoD | None, background: int, least: float, top: int, keep: int, threshold: float, eta: float,
    normalized: bool,
) -> tuple[list[Tensor], list[list[int]]]:  # fmt: skip
    """The findings of every image, and the numbers of their boxes among those of all images."""
    parts, numbers = [], []
    for image, chances, first, per_class in _images(boxes.detach(), scores.detach(), lod):
        found: list[Found] = []
        for label, row in enumerate(chances):
            if label == background:
                continue
            own = image[:, label] if per_class else image
            kept = suppress(own, best(row, least, top), threshold, eta, normalized)
            found += [(label, score, i) for i, score in _scored(sorted(kept) if per_class else kept, row)]
        cut = keep > -1 and len(found) > keep
        found = _highest(found, keep)
        if cut and per_class:
            found.sort(key=lambda f: (f[0], f[2]))
        parts.append(_rows(found, image, per_class))
        kinds = len(chances) if per_class else 1
        numbers.append([(first + n) * kinds + (label if per_class else 0) for label, _, n in found])
    return parts, numbers


def _counted(parts: list[Tensor], numbers: list[list[int]], like: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The findings of all images, the numbers of their boxes, and how many each image has."""
    index = torch.tensor([n for image in numbers for n in image], dtype=torch.int32, device=like.device)
    counts = torch.tensor([len(p) for p in parts], dtype=torch.int32, device=like.device)
    return torch.cat(parts), index.reshape(-1, 1), counts


def _findings(boxes: Meta, scores: Meta, **attrs: Any) -> Meta:
    # as the real one infers it, which is not what comes out
    return Meta((boxes.shape[1] if len(scores.shape) == 3 else -1, boxes.shape[-1] + 2), boxes.dtype, 1)


@op(inputs=("BBoxes", "Scores"), lod=("Out",), infer=_findings)
def multiclass_nms(
    boxes: Tensor,
    scores: Tensor,
    *,
    background_label: int = 0,
    score_threshold: float,
    nms_top_k: int,
    nms_threshold: float = 0.3,
    nms_eta: float = 1.0,
    keep_top_k: int,
    normalized: bool = True,
    boxes_lod: LoD | None = None,
) -> tuple[Tensor, LoD]:
    """Class by class the best boxes of every image: class, score and box of each, [found, 6]; a single -1 where none is found.

    Scores are [N, classes, M] with boxes [N, M, 4], or [M, classes] with boxes [M, classes, 4], whose LoD tells the images.
    """
    parts, numbers = _multiclass(
        boxes, scores, boxes_lod, background_label, score_threshold, nms_top_k, keep_top_k, nms_threshold, nms_eta, normalized
    )
    return _gathered(parts, boxes)


def _findings_and_numbers(boxes: Meta, scores: Meta, **attrs: Any) -> tuple[Meta, Meta]:
    found = _findings(boxes, scores)
    return found, Meta((found.shape[0], 1), torch.int32, 1)


@op(inputs=("BBoxes", "Scores"), outputs=("Out", "Index"), lod=("Out", "Index"), infer=_findings_and_numbers)
def multiclass_nms2(
    boxes: Tensor,
    scores: Tensor,
    *,
    background_label: int = 0,
    score_threshold: float,
    nms_top_k: int,
    nms_threshold: float = 0.3,
    nms_eta: float = 1.0,
    keep_top_k: int,
    normalized: bool = True,
    boxes_lod: LoD | None = None,
) -> tuple[Tensor, Tensor, LoD, LoD]:
    """As multiclass_nms, and which box of all images each finding is; no rows where none is found."""
    parts, numbers = _multiclass(
        boxes, scores, boxes_lod, background_label, score_threshold, nms_top_k, keep_top_k, nms_threshold, nms_eta, normalized
    )
    out, index, counts = _counted(parts, numbers, boxes)
    lod = (offsets_of(counts),)
    return out, index, lod, lod


def _found_meta(boxes: Meta, *others: Any, **attrs: Any) -> tuple[Meta, Meta, Meta]:
    return Meta((-1, boxes.shape[-1] + 2), boxes.dtype), Meta((-1, 1), torch.int32), Meta((-1,), torch.int32)


@op(inputs=("BBoxes", "Scores", "RoisNum?"), outputs=("Out", "Index", "NmsRoisNum?"), lod=None, infer=_found_meta)
def multiclass_nms3(
    boxes: Tensor,
    scores: Tensor,
    counts: Tensor | None = None,
    *,
    background_label: int = 0,
    score_threshold: float,
    nms_top_k: int,
    nms_threshold: float = 0.3,
    nms_eta: float = 1.0,
    keep_top_k: int,
    normalized: bool = True,
) -> tuple[Tensor, Tensor, Tensor]:
    """As multiclass_nms2, without LoD: `counts` tells the images of scores [M, classes], the third output those of the findings."""
    lod = None if counts is None else (offsets_of(counts),)
    parts, numbers = _multiclass(
        boxes, scores, lod, background_label, score_threshold, nms_top_k, keep_top_k, nms_threshold, nms_eta, normalized
    )
    return _counted(parts, numbers, boxes)


def _merged_findings(boxes: Meta, scores: Meta, **attrs: Any) -> Meta:
    return Meta(_findings(boxes, scores).shape, boxes.dtype, 0)


@op(inputs=("BBoxes", "Scores"), lod=("Out",), infer=_merged_findings)
def locality_aware_nms(
    boxes: Tensor,
    scores: Tensor,
    *,
    background_label: int = -1,
    score_threshold: float,
    nms_top_k: int,
    nms_threshold: float = 0.3,
    nms_eta: float = 1.0,
    keep_top_k: int,
    normalized: bool = True,
) -> tuple[Tensor, LoD]:
    """Neighbouring boxes that overlap are merged by their scores first; then as multiclass_nms."""
    boxes, scores = boxes.detach().clone(), scores.detach().clone()
    parts: list[Tensor] = []
    for image, chances in zip(boxes, scores):
        found: list[Found] = []
        for label, row in enumerate(chances):
            if label == background_label:
                continue
            there = torch.zeros_like(row, dtype=torch.bool)
            # how much each box overlaps the next one, while none of both is merged with another
            sides = sides_of(image, normalized)
            beside = shares(sides[:, 1:], sides[:, :-1], normalized).tolist()
            last, merged = -1, False
            for i in range(len(row)):
                shared = float(overlaps(image[i : i + 1], image[last : last + 1], normalized)) if merged else beside[i - 1] if i else 0.0
                if last > -1 and shared > nms_threshold:
                    image[last] = (image[i] * row[i] + image[last] * row[last]) / (row[i] + row[last])
                    row[last] += row[i]
                    merged = True
                else:
                    there[last] = last > -1
                    last, merged = i, False
            there[last] = last > -1
            kept = suppress(image, best(row, score_threshold, nms_top_k, there), nms_threshold, nms_eta, normalized)
            found += [(label, score, i) for i, score in _scored(kept, row)]
        parts.append(_rows(_highest(found, keep_top_k), image, False))
    return _gathered(parts, boxes)


def _matrix_meta(boxes: Meta, scores: Meta, *, _lod: bool = False, **attrs: Any) -> tuple[Meta, Meta, Meta]:
    found, numbers = (replace(meta, lod_level=int(_lod)) for meta in _findings_and_numbers(boxes, scores))
    return found, numbers, Meta((-1,), torch.int32, 0)


def _decay(sides: Array, normalized: bool, sigma: float | None) -> Array:
    """By what the scores of boxes, the best first, fall with the overlap of better ones: at most 1. What is no number does not count.

    A block of boxes is compared with those up to its end: no others are better.
    """
    count = sides.shape[1]
    most, decay = np.zeros(count, sides.dtype), np.ones(count, sides.dtype)
    for start in range(0, count, _BLOCK):
        end = min(start + _BLOCK, count)
        not_better = np.tri(end, end - start, -start, dtype=bool).T
        shared = shares(sides[:, start:end, None], sides[:, None, :end], normalized, not_better)
        # how much each better box is itself overlapped by one better still
        np.fmax.reduce(shared, axis=1, out=most[start:end], initial=0)
        beside = most[:end]
        with np.errstate(divide="ignore", invalid="ignore"):
            each = (1 - shared) / (1 - beside) if sigma is None else np.exp((beside**2 - shared**2) * sigma)
        np.fmin.reduce(each, axis=1, out=decay[start:end], initial=1)
    return decay


@op(
    inputs=("BBoxes", "Scores"),
    outputs=("Out", "Index", "RoisNum?@2"),
    lod=("Out", "Index"),
    infer=_matrix_meta,
)
def matrix_nms(
    boxes: Tensor,
    scores: Tensor,
    *,
    background_label: int = 0,
    score_threshold: float,
    post_threshold: float = 0.0,
    nms_top_k: int,
    keep_top_k: int,
    normalized: bool = True,
    use_gaussian: bool = False,
    gaussian_sigma: float = 2.0,
    _lod: bool = False,
) -> tuple[Tensor, Tensor, Tensor, LoD | None, LoD | None]:
    """Scores fall with the overlap of better boxes of the class; what stays above `post_threshold` is found.

    Paddle 1.x tells the images by LoD, 2.x by the third output.
    """
    if boxes.shape[:2] != (scores.shape[0], scores.shape[2]):
        raise invalid_argument("scores", f"{list(boxes.shape[:2])} images and boxes, as bboxes has", list(scores.shape), "matrix_nms")
    parts, numbers = [], []
    for n, (image, chances) in enumerate(zip(boxes.detach(), scores.detach())):
        found: list[Found] = []
        for label, row in enumerate(chances):
            if label == background_label:
                continue
            order = best(row, score_threshold, nms_top_k)
            if not order.numel():
                continue
            decay = _decay(sides_of(image[order], normalized), normalized, gaussian_sigma if use_gaussian else None)
            fallen = row[order] * torch.from_numpy(decay).to(row)
            found += [(label, s, i) for s, i in zip(fallen.tolist(), order.tolist()) if s > post_threshold]
        found = sorted(found, key=lambda f: -f[1])[: keep_top_k if keep_top_k > -1 else None]
        parts.append(_rows(found, image, False))
        numbers.append([n * boxes.shape[1] + f[2] for f in found])
    out, index, counts = _counted(parts, numbers, boxes)
    lod = (offsets_of(counts),) if _lod else None
    return out, index, counts, lod, lod


# --- proposals of Faster R-CNN
# sizes grow at most by this factor
_MOST_GROWTH = math.log(1000.0 / 16.0)


def _proposals_meta(scores: Meta, *rest: Meta, **attrs: Any) -> tuple[Meta, Meta, Meta, Meta]:
    number = Meta((), torch.int64, 0)
    return Meta((-1, 4), scores.dtype, 0), Meta((-1, 1), scores.dtype, 0), number, Meta((-1,), torch.int32, 0)


def _proposed(
    scores: Tensor, deltas: Tensor, sizes: Tensor, scales: Tensor | None, anchors: Tensor, variances: Tensor, extra: int, before: int,
    after: int, threshold: float, least: float, eta: float, one: bool = True,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """Boxes, scores and counts. `least` is in pixels of the image before it was scaled by `scales`; `extra` is 1 where borders count.

    Where no box of an image is large enough, it has `one` of zeros, or none.
    """
    anchors, variances = anchors.reshape(-1, 4), variances.reshape(-1, 4)
    rois, chances = [], []
    for n, (score, delta) in enumerate(zip(scores.detach(), deltas.detach())):
        flat = score.permute(1, 2, 0).flatten()
        moved = delta.reshape(-1, 4, *delta.shape[1:]).permute(2, 3, 0, 1).reshape(-1, 4)
        order = torch.sort(flat, descending=True, stable=True).indices
        order = order[:before] if 0 < before < len(flat) else order
        flat, moved = flat[order], moved[order] * variances[order]
        centre, size = centre_size(anchors[order], extra)
        new_centre, new_size = moved[:, :2] * size + centre, moved[:, 2:].clamp(max=_MOST_GROWTH).exp() * size
        boxes = torch.cat((new_centre - new_size / 2, new_centre + new_size / 2 - extra), 1)
        height, width = sizes[n, :2]
        limit = torch.stack((width, height)).repeat(2) - extra
        boxes = torch.minimum(boxes, limit).clamp(min=0)
        centre, size = centre_size(boxes, extra)
        true_size = size if scales is None else (boxes[:, 2:] - boxes[:, :2]) / scales[n] + 1
        large = (true_size >= max(least, 1.0)).all(1)
        if extra:
            large &= (centre[:, 0] <= width) & (centre[:, 1] <= height)
        boxes, flat = boxes[large], flat[large]
        if not len(boxes):
            rois.append(anchors.new_zeros(int(one), 4))
            chances.append(flat.new_zeros(int(one), 1))
            continue
        if threshold > 0:
            kept = suppress(boxes, torch.arange(len(boxes)), threshold, eta, not extra, after if after > 0 else -1)
            boxes, flat = boxes[kept], flat[kept]
        rois.append(boxes)
        chances.append(flat[:, None])
    return torch.cat(rois), torch.cat(chances), torch.tensor([len(r) for r in rois], device=scores.device)


@op(
    inputs=("Scores", "BboxDeltas", "ImInfo", "Anchors", "Variances"),
    outputs=("RpnRois", "RpnRoiProbs", "RpnRoisLod?@1", "RpnRoisNum?@2"),
    lod=("RpnRois", "RpnRoiProbs"),
    infer=_proposals_meta,
)
def generate_proposals(
    scores: Tensor,
    deltas: Tensor,
    im_info: Tensor,
    anchors: Tensor,
    variances: Tensor,
    *,
    pre_nms_topN: int,
    post_nms_topN: int,
    nms_thresh: float,
    min_size: float,
    eta: float = 1.0,
    _none: bool = False,
) -> tuple[Tensor, Tensor, Tensor, Tensor, LoD, LoD]:
    """The best boxes that anchors, moved by the predicted deltas, make; their scores, and how many images have (1.x: summed up)."""
    rois, chances, counts = _proposed(
        scores, deltas, im_info, im_info[:, 2], anchors, variances, 1, pre_nms_topN, post_nms_topN, nms_thresh, min_size, eta,
        not _none,
    )
    lod = (offsets_of(counts),)
    return rois, chances, counts.cumsum(0), counts.to(torch.int32), lod, lod


@op(
    inputs=("Scores", "BboxDeltas", "ImShape", "Anchors", "Variances"),
    outputs=("RpnRois", "RpnRoiProbs", "RpnRoisNum?"),
    lod=None,
    infer=lambda scores, *rest, **attrs: (*_proposals_meta(scores)[:2], Meta((), torch.int32, 0)),
)
def generate_proposals_v2(
    scores: Tensor,
    deltas: Tensor,
    im_shape: Tensor,
    anchors: Tensor,
    variances: Tensor,
    *,
    pre_nms_topN: int,
    post_nms_topN: int,
    nms_thresh: float,
    min_size: float,
    eta: float = 1.0,
    pixel_offset: bool = True,
) -> tuple[Tensor, Tensor, Tensor]:
    """As generate_proposals, for images that were not scaled and without LoD; without `pixel_offset` the last border is not a box's."""
    rois, chances, counts = _proposed(
        scores, deltas, im_shape, None, anchors, variances, int(pixel_offset), pre_nms_topN, post_nms_topN, nms_thresh, min_size, eta
    )
    return rois, chances, counts.to(torch.int32)


@op(inputs=("Boxes",), outputs=("KeepBoxesIdxs",), lod=None, infer=lambda boxes, **_: Meta((-1,), torch.int64, 0))
def nms(boxes: Tensor, *, iou_threshold: float = 1.0) -> Tensor:
    """The numbers of the boxes [N, 4] that overlap no earlier one that is kept more than `iou_threshold`."""
    if boxes.dim() != 2 or boxes.shape[1] != 4:
        raise invalid_argument("Boxes", "a shape of (N, 4)", list(boxes.shape), "nms")
    kept = suppress(boxes, None, iou_threshold, 1.0, True, least=torch.finfo(torch.float32).tiny)
    return torch.tensor(kept, dtype=torch.int64, device=boxes.device)


# --- RetinaNet
@op(
    inputs=("BBoxes*", "Scores*", "Anchors*", "ImInfo"),
    lod=("Out",),
    infer=lambda boxes, *rest, **attrs: Meta((boxes[0].shape[1], 6), boxes[0].dtype, 0),
)
def retinanet_detection_output(
    boxes: Sequence[Tensor],
    scores: Sequence[Tensor],
    anchors: Sequence[Tensor],
    im_info: Tensor,
    *,
    score_threshold: float,
    nms_top_k: int,
    nms_threshold: float,
    nms_eta: float,
    keep_top_k: int,
) -> tuple[Tensor, LoD]:
    """From the predictions on all levels of a feature pyramid the best boxes of every image, in its own pixels."""
    parts: list[Tensor] = []
    for n, info in enumerate(im_info):
        height, width, scale = info[:3]
        limit = ((torch.stack((width, height)) / scale + 0.5).floor() - 1).repeat(2)
        levels: list[Tensor] = []
        for level, (box, score, anchor) in enumerate(zip(boxes, scores, anchors)):
            least = score_threshold if level < len(scores) - 1 else 0.0
            flat = score[n].detach().flatten()
            chosen = best(flat, least, nms_top_k)
            row, label = chosen // score.shape[-1], chosen % score.shape[-1]
            centre, size = centre_size(anchor[row], 1)
            delta = box[n, row].detach()
            new_centre, new_size = delta[:, :2] * size + centre, delta[:, 2:].exp() * size
            made = torch.cat((new_centre - new_size / 2, new_centre + new_size / 2 - 1), 1) / scale
            made = torch.minimum(made, limit).clamp(min=0)
            levels.append(torch.cat((label[:, None].to(made.dtype) + 1, flat[chosen, None], made), 1))
        found = torch.cat(levels)
        rows: list[Tensor] = []
        for label in found[:, 0].unique():
            own = found[found[:, 0] == label]
            rows += own[suppress(own[:, 2:], best(own[:, 1], 0.0, -1), nms_threshold, nms_eta, False)]
        rows = sorted(rows, key=lambda r: -float(r[1]))[: keep_top_k if keep_top_k > -1 else None]
        parts.append(torch.stack(rows) if rows else boxes[0].new_zeros(0, 6))
    return _gathered(parts, boxes[0])
