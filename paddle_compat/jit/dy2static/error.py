"""`paddle.jit.dy2static.error`: what an error of a recorded function knows of itself."""

from __future__ import annotations

import traceback
from typing import NoReturn

from paddle_compat._missing import missing

ERROR_DATA = "Error data about original source code information and traceback."
DISABLE_ERROR_ENV_NAME = "TRANSLATOR_DISABLE_NEW_ERROR"
SIMPLIFY_ERROR_ENV_NAME = "TRANSLATOR_SIMPLIFY_NEW_ERROR"
DEFAULT_DISABLE_NEW_ERROR = 0
DEFAULT_SIMPLIFY_NEW_ERROR = 1


class Dy2StKeyError(KeyError):
    """A key that a recorded function does not find, whose text is not quoted as that of Python's own is.

    Example:
        >>> from paddle_compat.jit.dy2static.error import Dy2StKeyError
        >>> str(Dy2StKeyError("no 'a'"))
        "no 'a'"

    Follows Paddle 2.6.
    """

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class ErrorData:
    """The error that a function raised while it was recorded, and the one that its caller sees.

    Args:
        error (Exception): the former.
        told (Exception): the latter, whose text names the user's lines.
        message (str): that text.
        in_runtime (bool): whether what was recorded failed when it ran.
    """

    def __init__(self, error: Exception, told: Exception, message: str, in_runtime: bool = False) -> None:
        self.error_type: type[Exception] = type(error)
        self.error_value = error
        self.origin_traceback = traceback.extract_tb(error.__traceback__)
        self.in_runtime = in_runtime
        self._told, self._message = told, message

    def create_exception(self) -> Exception:
        """The error that the caller sees."""
        return self._told

    def create_message(self) -> str:
        """Its text."""
        return self._message

    def raise_new_exception(self) -> NoReturn:
        """Raise it."""
        raise self._told from None


__all__: list[str] = []

__getattr__ = missing(__name__)
