"""Gradients that travel between processes in buckets, each of which sets out as soon as its last gradient is made.

    sums = Sums(buckets(tensors), replicas, start)    # one for each backward pass
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

Start = Callable[[torch.Tensor], Any]  # starts a sum in place over all processes; gives what is to be waited for


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
        start: starts the sum of a bucket over the processes.
    """

    def __init__(self, buckets: Sequence[Sequence[int]], replicas: int, start: Start) -> None:
        self.buckets, self.replicas, self.start = buckets, replicas, start
        self.bucket_of = {i: number for number, positions in enumerate(buckets) for i in positions}
        self.parts: dict[int, list[torch.Tensor | None]] = {i: [None] * replicas for i in self.bucket_of}
        self.awaited = [len(positions) * replicas for positions in buckets]
        self.travelling: list[tuple[torch.Tensor, Any]] = []
        self.lock = threading.Lock()

    def put(self, position: int, gradient: torch.Tensor, replica: int = 0) -> None:
        """Take a replica's gradient; the first one counts. The buckets that are full now set out, in their order."""
        with self.lock:
            if self.parts[position][replica] is not None:
                return
            self.parts[position][replica] = gradient.to_dense() if gradient.is_sparse else gradient.detach()
            self.awaited[self.bucket_of[position]] -= 1
            while len(self.travelling) < len(self.buckets) and not self.awaited[len(self.travelling)]:
                flat = self._filled(self.buckets[len(self.travelling)])
                self.travelling.append((flat, self.start(flat)))

    def put_all(self, gradients: Sequence[torch.Tensor], replica: int = 0) -> None:
        """Take what a replica has not handed in yet."""
        for position, gradient in enumerate(gradients):
            self.put(position, gradient, replica)

    def result(self, count: int) -> list[torch.Tensor]:
        """Wait for the buckets: so many sums, by position."""
        found: dict[int, torch.Tensor] = {}
        for positions, (flat, work) in zip(self.buckets, self.travelling, strict=True):
            work.wait()
            begin = 0
            for i in positions:
                like = self.parts[i][0]
                assert like is not None
                found[i] = flat[begin : begin + like.numel()].view(like.shape)
                begin += like.numel()
        return [found[i] for i in range(count)]

    def _filled(self, positions: Sequence[int]) -> torch.Tensor:
        """What a bucket holds: the sums over this process's replicas, in the order of their ranks, behind one another."""
        columns = [[part.reshape(-1) for part in self.parts[i] if part is not None] for i in positions]
        flat = torch.cat([column[0] for column in columns])
        begin = 0
        for column in columns:
            window = flat[begin : begin + column[0].numel()]
            for part in column[1:]:
                window.add_(part)
            begin += window.numel()
        return flat
