"""`paddle.distributed.utils.log_utils`: loggers."""

from __future__ import annotations

import logging

from paddle_compat._missing import missing


def get_logger(log_level: int | str, name: str = "root") -> logging.Logger:
    """A logger that writes time, level, place and text, and hands nothing on to its parents.

    Args:
        log_level (int): what is less important is left out.
        name (str): the logger's name.
    Returns:
        logging.Logger.

    Example:
        >>> import logging
        >>> from paddle_compat.distributed.utils.log_utils import get_logger
        >>> get_logger(logging.INFO, "trainer").getEffectiveLevel() == logging.INFO
        True

    Follows Paddle 2.6.
    """
    logger = logging.getLogger(name)
    logger.setLevel(log_level)
    logger.propagate = False
    if not logger.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(levelname)s %(asctime)s %(filename)s:%(lineno)d] %(message)s"))
        logger.addHandler(handler)
    return logger


__all__ = ["get_logger"]
__getattr__ = missing(__name__)
