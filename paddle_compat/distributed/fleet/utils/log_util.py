"""`paddle.distributed.fleet.utils.log_util`: what fleet says, and from which level on."""

from __future__ import annotations

import logging

from paddle_compat._missing import missing
from paddle_compat.base.log_helper import get_logger

logger = get_logger(
    "paddle.distributed.fleet.utils.log_util", logging.INFO, fmt="[%(asctime)s] [%(levelname)8s] %(filename)s:%(lineno)s - %(message)s"
)


def set_log_level(level: str | int) -> None:
    """From which level on fleet says something.

    Args:
        level (str|int): a level of Python's `logging`, by name or number.
    Raises:
        AssertionError: another type.
        ValueError: no such name.

    Example:
        >>> from paddle_compat.distributed import fleet
        >>> fleet.set_log_level("WARNING"); fleet.get_log_level_code(), fleet.get_log_level_name()
        (30, 'WARNING')
        >>> fleet.set_log_level("INFO")

    Follows Paddle 2.6.
    """
    if not isinstance(level, (str, int)):
        raise AssertionError(f"level's type must be str or int. Received: {level!r}")
    logger.setLevel(level if isinstance(level, int) else level.upper())


def get_log_level_code() -> int:
    """From which level on fleet says something, as a number.

    Returns:
        int: the level.

    Example:
        >>> from paddle_compat.distributed import fleet
        >>> fleet.get_log_level_code()
        20

    Follows Paddle 2.6.
    """
    return logger.getEffectiveLevel()


def get_log_level_name() -> str:
    """From which level on fleet says something, by name.

    Returns:
        str: the level.

    Example:
        >>> from paddle_compat.distributed import fleet
        >>> fleet.get_log_level_name()
        'INFO'

    Follows Paddle 2.6.
    """
    return logging.getLevelName(get_log_level_code())


def layer_to_str(base: str, *args: object, **kwargs: object) -> str:
    """A call as one writes it.

    Args:
        base (str): what is called.
        args: its arguments.
        kwargs: those with names.
    Returns:
        str.

    Example:
        >>> from paddle_compat.distributed.fleet.utils.log_util import layer_to_str
        >>> layer_to_str("Linear", 4, 8, bias_attr=False)
        'Linear(4, 8, bias_attr=False)'

    Follows Paddle 2.6.
    """
    return f"{base}({', '.join([*map(str, args), *(f'{name}={value}' for name, value in kwargs.items())])})"


__all__ = ["get_log_level_code", "get_log_level_name", "layer_to_str", "logger", "set_log_level"]

__getattr__ = missing(__name__)
