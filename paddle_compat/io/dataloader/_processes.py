"""Batches read by worker processes, which torch's DataLoader starts, feeds and ends."""

from __future__ import annotations

import collections
import contextlib
import mmap
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import torch
import torch.utils.data

from paddle_compat.core.errors import FatalError
from paddle_compat.io.dataloader._fetcher import Fetcher
from paddle_compat.io.dataloader._values import for_sending, handed
from paddle_compat.io.dataloader.collate import restructured
from paddle_compat.io.dataloader.worker import Failure, WorkerInfo, caught, start_worker


class _Plan:
    """What the workers of a loader do.

    Args:
        fetcher: makes the Fetcher of a pass; called in the worker.
        leaf: what becomes of the arrays and tensors of a batch before they are sent.
        worker_init_fn: the user's function, called with each worker's number.
        ahead: how many batches a worker makes ahead: when it begins one more, those before these have arrived.
        hands: whether tensors may go by `_values.Handed`.
    """

    def __init__(
        self, dataset: Any, fetcher: Callable[[], Fetcher], leaf: Callable[[Any], Any], worker_init_fn: Any, workers: int, ahead: int,
        hands: bool,
    ) -> None:  # fmt: skip
        self.dataset = dataset
        self.fetcher = fetcher
        self.leaf = leaf
        self.worker_init_fn = worker_init_fn
        self.workers = workers
        self.failure: Failure | None = None
        self.opens = mmap.mmap(-1, 1) if hands else None  # all processes see it: whether the main one may open what the workers have open
        self.sent: collections.deque[Any] = collections.deque(maxlen=ahead)
        # the draw of Paddle's, so that what the main process draws next is the same too
        self.base_seed = int(np.random.randint(0, sys.maxsize))

    def start(self, number: int) -> None:
        """Called by torch in a new worker."""
        start_worker(WorkerInfo(number, self.workers, self.dataset, self.base_seed))
        if self.worker_init_fn is not None:
            self.failure = caught(lambda: self.worker_init_fn(number))

    def batch(self, fetch: Callable[[], Any]) -> Any:
        """A batch as it is sent, or the Failure; StopIteration goes through."""
        if isinstance(self.failure, Failure):
            failure, self.failure = self.failure, None
            return failure
        try:
            batch = restructured(fetch(), self.leaf)
            if self.opens is not None and self.opens[0]:
                batch = restructured(batch, handed)
                self.sent.append(batch)
            return batch
        except StopIteration:
            raise
        except Exception as error:
            return Failure(error)


class _ByIndices:
    """The batches of a Dataset: what torch calls a sample is a batch of ours."""

    def __init__(self, plan: _Plan) -> None:
        self.plan = plan
        self.fetcher: Fetcher | None = None

    def __getitem__(self, indices: Any) -> Any:
        def fetch() -> Any:
            if self.fetcher is None:
                self.fetcher = self.plan.fetcher()
            try:
                return self.fetcher.fetch(indices)
            except StopIteration as error:  # which would end the pass in silence
                return Failure(error)

        return self.plan.batch(fetch)


class _InARow(torch.utils.data.IterableDataset):
    """The batches of an IterableDataset of `size` samples each."""

    def __init__(self, plan: _Plan, size: int) -> None:
        self.plan = plan
        self.indices = [None] * size

    def __iter__(self) -> Iterator[Any]:
        fetcher: Fetcher | None = None

        def fetch() -> Any:
            nonlocal fetcher
            if fetcher is None:
                fetcher = self.plan.fetcher()
            return fetcher.fetch(self.indices)

        while True:
            try:
                batch = self.plan.batch(fetch)
            except StopIteration:
                return
            yield batch


class _Lazily:
    """A sampler that is asked for its iterator when the first batch is: torch asks twice, and asking may draw numbers or count epochs."""

    def __init__(self, sampler: Iterable[Any]) -> None:
        self.sampler = sampler

    def __iter__(self) -> Iterator[Any]:
        yield from self.sampler


def _as_it_is(batch: Any) -> Any:
    return batch


