"""How the replicas of one process meet: their sums are made in the order of their ranks, so that runs repeat bit for bit."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.rings import Abandoned, Journey, Ring
from paddle_compat.engine.buckets import Sums
from paddle_compat.engine.processes import Processes, SumsJourney

_MANY = 1 << 15  # elements from which on all replicas add up a part each


class Meeting:
    """Where the replicas of one process wait for each other.

    Args:
        count: how many they are.
        threads: how many of them may compute at the same time; 0: all.
    """

    def __init__(self, count: int, threads: int = 0) -> None:
        self.count = count
        self.turns = threading.Semaphore(threads) if 0 < threads < count else None
        self.changed = threading.Condition()
        self.waiting, self.times, self.abandoned = 0, 0, False  # how many wait; how often all have come; whether they will no more
        self.given: list[Sequence[torch.Tensor]] = [()] * count
        self.sums: list[torch.Tensor] = []  # of this process
        self.whole: list[torch.Tensor] = []  # of all processes
        self.told: Any = None  # by the first replica
        self.travelling: Sums | None = None  # gradients of a backward pass that goes on
        self.lock = threading.Lock()

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """What a replica computes in: when fewer than all may, it waits here until it is its turn."""
        with self.turns or contextlib.nullcontext():
            yield

    def wait(self) -> None:
        """Wait for all replicas; those that are to come meanwhile have their turns.

        Raises:
            Abandoned: one of them has failed.
        """
        if self.turns is None:
            return self._wait()
        self.turns.release()
        try:
            self._wait()
        finally:
            self.turns.acquire()

    def _wait(self) -> None:
        """When all have come, all go on, also one that wakes up after another has gone on and failed.

        A `threading.Barrier` breaks for such a one. So what a failed run leaves does not hang on how its threads run.
        """
        with self.changed:
            times = self.times
            self.waiting += 1
            if self.waiting == self.count and not self.abandoned:
                self.waiting, self.times = 0, times + 1
                self.changed.notify_all()
            self.changed.wait_for(lambda: self.times > times or self.abandoned)
            if self.times == times:
                raise Abandoned("Another replica failed.")

    def abandon(self) -> None:
        """Let nobody wait any longer."""
        with self.changed:
            self.abandoned = True
            self.changed.notify_all()

    def restore(self) -> None:
        """Make it usable for the next run, when all replicas have ended this one."""
        self.waiting, self.abandoned = 0, False
        self.given, self.sums, self.whole, self.travelling, self.told = [()] * self.count, [], [], None, None


class LocalRing(Ring):
    """The ring of one of the replicas of a process, and of the other processes' replicas if there are any."""

    def __init__(self, meeting: Meeting, rank: int, processes: Processes | None = None) -> None:
        self.meeting, self.local, self.processes = meeting, rank, processes
        self.rank = rank + (processes.rank * meeting.count if processes else 0)
        self.size = meeting.count * (processes.size if processes else 1)
        self.others: dict[Ring, LocalRing] = {}  # over other processes

    def over(self, processes: Ring) -> LocalRing:
        """The ring of the replicas of some processes; the replicas of this one meet where they always do."""
        assert isinstance(processes, Processes)
        if processes not in self.others:
            self.others[processes] = LocalRing(self.meeting, self.local, processes)
        return self.others[processes]

    def wait(self, near: bool = False) -> None:
        """Wait until all replicas, of all processes or of this one, have come here."""
        self.meeting.wait()
        if self.processes is not None and not near:
            if self.local == 0:
                self.processes.wait()
            self.meeting.wait()

    def once(self, call: Callable[[], Any]) -> Any:
        """What the first replica's call gives."""
        meeting = self.meeting
        if self.local == 0:
            meeting.told = call()
        meeting.wait()
        found = meeting.told
        meeting.wait()
        return found

    def all_reduce(self, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """The sums, in the order of the ranks; every replica adds up a share of them."""
        meeting, count = self.meeting, self.meeting.count
        meeting.given[self.local] = tensors
        if self.local == 0:
            meeting.sums = [t if t.is_sparse else torch.empty_like(t, memory_format=torch.contiguous_format) for t in tensors]
        meeting.wait()
        given, sums = meeting.given, meeting.sums
        turn = 0
        for i, parts in enumerate(zip(*given)):
            _check_alike(parts)
            if parts[0].is_sparse:
                if turn % count == self.local:
                    sums[i] = _joined(parts)
                turn += 1
            elif parts[0].numel() >= _MANY and all(part.is_contiguous() for part in parts):
                _add([part.view(-1).chunk(count) for part in parts], sums[i].view(-1).chunk(count), self.local)
            else:
                if turn % count == self.local:
                    _sum(parts, sums[i])
                turn += 1
        meeting.wait()
        if self.processes is not None:
            if self.local == 0:
                meeting.whole = self.processes.all_reduce(sums)
            meeting.wait()
            return list(meeting.whole)
        return list(sums)  # and not the meeting's, which may be those of the next call by now

    def compare(self, call: str, tensors: Sequence[torch.Tensor]) -> None:
        """Compare what the processes hand to a call; their replicas' tensors are when they are added up."""
        if self.processes is not None and self.local == 0:
            self.processes.compare(call, tensors)

    def of_all(self, tensor: torch.Tensor) -> list[torch.Tensor]:
        """The tensors of all replicas, of all processes: copies, for their owners may write to them afterwards."""
        meeting = self.meeting
        meeting.given[self.local] = (tensor,)
        meeting.wait()
        near = [given[0] for given in meeting.given]
        _check_alike(near)
        if self.processes is not None:
            if self.local == 0:
                meeting.whole = [part for parts in self.processes._of_all(torch.stack(near)) for part in parts]
            meeting.wait()
            near = meeting.whole
        copies = [each.clone() for each in near]
        meeting.wait()
        return copies

    def journey(self, tensors: Sequence[torch.Tensor], most: int | None = None) -> Journey | None:
        """Gradients that meet those of the other processes while the backward pass goes on; within one process nothing is gained."""
        if self.processes is None:
            return None
        meeting = self.meeting
        with meeting.lock:
            if meeting.travelling is None:
                meeting.travelling = self.processes.sums(tensors, meeting.count, most)
            return _SharedJourney(self, meeting.travelling)


class _SharedJourney(SumsJourney):
    """The same, where the replicas of a process share the sums: the first one waits for the other processes."""

    def __init__(self, ring: LocalRing, sums: Sums) -> None:
        super().__init__(sums, ring.local)
        self.meeting = ring.meeting

    def _result(self, count: int) -> list[torch.Tensor]:
        meeting = self.meeting
        meeting.wait()
        if self.replica == 0:
            meeting.whole, meeting.travelling = super()._result(count), None
        meeting.wait()
        return list(meeting.whole)


def _check_alike(parts: Sequence[torch.Tensor]) -> None:
    first = parts[0]
    if any(each.shape != first.shape or each.dtype is not first.dtype for each in parts):
        shown = ", ".join(f"{list(each.shape)} in {str(each.dtype).removeprefix('torch.')}" for each in parts)
        raise InvalidArgumentError(f"Expected tensors of one shape and data type on all {len(parts)} replicas. Received: {shown}")


def _add(parts: Sequence[Sequence[torch.Tensor]], out: Sequence[torch.Tensor], share: int) -> None:
    if share < len(out):
        _sum([part[share] for part in parts], out[share])


def _sum(parts: Sequence[torch.Tensor], out: torch.Tensor) -> None:
    torch.add(parts[0], parts[1], out=out) if len(parts) > 1 else out.copy_(parts[0])
    for part in parts[2:]:
        out.add_(part)


def _joined(parts: Sequence[Any]) -> torch.Tensor:
    """The rows of sparse gradients, one replica's behind the other's."""
    rows, values = torch.cat([p._indices() for p in parts], 1), torch.cat([p._values() for p in parts])
    return torch.sparse_coo_tensor(rows, values, parts[0].shape, check_invariants=False)
