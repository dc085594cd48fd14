"""`paddle.jit.dy2static.logging_utils`: how much dynamic-to-static tells of its work."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, type_error

_logger = logging.getLogger("Dynamic-to-Static")
_levels: dict[str, int | None] = {"code": None, "verbosity": None}


def _set(what: str, level: Any, also_to_stdout: Any, api: str) -> None:
    if level is not None and (not isinstance(level, int) or isinstance(level, bool)):
        raise type_error("level", "int", level, api)
    if also_to_stdout is not None and not isinstance(also_to_stdout, bool):
        raise failed_assertion("also_to_stdout", "bool", also_to_stdout, api)
    _levels[what] = level
    shown = [handler for handler in _logger.handlers if getattr(handler, "stream", None) in (sys.stdout, sys.__stdout__)]
    for handler in shown:
        _logger.removeHandler(handler)
    if also_to_stdout:
        _logger.addHandler(logging.StreamHandler(sys.stdout))
    _logger.setLevel(logging.DEBUG)


def set_verbosity(level: int = 0, also_to_stdout: bool = False) -> None:
    """Set how much is logged.

    Args:
        level (int): the larger, the more; 0: nothing.
        also_to_stdout (bool): log to the standard output, too.
    Raises:
        TypeError: `level` is no int.
        AssertionError: `also_to_stdout` is no bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.jit.set_verbosity(0)

    Follows Paddle 2.6.
    """
    _set("verbosity", level, also_to_stdout, "set_verbosity")


def set_code_level(level: int = 100, also_to_stdout: bool = False) -> None:
    """Log the rewritten code of functions.

    Args:
        level (int): after which of the rewritings the code is logged; 0 for none. Ours is one rewriting.
        also_to_stdout (bool): log to the standard output, too.
    Raises:
        TypeError: `level` is no int.
        AssertionError: `also_to_stdout` is no bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.jit.set_code_level(0)

    Follows Paddle 2.6.
    """
    _set("code", level, also_to_stdout, "set_code_level")


def _level(what: str, variable: str) -> int:
    level = _levels[what]
    return int(os.environ.get(variable, "0") or 0) if level is None else level


def log_code(name: str, code: Any) -> None:
    """Log a function's rewritten code, where `set_code_level` asks for it; `code` gives the text."""
    if _level("code", "TRANSLATOR_CODE_LEVEL") > 0:
        _logger.info("After the rewriting of `%s`:\n%s", name, code())


__all__ = ["set_code_level", "set_verbosity"]

__getattr__ = missing(__name__)
