"""`paddle.jit.dy2static.logging_utils`: how much dynamic-to-static tells of its work."""

from __future__ import annotations

import ast
import logging
import os
import sys
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.jit.dy2static._harness import ast_to_source_code

VERBOSITY_ENV_NAME = "TRANSLATOR_VERBOSITY"
CODE_LEVEL_ENV_NAME = "TRANSLATOR_CODE_LEVEL"
DEFAULT_VERBOSITY = DEFAULT_CODE_LEVEL = -1
LOG_AllTransformer = 100  # the level of code that all rewritings are done with


class TranslatorLogger:
    """The one object that tells; levels that nobody set are the environment's."""

    _instance: TranslatorLogger | None = None
    logger: logging.Logger
    _echoes_log: bool
    _echoes_code: bool
    _verbosity_level: int | None
    _transformed_code_level: int | None

    def __new__(cls) -> TranslatorLogger:
        if cls._instance is None:
            made = cls._instance = super().__new__(cls)
            made.logger = logging.getLogger("Dynamic-to-Static")
            made.logger.setLevel(1)
            made._echoes_log = made._echoes_code = False
            made._verbosity_level = made._transformed_code_level = None
        return cls._instance

    @staticmethod
    def check_level(level: Any) -> int | None:
        """The level, where it is one, or None."""
        if level is not None and not isinstance(level, int):
            raise type_error("level", "int", level, "set_verbosity and set_code_level")
        return level

    @property
    def need_to_echo_log_to_stdout(self) -> bool:
        """Whether messages go to the standard output, too."""
        return self._echoes_log

    @need_to_echo_log_to_stdout.setter
    def need_to_echo_log_to_stdout(self, echoes: bool | None) -> None:
        self._echoes_log = bool(echoes)

    @property
    def need_to_echo_code_to_stdout(self) -> bool:
        """Whether rewritten code goes to the standard output, too."""
        return self._echoes_code

    @need_to_echo_code_to_stdout.setter
    def need_to_echo_code_to_stdout(self, echoes: bool | None) -> None:
        self._echoes_code = bool(echoes)

    @property
    def verbosity_level(self) -> int:
        """How much is logged."""
        return int(os.environ.get(VERBOSITY_ENV_NAME, DEFAULT_VERBOSITY)) if self._verbosity_level is None else self._verbosity_level

    @verbosity_level.setter
    def verbosity_level(self, level: Any) -> None:
        self._verbosity_level = self.check_level(level)

    @property
    def transformed_code_level(self) -> int:
        """After which rewriting code is logged."""
        level = self._transformed_code_level
        return int(os.environ.get(CODE_LEVEL_ENV_NAME, DEFAULT_CODE_LEVEL)) if level is None else level

    @transformed_code_level.setter
    def transformed_code_level(self, level: Any) -> None:
        self._transformed_code_level = self.check_level(level)

    def has_verbosity(self, level: int) -> bool:
        """Whether what has this level is logged."""
        return self.verbosity_level >= level

    def has_code_level(self, level: int) -> bool:
        """Whether code is logged after this rewriting."""
        return self.transformed_code_level == level

    def error(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Log an error."""
        self._tell(logging.ERROR, self.need_to_echo_log_to_stdout, msg, *args, **kwargs)

    def warn(self, msg: str, *args: Any, **kwargs: Any) -> None:
        """Log a warning, unless everything is silenced by a verbosity below -1."""
        if self.verbosity_level != -2:
            self._tell(logging.WARNING, self.need_to_echo_log_to_stdout, msg, *args, **kwargs)

    def log(self, level: int, msg: str, *args: Any, **kwargs: Any) -> None:
        """Log what has a level."""
        if self.has_verbosity(level):
            self._tell(logging.INFO, self.need_to_echo_log_to_stdout, f"(Level {level}) {msg}", *args, **kwargs)

    def log_transformed_code(self, level: int, ast_node: ast.AST, transformer_name: str, *args: Any, **kwargs: Any) -> None:
        """Log a rewritten tree."""
        if self.has_code_level(level):
            which = "last level" if level == LOG_AllTransformer else f"level {level}"
            text = f"After the {which} ast transformer: '{transformer_name}', the transformed code:\n{ast_to_source_code(ast_node)}"
            self._tell(logging.INFO, self.need_to_echo_code_to_stdout, "%s", text)

    def _tell(self, severity: int, also_to_stdout: bool, msg: str, *args: Any, **kwargs: Any) -> None:
        echo = logging.StreamHandler(sys.stdout) if also_to_stdout else None
        if echo is not None:
            self.logger.addHandler(echo)
        try:
            self.logger.log(severity, msg, *args, **kwargs)
        finally:
            if echo is not None:
                self.logger.removeHandler(echo)


_TRANSLATOR_LOGGER = TranslatorLogger()


def _check(also_to_stdout: Any, api: str) -> bool:
    if also_to_stdout is not None and not isinstance(also_to_stdout, bool):
        raise failed_assertion("also_to_stdout", "bool", also_to_stdout, api)
    return bool(also_to_stdout)


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
    _TRANSLATOR_LOGGER.verbosity_level = level
    _TRANSLATOR_LOGGER.need_to_echo_log_to_stdout = _check(also_to_stdout, "set_verbosity")


def set_code_level(level: int = LOG_AllTransformer, also_to_stdout: bool = False) -> None:
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
    _TRANSLATOR_LOGGER.transformed_code_level = level
    _TRANSLATOR_LOGGER.need_to_echo_code_to_stdout = _check(also_to_stdout, "set_code_level")


def get_verbosity() -> int:
    """How much is logged."""
    return _TRANSLATOR_LOGGER.verbosity_level


def get_code_level() -> int:
    """After which rewriting code is logged."""
    return _TRANSLATOR_LOGGER.transformed_code_level


error = _TRANSLATOR_LOGGER.error
warn = _TRANSLATOR_LOGGER.warn
log = _TRANSLATOR_LOGGER.log
log_transformed_code = _TRANSLATOR_LOGGER.log_transformed_code


def log_code(name: str, code: Any) -> None:
    """Log a function's rewritten code, where `set_code_level` asks for it; `code` gives the text."""
    if get_code_level() > 0:
        _TRANSLATOR_LOGGER._tell(
            logging.INFO, _TRANSLATOR_LOGGER.need_to_echo_code_to_stdout, "After the rewriting of `%s`:\n%s", name, code()
        )


__all__ = ["set_code_level", "set_verbosity"]

__getattr__ = missing(__name__)
