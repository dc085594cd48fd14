"""`paddle.dataset.wmt14`: English and French sentences of the workshop on machine translation of 2014."""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.dataset import common
from paddle_compat.dataset._corpora import numbered_lines, stream, translations

URL_DEV_TEST = "http://www-lium.univ-lemans.fr/~schwenk/cslm_joint_paper/data/dev+test.tgz"
MD5_DEV_TEST = "7d7897317ddd8ba0ae5c5fa7248d3ff5"
URL_TRAIN = "http://paddlemodels.bj.bcebos.com/wmt/wmt14.tgz"
MD5_TRAIN = "0791583d57d5beb693b9414c5b36798c"
URL_MODEL = "http://paddlemodels.bj.bcebos.com/wmt%2Fwmt14.tgz"
MD5_MODEL = "0cb4a5366189b6acba876491c8724fa3"
START, END, UNK = "<s>", "<e>", "<unk>"
UNK_IDX = 2
# Longer sides leave a pair out.
_LONGEST = 80
_Reader = Callable[[], Iterator[tuple[list[int], list[int], list[int]]]]


def dictionaries(path: str, size: int) -> tuple[dict[str, int], dict[str, int]]:
    """The first words of the archive's two dictionaries."""
    with tarfile.open(path) as archive:
        names = archive.getnames()
        found = []
        for ending in ("src.dict", "trg.dict"):
            files = [name for name in names if name.endswith(ending)]
            assert len(files) == 1, f"{path} is another archive than expected. Expected one file {ending} in it. Received: {files}"
            found.append(numbered_lines(stream(archive, files[0]), size))
    return found[0], found[1]


def pairs(path: str, ending: str, source: dict[str, int], target: dict[str, int]) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """The sentences in the archive's files whose names end so."""
    with tarfile.open(path) as archive:
        for name in archive.getnames():
            if name.endswith(ending):
                yield from translations(stream(archive, name), source, target, UNK_IDX, longest=_LONGEST)


def reversed_if(reverse: bool, dicts: tuple[dict[str, int], dict[str, int]]) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Number -> word instead of word -> number."""
    first, second = ({number: word for word, number in each.items()} if reverse else each for each in dicts)
    return first, second


def reader_creator(tar_file: str, file_name: str, dict_size: int) -> _Reader:
    """A reader of some of an archive's files.

    Args:
        tar_file (str): the archive.
        file_name (str): what the files' names end with: "train/train".
        dict_size (int): how many words of each language have numbers of their own.
    Returns:
        A reader of three lists: the source with its marks, the target after `<s>`, the target before `<e>`.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.dataset.wmt14.reader_creator("wmt14.tgz", "train/train", 30000)

    Follows Paddle 1.8 and 2.6.
    """

    def read() -> Iterator[tuple[list[int], list[int], list[int]]]:
        return pairs(tar_file, file_name, *dictionaries(tar_file, dict_size))

    return read


def _half(file_name: str, dict_size: int) -> _Reader:
    return reader_creator(common.download(URL_TRAIN, "wmt14", MD5_TRAIN), file_name, dict_size)


def train(dict_size: int) -> _Reader:
    """The sentences to train with.

    Args:
        dict_size (int): how many words of each language have numbers of their own.
    Returns:
        A reader, see `reader_creator`.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.dataset.wmt14.train(30000)  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _half("train/train", dict_size)


def test(dict_size: int) -> _Reader:
    """The sentences to test with.

    Args:
        dict_size (int): how many words of each language have numbers of their own.
    Returns:
        A reader, see `reader_creator`.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.dataset.wmt14.test(30000)  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _half("test/test", dict_size)


def gen(dict_size: int) -> _Reader:
    """The sentences to translate.

    Args:
        dict_size (int): how many words of each language have numbers of their own.
    Returns:
        A reader, see `reader_creator`.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.dataset.wmt14.gen(30000)  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _half("gen/gen", dict_size)


def get_dict(dict_size: int, reverse: bool = True) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """The words of both languages.

    Args:
        dict_size (int): how many words of each language.
        reverse (bool): number -> word; False: word -> number.
    Returns:
        Two dicts: of the source, of the target.

    Example:
        >>> import paddle_compat as paddle
        >>> source, target = paddle.dataset.wmt14.get_dict(30000)  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return reversed_if(reverse, dictionaries(common.download(URL_TRAIN, "wmt14", MD5_TRAIN), dict_size))


def fetch() -> None:
    """Download the sentences and a trained model.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.wmt14.fetch()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    common.download(URL_TRAIN, "wmt14", MD5_TRAIN)
    common.download(URL_MODEL, "wmt14", MD5_MODEL)


__all__ = ["fetch", "gen", "get_dict", "reader_creator", "test", "train"]

__getattr__ = missing(__name__)
