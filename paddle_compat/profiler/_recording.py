"""One recording: torch's profiler over a range of steps, with the phases of training marked in it."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import torch

from paddle_compat.core.tensor import Tensor
from paddle_compat.io.dataloader.dataloader_iter import _DataLoaderIterBase
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.optimizer import LBFGS, Optimizer
from paddle_compat.profiler._listening import leave, listen
from paddle_compat.static._native_kinds import TracerEventType

# `torch.profiler` takes no notice of a second one and breaks the first
_running: Recording | None = None


def running() -> Recording | None:
    """The recording that goes on."""
    return _running


@atexit.register
def _end() -> None:
    """End a recording that nobody has stopped: torch's profiler crashes in an interpreter that ends while it records."""
    if _running is not None:
        _running.stop()


class Recording:
    """What happens between `start` and `stop`."""

    def __init__(self, on_gpu: bool, record_shapes: bool, profile_memory: bool, with_flops: bool) -> None:
        kinds = torch.profiler.ProfilerActivity
        activities = [kinds.CPU, kinds.CUDA] if on_gpu else [kinds.CPU]
        self._torch = torch.profiler.profile(
            activities=activities, record_shapes=record_shapes, profile_memory=profile_memory, with_flops=with_flops
        )
        self.has_memory, self.on_gpu = profile_memory, on_gpu
        self.kinds: dict[str, TracerEventType] = {}
        self.elapsed = self.busy = 0.0  # seconds: of the clock, of this process's processors
        self._trace: str | None = None
        kind = TracerEventType
        self._listeners: list[tuple[type, str, Callable[[Any], AbstractContextManager[Any]]]] = [
            (Layer, "__call__", lambda layer: self.marked(type(layer).__name__, kind.Forward)),
            (Tensor, "backward", lambda tensor: self.marked("Gradient Backward", kind.Backward)),
            (_DataLoaderIterBase, "__next__", lambda reader: self.marked("DataLoader Next", kind.Dataloader)),
            *((each, "step", lambda optimizer: self.marked("Optimization Step", kind.Optimization)) for each in (Optimizer, LBFGS)),
        ]

    def start(self) -> None:
        """Measure from here."""
        global _running
        if _running is not None:
            raise RuntimeError("A profiler records already. Expected it to be stopped before another one records.")
        _running = self
        for owner, method, listener in self._listeners:
            listen(owner, method, listener)
        self.elapsed, self.busy = time.perf_counter(), time.process_time()
        self._torch.start()

    def stop(self) -> None:
        """Measure up to here."""
        global _running
        self._torch.stop()
        self.elapsed, self.busy = time.perf_counter() - self.elapsed, time.process_time() - self.busy
        for owner, method, listener in self._listeners:
            leave(owner, method, listener)
        _running = None

    def mark(self, name: str, kind: TracerEventType) -> Any:
        """A range with a name that has begun; its `__exit__` ends it."""
        self.kinds[name] = kind
        mark = torch.profiler.record_function(name)
        mark.__enter__()
        return mark

    @contextmanager
    def marked(self, name: str, kind: TracerEventType) -> Iterator[None]:
        """Inside the block is a range with a name."""
        mark = self.mark(name, kind)
        try:
            yield
        finally:
            mark.__exit__(None, None, None)

    def events(self) -> Any:
        """What torch's profiler saw."""
        return self._torch.events()

    def memory_table(self) -> str:
        """torch's table of what operators allocated."""
        return str(self._torch.key_averages().table(sort_by="self_cpu_memory_usage", row_limit=30))

    def save(self, path: str) -> None:
        """Write a trace that chrome://tracing reads."""
        folder = os.path.dirname(path)
        if folder:
            os.makedirs(folder, exist_ok=True)
        if self._trace is None:  # torch's profiler writes it once only
            kept = tempfile.mkdtemp()
            weakref.finalize(self, shutil.rmtree, kept, ignore_errors=True)
            self._trace = os.path.join(kept, "trace.json")
            self._torch.export_chrome_trace(self._trace)
        shutil.copyfile(self._trace, path)
