"""`paddle.base.log_helper`: loggers."""

from __future__ import annotations

import logging

from paddle_compat._missing import missing


def get_logger(name: str, level: int, fmt: str | None = None) -> logging.Logger:
    """A logger that writes to the error stream, and hands nothing on to other loggers.

    Args:
        name: its name.
        level: from which level on it writes.
        fmt: the form of its lines; None: the message alone.
    Returns:
        logging.Logger.

    Example:
        >>> import logging
        >>> from paddle_compat.base.log_helper import get_logger
        >>> get_logger("mine", logging.INFO, fmt="%(levelname)s %(message)s").propagate
        False

    Follows Paddle 1.8 and 2.6.
    """
    logger = logging.getLogger(name)
    logger.setLevel(level)
    handler = logging.StreamHandler()
    if fmt:
        handler.setFormatter(logging.Formatter(fmt=fmt))
    logger.addHandler(handler)
    logger.propagate = False
    return logger


__all__ = ["get_logger"]

__getattr__ = missing(__name__)
