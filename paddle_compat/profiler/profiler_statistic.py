"""`paddle.profiler.profiler_statistic`: the tables of a recording."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from os import cpu_count
from typing import Any

from torch.autograd import DeviceType

from paddle_compat._missing import missing
from paddle_compat.profiler._recording import Recording
from paddle_compat.static._native_kinds import TracerEventType as Kind


class SortedKeys(Enum):
    """What the operators of a table are ordered by.

    Example:
        >>> from paddle_compat import profiler
        >>> profiler.SortedKeys.CPUMax.value
        2

    Follows Paddle 2.6.
    """

    CPUTotal = 0
    CPUAvg = 1
    CPUMax = 2
    CPUMin = 3
    GPUTotal = 4
    GPUAvg = 5
    GPUMax = 6
    GPUMin = 7


class SummaryView(Enum):
    """The tables of a summary.

    Example:
        >>> from paddle_compat import profiler
        >>> profiler.SummaryView.UDFView.value
        8

    Follows Paddle 2.6.
    """

    DeviceView = 0
    OverView = 1
    ModelView = 2
    DistributedView = 3
    KernelView = 4
    OperatorView = 5
    MemoryView = 6
    MemoryManipulationView = 7
    UDFView = 8


_PER_SECOND = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
_PHASES = (Kind.Dataloader, Kind.Forward, Kind.Backward, Kind.Optimization)


class _Row:
    """The calls of one name: seconds on the CPU and on the GPU."""

    def __init__(self) -> None:
        self.cpu: list[float] = []
        self.gpu: list[float] = []
        self.flops = 0

    def add(self, event: Any) -> None:
        """Count one call."""
        self.cpu.append(event.cpu_time_total / 1e6)
        self.gpu.append(event.device_time_total / 1e6)
        self.flops += event.flops or 0

    def rank(self, key: SortedKeys) -> float:
        """The figure that a key asks for."""
        times = self.gpu if key.name.startswith("GPU") else self.cpu
        return {"Total": sum, "Avg": _average, "Max": max, "Min": min}[key.name[3:]](times)  # type: ignore[operator]


class _Seen:
    """The events of a recording, by what they are."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.events = [each for each in recording.events() if each.device_type == DeviceType.CPU]
        self.kernels = [each for each in recording.events() if each.device_type != DeviceType.CPU and not each.is_user_annotation]
        self.marks: dict[Kind, list[Any]] = defaultdict(list)
        self.operators = []
        for event in self.events:
            kind = self.kind_of(event)
            # a layer inside a layer is part of it
            if kind is not None and not any(self.kind_of(above) is kind for above in _above(event)):
                self.marks[kind].append(event)
            elif kind is None and all(self.kind_of(above) is not None for above in _above(event)):
                self.operators.append(event)

    def kind_of(self, event: Any) -> Kind | None:
        """What a marked range is; None for an operator."""
        return self.recording.kinds.get(event.name) if event.is_user_annotation else None


def _above(event: Any) -> Iterable[Any]:
    while (event := event.cpu_parent) is not None:
        yield event


def _average(times: Sequence[float]) -> float:
    return sum(times) / len(times)


def _covered(events: Iterable[Any]) -> float:
    """Seconds in which at least one of the events went on."""
    total, end = 0.0, float("-inf")
    for event in sorted(events, key=lambda each: each.time_range.start):
        span = event.time_range
        total += max(span.end - max(span.start, end), 0.0)
        end = max(end, span.end)
    return total / 1e6


def _name(event: Any) -> str:
    """What an event is called in a table; torch's engine wraps each node of a backward pass."""
    return str(event.name).removeprefix("autograd::engine::evaluate_function: ")


def _rows(events: Iterable[Any]) -> dict[str, _Row]:
    rows: dict[str, _Row] = defaultdict(_Row)
    for event in events:
        rows[_name(event)].add(event)
    return rows


def _table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]], unit: str | None, note: str = "") -> str:
    widths = [max(map(len, column)) + 2 for column in zip(header, *rows)]
    rule = "  ".join("-" * width for width in widths)
    lines = [title.center(len(rule), "-")]
    if unit:
        lines.append(f"Time unit: {unit}")
    lines += [rule, "  ".join(cell.ljust(width) for cell, width in zip(header, widths)), rule]
    lines += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)) for row in rows]
    return "\n".join([*lines, rule, *([f"Note: {note}"] if note else []), ""])


