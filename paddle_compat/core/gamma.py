"""Gamma distributed numbers out of an `Engine`, equal to what the real Paddle draws on the CPU.

By rejection: G. Marsaglia and W. W. Tsang, A Simple Method for Generating Gamma Variables (2000). A number reads the engine in the order
kept here: one word where its shape is below 1, then for every try the pairs of a normal number, whose second half is dropped, and a word.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from paddle_compat.core.distributions import Array, Float, canonical, polar_scale
from paddle_compat.core.engines import Engine

# Numbers made at a time, and about how many words each takes: those that were drawn ahead in vain are drawn again.
_BLOCK = 1 << 12
_WORDS = 6
# Paddle's constants are float32 in both precisions
_THIRD = np.float32(1) / np.float32(3)
_SQUEEZE = np.float32(0.0331)


class _Row:
    """Uniform numbers in a row, and what the polar method makes of the pairs of them."""

    def __init__(self, engine: Engine, ahead: int, kind: Float) -> None:
        self.engine, self.kind, self.start = engine, kind, engine.state
        self.uniform: Array = np.empty(0, kind)
        self.used = 0
        self._extend(ahead)

    def _extend(self, count: int) -> None:
        kind = self.kind
        self.uniform = np.concatenate([self.uniform, canonical(self.engine, count, kind)])
        points = self.uniform * kind(2) - kind(1)
        squares = points * points
        radius = squares[:-1] + squares[1:]
        inside = (radius <= 1) & (radius != 0)
        self.normal = np.where(inside, points[1:], kind(0))
        self.normal[inside] *= polar_scale(radius[inside])
        self.inside = inside.tolist()

    def next_uniform(self) -> Any:
        """The next number in [0, 1)."""
        if self.used == self.uniform.size:
            self._extend(self.uniform.size)
        self.used += 1
        return self.uniform[self.used - 1]

    def next_normal(self) -> Any:
        """The next normal number: of a pair of them only the first is used."""
        while True:
            if self.used + 1 >= self.uniform.size:
                self._extend(self.uniform.size)
            self.used += 2
            if self.inside[self.used - 2]:
                return self.normal[self.used - 2]

    def close(self) -> None:
        """Take back what was drawn ahead."""
        self.engine.state = self.start
        self.engine.take(self.used)


def gamma(engine: Engine, shapes: Array) -> Array:
    """A number of rate 1 for each of the shapes.

    Args:
        engine (Engine): where the words come from.
        shapes (ndarray): float32 or float64, of one dimension. 0 gives 0; what is below it or no number gives NaN.
    """
    out = np.empty_like(shapes)
    for start in range(0, shapes.size, _BLOCK):
        part = shapes[start : start + _BLOCK]
        row = _Row(engine, _WORDS * part.size + 16, part.dtype.type)
        out[start : start + _BLOCK] = _block(row, part)
        row.close()
    return out


def _block(row: _Row, shapes: Array) -> list[Any]:
    kind = row.kind
    one, half = kind(1), kind(0.5)
    with np.errstate(all="ignore"):
        d = np.where(shapes < one, shapes + one, shapes) - kind(_THIRD)
        c = one / np.sqrt(kind(9) * d)
    numbers = []
    for shape, deep, narrow in zip(shapes, d, c):
        if not shape > 0:
            numbers.append(kind(0) if shape == 0 else kind(math.nan))
            continue
        scale = kind(math.pow(one - row.next_uniform(), one / shape)) if shape < 1 else one
        while True:
            normal = row.next_normal()
            root = one + narrow * normal
            if root <= 0:
                continue
            cube, least, square = root * root * root, one - row.next_uniform(), normal * normal
            if least < one - kind(_SQUEEZE) * square * square:
                break
            if kind(math.log(least)) < half * square + deep * (one - cube + kind(math.log(cube))):
                break
        numbers.append(scale * deep * cube)
    return numbers


def dirichlet(engine: Engine, shapes: Array) -> Array:
    """For each row of shapes [rows, categories] gamma distributed numbers, divided by their sum."""
    numbers = gamma(engine, shapes.reshape(-1)).reshape(shapes.shape)
    with np.errstate(all="ignore"):
        shares: Array = numbers / numbers.sum(-1, keepdims=True)
    return shares
