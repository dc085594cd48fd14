"""`paddle.dataset.mq2007`: questions, and how relevant documents are to them, to learn an order from."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.dataset import common

URL = "http://www.bigdatalab.ac.cn/benchmark/upload/download_source/7b6dbbe2-842c-11e4-a536-bcaec51b9163_MQ2007.rar"
MD5 = "7be1640ae95c6408dab0ae7207bdc706"
_WORDS = 48  # of a line: the relevance, the question, and 46 features


class Query:
    """A document, as an answer to a question.

    Args:
        query_id: the question.
        relevance_score: how relevant the document is, 0 to 2.
        feature_vector: numbers that describe it.
        description: what the line says behind `#`.

    Example:
        >>> from paddle_compat.dataset.mq2007 import Query
        >>> str(Query(10, 2, [0.5, 1.0]))
        '2 10 0.5 1.0'

    Follows Paddle 1.8.
    """

    def __init__(
        self, query_id: int = -1, relevance_score: int = -1, feature_vector: list[float] | None = None, description: str = ""
    ) -> None:
        self.query_id = query_id
        self.relevance_score = relevance_score
        self.feature_vector = [] if feature_vector is None else feature_vector
        self.description = description

    def __str__(self) -> str:
        return f"{self.relevance_score} {self.query_id} {' '.join(map(str, self.feature_vector))}"

    def _parse_(self, text: str) -> Query | None:
        """Take what a line says; None, with a line of output, where it has another number of words."""
        place = text.find("#")
        words = text[:place].split()
        self.description = text[place + 1 :].strip()
        if len(words) != _WORDS:
            sys.stdout.write(f"expect {_WORDS} space split parts, get {len(words)}")
            return None
        self.relevance_score, self.query_id = int(words[0]), int(words[1].split(":")[1])
        self.feature_vector += [float(word.split(":")[1]) for word in words[2:]]
        return self


class QueryList:
    """The documents of one question.

    Args:
        querylist: a list of `Query`.
    Raises:
        ValueError: they are of several questions.

    Example:
        >>> from paddle_compat.dataset.mq2007 import Query, QueryList
        >>> len(QueryList([Query(3, 1), Query(3, 0)]))
        2

    Follows Paddle 1.8.
    """

    def __init__(self, querylist: list[Query] | None = None) -> None:
        self.query_id = -1
        self.querylist: list[Query] = [] if querylist is None else querylist
        for query in self.querylist:
            self._belongs(query)

    def __iter__(self) -> Iterator[Query]:
        return iter(self.querylist)

    def __len__(self) -> int:
        return len(self.querylist)

    def __getitem__(self, i: int) -> Query:
        return self.querylist[i]

    def _belongs(self, query: Query) -> None:
        if self.query_id not in (-1, query.query_id):
            raise ValueError(f"query in list must be same query_id. Expected {self.query_id}. Received: {query.query_id}")
        self.query_id = query.query_id

    def _correct_ranking_(self) -> None:
        self.querylist.sort(key=lambda query: query.relevance_score, reverse=True)

    def _add_query(self, query: Query) -> None:
        self._belongs(query)
        self.querylist.append(query)


def _ranked(querylist: Any) -> QueryList:
    """The documents, the most relevant first."""
    found = querylist if isinstance(querylist, QueryList) else QueryList(querylist)
    found._correct_ranking_()
    return found


def gen_plain_txt(querylist: Any) -> Iterator[tuple[int, int, np.ndarray]]:
    """A question's documents with all that is known.

    Args:
        querylist: a QueryList or list of `Query`.
    Returns:
        An iterator of (question, relevance, features), the most relevant first.

    Example:
        >>> from paddle_compat.dataset.mq2007 import Query, gen_plain_txt
        >>> [row[:2] for row in gen_plain_txt([Query(3, 0), Query(3, 2)])]
        [(3, 2), (3, 0)]

    Follows Paddle 1.8.
    """
    ranked = _ranked(querylist)
    return ((ranked.query_id, query.relevance_score, np.array(query.feature_vector)) for query in ranked)


def gen_point(querylist: Any) -> Iterator[tuple[int, np.ndarray]]:
    """A question's documents, each alone.

    Args:
        querylist: a QueryList or list of `Query`.
    Returns:
        An iterator of (relevance, features), the most relevant first.

    Example:
        >>> from paddle_compat.dataset.mq2007 import Query, gen_point
        >>> [relevance for relevance, _ in gen_point([Query(3, 0), Query(3, 2)])]
        [2, 0]

    Follows Paddle 1.8.
    """
    return ((query.relevance_score, np.array(query.feature_vector)) for query in _ranked(querylist))


def gen_pair(querylist: Any, partial_order: str = "full") -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """All pairs of a question's documents of which one is more relevant.

    Args:
        querylist: a QueryList or list of `Query`.
        partial_order: of no effect, as in Paddle.
    Returns:
        An iterator of ([1], features of the more relevant one, features of the other).

    Example:
        >>> from paddle_compat.dataset.mq2007 import Query, gen_pair
        >>> [(more.tolist(), less.tolist()) for _, more, less in gen_pair([Query(3, 0, [0.5]), Query(3, 2, [0.25])])]
        [([0.25], [0.5])]

    Follows Paddle 1.8.
    """
    ranked = _ranked(querylist)
    for place, more in enumerate(ranked):
        for less in ranked.querylist[place + 1 :]:
            if more.relevance_score > less.relevance_score:
                yield np.array([1]), np.array(more.feature_vector), np.array(less.feature_vector)


def gen_list(querylist: Any) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """A question's documents as one sample.

    Args:
        querylist: a QueryList or list of `Query`.
    Returns:
        An iterator of one pair: relevances [documents, 1] and features [documents, features], the most relevant first.

    Example:
        >>> from paddle_compat.dataset.mq2007 import Query, gen_list
        >>> next(gen_list([Query(3, 0, [0.5]), Query(3, 2, [0.25])]))[0].tolist()
        [[2], [0]]

    Follows Paddle 1.8.
    """
    ranked = _ranked(querylist)
    yield np.array([[query.relevance_score] for query in ranked]), np.array([query.feature_vector for query in ranked])


def query_filter(querylists: Sequence[QueryList]) -> list[QueryList]:
    """The questions that any document is relevant to.

    Args:
        querylists: a list of QueryList.
    Returns:
        Those of them.

    Example:
        >>> from paddle_compat.dataset.mq2007 import Query, QueryList, query_filter
        >>> len(query_filter([QueryList([Query(3, 0)]), QueryList([Query(4, 1)])]))
        1

    Follows Paddle 1.8.
    """
    return [querylist for querylist in querylists if sum(query.relevance_score for query in querylist)]


def load_from_text(filepath: str, shuffle: bool = False, fill_missing: int = -1) -> list[QueryList]:
    """The questions of a file.

    Args:
        filepath: its path in the archive, which is downloaded; what an unpacked archive has beside it is taken.
        shuffle, fill_missing: of no effect, as in Paddle.
    Returns:
        A list of QueryList; neighbouring lines of one question are in one.

    Example:
        >>> from paddle_compat.dataset.mq2007 import load_from_text
        >>> load_from_text("MQ2007/MQ2007/Fold1/vali.txt")  # doctest: +SKIP

    Follows Paddle 1.8.
    """
    found: list[QueryList] = []
    with open(_unpacked(filepath)) as lines:
        for line in lines:
            query = Query()._parse_(line)
            if query is not None:
                if not found or found[-1].query_id != query.query_id:
                    found.append(QueryList())
                found[-1]._add_query(query)
    return found


def _unpacked(filepath: str) -> str:
    """The path of a file of the archive."""
    archive = fetch()
    path = os.path.join(os.path.dirname(archive), filepath)
    if not os.path.exists(path):
        try:
            import rarfile  # type: ignore[import-not-found]
        except ImportError as error:
            wanted = f"`rarfile` is needed to unpack {archive}. Expected it installed, or the archive unpacked beside itself."
            raise ImportError(f"{wanted} Received: {error}") from error
        rarfile.RarFile(archive).extractall(path=os.path.dirname(archive))
    return path


def _read(filepath: str, format: str = "pairwise", shuffle: bool = False, fill_missing: int = -1) -> Iterator[Any]:
    for querylist in query_filter(load_from_text(filepath, shuffle, fill_missing)):
        if format == "pairwise":
            yield from gen_pair(querylist)
        elif format in _FIRST:
            yield next(_FIRST[format](querylist))


_FIRST: dict[str, Any] = {"plain_txt": gen_plain_txt, "pointwise": gen_point, "listwise": gen_list}

train = functools.partial(_read, filepath="MQ2007/MQ2007/Fold1/train.txt")
test = functools.partial(_read, filepath="MQ2007/MQ2007/Fold1/test.txt")


def fetch() -> str:
    """Download the archive.

    Returns:
        Its path.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.mq2007.fetch()  # doctest: +SKIP

    Follows Paddle 1.8.
    """
    return common.download(URL, "MQ2007", MD5)


__all__ = ["fetch", "test", "train"]

__getattr__ = missing(__name__)
