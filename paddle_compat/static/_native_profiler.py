"""The profiler, as Paddle's C++ starts and stops it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from paddle_compat.static._native_kinds import EventSortingKey, ProfilerState


def is_profiler_enabled() -> bool:
    """Whether `enable_profiler` or `fluid.profiler` started measuring.

    Returns:
        bool.

    Example:
        >>> from paddle_compat.base import core
        >>> core.is_profiler_enabled()
        False

    Follows Paddle 1.8 and 2.6.
    """
    return _profiler()._running is not None


def enable_profiler(state: ProfilerState) -> None:
    """Start measuring.

    Args:
        state (ProfilerState): `kCPU`, `kCUDA` or `kAll`.

    Example:
        >>> import tempfile
        >>> from paddle_compat.base import core
        >>> core.enable_profiler(core.ProfilerState.kCPU); core.is_profiler_enabled()
        True
        >>> core.disable_profiler(core.EventSortingKey.kTotal, tempfile.mktemp())  # doctest: +ELLIPSIS
        -...

    Follows Paddle 1.8 and 2.6.
    """
    _profiler().start_profiler({"kCPU": "CPU", "kCUDA": "GPU", "kAll": "All"}[state.name])


def disable_profiler(sorted_key: EventSortingKey, profile_path: str) -> None:
    """Stop measuring, print a table ordered by a column, and write the events to a file.

    Args:
        sorted_key (EventSortingKey): the column.
        profile_path (str): the file.

    Example:
        >>> import tempfile
        >>> from paddle_compat.base import core
        >>> core.enable_profiler(core.ProfilerState.kCPU)
        >>> core.disable_profiler(core.EventSortingKey.kTotal, tempfile.mktemp())  # doctest: +ELLIPSIS
        -...
        >>> core.is_profiler_enabled()
        False

    Follows Paddle 1.8 and 2.6.
    """
    _profiler().stop_profiler(sorted_key.name[1:].lower(), profile_path)


def reset_profiler() -> None:
    """Forget what was measured so far.

    Example:
        >>> from paddle_compat.base import core
        >>> core.reset_profiler(); core.is_profiler_enabled()
        False

    Follows Paddle 1.8 and 2.6.
    """
    _profiler().reset_profiler()


def _profiler() -> Any:
    return import_module("paddle_compat.fluid.profiler")
