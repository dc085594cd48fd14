"""Non-maximum suppression: which of many boxes stay, the best first."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch

Tensor = torch.Tensor
Array = npt.NDArray[Any]

_BLOCK = 256  # boxes that are compared with one another at once
_PAIRS = 1 << 15  # pairs of boxes that are compared at once: what is computed of them stays in the cache


def suppress(boxes: Tensor, order: Tensor, threshold: float, eta: float, normalized: bool, count: int = -1, least: float = 0) -> list[int]:
    """Of the boxes in this order those that overlap none kept before them too much; the first `count`, unless it is -1.

    A block of boxes is compared with all that were kept before the block, and what is left of it with one another: so few numpy calls
    are made, and hardly a pair is computed of which one was out already.

    With `eta` below 1 the threshold falls with every box kept, down to 0.5. A box has an area of `least`: with 0, points in one place
    overlap by 0 / 0, which no threshold allows.
    """
    if len(order) < 2:
        return order.tolist()[: count if count >= 0 else None]
    candidates, sides = order.cpu().numpy(), sides_of(boxes[order.to(boxes.device)], normalized, least)
    kept = np.empty_like(sides)
    numbers: list[int] = []
    for start in range(0, len(candidates), _BLOCK):
        if -1 < count <= len(numbers):
            break
        before, block = len(numbers), sides[:, start : start + _BLOCK]
        most, there = _most(kept[:, :before], block, threshold, normalized)
        block = block[:, there]
        shared = shares(block[:, :, None], block[:, None], normalized)
        stay: list[int] = []
        for i, row in enumerate(shared):
            if most[i] <= threshold or not (numbers or stay):
                stay.append(i)
                np.maximum(most, row, out=most)
                if eta < 1 and threshold > 0.5:
                    threshold *= eta
        numbers += (start + there[stay]).tolist()
        kept[:, before : len(numbers)] = block[:, stay]
    chosen: list[int] = candidates[numbers if count < 0 else numbers[:count]].tolist()
    return chosen


def sides_of(boxes: Tensor, normalized: bool, least: float = 0) -> Array:
    """Left, top, right, bottom and area of boxes, a row each; one that is inside out has none."""
    own = boxes.detach()[:, :4].cpu()
    sides = np.empty((5, len(own)), np.float64 if own.dtype == torch.float64 else np.float32)
    sides[:4] = own.to(torch.promote_types(own.dtype, torch.float32)).numpy().T
    (width, height), extra = sides[2:4] - sides[:2], 0 if normalized else 1
    sides[4] = np.where((width < 0) | (height < 0), 0, (width + extra) * (height + extra)).clip(least)
    return sides


def _most(kept: Array, block: Array, threshold: float, normalized: bool) -> tuple[Array, Array]:
    """How much boxes of a block are overlapped by kept ones at most, and which they are: those not above the threshold (it only falls)."""
    there = np.arange(block.shape[1])
    most = np.full(block.shape[1], -np.inf, block.dtype)
    start = 0
    while start < kept.shape[1] and there.size:
        end = start + _PAIRS // there.size
        most = np.maximum(most, shares(kept[:, start:end, None], block[:, None, there], normalized).max(0))
        inside = most <= threshold
        most, there = most[inside], there[inside]
        start = end
    return most, there


def shares(a: Array, b: Array, normalized: bool) -> Array:
    """Intersection over union of boxes with others, side by side, both as `sides_of` gives them."""
    width, height = (np.minimum(a[end], b[end]) - np.maximum(a[start], b[start]) for start, end in ((0, 2), (1, 3)))
    apart = width < 0
    apart |= height < 0
    if not normalized:
        width += 1
        height += 1
    width *= height  # what both have in common
    np.add(a[4], b[4], out=height)
    height -= width
    with np.errstate(divide="ignore", invalid="ignore"):
        width /= height
    width[apart] = 0
    return width
