"""Files of numbers as MATLAB 5 writes them: what the labels of a data set of flowers come in."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

import numpy as np

_HEADER = 128
_MATRIX, _COMPRESSED = 14, 15
# the types of elements, by their numbers
_TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}


def arrays(path: str) -> dict[str, np.ndarray]:
    """The real arrays of numbers in a file, by their names.

    Raises:
        ValueError: it is none of MATLAB 5's, or it is damaged.
    """
    with open(path, "rb") as file:
        content = file.read()
    order = {b"IM": "<", b"MI": ">"}.get(content[126:128])
    if order is None:
        raise ValueError(f"{path} is damaged. Expected a file of MATLAB 5. Received: {content[:16]!r}")
    try:
        return dict(_array(data, order) for kind, data in _elements(content[_HEADER:], order) if kind == _MATRIX)
    except (struct.error, zlib.error, KeyError, IndexError, ValueError) as error:
        raise ValueError(f"{path} is damaged. Expected a file of MATLAB 5 with arrays of numbers. Received: {error!r}") from error


def _elements(content: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    """The type and the bytes of each element."""
    at = 0
    while at + 8 <= len(content):
        kind, size = struct.unpack_from(f"{order}II", content, at)
        if kind >> 16:  # four bytes at most, which take the place of the size
            kind, size, start, step = kind & 0xFFFF, kind >> 16, at + 4, 8
        else:
            start, step = at + 8, 8 + (size if kind == _COMPRESSED else -(-size // 8) * 8)
        data = content[start : start + size]
        if len(data) < size:
            raise IndexError(f"{size} bytes at {at}, of which {len(data)} are there")
        if kind == _COMPRESSED:
            yield from _elements(zlib.decompress(data), order)
        else:
            yield kind, data
        at += step
    if at < len(content):
        raise IndexError(f"{len(content) - at} bytes too many")


def _array(matrix: bytes, order: str) -> tuple[str, np.ndarray]:
    """A name and its array; the elements of a matrix are flags, sizes, the name and the numbers, column by column."""
    _, (_, sizes), (_, name), (kind, numbers), *_ = _elements(matrix, order)
    shape = np.frombuffer(sizes, f"{order}i4")
    return name.decode(), np.frombuffer(numbers, order + _TYPES[kind]).reshape(shape, order="F")
