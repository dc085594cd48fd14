"""`paddle.dataset.flowers`: photographs of flowers, of 102 kinds."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset import common
from paddle_compat.dataset._matlab import arrays
from paddle_compat.dataset.image import load_image_bytes, simple_transform, wanted
from paddle_compat.reader import map_readers, xmap_readers

DATA_URL = "http://paddlemodels.bj.bcebos.com/flowers/102flowers.tgz"
LABEL_URL = "http://paddlemodels.bj.bcebos.com/flowers/imagelabels.mat"
SETID_URL = "http://paddlemodels.bj.bcebos.com/flowers/setid.mat"
DATA_MD5 = "52808999861908f626f3c1f4e79d11fa"
LABEL_MD5 = "e0620be6f572b9609742df49c70aed4d"
SETID_MD5 = "a5357ecc9cb78c4bef273ce3793fc85c"
# The part that its authors call the test's is the largest, and Paddle trains with it.
TRAIN_FLAG, TEST_FLAG, VALID_FLAG = "tstid", "trnid", "valid"
_MEANS = (103.94, 116.78, 123.68)
_Reader = Callable[[], Iterator[Any]]
_Mapper = Callable[[Any], Any]


def default_mapper(is_train: bool, sample: tuple[bytes, int]) -> tuple[np.ndarray, int]:
    """A sample as networks take it.

    Args:
        is_train: a part of the photograph that is drawn; else the middle.
        sample: a file's content and the kind.
    Returns:
        float32 [3 * 224 * 224], and the kind.

    Example:
        >>> import paddle_compat as paddle
        >>> content = open("flower.jpg", "rb").read()  # doctest: +SKIP
        >>> paddle.dataset.flowers.default_mapper(False, (content, 7))[0].shape  # doctest: +SKIP
        (150528,)

    Follows Paddle 1.8 and 2.6.
    """
    content, kind = sample
    return simple_transform(load_image_bytes(content), 256, 224, is_train, mean=_MEANS).flatten(), kind


train_mapper: _Mapper = functools.partial(default_mapper, True)
test_mapper: _Mapper = functools.partial(default_mapper, False)


def reader_creator(
    data_file: str,
    label_file: str,
    setid_file: str,
    dataset_name: str,
    mapper: _Mapper,
    buffered_size: int = 1024,
    use_xmap: bool = True,
    cycle: bool = False,
) -> _Reader:
    """A reader of the photographs of one part.

    Args:
        data_file: the archive of photographs.
        label_file: the file of kinds.
        setid_file: the file of parts.
        dataset_name: "tstid", "trnid" or "valid".
        mapper: what is done to a file's content and its kind, 0 to 101.
        buffered_size: how many samples are ready at most.
        use_xmap: map in threads, which keep no order.
        cycle: of no effect, as in Paddle 2.6.
    Returns:
        A reader.

    Example:
        >>> from paddle_compat.dataset import flowers
        >>> read = flowers.reader_creator("102flowers.tgz", "imagelabels.mat", "setid.mat", "valid", flowers.test_mapper)

    Follows Paddle 2.6.
    """

    def read() -> Iterator[tuple[bytes, int]]:
        kinds = arrays(label_file)["labels"].reshape(-1)
        numbers = arrays(setid_file)[dataset_name].reshape(-1)
        return wanted(data_file, {f"jpg/image_{int(number):05d}.jpg": int(kinds[int(number) - 1]) - 1 for number in numbers})

    if use_xmap:
        return xmap_readers(mapper, read, min(4, os.cpu_count() or 1), buffered_size)
    return map_readers(mapper, read)


def _files() -> tuple[str, str, str]:
    """The photographs, kinds and parts."""
    files = (DATA_URL, DATA_MD5), (LABEL_URL, LABEL_MD5), (SETID_URL, SETID_MD5)
    data, labels, parts = (common.download(url, "flowers", md5) for url, md5 in files)
    return data, labels, parts


def fetch() -> None:
    """Download the files.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.flowers.fetch()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    _files()


def train(mapper: _Mapper = train_mapper, buffered_size: int = 1024, use_xmap: bool = True, cycle: bool = False) -> _Reader:
    """The photographs to train with.

    Args:
        mapper, buffered_size, use_xmap, cycle: those of `reader_creator`.
    Returns:
        A reader of photographs, float32 [3 * 224 * 224], and kinds.

    Example:
        >>> import paddle_compat as paddle
        >>> image, kind = next(paddle.dataset.flowers.train()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return reader_creator(*_files(), TRAIN_FLAG, mapper, buffered_size, use_xmap, cycle)


def test(mapper: _Mapper = test_mapper, buffered_size: int = 1024, use_xmap: bool = True, cycle: bool = False) -> _Reader:
    """The photographs to test with.

    Args:
        mapper, buffered_size, use_xmap, cycle: those of `reader_creator`.
    Returns:
        A reader of photographs, float32 [3 * 224 * 224], and kinds.

    Example:
        >>> import paddle_compat as paddle
        >>> image, kind = next(paddle.dataset.flowers.test()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return reader_creator(*_files(), TEST_FLAG, mapper, buffered_size, use_xmap, cycle)


def valid(mapper: _Mapper = test_mapper, buffered_size: int = 1024, use_xmap: bool = True) -> _Reader:
    """The photographs to validate with.

    Args:
        mapper, buffered_size, use_xmap: those of `reader_creator`.
    Returns:
        A reader of photographs, float32 [3 * 224 * 224], and kinds.

    Example:
        >>> import paddle_compat as paddle
        >>> image, kind = next(paddle.dataset.flowers.valid()())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return reader_creator(*_files(), VALID_FLAG, mapper, buffered_size, use_xmap)


__all__ = ["fetch", "test", "train", "valid"]

__getattr__ = missing(__name__)
