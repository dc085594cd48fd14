"""`paddle.dataset.conll05`: sentences whose verbs are known, and what the other words are to each verb."""

from __future__ import annotations

import gzip
import tarfile
from collections.abc import Callable, Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.dataset import common
from paddle_compat.dataset._corpora import numbered_lines, stream

DATA_URL = "http://paddlemodels.bj.bcebos.com/conll05st/conll05st-tests.tar.gz"
DATA_MD5 = "387719152ae52d60422c016e92a742fc"
WORDDICT_URL = "http://paddlemodels.bj.bcebos.com/conll05st%2FwordDict.txt"
WORDDICT_MD5 = "ea7fb7d4c75cc6254716f0177a506baa"
VERBDICT_URL = "http://paddlemodels.bj.bcebos.com/conll05st%2FverbDict.txt"
VERBDICT_MD5 = "0d2977293bbb6cbefab5b0f97db1e77c"
TRGDICT_URL = "http://paddlemodels.bj.bcebos.com/conll05st%2FtargetDict.txt"
TRGDICT_MD5 = "d8c7f03ceb5fc2e5a0fa7503a4353751"
EMB_URL = "http://paddlemodels.bj.bcebos.com/conll05st%2Femb"
EMB_MD5 = "bf436eb0faa1f6f9103017f8be57cdb7"
UNK_IDX = 0
WORDS_NAME = "conll05st-release/test.wsj/words/test.wsj.words.gz"
PROPS_NAME = "conll05st-release/test.wsj/props/test.wsj.props.gz"

Sentence = tuple[list[str], str, list[str]]


def tags(brackets: list[str]) -> list[str]:
    """`(A0*`, `*`, `*)`, `*` -> B-A0, I-A0, I-A0, O.

    Raises:
        RuntimeError: something else is there.
    """
    found, kind, inside = [], "O", False
    for each in brackets:
        if "(" in each:
            kind, inside = each[1 : each.find("*")], ")" not in each
            found.append(f"B-{kind}")
        elif each == "*)" or (each == "*" and inside):
            found.append(f"I-{kind}")
            inside = each == "*"
        elif each == "*":
            found.append("O")
        else:
            raise RuntimeError(f"Unexpected label: {each}")
    return found


def sentences(path: str, words_name: str, props_name: str) -> Iterator[Sentence]:
    """Each sentence as often as it has verbs, with the verb and the tags of its words."""
    with tarfile.open(path) as archive, gzip.open(stream(archive, words_name)) as words, gzip.open(stream(archive, props_name)) as props:
        sentence: list[str] = []
        rows: list[list[str]] = []
        for word, line in zip(words, props):
            row = line.decode().split()
            if row:
                sentence.append(word.strip().decode())
                rows.append(row)
                continue
            verbs, *columns = zip(*rows) if rows else ((),)
            for verb, column in zip((each for each in verbs if each != "-"), columns):
                yield sentence, verb, tags(list(column))
            sentence, rows = [], []


def sample(sentence: Sentence, word_dict: dict[str, int], predicate_dict: dict[str, int], label_dict: dict[str, int]) -> tuple[Any, ...]:
    """Nine lists of numbers: words, five words around the verb, the verb, which words those five are, tags."""
    words, verb, labels = sentence
    place, length = labels.index("B-V"), len(words)
    near = range(place - 2, place + 3)
    context = ["bos" if at < 0 else "eos" if at >= len(labels) else words[at] for at in near]
    around = [[word_dict.get(word, UNK_IDX)] * length for word in context]
    mark = [int(at in near) for at in range(len(labels))]
    numbers = [word_dict.get(word, UNK_IDX) for word in words]
    return (numbers, *around, [predicate_dict.get(verb)] * length, mark, [label_dict.get(label) for label in labels])


