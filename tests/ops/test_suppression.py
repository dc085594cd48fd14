"""Non-maximum suppression against a plain loop over all pairs of boxes."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from paddle_compat.ops._suppression import suppress


def overlap(a: list[float], b: list[float], extra: float) -> float:
    """Intersection over union of two boxes: NaN where both have no area and meet."""
    f = np.float64
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width < 0 or height < 0:
        return 0.0
    common = f(width + extra) * f(height + extra)
    with np.errstate(all="ignore"):
        return float(common / (area(a, extra) + area(b, extra) - common))


def area(box: list[float], extra: float) -> np.float64:
    width, height = box[2] - box[0], box[3] - box[1]
    return np.float64(0 if width < 0 or height < 0 else (width + extra) * (height + extra))


def kept(boxes: list[list[float]], threshold: float, eta: float, extra: float) -> list[int]:
    found: list[int] = []
    for i, box in enumerate(boxes):
        if all(overlap(boxes[j], box, extra) <= threshold for j in found):
            found.append(i)
            if eta < 1 and threshold > 0.5:
                threshold *= eta
    return found


@pytest.mark.parametrize("eta", [1.0, 0.99])
@pytest.mark.parametrize("threshold", [-0.1, 0.0, 0.3, 0.6, 1.0, math.nan])
@pytest.mark.parametrize("normalized", [True, False])
def test_the_same_boxes_stay(eta: float, threshold: float, normalized: bool) -> None:
    random = np.random.RandomState(0)
    for count, side in ((2, 3), (60, 8), (300, 40)):
        boxes = random.randint(0, side, (count, 4)).astype("float64")
        boxes[:, 2:] = boxes[:, :2] + random.randint(-1, side // 2, (count, 2))
        expected = kept(boxes.tolist(), threshold, eta, 0 if normalized else 1)
        assert suppress(torch.from_numpy(boxes), torch.arange(count), threshold, eta, normalized) == expected
        assert suppress(torch.from_numpy(boxes), torch.arange(count), threshold, eta, normalized, 3) == expected[:3]
        order = torch.from_numpy(random.permutation(count))
        moved = kept(boxes[order.numpy()].tolist(), threshold, eta, 0 if normalized else 1)
        assert suppress(torch.from_numpy(boxes), order, threshold, eta, normalized) == order[moved].tolist()
