"""`paddle.fluid.profiler`: which operators take how long, measured by torch's profiler."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError

_STATES = ("CPU", "GPU", "All")
_OPTIONS = (None, "Default", "OpDetail", "AllOpDetail")
# sorted_key -> the column of torch's table
_COLUMNS = {
    None: None, "default": None, "calls": "count", "total": "cpu_time_total", "max": "cpu_time_total", "min": "cpu_time_total",
    "ave": "cpu_time",
}  # fmt: skip
_running: Any = None
_activities: list[Any] = []


def start_profiler(state: str, tracer_option: str = "Default") -> None:
    """Start measuring; a second start changes nothing.

    Args:
        state: "CPU", "GPU" or "All".
        tracer_option: "Default", "OpDetail" or "AllOpDetail"; all of them list every operator here.
    Raises:
        ValueError: another state or option.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.profiler.start_profiler("nothing")
        Traceback (most recent call last):
        ...
        ValueError: Invalid value for argument `state` of `start_profiler`. Expected 'CPU', 'GPU' or 'All'. Received: 'nothing'

    Follows Paddle 1.8.
    """
    global _activities
    if state not in _STATES:
        raise ValueError(f"Invalid value for argument `state` of `start_profiler`. Expected 'CPU', 'GPU' or 'All'. Received: {state!r}")
    if tracer_option not in _OPTIONS:
        raise ValueError(
            f"Invalid value for argument `tracer_option`. Expected 'Default', 'OpDetail' or 'AllOpDetail'. Received: {tracer_option!r}"
        )
    if _running is not None:
        return
    kinds = torch.profiler.ProfilerActivity
    _activities = [kinds.CPU] + ([kinds.CUDA] if state != "CPU" and torch.cuda.is_available() else [])
    _begin()


def _begin() -> None:
    global _running
    _running = torch.profiler.profile(activities=_activities)
    _running.start()


@atexit.register
def _end() -> None:
    """End what nobody has stopped: torch's profiler crashes in an interpreter that ends while it records."""
    if _running is not None:
        _running.stop()


def stop_profiler(sorted_key: str | None = None, profile_path: str = "/tmp/profile") -> None:
    """Stop measuring, print a table of the operators and write the events to a file in Chrome's trace format.

    Args:
        sorted_key: "calls", "total", "max", "min" or "ave" orders the table; None leaves its order alone. One table holds
            totals and averages only, so "max" and "min" order by the total.
        profile_path: the file.
    Raises:
        ValueError: another key.

    Example:
        >>> import os, tempfile, paddle_compat.fluid as fluid
        >>> file = os.path.join(tempfile.mkdtemp(), "profile")
        >>> fluid.profiler.start_profiler("CPU")
        >>> fluid.profiler.stop_profiler("total", file)  # doctest: +ELLIPSIS
        -...
        >>> os.path.exists(file)
        True

    Follows Paddle 1.8.
    """
    global _running
    if sorted_key not in _COLUMNS:
        raise ValueError(
            f"Invalid value for argument `sorted_key`. Expected None, 'calls', 'total', 'max', 'min' or 'ave'. Received: {sorted_key!r}"
        )
    if _running is None:
        return
    running, _running = _running, None
    running.stop()
    print("\n------------------------->     Profiling Report     <-------------------------\n")
    print(running.key_averages().table(sort_by=_COLUMNS[sorted_key]))
    running.export_chrome_trace(profile_path)


def reset_profiler() -> None:
    """Forget what was measured so far and go on measuring, if the profiler is on.

    Example:
        >>> import os, tempfile, paddle_compat.fluid as fluid
        >>> fluid.profiler.start_profiler("CPU")
        >>> fluid.profiler.reset_profiler()
        >>> fluid.profiler.stop_profiler("total", os.path.join(tempfile.mkdtemp(), "profile"))  # doctest: +ELLIPSIS
        -...

    Follows Paddle 1.8.
    """
    global _running
    if _running is not None:
        _running.stop()
        _begin()


@contextmanager
def profiler(
    state: str, sorted_key: str | None = None, profile_path: str = "/tmp/profile", tracer_option: str = "Default"
) -> Iterator[None]:
    """Measure inside the block; see `start_profiler` and `stop_profiler`.

    Args:
        state, tracer_option: as `start_profiler` takes them.
        sorted_key, profile_path: as `stop_profiler` takes them.
    Returns:
        A context manager.
    Raises:
        ValueError: an argument that these two refuse.

    Example:
        >>> import os, tempfile, paddle_compat.fluid as fluid
        >>> with fluid.profiler.profiler("CPU", "total", os.path.join(tempfile.mkdtemp(), "profile")):  # doctest: +ELLIPSIS
        ...     pass
        -...

    Follows Paddle 1.8.
    """
    start_profiler(state, tracer_option)
    try:
        yield
    finally:
        stop_profiler(sorted_key, profile_path)


def cuda_profiler(output_file: str, output_mode: str | None = None, config: Any = None) -> Any:
    """NVIDIA's own profiler: not there.

    Args:
        output_file (str): the file.
        output_mode (str): its format.
        config (list): lines of NVIDIA's settings.
    Returns:
        Nothing: it raises.
    Raises:
        UnsupportedError: always; `fluid.profiler.profiler("GPU")` measures GPUs.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.profiler.cuda_profiler("profile.txt")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        paddle_compat.core.errors.UnsupportedError: `fluid.profiler.cuda_profiler` is not supported ...

    Follows Paddle 1.8.
    """
    raise UnsupportedError("fluid.profiler.cuda_profiler", None, "fluid.profiler.profiler('GPU')")


__all__ = ["cuda_profiler", "profiler", "reset_profiler", "start_profiler", "stop_profiler"]

__getattr__ = missing(__name__)
