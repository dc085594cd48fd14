"""Loggers for training scripts: to the screen, and to a file."""

from __future__ import annotations

import logging
import os
import sys

from paddle_compat._missing import missing

__all__: list[str] = []

_FORM = "%(asctime)s - %(name)s - %(levelname)s - %(message)s"


def setup_logger(output: str | None = None, name: str = "hapi", log_level: int = logging.INFO) -> logging.Logger:
    """A logger that writes to standard output, of the first trainer only, and to a file.

    Args:
        output: a file whose name ends in .txt or .log, or a folder for `log.txt`; None: no file.
        name: the logger's name.
        log_level: what is written.
    Returns:
        The logger; one that has handlers already gets no more.

    Example:
        >>> from paddle_compat.hapi.logger import setup_logger
        >>> setup_logger(name="mine").name
        'mine'

    Follows Paddle 2.6.
    """
    logger = logging.getLogger(name)
    logger.propagate = False
    logger.setLevel(log_level)
    if logger.handlers:
        return logger
    trainer = int(os.getenv("PADDLE_TRAINER_ID", "0"))
    handlers: list[logging.Handler] = [] if trainer else [logging.StreamHandler(stream=sys.stdout)]
    if output is not None:
        path = output if output.endswith((".txt", ".log")) else os.path.join(output, "log.txt")
        path += f".rank{trainer}" if trainer else ""
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        handlers.append(logging.FileHandler(path))
    for handler in handlers:
        handler.setLevel(log_level)
        handler.setFormatter(logging.Formatter(_FORM))
        logger.addHandler(handler)
    return logger


__getattr__ = missing(__name__)
