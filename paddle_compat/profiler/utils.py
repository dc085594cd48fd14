"""`paddle.profiler.utils`: ranges with names, and what exported files would give back."""

from __future__ import annotations

import warnings
from contextlib import ContextDecorator
from types import TracebackType
from typing import Any, NoReturn

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.profiler import _recording
from paddle_compat.profiler.timer import running_profilers
from paddle_compat.static._native_kinds import TracerEventType

_OF_SCRIPTS = (
    TracerEventType.Dataloader, TracerEventType.ProfileStep, TracerEventType.Forward, TracerEventType.Backward,
    TracerEventType.Optimization, TracerEventType.PythonOp, TracerEventType.PythonUserDefined,
)  # fmt: skip


class RecordEvent(ContextDecorator):
    """A range of a script with a name: a block, a function that it decorates, or what lies between `begin` and `end`.

    It counts while a Profiler records; at other times it does nothing.

    Args:
        name (str): its name in tables and traces.
        event_type (TracerEventType): its kind; one of Dataloader, ProfileStep, Forward, Backward, Optimization, PythonOp and
            PythonUserDefined. Others are passed over with a warning.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat import profiler
        >>> with profiler.RecordEvent("add"):
        ...     (paddle.ones([2]) + 1).tolist()
        [2.0, 2.0]

    Follows Paddle 2.6.
    """

    def __init__(self, name: str, event_type: TracerEventType = TracerEventType.PythonUserDefined) -> None:
        self.name = name
        self.event_type = event_type
        self.event: Any = None

    def __enter__(self) -> RecordEvent:
        self.begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.end()

    def begin(self) -> None:
        """Begin the range.

        Example:
            >>> from paddle_compat import profiler
            >>> event = profiler.RecordEvent("load")
            >>> event.begin(); event.end()

        Follows Paddle 2.6.
        """
        recording = _recording.running()
        if recording is None:
            return
        if self.event_type not in _OF_SCRIPTS:
            allowed = ", ".join(each.name for each in _OF_SCRIPTS)
            message = f"RecordEvent passes over {self.name!r}. Expected event_type to be one of {allowed}. Received: {self.event_type}"
            warnings.warn(message, stacklevel=2)
            return
        self.event = recording.mark(str(self.name), self.event_type)

    def end(self) -> None:
        """End the range.

        Example:
            >>> from paddle_compat import profiler
            >>> profiler.RecordEvent("never begun").end()

        Follows Paddle 2.6.
        """
        event, self.event = self.event, None
        if event is not None:
            event.__exit__(None, None, None)


def load_profiler_result(filename: str) -> NoReturn:
    """Read what `export(format="pb")` of a Paddle wrote: not there.

    Args:
        filename (str): the file.
    Returns:
        Nothing: it raises.
    Raises:
        UnsupportedError: always; traces are written as JSON here, which chrome://tracing and `json` read.

    Example:
        >>> from paddle_compat import profiler
        >>> profiler.load_profiler_result("profile.pb")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        paddle_compat.core.errors.UnsupportedError: `paddle.profiler.load_profiler_result` is not supported ...

    Follows Paddle 2.6.
    """
    raise UnsupportedError("paddle.profiler.load_profiler_result", None, "Profiler.export(path), whose JSON `json.load` reads")


def in_profiler_mode() -> bool:
    """Whether a Profiler that records is between `start` and `stop`.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.profiler.utils import in_profiler_mode
        >>> in_profiler_mode()
        False

    Follows Paddle 2.6.
    """
    return bool(running_profilers)


__all__ = ["RecordEvent", "in_profiler_mode", "load_profiler_result"]
_missing = missing(__name__)


def __getattr__(name: str) -> object:
    return in_profiler_mode() if name == "_is_profiler_used" else _missing(name)  # which changes while a script runs