@contextlib.contextmanager
def _no_advice() -> Iterator[None]:
    """Keep back what torch says about the number of workers, to which Paddle has nothing to say."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This DataLoader will create")
        yield


def _gone(error: BaseException) -> FatalError:
    return FatalError(f"DataLoader process exited unexpectedly: {error}")


def _watch_workers() -> None:
    """Let a worker that dies raise a SystemError wherever the main thread is, as in Paddle; torch's handler raises a RuntimeError."""
    handler = signal.getsignal(signal.SIGCHLD)
    if not callable(handler) or getattr(handler, "raises_fatal", False) or threading.current_thread() is not threading.main_thread():
        return

    def handle(number: int, frame: Any) -> None:
        try:
            handler(number, frame)
        except RuntimeError as error:
            raise _gone(error) from error

    handle.raises_fatal = True  # type: ignore[attr-defined]
    signal.signal(signal.SIGCHLD, handle)


def _may_open(processes: list[int]) -> bool:
    """Whether this process may open what others have open, as one that started them may where there is a /proc and nobody forbids it."""
    try:
        return all(os.readlink(f"/proc/{process}/cwd") for process in processes)
    except OSError:
        return False


class Workers:
    """The worker processes of a loader, for one pass or, persistent, for several.

    Args:
        loader: a paddle.io.DataLoader.
        fetcher: makes a Fetcher.
        sampler: gives the indices of each batch; None for an IterableDataset.
        leaf: what becomes of the arrays and tensors of a batch before they are sent.
        pin: whether tensors are put into page-locked memory here.
        persistent: whether the processes stay after a pass.
    """

    def __init__(
        self, loader: Any, fetcher: Callable[[], Fetcher], sampler: Iterable[Any] | None, leaf: Any, pin: bool, persistent: bool
    ) -> None:
        forks = "fork" in multiprocessing.get_all_start_methods()
        # workers of an IterableDataset that ended leave their share to others, which then are further ahead
        hands = forks and sampler is not None and leaf is for_sending
        plan = _Plan(loader.dataset, fetcher, leaf, loader.worker_init_fn, loader.num_workers, loader.prefetch_factor, hands)
        self._plan = plan
        dataset: Any = _ByIndices(plan) if sampler is not None else _InARow(plan, loader.batch_size or 1)
        with _no_advice():
            self._loader: Any = torch.utils.data.DataLoader(
                dataset,
                batch_size=None,
                sampler=None if sampler is None else _Lazily(sampler),
                num_workers=loader.num_workers,
                collate_fn=_as_it_is,
                pin_memory=pin,
                worker_init_fn=plan.start,
                # Paddle's workers are forks, so datasets may hold what cannot be pickled
                multiprocessing_context="fork" if forks else None,
                generator=torch.Generator(),  # of its own: Paddle's loader leaves the global one alone
                prefetch_factor=loader.prefetch_factor,
                persistent_workers=persistent,
            )
        self._batches: Any = None
        self.rewind()

    @property
    def ended(self) -> bool:
        """Whether there are no processes."""
        return self._batches is None

    @property
    def results(self) -> Any:
        """The queue through which batches come."""
        return self._batches._worker_result_queue

    @property
    def done(self) -> Any:
        """The event that tells the processes to end."""
        return self._batches._workers_done_event

    def rewind(self) -> None:
        """Begin a pass."""
        with _no_advice():
            self._batches = iter(self._loader)
        _watch_workers()
        if self._plan.opens is not None:
            self._plan.opens[0] = _may_open([worker.pid for worker in self._batches._workers])

    def end(self) -> None:
        """End the processes."""
        batches, self._batches, self._loader._iterator = self._batches, None, None
        if batches is not None:
            batches._shutdown_workers()

    def next(self) -> Any:
        """The next batch as it was sent; StopIteration at the end of the pass."""
        if self._batches is None:
            raise StopIteration
        try:
            batch = next(self._batches)
        except StopIteration:
            if not self._loader.persistent_workers:
                self._batches = None
            raise
        except RuntimeError as error:  # torch's word for a worker that is gone
            self.end()
            raise error if isinstance(error, FatalError) else _gone(error) from error
        if isinstance(batch, Failure):
            self.end()
            raise batch.error()
        return batch
