"""`paddle.vision.transforms.functional`: what transforms do, as functions of an image.

An image is a PIL image, an array [H, W, C] or [H, W], or a Tensor [C, H, W] (or [N, C, H, W]).
"""

from __future__ import annotations

import numbers
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.vision.transforms import functional_cv2 as F_cv2
from paddle_compat.vision.transforms import functional_pil as F_pil
from paddle_compat.vision.transforms import functional_tensor as F_t
from paddle_compat.vision.transforms._arguments import inverse_affine, perspective_coefficients


def _is_pil_image(img: Any) -> bool:
    pil = sys.modules.get("PIL.Image")  # nobody holds an image of a library that is not loaded
    return pil is not None and isinstance(img, pil.Image)


def _is_tensor_image(img: Any) -> bool:
    return isinstance(img, (Tensor, Variable))


def _is_numpy_image(img: Any) -> bool:
    return isinstance(img, np.ndarray) and img.ndim in (2, 3)


def _for(img: Any, name: str = "img") -> ModuleType:
    """The module that knows this kind of image."""
    if _is_pil_image(img):
        return F_pil
    if _is_tensor_image(img):
        return F_t
    if _is_numpy_image(img):
        return F_cv2
    raise TypeError(f"{name} should be PIL Image or Tensor Image or ndarray with dim=[2 or 3]. Got {type(img)}")


def to_tensor(pic: Any, data_format: str = "CHW") -> Any:
    """An image as a Tensor: bytes become numbers from 0 to 1, other numbers stay.

    Args:
        pic (PIL.Image|np.ndarray|Tensor): the image.
        data_format (str): "CHW" or "HWC".
    Returns:
        Tensor: the image's channels, height and width in that order.
    Raises:
        TypeError: it is no image.
        ValueError: another data format.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> image = paddle.vision.transforms.to_tensor(np.full((2, 3, 3), 51, "uint8"))
        >>> image.shape, round(image.max().item(), 4)
        ([3, 2, 3], 0.2)

    Follows Paddle 2.6.
    """
    kind = _for(pic, "pic")
    if kind is not F_t:
        return kind.to_tensor(pic, data_format)
    return pic if data_format == "CHW" else pic.transpose([1, 2, 0])


def resize(img: Any, size: Any, interpolation: str = "bilinear") -> Any:
    """An image in another size.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image.
        size (int|list|tuple): height and width, or what the shorter side becomes.
        interpolation (str): "nearest", "bilinear", "bicubic"; of PIL images also "box", "lanczos", "hamming"; of arrays "area",
            "lanczos"; of Tensors "area".
    Returns:
        An image of the same kind.
    Raises:
        TypeError: it is no image, or the size is neither a number nor two.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.vision.transforms.resize(np.zeros((4, 8, 3), "uint8"), 2).shape
        (2, 4, 3)

    Follows Paddle 2.6.
    """
    return _for(img).resize(img, size, interpolation)


def pad(img: Any, padding: Any, fill: Any = 0, padding_mode: str = "constant") -> Any:
    """An image with a border.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image.
        padding (int|list|tuple): its width: one number, left and top (as right and bottom), or left, top, right and bottom.
        fill (int|list|tuple): what a constant border holds; of an array, one number is for the first channel alone.
        padding_mode (str): "constant", "edge", "reflect", or (not of Tensors) "symmetric".
    Returns:
        An image of the same kind.
    Raises:
        TypeError: it is no image, or the padding is no number and no list of them.
        ValueError: the padding has another length.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.vision.transforms.pad(np.ones((1, 2), "uint8"), (1, 0), fill=7).tolist()
        [[7, 1, 1, 7]]

    Follows Paddle 2.6.
    """
    return _for(img).pad(img, padding, fill, padding_mode)


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """A window of an image.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image; an array has channels.
        top, left (int): where the window begins.
        height, width (int): its size.
    Returns:
        An image of the same kind.
    Raises:
        TypeError: it is no image.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.vision.transforms.crop(np.zeros((4, 8, 3)), 1, 2, 2, 3).shape
        (2, 3, 3)

    Follows Paddle 2.6.
    """
    return _for(img).crop(img, top, left, height, width)


def center_crop(img: Any, output_size: Any) -> Any:
    """The window in the middle of an image.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image; an array has channels.
        output_size (int|list|tuple): height and width of the window, or one number for both.
    Returns:
        An image of the same kind.
    Raises:
        TypeError: it is no image.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.vision.transforms.center_crop(np.arange(5)[:, None, None] + np.zeros((5, 5, 1)), (3, 2))[:, 0, 0].tolist()
        [1.0, 2.0, 3.0]

    Follows Paddle 2.6.
    """
    return _for(img).center_crop(img, output_size)


def hflip(img: Any) -> Any:
    """An image with left and right exchanged.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image.
    Returns:
        An image of the same kind.
    Raises:
        TypeError: it is no image.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.vision.transforms.hflip(np.array([[1, 2, 3]])).tolist()
        [[3, 2, 1]]

    Follows Paddle 2.6.
    """
    return _for(img).hflip(img)


