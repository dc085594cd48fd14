"""Reads descriptions as protobuf's text, which `text.py` and the real Paddle write, back into messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.proto import UNKNOWN, AttrType, Field, Message, fields

_TOKEN = re.compile(r"""\s+|\#[^\n]*|(?P<word>[\w.+-]+)|(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?P<mark>[{}<>:,;\[\]])""")
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|[xX]([0-9a-fA-F]{1,2})|(.))", re.DOTALL)
_LETTERS = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
_ENUMS: dict[tuple[str, str], Callable[[str], int]] = {
    ("VarType", "type"): lambda name: int(getattr(VarType, name)),
    ("TensorDesc", "data_type"): lambda name: int(getattr(VarType, name)),
    ("OpAttr", "type"): lambda name: AttrType[name].value,
    ("VarAttr", "type"): lambda name: AttrType[name].value,
    ("Scalar", "type"): lambda name: {"BOOLEAN": 1, "LONG": 2, "FLOAT64": 3, "COMPLEX128": 4}[name],
}


def message_from_text(text: str, kind: str, source: str = "<text>") -> Message:
    """A message that protobuf's text describes.

    Args:
        text: the description.
        kind: the message's name in `proto.MESSAGES`.
        source: what an error calls the text.
    Returns:
        The fields by name, as `proto.decode` gives them.
    Raises:
        InvalidArgumentError: it is no such description.

    Example:
        >>> message_from_text("data_type: FP32 dims: -1 dims: 3", "TensorDesc")
        {'data_type': 5, 'dims': [-1, 3]}
    """
    return _Reader(text, source).message(kind, None)


class _Reader:
    """The words of a text, one after another."""

    def __init__(self, text: str, source: str) -> None:
        self._source, self._line = source, 1
        self._words = self._split(text)
        self._next: tuple[str, str] = next(self._words)

    def _split(self, text: str) -> Iterator[tuple[str, str]]:
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None:
                raise self._wrong("a name, a value or a bracket", text[at : at + 20])
            if found.lastgroup is not None:
                yield found.lastgroup, found.group()
            self._line += found.group().count("\n")
            at = found.end()
        yield "end", "the end of the text"

    def _wrong(self, expected: str, received: str) -> InvalidArgumentError:
        return InvalidArgumentError(f"Invalid file {self._source}, line {self._line}. Expected {expected}. Received: {received!r}")

    def _take(self) -> tuple[str, str]:
        taken, self._next = self._next, next(self._words, ("end", "the end of the text"))
        return taken

    def _skip(self, *marks: str) -> bool:
        """Whether the next word is one of these; it is passed over then."""
        if self._next[0] == "mark" and self._next[1] in marks:
            self._take()
            return True
        return False

    def message(self, kind: str, closing: str | None) -> Message:
        """The fields up to a closing bracket, or to the text's end."""
        known = {field.name: field for field in fields(kind).values() if field.name != UNKNOWN}
        made: Message = {}
        while True:
            group, name = self._take()
            if (group, name) == (("end", "the end of the text") if closing is None else ("mark", closing)):
                return made
            field = known.get(name) if group == "word" else None
            if field is None:
                raise self._wrong(f"a field of {kind}", name)
            self._skip(":")
            if self._skip("["):
                values = []
                while not self._skip("]"):
                    values.append(self._value(kind, field))
                    self._skip(",")
            else:
                values = [self._value(kind, field)]
            self._skip(",", ";")
            if field.repeated:
                made.setdefault(name, []).extend(values)
            else:
                made[name] = values[-1]

    def _value(self, kind: str, field: Field) -> Any:
        for opening, closing in ("{}", "<>"):
            if self._skip(opening):
                return self.message(field.kind, closing)
        group, word = self._take()
        try:
            if field.kind == "string" and group == "text":
                parts = [_unescaped(word)]
                while self._next[0] == "text":
                    parts.append(_unescaped(self._take()[1]))
                return b"".join(parts).decode()
            if group == "word" and field.kind == "bool":
                return {"true": True, "false": False, "t": True, "f": False, "1": True, "0": False}[word]
            if group == "word" and field.kind in ("float", "double"):
                return float(word.removesuffix("f") if word[-2:-1].isdigit() else word)
            if group == "word" and field.kind in ("int32", "int64"):
                named = _ENUMS.get((kind, field.name))
                return named(word) if named is not None and not word.lstrip("-").isdigit() else int(word, 0)
        except (AttributeError, KeyError, TypeError, ValueError):
            pass
        raise self._wrong(f"a value of {field.kind} for {field.name}", word)


def _unescaped(quoted: str) -> bytes:
    def meant(found: re.Match[bytes]) -> bytes:
        octal, hexadecimal, letter = found.groups()
        if letter is not None:
            return _LETTERS.get(letter, letter)
        return bytes([int(octal, 8) & 255 if octal is not None else int(hexadecimal, 16)])

    return _ESCAPE.sub(meant, quoted[1:-1].encode())
