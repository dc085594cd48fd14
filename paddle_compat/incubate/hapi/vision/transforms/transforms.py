"""Images whose colours change by chance, as arrays [H, W, 3]; the factors come from `numpy.random`, the order from `random`."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.vision.transforms import _colours
from paddle_compat.vision.transforms.functional_cv2 import adjust_hue


def _blend(img: np.ndarray, other: Any, value: float) -> np.ndarray:
    """The image and another, the image's share drawn near 1."""
    share = np.random.uniform(max(0, 1 - value), 1 + value)
    return (img.astype("float32") * share + other * (1 - share)).clip(0, 255).astype(img.dtype)


def _grey(img: np.ndarray) -> np.ndarray:
    """The image in greys; the first channel is taken for blue."""
    return _colours.weighted(img.astype("float32")[..., ::-1])[..., None]


class BrightnessTransform:
    """Images brighter or darker by chance.

    Args:
        value (float): how far from 1 the factor may lie; 0: the image stays.
    Raises:
        ValueError: the value lies outside.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.incubate.hapi.vision.BrightnessTransform(0.4)(np.zeros((4, 5, 3), "uint8")).shape
        (4, 5, 3)

    Follows Paddle 1.8.
    """

    def __init__(self, value: float) -> None:
        if value < 0:
            raise ValueError("brightness value should be non-negative")
        self.value = value

    def __call__(self, img: np.ndarray) -> np.ndarray:
        return img if self.value == 0 else _blend(img, 0.0, self.value)


class ContrastTransform:
    """Images with more or less contrast by chance.

    Args:
        value (float): how far from 1 the factor may lie; 0: the image stays.
    Raises:
        ValueError: the value lies outside.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.incubate.hapi.vision.ContrastTransform(0.4)(np.zeros((4, 5, 3), "uint8")).shape
        (4, 5, 3)

    Follows Paddle 1.8.
    """

    def __init__(self, value: float) -> None:
        if value < 0:
            raise ValueError("contrast value should be non-negative")
        self.value = value

    def __call__(self, img: np.ndarray) -> np.ndarray:
        return img if self.value == 0 else _blend(img, _grey(img).mean(), self.value)


class SaturationTransform:
    """Images more or less colourful by chance.

    Args:
        value (float): how far from 1 the factor may lie; 0: the image stays.
    Raises:
        ValueError: the value lies outside.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.incubate.hapi.vision.SaturationTransform(0.4)(np.zeros((4, 5, 3), "uint8")).shape
        (4, 5, 3)

    Follows Paddle 1.8.
    """

    def __init__(self, value: float) -> None:
        if value < 0:
            raise ValueError("saturation value should be non-negative")
        self.value = value

    def __call__(self, img: np.ndarray) -> np.ndarray:
        return img if self.value == 0 else _blend(img, _grey(img), self.value)


class HueTransform:
    """Images with the circle of their colours turned by chance.

    Args:
        value (float): how far the turn may be, at most 0.5; 0: the image stays.
    Raises:
        ValueError: the value lies outside.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.incubate.hapi.vision.HueTransform(0.4)(np.zeros((4, 5, 3), "uint8")).shape
        (4, 5, 3)

    Follows Paddle 1.8.
    """

    def __init__(self, value: float) -> None:
        if value < 0 or value > 0.5:
            raise ValueError("hue value should be in [0.0, 0.5]")
        self.value = value

    def __call__(self, img: np.ndarray) -> np.ndarray:
        return img if self.value == 0 else adjust_hue(img, np.random.uniform(-self.value, self.value))


class ColorJitter:
    """Images whose brightness, contrast, saturation and hue change by chance, in an order drawn once.

    Args:
        brightness, contrast, saturation, hue (float): as the values of the four classes.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.incubate.hapi.vision.ColorJitter(0.1, 0.2, 0.3, 0.4)(np.zeros((4, 5, 3), "uint8")).shape
        (4, 5, 3)

    Follows Paddle 1.8.
    """

    def __init__(self, brightness: float = 0, contrast: float = 0, saturation: float = 0, hue: float = 0) -> None:
        kinds = (BrightnessTransform, ContrastTransform, SaturationTransform, HueTransform)
        values = (brightness, contrast, saturation, hue)
        self.transforms: list[Any] = [kind(value) for kind, value in zip(kinds, values) if value != 0]
        random.shuffle(self.transforms)

    def __call__(self, img: np.ndarray) -> np.ndarray:
        for transform in self.transforms:
            img = transform(img)
        return img


__all__ = ["BrightnessTransform", "ColorJitter", "ContrastTransform", "HueTransform", "SaturationTransform"]

__getattr__ = missing(__name__)