def vflip(img: Any) -> Any:
    """An image with top and bottom exchanged.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image.
    Returns:
        An image of the same kind.
    Raises:
        TypeError: it is no image.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.vision.transforms.vflip(np.array([[1, 2], [3, 4]])).tolist()
        [[3, 4], [1, 2]]

    Follows Paddle 2.6.
    """
    return _for(img).vflip(img)


def adjust_brightness(img: Any, brightness_factor: float) -> Any:
    """An image made brighter or darker.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image.
        brightness_factor (float): 0: black; 1: as it is; 2: twice as bright.
    Returns:
        An image of the same kind; of an array, bytes.
    Raises:
        TypeError: it is no image.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.vision.transforms.adjust_brightness(np.array([[100, 200]], "uint8"), 1.5).tolist()
        [[150, 255]]

    Follows Paddle 2.6.
    """
    return _for(img).adjust_brightness(img, brightness_factor)


def adjust_contrast(img: Any, contrast_factor: float) -> Any:
    """An image with more or less contrast.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image; an array holds bytes.
        contrast_factor (float): 0: grey; 1: as it is.
    Returns:
        An image of the same kind.
    Raises:
        TypeError: it is no image, or an array of other numbers.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.vision.transforms.adjust_contrast(np.array([[34, 114]], "uint8"), 0.5).tolist()
        [[54, 94]]

    Follows Paddle 2.6, where the grey of an array is 74.
    """
    return _for(img).adjust_contrast(img, contrast_factor)


def adjust_saturation(img: Any, saturation_factor: float) -> Any:
    """An image made more or less colourful.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image, with three channels.
        saturation_factor (float): 0: greys; 1: as it is; of an array, how far from 1 the factor that `numpy.random` draws may lie.
    Returns:
        An image of the same kind.
    Raises:
        TypeError: it is no image.

    Example:
        >>> import paddle_compat as paddle
        >>> image = paddle.to_tensor([[[0.75]], [[0.25]], [[0.25]]])
        >>> paddle.vision.transforms.adjust_saturation(image, 1.0).flatten().tolist()
        [0.75, 0.25, 0.25]

    Follows Paddle 2.6.
    """
    return _for(img).adjust_saturation(img, saturation_factor)


def adjust_hue(img: Any, hue_factor: float) -> Any:
    """An image with the circle of its colours turned.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image, with three channels.
        hue_factor (float): how far, from -0.5 to 0.5; both ends give the complementary colours.
    Returns:
        An image of the same kind.
    Raises:
        TypeError: it is no image.
        ValueError: the factor lies outside, for a PIL image or an array.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.vision.transforms.adjust_hue(np.array([[[200, 50, 50]]], "uint8"), 0.5)[0, 0].tolist()
        [50, 198, 200]

    Follows Paddle 2.6.
    """
    return _for(img).adjust_hue(img, hue_factor)


def affine(
    img: Any, angle: float, translate: Any, scale: float, shear: Any, interpolation: str = "nearest", fill: Any = 0, center: Any = None
) -> Any:
    """An image turned, enlarged, sheared and moved.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image.
        angle (int|float): by how many degrees it turns.
        translate (list|tuple): by how many pixels it moves to the right and down.
        scale (float): by how much it grows.
        shear (int|float|list|tuple): degrees along x, or along x and y.
        interpolation (str): "nearest", "bilinear", or (not of Tensors) "bicubic".
        fill (int|list|tuple): the colour around the image.
        center (list|tuple): the point (x, y) that stays; None: the middle. As in the wheel arrays turn around their corner, whatever it is,
            and Tensors take their width for their height here.
    Returns:
        An image of the same kind and size.
    Raises:
        TypeError: it is no image, or an argument is of another type.
        ValueError: an argument has another length, or the scale is not positive.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.vision.transforms.affine(np.array([[1, 2, 3]], "uint8"), 0, (1, 0), 1, 0).tolist()
        [[0, 1, 2]]

    Follows Paddle 2.6.
    """
    kind = _for(img)
    angle, translate, shear = _motion(angle, translate, scale, shear)
    if center is not None and not isinstance(center, (list, tuple)):
        raise TypeError(f"Argument center should be a sequence. Received: {center!r}")
    if kind is F_cv2:
        return F_cv2.affine(img, angle, translate, scale, shear, interpolation, fill, center)
    if kind is F_pil:
        width, height = img.size
        middle = (width * 0.5, height * 0.5) if center is None else center
    else:
        width, height = F_t._get_image_size(img, "CHW")
        middle = (0.0, 0.0) if center is None else (center[0] - height * 0.5, center[1] - width * 0.5)
    return kind.affine(img, inverse_affine(middle, angle, translate, scale, shear), interpolation, fill)


