"""What a `Model` does where several processes train it: gradients are averaged, evaluations are of all processes' samples together."""

from __future__ import annotations

import importlib
from typing import Any

from paddle_compat.core.job import job
from paddle_compat.ops.collective_parts import c_allgather


def leads() -> bool:
    """Whether this process is the one that prints and saves."""
    return job().rank == 0


def wrapped(network: Any) -> Any:
    """The network as the job's processes train it, which meet now; None where this is the only one, or nothing trains."""
    if job().size < 2 or not any(parameter.trainable for parameter in network.parameters()):
        return None
    distributed: Any = importlib.import_module("paddle_compat.distributed.parallel")
    distributed.init_parallel_env()
    return distributed.DataParallel(network)


def prepare_distributed_context(place: Any = None) -> Any:
    """Let the processes of this job meet; None where there is only this one."""
    if job().size < 2:
        return None
    distributed: Any = importlib.import_module("paddle_compat.distributed.parallel")
    return distributed.init_parallel_env()


def minimizer(optimizer: Any) -> Any:
    """The optimizer that minimizes in Programs of this job."""
    if job().size < 2:
        return optimizer
    fleet: Any = importlib.import_module("paddle_compat.distributed.fleet")
    fleet.init(is_collective=True)
    return fleet.distributed_optimizer(optimizer)


def gathered(values: list[Any]) -> list[Any]:
    """The rows that all processes have of each Tensor or Variable, in the processes' order."""
    size = job().size
    if size < 2:
        return values
    return [c_allgather(value, nranks=size, use_calc_stream=True) for value in values]


def all_gather(x: Any, nranks: int | None = None) -> Any:
    """The rows that all processes have of one Tensor; `nranks` is how many those are, where scripts of Paddle 2.0 to 2.2 say so."""
    if job().size < 2 and nranks != 1:
        raise RuntimeError("The global group is not initialized. Expected init_parallel_env() in a job of several processes before.")
    return gathered([x])[0]


class Counted:
    """How many samples of an evaluation all processes together have seen: behind the last ones their samplers repeat some.

    Attributes:
        batch: how many there were in the last batch.
    """

    def __init__(self) -> None:
        self.batch = self._seen = 0
        self._total: int | None = None

    def begin(self, loader: Any = None) -> None:
        """Count anew.

        Args:
            loader: the DataLoader whose dataset says how many there are; None, or what is none: nobody knows.
        """
        self._seen = 0
        try:
            self._total = len(loader.dataset)
        except (AttributeError, TypeError, RuntimeError):
            self._total = None

    def keep(self, rows: int) -> int:
        """How many of a batch's rows are no repetitions."""
        self.batch = rows
        if self._total is not None:
            self.batch = min(rows, self._total - self._seen)
            self._seen = 0 if self._seen + rows >= self._total else self._seen + rows
        return self.batch


def trimmed(values: list[Any], rows: int) -> list[Any]:
    """The first rows of each array or Tensor."""
    return [value[:rows] for value in values]
