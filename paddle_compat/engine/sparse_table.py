"""Tables that are larger than any memory: rows exist from when they are first touched.

A table's rows lie behind one another in the order in which they were made, in address space that is reserved at once and gets memory as it
is written to. So a row is found by its position, and an `Index` finds positions by ids. Both work on whole arrays: nothing loops over ids.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from paddle_compat.core.errors import OutOfRangeError, ResourceExhaustedError

_C = ctypes.CDLL(None)
_NO_RESERVE = 0x4000  # MAP_NORESERVE of Linux, which Python names from 3.13 on: pages count when they are touched
_FULL = 0.7  # of the slots may be taken
_GROWTH = 1.2  # small steps, for 4 bytes a slot are a good part of what a narrow row takes
_AT_ONCE = 1 << 12  # ids, so that the arrays made on the way stay small


def reserved(rows: int, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Zeros that take memory only where they are touched."""
    count = rows * int(np.prod(shape, dtype=np.int64))
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE
    memory = mmap.mmap(-1, max(count * dtype.itemsize, 1), flags=flags)
    return torch.frombuffer(memory, dtype=dtype, count=count).view(rows, *shape)


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


class SparseTable:
    """Rows and their optimizer's state by id.

    Args:
        width: of a row.
        height: ids are smaller than it.
        initial: gives the first values of the rows of ids.
        states: for each accumulator its width and what it starts from.
        dtype: of rows and states.
    """

    def __init__(
        self, width: int, height: int, initial: Callable[[torch.Tensor], torch.Tensor],
        states: Mapping[str, tuple[int, float]] | None = None, dtype: torch.dtype = torch.float32,
    ) -> None:  # fmt: skip
        self.width, self.height, self.initial, self.starts = width, height, initial, dict(states or {})
        row = dtype.itemsize * (width + sum(wide for wide, _ in self.starts.values()))
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        most = min(height, memory // row, (1 << 31) - 1)
        self.index = Index(most, height - 1)
        self.rows = reserved(most, width, dtype=dtype)
        self.states = {name: reserved(most, wide, dtype=dtype) for name, (wide, _) in self.starts.items()}

    def __len__(self) -> int:
        return self.index.count

    def positions(self, ids: torch.Tensor) -> torch.Tensor:
        """Where the rows of ids are; rows that were never touched are made.

        Args:
            ids: int64, in any number of dimensions; ids may repeat.
        Raises:
            OutOfRangeError: an id is negative, or not smaller than the table's height.
        """
        flat = ids.reshape(-1).numpy()
        if len(flat) and (flat.min() < 0 or flat.max() >= self.height):
            wrong = flat[(flat < 0) | (flat >= self.height)][0]
            raise OutOfRangeError(f"Invalid value for argument `ids`. Expected ids from 0 to {self.height - 1}. Received: {wrong}")
        found = self.index.find(flat)
        absent = found < 0
        if absent.any():
            new, back = np.unique(flat[absent], return_inverse=True)
            found[absent] = self._make(new)[back]
        return torch.from_numpy(found).view(ids.shape)

    def _make(self, ids: np.ndarray) -> np.ndarray:
        """The positions of new rows."""
        made = self.index.add(ids)
        for first in range(0, len(ids), _AT_ONCE):
            some = torch.from_numpy(ids[first : first + _AT_ONCE])
            span = slice(made[first], made[first] + len(some))
            self.rows[span] = self.initial(some)
            for name, (_, start) in self.starts.items():
                if start:
                    self.states[name][span] = start
        return made

    def lookup(self, ids: torch.Tensor) -> torch.Tensor:
        """The rows of ids, with a row's width behind the dimensions of `ids`."""
        where = self.positions(ids)
        return self.rows.index_select(0, where.view(-1)).view(*ids.shape, self.width)

    def update(self, ids: torch.Tensor, gradients: torch.Tensor, rule: Callable[..., None]) -> None:
        """Update the rows of ids.

        Args:
            ids: (n), may repeat: gradients of one row are added up.
            gradients: (n, width).
            rule: is called with rows, gradients and, by name, states of each id once; it writes to rows and states.
        """
        unique, back = torch.unique(ids, return_inverse=True)
        if len(unique) < len(ids):
            gradients = torch.zeros(len(unique), self.width, dtype=gradients.dtype).index_add_(0, back, gradients)
        else:
            gradients = torch.empty_like(gradients).index_copy_(0, back, gradients)
        with self.changing(unique) as values:
            rule(values["rows"], gradients, **{name: values[name] for name in self.states})

    @contextmanager
    def changing(self, ids: torch.Tensor) -> Iterator[dict[str, torch.Tensor]]:
        """Rows of different ids, and by name their states, as tensors that are kept when the block ends; not where it fails."""
        where = self.positions(ids)
        values = {name: kept.index_select(0, where) for name, kept in (("rows", self.rows), *self.states.items())}
        yield values
        self.rows.index_copy_(0, where, values["rows"])
        for name, kept in self.states.items():
            kept.index_copy_(0, where, values[name])

    def state(self) -> dict[str, torch.Tensor]:
        """Everything that was touched, for a snapshot."""
        count = len(self)
        kept = {f"state/{name}": state[:count] for name, state in self.states.items()}
        return {"ids": torch.from_numpy(self.index.keys[:count].astype(np.int64)), "rows": self.rows[:count], **kept}

    def restore(self, state: Mapping[str, torch.Tensor]) -> None:
        """Take up what `state` gave, in a table that nobody has touched yet."""
        count = len(self.index.add(state["ids"].numpy()))
        self.rows[:count] = state["rows"]
        for name, values in self.states.items():
            values[:count] = state[f"state/{name}"]
