"""What readers of text corpora have in common: files in archives, vocabularies, pairs of sentences."""

from __future__ import annotations

import tarfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

UNKNOWN = "<unk>"


def stream(archive: tarfile.TarFile, name: str) -> Any:
    """A file in an archive.

    Raises:
        ValueError: it is not there.
    """
    try:
        found = archive.extractfile(name)
    except KeyError:
        found = None
    if found is None:
        received = f"{archive.getnames()[:5]} in {archive.name!r}"
        raise ValueError(f"The archive is another one. Expected a file {name!r} in it. Received: {received}")
    return found


def vocabulary(counts: Mapping[Any, int], above: int) -> dict[Any, int]:
    """Numbers for the words that are there more often than `above`, frequent ones first; the last number is for all others."""
    kept = [(-count, word if isinstance(word, bytes) else word.encode(), word) for word, count in counts.items() if count > above]
    numbers = {word: number for number, (_, _, word) in enumerate(sorted(kept, key=lambda each: each[:2]))}
    return {**numbers, UNKNOWN: len(numbers)}


def numbered_lines(lines: Iterable[Any], size: int | None = None) -> dict[str, int]:
    """Line -> its number; the first `size` lines of text or bytes."""
    numbers = {}
    for number, line in enumerate(lines):
        if number == size:
            break
        numbers[line.strip() if isinstance(line, str) else line.strip().decode()] = number
    return numbers


def columns(lines: Iterable[bytes]) -> Iterator[list[str]]:
    """The two sentences of each line that has two, between which is a tabulator."""
    for line in lines:
        parts = line.decode().strip().split("\t")
        if len(parts) == 2:
            yield parts


def translations(
    lines: Iterable[bytes], source: Mapping[str, int], target: Mapping[str, int], unknown: int, column: int = 0, longest: int | None = None
) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """The numbers of each line's words: the source with its marks, the target after its first mark, the target before its last.

    Args:
        lines: pairs of sentences.
        source, target: word -> number.
        unknown: the number of other words.
        column: which sentence of a line is the source.
        longest: pairs with a longer side are left out.
    """
    for parts in columns(lines):
        words = ["<s>", *parts[column].split(), "<e>"]
        ids = [source.get(word, unknown) for word in words]
        answer = [target.get(word, unknown) for word in parts[1 - column].split()]
        if longest is None or max(len(ids), len(answer)) <= longest:
            yield ids, [target["<s>"], *answer], [*answer, target["<e>"]]
