"""Transforms of Tensors [C, H, W] or [N, C, H, W], by operators."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.nn import functional as F
from paddle_compat.tensor import creation, logic, manipulation, search, stat
from paddle_compat.tensor.math import lerp, remainder
from paddle_compat.vision.transforms._arguments import new_size, padding_of, window

_FLOATS = ("float16", "bfloat16", "float32", "float64")


def _is_channel_first(data_format: str) -> bool:
    return data_format.upper() == "CHW"


def _assert_image_tensor(img: Any, data_format: str) -> None:
    if not isinstance(img, (Tensor, Variable)) or img.ndim not in (3, 4) or data_format.upper() not in ("CHW", "HWC"):
        where = f"ndim={getattr(img, 'ndim', None)}, data_format={data_format}"
        raise RuntimeError(f"not support [type={type(img)}, {where}] paddle image. Expected a Tensor of ndim 3 or 4 in format CHW or HWC")


def _axes(data_format: str) -> tuple[int, int, int]:
    """Where channels, height and width stand."""
    return (-3, -2, -1) if _is_channel_first(data_format) else (-1, -3, -2)


def _checked(img: Any, data_format: str) -> tuple[int, int, int]:
    _assert_image_tensor(img, data_format)
    return _axes(data_format)


def _get_image_size(img: Any, data_format: str) -> tuple[int, int]:
    """Width and height."""
    _, height, width = _checked(img, data_format)
    return img.shape[width], img.shape[height]


def _dtype(img: Any) -> str:
    return str(img.dtype).rpartition(".")[2].lower()


def _most(img: Any) -> float:
    return 1.0 if _dtype(img) in _FLOATS else 255.0


def _constant(values: Any, img: Any) -> Any:
    """Numbers as a Tensor of the image's type."""
    return creation.to_tensor(np.asarray(values, "float32" if _dtype(img) not in _FLOATS else None)).astype(img.dtype)


def _blend(first: Any, second: Any, ratio: float) -> Any:
    wide = first if _dtype(first) in _FLOATS else first.astype("float32")
    return lerp(second.astype(wide.dtype), wide, float(ratio)).clip(0, _most(first)).astype(first.dtype)


def normalize(img: Any, mean: Any, std: Any, data_format: str = "CHW") -> Any:
    """Each channel without its mean, divided by its deviation."""
    _checked(img, data_format)
    shape = [-1, 1, 1] if _is_channel_first(data_format) else [-1]
    mean, std = (creation.to_tensor(value).reshape(shape).astype(img.dtype) for value in (mean, std))
    return (img - mean) / std


def to_grayscale(img: Any, num_output_channels: int = 1, data_format: str = "CHW") -> Any:
    """The image in greys, with one channel or three."""
    channels, _, _ = _checked(img, data_format)
    if num_output_channels not in (1, 3):
        raise ValueError(f"num_output_channels should be either 1 or 3. Received: {num_output_channels}")
    weights = _constant([0.2989, 0.5870, 0.1140], img)
    if channels == -3:
        weights = weights.reshape([-1, 1, 1])
    grey = (img * weights).sum(axis=channels, keepdim=True)
    shape = list(grey.shape)
    shape[channels] = num_output_channels
    return grey.expand(shape)


def adjust_brightness(img: Any, brightness_factor: float) -> Any:
    """Brighter or darker."""
    _assert_image_tensor(img, "CHW")
    assert brightness_factor >= 0, "brightness_factor should be non-negative."
    return _blend(img, creation.zeros_like(img), brightness_factor)


def adjust_contrast(img: Any, contrast_factor: float) -> Any:
    """Further from grey or nearer to it."""
    _assert_image_tensor(img, "CHW")
    assert contrast_factor >= 0, "contrast_factor should be non-negative."
    grey = _grey_of(img)
    return _blend(img, stat.mean(grey.astype(img.dtype), axis=(-3, -2, -1), keepdim=True), contrast_factor)


def _grey_of(img: Any) -> Any:
    if img.shape[-3] not in (1, 3):
        raise ValueError(f"channels of input should be either 1 or 3. Received: {img.shape[-3]}")
    return to_grayscale(img) if img.shape[-3] == 3 else img


def adjust_saturation(img: Any, saturation_factor: float) -> Any:
    """More or less colourful."""
    _assert_image_tensor(img, "CHW")
    assert saturation_factor >= 0, "saturation_factor should be non-negative."
    return img if img.shape[-3] == 1 else _blend(img, _grey_of(img), saturation_factor)


