"""What transforms have in common, and those without random numbers."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Any

import numpy as np

from paddle_compat.vision.transforms import functional as F


def _absent(text: str) -> NotImplementedError:
    return NotImplementedError(text)  # what the wheel raises


class Compose:
    """Transforms one after the other.

    Args:
        transforms (list|tuple): they are called in this order.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> from paddle_compat.vision.transforms import Compose, Resize, ToTensor
        >>> Compose([Resize(4), ToTensor()])(np.zeros((8, 10, 3), "uint8")).shape
        [3, 4, 5]

    Follows Paddle 2.6.
    """

    def __init__(self, transforms: Sequence[Any]) -> None:
        self.transforms = transforms

    def __call__(self, data: Any) -> Any:
        for transform in self.transforms:
            try:
                data = transform(data)
            except Exception as error:
                print(f"fail to perform transform [{transform}] with error: {error} and stack:\n{traceback.format_exc()}")
                raise
        return data

    def __repr__(self) -> str:
        lines = [f"    {transform}" for transform in self.transforms]
        return "\n".join([f"{type(self).__name__}(", *lines, ")"])


class BaseTransform:
    """What transforms inherit from: they define `_apply_image`, and may define `_apply_boxes` and others.

    Args:
        keys (list|tuple): what the inputs are, "image" first of all; each key calls the method `_apply_` with its name. Inputs without
            a key stay as they are.

    Raises:
        ValueError: the keys are no sequence.
        NotImplementedError: the class has no method for a key.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> class Invert(paddle.vision.transforms.BaseTransform):
        ...     def _apply_image(self, image):
        ...         return 255 - image
        >>> image, label = Invert()((np.array([[0, 255]]), 3))
        >>> image.tolist(), label
        ([[255, 0]], 3)

    Follows Paddle 2.6.
    """

    def __init__(self, keys: Any = None) -> None:
        if keys is None:
            keys = ("image",)
        elif not isinstance(keys, Sequence):
            raise ValueError(f"keys should be a sequence, but got keys={keys}")
        for key in keys:
            if self._get_apply(key) is None:
                raise _absent(f"{key} is unsupported data structure")
        self.keys = keys
        self.params: Any = None  # what _get_params drew, for all inputs of a call

    def _get_params(self, inputs: Any) -> Any:
        return None

    def __call__(self, inputs: Any) -> Any:
        inputs = inputs if isinstance(inputs, tuple) else (inputs,)
        self.params = self._get_params(inputs)
        found = []
        for value, key in zip(inputs, self.keys):
            apply = self._get_apply(key)
            found.append(value if apply is None else apply(value))
        found += inputs[len(self.keys) :]
        return found[0] if len(found) == 1 else tuple(found)

    def _get_apply(self, key: str) -> Any:
        return getattr(self, f"_apply_{key}", None)

    def _apply_image(self, image: Any) -> Any:
        raise _absent(f"{type(self).__name__} has no _apply_image")

    def _apply_boxes(self, boxes: Any) -> Any:
        raise _absent(f"{type(self).__name__} has no _apply_boxes")

    def _apply_mask(self, mask: Any) -> Any:
        raise _absent(f"{type(self).__name__} has no _apply_mask")


class ToTensor(BaseTransform):
    """Images as Tensors: bytes become numbers from 0 to 1.

    Args:
        data_format (str): "CHW" or "HWC".
        keys (list|tuple): as those of `BaseTransform`.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.vision.transforms.ToTensor()(np.zeros((4, 5, 3), "uint8")).shape
        [3, 4, 5]

    Follows Paddle 2.6.
    """

    def __init__(self, data_format: str = "CHW", keys: Any = None) -> None:
        super().__init__(keys)
        self.data_format = data_format

    def _apply_image(self, img: Any) -> Any:
        return F.to_tensor(img, self.data_format)


class Resize(BaseTransform):
    """Images in another size.

    Args:
        size (int|list|tuple): height and width, or what the shorter side becomes.
        interpolation (str): as that of `resize`.
        keys (list|tuple): as those of `BaseTransform`.

    Raises:
        AssertionError: the size is neither a number nor two.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.vision.transforms.Resize(2)(np.zeros((4, 8, 3), "uint8")).shape
        (2, 4, 3)

    Follows Paddle 2.6.
    """

    def __init__(self, size: Any, interpolation: str = "bilinear", keys: Any = None) -> None:
        super().__init__(keys)
        two = isinstance(size, (list, tuple)) and len(size) == 2
        assert two or isinstance(size, int), f"Expected one or two sizes. Received: {size!r}"
        self.size, self.interpolation = size, interpolation

    def _apply_image(self, img: Any) -> Any:
        return F.resize(img, self.size, self.interpolation)


def pair(size: Any) -> Any:
    """One number as height and width."""
    return (int(size), int(size)) if isinstance(size, (int, float)) else size


class CenterCrop(BaseTransform):
    """The windows in the middle of images.

    Args:
        size (int|list|tuple): height and width of the window, or one number for both.
        keys (list|tuple): as those of `BaseTransform`.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.CenterCrop((2, 4))(paddle.zeros([3, 6, 6])).shape
        [3, 2, 4]

    Follows Paddle 2.6.
    """

    def __init__(self, size: Any, keys: Any = None) -> None:
        super().__init__(keys)
        self.size = pair(size)

    def _apply_image(self, img: Any) -> Any:
        return F.center_crop(img, self.size)


class Normalize(BaseTransform):
    """Images whose channels are without their means, and divided by their deviations.

    Args:
        mean (int|float|list|tuple): for each channel; one number for three.
        std (int|float|list|tuple): for each channel; one number for three.
        data_format (str): "CHW" or "HWC".
        to_rgb (bool): whether the last dimension of an array is turned round first.
        keys (list|tuple): as those of `BaseTransform`.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.Normalize(0.5, 0.25)(paddle.ones([3, 1, 1])).flatten().tolist()
        [2.0, 2.0, 2.0]

    Follows Paddle 2.6.
    """

    def __init__(self, mean: Any = 0.0, std: Any = 1.0, data_format: str = "CHW", to_rgb: bool = False, keys: Any = None) -> None:
        super().__init__(keys)
        self.mean, self.std = ([value] * 3 if isinstance(value, (int, float)) else value for value in (mean, std))
        self.data_format, self.to_rgb = data_format, to_rgb

    def _apply_image(self, img: Any) -> Any:
        return F.normalize(img, self.mean, self.std, self.data_format, self.to_rgb)


class Transpose(BaseTransform):
    """Images with their dimensions in another order, as arrays or Tensors.

    Args:
        order (list|tuple): which dimension of the image (one without channels gets one) comes where.
        keys (list|tuple): as those of `BaseTransform`.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.vision.transforms.Transpose()(np.zeros((4, 5, 3))).shape
        (3, 4, 5)

    Follows Paddle 2.6.
    """

    def __init__(self, order: Sequence[int] = (2, 0, 1), keys: Any = None) -> None:
        super().__init__(keys)
        self.order = order

    def _apply_image(self, img: Any) -> Any:
        if F._is_tensor_image(img):
            return img.transpose(self.order)
        if F._is_pil_image(img):
            img = np.asarray(img)
        return (img[..., np.newaxis] if len(img.shape) == 2 else img).transpose(self.order)


class Pad(BaseTransform):
    """Images with borders.

    Args:
        padding (int|list|tuple): the width: one number, left and top (as right and bottom), or left, top, right and bottom.
        fill (int|list|tuple): what a constant border holds.
        padding_mode (str): "constant", "edge", "reflect" or "symmetric".
        keys (list|tuple): as those of `BaseTransform`.

    Raises:
        AssertionError: the padding is no number and no list, or the mode is another.
        ValueError: the padding has another length.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.Pad((1, 2))(paddle.zeros([3, 4, 4])).shape
        [3, 8, 6]

    Follows Paddle 2.6.
    """

    def __init__(self, padding: Any, fill: Any = 0, padding_mode: str = "constant", keys: Any = None) -> None:
        assert isinstance(padding, (int, float, list, tuple)), f"Expected a number or a list. Received: {padding!r}"
        assert isinstance(fill, (int, float, str, list, tuple)), f"Expected a number, a name or a list. Received: {fill!r}"
        modes = ("constant", "edge", "reflect", "symmetric")
        assert padding_mode in modes, f"Expected one of {modes}. Received: {padding_mode!r}"
        padding, fill = (tuple(value) if isinstance(value, list) else value for value in (padding, fill))
        if isinstance(padding, tuple) and len(padding) not in (2, 4):
            raise ValueError(f"Padding must be an int or a 2, or 4 element tuple, not a {len(padding)} element tuple")
        super().__init__(keys)
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode

    def _apply_image(self, img: Any) -> Any:
        return F.pad(img, self.padding, self.fill, self.padding_mode)


class Grayscale(BaseTransform):
    """Images in greys.

    Args:
        num_output_channels (int): 1, or 3 equal ones.
        keys (list|tuple): as those of `BaseTransform`.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.vision.transforms.Grayscale()(paddle.zeros([3, 4, 4])).shape
        [1, 4, 4]

    Follows Paddle 2.6.
    """

    def __init__(self, num_output_channels: int = 1, keys: Any = None) -> None:
        super().__init__(keys)
        self.num_output_channels = num_output_channels

    def _apply_image(self, img: Any) -> Any:
        return F.to_grayscale(img, self.num_output_channels)
