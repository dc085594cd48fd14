"""Which elements a slice takes, and the block of them."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from paddle_compat import _alias
from paddle_compat.core.errors import OutOfRangeError

Tensor = torch.Tensor
Shape = tuple[int, ...]


# whether ends count as Python's own do: in Paddle 2, going backwards, -1 stands for what lies before the first element
_AS_PYTHON = _alias.since("3")
BEFORE_FIRST = -2147483648 if _AS_PYTHON else -1  # what stands for no end there


def picked(size: int, start: int, end: int, step: int, to_first: bool = False, written: bool = False) -> range:
    """The positions that a slice takes: Python's rule, but backwards Paddle 2 knows -1 as "to the first element".

    What lies before the first element stops there in Paddle 2 (a start, too), unless the slice is `written` to, or `to_first` (Paddle 1.8)
    says that it is taken, too; 1.8 counts steps backwards from the last position that the slice reaches, not from its start.
    """
    if step < 0 and (to_first or not _AS_PYTHON):
        whole = end == -1 or ((to_first or written) and end < -size)
        start = start if to_first else max(start, -size)
        taken = range(*slice(start, None if whole else max(end, -size), step).indices(size))
        return range(taken.start - (taken.start - taken.stop - 1) % -step, taken.stop, step) if to_first and taken else taken
    return range(*slice(start, end, step).indices(size))


def take(
    x: Tensor,
    axes: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    steps: Sequence[int],
    to_first: bool = False,
    written: bool = False,
) -> Tensor:
    """The block of x that Python slices would take; torch knows no negative steps."""
    backwards = []
    for axis, start, end, step in zip(axes, starts, ends, steps):
        if step < 0:
            taken = picked(x.shape[axis], start, end, step, to_first, written)
            start, end, step = (taken[-1], taken[0] + 1, -step) if len(taken) else (0, 0, 1)
            backwards.append(axis)
        index: list[slice] = [slice(None)] * (axis if axis >= 0 else axis + x.dim()) + [slice(start, end, step)]
        x = x[tuple(index)]
    return x.flip(backwards) if backwards else x


def drop(x: Tensor, axes: Sequence[int], rank1: bool) -> Tensor:
    """x without the dimensions in which one index was picked; 1.x keeps at least one dimension."""
    for axis in sorted(axes, reverse=True):
        if x.shape[axis] != 1:
            raise OutOfRangeError(f"Invalid index of dimension {axis}. Expected one that lies inside. Received: one outside.")
        x = x.squeeze(axis)
    return x.reshape(1) if rank1 and x.dim() == 0 else x


def sliced_shape(
    shape: Shape,
    axes: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    steps: Sequence[int],
    flags: Sequence[int],
    drop: Sequence[int],
    rank1: bool,
) -> Shape:
    """The shape of a slice; a dimension that is unknown, or cut at tensors (flag -1), stays unknown."""
    sizes = list(shape)
    for position, axis in enumerate(axes):
        known = sizes[axis] >= 0 and not (flags and flags[position] == -1)
        step = steps[position] if steps else 1
        sizes[axis] = len(picked(sizes[axis], starts[position], ends[position], step, rank1)) if known else -1
    left = tuple(size for axis, size in enumerate(sizes) if axis not in drop)
    return left or ((1,) if rank1 else ())
