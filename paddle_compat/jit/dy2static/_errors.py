"""Errors of recorded functions name the user's own lines."""

from __future__ import annotations

import inspect
import linecache
import os
import traceback
from typing import Any

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.jit.dy2static.error import ERROR_DATA, ErrorData

_PACKAGE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    return [f for f in traceback.extract_tb(error.__traceback__) if not os.path.abspath(f.filename).startswith(_PACKAGE)]


def place_of(error: BaseException, function: Any) -> str:
    """`file:line` of the user's line where the error was raised; else of the function."""
    frames = [f for f in _frames(error)[1:] if not f.filename.startswith("<frozen")]
    if frames:
        return f"{frames[-1].filename}:{frames[-1].lineno}"
    code = inspect.unwrap(getattr(function, "__func__", function)).__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


def failure(error: Exception, function: Any) -> Exception:
    """The error with the user's lines in its text, of the same type where that can be made from a text."""
    frames = [f for f in _frames(error) if not f.filename.startswith("<frozen")]
    starts = [i for i, f in enumerate(frames) if f.name == getattr(function, "__name__", "")]
    lines = ["In transformed code:", ""]
    for frame in frames[starts[0] if starts else len(frames) - 1 :]:
        lines.append(f'    File "{frame.filename}", line {frame.lineno}, in {frame.name}')
        for number in range((frame.lineno or 1) - 2, (frame.lineno or 1) + 1):
            text = linecache.getline(frame.filename, number).rstrip()
            if text:
                lines.append(f"        {text}")
            if text.strip() and number == frame.lineno:
                lines.append(f"        {' ' * (len(text) - len(text.lstrip()))}{'~' * len(text.strip())} <--- HERE")
        lines.append("")
    lines.append(f"    {type(error).__name__}: {error}")
    text = "\n".join(lines)
    try:
        made = type(error)(text)
        if text not in str(made) and not isinstance(made, KeyError) or isinstance(error, UnsupportedError):
            raise TypeError
    except Exception:  # an exception that takes other arguments keeps its own
        setattr(error, "__notes__", [*getattr(error, "__notes__", []), text])  # noqa: B010 - shown since Python 3.11
        setattr(error, ERROR_DATA, ErrorData(error, error, text))
        return error
    made.__cause__ = error.__cause__
    setattr(made, ERROR_DATA, ErrorData(error, made, text))
    return made.with_traceback(error.__traceback__)
