"""Sizes, paddings and matrices as the transforms of all kinds of images read them."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np


def new_size(old: Sequence[int], size: Any) -> tuple[int, int] | None:
    """Height and width to resize an image [height, width] to; None where one number leaves it as it is.

    Args:
        size: both, or what the shorter side becomes.
    """
    if not (isinstance(size, int) or (isinstance(size, Sequence) and not isinstance(size, str) and len(size) == 2)):
        raise TypeError(f"Got inappropriate size arg: {size}. Expected an int or a sequence (height, width)")
    if not isinstance(size, int):
        return size[0], size[1]
    height, width = old
    if min(height, width) == size:
        return None
    return (int(size * height / width), size) if width < height else (size, int(size * width / height))


def padding_of(padding: Any, fill: Any, mode: str) -> tuple[int, int, int, int]:
    """How many pixels come on the left, on top, on the right and below."""
    if not isinstance(padding, (numbers.Number, list, tuple)):
        raise TypeError(f"Got inappropriate padding arg: {padding!r}. Expected a number, a list or a tuple")
    if not isinstance(fill, (numbers.Number, str, list, tuple)):
        raise TypeError(f"Got inappropriate fill arg: {fill!r}. Expected a number, a str, a list or a tuple")
    if not isinstance(mode, str):
        raise TypeError(f"Got inappropriate padding_mode arg: {mode!r}. Expected 'constant', 'edge', 'reflect' or 'symmetric'")
    if isinstance(padding, Sequence) and len(padding) not in (2, 4):
        raise ValueError(f"Padding must be an int or a 2, or 4 element tuple, not a {len(padding)} element tuple")
    assert mode in ("constant", "edge", "reflect", "symmetric"), "Padding mode should be either constant, edge, reflect or symmetric"
    if not isinstance(padding, Sequence):
        padding = (padding,) * 4
    left, top, right, bottom = padding if len(padding) == 4 else (*padding, *padding)
    return left, top, right, bottom


def window(size: Sequence[int], output_size: Any) -> tuple[int, int, int, int]:
    """Top, left, height and width of the window in the middle of an image [height, width]."""
    height, width = (int(output_size), int(output_size)) if isinstance(output_size, numbers.Number) else output_size  # type: ignore[call-overload]
    return int(round((size[0] - height) / 2.0)), int(round((size[1] - width) / 2.0)), height, width


def rotated_size(width: int, height: int, angle: float, center: tuple[float, float]) -> tuple[int, int]:
    """Width and height of what holds a rotated image."""
    turn = -math.radians(angle)
    a, b = round(math.cos(turn), 15), round(math.sin(turn), 15)
    x, y = center
    corners = [(0, 0), (width, 0), (width, height), (0, height)]
    across = [a * (i - x) + b * (j - y) + x for i, j in corners]
    down = [-b * (i - x) + a * (j - y) + y for i, j in corners]
    return math.ceil(max(across)) - math.floor(min(across)), math.ceil(max(down)) - math.floor(min(down))


def inverse_affine(
    center: Sequence[float], angle: float, translate: Sequence[float], scale: float, shear: Sequence[float]
) -> list[float]:
    """The first two rows of the map that leads from a point of the moved image to where it was."""
    turn, across, down = (math.radians(value) for value in (angle, *shear))
    a = math.cos(turn - down) / math.cos(down)
    b = -math.cos(turn - down) * math.tan(across) / math.cos(down) - math.sin(turn)
    c = math.sin(turn - down) / math.cos(down)
    d = -math.sin(turn - down) * math.tan(across) / math.cos(down) + math.cos(turn)
    rows = [[d / scale, -b / scale], [-c / scale, a / scale]]
    x, y = center[0] + translate[0], center[1] + translate[1]
    return [part for row, middle in zip(rows, center) for part in (*row, middle - row[0] * x - row[1] * y)]


def perspective_coefficients(startpoints: Any, endpoints: Any) -> list[float]:
    """The eight numbers of the projective map that leads from `endpoints` to `startpoints`."""
    start, end = (np.array(points, "float64").reshape(-1, 2) for points in (startpoints, endpoints))
    ones, zeros = np.ones(len(end)), np.zeros((len(end), 3))
    point = np.column_stack([end, ones])
    x = np.column_stack([point, zeros, -start[:, :1] * end])
    y = np.column_stack([zeros, point, -start[:, 1:] * end])
    system = np.stack([x, y], 1).reshape(-1, 8)
    found: list[float] = np.linalg.lstsq(system, start.reshape(8), rcond=None)[0].tolist()
    return found
