"""What a worker process of a loader knows and does."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import also_fatal
from paddle_compat.core.place import CPUPlace, set_current_place
from paddle_compat.core.random import seed as seed_generators
from paddle_compat.io.dataloader._fetcher import DatasetKind as _DatasetKind  # noqa: F401 - harnesses call it by this name


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
    np.random.seed(np.random.SeedSequence([number, base & 0xFFFFFFFF, base >> 32, 0]).generate_state(4))


class Failure:
    """An exception on its way from a worker to the main process: its type, and its traceback as text."""

    def __init__(self, error: BaseException) -> None:
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


__all__ = ["get_worker_info"]

__getattr__ = missing(__name__)
