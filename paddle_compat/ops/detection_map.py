"""The mean average precision of detections, over a batch and over all batches so far."""

from __future__ import annotations

import torch

from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Meta, op
from paddle_compat.ops._lod import need_lod
from paddle_compat.ops.anchors import overlaps

Tensor = torch.Tensor
# of a category: scores of detections, and whether each was a hit
Found = dict[int, list[tuple[float, bool]]]


def _infer(*inputs: Meta, class_num: int, **attrs: object) -> tuple[Meta, ...]:
    return Meta((class_num, 1), torch.int32, 0), Meta((-1, 2), lod_level=1), Meta((-1, 2), lod_level=1), Meta((1,), lod_level=0)


def _match(boxes: Tensor, labels: Tensor, difficult: Tensor, detections: Tensor, threshold: float, evaluate_difficult: bool) -> Found:
    """What the detections of one image find."""
    found: Found = {}
    for category in sorted({int(c) for c in detections[:, 0].tolist()}):
        own = detections[detections[:, 0].int() == category]
        there = (labels == category).nonzero()[:, 0]
        if len(there):
            own = own[torch.sort(own[:, 1], descending=True, stable=True)[1]]
        taken: set[int] = set()
        common = overlaps(own[:, 2:6].clamp(0.0, 1.0), boxes[there], True)
        for row, score in enumerate(own[:, 1].tolist()):
            best = int(common[row].argmax()) if len(there) else -1
            if best < 0 or float(common[row, best]) <= threshold:
                found.setdefault(category, []).append((score, False))
            elif evaluate_difficult or not bool(difficult[there[best]]):
                found.setdefault(category, []).append((score, best not in taken))
                taken.add(best)
    return found


def _precision(pairs: list[tuple[float, bool]], count: int, ap_type: str) -> float:
    """The average precision of one category."""
    hits = torch.tensor([hit for _, hit in sorted(pairs, key=lambda pair: -pair[0])], dtype=torch.float64).cumsum(0)
    precision, recall = hits / torch.arange(1, len(pairs) + 1), hits / count
    if ap_type == "11point":
        best = [precision[recall >= point / 10 - 1e-9] for point in range(11)]
        return sum(float(p.max()) if len(p) else 0.0 for p in best) / 11
    return float((precision * torch.diff(recall, prepend=torch.zeros(1, dtype=torch.float64))).sum())


def _restored(count: Tensor, hits: tuple[Tensor, LoD | None]) -> tuple[dict[int, int], Found]:
    """What earlier batches left."""
    positives = {category: int(n) for category, n in enumerate(count.reshape(-1).tolist()) if n}
    found: Found = {}
    offsets = need_lod(hits[1], "TruePos", "detection_map")[0].tolist()
    for category, (start, end) in enumerate(zip(offsets, offsets[1:])):
        for score, hit in hits[0][start:end].tolist():
            found.setdefault(category, []).append((score, bool(hit)))
    return positives, found


@op(
    inputs=("DetectRes", "Label", "HasState?", "PosCount?", "TruePos?", "FalsePos?"),
    outputs=("AccumPosCount", "AccumTruePos", "AccumFalsePos", "MAP"), grad=(), infer=_infer, lod=("AccumTruePos", "AccumFalsePos"),
)  # fmt: skip
def detection_map(
    detect_res: Tensor,
    label: Tensor,
    has_state: Tensor | None = None,
    pos_count: Tensor | None = None,
    true_pos: Tensor | None = None,
    false_pos: Tensor | None = None,
    *,
    class_num: int,
    background_label: int = 0,
    overlap_threshold: float = 0.5,
    evaluate_difficult: bool = True,
    ap_type: str = "integral",
    detect_res_lod: LoD | None = None,
    label_lod: LoD | None = None,
    true_pos_lod: LoD | None = None,
    false_pos_lod: LoD | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor, LoD, LoD]:
    """Positives, hits and misses of each category, and the mean of the categories' average precisions.

    As in Paddle, `background_label` passes over the categories that have so many positives, not the one of that number.
    """
    if ap_type not in ("integral", "11point"):
        raise InvalidArgumentError(f"Invalid value for argument `ap_type`. Expected integral or 11point. Received: {ap_type}")
    offsets = [need_lod(lod, name, "detection_map", 1)[0].tolist() for lod, name in ((detect_res_lod, "DetectRes"), (label_lod, "Label"))]
    positives: dict[int, int] = {}
    found: Found = {}
    if has_state is not None and int(has_state.reshape(-1)[0]):
        assert pos_count is not None and true_pos is not None and false_pos is not None
        positives, found = _restored(pos_count, (true_pos, true_pos_lod))
    with_difficult = label.shape[1] == 6
    detections, truth = detect_res.cpu(), label.cpu()
    for image in range(len(offsets[1]) - 1):
        there = truth[offsets[1][image] : offsets[1][image + 1]]
        difficult = there[:, 1].abs() > 1e-6 if with_difficult else torch.zeros(len(there), dtype=torch.bool)
        for category in there[difficult.logical_not() | evaluate_difficult, 0].int().tolist():
            positives[category] = positives.get(category, 0) + 1
        own = detections[offsets[0][image] : offsets[0][image + 1]]
        boxes = there[:, 2:6] if with_difficult else there[:, 1:5]
        for category, pairs in _match(boxes, there[:, 0].int(), difficult, own, overlap_threshold, evaluate_difficult).items():
            found.setdefault(category, []).extend(pairs)
    counted = [(found.get(category), count) for category, count in positives.items() if count != background_label]
    mean = sum(_precision(pairs, count, ap_type) for pairs, count in counted if pairs) / max(len(counted), 1)
    rows = [found.get(category, []) for category in range(class_num)]
    lod = (torch.tensor([0, *torch.tensor([len(pairs) for pairs in rows]).cumsum(0).tolist()], dtype=torch.int64),)
    flat = [pair for pairs in rows for pair in pairs]
    device = detect_res.device
    hits, misses = (
        torch.tensor([[score, float(hit == wanted)] for score, hit in flat], dtype=torch.float32, device=device).reshape(-1, 2)
        for wanted in (True, False)
    )
    counts = torch.tensor([[positives.get(category, 0)] for category in range(class_num)], dtype=torch.int32, device=device)
    return counts, hits, misses, torch.tensor([mean], dtype=torch.float32, device=device), lod, lod
