"""`paddle.distributed.fleet.utils.timer_helper`: how long the parts of a step take."""

from __future__ import annotations

import time

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion


class _Timer:
    """One stopwatch, which waits for the GPU where there is one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.elapsed_ = 0.0
        self.started_ = False
        self.start_time = time.time()

    def start(self) -> None:
        """Start it.

        Raises:
            AssertionError: it runs.
        """
        if self.started_:
            raise failed_assertion("timer", "one that stands: timer has already started", self.name, "start")
        self.start_time, self.started_ = _now(), True

    def stop(self) -> None:
        """Stop it, and add what it ran.

        Raises:
            AssertionError: it stands.
        """
        if not self.started_:
            raise failed_assertion("timer", "one that runs: timer is not started", self.name, "stop")
        self.elapsed_ += _now() - self.start_time
        self.started_ = False

    def reset(self) -> None:
        """Back to nothing, standing."""
        self.elapsed_, self.started_ = 0.0, False

    def elapsed(self, reset: bool = True) -> float:
        """The seconds that it ran; a running one goes on.

        Args:
            reset: begin again from nothing.
        """
        runs = self.started_
        if runs:
            self.stop()
        found = self.elapsed_
        if reset:
            self.reset()
        if runs:
            self.start()
        return found


def _now() -> float:
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        torch.cuda.synchronize()
    return time.time()


class Timers:
    """Stopwatches by name, each made when it is first asked for.

    Example:
        >>> from paddle_compat.distributed.fleet.utils.timer_helper import Timers
        >>> timers = Timers()
        >>> timers("forward").start(); timers("forward").stop()
        >>> timers("forward").elapsed(reset=False) < 1
        True
        >>> timers.log(["forward"], normalizer=1e6)
        time (ms) | forward: 0.00

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self.timers: dict[str, _Timer] = {}

    def __call__(self, name: str) -> _Timer:
        return self.timers.setdefault(name, _Timer(name))

    def log(self, names: list[str], normalizer: float = 1.0, reset: bool = True) -> None:
        """Print the milliseconds of some.

        Args:
            names (list): which.
            normalizer (float): what to divide them by, as the number of steps.
            reset (bool): they begin again from nothing.
        Raises:
            AssertionError: `normalizer` is not positive.
            KeyError: a name that nobody asked for.
        """
        if normalizer <= 0.0:
            raise failed_assertion("normalizer", "a positive number", normalizer, "Timers.log")
        shown = (f" | {name}: {self.timers[name].elapsed(reset=reset) * 1000 / normalizer:.2f}" for name in names)
        print(f"time (ms){''.join(shown)}", flush=True)


_GLOBAL_TIMERS: Timers | None = None


def is_timer_initialized() -> bool:
    """Whether `set_timers` was called.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.distributed.fleet.utils import timer_helper
        >>> timer_helper.is_timer_initialized() in (True, False)
        True

    Follows Paddle 2.6.
    """
    return _GLOBAL_TIMERS is not None


def set_timers() -> None:
    """Make this process's stopwatches.

    Raises:
        AssertionError: they are there.

    Example:
        >>> from paddle_compat.distributed.fleet.utils import timer_helper
        >>> if not timer_helper.is_timer_initialized():
        ...     timer_helper.set_timers()
        >>> timer_helper.is_timer_initialized()
        True

    Follows Paddle 2.6.
    """
    global _GLOBAL_TIMERS
    if _GLOBAL_TIMERS is not None:
        raise failed_assertion("timers", "one call: timers has been already initialized", "another call", "set_timers")
    _GLOBAL_TIMERS = Timers()


def get_timers() -> Timers:
    """This process's stopwatches.

    Returns:
        Timers.
    Raises:
        AssertionError: `set_timers` was not called.

    Example:
        >>> from paddle_compat.distributed.fleet.utils import timer_helper
        >>> if not timer_helper.is_timer_initialized():
        ...     timer_helper.set_timers()
        >>> timer_helper.get_timers()("backward").elapsed()
        0.0

    Follows Paddle 2.6.
    """
    if _GLOBAL_TIMERS is None:
        raise failed_assertion("timers", "set_timers() before: timers is not initialized", None, "get_timers")
    return _GLOBAL_TIMERS


__all__ = ["Timers", "get_timers", "is_timer_initialized", "set_timers"]
__getattr__ = missing(__name__)