def load_label_dict(filename: str) -> dict[str, int]:
    """Number the tags of a file.

    Args:
        filename (str): the file.
    Returns:
        dict: "B-" and "I-" with each kind, and last "O" -> its number. PYTHONHASHSEED decides the order of the kinds, as in Paddle.

    Example:
        >>> import paddle_compat as paddle
        >>> conll05 = paddle.dataset.conll05
        >>> tags = conll05.load_label_dict("targetDict.txt")  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    kinds = set()
    for line in load_dict(filename):
        if line.startswith(("B-", "I-")):
            kinds.add(line[2:])
    names = [f"{part}-{kind}" for kind in kinds for part in "BI"]
    return {name: number for number, name in enumerate([*names, "O"])}


def load_dict(filename: str) -> dict[str, int]:
    """Number the lines of a file.

    Args:
        filename (str): the file.
    Returns:
        dict: a line -> its number.

    Example:
        >>> import tempfile
        >>> import paddle_compat as paddle
        >>> with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        ...     print("the", "cat", sep="\\n", file=file, flush=True)
        ...     paddle.dataset.conll05.load_dict(file.name)
        {'the': 0, 'cat': 1}

    Follows Paddle 1.8 and 2.6.
    """
    with open(filename) as file:
        return numbered_lines(file)


def corpus_reader(data_path: str, words_name: str, props_name: str) -> Callable[[], Iterator[Sentence]]:
    """A reader of sentences in words.

    Args:
        data_path (str): the archive.
        words_name (str): the file of the words in it.
        props_name (str): the file of the verbs and brackets in it.
    Returns:
        A reader of a sentence, one of its verbs, and the tags of its words.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.dataset.conll05.corpus_reader("conll05st-tests.tar.gz", "words.gz", "props.gz")

    Follows Paddle 1.8 and 2.6.
    """
    return lambda: sentences(data_path, words_name, props_name)


def reader_creator(
    corpus_reader: Callable[[], Iterator[Sentence]],
    word_dict: dict[str, int] | None = None,
    predicate_dict: dict[str, int] | None = None,
    label_dict: dict[str, int] | None = None,
) -> Callable[[], Iterator[tuple[Any, ...]]]:
    """A reader of sentences in numbers.

    Args:
        corpus_reader (callable): what `corpus_reader` gives.
        word_dict, predicate_dict, label_dict (dict): what `get_dict` gives.
    Returns:
        A reader of nine lists: words, the words two before, before, at, after and two after the verb, the verb, which words those
        five are, tags.

    Example:
        >>> import paddle_compat as paddle
        >>> one = lambda: iter([(["cats", "sleep"], "sleep", ["B-A0", "B-V"])])
        >>> reader = paddle.dataset.conll05.reader_creator(one, {"cats": 1, "sleep": 2}, {"sleep": 0}, {"B-A0": 0, "B-V": 1})
        >>> next(reader())
        ([1, 2], [0, 0], [1, 1], [2, 2], [0, 0], [0, 0], [0, 0], [1, 1], [0, 1])

    Follows Paddle 1.8 and 2.6.
    """
    dicts = word_dict or {}, predicate_dict or {}, label_dict or {}
    return lambda: (sample(each, *dicts) for each in corpus_reader())


def get_dict() -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """Numbers for words, verbs and tags.

    Returns:
        Three dicts.

    Example:
        >>> import paddle_compat as paddle
        >>> words, verbs, tags = paddle.dataset.conll05.get_dict()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    words = load_dict(common.download(WORDDICT_URL, "conll05st", WORDDICT_MD5))
    verbs = load_dict(common.download(VERBDICT_URL, "conll05st", VERBDICT_MD5))
    return words, verbs, load_label_dict(common.download(TRGDICT_URL, "conll05st", TRGDICT_MD5))


def get_embedding() -> str:
    """A file of trained word vectors.

    Returns:
        str: its path.

    Example:
        >>> import paddle_compat as paddle
        >>> file = paddle.dataset.conll05.get_embedding()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return common.download(EMB_URL, "conll05st", EMB_MD5)


def test() -> Callable[[], Iterator[tuple[Any, ...]]]:
    """The sentences to test with, which are the free ones.

    Returns:
        A reader, see `reader_creator`.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.dataset.conll05.test()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    dicts = get_dict()
    return reader_creator(corpus_reader(common.download(DATA_URL, "conll05st", DATA_MD5), WORDS_NAME, PROPS_NAME), *dicts)


def fetch() -> None:
    """Download all files.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.conll05.fetch()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    get_dict()
    get_embedding()
    common.download(DATA_URL, "conll05st", DATA_MD5)


__all__ = ["corpus_reader", "fetch", "get_dict", "get_embedding", "load_dict", "load_label_dict", "reader_creator", "test"]

__getattr__ = missing(__name__)
