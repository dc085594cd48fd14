"""YOLO: boxes from the predictions of a grid, and the loss of these predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._checks import check_fits, fit

Tensor = torch.Tensor

# objects below this size do not count
_LEAST = 1e-6


def _centred(tensor: Tensor, scale: float, size: int, grid: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Centres of predicted boxes [N, A, 5 + C, H, W] in shares of a grid of `size` cells."""
    bias = -0.5 * (scale - 1.0)
    return tuple((grid[i] + tensor[:, :, i].sigmoid() * scale + bias) / size for i in range(2))  # type: ignore[return-value]


def _grid(x: Tensor) -> tuple[Tensor, Tensor]:
    height, width = x.shape[-2:]
    across = torch.arange(width, dtype=x.dtype, device=x.device)
    return across.expand(height, width), torch.arange(height, dtype=x.dtype, device=x.device)[:, None].expand(height, width)


def _boxes_meta(x: Meta, size: Meta, **attrs: Any) -> tuple[Meta, Meta]:
    each = 5 + attrs["class_num"] + bool(attrs.get("iou_aware"))
    check_fits("X", x, (-1, len(attrs["anchors"]) // 2 * each, -1, -1))
    check_fits("ImgSize", size, (-1, 2))
    height, width = x.shape[2:]
    count = len(attrs["anchors"]) // 2 * height * width if min(height, width) > 0 else -1
    return Meta((x.shape[0], count, 4), x.dtype, 0), Meta((x.shape[0], count, attrs["class_num"]), x.dtype, 0)


@op(inputs=("X", "ImgSize"), outputs=("Boxes", "Scores"), infer=_boxes_meta, lod=None)
def yolo_box(
    x: Tensor,
    size: Tensor,
    *,
    anchors: Sequence[int] = (),
    class_num: int = 1,
    conf_thresh: float = 0.01,
    downsample_ratio: int = 32,
    clip_bbox: bool = True,
    scale_x_y: float = 1.0,
    iou_aware: bool = False,
    iou_aware_factor: float = 0.5,
) -> tuple[Tensor, Tensor]:
    """Boxes in the images' pixels, and the scores of every class; zeros where there is probably no object."""
    count = len(anchors) // 2
    n, _, height, width = x.shape
    if size.shape != (n, 2):
        raise invalid_argument("img_size", f"shape {[n, 2]}", list(size.shape), "yolo_box")
    rows = x[:, count:] if iou_aware else x
    rows = rows.reshape(n, count, 5 + class_num, height, width)
    grid_x, grid_y = _grid(x)
    bias = -0.5 * (scale_x_y - 1.0)
    image_h, image_w = (size[:, i].to(x.dtype).view(n, 1, 1, 1) for i in range(2))
    centre_x = (grid_x + rows[:, :, 0].sigmoid() * scale_x_y + bias) * image_w / width
    centre_y = (grid_y + rows[:, :, 1].sigmoid() * scale_x_y + bias) * image_h / height
    table = torch.tensor(list(anchors), dtype=x.dtype, device=x.device).view(1, count, 2, 1, 1)
    box_w = rows[:, :, 2].exp() * table[:, :, 0] * image_w / (downsample_ratio * width)
    box_h = rows[:, :, 3].exp() * table[:, :, 1] * image_h / (downsample_ratio * height)
    corners = [centre_x - box_w / 2, centre_y - box_h / 2, centre_x + box_w / 2, centre_y + box_h / 2]
    if clip_bbox:
        corners[:2] = [torch.where(c > 0, c, 0.0) for c in corners[:2]]  # so that NaN is cut off, too
        corners[2:] = [torch.where(c < limit - 1, c, limit - 1) for c, limit in zip(corners[2:], (image_w, image_h))]
    sure = rows[:, :, 4].sigmoid()
    if iou_aware:
        sure = sure ** (1 - iou_aware_factor) * x[:, :count].sigmoid() ** iou_aware_factor
    there = (~(sure < conf_thresh)).unsqueeze(-1)  # NaN stays to be seen
    boxes = torch.where(there, torch.stack(corners, -1), 0.0)
    scores = torch.where(there, (sure.unsqueeze(2) * rows[:, :, 5:].sigmoid()).movedim(2, -1), 0.0)
    return boxes.reshape(n, -1, 4), scores.reshape(n, -1, class_num)


def _shared(a: tuple[Tensor, ...], b: tuple[Tensor, ...]) -> Tensor:
    """Intersection over union of boxes given as centre and size."""
    common = []
    for i in range(2):
        low = torch.maximum(a[i] - a[i + 2] / 2, b[i] - b[i + 2] / 2)
        common.append(torch.minimum(a[i] + a[i + 2] / 2, b[i] + b[i + 2] / 2) - low)
    inside = torch.where((common[0] < 0) | (common[1] < 0), 0.0, common[0] * common[1])
    return inside / (a[2] * a[3] + b[2] * b[3] - inside)


def _mask_meta(x: Meta, boxes: Meta, *rest: Any, _counted: bool, **attrs: Any) -> Meta:
    return Meta((x.shape[0], len(attrs["anchor_mask"]), *x.shape[2:]), torch.int32 if _counted else x.dtype, 0)


def _match_meta(x: Meta, boxes: Meta, *rest: Any, _counted: bool, **attrs: Any) -> Meta:
    return Meta(boxes.shape[:2], torch.int32 if _counted else x.dtype, 0)


@torch.no_grad()
def _matched(
    x: Tensor,
    gt_box: Tensor,
    score: Tensor | None,
    *,
    anchors: Sequence[int] = (),
    anchor_mask: Sequence[int] = (),
    class_num: int = 1,
    ignore_thresh: float = 0.7,
    downsample_ratio: int = 32,
    scale_x_y: float = 1.0,
    **_: Any,
) -> tuple[Tensor, Tensor, tuple[Tensor, ...]]:
    """Which of the anchors here each object is of, or -1, [N, B]; what each place holds, [N, anchors, H, W]; and where objects are.

    A place holds the score of the object whose centre lies there, -1 where a prediction overlaps some object well, and else 0.
    """
    n, height, width = x.shape[0], *x.shape[2:]
    rows = x.reshape(n, len(anchor_mask), 5 + class_num, height, width)
    table = torch.tensor(list(anchors), dtype=x.dtype, device=x.device).view(-1, 2) / (downsample_ratio * height)
    own = table[list(anchor_mask)].view(1, -1, 2, 1, 1)
    valid = (gt_box[..., 2] > _LEAST) & (gt_box[..., 3] > _LEAST)
    centre = _centred(rows, scale_x_y, height, _grid(x))
    made = (*centre, rows[:, :, 2].exp() * own[:, :, 0], rows[:, :, 3].exp() * own[:, :, 1])
    objects = tuple(gt_box[:, :, i].view(n, -1, 1, 1, 1) for i in range(4))
    best = torch.where(valid.view(n, -1, 1, 1, 1), _shared(tuple(m.unsqueeze(1) for m in made), objects), 0.0).amax(1)
    # of every object the anchor whose shape fits best
    zero = torch.zeros((), dtype=x.dtype, device=x.device)
    shapes = (zero, zero, gt_box[..., 2:3], gt_box[..., 3:4])
    fit = _shared(shapes, (zero, zero, table[:, 0], table[:, 1])).argmax(-1)
    numbers = torch.full((len(table),), -1, dtype=torch.int32, device=x.device)
    numbers[list(anchor_mask)] = torch.arange(len(anchor_mask), dtype=torch.int32, device=x.device)
    match = torch.where(valid, numbers[fit], -1)
    target = torch.where(best > ignore_thresh, zero - 1, zero)
    places = _places(match, gt_box, height, width)
    image, number, anchor, line, column = (part[places[-1]] for part in places[:-1])
    target[image, anchor, line, column] = 1.0 if score is None else score[image, number]
    return match, target, places


def _places(match: Tensor, gt_box: Tensor, height: int, width: int) -> tuple[Tensor, ...]:
    """Of every object that has an anchor here: image, number, anchor, row and column, and whether it is the last one of its place."""
    image, number = (match >= 0).nonzero(as_tuple=True)
    anchor = match[image, number].long()
    column, line = (gt_box[image, number, 0] * width).long(), (gt_box[image, number, 1] * height).long()
    _, place = torch.stack((image, anchor, line, column)).unique(dim=1, return_inverse=True)
    order = torch.arange(len(place), device=place.device)
    last = torch.zeros_like(order).scatter_reduce(0, place, order, "amax")
    return image, number, anchor, line, column, last[place] == order


def _loss_meta(x: Meta, box: Meta, label: Meta, score: Meta | None = None, **attrs: Any) -> Meta:
    check_fits("X", x, (-1, len(attrs["anchor_mask"]) * (5 + attrs["class_num"]), -1, -1))
    if not fit(x.shape[2:3], x.shape[3:]):
        raise invalid_argument("x", "as many rows as columns", f"shape {list(x.shape)}", "yolo_loss")
    check_fits("GTBox", box, (-1, -1, 4))
    for name, each in (("GTLabel", label), ("GTScore", score)):
        if each is not None:
            check_fits(name, each, box.shape[:2])
    return Meta((x.shape[0],), x.dtype, 0)


@op(
    inputs=("X", "GTBox", "GTLabel", "GTScore?"),
    outputs=("Loss", "ObjectnessMask~", "GTMatchMask~"),
    grad=("X", "GTBox", "GTLabel", "GTScore", "ObjectnessMask", "GTMatchMask"),
    no_grad=("GTBox@1", "GTLabel@1", "GTScore@1"),
    infer=_loss_meta,
    describe={"ObjectnessMask": _mask_meta, "GTMatchMask": _match_meta},
    derive={
        "ObjectnessMask": lambda x, box, label, score, loss, **attrs: _matched(x, box, score, **attrs)[1],
        "GTMatchMask": lambda x, box, label, score, loss, **attrs: _matched(x, box, score, **attrs)[0],
    },
    lod=None,
)
def yolov3_loss(
    x: Tensor,
    gt_box: Tensor,
    gt_label: Tensor,
    gt_score: Tensor | None = None,
    *,
    anchors: Sequence[int] = (),
    anchor_mask: Sequence[int] = (),
    class_num: int = 1,
    ignore_thresh: float = 0.7,
    downsample_ratio: int = 32,
    use_label_smooth: bool = True,
    scale_x_y: float = 1.0,
    _counted: bool = False,
) -> Tensor:
    """The loss of every image: of places, sizes and classes where an object's centre lies, and of "is there an object" elsewhere.

    Predictions that overlap an object well, without being the one responsible, do not count.
    """
    n, _, height, width = x.shape
    if height != width:
        raise invalid_argument("x", "as many rows as columns", f"shape {list(x.shape)}", "yolo_loss")
    if gt_score is not None and gt_score.shape != gt_box.shape[:2]:
        raise invalid_argument("gt_score", f"shape {list(gt_box.shape[:2])}", list(gt_score.shape), "yolo_loss")
    rows = x.reshape(n, len(anchor_mask), 5 + class_num, height, width)
    gt_box = gt_box.detach()
    score = torch.ones_like(gt_box[..., 0]) if gt_score is None else gt_score.detach()
    _, target, (image, number, anchor, line, column, last) = _matched(
        x, gt_box, gt_score, anchors=anchors, anchor_mask=anchor_mask, class_num=class_num, ignore_thresh=ignore_thresh,
        downsample_ratio=downsample_ratio, scale_x_y=scale_x_y,
    )  # fmt: skip
    table = torch.tensor(list(anchors), dtype=x.dtype, device=x.device).view(-1, 2) / (downsample_ratio * height)
    smooth = min(1.0 / class_num, 1.0 / 40) if use_label_smooth else 0.0
    cells = rows[image, anchor, :, line, column]
    # of several objects in one place all count in the loss, and the last one alone in its gradient
    cells = torch.where(last[:, None], cells, cells.detach())
    box, weight = gt_box[image, number], score[image, number]
    centre = torch.stack((box[:, 0] * height - column, box[:, 1] * height - line), 1)
    shape = (box[:, 2:] / table[list(anchor_mask)][anchor]).log()
    classes = torch.full_like(cells[:, 5:], smooth)
    classes[torch.arange(len(classes), device=x.device), gt_label[image, number].long()] = 1.0 - smooth
    centre_loss = F.binary_cross_entropy_with_logits(cells[:, :2], centre, reduction="none").sum(1)
    class_loss = F.binary_cross_entropy_with_logits(cells[:, 5:], classes, reduction="none").sum(1)
    place_loss = (centre_loss + (cells[:, 2:4] - shape).abs().sum(1)) * ((2.0 - box[:, 2] * box[:, 3]) * weight)
    losses = x.new_zeros(n).index_add(0, image, place_loss + class_loss * weight)
    object_loss = F.binary_cross_entropy_with_logits(rows[:, :, 4], (target > 1e-5).to(x.dtype), reduction="none")
    counted = torch.where(target > 1e-5, target, (target > -0.5).to(x.dtype))
    return losses + (object_loss * counted).sum((1, 2, 3))
