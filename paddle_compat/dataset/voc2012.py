"""`paddle.dataset.voc2012`: photographs, and what each of their points shows."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset import common
from paddle_compat.dataset._corpora import stream

VOC_URL = "https://dataset.bj.bcebos.com/voc/VOCtrainval_11-May-2012.tar"
VOC_MD5 = "6cd6e144f989b92b3379bac3b3de84fd"
SET_FILE = "VOCdevkit/VOC2012/ImageSets/Segmentation/{}.txt"
DATA_FILE = "VOCdevkit/VOC2012/JPEGImages/{}.jpg"
LABEL_FILE = "VOCdevkit/VOC2012/SegmentationClass/{}.png"
CACHE_DIR = "voc2012"
_Reader = Callable[[], Iterator[tuple[np.ndarray, np.ndarray]]]


def reader_creator(filename: str, sub_name: str) -> _Reader:
    """A reader of the photographs of one part.

    Args:
        filename: the archive.
        sub_name: "trainval", "train" or "val".
    Returns:
        A reader of photographs, uint8 [height, width, 3], and kinds, uint8 [height, width].

    Example:
        >>> from paddle_compat.dataset import voc2012
        >>> read = voc2012.reader_creator("VOCtrainval_11-May-2012.tar", "val")

    Follows Paddle 1.8 and 2.6.
    """

    def read() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        from paddle_compat.vision.image import need

        images: Any = need("PIL.Image", "arrays")
        with tarfile.open(filename) as archive:
            for name in stream(archive, SET_FILE.format(sub_name)).read().decode().split():
                contents = (stream(archive, file.format(name)).read() for file in (DATA_FILE, LABEL_FILE))
                image, kinds = (np.array(images.open(io.BytesIO(content))) for content in contents)
                yield image, kinds

    return read


def train() -> _Reader:
    """The photographs to train with: those of both parts.

    Returns:
        A reader of photographs, uint8 [height, width, 3], and kinds, uint8 [height, width].

    Example:
        >>> import paddle_compat as paddle
        >>> image, kinds = next(paddle.dataset.voc2012.train()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return reader_creator(common.download(VOC_URL, CACHE_DIR, VOC_MD5), "trainval")


def test() -> _Reader:
    """The photographs to test with: the archive's part for training, as in Paddle.

    Returns:
        A reader of photographs, uint8 [height, width, 3], and kinds, uint8 [height, width].

    Example:
        >>> import paddle_compat as paddle
        >>> image, kinds = next(paddle.dataset.voc2012.test()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return reader_creator(common.download(VOC_URL, CACHE_DIR, VOC_MD5), "train")


def val() -> _Reader:
    """The photographs to validate with.

    Returns:
        A reader of photographs, uint8 [height, width, 3], and kinds, uint8 [height, width].

    Example:
        >>> import paddle_compat as paddle
        >>> image, kinds = next(paddle.dataset.voc2012.val()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return reader_creator(common.download(VOC_URL, CACHE_DIR, VOC_MD5), "val")


__all__ = ["test", "train", "val"]

__getattr__ = missing(__name__)
