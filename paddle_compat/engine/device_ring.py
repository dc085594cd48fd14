"""The ring of replicas on GPUs: a thread for each, which has a process group of its own, as a process would have.

All replicas of all processes make one flat ring of NCCL's. The same runs over gloo on the CPU, which is how it is tested without GPUs.
"""

from __future__ import annotations

import datetime
import itertools
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch

from paddle_compat.core.rings import Ring
from paddle_compat.engine.processes import Processes, watched
from paddle_compat.engine.ring import Meeting

_TIMEOUT = datetime.timedelta(minutes=30)
_numbers = itertools.count()  # every ring needs a name of its own in the store, the same in all processes


def device_rings(meeting: Meeting, backend: str, processes: Processes | None) -> list[DeviceRing]:
    """A ring for each replica of this process.

    Args:
        meeting: where these replicas wait for each other.
        backend: "nccl", or "gloo" on the CPU.
        processes: those whose replicas take part; None: this one alone.
    """
    dist = torch.distributed
    store: Any = dist.HashStore() if processes is None else dist.distributed_c10d._get_default_store()
    name = f"paddle_compat/replicas/{next(_numbers)}"
    return [DeviceRing(meeting, local, backend, processes, dist.PrefixStore(name, store.clone())) for local in range(meeting.count)]


class DeviceRing(Processes):
    """The ring of one replica.

    Args:
        store: where the replicas find each other, by a connection of this one's own: two threads on one may wait for ever.
    """

    def __init__(self, meeting: Meeting, local: int, backend: str, processes: Processes | None, store: Any) -> None:
        self.meeting, self.local, self.backend, self.store = meeting, local, backend, store
        self.rank = local + (processes.rank * meeting.count if processes else 0)
        self.size = meeting.count * (processes.size if processes else 1)
        self.made: Any = None

    @property
    def group(self) -> Any:
        """The process group, made in the replica's thread: some backends wait for all of them at once."""
        if self.made is None:
            self.made = self._make()
        return self.made

    def _make(self) -> Any:
        dist = torch.distributed
        if self.backend == "nccl":
            nccl = dist.ProcessGroupNCCL.Options()
            nccl._timeout = _TIMEOUT
            return dist.ProcessGroupNCCL(self.store, self.rank, self.size, nccl)
        gloo: Any = dist.ProcessGroupGloo._Options()  # type: ignore[attr-defined]
        gloo._devices, gloo._timeout = [dist.ProcessGroupGloo.create_device(hostname="127.0.0.1")], _TIMEOUT
        return dist.ProcessGroupGloo(self.store, self.rank, self.size, gloo)

    def over(self, processes: Ring) -> Ring:
        """The ring of the processes themselves, where each has one replica."""
        return processes if self.meeting.count == 1 else super().over(processes)

    def calls(self) -> AbstractContextManager[None]:
        """Whose failure names the process that is to blame."""
        return watched(self.group)

    def compare(self, call: str, tensors: Sequence[torch.Tensor]) -> None:
        """Replicas of one process run one Program, and processes compared theirs when they met."""

    def start(self, flat: torch.Tensor) -> Any:
        """Start a sum when all replicas of this process can: one that takes memory while another's kernel waits may wait for ever."""
        self.meeting.wait()
        return super().start(flat)

    def wait(self, near: bool = False) -> None:
        """Wait until all replicas, of all processes or of this one, have come here."""
        self.meeting.wait()
        if not near:
            with self.calls():
                torch.distributed.barrier(self.group)

    def let_go(self) -> None:
        """Give up what is under way, when a replica has failed."""
        if self.made is not None and self.backend == "nccl":
            self.made.abort()
        self.made = self._near = None
        self._asked = False
