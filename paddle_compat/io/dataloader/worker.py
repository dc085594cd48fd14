"""What a worker process of a loader knows and does."""

from __future__ import annotations

import os
import queue
import random
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import also_fatal
from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.place import CPUPlace, set_current_place
from paddle_compat.core.random import seed as seed_generators
from paddle_compat.io.dataloader import _values
from paddle_compat.io.dataloader._fetcher import DatasetKind as _DatasetKind
from paddle_compat.io.dataloader.flat import _flatten_batch


class WorkerInfo:
    """What a worker process can know of itself: `id`, `num_workers`, `dataset`, `seed`. It cannot be changed."""

    id: int
    num_workers: int
    dataset: Any
    seed: int

    def __init__(self, id: int, num_workers: int, dataset: Any, seed: int) -> None:
        self.__dict__.update(id=id, num_workers=num_workers, dataset=dataset, seed=seed)

    def __setattr__(self, key: str, value: Any) -> None:
        raise RuntimeError(f"Cannot assign attributes to {type(self).__name__} objects. Received: {key} = {value!r}")


_worker_info: WorkerInfo | None = None


def get_worker_info() -> Any:
    """What the worker process that calls this can know of itself.

    Returns:
        An object with `id` (from 0), `num_workers`, `dataset` (the worker's own copy) and `seed`; None in the main process.

    Example:
        >>> import paddle_compat as paddle
        >>> print(paddle.io.get_worker_info())
        None

    Follows Paddle 2.6.
    """
    return _worker_info


def start_worker(info: WorkerInfo) -> None:
    """Prepare a process that has just become a worker: its information, its seeds, and the CPU for its operators."""
    global _worker_info
    _worker_info = info
    set_current_place(CPUPlace())
    base, number = info.seed, info.id
    random.seed(base + number)
    seed_generators(base + number)
    np.random.seed(_generate_states(base, number))


def _generate_states(base_seed: int = 0, worker_id: int = 0) -> list[int]:
    """What numpy's generator is seeded with in a worker."""
    return np.random.SeedSequence([worker_id, base_seed & 0xFFFFFFFF, base_seed >> 32, 0]).generate_state(4).tolist()


class Failure:
    """An exception on its way from a worker to the main process: its type, and its traceback as text."""

    def __init__(self, error: BaseException, number: int | None = None) -> None:
        if number is None:
            number = _worker_info.id if _worker_info else 0
        text = "".join(traceback.format_exception(error))
        self.kind = type(error)
        self.text = f"DataLoader worker({number}) caught {self.kind.__name__} with message:\n{text}"

    def error(self) -> BaseException:
        """The exception for the main process: of the worker's type, and a SystemError, which the real Paddle raises there."""
        return also_fatal(self.kind, self.text)


def caught(function: Callable[[], Any]) -> Any:
    """What a function returns, or the Failure of what it raises."""
    try:
        return function()
    except Exception as error:
        return Failure(error)


# ---- Paddle's own loop of a worker, and what it sends, for harnesses that run it themselves; the loaders' workers are torch's
class _WorkerException(Failure):
    """An exception of a worker that has no information of itself."""

    def __init__(self, worker_id: int, error: BaseException) -> None:
        super().__init__(error, worker_id)
        self.worker_id, self.exc_type, self.exc_msg = worker_id, self.kind, self.text

    def reraise(self) -> None:
        """Raise it again, in the process that received it."""
        raise self.error()


class _IterableDatasetStopIteration:
    """Says that a worker has read all of its IterableDataset."""

    def __init__(self, worker_id: int) -> None:
        self.worker_id = worker_id


class _ResumeIteration:
    """Says that a pass begins anew."""


class ParentWatchDog:
    """Sees whether the process that started this one lives."""

    def __init__(self) -> None:
        self._parent = os.getppid()

    def is_alive(self) -> bool:
        """Whether it does."""
        return os.getppid() == self._parent


def _worker_loop(
    dataset: Any, dataset_kind: int, indices_queue: Any, out_queue: Any, done_event: Any, auto_collate_batch: bool,
    collate_fn: Callable[[Any], Any], drop_last: bool, init_fn: Callable[[int], Any] | None, worker_id: int, num_workers: int,
    use_shared_memory: bool, base_seed: int, shm_cahce_size: int = 0,
) -> None:  # fmt: skip
    """Read the batches whose numbers and indices come through one queue, and send them through the other, until None comes."""
    start_worker(WorkerInfo(worker_id, num_workers, dataset, base_seed))

    def fetcher() -> Any:
        return _DatasetKind.create_fetcher(dataset_kind, dataset, auto_collate_batch, collate_fn, drop_last)

    failure: _WorkerException | None = None
    try:
        if init_fn is not None:
            init_fn(worker_id)
        source = fetcher()
    except Exception as error:
        failure = _WorkerException(worker_id, error)
    ended = False
    parent = ParentWatchDog()
    while parent.is_alive():
        try:
            given = indices_queue.get(timeout=5)
        except queue.Empty:
            continue
        if isinstance(given, _ResumeIteration):
            out_queue.put((given, None, None))
            source, ended = fetcher(), False
            continue
        if given is None:
            assert done_event.is_set() or ended, "Invalid value of `indices_queue`. Expected None when `done_event` is set. Received: None"
            break
        if done_event.is_set() or ended:
            continue
        number, indices = given
        if failure is not None:
            out_queue.put((number, failure, None))
            failure, ended = None, True
            continue
        try:
            arrays, form = _flatten_batch(source.fetch(indices))
        except StopIteration as error:
            ended = dataset_kind == _DatasetKind.ITER
            out_queue.put(_IterableDatasetStopIteration(worker_id) if ended else (number, _WorkerException(worker_id, error), None))
            continue
        except Exception as error:
            out_queue.put((number, _WorkerException(worker_id, error), None))
            continue
        sent = [LoDTensor(_values.copied(array)) for array in arrays] if use_shared_memory else [np.asarray(array) for array in arrays]
        out_queue.put((number, sent, form))


__all__ = ["get_worker_info"]

__getattr__ = missing(__name__)
