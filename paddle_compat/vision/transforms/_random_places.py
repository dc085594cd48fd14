"""Transforms that flip, crop, move and paint over by chance.

The numbers come from Python's `random`, those of sizes and rectangles from `numpy.random`, as in the wheel. For a Variable the
Program draws them.
"""

from __future__ import annotations

import math
import numbers
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from paddle_compat.core.variable import Variable
from paddle_compat.static.nn import cond
from paddle_compat.tensor.creation import to_tensor
from paddle_compat.tensor.random import normal, randint, uniform
from paddle_compat.vision.transforms import functional as F
from paddle_compat.vision.transforms._base import BaseTransform, pair
from paddle_compat.vision.transforms.functional_tensor import _get_image_size as _tensor_size

_WAYS = ("nearest", "bilinear", "bicubic")


def image_size(img: Any) -> tuple[int, int]:
    """Width and height."""
    if F._is_pil_image(img):
        width, height = img.size
        return width, height
    if F._is_numpy_image(img):
        return img.shape[1], img.shape[0]
    if F._is_tensor_image(img):
        return _tensor_size(img, "CHW")
    raise TypeError(f"Unexpected type {type(img)}")


def _perhaps(img: Any, prob: float, change: Any) -> Any:
    """The changed image with a probability."""
    if not isinstance(img, Variable):
        return change(img) if random.random() < prob else img
    return cond(uniform([1], min=0.0, max=1.0) < prob, lambda: change(img), lambda: img)


def _probable(prob: Any) -> Any:
    assert 0 <= prob <= 1, "probability must be between 0 and 1"
    return prob


class RandomHorizontalFlip(BaseTransform):
    """Images with left and right exchanged by chance.

    Args:
        prob (float): how probable it is.
        keys (list|tuple): as those of `BaseTransform`.

    Raises:
        AssertionError: the probability does not lie between 0 and 1.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.RandomHorizontalFlip(1)(paddle.to_tensor([[[1.0, 2.0]]])).tolist()
        [[[2.0, 1.0]]]

    Follows Paddle 2.6.
    """

    def __init__(self, prob: float = 0.5, keys: Any = None) -> None:
        super().__init__(keys)
        self.prob = _probable(prob)

    def _apply_image(self, img: Any) -> Any:
        return _perhaps(img, self.prob, F.hflip)


class RandomVerticalFlip(BaseTransform):
    """Images with top and bottom exchanged by chance.

    Args:
        prob (float): how probable it is.
        keys (list|tuple): as those of `BaseTransform`.

    Raises:
        AssertionError: the probability does not lie between 0 and 1.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.RandomVerticalFlip(1)(paddle.to_tensor([[[1.0], [2.0]]])).tolist()
        [[[2.0], [1.0]]]

    Follows Paddle 2.6.
    """

    def __init__(self, prob: float = 0.5, keys: Any = None) -> None:
        super().__init__(keys)
        self.prob = _probable(prob)

    def _apply_image(self, img: Any) -> Any:
        return _perhaps(img, self.prob, F.vflip)


