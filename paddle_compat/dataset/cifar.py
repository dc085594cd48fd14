"""`paddle.dataset.cifar`: small photographs of 10 or 100 kinds of things."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset import common
from paddle_compat.dataset._files import cifar_batches

URL_PREFIX = "https://dataset.bj.bcebos.com/cifar/"
_FILES = {
    10: ("cifar-10-python.tar.gz", "c58f30108f718f92721af3b95e74349a"),
    100: ("cifar-100-python.tar.gz", "eb9058c3a382ffc7106e4002c42a8d85"),
}
CIFAR10_URL, CIFAR10_MD5 = URL_PREFIX + _FILES[10][0], _FILES[10][1]
CIFAR100_URL, CIFAR100_MD5 = URL_PREFIX + _FILES[100][0], _FILES[100][1]
_Reader = Callable[[], Iterator[tuple[np.ndarray, int]]]


def reader_creator(filename: str, sub_name: str, cycle: bool = False) -> _Reader:
    """A reader of images, as 3072 numbers from 0 to 1, and labels.

    Args:
        filename: the archive.
        sub_name: what the names of the files in it have.
        cycle: whether it begins again at the end.
    Returns:
        A reader.
    """

    def read() -> Iterator[tuple[np.ndarray, int]]:
        while True:
            for images, labels in cifar_batches(filename, sub_name):
                for image, label in zip(images, labels):
                    yield (image / 255.0).astype(np.float32), int(label)
            if not cycle:
                return

    return read


def _reader(kinds: int, part: str, cycle: bool = False) -> _Reader:
    name, md5 = _FILES[kinds]
    return reader_creator(common.download(URL_PREFIX + name, "cifar", md5), part, cycle)


def train100() -> _Reader:
    """The training images of 100 kinds.

    Returns:
        A reader of images, as 3072 numbers from 0 to 1, and labels.

    Example:
        >>> import paddle_compat as paddle
        >>> image, label = next(paddle.dataset.cifar.train100()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _reader(100, "train")


def test100() -> _Reader:
    """The test images of 100 kinds.

    Returns:
        A reader of images, as 3072 numbers from 0 to 1, and labels.

    Example:
        >>> import paddle_compat as paddle
        >>> image, label = next(paddle.dataset.cifar.test100()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _reader(100, "test")


def train10(cycle: bool = False) -> _Reader:
    """The training images of 10 kinds.

    Args:
        cycle: whether it begins again at the end.
    Returns:
        A reader of images, as 3072 numbers from 0 to 1, and labels.

    Example:
        >>> import paddle_compat as paddle
        >>> image, label = next(paddle.dataset.cifar.train10()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _reader(10, "data_batch", cycle)


def test10(cycle: bool = False) -> _Reader:
    """The test images of 10 kinds.

    Args:
        cycle: whether it begins again at the end.
    Returns:
        A reader of images, as 3072 numbers from 0 to 1, and labels.

    Example:
        >>> import paddle_compat as paddle
        >>> image, label = next(paddle.dataset.cifar.test10()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _reader(10, "test_batch", cycle)


__all__ = ["test10", "test100", "train10", "train100"]

__getattr__ = missing(__name__)
