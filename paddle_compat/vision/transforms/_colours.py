"""Colours of arrays of bytes, with OpenCV's whole numbers."""

from __future__ import annotations

import numpy as np

Array = np.ndarray
# which of (v, p, q, t) are blue, green and red in each sixth of the circle of colours
_SIXTHS = np.array([[1, 3, 0], [1, 0, 2], [3, 0, 1], [0, 2, 1], [0, 1, 3], [2, 1, 0]])


def looked_up(img: Array, table: Array) -> Array:
    """Each byte replaced by its entry of a table of 256, kept within 0 and 255."""
    return table.clip(0, 255).astype("uint8")[img]


def coloured(img: Array, function: str) -> Array:
    """An image of three channels, or an error."""
    if img.ndim != 3 or img.shape[2] != 3:
        raise ValueError(f"Invalid value for argument `img` of `{function}`. Expected shape [H, W, 3]. Received: {list(img.shape)}")
    return img


def weighted(img: Array) -> Array:
    """The grey of floating-point colours, red first."""
    return img[..., 0] * np.float32(0.299) + img[..., 1] * np.float32(0.587) + img[..., 2] * np.float32(0.114)


def grey(img: Array) -> Array:
    """The grey of colours, red first."""
    if img.dtype != np.uint8:
        return weighted(img).astype(img.dtype)
    red, green, blue = np.moveaxis(img.astype("int64"), -1, 0)
    return (red * 9798 + green * 19235 + blue * 3735 + (1 << 14) >> 15).astype("uint8")


def hue_of(img: Array) -> Array:
    """Hue, saturation and value as bytes; the first channel is taken for blue, the last for red."""
    blue, green, red = np.moveaxis(img.astype("int64"), -1, 0)
    value = img.max(-1).astype("int64")
    spread = value - img.min(-1)
    numbers = np.maximum(np.arange(256), 1)
    shares, sixths = (np.rint((whole << 12) / (parts * numbers)).astype("int64") for whole, parts in ((255, 1.0), (256, 6.0)))
    saturation = spread * shares[value] + (1 << 11) >> 12
    hue = np.where(value == red, green - blue, np.where(value == green, blue - red + 2 * spread, red - green + 4 * spread))
    hue = hue * sixths[spread] + (1 << 11) >> 12
    hue = np.where(hue < 0, hue + 256, hue).clip(0, 255)
    return np.stack([hue, saturation, value], -1).astype("uint8")


def of_hue(img: Array) -> Array:
    """The colours of hue, saturation and value, blue first."""
    hue, saturation, value = np.moveaxis(img.astype("float32"), -1, 0)
    saturation, value, hue = saturation * np.float32(1 / 255), value * np.float32(1 / 255), hue * np.float32(6 / 255)
    sixth = np.floor(hue)
    rest = hue - sixth
    parts = [value, value * (1 - saturation), value * (1 - saturation * rest), value * (1 - saturation * (1 - rest))]
    found = np.take_along_axis(np.stack(parts, -1), _SIXTHS[sixth.astype("int64") % 6], -1)
    return np.rint(found * 255).clip(0, 255).astype("uint8")