class _Tables:
    """Writes the tables of one recording in one unit of time."""

    def __init__(self, recording: Recording, sorted_by: SortedKeys, op_detail: bool, thread_sep: bool, unit: str) -> None:
        self.seen = _Seen(recording)
        self.recording, self.sorted_by, self.op_detail, self.thread_sep, self.unit = recording, sorted_by, op_detail, thread_sep, unit
        steps = self.seen.marks[Kind.ProfileStep]
        self.whole = _covered(steps) or recording.elapsed
        self.whole_gpu = sum(each.device_time_total for each in steps) / 1e6

    def time(self, seconds: float) -> str:
        """Seconds in the unit."""
        return f"{seconds * _PER_SECOND[self.unit]:.2f}"

    def figures(self, times: Sequence[float], whole: float) -> str:
        """Total, average, longest, shortest and share."""
        four = (sum(times), _average(times), max(times), min(times))
        return " / ".join([*map(self.time, four), f"{sum(times) / whole * 100 if whole else 0.0:.2f}"])

    def cells(self, row: _Row, whole: float, whole_gpu: float) -> list[str]:
        """The columns of a name."""
        return [str(len(row.cpu)), self.figures(row.cpu, whole), self.figures(row.gpu, whole_gpu)]

    def device(self) -> str:
        """How busy the processors were."""
        share = self.recording.busy / self.recording.elapsed / (cpu_count() or 1) * 100
        rows = [["CPU(Process)", f"{share:.2f}"]]
        if self.recording.on_gpu:
            rows.append(["GPU", f"{_covered(self.seen.kernels) / self.recording.elapsed * 100:.2f}"])
        note = "CPU(Process): time of this process on all cores, over the time that passed on all of them."
        return _table("Device Summary", ("Device", "Utilization (%)"), rows, None, note)

    def overview(self) -> str:
        """Time by kind of event."""
        marks = self.seen.marks
        kinds = [(kind.name, events) for kind, events in marks.items() if kind is not Kind.ProfileStep]
        kinds += [("Operator", self.seen.operators), ("Kernel", self.seen.kernels)]
        times = sorted(((_covered(events), len(events), name) for name, events in kinds if events), reverse=True)
        times = [(self.whole, len(marks[Kind.ProfileStep]), "ProfileStep"), *((time, calls, f"  {name}") for time, calls, name in times)]
        rows = [[name, str(calls), self.time(time), f"{time / self.whole * 100:.2f}"] for time, calls, name in times]
        note = "kinds contain one another, so that shares add up to more than 100; what goes on at once counts once."
        return _table("Overview Summary", ("Event Type", "Calls", "Time", "Ratio (%)"), rows, self.unit, note)

    def model(self) -> str:
        """The phases of training."""
        header = ("Name", "Calls", "CPU Total / Avg / Max / Min / Ratio(%)", "GPU Total / Avg / Max / Min / Ratio(%)")
        rows, others = [], self.whole
        for kind in (Kind.ProfileStep, *_PHASES):
            events = self.seen.marks[kind]
            if not events:
                continue
            row = _Row()
            for event in events:
                row.add(event)
            rows.append(["  " * (kind is not Kind.ProfileStep) + kind.name, *self.cells(row, self.whole, self.whole_gpu)])
            others -= sum(row.cpu) if kind is not Kind.ProfileStep else 0.0
        rows.append(["  Others", "-", f"{self.time(others)} / - / - / - / {others / self.whole * 100:.2f}", "-"])
        return _table("Model Summary", header, rows, self.unit)

    def distributed(self) -> str:
        """Time that collectives take, and what of it is hidden behind computation."""
        of_jobs = [each for each in self.seen.events if each.name.startswith(("gloo:", "nccl:", "c10d::"))]
        if not of_jobs:
            return ""
        communication, operators = _covered(of_jobs), [each for each in self.seen.operators if each not in of_jobs]
        computation = _covered(operators)
        overlap = communication + computation - _covered([*of_jobs, *operators])
        named = (("ProfileStep", self.whole), ("  Communication", communication), ("  Computation", computation), ("  Overlap", overlap))
        rows = [[name, self.time(time), f"{time / self.whole * 100:.2f}"] for name, time in named]
        return _table("Distribution Summary", ("Name", "Total Time", "Ratio (%)"), rows, self.unit)

    def kernels(self) -> str:
        """What ran on the GPU."""
        if not self.seen.kernels:
            return ""
        rows, whole = _rows(self.seen.kernels), _covered(self.seen.kernels)
        ranked = sorted(rows.items(), key=lambda each: -sum(each[1].gpu))
        cells = [[name, str(len(row.gpu)), self.figures(row.gpu, whole)] for name, row in ranked]
        return _table("Kernel Summary", ("Name", "Calls", "GPU Total / Avg / Max / Min / Ratio(%)"), cells, self.unit)

    def operators(self) -> str:
        """Operators, and with `op_detail` what they call."""
        threads: dict[str, list[Any]] = defaultdict(list)
        for event in self.seen.operators:
            threads[f"Thread: {event.thread}" if self.thread_sep else "Thread: All threads merged"].append(event)
        header = ("Name", "Calls", "CPU Total / Avg / Max / Min / Ratio(%)", "GPU Total / Avg / Max / Min / Ratio(%)", "FLOPs")
        rows: list[list[str]] = []
        for thread, events in threads.items():
            rows.append([thread, "", "", "", ""])
            whole = sum(each.cpu_time_total for each in events) / 1e6
            whole_gpu = sum(each.device_time_total for each in events) / 1e6
            for name, row in self._ranked(events):
                inner = [child for event in events if _name(event) == name for child in event.cpu_children]
                flops = row.flops or sum(child.flops or 0 for child in inner)
                rows.append([name, *self.cells(row, whole, whole_gpu), str(flops)])
                if self.op_detail:
                    own = sum(row.cpu), sum(row.gpu)
                    rows += [[f"  {below}", *self.cells(part, *own), str(part.flops or "-")] for below, part in self._ranked(inner)]
        return _table("Operator Summary", header, rows, self.unit)

    def _ranked(self, events: Iterable[Any]) -> list[tuple[str, _Row]]:
        return sorted(_rows(events).items(), key=lambda each: -each[1].rank(self.sorted_by))

    def memory(self) -> str:
        """What operators allocated."""
        return f"Memory Summary\n{self.recording.memory_table()}\n" if self.recording.has_memory else ""

    def user_defined(self) -> str:
        """The script's own ranges."""
        marks = self.seen.marks[Kind.PythonUserDefined]
        header = ("Name", "Calls", "CPU Total / Avg / Max / Min / Ratio(%)", "GPU Total / Avg / Max / Min / Ratio(%)")
        rows = [[name, *self.cells(row, self.whole, self.whole_gpu)] for name, row in self._ranked(marks)]
        return _table("UserDefined Summary", header, rows, self.unit) if rows else ""


