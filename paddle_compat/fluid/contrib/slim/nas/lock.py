"""`paddle.fluid.contrib.slim.nas.lock`: files that one process has to itself."""

from __future__ import annotations

import fcntl
from typing import Any

from paddle_compat._missing import missing


def lock(file: Any) -> None:
    """Wait until no other process has locked a file, and lock it.

    Args:
        file (file): an open file.

    Example:
        >>> import tempfile
        >>> from paddle_compat.fluid.contrib.slim.nas.lock import lock, unlock
        >>> with tempfile.TemporaryFile() as file:
        ...     lock(file); unlock(file)

    Follows Paddle 1.8.
    """
    fcntl.flock(file.fileno(), fcntl.LOCK_EX)


def unlock(file: Any) -> None:
    """Let other processes lock a file.

    Args:
        file (file): an open file that this process has locked.

    Example:
        >>> import tempfile
        >>> from paddle_compat.fluid.contrib.slim.nas.lock import lock, unlock
        >>> with tempfile.TemporaryFile() as file:
        ...     lock(file); unlock(file)

    Follows Paddle 1.8.
    """
    fcntl.flock(file.fileno(), fcntl.LOCK_UN)


__all__ = ["lock", "unlock"]

__getattr__ = missing(__name__)
