"""Object detection: which box is to learn which object."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._lod import need_lod, offsets_of
from paddle_compat.ops.anchors import centre_size, overlaps

Tensor = torch.Tensor

# overlaps that differ by less count as equal, and those below as none
_NEAR = 1e-5
_NONE = 1e-6


def _parts(lod: LoD | None, count: int) -> list[tuple[int, int]]:
    """First and last row (behind it) of every image."""
    offsets = [0, count] if lod is None else lod[-1].tolist()
    return list(zip(offsets, offsets[1:]))


# --- SSD
def _match_meta(dist: Meta, **attrs: Any) -> tuple[Meta, Meta]:
    return Meta(dist.shape, torch.int32, 0), Meta(dist.shape, dist.dtype, 0)  # whose rows are images when it runs


@op(
    inputs=("DistMat",),
    outputs=("ColToRowMatchIndices", "ColToRowMatchDist"),
    infer=_match_meta,
    lod=None,
)
def bipartite_match(
    dist: Tensor, *, match_type: str = "bipartite", dist_threshold: float = 0.5, dist_lod: LoD | None = None
) -> tuple[Tensor, Tensor]:
    """Pairs of rows and columns, the nearest first, each used once; per image the row of every column (-1: none).

    With "per_prediction" the columns left over get their nearest row, if it is nearer than `dist_threshold`.
    """
    spans = _parts(dist_lod, len(dist))
    rows = torch.full((len(spans), dist.shape[1]), -1, dtype=torch.int32)
    near = torch.zeros((len(spans), dist.shape[1]), dtype=dist.dtype)
    table = dist.detach().cpu()
    for n, (start, end) in enumerate(spans):
        own = table[start:end]
        left = own.clone()
        for _ in range(min(own.shape)):
            # of equal ones the first column, and there the first row
            column, row = divmod(int(left.t().flatten().argmax()), len(own))
            if float(left[row, column]) < _NONE:
                break
            rows[n, column], near[n, column] = row, own[row, column]
            left[row], left[:, column] = -1.0, -1.0
        if match_type == "per_prediction" and len(own):
            highest, at = own.max(0)
            free = (rows[n] == -1) & (highest >= max(dist_threshold, _NONE))
            rows[n] = torch.where(free, at.to(torch.int32), rows[n])
            near[n] = torch.where(free, highest, near[n])
    return rows.to(dist.device), near.to(dist.device)


def _assigned_meta(x: Meta, match: Meta, negative: Meta | None = None, **attrs: Any) -> tuple[Meta, Meta]:
    size = match.shape[:2]
    return Meta((*size, x.shape[-1]), x.dtype, 0), Meta((*size, 1), torch.float32, 0)


@op(inputs=("X", "MatchIndices", "NegIndices?"), outputs=("Out", "OutWeight"), infer=_assigned_meta, lod=None)
def target_assign(
    x: Tensor,
    match: Tensor,
    negative: Tensor | None = None,
    *,
    mismatch_value: int = 0,
    x_lod: LoD | None = None,
    negative_lod: LoD | None = None,
) -> tuple[Tensor, Tensor]:
    """What every box is to learn: the row of x that it matches, else `mismatch_value`; and whether it learns at all."""
    starts = need_lod(x_lod, "X", "target_assign")[0][:-1].to(match.device)
    rows = (starts[:, None] + match.long()).clamp(min=0)
    columns = torch.arange(match.shape[1], device=match.device) % x.shape[1]
    hit = (match > -1)[..., None]
    out = torch.where(hit, x[rows, columns], torch.full((), mismatch_value, dtype=x.dtype, device=x.device))
    weight = hit.to(torch.float32)
    if negative is not None:
        for n, (start, end) in enumerate(_parts(need_lod(negative_lod, "NegIndices", "target_assign"), len(negative))):
            numbers = negative[start:end].flatten().long()
            out[n, numbers], weight[n, numbers] = mismatch_value, 1.0
    return out, weight


def _mined_meta(loss: Meta, location: Meta | None, match: Meta, dist: Meta, **attrs: Any) -> tuple[Meta, Meta]:
    return Meta((-1, 1), torch.int32, 1), Meta(match.shape, torch.int32, 0)


@op(
    inputs=("ClsLoss", "LocLoss?", "MatchIndices", "MatchDist"),
    outputs=("NegIndices", "UpdatedMatchIndices"),
    lod=("NegIndices",),
    infer=_mined_meta,
)
def mine_hard_examples(
    loss: Tensor,
    location: Tensor | None,
    match: Tensor,
    dist: Tensor,
    *,
    neg_pos_ratio: float = 1.0,
    neg_dist_threshold: float = 0.5,
    sample_size: int = 0,
    mining_type: str = "max_negative",
) -> tuple[Tensor, Tensor, LoD]:
    """The boxes without a match whose loss is highest: they learn the background."""
    hard = mining_type == "hard_example"
    total = loss.detach() if location is None or not hard else loss.detach() + location.detach()
    updated, chosen = match.clone(), []
    for n in range(len(match)):
        allowed = torch.ones_like(match[n], dtype=torch.bool) if hard else (match[n] == -1) & (dist[n] < neg_dist_threshold)
        numbers = allowed.nonzero().flatten()
        count = sample_size if hard else int(int((match[n] != -1).sum()) * neg_pos_ratio)
        numbers = numbers[torch.sort(total[n, numbers], descending=True, stable=True).indices][:count]
        if hard:
            left = torch.ones_like(match[n], dtype=torch.bool)
            left[numbers] = False
            updated[n][left] = -1
            numbers = numbers[match[n, numbers] == -1]
        chosen.append(numbers.sort().values)
    lod = (offsets_of(torch.tensor([len(c) for c in chosen])),)
    return torch.cat(chosen).to(torch.int32)[:, None], updated, lod


# --- Faster R-CNN and RetinaNet
def deltas(boxes: Tensor, targets: Tensor, weights: Sequence[float] = ()) -> Tensor:
    """How far targets are from boxes in pixels, as offsets of the centre and logarithms of the size."""
    (centre, size), (goal, goal_size) = centre_size(boxes, 1), centre_size(targets, 1)
    found = torch.cat(((goal - centre) / size, (goal_size / size).log()), 1)
    return found / torch.tensor(list(weights), dtype=found.dtype, device=found.device) if weights else found


def _sample(numbers: Tensor, count: int, at_random: bool) -> Tensor:
    if len(numbers) <= count:
        return numbers
    if not at_random:
        return numbers[:count]
    return numbers[torch.tensor(sorted(random.sample(range(len(numbers)), count)), dtype=torch.int64, device=numbers.device)]


class _Assigned:
    """For one image: numbers of the anchors that learn a box and a score, their objects, and the weights."""

    def __init__(self, shared: Tensor, positive: float, negative: float, batch: int, fraction: float, at_random: bool) -> None:
        highest, self.objects = shared.max(1)
        top = shared.amax(0)
        fits = ((shared - top).abs() < _NEAR).any(1) | (highest >= positive)
        sampled = fraction > 0 and batch > 0
        front = fits.nonzero().flatten()
        front = _sample(front, int(fraction * batch), at_random) if sampled else front
        label = torch.full_like(self.objects, -1)
        label[front] = 1
        back = (highest < negative).nonzero().flatten()
        back = _sample(back, batch - len(front), at_random) if sampled else back
        # what is taken for both learns the background; a stand-in of no weight keeps the count
        both = int((label[back] == 1).sum())
        label[back] = 0
        self.front, self.back = (label == 1).nonzero().flatten(), (label == 0).nonzero().flatten()
        self.located = torch.cat((front[:1].repeat(both), self.front))
        self.weight = torch.ones((len(front), 4), dtype=shared.dtype, device=shared.device)
        self.weight[:both] = 0.0


def _true_objects(gt: Tensor, crowd: Tensor, info: Tensor, gt_lod: LoD | None, api: str) -> Iterator[tuple[Tensor, Tensor]]:
    """For every image the boxes that are no crowds, in the network's pixels, and their rows."""
    spans = _parts(need_lod(gt_lod, "GtBoxes", api), len(gt))
    for n, (start, end) in enumerate(spans):
        rows = start + (crowd[start:end].flatten() == 0).nonzero().flatten()
        yield gt[rows] * info[n, 2], rows


