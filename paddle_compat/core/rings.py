"""Rings: whom a collective operator meets. A rank is a replica of a data parallel run, or a process.

An operator asks `ring_of(ring_id)` in the thread of its rank. Replicas that share a process enter theirs with `inside`.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch


class Abandoned(RuntimeError):
    """Another rank failed, and this one stopped for it."""


class Ring(ABC):
    """The ranks that meet in a collective call, seen from one of them. All of them make the same calls in the same order."""

    rank: int
    size: int

    @abstractmethod
    def all_reduce(self, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """The sums over all ranks. Nobody may write to them: ranks of one process may hold the same ones.

        Args:
            tensors: dense ones, and sparse ones, whose rows are put behind one another in the order of the ranks.
        """


class Alone(Ring):
    """The ring of somebody who runs alone."""

    rank, size = 0, 1

    def all_reduce(self, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """The tensors themselves."""
        return list(tensors)


class _Here(threading.local):
    """The ring of the replica that runs in this thread."""

    ring: Ring | None = None


_here = _Here()
_rings: dict[int, Ring] = {}
_alone = Alone()


def ring_of(ring_id: int) -> Ring:
    """The ring that an operator with this attribute meets in this thread."""
    return _here.ring or _rings.get(ring_id, _alone)


@contextmanager
def inside(ring: Ring) -> Iterator[None]:
    """Operators of this thread meet that ring inside the block."""
    former, _here.ring = _here.ring, ring
    try:
        yield
    finally:
        _here.ring = former