class RandomResizedCrop(BaseTransform):
    """Windows of random size and place, resized.

    Args:
        size (int|list|tuple): the new height and width, or one number for both.
        scale (list|tuple): the range of the window's share of the image.
        ratio (list|tuple): the range of its width divided by its height.
        interpolation (str): as that of `resize`.
        keys (list|tuple): as those of `BaseTransform`.

    Raises:
        AssertionError: a range begins behind its end.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.RandomResizedCrop(5)(paddle.rand([3, 9, 12])).shape
        [3, 5, 5]

    Follows Paddle 2.6.
    """

    def __init__(
        self, size: Any, scale: Sequence[float] = (0.08, 1.0), ratio: Sequence[float] = (3.0 / 4, 4.0 / 3),
        interpolation: str = "bilinear", keys: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(keys)
        self.size = pair(size)
        assert scale[0] <= scale[1], "scale should be of kind (min, max)"
        assert ratio[0] <= ratio[1], "ratio should be of kind (min, max)"
        self.scale, self.ratio, self.interpolation = scale, ratio, interpolation

    def _get_param(self, image: Any, attempts: int = 10) -> tuple[int, int, int, int]:
        """Top, left, height and width of a window."""
        width, height = image_size(image)
        low, high = (math.log(ratio) for ratio in self.ratio)
        for _ in range(attempts):
            area = np.random.uniform(self.scale[0], self.scale[1]) * (width * height)
            ratio = math.exp(np.random.uniform(low, high))
            w, h = int(round(math.sqrt(area * ratio))), int(round(math.sqrt(area / ratio)))
            if 0 < w <= width and 0 < h <= height:
                top = random.randint(0, height - h)
                return top, random.randint(0, width - w), h, w
        ratio = width / height
        w, h = width, height
        if ratio < min(self.ratio):
            h = int(round(w / min(self.ratio)))
        elif ratio > max(self.ratio):
            w = int(round(h * max(self.ratio)))
        return (height - h) // 2, (width - w) // 2, h, w

    def _apply_image(self, img: Any) -> Any:
        return F.resize(F.crop(img, *self._get_param(img)), self.size, self.interpolation)


class RandomCrop(BaseTransform):
    """Windows at random places.

    Args:
        size (int|list|tuple): height and width of the window, or one number for both.
        padding (int|list|tuple): a border that comes first, as that of `Pad`.
        pad_if_needed (bool): whether an image that is too small gets a border.
        fill (int|list|tuple): what a constant border holds.
        padding_mode (str): as that of `Pad`.
        keys (list|tuple): as those of `BaseTransform`.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.RandomCrop((4, 5))(paddle.rand([3, 9, 12])).shape
        [3, 4, 5]

    Follows Paddle 2.6.
    """

    def __init__(
        self, size: Any, padding: Any = None, pad_if_needed: bool = False, fill: Any = 0, padding_mode: str = "constant", keys: Any = None
    ) -> None:
        super().__init__(keys)
        self.size = pair(size)
        self.padding, self.pad_if_needed, self.fill, self.padding_mode = padding, pad_if_needed, fill, padding_mode

    def _get_param(self, img: Any, output_size: Sequence[int]) -> tuple[Any, Any, int, int]:
        """Top, left, height and width of a window."""
        width, height = image_size(img)
        high, wide = output_size
        if (width, height) == (wide, high):
            return 0, 0, height, width
        if isinstance(img, Variable):
            return randint(0, height - high + 1), randint(0, width - wide + 1), high, wide
        top = random.randint(0, height - high)
        return top, random.randint(0, width - wide), high, wide

    def _apply_image(self, img: Any) -> Any:
        if self.padding is not None:
            img = F.pad(img, self.padding, self.fill, self.padding_mode)
        width, height = image_size(img)
        if self.pad_if_needed and width < self.size[1]:
            img = F.pad(img, (self.size[1] - width, 0), self.fill, self.padding_mode)
        if self.pad_if_needed and height < self.size[0]:
            img = F.pad(img, (0, self.size[0] - height), self.fill, self.padding_mode)
        return F.crop(img, *self._get_param(img, self.size))


def _angles(value: Any, name: str, lengths: tuple[int, ...] = (2,)) -> list[float]:
    """A range of degrees; one number is both ends."""
    if isinstance(value, numbers.Number):
        if value < 0:  # type: ignore[operator]
            raise ValueError(f"If {name} is a single number, it must be positive.")
        value = [-value, value]  # type: ignore[operator]
    else:
        _sequence(value, name, lengths)
    return [float(part) for part in value]


def _sequence(value: Any, name: str, lengths: tuple[int, ...] = (2,)) -> None:
    text = f"{name} should be a sequence of length {' or '.join(map(str, lengths))}."
    if not isinstance(value, Sequence):
        raise TypeError(text)
    if len(value) not in lengths:
        raise ValueError(text.replace("a sequence", "sequence"))


class RandomAffine(BaseTransform):
    """Images turned, moved, enlarged and sheared by chance.

    Args:
        degrees (int|float|list|tuple): the range of the angle; one number is both ends.
        translate (list|tuple): how far images move at most, as shares of width and height; None: not at all.
        scale (list|tuple): the range of the factor; None: 1.
        shear (int|float|list|tuple): the range of degrees along x, or along x and along y; None: none.
        interpolation (str): as that of `affine`.
        fill (int|list|tuple): the colour around the image; None: 0.
        center (list|tuple): the point (x, y) that stays; None: the middle.
        keys (list|tuple): as those of `BaseTransform`.

    Raises:
        AssertionError: another interpolation.
        TypeError: an argument is no sequence.
        ValueError: an argument has another length or lies outside of its range.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.RandomAffine(30, (0.1, 0.2), (0.5, 2), 10)(paddle.rand([3, 9, 12])).shape
        [3, 9, 12]

    Follows Paddle 2.6.
    """

    def __init__(
        self, degrees: Any, translate: Any = None, scale: Any = None, shear: Any = None, interpolation: str = "nearest", fill: Any = 0,
        center: Any = None, keys: Any = None,
    ) -> None:  # fmt: skip
        self.degrees = _angles(degrees, "degrees")
        super().__init__(keys)
        assert interpolation in _WAYS, f"Expected one of {_WAYS}. Received: {interpolation!r}"
        self.interpolation = interpolation
        if translate is not None:
            _sequence(translate, "translate")
            if not all(0.0 <= share <= 1.0 for share in translate):
                raise ValueError(f"translation values should be between 0 and 1. Received: {translate}")
        self.translate = translate
        if scale is not None:
            _sequence(scale, "scale")
            if any(factor <= 0 for factor in scale):
                raise ValueError(f"scale values should be positive. Received: {scale}")
        self.scale = scale
        self.shear = None if shear is None else _angles(shear, "shear", (2, 4))
        self.fill = 0 if fill is None else fill
        if not isinstance(self.fill, (Sequence, numbers.Number)):
            raise TypeError(f"Fill should be either a sequence or a number. Received: {fill!r}")
        if center is not None:
            _sequence(center, "center")
        self.center = center

    def _get_param(
        self, img_size: Sequence[int], degrees: Any, translate: Any = None, scale_ranges: Any = None, shears: Any = None
    ) -> tuple[float, tuple[int, int], float, tuple[float, float]]:
        angle = random.uniform(degrees[0], degrees[1])
        moves = (0, 0)
        if translate is not None:
            reach = [float(share * size) for share, size in zip(translate, img_size)]
            moves = (int(random.uniform(-reach[0], reach[0])), int(random.uniform(-reach[1], reach[1])))
        scale = 1.0 if scale_ranges is None else random.uniform(scale_ranges[0], scale_ranges[1])
        across = down = 0.0
        if shears is not None:
            across = random.uniform(shears[0], shears[1])
            down = random.uniform(shears[2], shears[3]) if len(shears) == 4 else 0.0
        return angle, moves, scale, (across, down)

    def _apply_image(self, img: Any) -> Any:
        drawn = self._get_param(image_size(img), self.degrees, self.translate, self.scale, self.shear)
        return F.affine(img, *drawn, interpolation=self.interpolation, fill=self.fill, center=self.center)


class RandomRotation(BaseTransform):
    """Images turned by chance.

    Args:
        degrees (int|float|list|tuple): the range of the angle; one number is both ends.
        interpolation (str): as that of `rotate`.
        expand (bool): whether the result is so large that nothing is cut off.
        center (list|tuple): the point (x, y) that stays; None: the middle.
        fill (int|list|tuple): the colour around the image.
        keys (list|tuple): as those of `BaseTransform`.

    Raises:
        ValueError: the degrees are negative, or no two.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.RandomRotation((90, 90), expand=True)(paddle.rand([3, 4, 6])).shape
        [3, 6, 4]

    Follows Paddle 2.6.
    """

    def __init__(
        self, degrees: Any, interpolation: str = "nearest", expand: bool = False, center: Any = None, fill: Any = 0, keys: Any = None
    ) -> None:
        if isinstance(degrees, numbers.Number):
            if degrees < 0:  # type: ignore[operator]
                raise ValueError(f"If degrees is a single number, it must be positive. Received: {degrees}")
            degrees = (-degrees, degrees)  # type: ignore[operator]
        elif len(degrees) != 2:
            raise ValueError(f"If degrees is a sequence, it must be of len 2. Received: {degrees}")
        self.degrees = degrees
        super().__init__(keys)
        self.interpolation, self.expand, self.center, self.fill = interpolation, expand, center, fill

    def _get_param(self, degrees: Sequence[float]) -> float:
        return random.uniform(degrees[0], degrees[1])

    def _apply_image(self, img: Any) -> Any:
        return F.rotate(img, self._get_param(self.degrees), self.interpolation, self.expand, self.center, self.fill)


class RandomPerspective(BaseTransform):
    """Images seen at a slant by chance.

    Args:
        prob (float): how probable it is.
        distortion_scale (float): how far the corners may move, from 0 to 1.
        interpolation (str): as that of `perspective`.
        fill (int|list|tuple): the colour around the image.
        keys (list|tuple): as those of `BaseTransform`.

    Raises:
        AssertionError: the probability or the scale does not lie between 0 and 1, or another interpolation.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.RandomPerspective(1.0)(paddle.rand([3, 9, 12])).shape
        [3, 9, 12]

    Follows Paddle 2.6.
    """

    def __init__(
        self, prob: float = 0.5, distortion_scale: float = 0.5, interpolation: str = "nearest", fill: Any = 0, keys: Any = None
    ) -> None:
        super().__init__(keys)
        self.prob = _probable(prob)
        assert 0 <= distortion_scale <= 1, "distortion_scale must be between 0 and 1"
        assert interpolation in _WAYS, f"Expected one of {_WAYS}. Received: {interpolation!r}"
        assert isinstance(fill, (numbers.Number, str, list, tuple)), f"Expected a number, a name or a list. Received: {fill!r}"
        self.distortion_scale, self.interpolation, self.fill = distortion_scale, interpolation, fill

    def get_params(self, width: int, height: int, distortion_scale: float) -> tuple[list[list[int]], list[list[int]]]:
        """The corners of an image, and where they go.

        Args:
            width (int): the image's.
            height (int): the image's.
            distortion_scale (float): how far the corners may move, from 0 to 1.
        Returns:
            Two lists of four points (x, y), from the upper left corner on.

        Example:
            >>> import paddle_compat as paddle
            >>> corners, moved = paddle.vision.transforms.RandomPerspective().get_params(12, 9, 0.5)
            >>> corners, len(moved)
            ([[0, 0], [11, 0], [11, 8], [0, 8]], 4)

        Follows Paddle 2.6.
        """
        x, y = int(distortion_scale * (width // 2)) + 1, int(distortion_scale * (height // 2)) + 1
        draw = random.uniform
        moved = []
        for right, below in ((0, 0), (1, 0), (1, 1), (0, 1)):
            across = int(draw(width - x, width) if right else draw(0, x))
            moved.append([across, int(draw(height - y, height) if below else draw(0, y))])
        return [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], moved

    def _apply_image(self, img: Any) -> Any:
        width, height = image_size(img)
        if random.random() >= self.prob:
            return img
        return F.perspective(img, *self.get_params(width, height, self.distortion_scale), self.interpolation, self.fill)


class RandomErasing(BaseTransform):
    """Images with a random rectangle painted over by chance.

    Args:
        prob (float): how probable it is.
        scale (list|tuple): the range of the rectangle's share of the image.
        ratio (list|tuple): the range of its height divided by its width.
        value (int|float|list|tuple|str): its colour, one number or one for each channel; "random": noise.
        inplace (bool): whether the given array or Tensor itself changes.
        keys (list|tuple): as those of `BaseTransform`.

    Raises:
        AssertionError: a range or the probability is none, or the value is of another type.
        ValueError: the value is another string.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.RandomErasing(1.0)(paddle.ones([3, 9, 12])).min().item()
        0.0

    Follows Paddle 2.6.
    """

    def __init__(
        self, prob: float = 0.5, scale: Sequence[float] = (0.02, 0.33), ratio: Sequence[float] = (0.3, 3.3), value: Any = 0,
        inplace: bool = False, keys: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(keys)
        assert isinstance(scale, (tuple, list)), "scale should be a tuple or list"
        assert 0 <= scale[0] <= scale[1] <= 1, "scale should be of kind (min, max) and in range [0, 1]"
        assert isinstance(ratio, (tuple, list)), "ratio should be a tuple or list"
        assert 0 <= ratio[0] <= ratio[1], "ratio should be of kind (min, max)"
        assert 0 <= prob <= 1, "The probability should be in range [0, 1]"
        assert isinstance(value, (numbers.Number, str, tuple, list)), "value should be a number, tuple, list or str"
        if isinstance(value, str) and value != "random":
            raise ValueError(f"value must be 'random' when type is str. Received: {value!r}")
        self.prob, self.scale, self.ratio, self.value, self.inplace = prob, scale, ratio, value, inplace

    def _get_param(self, img: Any) -> tuple[Any, ...]:
        """Row, column, height, width and pixels of a rectangle; all of the image and itself where none fits."""
        width, height = image_size(img)
        tensor = F._is_tensor_image(img)
        channels = img.shape[-3] if tensor else 1 if np.asarray(img).ndim == 2 else np.asarray(img).shape[2]
        if isinstance(self.value, (list, tuple)) and len(self.value) not in (1, channels):
            raise ValueError(
                "Value should be a single number or a sequence with length equals to image's channel. "
                f"Received: {len(self.value)} values for {channels} channels"
            )
        low, high = (np.log(part) for part in self.ratio)
        for _ in range(10):
            area = np.random.uniform(self.scale[0], self.scale[1]) * (width * height)
            ratio = np.exp(np.random.uniform(low, high))
            h, w = int(round(np.sqrt(area * ratio))), int(round(np.sqrt(area / ratio)))
            if h >= height or w >= width:
                continue
            pixels = self._pixels(img, tensor, h, w, channels)
            top = np.random.randint(0, height - h + 1)
            return top, np.random.randint(0, width - w + 1), h, w, pixels
        return 0, 0, height, width, img

    def _pixels(self, img: Any, tensor: bool, height: int, width: int, channels: int) -> Any:
        if self.value == "random":
            if tensor:
                return normal(shape=[channels, height, width]).astype(img.dtype)
            return np.random.normal(size=[height, width, channels]) * 255
        colour = np.array(self.value if isinstance(self.value, (list, tuple)) else [self.value])
        if not tensor:
            return colour[None, None, :]
        return to_tensor(colour.astype("float32")).astype(img.dtype).reshape([-1, 1, 1])

    def _apply_image(self, img: Any) -> Any:
        if random.random() >= self.prob:
            return img
        i, j, h, w, pixels = self._get_param(img)
        return F.erase(img, i, j, h, w, pixels, self.inplace)