def _targets_meta(anchor: Meta, *rest: Any, **attrs: Any) -> tuple[Meta, ...]:
    number = Meta((-1,), torch.int32, 0)
    row = Meta((-1, 4), anchor.dtype, 0)
    return number, number, row, Meta((-1, 1), torch.int32, 0), row


_TARGETS = ("LocationIndex", "ScoreIndex", "TargetBBox", "TargetLabel", "BBoxInsideWeight")


def _joined(columns: list[list[Tensor]]) -> tuple[Tensor, ...]:
    return tuple(torch.cat(column) for column in zip(*columns))


def _joined_with_lods(columns: list[list[Tensor]]) -> tuple[Any, ...]:
    """The columns, and the LoD of each."""
    return *_joined(columns), *((offsets_of(torch.tensor([len(part) for part in column])),) for column in zip(*columns))


@op(
    inputs=("Anchor", "GtBoxes", "IsCrowd", "ImInfo"),
    outputs=_TARGETS,
    infer=_targets_meta,
    lod=_TARGETS,
    random=True,
)
def rpn_target_assign(
    anchor: Tensor,
    gt: Tensor,
    crowd: Tensor,
    info: Tensor,
    *,
    rpn_batch_size_per_im: int = 256,
    rpn_straddle_thresh: float = 0.0,
    rpn_positive_overlap: float = 0.7,
    rpn_negative_overlap: float = 0.3,
    rpn_fg_fraction: float = 0.25,
    use_random: bool = True,
    gt_lod: LoD | None = None,
    crowd_lod: LoD | None = None,
) -> tuple[Any, ...]:
    """Which anchors of all images learn boxes and scores; these targets; and the weights of the boxes."""
    columns = []
    for n, (objects, _) in enumerate(_true_objects(gt, crowd, info, gt_lod, "rpn_target_assign")):
        inside = torch.ones(len(anchor), dtype=torch.bool, device=anchor.device)
        if rpn_straddle_thresh >= 0:
            limit = torch.stack((info[n, 1], info[n, 0])) + rpn_straddle_thresh
            inside = (anchor[:, :2] >= -rpn_straddle_thresh).all(1) & (anchor[:, 2:] < limit).all(1)
        rows = inside.nonzero().flatten()
        shared = overlaps(anchor[rows], objects, False)
        found = _Assigned(
            shared, rpn_positive_overlap, rpn_negative_overlap, rpn_batch_size_per_im, rpn_fg_fraction, use_random
        )
        scored = torch.cat((found.front, found.back))
        label = torch.zeros((len(scored), 1), dtype=torch.int32, device=anchor.device)
        label[: len(found.front)] = 1
        first = n * len(anchor)
        boxes = deltas(anchor[rows[found.located]], objects[found.objects[found.located]])
        numbers = [(rows[which] + first).to(torch.int32) for which in (found.located, scored)]
        columns.append([*numbers, boxes, label, found.weight])
    return _joined_with_lods(columns)


