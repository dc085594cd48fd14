"""Images on other grids of pixels: resized, and moved by affine and projective maps, with OpenCV's arithmetic.

Of 8-bit images OpenCV computes in whole numbers (weights of 11 or 15 bits, places in 32nds of a pixel), so these functions do, and give
its pixels, those that its plain code gives: for bicubic resizing its builds for Intel's processors call Intel's library, which computes in
floating point and gives up to one more or less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Array = np.ndarray
_BITS = 5  # a place between pixels is a multiple of 1 / 32


def _linear(fraction: Array) -> Array:
    return np.stack([1 - fraction, fraction], -1)


def _cubic(fraction: Array) -> Array:
    """Keys's convolution with a = -0.75."""
    a, x = np.float32(-0.75), fraction.astype("float32")
    first = ((a * (x + 1) - 5 * a) * (x + 1) + 8 * a) * (x + 1) - 4 * a
    second = ((a + 2) * x - (a + 3)) * x * x + 1
    third = ((a + 2) * (1 - x) - (a + 3)) * (1 - x) * (1 - x) + 1
    return np.stack([first, second, third, 1 - first - second - third], -1)


_TURNS = [(1.0, 0.0), (-(0.5**0.5), -(0.5**0.5)), (0.0, 1.0), (0.5**0.5, -(0.5**0.5)), (-1.0, 0.0), (0.5**0.5, 0.5**0.5), (0.0, -1.0)]
_TURNS.append((-(0.5**0.5), 0.5**0.5))


def _lanczos(fraction: Array) -> Array:
    """A sinc over eight pixels under a wider sinc."""
    x = fraction.astype("float32").astype("float64")
    start = -(x + 3) * np.pi * 0.25
    parts = []
    for i, (sine, cosine) in enumerate(_TURNS):
        angle = -(x + 3 - i) * np.pi * 0.25
        with np.errstate(divide="ignore", invalid="ignore"):
            parts.append((sine * np.sin(start) + cosine * np.cos(start)) / (angle * angle))
    weights = np.stack(parts, -1).astype("float32")
    with np.errstate(invalid="ignore"):
        weights *= (1 / weights.sum(-1, dtype="float32"))[..., None]
    weights[fraction < np.finfo("float32").eps] = np.eye(8, dtype="float32")[3]
    return weights


_KERNELS: dict[str, Callable[[Array], Array]] = {"bilinear": _linear, "bicubic": _cubic, "lanczos": _lanczos}


def _round(values: Array) -> Array:
    """Whole numbers near the values, half to even."""
    return np.rint(values).astype("int64")


