"""`paddle.distributed.backup_env`: variables that the environment may have lost."""

from __future__ import annotations

import json
import os
from typing import Any

from paddle_compat._missing import missing


def getenv_or_backup(name: str, default: Any = None) -> Any:
    """A variable of the environment, or what the file PADDLE_BACKUP_ENV_PATH says of it.

    Args:
        name (str): of the variable.
        default: where neither has it.
    Returns:
        str: its value, or `default`.

    Example:
        >>> from paddle_compat.distributed.backup_env import getenv_or_backup
        >>> getenv_or_backup("NOBODY_SET_THIS", "0")
        '0'

    Follows Paddle 2.6.
    """
    if name in os.environ:
        return os.environ[name]
    path = os.environ.get("PADDLE_BACKUP_ENV_PATH")
    if path is None:
        return default
    with open(path) as file:
        return json.load(file).get(name, default)


__all__ = ["getenv_or_backup"]
__getattr__ = missing(__name__)