@op(
    inputs=("Anchor", "GtBoxes", "GtLabels", "IsCrowd", "ImInfo"),
    outputs=(*_TARGETS, "ForegroundNumber"),
    infer=lambda *metas, **attrs: (*_targets_meta(*metas), Meta((-1, 1), torch.int32, 0)),
    lod=(*_TARGETS, "ForegroundNumber"),
)
def retinanet_target_assign(
    anchor: Tensor,
    gt: Tensor,
    labels: Tensor,
    crowd: Tensor,
    info: Tensor,
    *,
    positive_overlap: float = 0.5,
    negative_overlap: float = 0.4,
    gt_lod: LoD | None = None,
    crowd_lod: LoD | None = None,
) -> tuple[Any, ...]:
    """As rpn_target_assign, of all anchors and with the objects' classes; and one more than the objects of every image."""
    columns = []
    for n, (objects, rows) in enumerate(_true_objects(gt, crowd, info, gt_lod, "retinanet_target_assign")):
        found = _Assigned(overlaps(anchor, objects, False), positive_overlap, negative_overlap, -1, -1.0, False)
        front = labels[rows[found.objects[found.front]]].reshape(-1, 1).to(torch.int32)
        label = torch.cat((front, front.new_zeros((len(found.back), 1))))
        scored = torch.cat((found.front, found.back))
        boxes = deltas(anchor[found.located], objects[found.objects[found.located]])
        numbers = [(which + n * len(anchor)).to(torch.int32) for which in (found.located, scored)]
        count = torch.full((1, 1), len(found.located) + 1, dtype=torch.int32, device=anchor.device)
        columns.append([*numbers, boxes, label, found.weight, count])
    return _joined_with_lods(columns)


