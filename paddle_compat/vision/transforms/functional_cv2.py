"""Transforms of numpy arrays [H, W, C] or [H, W], with OpenCV's pixels and without OpenCV."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.tensor import Tensor
from paddle_compat.tensor.creation import to_tensor as tensor_of
from paddle_compat.vision.transforms import _colours, _resampling
from paddle_compat.vision.transforms._arguments import new_size, padding_of, rotated_size, window

Array = np.ndarray
_BORDERS = {"constant": "constant", "edge": "edge", "reflect": "reflect", "symmetric": "symmetric"}
_INTERPOLATIONS = {name: name for name in ("nearest", "bilinear", "area", "bicubic", "lanczos")}


def _through(change: Callable[[Array], Array], img: Array) -> Array:
    """Apply what works on [H, W, C] to any array."""
    return change(img) if img.ndim == 3 else change(img[..., None])[..., 0]


def to_tensor(pic: Array, data_format: str = "CHW") -> Tensor:
    """An array as a Tensor; bytes become numbers from 0 to 1."""
    if data_format not in ("CHW", "HWC"):
        raise ValueError(f"data_format should be CHW or HWC. Got {data_format}")
    pic = pic[..., None] if pic.ndim == 2 else pic
    image = tensor_of(np.ascontiguousarray(pic.transpose(2, 0, 1) if data_format == "CHW" else pic))
    return image.astype("float32") / 255.0 if pic.dtype == np.uint8 else image


def resize(img: Array, size: Any, interpolation: str = "bilinear") -> Array:
    """The image in another size."""
    new, way = new_size(img.shape[:2], size), _INTERPOLATIONS[interpolation]
    return img if new is None else _through(lambda image: _resampling.resized(image, *new, way), img)


def pad(img: Array, padding: Any, fill: Any = 0, padding_mode: str = "constant") -> Array:
    """The image with a border."""
    left, top, right, bottom = padding_of(padding, fill, padding_mode)
    if padding_mode != "constant":
        widths = [(top, bottom), (left, right), (0, 0)]
        return _through(lambda image: np.pad(image, widths, mode=_BORDERS[padding_mode]), img)  # type: ignore[call-overload]

    def framed(image: Array) -> Array:
        rows, columns, channels = image.shape
        wide = np.empty((rows + top + bottom, columns + left + right, channels), image.dtype)
        wide[:] = _resampling.filling(image, fill)
        wide[top : top + rows, left : left + columns] = image
        return wide

    return _through(framed, img)


def crop(img: Array, top: int, left: int, height: int, width: int) -> Array:
    """A window of the image."""
    return img[top : top + height, left : left + width, :]


def center_crop(img: Array, output_size: Any) -> Array:
    """The window in the middle of the image."""
    return crop(img, *window(img.shape[:2], output_size))


def hflip(img: Array) -> Array:
    """Left and right exchanged; as in Paddle, whose OpenCV does so, a single channel loses its dimension."""
    return img[:, ::-1, 0].copy() if img.ndim == 3 and img.shape[2] == 1 else img[:, ::-1].copy()


def vflip(img: Array) -> Array:
    """Top and bottom exchanged."""
    return img[::-1].copy()


def adjust_brightness(img: Array, brightness_factor: float) -> Array:
    """Brighter or darker; bytes."""
    return _colours.looked_up(img.astype("uint8"), np.arange(256) * brightness_factor)


def adjust_contrast(img: Array, contrast_factor: float) -> Array:
    """Further from grey or nearer to it."""
    if img.dtype != np.uint8:
        raise TypeError(f"Invalid type for argument `img` of `adjust_contrast`. Expected an array of uint8. Received: {img.dtype}")
    return _colours.looked_up(img, (np.arange(256) - 74) * contrast_factor + 74)


def adjust_saturation(img: Array, saturation_factor: float) -> Array:
    """More or less colourful; how much is drawn, at most by the factor away from 1."""
    share = np.random.uniform(max(0, 1 - saturation_factor), 1 + saturation_factor)
    wide = _colours.coloured(img, "adjust_saturation").astype("float32")
    grey = _colours.weighted(wide[..., ::-1])[..., None]
    return (wide * share + grey * (1 - share)).clip(0, 255).astype(img.dtype)


def adjust_hue(img: Array, hue_factor: float) -> Array:
    """With the circle of colours turned."""
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"hue_factor:{hue_factor} is not in [-0.5, 0.5].")
    hue = _colours.hue_of(_colours.coloured(img, "adjust_hue").astype("uint8"))
    hue[..., 0] += np.array(hue_factor * 255).astype("int64").astype("uint8")
    return _colours.of_hue(hue).astype(img.dtype)


def _to(img: Array, matrix: Array, height: int, width: int, interpolation: str, fill: Any) -> Array:
    return _through(lambda image: _resampling.moved(image, matrix, height, width, _INTERPOLATIONS[interpolation], fill), img)


def affine(
    img: Array, angle: float, translate: Sequence[float], scale: float, shear: Any,
    interpolation: str = "nearest", fill: Any = 0, center: Any = None,
) -> Array:  # fmt: skip
    """The image turned, enlarged, sheared and moved; as the wheel does it, around its corner, whatever the centre."""
    height, width = img.shape[:2]
    a, b = scale * math.cos(math.radians(angle)), scale * math.sin(math.radians(angle))
    x, y = (math.tan(math.radians(part)) for part in shear)
    matrix = np.array([[a - b * y, b + a * y, translate[0]], [a * x - b, b * x + a, translate[1]]])
    fill = (fill,) * 3 if isinstance(fill, int) else fill
    return _to(img, matrix, height, width, interpolation, fill)


def rotate(
    img: Array, angle: float, interpolation: str = "nearest", expand: bool = False, center: Any = None, fill: Any = 0
) -> Array:
    """The image turned around its centre or another point."""
    height, width = img.shape[:2]
    x, y = (width / 2.0, height / 2.0) if center is None else center
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    matrix = np.array([[cosine, sine, (1 - cosine) * x - sine * y], [-sine, cosine, sine * x + (1 - cosine) * y]])
    if not expand:
        return _to(img, matrix, height, width, interpolation, fill)
    wide, high = rotated_size(width, height, angle, (x, y))
    matrix[:, 2] += (wide - width) / 2, (high - height) / 2
    return _to(img, matrix, high, wide, interpolation, fill)


def perspective(img: Array, startpoints: Any, endpoints: Any, interpolation: str = "nearest", fill: Any = 0) -> Array:
    """The image seen at a slant: four points of it are taken to four others."""
    matrix = _resampling.projection(startpoints, endpoints)
    return _through(lambda image: _resampling.projected(image, matrix, _INTERPOLATIONS[interpolation], fill), img)


def to_grayscale(img: Array, num_output_channels: int = 1) -> Array:
    """The image in greys, [H, W, 1] or [H, W, 3]."""
    if num_output_channels not in (1, 3):
        raise ValueError(f"num_output_channels should be either 1 or 3. Received: {num_output_channels}")
    grey = _colours.grey(_colours.coloured(img, "to_grayscale"))[..., None]
    return np.repeat(grey, num_output_channels, 2)


def normalize(img: Any, mean: Any, std: Any, data_format: str = "CHW", to_rgb: bool = False) -> Array:
    """Each channel without its mean, divided by its deviation."""
    shape = (-1, 1, 1) if data_format == "CHW" else (1, 1, -1)
    mean, std = (np.float32(np.array(value).reshape(shape)) for value in (mean, std))
    img = np.asarray(img)
    if to_rgb:
        img = img[..., ::-1]
    return (img - mean) / std


def erase(img: Array, i: int, j: int, h: int, w: int, v: Any, inplace: bool = False) -> Array:
    """The image with a rectangle of one colour, or of noise."""
    img = img if inplace else img.copy()
    v = np.asarray(v)
    kept = img.dtype.kind == "f" or v.dtype.kind != "f"
    img[i : i + h, j : j + w, ...] = v if kept else v.astype("int64").astype(img.dtype)
    return img


__all__: list[str] = []

__getattr__ = missing(__name__)
