"""Non-maximum suppression: which of many boxes stay, the best first."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch

Tensor = torch.Tensor
Array = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]

_BLOCK = 256  # boxes that are compared with one another at once
_PAIRS = 1 << 15  # pairs of boxes that are compared at once: what is computed of them stays in the cache
_FEW_PAIRS = 1 << 13  # up to which NumPy, whose calls cost less, compares them
_LATER = np.tri(_BLOCK, _BLOCK, -1, bool).T  # whether a box comes behind another


def suppress(
    boxes: Tensor, order: Tensor | None, threshold: float, eta: float, normalized: bool, count: int = -1, least: float = 0
) -> list[int]:
    """Of the boxes in this order those that overlap none kept before them too much; the first `count`, unless it is -1.

    A block of boxes is compared with all that were kept before the block, and what is left of it with one another: so few calls
    are made, and hardly a pair is computed of which one was out already.

    With `eta` below 1 the threshold falls with every box kept, down to 0.5. A box has an area of `least`: with 0, points in one place
    overlap by 0 / 0, which no threshold allows. Without an order they come as they stand.
    """
    if order is None:
        sides = sides_of(boxes, normalized, least)
        candidates = np.arange(sides.shape[1])
    else:
        candidates, sides = order.cpu().numpy(), sides_of(boxes[order.to(boxes.device)], normalized, least)
    if len(candidates) <= _BLOCK and not (eta < 1 and threshold > 0.5):
        alone: list[int] = candidates[_kept(sides[:, :0], sides, threshold, normalized)].tolist()
        return alone if count < 0 else alone[:count]
    kept = np.empty_like(sides)
    numbers: list[int] = []
    for start in range(0, len(candidates), _BLOCK):
        if -1 < count <= len(numbers):
            break
        before, block = len(numbers), sides[:, start : start + _BLOCK]
        if eta < 1 and threshold > 0.5:
            stay, threshold = _kept_by_falling(kept[:, :before], block, threshold, eta, normalized)
        else:
            stay = _kept(kept[:, :before], block, threshold, normalized)
        numbers += [start + i for i in stay]
        kept[:, before : len(numbers)] = block[:, stay]
    chosen: list[int] = candidates[numbers if count < 0 else numbers[:count]].tolist()
    return chosen


def _kept(kept: Array, block: Array, threshold: float, normalized: bool) -> list[int]:
    """Which boxes of a block stay beside those kept before it."""
    there = np.arange(block.shape[1])
    start = 0
    while start < kept.shape[1] and there.size:
        end = start + _PAIRS // there.size
        stay = ~_exceed(kept[:, start:end, None], block[:, None], threshold, normalized).any(0)
        block, there, start = block.compress(stay, 1), there[stay], end  # an index would lay columns side by side
    # Of each box which later ones it keeps out, a bit each: whole numbers of any length are faster than arrays that short.
    over = _exceed(block[:, :, None], block[:, None], threshold, normalized)
    over &= _LATER[: len(over), : len(over)]
    bits = np.packbits(over, axis=1, bitorder="little")
    rows, width, out = bits.tobytes(), bits.shape[1], 0
    for i in over.any(1).nonzero()[0].tolist():
        if not out >> i & 1:
            out |= int.from_bytes(rows[i * width : (i + 1) * width], "little")
    if out:
        gone = np.frombuffer(out.to_bytes(width, "little"), np.uint8)
        there = there[np.unpackbits(gone, count=len(over), bitorder="little") == 0]
    numbers: list[int] = there.tolist()
    return numbers


def _exceed(a: Array, b: Array, threshold: float, normalized: bool) -> Flags:
    """Whether boxes overlap others, side by side, more than the threshold allows."""
    shared, apart = _shares(a, b, normalized)
    if not threshold >= 0:
        return np.ones_like(apart)
    apart |= shared <= threshold
    return np.logical_not(apart, out=apart)


def _kept_by_falling(kept: Array, block: Array, threshold: float, eta: float, normalized: bool) -> tuple[list[int], float]:
    """As `_kept`, while the threshold falls with each box, and where it has come to."""
    most = np.full(block.shape[1], -np.inf, block.dtype)  # how much boxes are overlapped by kept ones
    step = _PAIRS // block.shape[1]
    for start in range(0, kept.shape[1], step):
        np.maximum(most, shares(kept[:, start : start + step, None], block[:, None], normalized).max(0), out=most)
    stay: list[int] = []
    for i, row in enumerate(shares(block[:, :, None], block[:, None], normalized)):
        if most[i] <= threshold or not (stay or kept.size):
            stay.append(i)
            np.maximum(most, row, out=most)
            if threshold > 0.5:
                threshold *= eta
    return stay, threshold


def sides_of(boxes: Tensor, normalized: bool, least: float = 0) -> Array:
    """Left, top, right, bottom and area of boxes, a row each; one that is inside out has none."""
    own = boxes.detach().cpu()
    if own.dtype not in (torch.float32, torch.float64):
        own = own.to(torch.promote_types(own.dtype, torch.float32))
    corners = own.numpy()
    sides = np.empty((5, len(corners)), corners.dtype)
    sides[:4] = corners[:, :4].T
    lengths = sides[2:4] - sides[:2]
    inside_out = lengths < 0
    if not normalized:
        lengths += 1
    area = np.multiply(lengths[0], lengths[1], sides[4])
    area[inside_out[0] | inside_out[1]] = 0
    if least:
        np.maximum(area, least, out=area)
    return sides


def shares(a: Array, b: Array, normalized: bool, without: Flags | None = None) -> Array:
    """Intersection over union of boxes with others, side by side, both as `sides_of` gives them; 0 for pairs that do not count."""
    shared, apart = _shares(a, b, normalized)
    np.copyto(shared, 0, where=apart if without is None else apart | without)
    return shared


def _shares(a: Array, b: Array, normalized: bool) -> tuple[Array, Flags]:
    """`shares` of those that meet, and which do not. What has different shapes torch brings together faster, where it is much."""
    if a.shape[1] * b.shape[-1] > _FEW_PAIRS:
        return _many_shares(a, b, normalized)
    lengths = np.minimum(a[2:4], b[2:4])
    lengths -= np.maximum(a[:2], b[:2])
    beside: Flags = lengths < 0
    apart = np.logical_or(beside[0], beside[1], beside[0])
    if not normalized:
        lengths += 1
    width, height = lengths
    width *= height  # what both have in common
    np.add(a[4], b[4], height)
    height -= width
    with np.errstate(all="ignore"):
        width /= height
    return width, apart


def _many_shares(a: Array, b: Array, normalized: bool) -> tuple[Array, Flags]:
    (left, top, right, bottom, area), (b_left, b_top, b_right, b_bottom, b_area) = torch.from_numpy(a), torch.from_numpy(b)
    width = torch.minimum(right, b_right).sub_(torch.maximum(left, b_left))
    height = torch.minimum(bottom, b_bottom).sub_(torch.maximum(top, b_top))
    apart: Flags = width.numpy() < 0  # NumPy compares faster
    apart |= height.numpy() < 0
    if not normalized:
        width += 1
        height += 1
    width *= height
    torch.add(area, b_area, out=height).sub_(width)
    return width.div_(height).numpy(), apart
