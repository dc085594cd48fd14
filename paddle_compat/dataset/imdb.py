"""`paddle.dataset.imdb`: reviews of films, good ones and bad ones."""

from __future__ import annotations

import re
import string
import tarfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.dataset import common
from paddle_compat.dataset._corpora import UNKNOWN, vocabulary

URL = "https://dataset.bj.bcebos.com/imdb%2FaclImdb_v1.tar.gz"
MD5 = "7c2ac02c03563afcf9b574c7e56c153a"
_Reader = Callable[[], Iterator[tuple[list[int], int]]]
_ALL = re.compile(r"aclImdb/(train|test)/(pos|neg)/.*\.txt$")


def documents(path: str, pattern: re.Pattern[str]) -> Iterator[list[bytes]]:
    """The words of each file in the archive whose name matches: lower case, without punctuation."""
    with tarfile.open(path) as archive:
        for member in archive:
            if pattern.match(member.name):
                content: Any = archive.extractfile(member)
                yield content.read().translate(None, string.punctuation.encode()).lower().split()


def numbers_of_words(words: Iterable[list[bytes]], cutoff: int) -> dict[Any, int]:
    """Numbers for the words that are there more often than `cutoff`."""
    return vocabulary(Counter(word for document in words for word in document), cutoff)


def reviews(path: str, mode: str, word_idx: dict[Any, int], *patterns: re.Pattern[str]) -> Iterator[tuple[list[int], int]]:
    """The numbers of each review's words, and 0 for a good one, 1 for a bad one."""
    for label, pattern in enumerate(patterns or (re.compile(rf"aclImdb/{mode}/{kind}/.*\.txt$") for kind in ("pos", "neg"))):
        for document in documents(path, pattern):
            yield [word_idx.get(word, word_idx[UNKNOWN]) for word in document], label


def tokenize(pattern: re.Pattern[str]) -> Iterator[list[bytes]]:
    """The words of some of the reviews.

    Args:
        pattern (re.Pattern): what the names of their files match.
    Returns:
        Lists of bytes.

    Example:
        >>> import re
        >>> import paddle_compat as paddle
        >>> words = next(paddle.dataset.imdb.tokenize(re.compile("aclImdb/train/pos")))  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return documents(common.download(URL, "imdb", MD5), pattern)


def build_dict(pattern: re.Pattern[str], cutoff: int) -> dict[Any, int]:
    """Number the words of some of the reviews.

    Args:
        pattern (re.Pattern): what the names of their files match.
        cutoff (int): words that are not there more often get no number of their own.
    Returns:
        dict: a word (bytes) -> its number; "<unk>" -> the number of all others.

    Example:
        >>> import re
        >>> import paddle_compat as paddle
        >>> words = paddle.dataset.imdb.build_dict(re.compile("aclImdb/train/pos"), 150)  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return numbers_of_words(tokenize(pattern), cutoff)


def reader_creator(pos_pattern: re.Pattern[str], neg_pattern: re.Pattern[str], word_idx: dict[Any, int]) -> _Reader:
    """A reader of some of the reviews.

    Args:
        pos_pattern (re.Pattern): what the names of the good ones' files match.
        neg_pattern (re.Pattern): what the names of the bad ones' files match.
        word_idx (dict): what `build_dict` gives.
    Returns:
        A reader of the numbers of a review's words, and 0 for a good one, 1 for a bad one.

    Example:
        >>> import re
        >>> import paddle_compat as paddle
        >>> imdb = paddle.dataset.imdb
        >>> reader = imdb.reader_creator(re.compile(".*pos"), re.compile(".*neg"), imdb.word_dict())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    samples = list(reviews(common.download(URL, "imdb", MD5), "", word_idx, pos_pattern, neg_pattern))
    return lambda: iter(samples)


def _half(mode: str, word_idx: dict[Any, int]) -> _Reader:
    samples = list(reviews(common.download(URL, "imdb", MD5), mode, word_idx))
    return lambda: iter(samples)


def train(word_idx: dict[Any, int]) -> _Reader:
    """The reviews to train with.

    Args:
        word_idx (dict): what `word_dict` gives.
    Returns:
        A reader of the numbers of a review's words, and 0 for a good one, 1 for a bad one.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.dataset.imdb.train(paddle.dataset.imdb.word_dict())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _half("train", word_idx)


def test(word_idx: dict[Any, int]) -> _Reader:
    """The reviews to test with.

    Args:
        word_idx (dict): what `word_dict` gives.
    Returns:
        A reader of the numbers of a review's words, and 0 for a good one, 1 for a bad one.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.dataset.imdb.test(paddle.dataset.imdb.word_dict())  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _half("test", word_idx)


def word_dict() -> dict[Any, int]:
    """Numbers for the words that are in all reviews more than 150 times.

    Returns:
        dict: a word (bytes) -> its number; "<unk>" -> the number of all others.

    Example:
        >>> import paddle_compat as paddle
        >>> words = paddle.dataset.imdb.word_dict()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return build_dict(_ALL, 150)


def fetch() -> None:
    """Download the reviews.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.imdb.fetch()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    common.download(URL, "imdb", MD5)


__all__ = ["build_dict", "fetch", "reader_creator", "test", "tokenize", "train", "word_dict"]

__getattr__ = missing(__name__)
