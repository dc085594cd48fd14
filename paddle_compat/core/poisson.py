"""Poisson distributed counts out of an `Engine`, equal to what the real Paddle draws on the CPU.

Small means by the product of uniform numbers, large ones by rejection from a mixture: L. Devroye, Non-Uniform Random Variate
Generation (1986), chapter X.3. C++'s ``std::poisson_distribution`` draws so, and reads an engine in the order kept here.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from paddle_compat.core.distributions import canonical
from paddle_compat.core.engines import Engine, Words

_SMALL = 12.0  # means from here on are large
_BLOCK = 1 << 12


class Uniforms:
    """Uniform numbers one by one; `close` leaves the engine behind the last one that was handed out.

    Attributes:
        next: gives the next number in [0, 1).
    """

    def __init__(self, engine: Engine, ahead: int) -> None:
        self.engine, self.size = engine, min(max(ahead, 16), _BLOCK)
        self.start: Words | None = None  # where the block began, unless its words can be handed back
        self.rest: Iterator[float] = iter(())
        self.next = itertools.chain.from_iterable(self._blocks()).__next__  # no Python runs between two numbers of a block

    def _blocks(self) -> Iterator[Iterator[float]]:
        while True:
            self.engine.reach(self.size)
            self.start = None if self.engine.at_hand >= self.size else self.engine.state
            self.rest = iter(canonical(self.engine, self.size, np.float64).tolist())
            yield self.rest

    def exponential(self) -> float:
        """The next exponentially distributed number."""
        return -math.log(1.0 - self.next())

    def normals(self) -> Iterator[float]:
        """Normal numbers by the polar method, in pairs."""
        while True:
            x, y = 2.0 * self.next() - 1.0, 2.0 * self.next() - 1.0
            radius = x * x + y * y
            if 0.0 < radius <= 1.0:
                scale = math.sqrt(-2.0 * math.log(radius) / radius)
                yield y * scale
                yield x * scale

    def close(self) -> None:
        """Take back what was drawn ahead."""
        left = operator.length_hint(self.rest)
        if self.start is None:
            self.engine.hand_back(left)
        else:
            self.engine.state = self.start
            self.engine.take(self.size - left)


def poisson(engine: Engine, means: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """A count for each of the means.

    Args:
        engine (Engine): where the words come from.
        means (ndarray): not negative, of one dimension.
    """
    if not means.size:
        return np.empty(0)
    uniforms = Uniforms(engine, 2 * means.size)
    draw, exp, large = uniforms.next, math.exp, dict[float, _Mixture]()
    counts = []
    for mean in means.astype(np.float64).tolist():
        if mean < _SMALL:  # how many uniform numbers can be multiplied before the product falls to exp(-mean)
            least, product, count = exp(-mean), draw(), 0
            while product > least:
                product *= draw()
                count += 1
            counts.append(count)
        else:
            if mean not in large:
                large[mean] = _Mixture(mean)
            counts.append(large[mean].draw(uniforms))
    uniforms.close()
    return np.array(counts, np.float64)


class _Mixture:
    """Devroye's rejection: two normal pieces around the whole part of the mean, three single counts, an exponential tail.

    The areas of the pieces, one after the other, are what a number is compared with to choose one.
    """

    def __init__(self, mean: float) -> None:
        self.log_mean, self.mode = math.log(mean), math.floor(mean)
        self.log_factorial = math.lgamma(self.mode + 1.0)
        m, quarter = float(self.mode), math.pi / 4
        self.delta = float(math.floor(max(6.0, min(m, math.sqrt(2 * m * math.log(32 * m / quarter)))) + 0.5))
        self.spread = 2 * m + self.delta
        left = math.sqrt(m) * math.sqrt(math.pi / 2)
        right = left + math.sqrt(quarter * self.spread) * math.exp(1 / self.spread)
        above = right + 2 + math.exp(1 / 78)
        tail = 2 * self.spread * math.exp(-self.delta / self.spread * (1 + self.delta / 2)) / self.delta
        self.areas = left, right, right + 1, right + 2, above
        self.whole = tail + above

    def draw(self, uniforms: Uniforms) -> int:
        """One count."""
        left, right, before, at, after = self.areas
        normals = uniforms.normals()  # the second one of a pair is for the next turn of this count
        while True:
            place, slack = self.whole * uniforms.next(), uniforms.exponential()
            weight = 0.0
            if place <= left:
                normal = next(normals)
                x = float(math.floor(-abs(normal) * math.sqrt(self.mode) - 1))
                weight = -normal * normal / 2
                if x < -self.mode:
                    continue
            elif place <= right:
                y = 1 + abs(next(normals)) * math.sqrt(self.spread / 2)
                x = float(math.ceil(y))
                weight = y * (2 - y) / self.spread
                if x > self.delta:
                    continue
            elif place <= before:
                x = -1.0
            elif place <= at:
                x = 0.0
            elif place <= after:
                x, weight = 1.0, 1 / 78
            else:
                y = self.delta + uniforms.exponential() * 2 * self.spread / self.delta
                x = float(math.ceil(y))
                weight = -self.delta / self.spread * (1 + y / 2)
            count = x + self.mode
            if weight - slack - x * self.log_mean <= self.log_factorial - math.lgamma(count + 1) and count < 2**31 - 1:
                return int(count)
