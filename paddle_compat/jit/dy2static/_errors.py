"""Errors of recorded functions name the user's own lines."""

from __future__ import annotations

import ast
import inspect
import linecache
import os
import textwrap
import traceback
from typing import Any, NamedTuple

from paddle_compat.core.errors import (
    AlreadyExistsError,
    InvalidArgumentError,
    NotFoundError,
    OutOfRangeError,
    PreconditionNotMetError,
    UnimplementedError,
    UnknownDtypeError,
    UnsupportedError,
    WrongInputError,
)
from paddle_compat.engine.culprit import RECORDED_AT
from paddle_compat.jit.dy2static.error import (
    DEFAULT_DISABLE_NEW_ERROR,
    DISABLE_ERROR_ENV_NAME,
    ERROR_DATA,
    Dy2StKeyError,
    ErrorData,
)

# What Python's own exceptions are to Paddle 2, whose harnesses ask for the very type. Those that may be one or the other stay both.
_PYTHONS: dict[type[Exception], type[Exception]] = {
    AlreadyExistsError: RuntimeError, InvalidArgumentError: ValueError, NotFoundError: RuntimeError, OutOfRangeError: IndexError,
    PreconditionNotMetError: RuntimeError, UnimplementedError: NotImplementedError, UnknownDtypeError: TypeError,
}  # fmt: skip
_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    return [f for f in traceback.extract_tb(error.__traceback__) if not os.path.abspath(f.filename).startswith(_PACKAGE)]


def passed_the_package(error: BaseException) -> bool:
    """Whether an operator or a recording raised the error, or it came through one."""
    return any(os.path.abspath(f.filename).startswith(_PACKAGE) for f in traceback.extract_tb(error.__traceback__))


def place_of(error: BaseException, function: Any) -> str:
    """`file:line` of the user's line where the error was raised; else of the function."""
    frames = [f for f in _frames(error)[1:] if not f.filename.startswith("<frozen")]
    if frames:
        return f"{frames[-1].filename}:{frames[-1].lineno}"
    code = inspect.unwrap(getattr(function, "__func__", function)).__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


def failure(error: Exception, function: Any) -> Exception:
    """The error of a recording with the user's lines in its text, of the same type where that can be made from a text.

    Where ours stands for one of Python's, it is that one.
    """
    if type(error) is WrongInputError:  # a TypeError to Paddle's Python, which records, and a ValueError to what runs
        error = _as_python(error, TypeError)
    frames = [f for f in _frames(error) if not f.filename.startswith("<frozen")]
    starts = [i for i, f in enumerate(frames) if f.name == getattr(function, "__name__", "")]
    return _explained(error, [Line.of(f.filename, f.lineno or 1, f.name) for f in frames[starts[0] if starts else len(frames) - 1 :]])


def failed_run(error: Exception) -> Exception:
    """The error of a recorded Program's run with the user's line that recorded the operator which failed."""
    place = getattr(error, RECORDED_AT, None)
    return error if place is None or place[0].startswith(_PACKAGE) else _explained(error, [Line.of(*place)], True)


class Line(NamedTuple):
    """A line of the user's, at the beginning of a statement, and the function that it stands in."""

    file: str
    number: int
    function: str

    @classmethod
    def of(cls, file: str, number: int, function: str) -> Line:
        """The statement that a line belongs to; a part of a rewritten function has that function's name."""
        try:
            tree = ast.parse("".join(linecache.getlines(file)))
        except SyntaxError:
            return cls(file, number, function)
        name = function
        for node in ast.walk(tree):  # what lies further inside comes later
            if isinstance(node, ast.stmt) and node.lineno <= number <= (node.end_lineno or node.lineno):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and function.startswith("_pd_"):
                    name = node.name
                elif not hasattr(node, "body"):
                    number = node.lineno
                    break
        return cls(file, number, name)

    def text(self, last: bool) -> list[str]:
        """What is said of it: of the last one with the lines around it."""
        said = [f'    File "{self.file}", line {self.number}, in {self.function}']
        if not last:
            return [*said, "\t" + linecache.getline(self.file, self.number).strip()]
        numbers = [n for n in range(self.number - 2, self.number + 3) if n > 0]
        around = textwrap.dedent("\n".join(linecache.getline(self.file, n).rstrip() for n in numbers)).split("\n")
        for number, line in zip(numbers, around):
            said.append(" " * 8 + line)
            if number == self.number:
                said.append(" " * (8 + len(line) - len(line.lstrip())) + "~" * len(line.strip()) + " <--- HERE")
        return [*said, ""]


def _as_python(error: Exception, kind: type[Exception]) -> Exception:
    made = kind(*error.args)
    made.__cause__, made.__dict__ = error.__cause__, {**vars(error)}
    return made.with_traceback(error.__traceback__)


def _explained(error: Exception, lines: list[Line], in_runtime: bool = False) -> Exception:
    if type(error) in _PYTHONS:
        error = _as_python(error, _PYTHONS[type(error)])
    lines = [line for line, next_line in zip(lines, [*lines[1:], None]) if line != next_line]  # a loop and what fails in it
    told = [text for place, line in enumerate(lines, 1) for text in line.text(place == len(lines))]
    text = "\n".join(["In transformed code:", "", *told, f"    {type(error).__name__}: {error}"])
    if os.getenv(DISABLE_ERROR_ENV_NAME, str(DEFAULT_DISABLE_NEW_ERROR)) != "0":
        setattr(error, ERROR_DATA, ErrorData(error, error, text, in_runtime))
        return error
    try:
        made = Dy2StKeyError(text) if type(error) is KeyError else type(error)(text)
        if text not in str(made) or isinstance(error, UnsupportedError):
            raise TypeError
    except Exception:  # an exception that takes other arguments keeps its own
        setattr(error, "__notes__", [*getattr(error, "__notes__", []), text])  # noqa: B010 - shown since Python 3.11
        setattr(error, ERROR_DATA, ErrorData(error, error, text, in_runtime))
        return error
    made.__cause__ = error.__cause__
    setattr(made, ERROR_DATA, ErrorData(error, made, text, in_runtime))
    return made.with_traceback(error.__traceback__)
