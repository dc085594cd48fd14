"""`paddle.profiler.profiler`: what to record, when, and what to do with it."""

from __future__ import annotations

import os
import socket
import warnings
from collections.abc import Callable, Iterable
from datetime import datetime
from enum import Enum
from types import TracebackType
from typing import Any, NoReturn

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.profiler import _recording, timer
from paddle_compat.profiler.profiler_statistic import SortedKeys, SummaryView, flops_table, tables
from paddle_compat.static._native_kinds import TracerEventType


class ProfilerState(Enum):
    """What a Profiler does in a step: nothing, nothing yet, record, or record for the last time before its result is handed out.

    Example:
        >>> from paddle_compat import profiler
        >>> [state.name for state in profiler.ProfilerState]
        ['CLOSED', 'READY', 'RECORD', 'RECORD_AND_RETURN']

    Follows Paddle 2.6.
    """

    CLOSED = 0
    READY = 1
    RECORD = 2
    RECORD_AND_RETURN = 3


class ProfilerTarget(Enum):
    """What a Profiler watches.

    Example:
        >>> from paddle_compat import profiler
        >>> profiler.ProfilerTarget.GPU.value
        1

    Follows Paddle 2.6.
    """

    CPU = 0
    GPU = 1
    XPU = 2
    CUSTOM_DEVICE = 3


_RECORDS = (ProfilerState.RECORD, ProfilerState.RECORD_AND_RETURN)


def make_scheduler(*, closed: int, ready: int, record: int, repeat: int = 0, skip_first: int = 0) -> Callable[[int], ProfilerState]:
    """States that come again in periods of closed + ready + record steps.

    Args:
        closed (int): steps of a period in which nothing is recorded.
        ready (int): steps after them; 0 warns.
        record (int): steps that are recorded, at least 1.
        repeat (int): how many periods; 0: without end.
        skip_first (int): steps before the first period.
    Returns:
        A function from a step's number to its ProfilerState.
    Raises:
        AssertionError: a negative number, or nothing to record.

    Example:
        >>> from paddle_compat import profiler
        >>> state = profiler.make_scheduler(closed=1, ready=1, record=2, repeat=1)
        >>> [state(step).name for step in range(5)]
        ['CLOSED', 'READY', 'RECORD', 'RECORD_AND_RETURN', 'CLOSED']

    Follows Paddle 2.6.
    """
    assert min(closed, ready, record - 1, repeat, skip_first) >= 0, (
        "Invalid value for an argument of `make_scheduler`. Expected closed, ready, repeat and skip_first >= 0, record >= 1. "
        f"Received: closed={closed}, ready={ready}, record={record}, repeat={repeat}, skip_first={skip_first}"
    )
    if ready == 0:
        warnings.warn("A profiler without a `ready` step records its own beginning, too: the first times are too long.", stacklevel=2)
    period = closed + ready + record

    def state(step: int) -> ProfilerState:
        assert step >= 0, f"Invalid value for argument `step` of a scheduler. Expected at least 0. Received: {step}"
        number, place = divmod(step - skip_first, period)
        if number < 0 or (repeat and number >= repeat) or place < closed:
            return ProfilerState.CLOSED
        if place < closed + ready:
            return ProfilerState.READY
        return ProfilerState.RECORD if place < period - 1 else ProfilerState.RECORD_AND_RETURN

    return state


def _always(step: int) -> ProfilerState:
    return ProfilerState.RECORD


def _scheduler(given: Any) -> Callable[[int], ProfilerState]:
    """A scheduler from what `Profiler` is given."""
    if callable(given):
        return given
    if not isinstance(given, (tuple, list)):
        return _always
    assert len(given) == 2 and given[1] > given[0], (
        f"Invalid value for argument `scheduler` of `Profiler`. Expected (first, end) with first < end. Received: {given}"
    )
    first, end = max(given[0], 0), given[1]
    return make_scheduler(closed=max(first - 1, 0), ready=min(first, 1), record=end - first, repeat=1)


