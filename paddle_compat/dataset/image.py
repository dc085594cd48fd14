"""`paddle.dataset.image`: reading images, and bringing them to one size, as arrays [height, width, colours] in OpenCV's order."""

from __future__ import annotations

import io
import os
import pickle
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing


def load_image_bytes(bytes: bytes, is_color: bool = True) -> np.ndarray:
    """An image out of a file's content.

    Args:
        bytes: the content.
        is_color: three numbers for each point: blue, green, red; else one.
    Returns:
        uint8 [height, width, 3], or [height, width].
    Raises:
        ImportError: PIL is not installed.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.image.load_image_bytes(open("flower.jpg", "rb").read()).shape  # doctest: +SKIP
        (500, 591, 3)

    Follows Paddle 1.8 and 2.6.
    """
    from paddle_compat.vision.image import need

    image = need("PIL.Image", "arrays").open(io.BytesIO(bytes))
    return np.array(image.convert("RGB"))[:, :, ::-1] if is_color else np.array(image.convert("L"))


def load_image(file: str, is_color: bool = True) -> np.ndarray:
    """An image out of a file.

    Args:
        file: its path.
        is_color: three numbers for each point: blue, green, red; else one.
    Returns:
        uint8 [height, width, 3], or [height, width].
    Raises:
        ImportError: PIL is not installed.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.image.load_image("flower.jpg").shape  # doctest: +SKIP
        (500, 591, 3)

    Follows Paddle 1.8 and 2.6.
    """
    with open(file, "rb") as stream:
        return load_image_bytes(stream.read(), is_color)


