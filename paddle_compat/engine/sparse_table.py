"""Tables that are larger than any memory: rows exist from when they are first touched.

A table's rows lie behind one another in the order in which they were made, in address space that is reserved at once and gets memory as it
is written to. So a row is found by its position, and an `Index` finds positions by ids. Both work on whole arrays.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import numpy as np
import torch

from paddle_compat.core.errors import OutOfRangeError
from paddle_compat.engine.entries import Entry
from paddle_compat.engine.row_index import Index, reserved

_AT_ONCE = 1 << 12  # ids, so that the arrays made on the way stay small
_UNSEEN = 30  # days without an update that a row outlives, as in Paddle


class SparseTable:
    """Rows and their optimizer's state by id.

    Args:
        width: of a row.
        height: ids are smaller than it.
        initial: gives the first values of the rows of ids.
        states: for each accumulator its width and what it starts from.
        dtype: of rows and states.
        entry: decides which ids get rows; None: all that are touched. The others read as zeros, and their gradients count for nothing.
    """

    def __init__(
        self, width: int, height: int, initial: Callable[[torch.Tensor], torch.Tensor],
        states: Mapping[str, tuple[int, float]] | None = None, dtype: torch.dtype = torch.float32, entry: Entry | None = None,
    ) -> None:  # fmt: skip
        self.width, self.height, self.initial, self.starts, self.entry = width, height, initial, dict(states or {}), entry
        row = dtype.itemsize * (width + sum(wide for wide, _ in self.starts.values()))
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        most = min(height, memory // row, (1 << 31) - 1)
        self.index = Index(most, height - 1)
        self.rows = reserved(most, width, dtype=dtype)
        self.states = {name: reserved(most, wide, dtype=dtype) for name, (wide, _) in self.starts.items()}
        self.day = 0  # days end where a job says so
        self.seen = reserved(most, dtype=torch.int32)  # the day of each row's last update; takes memory from the second day on

    def __len__(self) -> int:
        return self.index.count

    def positions(self, ids: torch.Tensor, grows: bool = True) -> torch.Tensor:
        """Where the rows of ids are; rows that were never touched are made.

        Args:
            ids: int64, in any number of dimensions; ids may repeat.
            grows: False: no row is made.
        Returns:
            Positions, -1 for ids without rows, in the shape of `ids`.
        Raises:
            OutOfRangeError: an id is negative, or not smaller than the table's height.
        """
        flat = ids.reshape(-1).numpy()
        if len(flat) and (flat.min() < 0 or flat.max() >= self.height):
            wrong = flat[(flat < 0) | (flat >= self.height)][0]
            raise OutOfRangeError(f"Invalid value for argument `ids`. Expected ids from 0 to {self.height - 1}. Received: {wrong}")
        found = self.index.find(flat)
        absent = found < 0
        if grows and absent.any():
            new, back, times = np.unique(flat[absent], return_inverse=True, return_counts=True)
            made = np.full(len(new), -1, np.int64)
            admitted = slice(None) if self.entry is None else self.entry.admit(new, times)
            made[admitted] = self._make(new[admitted])
            found[absent] = made[back]
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
            if self.day:
                self.seen[span] = self.day
        return made

    def lookup(self, ids: torch.Tensor, grows: bool = True) -> torch.Tensor:
        """The rows of ids, with a row's width behind the dimensions of `ids`; zeros for ids without rows, of which `grows` makes some."""
        where = self.positions(ids, grows).view(-1)
        if len(where) and where.min() < 0:
            found = self.rows.index_select(0, where.clamp(min=0))
            found[where < 0] = 0
        else:
            found = self.rows.index_select(0, where)
        return found.view(*ids.shape, self.width)

    @contextmanager
    def changing(self, ids: torch.Tensor) -> Iterator[dict[str, torch.Tensor]]:
        """Rows of different ids, and by name their states, as tensors that are kept when the block ends; not where it fails."""
        where = self.positions(ids)
        values = {name: kept.index_select(0, where) for name, kept in (("rows", self.rows), *self.states.items())}
        yield values
        self.rows.index_copy_(0, where, values["rows"])
        for name, kept in self.states.items():
            kept.index_copy_(0, where, values[name])
        if self.day:
            self.seen.index_fill_(0, where, self.day)

    def shrink(self) -> int:
        """Let go of rows that had no update for more than 30 days: they begin anew when they are touched.

        Returns:
            How many.
        """
        count = len(self)
        kept = torch.nonzero(self.day - self.seen[:count] <= _UNSEEN).view(-1)
        if len(kept) == count:
            return 0
        for values in (self.rows, self.seen, *self.states.values()):
            for first in range(0, len(kept), _AT_ONCE):  # rows move up, so that none is written over before it has moved
                some = kept[first : first + _AT_ONCE]
                values[first : first + len(some)] = values.index_select(0, some)
            values[len(kept) : count] = 0
        self.index.keep(kept.numpy())
        return count - len(kept)

    def state(self) -> dict[str, torch.Tensor]:
        """Everything that was touched, for a snapshot."""
        count = len(self)
        kept = {f"state/{name}": _first(values, count) for name, values in self.states.items()}
        kept |= {f"entry/{name}": value for name, value in self.entry.state().items()} if self.entry is not None else {}
        kept |= {"unseen": self.day - self.seen[:count]} if self.day else {}
        return {"ids": torch.from_numpy(self.index.keys[:count].astype(np.int64)), "rows": _first(self.rows, count), **kept}

    def restore(self, state: Mapping[str, torch.Tensor]) -> None:
        """Take up what `state` gave, in a table that nobody has touched yet."""
        count = len(self.index.add(state["ids"].numpy()))
        self.rows[:count] = state["rows"]
        for name, values in self.states.items():
            values[:count] = state[f"state/{name}"]
        if "unseen" in state and count:
            self.day = int(state["unseen"].max())
            self.seen[:count] = self.day - state["unseen"]
        counted = {name.removeprefix("entry/"): value for name, value in state.items() if name.startswith("entry/")}
        if self.entry is not None and counted:
            self.entry.restore(counted)


def _first(values: torch.Tensor, count: int) -> torch.Tensor:
    """The first rows as a tensor of their own, on the same memory: files hold all that a view is a view of."""
    return torch.from_numpy(values.numpy()[:count])