def _rgb_to_hsv(img: Any) -> Any:
    """Hue, saturation and value, each from 0 to 1."""
    most, least = img.max(axis=-3), img.min(axis=-3)
    flat = logic.equal(most, least)
    spread = most - least
    ones = creation.ones_like(most)
    saturation = spread / search.where(flat, ones, most)
    divisor = search.where(flat, ones, spread)
    red, green, blue = manipulation.unbind(img, axis=-3)
    red_is, green_is = logic.equal(most, red), logic.equal(most, green)
    from_red, from_green, from_blue = ((most - part) / divisor for part in (red, green, blue))
    hue = search.where(red_is, from_blue - from_green, search.where(green_is, from_red - from_blue + 2.0, from_green - from_red + 4.0))
    hue = hue / 6.0 + 1.0
    return manipulation.stack([hue - hue.floor(), saturation, most], axis=-3)


def _hsv_to_rgb(img: Any) -> Any:
    hue, saturation, value = manipulation.unbind(img, axis=-3)
    sixth = (hue * 6.0).floor()
    rest = hue * 6.0 - sixth
    sixth = remainder(sixth.astype("int32"), creation.full_like(sixth, 6, "int32"))
    p = (value * (1.0 - saturation)).clip(0.0, 1.0)
    q = (value * (1.0 - saturation * rest)).clip(0.0, 1.0)
    t = (value * (1.0 - saturation * (1.0 - rest))).clip(0.0, 1.0)
    choices = ((value, t, p), (q, value, p), (p, value, t), (p, q, value), (t, p, value), (value, p, q))
    parts = []
    for channel in range(3):
        part = choices[0][channel]
        for number in range(1, 6):
            part = search.where(logic.equal(sixth, creation.full_like(sixth, number)), choices[number][channel], part)
        parts.append(part)
    return manipulation.stack(parts, axis=-3)


def adjust_hue(img: Any, hue_factor: float) -> Any:
    """With the circle of colours turned."""
    _assert_image_tensor(img, "CHW")
    assert -0.5 <= hue_factor <= 0.5, "hue_factor should be in range [-0.5, 0.5]"
    if img.shape[-3] == 1:
        return img
    dtype = img.dtype
    wide = img if _dtype(img) in _FLOATS else img.astype("float32") / 255.0
    hue, saturation, value = manipulation.unbind(_rgb_to_hsv(wide), axis=-3)
    hue = hue + hue_factor
    turned = _hsv_to_rgb(manipulation.stack([hue - hue.floor(), saturation, value], axis=-3))
    return turned.astype(dtype) if _dtype(img) in _FLOATS else (turned * 255.0).astype(dtype)


def vflip(img: Any, data_format: str = "CHW") -> Any:
    """Top and bottom exchanged."""
    return manipulation.flip(img, axis=[_checked(img, data_format)[1]])


def hflip(img: Any, data_format: str = "CHW") -> Any:
    """Left and right exchanged."""
    return manipulation.flip(img, axis=[_checked(img, data_format)[2]])


def crop(img: Any, top: Any, left: Any, height: int, width: int, data_format: str = "CHW") -> Any:
    """A window of the image."""
    _checked(img, data_format)
    rows, columns = slice(top, top + height), slice(left, left + width)
    return img[..., rows, columns] if _is_channel_first(data_format) else img[..., rows, columns, :]


def center_crop(img: Any, output_size: Any, data_format: str = "CHW") -> Any:
    """The window in the middle of the image."""
    width, height = _get_image_size(img, data_format)
    return crop(img, *window((height, width), output_size), data_format)


def erase(img: Any, i: int, j: int, h: int, w: int, v: Any, inplace: bool = False) -> Any:
    """The image with a rectangle of one colour, or of noise."""
    _assert_image_tensor(img, "CHW")
    img = img if inplace else creation.assign(img)
    img[..., i : i + h, j : j + w] = v
    return img


def pad(img: Any, padding: Any, fill: Any = 0, padding_mode: str = "constant", data_format: str = "CHW") -> Any:
    """The image with a border."""
    _checked(img, data_format)
    left, top, right, bottom = padding_of(padding, fill, padding_mode)
    if padding_mode == "symmetric":
        raise ValueError("Do not support symmetric mode. Expected padding_mode 'constant', 'edge' or 'reflect'. Received: 'symmetric'")
    mode = "replicate" if padding_mode == "edge" else padding_mode
    single = img.ndim == 3
    img = img.unsqueeze(0) if single else img
    layout = "NCHW" if _is_channel_first(data_format) else "NHWC"
    img = F.pad(img, [left, right, top, bottom], mode=mode, value=float(fill), data_format=layout)
    return img.squeeze(0) if single else img


def resize(img: Any, size: Any, interpolation: str = "bilinear", data_format: str = "CHW") -> Any:
    """The image in another size."""
    width, height = _get_image_size(img, data_format)
    size = new_size((height, width), size)
    if size is None:
        return img
    single = img.ndim == 3
    img = img.unsqueeze(0) if single else img
    layout = "NCHW" if _is_channel_first(data_format) else "NHWC"
    img = F.interpolate(img, size=list(size), mode=interpolation.lower(), data_format=layout)
    return img.squeeze(0) if single else img