def resize_short(im: np.ndarray, size: int) -> np.ndarray:
    """The image with another length of its shorter side, and the same proportions.

    Args:
        im: [height, width, colours], or [height, width].
        size: the length.
    Returns:
        An array of the same type.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.dataset.image.resize_short(np.zeros([30, 20, 3], "uint8"), 10).shape
        (15, 10, 3)

    Follows Paddle 1.8 and 2.6.
    """
    from paddle_compat.vision.transforms.functional_cv2 import resize

    height, width = im.shape[:2]
    shape = (size * height // width, size) if height > width else (size, size * width // height)
    return resize(im, shape, "bicubic")


def to_chw(im: np.ndarray, order: Sequence[int] = (2, 0, 1)) -> np.ndarray:
    """The image with its dimensions in another order.

    Args:
        im: [height, width, colours].
        order: which of them comes where.
    Returns:
        By default [colours, height, width].
    Raises:
        AssertionError: there are not as many dimensions.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.dataset.image.to_chw(np.zeros([4, 5, 3])).shape
        (3, 4, 5)

    Follows Paddle 1.8 and 2.6.
    """
    assert im.ndim == len(order), f"Invalid value for argument `order` of `to_chw`. Expected {im.ndim} dimensions. Received: {order}"
    return im.transpose(order)


def _window(im: np.ndarray, top: int, left: int, size: int) -> np.ndarray:
    return im[top : top + size, left : left + size]


def center_crop(im: np.ndarray, size: int, is_color: bool = True) -> np.ndarray:
    """The square in the middle of an image.

    Args:
        im: [height, width, colours], or [height, width].
        size: the length of its sides.
        is_color: whether the image has colours.
    Returns:
        A view of the image.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.dataset.image.center_crop(np.arange(20).reshape(4, 5), 2, is_color=False).tolist()
        [[6, 7], [11, 12]]

    Follows Paddle 1.8 and 2.6.
    """
    _ = im.shape[2] if is_color else 0
    return _window(im, (im.shape[0] - size) // 2, (im.shape[1] - size) // 2, size)


def random_crop(im: np.ndarray, size: int, is_color: bool = True) -> np.ndarray:
    """A square anywhere in an image, drawn by numpy's generator.

    Args:
        im: [height, width, colours], or [height, width].
        size: the length of its sides.
        is_color: whether the image has colours.
    Returns:
        A view of the image.
    Raises:
        ValueError: the image is smaller.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.dataset.image.random_crop(np.zeros([6, 5, 3]), 4).shape
        (4, 4, 3)

    Follows Paddle 1.8 and 2.6.
    """
    top, left = (np.random.randint(0, length - size + 1) for length in im.shape[:2])
    return _window(im, top, left, size)


def left_right_flip(im: np.ndarray, is_color: bool = True) -> np.ndarray:
    """The image as in a mirror.

    Args:
        im: [height, width, colours], or [height, width].
        is_color: whether the image has colours.
    Returns:
        A view of the image.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.dataset.image.left_right_flip(np.arange(4).reshape(2, 2)).tolist()
        [[1, 0], [3, 2]]

    Follows Paddle 1.8 and 2.6.
    """
    return im[:, ::-1]


def simple_transform(
    im: np.ndarray, resize_size: int, crop_size: int, is_train: bool, is_color: bool = True, mean: Any = None
) -> np.ndarray:
    """The image as networks take it: a square of it, mirrored every second time in training, less a mean.

    Args:
        im: [height, width, colours], or [height, width].
        resize_size: the length to which its shorter side is brought first.
        crop_size: the length of the square's sides.
        is_train: a square anywhere; else the one in the middle.
        is_color: whether the image has colours.
        mean: for each colour, or for each point.
    Returns:
        float32 [colours, crop_size, crop_size], or [crop_size, crop_size].

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> image = np.full([30, 20, 3], 9, "uint8")
        >>> paddle.dataset.image.simple_transform(image, 8, 4, is_train=False, mean=[1.0, 2.0, 3.0])[:, 0, 0].tolist()
        [8.0, 7.0, 6.0]

    Follows Paddle 1.8 and 2.6.
    """
    im = resize_short(im, resize_size)
    im = random_crop(im, crop_size, is_color) if is_train else center_crop(im, crop_size, is_color)
    if is_train and np.random.randint(2) == 0:
        im = left_right_flip(im, is_color)
    out = (to_chw(im) if im.ndim == 3 else im).astype(np.float32)
    if mean is not None:
        means = np.array(mean, np.float32)
        out -= means[:, None, None] if means.ndim == 1 and is_color else means
    return out


def load_and_transform(
    filename: str, resize_size: int, crop_size: int, is_train: bool, is_color: bool = True, mean: Any = None
) -> np.ndarray:
    """`simple_transform` of `load_image`.

    Args:
        filename: the image's path.
        resize_size, crop_size, is_train, is_color, mean: those of `simple_transform`.
    Returns:
        float32 [colours, crop_size, crop_size], or [crop_size, crop_size].
    Raises:
        ImportError: PIL is not installed.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.image.load_and_transform("flower.jpg", 256, 224, True).shape  # doctest: +SKIP
        (3, 224, 224)

    Follows Paddle 1.8 and 2.6.
    """
    return simple_transform(load_image(filename, is_color), resize_size, crop_size, is_train, is_color, mean)


def wanted(data_file: str, labels: Mapping[str, Any]) -> Iterator[tuple[bytes, Any]]:
    """The contents of those files in an archive that have a label, and the labels, in the archive's order."""
    with tarfile.open(data_file) as archive:
        for member in archive:
            if member.name in labels:
                stream: Any = archive.extractfile(member)
                yield stream.read(), labels[member.name]


def batch_images_from_tar(data_file: str, dataset_name: str, img2label: Mapping[str, Any], num_per_batch: int = 1024) -> str:
    """Write an archive's images and their labels into pickles, in a folder beside it.

    Args:
        data_file: the archive.
        dataset_name: beginning of the names of what is written.
        img2label: file in the archive -> label.
        num_per_batch: how many images a pickle has.
    Returns:
        The path of a list of the pickles' paths.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.image.batch_images_from_tar("a.tgz", "train", {"jpg/1.jpg": 3})  # doctest: +SKIP
        'a.tgz_batch/train_4711.txt'

    Follows Paddle 1.8 and 2.6.
    """
    folder = f"{data_file}_batch/{dataset_name}_{os.getpid()}"
    if os.path.exists(folder):
        return folder + ".txt"
    os.makedirs(folder)
    samples = list(wanted(data_file, img2label))
    paths = []
    for number, start in enumerate(range(0, len(samples), num_per_batch)):
        data, labels = zip(*samples[start : start + num_per_batch])
        paths.append(os.path.abspath(f"{folder}/batch_{number}"))
        with open(paths[-1], "wb") as stream:
            pickle.dump({"label": list(labels), "data": list(data)}, stream, protocol=2)
    with open(folder + ".txt", "a") as stream_of_names:
        stream_of_names.writelines(path + "\n" for path in paths)
    return folder + ".txt"


__all__ = [
    "batch_images_from_tar", "center_crop", "left_right_flip", "load_and_transform", "load_image", "load_image_bytes",
    "random_crop", "resize_short", "simple_transform", "to_chw",
]  # fmt: skip

__getattr__ = missing(__name__)
