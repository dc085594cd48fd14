"""`paddle.io.multiprocess_utils`: what is called when a process of a reader ends, and the news of children that died."""

from __future__ import annotations

import atexit
import os
import queue
import signal
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import FatalError, type_error

_watched: dict[int, tuple[int, ...]] = {}  # who started them -> processes


class CleanupFuncRegistrar:
    """Functions that are called once, when the process ends or is told to end."""

    _executed_func_set: set[Callable[[], Any]] = set()
    _registered_func_set: set[Callable[[], Any]] = set()

    @classmethod
    def register(cls, function: Callable[[], Any], signals: Iterable[int] = ()) -> None:
        """Call a function when the process ends.

        Args:
            function (callable): what is called, without arguments.
            signals (iterable): numbers of signals after which it is called as well.
        Raises:
            TypeError: it cannot be called.

        Example:
            >>> from paddle_compat.io.multiprocess_utils import CleanupFuncRegistrar
            >>> CleanupFuncRegistrar.register(lambda: None)

        Follows Paddle 1.8 and 2.6.
        """
        if not callable(function):
            raise type_error("function", "something that can be called", function, "CleanupFuncRegistrar.register")

        def once() -> None:
            if function not in cls._executed_func_set:
                cls._executed_func_set.add(function)
                function()

        for number in signals:
            former = signal.getsignal(number)

            def handle(number: int, frame: Any, former: Any = former) -> None:
                once()
                if callable(former):
                    former(number, frame)

            signal.signal(number, handle)
        if function not in cls._registered_func_set:
            atexit.register(once)
            cls._registered_func_set.add(function)


multiprocess_queue_set: set[Any] = set()


def _cleanup() -> None:
    """Empty the queues in `multiprocess_queue_set`; ours are torch's, as shared memory is, and leave nothing behind."""
    for full in multiprocess_queue_set:
        with suppress(queue.Empty):
            while True:
                full.get_nowait()
    multiprocess_queue_set.clear()


_cleanup_mmap = _clear_multiprocess_queue_set = _cleanup


def set_process_pids(owner: int, pids: Iterable[int]) -> None:
    """Watch these processes.

    Args:
        owner (int): who started them.
        pids (iterable): their numbers.

    Example:
        >>> import os
        >>> from paddle_compat.base import core
        >>> core._set_process_pids(1, [os.getpid()])
        >>> core._erase_process_pids(1)

    Follows Paddle 1.8 and 2.6.
    """
    _watched[owner] = tuple(pids)


def erase_process_pids(owner: int) -> None:
    """Watch them no longer.

    Args:
        owner (int): who started them.

    Example:
        >>> from paddle_compat.base import core
        >>> core._erase_process_pids(1)

    Follows Paddle 1.8 and 2.6.
    """
    _watched.pop(owner, None)


def set_process_signal_handler() -> None:
    """Of no effect: Python's own processes say by which signal they died, which `throw_error_if_process_failed` reads.

    Example:
        >>> from paddle_compat.base import core
        >>> core._set_process_signal_handler()

    Follows Paddle 1.8 and 2.6.
    """


def throw_error_if_process_failed() -> None:
    """Say so where a watched process has ended with an error or by a signal; it is not watched any longer.

    Raises:
        FatalError: one has.

    Example:
        >>> from paddle_compat.base import core
        >>> core._throw_error_if_process_failed()

    Follows Paddle 1.8 and 2.6.
    """
    for owner, pids in list(_watched.items()):
        for pid in pids:
            try:
                ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            except ChildProcessError:  # somebody has waited for it
                continue
            if ended is None or (ended.si_code == os.CLD_EXITED and ended.si_status == 0):
                continue
            erase_process_pids(owner)
            if ended.si_code == os.CLD_EXITED:
                how = f"exited unexpectedly with code {ended.si_status}"
            else:
                how = f"was killed by signal: {signal.strsignal(ended.si_status)}"
            text = f"(Fatal) DataLoader process (pid {pid}) {how}. Expected a clean end; what it raised is lost, num_workers=0 shows it."
            raise FatalError(text)


def _set_SIGCHLD_handler() -> None:
    """From here on, a watched process that dies raises an error in the main thread."""
    former = signal.getsignal(signal.SIGCHLD)

    def handle(number: int, frame: Any) -> None:
        throw_error_if_process_failed()
        if callable(former):
            former(number, frame)

    signal.signal(signal.SIGCHLD, handle)


__all__: list[str] = []

__getattr__ = missing(__name__)