_WRITERS: dict[SummaryView, Callable[[_Tables], str]] = {
    SummaryView.DeviceView: _Tables.device,
    SummaryView.OverView: _Tables.overview,
    SummaryView.ModelView: _Tables.model,
    SummaryView.DistributedView: _Tables.distributed,
    SummaryView.KernelView: _Tables.kernels,
    SummaryView.OperatorView: _Tables.operators,
    SummaryView.MemoryView: _Tables.memory,
    SummaryView.UDFView: _Tables.user_defined,
}


def tables(
    recording: Recording, sorted_by: SortedKeys, op_detail: bool, thread_sep: bool, time_unit: str, views: Sequence[SummaryView] | None
) -> str:
    """The tables of a recording as one text; see `Profiler.summary`."""
    if time_unit not in _PER_SECOND:
        raise ValueError(f"Invalid value for argument `time_unit` of `summary`. Expected 's', 'ms', 'us' or 'ns'. Received: {time_unit!r}")
    of = _Tables(recording, sorted_by, op_detail, thread_sep, time_unit)
    return "\n".join(filter(None, (write(of) for view, write in _WRITERS.items() if views is None or view in views)))


def flops_table(recording: Recording) -> str:
    """Floating point operations of the products and convolutions that were recorded."""
    rows = [[name, str(row.flops)] for name, row in _rows(recording.events()).items() if row.flops]
    total = sum(int(count) for _, count in rows)
    return _table("Flops Profiler", ("Name", "FLOPs"), [*rows, ["Total", str(total)]], None)


__all__ = ["SortedKeys"]

__getattr__ = missing(__name__)
