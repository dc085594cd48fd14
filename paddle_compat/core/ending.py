"""The status that a script ends with, where it goes wrong while it ends: Python itself exits with 0 then."""

from __future__ import annotations

import atexit
import logging
import os
import sys

_failed = False


def fail(error: BaseException) -> None:
    """Show an error, and have the script that ends exit with status 1.

    Args:
        error: which nobody can get any more.
    """
    global _failed
    _failed = True
    sys.excepthook(type(error), error, error.__traceback__)


def _exit() -> None:
    if not _failed:
        return
    processes = sys.modules.get("multiprocessing.util")
    if processes is not None:  # whose last act, as that of `logging`, is registered before this, and so would not come any more
        processes._exit_function()
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(1)


atexit.register(_exit)  # when Paddle is imported: what scripts register comes before it