def _sampled(img: Any, grid: np.ndarray, interpolation: str, fill: Any, data_format: str) -> Any:
    """An image at the points (x, y) of a grid [H, W, 2], between -1 and 1; the filling colour outside."""
    _checked(img, data_format)
    if interpolation not in ("bilinear", "nearest"):
        raise ValueError(f"The mode of grid sample function should be in ['bilinear', 'nearest'], but got: {interpolation}")
    single, first = img.ndim == 3, _is_channel_first(data_format)
    img = img.unsqueeze(0) if single else img
    img = img if first else img.transpose([0, 3, 1, 2])
    channels = img.shape[1]
    points = creation.to_tensor(grid[None].astype("float64" if _dtype(img) == "float64" else "float32"))
    if img.shape[0] > 1:
        points = points.expand([img.shape[0], *grid.shape])
    ones = creation.ones_like(img[:, :1])
    both = F.grid_sample(manipulation.concat([img, ones], axis=1), points, mode=interpolation, padding_mode="zeros", align_corners=False)
    found, mask = both[:, :-1], both[:, -1:]
    if fill is not None:
        colour = [float(fill)] * channels if isinstance(fill, (int, float)) else [float(part) for part in fill]
        colour = _constant(np.array(colour).reshape(1, -1, 1, 1), img)
        if interpolation == "nearest":
            found = search.where(logic.less_than(mask, _constant(0.5, img)).expand(found.shape), colour.expand(found.shape), found)
        else:
            found = found * mask + (1.0 - mask) * colour
    found = found if first else found.transpose([0, 2, 3, 1])
    return found.squeeze(0) if single else found


def _affine_grid(matrix: Sequence[float], width: int, height: int, new_width: int, new_height: int) -> np.ndarray:
    """Where the pixels of the new image come from, for an affine map around the middle."""
    points = _points(np.arange(new_width) - (new_width * 0.5 - 0.5), np.arange(new_height) - (new_height * 0.5 - 0.5))
    found: np.ndarray = points @ (_rows(matrix).T / _halves(width, height))
    return found


def _points(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(x, y, 1) of a grid; in single precision, which decides where a place lies between two pixels."""
    return np.stack(np.broadcast_arrays(x[None, :], y[:, None], 1.0), -1).astype("float32")


def _rows(numbers: Sequence[float]) -> np.ndarray:
    return np.array(numbers, "float32").reshape(2, 3)


def _halves(width: int, height: int) -> np.ndarray:
    return np.array([0.5 * width, 0.5 * height], "float32")


def affine(img: Any, matrix: Sequence[float], interpolation: str = "nearest", fill: Any = None, data_format: str = "CHW") -> Any:
    """The image under the affine map, around its middle, whose inverse is `matrix`."""
    width, height = _get_image_size(img, data_format)
    return _sampled(img, _affine_grid(matrix, width, height, width, height), interpolation, fill, data_format)


def rotate(
    img: Any, angle: float, interpolation: str = "nearest", expand: bool = False, center: Any = None, fill: Any = None,
    data_format: str = "CHW",
) -> Any:  # fmt: skip
    """The image turned around its centre or another point."""
    width, height = _get_image_size(img, data_format)
    turn = math.radians(-angle % 360)
    x, y = (0.0, 0.0) if center is None else (part - size * 0.5 for part, size in zip(center, (width, height)))
    a, b = math.cos(turn), math.sin(turn)
    matrix = [a, b, x - a * x - b * y, -b, a, y + b * x - a * y]
    new_width, new_height = width, height
    if expand:
        corners = np.array([[-width, -height, 2], [-width, height, 2], [width, height, 2], [width, -height, 2]]) * 0.5
        moved = corners @ np.array(matrix).reshape(2, 3).T
        tolerance = 1e-4
        top, bottom = np.ceil(np.trunc(moved.max(0) / tolerance) * tolerance), np.floor(np.trunc(moved.min(0) / tolerance) * tolerance)
        new_width, new_height = (int(part) for part in top - bottom)
    return _sampled(img, _affine_grid(matrix, width, height, new_width, new_height), interpolation, fill, data_format)


def perspective(img: Any, coeffs: Sequence[float], interpolation: str = "nearest", fill: Any = None, data_format: str = "CHW") -> Any:
    """The image under the projective map whose inverse has these coefficients."""
    width, height = _get_image_size(img, data_format)
    a, b, c, d, e, f, g, h = coeffs
    points = _points(np.arange(width) + 0.5, np.arange(height) + 0.5)
    places = points @ (_rows([a, b, c, d, e, f]).T / _halves(width, height))
    depth = points @ _rows([g, h, 1, g, h, 1]).T
    return _sampled(img, places / depth - np.float32(1), interpolation, fill, data_format)


__all__: list[str] = []

__getattr__ = missing(__name__)
