"""`python -m paddle.distributed.launch_ps`: parameter servers and trainers, as Paddle 1.8 starts them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from paddle_compat._missing import missing

__all__: list[str] = []


def start(arguments: Sequence[str] | None = None) -> NoReturn:
    """Start servers and trainers, and leave with the exit status of the first that fails.

    Args:
        arguments: the words after `python -m paddle.distributed.launch_ps`; None: those of this process.

    Follows Paddle 1.8.
    """
    from paddle_compat.distributed.launch._options import parse_servers
    from paddle_compat.distributed.launch.main import run

    run(parse_servers, sys.argv[1:] if arguments is None else arguments)


__getattr__ = missing(__name__)

if __name__ == "__main__":
    start()
