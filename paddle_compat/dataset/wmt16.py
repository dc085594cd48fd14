"""`paddle.dataset.wmt16`: English and German descriptions of pictures, of the workshop on machine translation of 2016."""

from __future__ import annotations

import os
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.dataset import common
from paddle_compat.dataset._corpora import columns, numbered_lines, stream, translations

DATA_URL = "http://paddlemodels.bj.bcebos.com/wmt/wmt16.tar.gz"
DATA_MD5 = "0c38be43600334966403524a40dcd81e"
TOTAL_EN_WORDS = 11250
TOTAL_DE_WORDS = 19220
START_MARK, END_MARK, UNK_MARK = "<s>", "<e>", "<unk>"
_Reader = Callable[[], Iterator[tuple[list[int], list[int], list[int]]]]


def other(lang: str) -> str:
    """The other language."""
    return "de" if lang == "en" else "en"


def clipped(size: int, lang: str) -> int:
    """A size of a dictionary, at most all words of a language."""
    return min(size, TOTAL_EN_WORDS if lang == "en" else TOTAL_DE_WORDS)


def dictionary_path(lang: str, size: int) -> str:
    """Where the words of a language are kept once they have been counted."""
    return os.path.join(common.DATA_HOME, "wmt16", f"{lang}_{size}.dict")


def dictionary(path: str, size: int, lang: str, counted: str | None = None) -> dict[str, int]:
    """The marks and the most frequent words of the training sentences; from their file, if it has as many as asked for.

    Args:
        path: the archive.
        size: how many, with the three marks.
        lang: the language that names the file.
        counted: the language that is counted; None: the same.
    """
    file = dictionary_path(lang, size)
    if not os.path.exists(file) or _lines(file) != size:
        counts: Counter[str] = Counter()
        with tarfile.open(path) as archive:
            for parts in columns(stream(archive, "wmt16/train")):
                counts.update(parts[(counted or lang) != "en"].split())
        words = [word for word, _ in counts.most_common(max(size - 3, 0) if size >= 3 else None)]
        os.makedirs(os.path.dirname(file), exist_ok=True)
        part = f"{file}.{os.getpid()}.part"
        with open(part, "w", encoding="utf-8", newline="\n") as output:
            output.write("".join(f"{word}\n" for word in (START_MARK, END_MARK, UNK_MARK, *words)))
        os.replace(part, file)
    with open(file, "rb") as lines:
        return numbered_lines(lines)


def _lines(file: str) -> int:
    with open(file, "rb") as lines:
        return sum(1 for _ in lines)


def pairs(
    path: str, name: str, source: dict[str, int], target: dict[str, int], lang: str
) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """The sentences of a file in the archive; `lang` is the source."""
    with tarfile.open(path) as archive:
        yield from translations(stream(archive, name), source, target, source[UNK_MARK], int(lang != "en"))


def reader_creator(tar_file: str, file_name: str, src_dict_size: int, trg_dict_size: int, src_lang: str) -> _Reader:
    """A reader of a file in an archive.

    Args:
        tar_file (str): the archive.
        file_name (str): "wmt16/train", "wmt16/test" or "wmt16/val".
        src_dict_size, trg_dict_size (int): how many words of the source and the target have numbers, with three marks.
        src_lang (str): the source, "en" or "de".
    Returns:
        A reader of three lists: the source with its marks, the target after `<s>`, the target before `<e>`.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.dataset.wmt16.reader_creator("wmt16.tar.gz", "wmt16/val", 3000, 3000, "en")

    Follows Paddle 1.8 and 2.6.
    """

    def read() -> Iterator[tuple[list[int], list[int], list[int]]]:
        source = dictionary(tar_file, src_dict_size, src_lang)
        return pairs(tar_file, file_name, source, dictionary(tar_file, trg_dict_size, other(src_lang)), src_lang)

    return read


def _part(name: str, src_dict_size: int, trg_dict_size: int, src_lang: str) -> _Reader:
    if src_lang not in ("en", "de"):
        raise ValueError(f"An error language type. Expected src_lang to be 'en' (English) or 'de' (German). Received: {src_lang!r}")
    sizes = clipped(src_dict_size, src_lang), clipped(trg_dict_size, other(src_lang))
    return reader_creator(common.download(DATA_URL, "wmt16", DATA_MD5, "wmt16.tar.gz"), f"wmt16/{name}", *sizes, src_lang)


def train(src_dict_size: int, trg_dict_size: int, src_lang: str = "en") -> _Reader:
    """The sentences to train with.

    Args:
        src_dict_size, trg_dict_size (int): how many words of the source and the target have numbers, with three marks.
        src_lang (str): the source, "en" or "de".
    Returns:
        A reader, see `reader_creator`.
    Raises:
        ValueError: another language.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.dataset.wmt16.train(3000, 3000)  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _part("train", src_dict_size, trg_dict_size, src_lang)


def test(src_dict_size: int, trg_dict_size: int, src_lang: str = "en") -> _Reader:
    """The sentences to test with.

    Args:
        src_dict_size, trg_dict_size (int): how many words of the source and the target have numbers, with three marks.
        src_lang (str): the source, "en" or "de".
    Returns:
        A reader, see `reader_creator`.
    Raises:
        ValueError: another language.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.dataset.wmt16.test(3000, 3000)  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _part("test", src_dict_size, trg_dict_size, src_lang)


def validation(src_dict_size: int, trg_dict_size: int, src_lang: str = "en") -> _Reader:
    """The sentences to validate with.

    Args:
        src_dict_size, trg_dict_size (int): how many words of the source and the target have numbers, with three marks.
        src_lang (str): the source, "en" or "de".
    Returns:
        A reader, see `reader_creator`.
    Raises:
        ValueError: another language.

    Example:
        >>> import paddle_compat as paddle
        >>> reader = paddle.dataset.wmt16.validation(3000, 3000)  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    return _part("val", src_dict_size, trg_dict_size, src_lang)


def get_dict(lang: str, dict_size: int, reverse: bool = False) -> dict[Any, Any]:
    """The words of a language, once a reader has counted them.

    Args:
        lang (str): "en" or "de".
        dict_size (int): how many, with three marks.
        reverse (bool): number -> word instead of word -> number.
    Returns:
        dict.
    Raises:
        AssertionError: they have not been counted.

    Example:
        >>> import paddle_compat as paddle
        >>> words = paddle.dataset.wmt16.get_dict("en", 3000)  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    size = clipped(dict_size, lang)
    path = dictionary_path(lang, size)
    assert os.path.exists(path), f"Word dictionary does not exist. Expected a reader to have counted the words before. Received: {path}"
    words = dictionary(os.path.join(common.DATA_HOME, "wmt16", "wmt16.tar.gz"), size, lang)
    return {number: word for word, number in words.items()} if reverse else words


def fetch() -> None:
    """Download the sentences.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.dataset.wmt16.fetch()  # doctest: +SKIP

    Follows Paddle 1.8 and 2.6.
    """
    common.download(DATA_URL, "wmt16", DATA_MD5, "wmt16.tar.gz")


__all__ = ["fetch", "get_dict", "reader_creator", "test", "train", "validation"]

__getattr__ = missing(__name__)
