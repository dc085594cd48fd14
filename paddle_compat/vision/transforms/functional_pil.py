"""Transforms of PIL images, by Pillow."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.tensor import Tensor
from paddle_compat.vision.image import need
from paddle_compat.vision.transforms import functional_cv2
from paddle_compat.vision.transforms._arguments import new_size, padding_of, window

_DTYPES = {"I": "int32", "I;16": "int16", "F": "float32"}


def _pil(module: str) -> Any:
    return need(f"PIL.{module}", "pil")


def _resampling(name: str) -> Any:
    ways = _pil("Image").Resampling
    return {each.name.lower(): each for each in ways}[name]


def _colour(img: Any, fill: Any) -> Any:
    """One number as a number for each band."""
    return (fill,) * len(img.getbands()) if isinstance(fill, numbers.Number) else fill


def to_tensor(pic: Any, data_format: str = "CHW") -> Tensor:
    """An image as a Tensor; bytes become numbers from 0 to 1."""
    if pic.mode == "1":
        return functional_cv2.to_tensor(255 * np.array(pic, "uint8"), data_format)
    return functional_cv2.to_tensor(np.array(pic, _DTYPES.get(pic.mode)), data_format)


def resize(img: Any, size: Any, interpolation: str = "bilinear") -> Any:
    """The image in another size."""
    size = new_size(img.size[::-1], size)
    return img if size is None else img.resize(size[::-1], _resampling(interpolation))


def pad(img: Any, padding: Any, fill: Any = 0, padding_mode: str = "constant") -> Any:
    """The image with a border."""
    left, top, right, bottom = padding_of(padding, fill, padding_mode)
    if padding_mode == "constant":
        palette = img.getpalette() if img.mode == "P" else None
        found = _pil("ImageOps").expand(img, border=(left, top, right, bottom), fill=fill)
    else:
        palette = img.getpalette() if img.mode == "P" else None
        found = _pil("Image").fromarray(functional_cv2.pad(np.asarray(img), (left, top, right, bottom), 0, padding_mode))
    if palette is not None:
        found.putpalette(palette)
    return found


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """A window of the image."""
    return img.crop((left, top, left + width, top + height))


def center_crop(img: Any, output_size: Any) -> Any:
    """The window in the middle of the image."""
    return crop(img, *window(img.size[::-1], output_size))


def hflip(img: Any) -> Any:
    """Left and right exchanged."""
    return img.transpose(_pil("Image").Transpose.FLIP_LEFT_RIGHT)


def vflip(img: Any) -> Any:
    """Top and bottom exchanged."""
    return img.transpose(_pil("Image").Transpose.FLIP_TOP_BOTTOM)


def adjust_brightness(img: Any, brightness_factor: float) -> Any:
    """Brighter or darker."""
    return _pil("ImageEnhance").Brightness(img).enhance(brightness_factor)


def adjust_contrast(img: Any, contrast_factor: float) -> Any:
    """Further from grey or nearer to it."""
    return _pil("ImageEnhance").Contrast(img).enhance(contrast_factor)


def adjust_saturation(img: Any, saturation_factor: float) -> Any:
    """More or less colourful."""
    return _pil("ImageEnhance").Color(img).enhance(saturation_factor)


def adjust_hue(img: Any, hue_factor: float) -> Any:
    """With the circle of colours turned."""
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"hue_factor:{hue_factor} is not in [-0.5, 0.5].")
    if img.mode in ("L", "1", "I", "F"):
        return img
    hue, saturation, value = img.convert("HSV").split()
    turned = np.array(hue, "uint8") + np.array(hue_factor * 255).astype("int64").astype("uint8")
    parts = _pil("Image").fromarray(turned, "L"), saturation, value
    return _pil("Image").merge("HSV", parts).convert(img.mode)


def affine(img: Any, matrix: Sequence[float], interpolation: str = "nearest", fill: Any = 0) -> Any:
    """The image under the affine map whose inverse is `matrix`."""
    return img.transform(img.size, _pil("Image").Transform.AFFINE, matrix, _resampling(interpolation), _colour(img, fill))


def rotate(img: Any, angle: float, interpolation: str = "nearest", expand: bool = False, center: Any = None, fill: Any = 0) -> Any:
    """The image turned around its centre or another point."""
    return img.rotate(angle, _resampling(interpolation), expand, center, fillcolor=_colour(img, fill))


def perspective(img: Any, coeffs: Sequence[float], interpolation: str = "nearest", fill: Any = 0) -> Any:
    """The image under the projective map whose inverse has these coefficients."""
    return img.transform(img.size, _pil("Image").Transform.PERSPECTIVE, coeffs, _resampling(interpolation), _colour(img, fill))


def to_grayscale(img: Any, num_output_channels: int = 1) -> Any:
    """The image in greys, with one band or three."""
    if num_output_channels not in (1, 3):
        raise ValueError(f"num_output_channels should be either 1 or 3. Received: {num_output_channels}")
    grey = img.convert("L")
    return grey if num_output_channels == 1 else _pil("Image").merge("RGB", (grey,) * 3)


def erase(img: Any, i: int, j: int, h: int, w: int, v: Any, inplace: bool = False) -> Any:
    """The image with a rectangle of one colour, or of noise."""
    return _pil("Image").fromarray(functional_cv2.erase(np.array(img, "uint8"), i, j, h, w, v, inplace=True))


__all__: list[str] = []

__getattr__ = missing(__name__)
