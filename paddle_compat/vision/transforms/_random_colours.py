"""Transforms that change colours by chance; the numbers come from Python's `random`."""

from __future__ import annotations

import math
import numbers
import random
from typing import Any

from paddle_compat.vision.transforms import functional as F
from paddle_compat.vision.transforms._base import BaseTransform, Compose


def _check_input(
    value: Any, name: str, center: float = 1, bound: tuple[float, float] = (0, math.inf), clip_first_on_zero: bool = True
) -> Any:
    """The two ends of a factor's range; None: the image stays as it is."""
    if isinstance(value, numbers.Number):
        if value < 0:  # type: ignore[operator]
            raise ValueError(f"If {name} is a single number, it must be non negative.")
        value = [center - value, center + value]  # type: ignore[operator]
        if clip_first_on_zero:
            value[0] = max(value[0], 0)
    elif isinstance(value, (tuple, list)) and len(value) == 2:
        if not bound[0] <= value[0] <= value[1] <= bound[1]:
            raise ValueError(f"{name} values should be between {bound}")
    else:
        raise TypeError(f"{name} should be a single number or a list/tuple with lenght 2.")
    return None if value[0] == value[1] == center else value


class BrightnessTransform(BaseTransform):
    """Images made brighter or darker by chance.

    Args:
        value (float|list|tuple): how far from 1 the factor may lie, or its range.
        keys (list|tuple): as those of `BaseTransform`.

    Raises:
        ValueError: the value is negative.
        TypeError: it is neither a number nor two.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.BrightnessTransform([0.5, 0.5])(paddle.ones([3, 1, 1])).flatten().tolist()
        [0.5, 0.5, 0.5]

    Follows Paddle 2.6.
    """

    def __init__(self, value: Any, keys: Any = None) -> None:
        super().__init__(keys)
        self.value = _check_input(value, "brightness")

    def _apply_image(self, img: Any) -> Any:
        return img if self.value is None else F.adjust_brightness(img, random.uniform(self.value[0], self.value[1]))


class ContrastTransform(BaseTransform):
    """Images with more or less contrast by chance.

    Args:
        value (float|list|tuple): how far from 1 the factor may lie, or its range.
        keys (list|tuple): as those of `BaseTransform`.

    Raises:
        ValueError: the value is negative.
        TypeError: it is neither a number nor two.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.ContrastTransform(0.5)(paddle.rand([3, 4, 4])).shape
        [3, 4, 4]

    Follows Paddle 2.6.
    """

    def __init__(self, value: Any, keys: Any = None) -> None:
        super().__init__(keys)
        if isinstance(value, numbers.Number) and value < 0:  # type: ignore[operator]
            raise ValueError(f"contrast value should be non-negative. Received: {value}")
        self.value = _check_input(value, "contrast")

    def _apply_image(self, img: Any) -> Any:
        return img if self.value is None else F.adjust_contrast(img, random.uniform(self.value[0], self.value[1]))


class SaturationTransform(BaseTransform):
    """Images made more or less colourful by chance.

    Args:
        value (float|list|tuple): how far from 1 the factor may lie, or its range.
        keys (list|tuple): as those of `BaseTransform`.

    Raises:
        ValueError: the value is negative.
        TypeError: it is neither a number nor two.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.SaturationTransform(0.5)(paddle.rand([3, 4, 4])).shape
        [3, 4, 4]

    Follows Paddle 2.6.
    """

    def __init__(self, value: Any, keys: Any = None) -> None:
        super().__init__(keys)
        self.value = _check_input(value, "saturation")

    def _apply_image(self, img: Any) -> Any:
        return img if self.value is None else F.adjust_saturation(img, random.uniform(self.value[0], self.value[1]))


class HueTransform(BaseTransform):
    """Images with the circle of their colours turned by chance.

    Args:
        value (float|list|tuple): how far from 0 the turn may be, at most 0.5, or its range.
        keys (list|tuple): as those of `BaseTransform`.

    Raises:
        ValueError: the value is negative, or the range too large.
        TypeError: it is neither a number nor two.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.HueTransform(0.2)(paddle.rand([3, 4, 4])).shape
        [3, 4, 4]

    Follows Paddle 2.6.
    """

    def __init__(self, value: Any, keys: Any = None) -> None:
        super().__init__(keys)
        self.value = _check_input(value, "hue", center=0, bound=(-0.5, 0.5), clip_first_on_zero=False)

    def _apply_image(self, img: Any) -> Any:
        return img if self.value is None else F.adjust_hue(img, random.uniform(self.value[0], self.value[1]))


class ColorJitter(BaseTransform):
    """Images whose brightness, contrast, saturation and hue change by chance, in an order that changes, too.

    Args:
        brightness (float|list|tuple): as `BrightnessTransform`'s value; None leaves it, as the others, alone.
        contrast (float|list|tuple): as `ContrastTransform`'s value.
        saturation (float|list|tuple): as `SaturationTransform`'s value.
        hue (float|list|tuple): as `HueTransform`'s value.
        keys (list|tuple): as those of `BaseTransform`.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.ColorJitter(0.1, 0.2, 0.3, 0.4)(paddle.rand([3, 4, 4])).shape
        [3, 4, 4]

    Follows Paddle 2.6.
    """

    def __init__(self, brightness: Any = 0, contrast: Any = 0, saturation: Any = 0, hue: Any = 0, keys: Any = None) -> None:
        super().__init__(keys)
        self.brightness, self.contrast, self.saturation, self.hue = brightness, contrast, saturation, hue

    def _get_param(self, brightness: Any, contrast: Any, saturation: Any, hue: Any) -> Compose:
        parts = (BrightnessTransform, brightness), (ContrastTransform, contrast), (SaturationTransform, saturation), (HueTransform, hue)
        transforms = [transform(value, self.keys) for transform, value in parts if value is not None]
        random.shuffle(transforms)
        return Compose(transforms)

    def _apply_image(self, img: Any) -> Any:
        return self._get_param(self.brightness, self.contrast, self.saturation, self.hue)(img)
