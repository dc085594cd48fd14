"""Search along a direction for a step that fulfils the strong Wolfe conditions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import torch


class Point(NamedTuple):
    """A step, and what the objective is there.

    Attributes:
        step: how far along the direction.
        value: the objective.
        grad: its gradient, flat.
        slope: its derivative along the direction.
    """

    step: float
    value: float
    grad: torch.Tensor
    slope: float


def cubic_minimum(a: Point, b: Point, bounds: tuple[float, float] | None = None) -> float:
    """Where the cubic through two points with these slopes is least, within bounds (those of the points, if none are given)."""
    low, high = bounds or (min(a.step, b.step), max(a.step, b.step))
    if a.step == b.step:
        return (low + high) / 2
    first = a.slope + b.slope - 3 * (a.value - b.value) / (a.step - b.step)
    square = first**2 - a.slope * b.slope
    if square < 0:
        return (low + high) / 2
    root = math.sqrt(square)
    left, right = (a, b) if a.step <= b.step else (b, a)
    divisor = right.slope - left.slope + 2 * root
    if divisor == 0:
        return (low + high) / 2
    best = right.step - (right.step - left.step) * ((right.slope + root - first) / divisor)
    return min(max(best, low), high)


def strong_wolfe(
    at: Callable[[float], Point],
    start: Point,
    step: float,
    reach: float,
    decrease: float = 1e-4,
    curvature: float = 0.9,
    tolerance_change: float = 1e-9,
    most: int = 25,
    longest: float | None = None,
) -> tuple[Point, int]:
    """A point that lies low and flat enough.

    Args:
        at: evaluates the objective after a step.
        start: the point at step 0; its slope is negative.
        step: the first step to try.
        reach: the largest component of the direction.
        decrease: how much of the fall that the first slope promises is enough.
        curvature: how much of the first slope may remain.
        tolerance_change: how narrow the bracket may become.
        most: how many evaluations are enough.
        longest: steps that are too short are doubled up to it, and those near an end of the bracket give way to its middle; None: the
            former grow as a cubic says, the latter move away from the end.
    Returns:
        The point, and how often the objective was evaluated; with `longest` as Paddle's minimizers count, which evaluate the start again.
    """

    def too_high(point: Point) -> bool:
        return point.value > start.value + decrease * point.step * start.slope

    def flat(point: Point) -> bool:
        return abs(point.slope) <= -curvature * start.slope

    doubles = longest is not None
    former, point, count, tries = start, at(step), 1 + doubles, 0
    bracket: list[Point] = []
    while tries < most:
        if too_high(point) or (tries > 1 and point.value >= former.value):
            bracket = [former, point]
            break
        if flat(point):
            return point, count
        if point.slope >= 0:
            bracket = [former, point]
            break
        if longest is None:
            bounds = point.step + 0.01 * (point.step - former.step), point.step * 10
            step = cubic_minimum(former, point, bounds)
        elif point.step < longest:
            step = min(2 * point.step, longest)
        else:
            return point, count + 1  # Paddle looks at this step once more
        former, point = point, at(step)
        tries, count = tries + 1, count + 1
    bracket = bracket or [start, point]
    low, high = sorted(bracket, key=lambda end: end.value)
    stuck = False
    while tries < most and abs(high.step - low.step) * reach >= tolerance_change:
        step = cubic_minimum(low, high)
        least, largest = sorted((low.step, high.step))
        margin = 0.1 * (largest - least)
        if doubles:
            step = (least + largest) / 2 if min(largest - step, step - least) < margin else step
        elif min(largest - step, step - least) < margin:
            if stuck or step >= largest or step <= least:
                step = largest - margin if abs(step - largest) < abs(step - least) else least + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        point = at(step)
        tries, count = tries + 1, count + 1
        if too_high(point) or point.value >= low.value:
            high = point
            if high.value < low.value:
                low, high = high, low
        else:
            if flat(point):
                return point, count - doubles
            if point.slope * (high.step - low.step) >= 0:
                high = low
            low = point
    return low, count