def _taps(size: int, target: int, kernel: Callable[[Array], Array]) -> tuple[Array, Array]:
    """Which pixels of a row the pixels of a resized row are made of, and their weights."""
    scale = 1.0 / (target / size)
    places = ((np.arange(target) + 0.5) * scale - 0.5).astype("float32")
    whole = np.floor(places)
    weights = kernel(places - whole)
    count = weights.shape[-1]
    pixels = whole.astype("int64")[:, None] + np.arange(1 - count // 2, count // 2 + 1)
    return np.clip(pixels, 0, size - 1), weights


def _area_taps(size: int, target: int) -> tuple[Array, Array]:
    """As `_taps`, for an enlargement that leaves pixels as areas."""
    inverse = target / size
    scale = 1.0 / inverse
    whole = np.floor(np.arange(target) * scale)
    fraction = (np.arange(1, target + 1) - (whole + 1) * inverse).astype("float32")
    fraction = np.where(fraction <= 0, np.float32(0), fraction - np.floor(fraction))
    pixels = whole.astype("int64")[:, None] + np.arange(2)
    return np.clip(pixels, 0, size - 1), _linear(fraction)


def _shares(size: int, target: int) -> Array:
    """How much of each of `size` pixels lies in each of `target` wider ones."""
    scale = size / target
    edges = np.arange(target + 1) * scale
    pixels = np.arange(size)
    inside = np.minimum(edges[1:, None], pixels + 1) - np.maximum(edges[:-1, None], pixels)
    return np.where(inside > 1e-3, inside / scale, 0).astype("float32")


def _along(image: Array, rows: tuple[Array, Array], columns: tuple[Array, Array]) -> Array:
    """Weighted sums of pixels, along rows and then along columns."""
    (y, down), (x, across) = rows, columns
    if image.dtype != np.uint8:
        dtype = np.result_type(image.dtype, np.float32)
        wide = sum(image[:, x[:, k]] * across[:, k, None].astype(dtype) for k in range(x.shape[1]))
        found = sum(wide[y[:, k]] * down[:, k, None, None].astype(dtype) for k in range(y.shape[1]))
        if image.dtype.kind in "iu":
            limits = np.iinfo(image.dtype)
            return np.clip(np.rint(found), limits.min, limits.max).astype(image.dtype)
        return found.astype(image.dtype)
    across, down = _round(across * np.float32(2048)), _round(down * np.float32(2048))
    wide = sum(image[:, x[:, k]].astype("int64") * across[:, k, None] for k in range(x.shape[1]))
    if y.shape[1] == 2:
        parts = [down[:, k, None, None] * (wide[y[:, k]] >> 4) >> 16 for k in range(2)]
        return np.clip(parts[0] + parts[1] + 2 >> 2, 0, 255).astype("uint8")
    total = sum(wide[y[:, k]] * down[:, k, None, None] for k in range(y.shape[1]))
    return np.clip(total + (1 << 21) >> 22, 0, 255).astype("uint8")


def resized(image: Array, height: int, width: int, interpolation: str) -> Array:
    """An image [H, W, C] with another height and width."""
    rows, columns = image.shape[:2]
    if (rows, columns) == (height, width):
        return image.copy()
    if interpolation == "nearest":
        sizes = ((height, rows), (width, columns))
        y, x = (np.floor(np.arange(new) * (1.0 / (new / old))).astype("int64").clip(0, old - 1) for new, old in sizes)
        return image[y][:, x]
    halved = rows == 2 * height and columns == 2 * width
    if (interpolation == "area" or (interpolation == "bilinear" and halved)) and rows >= height and columns >= width:
        return _averaged(image, height, width)
    if interpolation == "area":
        return _along(image, _area_taps(rows, height), _area_taps(columns, width))
    kernel = _KERNELS[interpolation]
    return _along(image, _taps(rows, height, kernel), _taps(columns, width, kernel))


def _averaged(image: Array, height: int, width: int) -> Array:
    """A smaller image, each pixel of which is the mean of the area that it covers."""
    rows, columns = image.shape[:2]
    if rows % height == 0 and columns % width == 0:
        down, across = rows // height, columns // width
        blocks = image.reshape(height, down, width, across, -1)
        if image.dtype == np.uint8:
            total = blocks.sum((1, 3), dtype="int64")
            if down == across == 2:
                return (total + 2 >> 2).astype("uint8")
            return np.rint(total.astype("float32") * np.float32(1.0 / (down * across))).astype("uint8")
        return blocks.mean((1, 3)).astype(image.dtype)
    wide = np.einsum("xs,ysc->yxc", _shares(columns, width), image.astype(np.result_type(image.dtype, np.float32)))
    found = np.einsum("yr,rxc->yxc", _shares(rows, height), wide)
    return np.rint(found).clip(0, 255).astype("uint8") if image.dtype == np.uint8 else found.astype(image.dtype)


def _pixels(image: Array, y: Array, x: Array, fill: Array) -> Array:
    """The pixels at whole places, `fill` outside of the image."""
    rows, columns = image.shape[:2]
    inside = (y >= 0) & (y < rows) & (x >= 0) & (x < columns)
    found = image[y.clip(0, rows - 1), x.clip(0, columns - 1)]
    return np.where(inside[..., None], found, fill)


def _weights_of_32nds(kernel: Callable[[Array], Array], whole: bool) -> Array:
    """The weights [y, x, rows, columns] of the pixels around each 32nd place; in 15 bits, adding up to one, for whole numbers."""
    row = kernel(np.arange(32, dtype="float32") / np.float32(32)).astype("float32")
    table = row[:, None, :, None] * row[None, :, None, :]
    if not whole:
        return table
    bits = _round(table * np.float32(1 << 15)).clip(-(1 << 15), (1 << 15) - 1)
    if row.shape[-1] == 2:
        return bits + ((1 << 15) == _round(table * np.float32(1 << 15)))  # one is a bit too large for 16 with a sign
    half = row.shape[-1] // 2
    for y in range(32):
        for x in range(32):
            over = int(bits[y, x].sum()) - (1 << 15)
            if over:
                middle = bits[y, x, half : half + 2, half : half + 2]
                place = np.unravel_index(middle.argmin() if over > 0 else middle.argmax(), (2, 2))
                middle[place] -= over
    return bits


def _between(image: Array, y: Array, x: Array, interpolation: str, fill: Array) -> Array:
    """The image at places given in 32nds of a pixel."""
    whole = image.dtype == np.uint8
    table = _weights_of_32nds(_KERNELS[interpolation], whole)
    weights = table[y & 31, x & 31]
    count, dtype = weights.shape[-1], np.dtype("int64") if whole else np.result_type(image.dtype, np.float32)
    total = np.zeros((*y.shape, image.shape[2]), dtype)
    for j in range(count):
        for i in range(count):
            pixels = _pixels(image, (y >> _BITS) + j - count // 2 + 1, (x >> _BITS) + i - count // 2 + 1, fill)
            total += pixels.astype(dtype) * weights[..., j, i, None].astype(dtype)
    if whole:
        return np.clip(total + (1 << 14) >> 15, 0, 255).astype("uint8")
    return total.astype(image.dtype)


def filling(image: Array, fill: Any) -> Array:
    """A colour as the image's channels: one number is the first channel's alone, as in OpenCV."""
    given = list(fill) if isinstance(fill, Sequence) else [fill]
    colour = np.array([*given, 0, 0, 0, 0][: image.shape[2]], "float64")
    return np.rint(colour).clip(0, 255).astype("uint8") if image.dtype == np.uint8 else colour.astype(image.dtype)


def moved(image: Array, matrix: Array, height: int, width: int, interpolation: str, fill: Any) -> Array:
    """An image [H, W, C] under an affine map of its points (x, y), [2, 3], on a canvas of another size."""
    (a, b, c), (d, e, f) = matrix.tolist()
    area = a * e - b * d
    inverse = 1.0 / area if area else 0.0
    a, b, d, e = e * inverse, -b * inverse, -d * inverse, a * inverse
    c, f = -a * c - b * f, -d * c - e * f
    nearest = interpolation == "nearest"
    half, shift = (512, 10) if nearest else (16, 5)
    across, down = np.arange(width), np.arange(height)[:, None]
    x = _round((b * down + c) * 1024) + half + _round(a * across * 1024) >> shift
    y = _round((e * down + f) * 1024) + half + _round(d * across * 1024) >> shift
    colour = filling(image, fill)
    return _pixels(image, y, x, colour) if nearest else _between(image, y, x, interpolation, colour)


def projected(image: Array, matrix: Array, interpolation: str, fill: Any) -> Array:
    """An image [H, W, C] under a projective map of its points (x, y, 1), [3, 3]."""
    m = _inverse(matrix)
    rows, columns = image.shape[:2]
    across, down = np.arange(columns), np.arange(rows)[:, None]
    start = across // (block := min(1024 // min(16, rows), columns)) * block  # OpenCV adds up from the start of a block of pixels on
    x, y, depth = ((row[0] * start + row[1] * down + row[2]) + row[0] * (across - start) for row in m)
    nearest = interpolation == "nearest"
    scale = np.divide(1.0 if nearest else 32.0, depth, out=np.zeros_like(depth), where=depth != 0)
    limit = 2**31 - 1
    x, y = (_round((place * scale).clip(-limit - 1, limit)) for place in (x, y))
    colour = filling(image, fill)
    return _pixels(image, y, x, colour) if nearest else _between(image, y, x, interpolation, colour)


def projection(startpoints: Any, endpoints: Any) -> Array:
    """The projective map [3, 3] that takes four points (x, y) to four others."""
    start, end = (np.array(points, "float32").reshape(4, 2).astype("float64") for points in (startpoints, endpoints))
    point, zeros = np.column_stack([start, np.ones(4)]), np.zeros((4, 3))
    system = np.concatenate([np.column_stack([point, zeros, -end[:, :1] * start]), np.column_stack([zeros, point, -end[:, 1:] * start])])
    return np.append(_solution(system, end.T.reshape(8)), 1).reshape(3, 3)


def _solution(system: Array, right: Array) -> Array:
    """The solution of linear equations, by elimination with OpenCV's order of sums: their rounding decides between two pixels."""
    rows = np.column_stack([system, right])
    count = len(right)
    for i in range(count):
        best = i + int(np.abs(rows[i:, i]).argmax())
        rows[[i, best]] = rows[[best, i]]
        rows[i + 1 :, i:] += (rows[i + 1 :, i] * (-1 / rows[i, i]))[:, None] * rows[i, i:]
    found = rows[:, -1].tolist()
    for i in reversed(range(count)):
        for k in range(i + 1, count):
            found[i] -= rows[i, k] * found[k]
        found[i] /= rows[i, i]
    return np.array(found)


def _inverse(matrix: Array) -> Array:
    """The inverse of a matrix [3, 3] by its minors."""
    (a, b, c), (d, e, f), (g, h, i) = matrix.tolist()
    area = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    minors = [[e * i - f * h, c * h - b * i, b * f - c * e], [f * g - d * i, a * i - c * g, c * d - a * f]]
    return np.array([*minors, [d * h - e * g, b * g - a * h, a * e - b * d]]) * (1.0 / area if area else 0.0)
