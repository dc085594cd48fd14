"""`paddle.profiler.timer`: how long steps and their data take, without a trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.io.dataloader.dataloader_iter import _DataLoaderIterBase
from paddle_compat.profiler._listening import leave, listen

# The first steps of a run are slower than the others, and left out of its summary.
WARM_UP = 10
# Profilers that record and have not been stopped; `utils.in_profiler_mode` asks.
running_profilers: list[Any] = []


@dataclass
class _Costs:
    """Seconds of several steps, and what was done in them."""

    total: float = 0.0
    count: int = 0
    samples: int = 0
    longest: float = 0.0
    shortest: float = float("inf")

    def add(self, seconds: float, samples: int = 0) -> None:
        self.total += seconds
        self.count += 1
        self.samples += samples
        self.longest, self.shortest = max(self.longest, seconds), min(self.shortest, seconds)

    @property
    def average(self) -> float:
        return self.total / self.count if self.count else 0.0


@dataclass
class _Task:
    """What one profiler times, from its start to its stop."""

    began: float
    dataset: Any = None
    paused: bool = False
    steps: int = 0
    by_samples: bool = True
    unit: str = "samples/s"
    # since `step_info` was last asked, and of the whole run but its beginning
    reader: _Costs = field(default_factory=_Costs)
    batch: _Costs = field(default_factory=_Costs)
    all_readers: _Costs = field(default_factory=_Costs)
    all_batches: _Costs = field(default_factory=_Costs)
    speeds: _Costs = field(default_factory=_Costs)


class Benchmark:
    """The times of steps and of the DataLoaders that feed them; a task inside a task (evaluation) stops the outer one's clock.

    Example:
        >>> from paddle_compat.profiler.timer import benchmark
        >>> timer = benchmark()
        >>> timer.begin()
        >>> timer.step(num_samples=4)
        >>> timer.step_info("images")  # doctest: +ELLIPSIS
        ' batch_cost: ... s ips: ... images/s'
        >>> timer.end()

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self._tasks: list[_Task] = []

    @property
    def current_event(self) -> Any:
        """The task that is timed now, or None."""
        return self._tasks[-1] if self._tasks else None

    def begin(self) -> None:
        """Begin a task.

        Example:
            >>> from paddle_compat.profiler.timer import benchmark
            >>> benchmark().begin(); benchmark().end()

        Follows Paddle 2.6.
        """
        if not self._tasks:
            listen(_DataLoaderIterBase, "__next__", self._reading)
        self._tasks.append(_Task(perf_counter()))

    def step(self, num_samples: int | None = None) -> None:
        """End a step.

        Args:
            num_samples (int): how many samples it had; None: speeds are steps each second.

        Example:
            >>> from paddle_compat.profiler.timer import benchmark
            >>> benchmark().step()  # no task

        Follows Paddle 2.6.
        """
        task = self.current_event
        if task is None or task.paused:
            return
        now = perf_counter()
        seconds, task.began = now - task.began, now
        if num_samples is None:
            task.by_samples, task.unit = False, "steps/s"
        task.batch.add(seconds, num_samples or 0)
        task.steps += 1
        if task.steps >= WARM_UP:
            task.all_batches.add(seconds, num_samples or 0)
            task.speeds.add((num_samples or 0 if task.by_samples else 1) / seconds)

    def step_info(self, unit: str) -> str:
        """Averages over the steps since this was last called.

        Args:
            unit (str): what samples are called.
        Returns:
            str: seconds for data (`reader_cost`, where a DataLoader was read), seconds of a step, and speed.

        Example:
            >>> from paddle_compat.profiler.timer import benchmark
            >>> benchmark().begin()
            >>> benchmark().step_info("images")  # no step yet
            ''
            >>> benchmark().end()

        Follows Paddle 2.6.
        """
        task, words = self.current_event, ""
        if task.by_samples:
            task.unit = f"{unit}/s"
        if task.reader.total:
            words += f" reader_cost: {task.reader.average:.5f} s"
        if task.batch.total:
            done = task.batch.samples if task.by_samples else task.batch.count
            words += f" batch_cost: {task.batch.average:.5f} s"
            words += f" ips: {done / task.batch.total:.3f} {task.unit}" if done else ""
        task.reader, task.batch = _Costs(), _Costs()
        return words

    def end(self) -> None:
        """End the task, and print its averages if it had more than ten steps.

        Example:
            >>> from paddle_compat.profiler.timer import benchmark
            >>> benchmark().end()  # no task

        Follows Paddle 2.6.
        """
        if not self._tasks:
            return
        task = self._tasks.pop()
        if task.steps > WARM_UP:
            print(_summary(task))
        if self._tasks:
            self._tasks[-1].began = perf_counter()
        else:
            leave(_DataLoaderIterBase, "__next__", self._reading)

    @contextmanager
    def _reading(self, reader: Any) -> Iterator[None]:
        task = self.current_event
        if task.dataset is None:
            task.dataset = reader.dataset
        elif task.paused and task.dataset is reader.dataset:
            task.paused, task.began = False, perf_counter()
        elif task.dataset is not reader.dataset:
            task.paused = True  # evaluation between steps of training is none of them
        began = perf_counter()
        yield
        if not task.paused:
            seconds = perf_counter() - began
            task.reader.add(seconds)
            if task.steps >= WARM_UP:
                task.all_readers.add(seconds)


def _summary(task: _Task) -> str:
    """The table at the end of a task."""
    reader, batch = task.all_readers, task.all_batches
    done = batch.samples if task.by_samples else batch.count
    rows = [("batch_cost", batch.average, batch.longest, batch.shortest)]
    rows.append(("ips", done / batch.total, task.speeds.longest, task.speeds.shortest))
    lines = ["Perf Summary".center(100, "=")]
    if reader.count:
        rows.insert(0, ("reader_cost", reader.average, reader.longest, reader.shortest))
        lines.append(f"Reader Ratio: {reader.average / batch.average * 100:.3f}%")
    lines.append(f"Time Unit: s, IPS Unit: {task.unit}")
    table = [("", "avg", "max", "min"), *((name, *(f"{figure:.5f}" for figure in figures)) for name, *figures in rows)]
    return "\n".join([*lines, *("| " + " | ".join(cell.center(15) for cell in row) + " |" for row in table)])


_benchmark = Benchmark()


def benchmark() -> Benchmark:
    """The process's clock of steps.

    Returns:
        Benchmark: always the same one.

    Example:
        >>> from paddle_compat.profiler.timer import benchmark
        >>> benchmark() is benchmark()
        True

    Follows Paddle 2.6.
    """
    return _benchmark


__all__ = ["Benchmark", "benchmark"]

__getattr__ = missing(__name__)