def export_chrome_tracing(dir_name: str, worker_name: str | None = None) -> Callable[[Profiler], None]:
    """For `on_trace_ready`: write each result into a folder, for chrome://tracing.

    Args:
        dir_name (str): the folder; it is made.
        worker_name (str): what names of files begin with; None: the host and the process.
    Returns:
        A function of a Profiler.
    Raises:
        RuntimeError: the folder cannot be made.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat import profiler
        >>> folder = tempfile.mkdtemp()
        >>> with profiler.Profiler(on_trace_ready=profiler.export_chrome_tracing(folder, "worker")):
        ...     pass
        >>> os.listdir(folder)  # doctest: +ELLIPSIS
        ['worker_time_....paddle_trace.json']

    Follows Paddle 2.6.
    """
    try:
        os.makedirs(dir_name, exist_ok=True)
    except OSError as error:
        raise RuntimeError(f"Can not create directory '{dir_name}', which `export_chrome_tracing` was given for its files.") from error
    worker = worker_name or f"host_{socket.gethostname()}pid_{os.getpid()}"

    def handle(profiler: Profiler) -> None:
        profiler.export(os.path.join(dir_name, f"{worker}_time_{datetime.now():%Y_%m_%d_%H_%M_%S_%f}.paddle_trace.json"), "json")

    return handle


def export_protobuf(dir_name: str, worker_name: str | None = None) -> NoReturn:
    """For `on_trace_ready`: files in Paddle's own format, which are not there.

    Args:
        dir_name (str): the folder.
        worker_name (str): what names of files begin with.
    Returns:
        Nothing: it raises.
    Raises:
        UnsupportedError: always; `export_chrome_tracing` writes traces.

    Example:
        >>> from paddle_compat import profiler
        >>> profiler.export_protobuf("log")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        paddle_compat.core.errors.UnsupportedError: `paddle.profiler.export_protobuf` is not supported ...

    Follows Paddle 2.6.
    """
    raise UnsupportedError("paddle.profiler.export_protobuf", None, "paddle.profiler.export_chrome_tracing")


def _supported() -> list[ProfilerTarget]:
    return [ProfilerTarget.CPU, *([ProfilerTarget.GPU] if torch.cuda.is_available() else []), ProfilerTarget.CUSTOM_DEVICE]


