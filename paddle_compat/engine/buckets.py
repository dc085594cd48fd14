"""Gradients that travel between processes in buckets, each of which sets out as soon as its last gradient is made.

    sums = Sums(buckets(tensors), replicas, trip)     # one for each backward pass
    sums.put(position, gradient, replica)             # from a hook, while the pass goes on
    sums.result(len(tensors))                         # when all are there

All processes make the same buckets and start them in the same order, whatever order their gradients come in.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import torch

FIRST, MOST = 1 << 20, 25 << 20  # bytes in the first bucket, which sets out early, and in the others: those of torch's DDP


class Trip:
    """The way of a bucket's numbers to the other processes and back as their sum.

    Args:
        flat: where this process writes its part.
        start: starts the sum in place; gives what is to be waited for.
    """

    def __init__(self, flat: torch.Tensor, start: Callable[[torch.Tensor], Any]) -> None:
        self.flat, self.start = flat, start

    def leave(self) -> None:
        """Set out: this process's part is written."""
        self.work = self.start(self.flat)

    def has_come(self) -> bool:
        """Whether it is good to let it arrive before it has to."""
        return False

    def arrive(self) -> torch.Tensor:
        """Wait for the sum."""
        self.work.wait()
        return self.flat

    def settle(self) -> None:
        """What all processes do together when it has arrived."""



def buckets(tensors: Sequence[torch.Tensor], most: int = MOST, first: int = FIRST) -> list[list[int]]:
    """Which tensors travel together: neighbours of one data type and device, up to so many bytes.

    Args:
        tensors: in the order in which they (or their gradients) are made.
        most: bytes of a bucket; `first`: of the first one. 0: each travels alone.
    Returns:
        Positions, bucket by bucket, in the order in which the buckets are full.
    """
    made: list[list[int]] = []
    filling: dict[Any, tuple[list[int], int]] = {}
    for i, tensor in enumerate(tensors):
        key = tensor.dtype, tensor.device
        positions, size = filling.pop(key, ([], 0))
        positions.append(i)
        size += tensor.numel() * tensor.element_size()
        if size >= (most if made else min(first, most)):
            made.append(positions)
        else:
            filling[key] = positions, size
    return made + [positions for positions, _ in filling.values()]


class Sums:
    """The gradients of one backward pass, on their way.

    Args:
        buckets: positions that travel together, in the order in which they leave.
        replicas: how many of this process put in theirs.
        trip: a way for so many numbers of a tensor's kind.
    """

    def __init__(self, buckets: Sequence[Sequence[int]], replicas: int, trip: Callable[[int, torch.Tensor], Trip]) -> None:
        self.buckets, self.replicas, self.trip = buckets, replicas, trip
        self.bucket_of = {i: number for number, positions in enumerate(buckets) for i in positions}
        self.parts: dict[int, list[torch.Tensor | None]] = {i: [None] * replicas for i in self.bucket_of}
        self.awaited = [len(positions) * replicas for positions in buckets]
        self.trips: list[Trip] = []
        self.arrived: list[torch.Tensor] = []
        self.lock = threading.Lock()

    def put(self, position: int, gradient: torch.Tensor, replica: int = 0) -> None:
        """Take a replica's gradient; the first one counts. The buckets that are full now set out, in their order."""
        with self.lock:
            if self.parts[position][replica] is not None:
                return
            self.parts[position][replica] = gradient.to_dense() if gradient.is_sparse else gradient.detach()
            self.awaited[self.bucket_of[position]] -= 1
            while len(self.trips) < len(self.buckets) and not self.awaited[len(self.trips)]:
                self.trips.append(self._begun(self.buckets[len(self.trips)]))
            while len(self.arrived) < len(self.trips) and self.trips[len(self.arrived)].has_come():
                self.arrived.append(self.trips[len(self.arrived)].arrive())

    def put_all(self, gradients: Sequence[torch.Tensor], replica: int = 0) -> None:
        """Take what a replica has not handed in yet."""
        for position, gradient in enumerate(gradients):
            self.put(position, gradient, replica)

    def result(self, count: int) -> list[torch.Tensor]:
        """Wait for the buckets: so many sums, by position."""
        found: dict[int, torch.Tensor] = {}
        self.arrived += [trip.arrive() for trip in self.trips[len(self.arrived) :]]
        for trip, positions, flat in zip(self.trips, self.buckets, self.arrived, strict=True):
            trip.settle()
            begin = 0
            for i in positions:
                like = self.parts[i][0]
                assert like is not None
                found[i] = flat[begin : begin + like.numel()].view(like.shape)
                begin += like.numel()
        return [found[i] for i in range(count)]

    def _begun(self, positions: Sequence[int]) -> Trip:
        """A bucket that has set out: the sums over this process's replicas, in the order of their ranks, behind one another."""
        columns = [[part.reshape(-1) for part in self.parts[i] if part is not None] for i in positions]
        trip = self.trip(sum(column[0].numel() for column in columns), columns[0][0])
        torch.cat([column[0] for column in columns], out=trip.flat)
        begin = 0
        for column in columns:
            window = trip.flat[begin : begin + column[0].numel()]
            for part in column[1:]:
                window.add_(part)
            begin += window.numel()
        trip.leave()
        return trip
