"""Where rows of a table lie: positions by id, in memory that is taken as it is touched. Nothing loops over ids."""

from __future__ import annotations

import ctypes
import mmap
from typing import Any

import numpy as np
import torch

from paddle_compat.core.errors import ResourceExhaustedError

_C = ctypes.CDLL(None)
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8  # of glibc's mallopt
_NO_RESERVE = 0x4000  # MAP_NORESERVE of Linux, which Python names from 3.13 on: pages count when they are touched
_FULL = 0.7  # of the slots may be taken
_GROWTH = 1.2  # small steps, for 4 bytes a slot are a good part of what a narrow row takes
_LARGE = 1 << 20  # bytes; without a threshold of our own, glibc raises its own to what was freed
_AT_ONCE = 1 << 12  # ids, so that the arrays made on the way stay small


def reserved(rows: int, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Zeros that take memory only where they are touched."""
    count = rows * int(np.prod(shape, dtype=np.int64))
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE
    memory = mmap.mmap(-1, max(count * dtype.itemsize, 1), flags=flags)
    return torch.frombuffer(memory, dtype=dtype, count=count).view(rows, *shape)


def give_memory_back() -> None:
    """Have the process's memory shrink again after large calls.

    What is large goes back to the system, all threads share two pools for the rest. A server's rounds come in on many threads, each of
    which would keep as much as the largest round that it has seen.
    """
    if hasattr(_C, "mallopt"):
        _C.mallopt(_MMAP_THRESHOLD, _LARGE)
        _C.mallopt(_ARENA_MAX, 2)


class Index:
    """Positions by id: a hash table with open addresses.

    Args:
        most: how many ids there may be.
        largest: the largest id.
    """

    def __init__(self, most: int, largest: int) -> None:
        self.keys: Any = reserved(most, dtype=torch.int32 if largest < 1 << 31 else torch.int64).numpy()
        self.most, self.count = most, 0
        self.slots = self._empty(1024)  # positions + 1, 0 where nothing is

    def find(self, ids: np.ndarray) -> np.ndarray:
        """The positions of ids, -1 for those that are not there."""
        found = np.full(len(ids), -1, np.int64)
        left, slots = np.arange(len(ids)), self._first_slots(ids)
        while len(left):
            positions = self.slots[slots] - 1
            taken = positions >= 0
            hit = taken & (self.keys[positions] == ids[left])
            found[left[hit]] = positions[hit]
            on = taken & ~hit
            left, slots = left[on], self._next(slots[on])
        return found

    def add(self, ids: np.ndarray) -> np.ndarray:
        """Give positions to ids that differ and are not there.

        Raises:
            ResourceExhaustedError: there is no room.
        """
        start, self.count = self.count, self.count + len(ids)
        if self.count > self.most:
            self.count = start
            raise ResourceExhaustedError(f"A table has room for {self.most} rows. Received: {start} rows and {len(ids)} new ids")
        self.keys[start : self.count] = ids
        if self.count > _FULL * len(self.slots):
            self.slots = self._empty(int(max(_GROWTH * len(self.slots), self.count / _FULL)) + 1)
            self._place(np.arange(self.count, dtype=np.int32))
            if hasattr(_C, "malloc_trim"):  # many threads' steps leave their memory in as many places
                _C.malloc_trim(0)
        else:
            self._place(np.arange(start, self.count, dtype=np.int32))
        return np.arange(start, self.count)

    def keep(self, positions: np.ndarray) -> None:
        """Forget all ids but those at some positions, which ascend: they move up, in their order."""
        self.count = len(positions)
        self.keys[: self.count] = self.keys[positions]
        self.slots = self._empty(len(self.slots))
        self._place(np.arange(self.count, dtype=np.int32))

    def _place(self, every: np.ndarray) -> None:
        for positions in np.array_split(every, len(every) // _AT_ONCE + 1):
            self._place_some(positions)

    def _place_some(self, positions: np.ndarray) -> None:
        slots = self._first_slots(self.keys[positions])
        while len(positions):
            free = self.slots[slots] == 0
            self.slots[slots[free]] = positions[free] + 1  # of several for one slot the last gets it
            left = self.slots[slots] != positions + 1
            positions, slots = positions[left], self._next(slots[left])

    @staticmethod
    def _empty(count: int) -> Any:
        return reserved(count, dtype=torch.int32).numpy()  # goes back to the system when it is too small, which malloc's memory does not

    def _first_slots(self, ids: np.ndarray) -> np.ndarray:
        mixed = (ids.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32)
        return (mixed * np.uint64(len(self.slots)) >> np.uint64(32)).astype(np.int64)

    def _next(self, slots: np.ndarray) -> np.ndarray:
        slots = slots + 1
        slots[slots == len(self.slots)] = 0
        return slots
