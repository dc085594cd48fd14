"""`paddle.dataset.mnist`: handwritten digits."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset import common
from paddle_compat.dataset._files import images_and_labels

URL_PREFIX = "https://dataset.bj.bcebos.com/mnist/"
_FILES = {
    "train": (
        ("train-images-idx3-ubyte.gz", "f68b3c2dcbeaaa9fbdd348bbdeb94873"),
        ("train-labels-idx1-ubyte.gz", "d53e105ee54ea40749a09fcbcd1e9432"),
    ),
    "test": (
        ("t10k-images-idx3-ubyte.gz", "9fb629c4189551a2d022fa330f9573f3"),
        ("t10k-labels-idx1-ubyte.gz", "ec29112dd5afa0611ce80d1b7f02629c"),
    ),
}
(TRAIN_IMAGE_URL, TRAIN_IMAGE_MD5), (TRAIN_LABEL_URL, TRAIN_LABEL_MD5) = ((URL_PREFIX + name, md5) for name, md5 in _FILES["train"])
(TEST_IMAGE_URL, TEST_IMAGE_MD5), (TEST_LABEL_URL, TEST_LABEL_MD5) = ((URL_PREFIX + name, md5) for name, md5 in _FILES["test"])
_Reader = Callable[[], Iterator[tuple[np.ndarray, int]]]


def reader_creator(image_filename: str, label_filename: str, buffer_size: int) -> _Reader:
    """A reader of images, as 784 numbers from -1 to 1, and labels.

    Args:
        image_filename, label_filename: the files.
        buffer_size: of no effect.
    Returns:
        A reader.
    """

    def read() -> Iterator[tuple[np.ndarray, int]]:
        for image, label in zip(*images_and_labels(image_filename, label_filename)):
            yield image.astype("float32") / 255.0 * 2.0 - 1.0, int(label)

    return read


def _reader(part: str) -> _Reader:
    paths = [common.download(URL_PREFIX + name, "mnist", md5) for name, md5 in _FILES[part]]
    return reader_creator(paths[0], paths[1], 100)


def train() -> _Reader:
    """The training images.

    Returns:
        A reader of images, as 784 numbers from -1 to 1, and labels.

    Example:
        >>> import paddle_compat as paddle
        >>> image, label = next(paddle.dataset.mnist.train()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _reader("train")


def test() -> _Reader:
    """The test images.

    Returns:
        A reader of images, as 784 numbers from -1 to 1, and labels.

    Example:
        >>> import paddle_compat as paddle
        >>> image, label = next(paddle.dataset.mnist.test()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _reader("test")


__all__ = ["test", "train"]

__getattr__ = missing(__name__)
