"""Messages of a `DistributedStrategy` as text, as protobuf writes and reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.distributed.fleet.base._messages import ENUMS, SCHEMA, Message, checked, fields

_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "'": "\\'", "\\": "\\\\"}
_READ = {"n": "\n", "r": "\r", "t": "\t", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_SKIPPED = re.compile(r"(?:\s|#[^\n]*)*")
_TOKEN = re.compile(r"""(?:(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?P<word>[-+]?[.\w](?:[\w.]|(?<=[eE])[-+])*)|(?P<mark>\S))""")
_BOOLS = {"true": True, "t": True, "True": True, "1": True, "false": False, "f": False, "False": False, "0": False}


def written(message: Message) -> str:
    """A message's lines.

    Args:
        message: the message.
    """
    return "".join(line + "\n" for line in _lines(message))


def _lines(message: Message) -> Iterator[str]:
    table = fields(message._kind)
    for name, held in message.given().items():
        kind = table[name].kind
        for value in held if table[name].repeated else [held]:
            if kind in SCHEMA:
                yield f"{name} {{"
                yield from ("  " + line for line in _lines(value))
                yield "}"
            else:
                yield f"{name}: {_scalar(kind, value)}"


def _scalar(kind: str, value: Any) -> str:
    if kind == "bool":
        return "true" if value else "false"
    if kind == "string":
        return '"' + "".join(_ESCAPES.get(c) or (c if c >= " " and c != "\x7f" else f"\\{ord(c):03o}") for c in value) + '"'
    if kind in ENUMS:
        return next(name for name, number in ENUMS[kind].items() if number == value)
    if kind not in ("float", "double"):
        return str(value)
    of, few, many = (np.float32, 6, 9) if kind == "float" else (np.float64, 15, 17)
    text = f"{value:.{few}g}"
    return text if of(text) == of(value) or value != value else f"{value:.{many}g}"


class ParseError(InvalidArgumentError):
    """A text is no message's."""


class _Tokens:
    """The tokens of a text, one at a time."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.kind, self.value = "", ""
        self.next()

    def next(self) -> str:
        """Go on to the next token; what it was before."""
        former = self.value
        found = _TOKEN.match(self.text, _SKIPPED.match(self.text, self.at).end())  # type: ignore[union-attr]
        if found is None:
            self.kind, self.value, self.start = "", "", len(self.text)
            return former
        self.kind = str(found.lastgroup)
        self.value, self.start, self.at = found[self.kind], found.start(self.kind), found.end()
        return former

    def take(self, mark: str) -> bool:
        """Whether the next token is that mark, which is then passed."""
        if self.kind == "mark" and self.value == mark:
            self.next()
            return True
        return False

    def expect(self, mark: str) -> None:
        if not self.take(mark):
            self.fail(f'Expected "{mark}".')

    def fail(self, what: str) -> NoReturn:
        line = self.text.count("\n", 0, self.start)
        column = self.start - (self.text.rfind("\n", 0, self.start) + 1)
        raise ParseError(f"{line + 1}:{column + 1} : '{(self.text.splitlines() or [''])[-1 if line else 0]}': {what}")


def read(text: str, message: Message) -> None:
    """Read a text into a message: what it says is set, lists are put behind those that are there.

    Args:
        text: as `written` gives it.
        message: where to.
    Raises:
        ParseError: the text is none of this message.
    """
    tokens = _Tokens(text)
    while tokens.kind:
        _field(tokens, message)


def _field(tokens: _Tokens, message: Message) -> None:
    if tokens.kind != "word":
        tokens.fail(f"Expected identifier or number, got {tokens.value}.")
    field = fields(message._kind).get(tokens.value)
    if field is None:
        tokens.fail(f'Message type "paddle.fleet.{message._kind}" has no field named "{tokens.value}".')
    tokens.next()
    if not tokens.take(":") and field.kind not in SCHEMA:
        tokens.fail('Expected ":".')
    many = field.repeated and tokens.take("[")
    while not (many and tokens.take("]")):
        if field.kind in SCHEMA:
            part = Message(field.kind) if field.repeated else getattr(message, field.name)
            _body(tokens, part)
            if field.repeated:
                getattr(message, field.name).append(part)
        elif field.repeated:
            message.extend(field.name, [_value(tokens, field.kind)])
        else:
            setattr(message, field.name, _value(tokens, field.kind))
        if not many:
            break
        if not tokens.take(","):
            tokens.expect("]")
            break
    if not tokens.take(","):
        tokens.take(";")


def _body(tokens: _Tokens, message: Message) -> None:
    end = ">" if tokens.take("<") else "}"
    if end == "}":
        tokens.expect("{")
    vars(message)["_seen"] = True
    while not tokens.take(end):
        if not tokens.kind:
            tokens.fail(f'Expected "{end}".')
        _field(tokens, message)


def _value(tokens: _Tokens, kind: str) -> Any:
    text = tokens.value
    if kind == "string":
        if tokens.kind != "text":
            cut_off = f"String missing ending quote: {tokens.text[tokens.start :]!r}"
            tokens.fail(cut_off if text in ('"', "'") else f"Expected string but found: {text!r}")
        parts = []
        while tokens.kind == "text":
            parts.append(re.sub(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)", _unescaped, tokens.next()[1:-1]))
        return "".join(parts)
    if kind == "bool":
        if tokens.kind != "word" or text not in _BOOLS:
            tokens.fail('Expected "true" or "false".')
        tokens.next()
        return _BOOLS[text]
    if kind in ENUMS and text in ENUMS[kind]:
        tokens.next()
        return ENUMS[kind][text]
    try:
        if kind in ("float", "double"):
            value: Any = float(text.rstrip("fF") if text[:1].isdigit() or text[:1] in ".-+" else text)
        else:
            digits = text.lstrip("-+")
            octal = len(digits) > 1 and digits.isdigit() and digits[0] == "0"
            value = int(text, 8 if octal else 0)
    except ValueError:
        what = "float" if kind in ("float", "double") else "integer"
        enum = f'Enum type "paddle.fleet.{kind}" has no value named {text}.'
        tokens.fail(enum if kind in ENUMS else f"Couldn't parse {what}: {text}")
    try:
        value = checked(kind, value)
    except ValueError:
        tokens.fail(f"Value out of range: {text}")
    tokens.next()
    return value


def _unescaped(found: re.Match[str]) -> str:
    mark = found[1]
    if mark[0] == "x" and len(mark) > 1:
        return chr(int(mark[1:], 16))
    if mark[0] in "01234567":
        return chr(int(mark, 8))
    return _READ.get(mark) or (mark if mark in "\"'\\?" else "\\" + mark)
