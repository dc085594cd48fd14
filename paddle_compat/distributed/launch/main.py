"""The command line of the launcher: Paddle 1.8's options and 2.x's, in one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from paddle_compat import _alias
from paddle_compat._missing import missing
from paddle_compat.core.errors import EnforceNotMet, UnsupportedError
from paddle_compat.core.job import forget

if TYPE_CHECKING:
    from paddle_compat.distributed.launch._options import Options

__all__: list[str] = []


def launch(arguments: Sequence[str] | None = None) -> NoReturn:
    """Start the processes that the command line asks for, and leave with the exit status of the first that fails.

    Args:
        arguments: the words after `python -m paddle.distributed.launch`; None: those of this process.
    Raises:
        SystemExit: always: 0, what the first process that failed exited with, 128 and a signal's number, or 2 for a wrong option.

    Example:
        >>> from paddle_compat.distributed.launch.main import launch
        >>> launch(["--help"])  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        SystemExit: 0

    Follows Paddle 1.8 and 2.6.
    """
    from paddle_compat.distributed.launch._options import parse

    run(parse, sys.argv[1:] if arguments is None else arguments)


def run(parse: Callable[[Any], Options], arguments: Any) -> NoReturn:
    """Start what a command line asks for, and leave.

    Args:
        parse: makes options of it; arguments: the command line, or what was read from it.
    """
    try:
        options = parse(arguments)
        forget()  # the job that the launcher itself is one of
        _alias.install()  # the Pythons that a shell script starts find it, too
        sys.exit(_run(options))
    except (EnforceNotMet, UnsupportedError) as error:
        print(f"paddle.distributed.launch: {error}", file=sys.stderr)
        sys.exit(2)


def _run(options: Options) -> int:
    from paddle_compat.distributed.launch import _collective, _servers

    return _servers.run(options) if options.has_servers else _collective.run(options)


__getattr__ = missing(__name__)