class Profiler:
    """Records ranges of steps with torch's profiler, times all of them, and prints Paddle's tables.

    Operators have torch's names (`aten::addmm`), gradients the names of torch's nodes (`AddmmBackward0`).

    Args:
        targets (list): ProfilerTargets; None: all that there are. One that is not there is left out with a warning.
        scheduler (Callable or tuple): a function from a step's number to its ProfilerState, or (first, end) for the steps first to
            end - 1; None: all steps.
        on_trace_ready (Callable): gets the Profiler when a result is ready; None: `export_chrome_tracing('./profiler_log/')`.
        record_shapes (bool): keep the shapes of operators' inputs in the trace.
        profile_memory (bool): keep what operators allocate.
        timer_only (bool): only time steps, see `step_info`.
        emit_nvtx (bool): mark operators for NVIDIA's tools, on GPUs.
        custom_device_types (list): nothing here, as there are no such devices.
        with_flops (bool): count floating point operations of products and convolutions.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat import profiler
        >>> with profiler.Profiler(scheduler=(1, 3), on_trace_ready=lambda prof: print("ready in step", prof.step_num)) as prof:
        ...     for _ in range(4):
        ...         y = paddle.ones([2]) + 1
        ...         prof.step()
        ready in step 3

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        *,
        targets: Iterable[ProfilerTarget] | None = None,
        scheduler: Callable[[int], ProfilerState] | tuple[int, int] | None = None,
        on_trace_ready: Callable[[Profiler], Any] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        timer_only: bool = False,
        emit_nvtx: bool = False,
        custom_device_types: list[str] = [],  # noqa: B006 - as Paddle spells it; nothing writes to it
        with_flops: bool = False,
    ) -> None:
        supported = _supported()
        self.targets: Any = set(targets) if targets else supported
        for each in [each for each in self.targets if each not in supported]:
            self.targets.remove(each)
            warnings.warn(f"Profiling {each} is not supported in current context.", stacklevel=2)
        self.scheduler = _scheduler(scheduler)
        self.on_trace_ready = on_trace_ready or export_chrome_tracing("./profiler_log/")
        self.step_num = 0
        self.previous_state = ProfilerState.CLOSED
        self.current_state = self.scheduler(0)
        self.record_event: Any = None
        self.profiler: _recording.Recording | None = None
        self.profiler_result: _recording.Recording | None = None
        self.timer_only = timer_only
        self.record_shapes = record_shapes
        self.profile_memory = profile_memory
        self.with_flops = with_flops
        self.emit_nvtx = emit_nvtx
        self._nvtx: Any = None

    def __enter__(self) -> Profiler:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        """Begin step 0.

        Raises:
            RuntimeError: another Profiler records.

        Example:
            >>> from paddle_compat import profiler
            >>> prof = profiler.Profiler(timer_only=True)
            >>> prof.start(); prof.stop()

        Follows Paddle 2.6.
        """
        timer.benchmark().begin()
        if not self.timer_only or self.emit_nvtx:
            timer.running_profilers.append(self)
        if self.emit_nvtx and torch.cuda.is_available():
            self._nvtx = torch.autograd.profiler.emit_nvtx()
            self._nvtx.__enter__()
        if self.timer_only:
            return
        if self.current_state in _RECORDS:
            self._record()
        self._begin_step()

    def stop(self) -> None:
        """End the last step; what is being recorded goes to `on_trace_ready`.

        Example:
            >>> from paddle_compat import profiler
            >>> prof = profiler.Profiler(on_trace_ready=lambda prof: print("ready"))
            >>> prof.start(); prof.stop()
            ready

        Follows Paddle 2.6.
        """
        timer.benchmark().end()
        if self in timer.running_profilers:
            timer.running_profilers.remove(self)
        if self._nvtx is not None:
            self._nvtx.__exit__(None, None, None)
            self._nvtx = None
        if self.timer_only:
            return
        self._end_step()
        if self.current_state is ProfilerState.READY:
            warnings.warn("Improper end: the profiler stops in a READY step (READY->CLOSED) and has recorded nothing.", stacklevel=2)
        if self.profiler is not None:
            self._keep()

    def step(self, num_samples: int | None = None) -> None:
        """End a step and begin the next.

        Args:
            num_samples (int): how many samples the step had, for `step_info`.
        Raises:
            RuntimeError: another Profiler records.

        Example:
            >>> from paddle_compat import profiler
            >>> with profiler.Profiler(scheduler=(5, 6)) as prof:
            ...     prof.step()
            ...     prof.step_num
            1

        Follows Paddle 2.6.
        """
        timer.benchmark().step(num_samples)
        if self.timer_only:
            return
        self._end_step()
        before = self.previous_state = self.current_state
        self.step_num += 1
        now = self.current_state = self.scheduler(self.step_num)
        if before is ProfilerState.READY and now is ProfilerState.CLOSED:
            warnings.warn("Improper schedule: READY->CLOSED, nothing is recorded between them.", stacklevel=2)
        if before is ProfilerState.RECORD and now not in _RECORDS and self.profiler is not None:
            warnings.warn(f"Improper schedule: RECORD->{now.name}, what was recorded is dropped.", stacklevel=2)
            self.profiler.stop()
            self.profiler = None
        if before is ProfilerState.RECORD_AND_RETURN:
            self._keep(now)
        elif now in _RECORDS and self.profiler is None:
            self._record()
        self._begin_step()

    def step_info(self, unit: str | None = None) -> str:
        """Averages over the steps since this was last called.

        Args:
            unit (str): what samples are called, "samples" by default; steps without `num_samples` are counted by themselves.
        Returns:
            str: `reader_cost` in seconds (where a DataLoader was read), `batch_cost` in seconds, and `ips`.

        Example:
            >>> from paddle_compat import profiler
            >>> with profiler.Profiler(timer_only=True) as prof:
            ...     prof.step(num_samples=8)
            ...     prof.step_info("images")  # doctest: +ELLIPSIS
            ' batch_cost: ... s ips: ... images/s'

        Follows Paddle 2.6.
        """
        return timer.benchmark().step_info(unit or "samples")

    def export(self, path: str = "", format: str = "json") -> None:
        """Write the last result.

        Args:
            path (str): the file.
            format (str): "json", for chrome://tracing.
        Raises:
            UnsupportedError: "pb", Paddle's own format.
            ValueError: another format.

        Example:
            >>> import json, os, tempfile
            >>> import paddle_compat as paddle
            >>> from paddle_compat import profiler
            >>> with profiler.Profiler(on_trace_ready=lambda prof: None) as prof:
            ...     y = paddle.ones([2])
            >>> file = os.path.join(tempfile.mkdtemp(), "trace.json")
            >>> prof.export(file)
            >>> "traceEvents" in json.load(open(file))
            True

        Follows Paddle 2.6.
        """
        if format == "pb":
            raise UnsupportedError("paddle.profiler.Profiler.export", "format='pb'", "format='json'")
        if format != "json":
            raise ValueError(f"Invalid value for argument `format` of `Profiler.export`. Expected 'json'. Received: {format!r}")
        if self.profiler_result is not None:
            self.profiler_result.save(path)

    def summary(
        self,
        sorted_by: SortedKeys = SortedKeys.CPUTotal,
        op_detail: bool = True,
        thread_sep: bool = False,
        time_unit: str = "ms",
        views: SummaryView | list[SummaryView] | None = None,
    ) -> None:
        """Print the tables of the last result.

        Args:
            sorted_by (SortedKeys): what operators are ordered by.
            op_detail (bool): list what operators call, too.
            thread_sep (bool): list the operators of each thread by themselves.
            time_unit (str): "s", "ms", "us" or "ns".
            views (list): SummaryViews, the tables to print; None: all.
        Raises:
            ValueError: another unit.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat import profiler
            >>> with profiler.Profiler(on_trace_ready=lambda prof: None) as prof:
            ...     y = paddle.ones([2])
            >>> prof.summary(views=profiler.SummaryView.ModelView)  # doctest: +ELLIPSIS
            ---...Model Summary...
            ...

        Follows Paddle 2.6.
        """
        if self.profiler_result is None:
            return
        chosen = [views] if isinstance(views, SummaryView) else views
        print(tables(self.profiler_result, sorted_by, op_detail, thread_sep, time_unit, chosen))
        if self.with_flops:
            print(flops_table(self.profiler_result))

    def _begin_step(self) -> None:
        if self.profiler is not None:
            self.record_event = self.profiler.mark(f"ProfileStep#{self.step_num}", TracerEventType.ProfileStep)

    def _end_step(self) -> None:
        if self.record_event is not None:
            self.record_event.__exit__(None, None, None)
            self.record_event = None

    def _record(self) -> None:
        on_gpu = ProfilerTarget.GPU in self.targets
        recording = _recording.Recording(on_gpu, self.record_shapes, self.profile_memory, self.with_flops)
        recording.start()
        self.profiler = recording

    def _keep(self, now: ProfilerState = ProfilerState.CLOSED) -> None:
        """Hand out what was recorded; the next range may begin at once."""
        assert self.profiler is not None
        self.profiler.stop()
        self.profiler_result, self.profiler = self.profiler, None
        if now in _RECORDS:
            self._record()
        self.on_trace_ready(self)


__all__ = [
    "Profiler", "ProfilerState", "ProfilerTarget", "SummaryView", "export_chrome_tracing", "export_protobuf", "make_scheduler",
]  # fmt: skip

__getattr__ = missing(__name__)
