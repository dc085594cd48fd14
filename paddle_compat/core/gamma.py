"""Gamma distributed numbers out of an `Engine`, equal to what the real Paddle draws on the CPU.

By rejection: G. Marsaglia and W. W. Tsang, A Simple Method for Generating Gamma Variables (2000). A number reads the engine in the order
kept here: one word where its shape is below 1, then for every try the pairs of a normal number, whose second half is dropped, and a word
if that number is possible.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paddle_compat.core.distributions import Array, Float, canonical, polar_scale
from paddle_compat.core.engines import Engine

# Numbers made at a time, and about how many words each takes: those that were drawn ahead in vain are drawn again.
_BLOCK = 3000
_WORDS = 6
# Paddle's constants are float32 in both precisions
_THIRD = np.float32(1) / np.float32(3)
_SQUEEZE = np.float32(0.0331)
_FAR = -2.4  # a normal number above this is possible whatever the shape, the least of which is taken as 1


class _Tries:
    """What a try comes to that begins at any of the coming words: a normal number by the polar method, and a word behind it.

    Nearly always the words alone say where a try ends and that it is accepted, whatever the shape. So all that is left to do for
    one number after another is to walk from try to try.

    Args:
        engine (Engine): where the words come from.
        ahead (int): how many are looked at.
        kind: the precision.
    """

    def __init__(self, engine: Engine, ahead: int, kind: Float) -> None:
        self.kind = kind
        self.uniform = canonical(engine, ahead, kind)
        points = self.uniform[:-1] * kind(2) - kind(1)
        squares = points * points
        radius = squares[:-1] + squares[1:]
        inside = np.flatnonzero((radius <= 1) & (radius != 0))
        self.normal = np.zeros(ahead, kind)
        self.normal[inside] = points[inside + 1] * polar_scale(radius[inside])
        normal, least = self.normal[inside], kind(1) - self.uniform[inside + 2]
        square = normal * normal
        sure = (least < kind(1) - kind(_SQUEEZE) * square * square) & (normal > _FAR)
        nearest = np.full(ahead & ~1, ahead)
        nearest[inside] = inside
        pairs = nearest.reshape(-1, 2)[::-1]
        np.minimum.accumulate(pairs, axis=0, out=pairs)
        whole = int(np.searchsorted(nearest[::2], ahead)), int(np.searchsorted(nearest[1::2], ahead))
        signs = np.full(ahead, -1)
        signs[inside[sure]] = 1
        nearest = nearest[: 2 * min(whole)]
        self.ends: list[int] = ((nearest + 3) * signs[nearest]).tolist()  # the place behind the try; negative where the shape decides

    def judge(self, end: int, deep: Any, narrow: Any) -> tuple[int, bool]:
        """Where a try ends indeed, as an impossible number needs no word behind it, and whether it is accepted; of the method's d and c."""
        kind = self.kind
        one, normal = kind(1), self.normal[end - 3]
        root = one + narrow * normal
        if root <= 0:
            return end - 1, False
        cube, least, square = root * root * root, one - self.uniform[end - 1], normal * normal
        if least < one - kind(_SQUEEZE) * square * square:
            return end, True
        return end, bool(kind(math.log(least)) < kind(0.5) * square + deep * (one - cube + kind(math.log(cube))))


def gamma(engine: Engine, shapes: Array) -> Array:
    """A number of rate 1 for each of the shapes.

    Args:
        engine (Engine): where the words come from.
        shapes (ndarray): float32 or float64, of one dimension. 0 gives 0; what is below it or no number gives NaN.
    """
    out = np.where(shapes == 0, shapes, shapes.dtype.type(math.nan))
    places = np.flatnonzero(shapes > 0)
    for start in range(0, places.size, _BLOCK):
        part = places[start : start + _BLOCK]
        ahead = _WORDS * part.size + 16
        engine.reach(ahead)
        state = None if engine.at_hand >= ahead else engine.state
        while (made := _block(_Tries(engine, ahead, shapes.dtype.type), shapes[part])) is None:
            if state is None:
                engine.hand_back(ahead)
                state = engine.state
            ahead, engine.state = 2 * ahead, state
        out[part], used = made
        if state is None:
            engine.hand_back(ahead - used)
        else:
            engine.state = state
            engine.take(used)
    return out


def _block(tries: _Tries, shapes: Array) -> tuple[Array, int] | None:
    """Numbers of positive shapes, and how many words they take; None if that is more than the tries have."""
    kind = tries.kind
    one, low = kind(1), shapes < 1
    with np.errstate(all="ignore"):
        d = np.where(low, shapes + one, shapes) - kind(_THIRD)
        c = one / np.sqrt(kind(9) * d)
    ends, at, first = tries.ends, 0, []
    last = []
    try:
        for number, is_low in enumerate(low.tolist()):
            if is_low:
                first.append(at)
                at += 1
            while (at := ends[at]) < 0:
                at, accepted = tries.judge(-at, d[number], c[number])
                if accepted:
                    break
            last.append(at)
    except IndexError:
        return None
    root = one + c * tries.normal[np.array(last) - 3]
    if first:
        bases, powers = one - tries.uniform[first], one / shapes[low]
        d[low] *= np.array([*map(math.pow, bases.tolist(), powers.tolist())], kind)
    return d * (root * root * root), at


def dirichlet(engine: Engine, shapes: Array) -> Array:
    """For each row of shapes [rows, categories] gamma distributed numbers, divided by their sum."""
    numbers = gamma(engine, shapes.reshape(-1)).reshape(shapes.shape)
    with np.errstate(all="ignore"):
        shares: Array = numbers / numbers.sum(-1, keepdims=True)
    return shares