def _labels_meta(rois: Meta, classes: Meta, crowd: Meta, gt: Meta, info: Meta, *rest: Any, **attrs: Any) -> tuple[Meta, ...]:
    wide = Meta((-1, 4 * attrs["class_nums"]), rois.dtype, 0)
    label = Meta((-1, 1), torch.int32, 0)
    return Meta((-1, 4), rois.dtype, 0), label, wide, wide, wide, Meta((-1,), rois.dtype, 0)


_LABELS = ("Rois", "LabelsInt32", "BboxTargets", "BboxInsideWeights", "BboxOutsideWeights", "MaxOverlapWithGT?@2")


@op(
    inputs=("RpnRois", "GtClasses", "IsCrowd", "GtBoxes", "ImInfo", "MaxOverlap?@2"),
    outputs=_LABELS,
    lod=("Rois", "LabelsInt32", "BboxTargets", "BboxInsideWeights", "BboxOutsideWeights"),
    infer=_labels_meta,
    random=True,
)
def generate_proposal_labels(
    rois: Tensor,
    classes: Tensor,
    crowd: Tensor,
    gt: Tensor,
    info: Tensor,
    max_overlap: Tensor | None = None,
    *,
    batch_size_per_im: int,
    fg_fraction: float,
    fg_thresh: float,
    bg_thresh_hi: float,
    bg_thresh_lo: float,
    bbox_reg_weights: Sequence[float],
    class_nums: int,
    use_random: bool = True,
    is_cls_agnostic: bool = False,
    is_cascade_rcnn: bool = False,
    rois_lod: LoD | None = None,
    gt_lod: LoD | None = None,
) -> tuple[Any, ...]:
    """Which proposals learn, as what, and which boxes: regions, classes, targets and weights for every class."""
    spans = _parts(need_lod(gt_lod, "GtBoxes", "generate_proposal_labels"), len(gt))
    columns, counts = [], []
    for n, (start, end) in enumerate(_parts(need_lod(rois_lod, "RpnRois", "generate_proposal_labels"), len(rois))):
        first, last = spans[n]
        scale = info[n, 2]
        objects = gt[first:last]
        boxes = rois[start:end] / scale
        if is_cascade_rcnn:
            boxes = boxes[((boxes[:, 2:] - boxes[:, :2] + 1) > 0).all(1)]
        else:
            boxes = torch.cat((objects, boxes))
        shared = overlaps(boxes, objects, False)
        highest, nearest = shared.max(1)
        crowds = crowd[first:last].flatten()[: len(highest)] != 0
        highest[: len(crowds)][crowds] = -1.0
        front = (highest >= fg_thresh).nonzero().flatten()
        back = ((highest >= bg_thresh_lo) & (highest < bg_thresh_hi)).nonzero().flatten()
        if not is_cascade_rcnn:
            front = _sample(front, math.floor(batch_size_per_im * fg_fraction), use_random)
            back = _sample(back, batch_size_per_im - len(front), use_random)
        chosen = torch.cat((front, back))
        label = torch.zeros((len(chosen), 1), dtype=torch.int32, device=rois.device)
        label[: len(front), 0] = classes[first:last].flatten()[nearest[front]].to(torch.int32)
        targets = boxes.new_zeros((len(chosen), class_nums, 4))
        inside = torch.zeros_like(targets)
        slot = torch.ones_like(front) if is_cls_agnostic else label[: len(front), 0].long()
        at = torch.arange(len(front), device=rois.device)
        targets[at, slot] = deltas(boxes[front], objects[nearest[front]], bbox_reg_weights)
        inside[at, slot] = 1.0
        wide = (len(chosen), 4 * class_nums)
        columns.append([boxes[chosen] * scale, label, targets.reshape(wide), inside.reshape(wide), highest[chosen]])
        counts.append(len(chosen))
    sampled, label, targets, inside, highest = _joined(columns)
    lod = (offsets_of(torch.tensor(counts)),)
    return sampled, label, targets, inside, (inside > 0).to(inside.dtype), highest, *[lod] * 5
