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
        self.buckets, self.trip = buckets, trip
        self.parts: dict[int, list[list[torch.Tensor]]] = {i: [[] for _ in range(replicas)] for each in buckets for i in each}
        self.looked = 0  # how many gradients of the next bucket are known to be there
        self.trips: list[Trip] = []
        self.arrived: list[torch.Tensor] = []
        self.lock = threading.Lock()

    def put(self, position: int, gradient: torch.Tensor, replica: int = 0) -> None:
        """Take a replica's gradient; the first one counts. The buckets that are full now set out, in their order."""
        self.parts[position][replica].append(gradient)
        self._send()

    def put_all(self, gradients: Sequence[torch.Tensor], replica: int = 0) -> None:
        """Take what a replica has not handed in yet."""
        for position, gradient in enumerate(gradients):
            self.parts[position][replica].append(gradient)
        self._send()

    def taker(self, position: int, gradient: torch.Tensor, replica: int = 0) -> Callable[[torch.Tensor], None] | None:
        """What takes a replica's gradient in a hundredth of the time of `put`, and lets no bucket set out; None where it should.

        A GPU idles when what its backward pass calls takes longer here than there. So most gradients are only laid down, and the one
        that should be the last of its bucket has all of them looked at.
        """
        expected_last = any(positions[-1] == position for positions in self.buckets)
        return None if expected_last or gradient.device.type == "cpu" else self.parts[position][replica].append

    def result(self, count: int) -> list[torch.Tensor]:
        """Wait for the buckets: so many sums, by position."""
        found: dict[int, torch.Tensor] = {}
        self.arrived += [trip.arrive() for trip in self.trips[len(self.arrived) :]]
        for trip, positions, flat in zip(self.trips, self.buckets, self.arrived, strict=True):
            trip.settle()
            like = [self.parts[i][0][0] for i in positions]
            for i, part, total in zip(positions, like, flat.split([part.numel() for part in like])):
                found[i] = total.view(part.shape)
        return [found[i] for i in range(count)]

    def _send(self) -> None:
        """Let the buckets that are full set out, and those arrive that may."""
        with self.lock:
            while len(self.trips) < len(self.buckets) and self._is_full(self.buckets[len(self.trips)]):
                self.trips.append(self._begun(self.buckets[len(self.trips)]))
                self.looked = 0
            while len(self.arrived) < len(self.trips) and self.trips[len(self.arrived)].has_come():
                self.arrived.append(self.trips[len(self.arrived)].arrive())

    def _is_full(self, positions: Sequence[int]) -> bool:
        while self.looked < len(positions) and all(self.parts[positions[self.looked]]):
            self.looked += 1
        return self.looked == len(positions)

    def _begun(self, positions: Sequence[int]) -> Trip:
        """A bucket that has set out: the sums over this process's replicas, in the order of their ranks, behind one another."""
        columns = [[_flat(part[0]) for part in self.parts[i]] for i in positions]
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


def _flat(gradient: torch.Tensor) -> torch.Tensor:
    return (gradient.to_dense() if gradient.is_sparse else gradient.detach()).reshape(-1)
