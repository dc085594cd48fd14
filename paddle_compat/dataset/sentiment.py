"""`paddle.dataset.sentiment`: reviews of films, and whether they praise, from the corpus of NLTK."""

from __future__ import annotations

import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator

from paddle_compat._missing import missing
from paddle_compat.dataset import common

URL = "https://corpora.bj.bcebos.com/movie_reviews%2Fmovie_reviews.zip"
MD5 = "155de2b77c6834dd8eea7cbe88e93acb"
NUM_TRAINING_INSTANCES = 1600
NUM_TOTAL_INSTANCES = 2000
_WORD = re.compile(r"\w+|[^\w\s]+")  # NLTK's words: letters and digits, or what is neither
_Sample = tuple[list[int], int]


def _reviews() -> tuple[list[list[str]], list[list[str]]]:
    """The words of all reviews that blame, and of those that praise, in the order of their files' names."""
    with zipfile.ZipFile(fetch()) as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".txt"))
        blaming, praising = (
            [_WORD.findall(archive.read(name).decode()) for name in names if f"/{kind}/" in name] for kind in ("neg", "pos")
        )
    return blaming, praising


def get_word_dict() -> list[tuple[str, int]]:
    """All words and their numbers.

    Returns:
        A list of (word, number), frequent words first.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.sentiment.get_word_dict()[0]  # doctest: +SKIP
        (',', 0)

    Follows Paddle 1.8.
    """
    return _numbered(*_reviews())


def _numbered(blaming: Iterable[list[str]], praising: Iterable[list[str]]) -> list[tuple[str, int]]:
    counts = Counter(word for reviews in (blaming, praising) for words in reviews for word in words)
    return [(word, number) for number, (word, _) in enumerate(counts.most_common())]


def load_sentiment_data() -> list[_Sample]:
    """All reviews, one that blames and one that praises in turn.

    Returns:
        A list of (numbers of the words, 0 for blame or 1 for praise).

    Example:
        >>> import paddle_compat as paddle
        >>> len(paddle.dataset.sentiment.load_sentiment_data())  # doctest: +SKIP
        2000

    Follows Paddle 1.8.
    """
    blaming, praising = _reviews()
    numbers = dict(_numbered(blaming, praising))
    pairs = zip(blaming, praising)
    return [([numbers[word.lower()] for word in words], kind) for pair in pairs for kind, words in enumerate(pair)]


def train() -> Iterator[_Sample]:
    """The first 1600 reviews.

    Returns:
        An iterator (of which Paddle makes no reader) of numbers of words and 0 or 1.

    Example:
        >>> import paddle_compat as paddle
        >>> words, praise = next(paddle.dataset.sentiment.train())  # doctest: +SKIP

    Follows Paddle 1.8.
    """
    return iter(load_sentiment_data()[:NUM_TRAINING_INSTANCES])


def test() -> Iterator[_Sample]:
    """The other reviews.

    Returns:
        An iterator (of which Paddle makes no reader) of numbers of words and 0 or 1.

    Example:
        >>> import paddle_compat as paddle
        >>> words, praise = next(paddle.dataset.sentiment.test())  # doctest: +SKIP

    Follows Paddle 1.8.
    """
    return iter(load_sentiment_data()[NUM_TRAINING_INSTANCES:])


def fetch() -> str:
    """Download the archive.

    Returns:
        Its path.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.sentiment.fetch()  # doctest: +SKIP

    Follows Paddle 1.8.
    """
    return common.download(URL, "corpora", MD5, "movie_reviews.zip")


__all__ = ["get_word_dict", "test", "train"]

__getattr__ = missing(__name__)