def _motion(angle: Any, translate: Any, scale: Any, shear: Any) -> tuple[float, Sequence[float], Sequence[float]]:
    """Angle, translation and the two shears of `affine`, checked."""
    if not isinstance(angle, (int, float)):
        raise TypeError(f"Argument angle should be int or float. Received: {angle!r}")
    if not isinstance(translate, (list, tuple)):
        raise TypeError(f"Argument translate should be a sequence. Received: {translate!r}")
    if len(translate) != 2:
        raise ValueError(f"Argument translate should be a sequence of length 2. Received: {translate!r}")
    if scale <= 0.0:
        raise ValueError(f"Argument scale should be positive. Received: {scale}")
    if not isinstance(shear, (numbers.Number, list, tuple)):
        raise TypeError(f"Shear should be either a single value or a sequence of two values. Received: {shear!r}")
    shear = [shear, 0.0] if isinstance(shear, numbers.Number) else [*shear]
    shear = shear * 2 if len(shear) == 1 else shear
    if len(shear) != 2:
        raise ValueError(f"Shear should be a sequence containing two values. Got {shear}")
    return float(angle), translate, shear


def rotate(img: Any, angle: float, interpolation: str = "nearest", expand: bool = False, center: Any = None, fill: Any = 0) -> Any:
    """An image turned against the clock.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image.
        angle (int|float): by how many degrees.
        interpolation (str): "nearest", "bilinear", or (not of Tensors) "bicubic".
        expand (bool): whether the result is so large that nothing is cut off.
        center (list|tuple): the point (x, y) that stays; None: the middle.
        fill (int|list|tuple): the colour around the image.
    Returns:
        An image of the same kind.
    Raises:
        TypeError: it is no image.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.rotate(paddle.to_tensor([[[1.0, 2.0], [3.0, 4.0]]]), 90).tolist()
        [[[2.0, 4.0], [1.0, 3.0]]]

    Follows Paddle 2.6.
    """
    kind = _for(img)
    center = tuple(center) if isinstance(center, list) else center
    fill = tuple(fill) if isinstance(fill, list) else fill
    return kind.rotate(img, angle, interpolation, expand, center, fill)


def perspective(img: Any, startpoints: Any, endpoints: Any, interpolation: str = "nearest", fill: Any = 0) -> Any:
    """An image seen at a slant.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image.
        startpoints (list): four points (x, y) of it.
        endpoints (list): where they go.
        interpolation (str): "nearest", "bilinear", or (not of Tensors) "bicubic".
        fill (int|list|tuple): the colour around the image.
    Returns:
        An image of the same kind and size.
    Raises:
        TypeError: it is no image.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> corners = [[0, 0], [3, 0], [3, 3], [0, 3]]
        >>> mirrored = [[3, 0], [0, 0], [0, 3], [3, 3]]
        >>> paddle.vision.transforms.perspective(np.array([[1, 2, 3, 4]] * 4, "uint8"), corners, mirrored)[0].tolist()
        [4, 3, 2, 1]

    Follows Paddle 2.6.
    """
    kind = _for(img)
    if kind is F_cv2:
        return F_cv2.perspective(img, startpoints, endpoints, interpolation, fill)
    return kind.perspective(img, perspective_coefficients(startpoints, endpoints), interpolation, fill)


def to_grayscale(img: Any, num_output_channels: int = 1) -> Any:
    """An image in greys.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image, with three channels.
        num_output_channels (int): 1, or 3 equal ones.
    Returns:
        An image of the same kind.
    Raises:
        TypeError: it is no image.
        ValueError: another number of channels.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.vision.transforms.to_grayscale(np.array([[[200, 100, 50]]], "uint8")).tolist()
        [[[124]]]

    Follows Paddle 2.6.
    """
    return _for(img).to_grayscale(img, num_output_channels)


def normalize(img: Any, mean: Any, std: Any, data_format: str = "CHW", to_rgb: bool = False) -> Any:
    """An image's channels without their means, divided by their deviations.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image.
        mean, std (float|list|tuple): for each channel.
        data_format (str): "CHW" or "HWC".
        to_rgb (bool): whether the last dimension of an array is turned round first.
    Returns:
        A Tensor of a Tensor, else an array.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.normalize(paddle.ones([3, 1, 1]), [0.5] * 3, [0.25] * 3).flatten().tolist()
        [2.0, 2.0, 2.0]

    Follows Paddle 2.6.
    """
    if _is_tensor_image(img):
        return F_t.normalize(img, mean, std, data_format)
    return F_cv2.normalize(np.array(img, "float32") if _is_pil_image(img) else img, mean, std, data_format, to_rgb)


def erase(img: Any, i: int, j: int, h: int, w: int, v: Any, inplace: bool = False) -> Any:
    """An image with a rectangle painted over.

    Args:
        img (PIL.Image|np.ndarray|Tensor): the image.
        i, j (int): the rectangle's first row and column.
        h, w (int): its size.
        v (Tensor|np.ndarray): its pixels, or one colour.
        inplace (bool): whether the given array or Tensor itself changes.
    Returns:
        An image of the same kind.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.erase(paddle.ones([1, 2, 3]), 0, 1, 1, 2, paddle.zeros([1, 1, 1])).tolist()
        [[[1.0, 0.0, 0.0], [1.0, 1.0, 1.0]]]

    Follows Paddle 2.6.
    """
    kind = F_t if _is_tensor_image(img) else F_pil if _is_pil_image(img) else F_cv2
    return kind.erase(img, i, j, h, w, v, inplace)


__all__: list[str] = []

__getattr__ = missing(__name__)
