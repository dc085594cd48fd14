"""Sums over processes of one machine, made in memory that they all see; what travels only says where it lies.

A socket takes ten times as long for a bucket of gradients as writing it down and reading what the others wrote.
"""

from __future__ import annotations

import os
import secrets
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import torch

from paddle_compat.engine.buckets import Trip

LEAST = 1 << 16  # bytes of a sum from which on this is the faster way
MOST = 16  # processes up to which it is: each reads what all the others wrote


class Room:
    """Memory of this process that the others can open; the system takes it back when nobody has it any more, whatever happens."""

    def __init__(self, size: int) -> None:
        self.file = os.memfd_create("paddle_compat")
        weakref.finalize(self, os.close, self.file)
        self.bytes = opened(os.getpid(), self.file, size)
        self.last = -1  # the number of the sum that it holds
        self.new = True  # whether somebody may not have opened it yet


def opened(process: int, file: int, size: int) -> torch.Tensor:
    """A process's room, by the number of its file there.

    Raises:
        RuntimeError: there is none, or it may not be opened.
    """
    return torch.from_file(f"/proc/{process}/fd/{file}", shared=True, size=size, dtype=torch.uint8)


class Neighbours:
    """The processes of a ring, all on one machine.

    Args:
        start: starts a sum in place over the ring; gives what is to be waited for.
        rank: the number of this process in it.
        ids: the processes' numbers in the system, by rank.
        boards: a number of each process that all see; it says before which sum it has read all.
    """

    def __init__(self, start: Callable[[torch.Tensor], Any], rank: int, ids: list[int], boards: list[torch.Tensor]) -> None:
        self.start, self.rank, self.ids, self.boards = start, rank, ids, boards
        self.rooms: list[Room] = []  # this process's
        self.known: dict[tuple[int, int], torch.Tensor] = {}  # everybody's, by rank and file
        self.begun = 0  # sums, which all processes count alike
        self.unread: weakref.WeakValueDictionary[int, Trip] = weakref.WeakValueDictionary()  # and still waits for; not after a failed pass
        self.lock = threading.Lock()

    def trip(self, count: int, like: torch.Tensor) -> Trip:
        """A way for so many numbers."""
        size = count * like.element_size()
        with self.lock:
            read = min(int(board) for board in self.boards)
            room = next((room for room in self.rooms if len(room.bytes) >= size and room.last < read), None)
            if room is None:
                room = Room(1 << (size - 1).bit_length())  # few sizes; pages that nobody writes to are not there
                self.rooms.append(room)
            room.last = sys.maxsize
        return _Reading(self, room, room.bytes[:size].view(like.dtype))

    def count_read(self, number: int) -> None:
        """Let all see that this process has read a sum."""
        with self.lock:
            self.unread.pop(number, None)
        with self.lock:  # taken anew, so that on no processor the others see it before the reading is done
            self.boards[self.rank].fill_(min(self.unread.keys(), default=self.begun))


class _Reading(Trip):
    """A sum that every process makes by itself, of what all of them wrote."""

    def __init__(self, neighbours: Neighbours, room: Room, flat: torch.Tensor) -> None:
        super().__init__(flat, neighbours.start)
        self.neighbours, self.room = neighbours, room
        self.said = torch.zeros(len(neighbours.ids), 3, dtype=torch.int64)

    def leave(self) -> None:
        """Tell the others where this process's part lies, and whether they have been there."""
        near = self.neighbours
        self.said[near.rank] = torch.tensor([self.room.file, len(self.room.bytes), int(self.room.new)])
        with near.lock:
            self.room.last = near.begun
            near.unread[near.begun] = self
            near.begun += 1
            self.work = self.start(self.said)

    def has_come(self) -> bool:
        """Whether all have told."""
        return bool(self.work.is_completed())

    def arrive(self) -> torch.Tensor:
        """Read all parts, in the order of the ranks."""
        near = self.neighbours
        self.work.wait()
        parts = []
        for rank, (file, size, _) in enumerate(self.said.tolist()):
            if (rank, file) not in near.known:
                near.known[rank, file] = opened(near.ids[rank], file, size)
            parts.append(near.known[rank, file][: self.flat.nbytes].view(self.flat.dtype))
        total = torch.add(parts[0], parts[1])
        for part in parts[2:]:
            total.add_(part)
        near.count_read(self.room.last)
        return total

    def settle(self) -> None:
        """Let nobody go on, and perhaps end, before all have opened a room that was new."""
        if self.said[:, 2].any():
            self.start(torch.zeros(1)).wait()
            self.room.new = False


def neighbours(start: Callable[[torch.Tensor], Any], rank: int, size: int) -> Neighbours | None:
    """The processes of a ring as neighbours; None, in all of them, where one cannot open another's memory.

    Args:
        start: starts a sum in place over the ring.
        rank: of this process; `size`: how many there are.
    """
    said = torch.zeros(size, 3, dtype=torch.int64)
    if size <= MOST and hasattr(os, "memfd_create"):
        with suppress(OSError, RuntimeError):
            room = Room(8)
            secret = -1 - secrets.randbits(62)  # by which another machine's process of that number is told apart
            room.bytes.view(torch.int64).fill_(secret)
            said[rank] = torch.tensor([os.getpid(), room.file, secret])
    start(said).wait()
    boards, able = [], torch.zeros(1)
    with suppress(RuntimeError):
        boards = [opened(process, file, 8).view(torch.int64) for process, file, _ in said.tolist()]
        able += torch.equal(torch.cat(boards), said[:, 2])
    start(able).wait()
    if able.item() < size:
        return None
    boards[rank].zero_()
    return Neighbours(start, rank, said[:, 0].tolist(), boards)
