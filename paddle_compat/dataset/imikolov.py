"""`paddle.dataset.imikolov`: sentences of the Penn Treebank, for language models."""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.dataset import common
from paddle_compat.dataset._corpora import UNKNOWN, stream, vocabulary

URL = "https://dataset.bj.bcebos.com/imikolov%2Fsimple-examples.tgz"
MD5 = "30177ea32e27c525793142b6bf2c8e2d"
_Reader = Callable[[], Iterator[tuple[Any, ...]]]
_FILE = "./simple-examples/data/ptb.{}.txt"


class DataType:
    """What a reader gives: windows of n words, or a sentence and the words that follow each of its words.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.imikolov.DataType.SEQ
        2

    Follows Paddle 1.8 and 2.6.
    """

    NGRAM = 1
    SEQ = 2


def numbers_of_words(path: str, min_word_freq: int) -> dict[Any, int]:
    """Numbers for the words that are there more often in the sentences to train and to validate with."""
    with tarfile.open(path) as archive:
        counts = word_count(stream(archive, _FILE.format("valid")), word_count(stream(archive, _FILE.format("train"))))
    counts.pop(UNKNOWN, None)
    return vocabulary(counts, min_word_freq)


def samples(path: str, name: str, word_idx: dict[Any, int], n: int, data_type: int) -> Iterator[tuple[Any, ...]]:
    """Windows or sentences of a file in the archive.

    Raises:
        AssertionError: a window without a length, or another data_type.
    """
    unknown = word_idx[UNKNOWN]
    with tarfile.open(path) as archive:
        for line in stream(archive, name):
            words = [word_idx.get(word, unknown) for word in line.split()]
            if data_type == DataType.NGRAM:
                assert n > -1, f"Invalid gram length. Expected at least 0. Received: {n}"
                marked = [word_idx.get("<s>", unknown), *words, word_idx.get("<e>", unknown)]
                yield from (tuple(marked[end - n : end]) for end in range(n, len(marked) + 1))
            else:
                assert data_type == DataType.SEQ, f"Unknown data type. Expected NGRAM or SEQ. Received: {data_type!r}"
                if n <= 0 or len(words) < n:
                    yield [word_idx["<s>"], *words], [*words, word_idx["<e>"]]


def word_count(f: Iterable[bytes], word_freq: dict[Any, int] | None = None) -> dict[Any, int]:
    """Count words, and the beginnings and ends of lines.

    Args:
        f (iterable): lines.
        word_freq (dict): counts to add to.
    Returns:
        dict: a word (bytes), "<s>" or "<e>" -> how often it is there.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.imikolov.word_count([b"a b a"])
        {b'a': 2, b'b': 1, '<s>': 1, '<e>': 1}

    Follows Paddle 1.8 and 2.6.
    """
    counts: dict[Any, int] = {} if word_freq is None else word_freq
    for line in f:
        for word in (*line.split(), "<s>", "<e>"):
            counts[word] = counts.get(word, 0) + 1
    return counts


def build_dict(min_word_freq: int = 50) -> dict[Any, int]:
    """Number the words.

    Args:
        min_word_freq (int): words that are not there more often get no number of their own.
    Returns:
        dict: a word (bytes), "<s>" or "<e>" -> its number; "<unk>" -> the number of all others.

    Example:
        >>> import paddle_compat as paddle
        >>> words = paddle.dataset.imikolov.build_dict()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return numbers_of_words(common.download(URL, "imikolov", MD5), min_word_freq)


def reader_creator(filename: str, word_idx: dict[Any, int], n: int, data_type: int) -> _Reader:
    """A reader of one of the archive's files.

    Args:
        filename (str): its name.
        word_idx (dict): what `build_dict` gives.
        n (int): the length of a window; of sentences, the longest, 0 for all.
        data_type (int): DataType.NGRAM or DataType.SEQ.
    Returns:
        A reader of windows, or of sentences and what follows each of their words.

    Example:
        >>> import paddle_compat as paddle
        >>> imikolov = paddle.dataset.imikolov
        >>> file = "./simple-examples/data/ptb.test.txt"
        >>> reader = imikolov.reader_creator(file, imikolov.build_dict(), 5, imikolov.DataType.NGRAM)  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return lambda: samples(common.download(URL, "imikolov", MD5), filename, word_idx, n, data_type)


def train(word_idx: dict[Any, int], n: int, data_type: int = DataType.NGRAM) -> _Reader:
    """The sentences to train with.

    Args:
        word_idx (dict): what `build_dict` gives.
        n (int): the length of a window; of sentences, the longest, 0 for all.
        data_type (int): DataType.NGRAM or DataType.SEQ.
    Returns:
        A reader of windows, or of sentences and what follows each of their words.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.dataset.imikolov.train(paddle.dataset.imikolov.build_dict(), 5)  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return reader_creator(_FILE.format("train"), word_idx, n, data_type)


def test(word_idx: dict[Any, int], n: int, data_type: int = DataType.NGRAM) -> _Reader:
    """The sentences to validate with.

    Args:
        word_idx (dict): what `build_dict` gives.
        n (int): the length of a window; of sentences, the longest, 0 for all.
        data_type (int): DataType.NGRAM or DataType.SEQ.
    Returns:
        A reader of windows, or of sentences and what follows each of their words.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.dataset.imikolov.test(paddle.dataset.imikolov.build_dict(), 5)  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return reader_creator(_FILE.format("valid"), word_idx, n, data_type)


def fetch() -> None:
    """Download the sentences.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.imikolov.fetch()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    common.download(URL, "imikolov", MD5)


__all__ = ["DataType", "build_dict", "fetch", "reader_creator", "test", "train", "word_count"]

__getattr__ = missing(__name__)
