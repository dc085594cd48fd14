"""Calls that processes make together: each says first what it is about to do, and a call sets out when all have said the same.

Gloo ends a process that gets more bytes than it expects, and hangs where it gets fewer. What processes say goes over the lines between them
(`engine/peers.py`), so GPUs have nothing to do with it. Whoever makes a call need not wait: those of a group set out one behind the other,
each in the thread that hears the last word about it. Messages from one process to another have an order of their own.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from paddle_compat.core.errors import InvalidArgumentError


def kind_of(tensor: torch.Tensor) -> str:
    """A tensor's data type and shape, to be shown."""
    return f"{str(tensor.dtype).removeprefix('torch.')}{list(tensor.shape)}{' of rows' if tensor.is_sparse else ''}"


@dataclass(frozen=True)
class Call:
    """What a process is about to do.

    Args:
        same: what all of them say alike; shown: to users.
        sent: how many elements go to each member, where that differs; came: how many come.
    """

    same: str
    shown: str
    sent: Sequence[int] = ()
    came: Sequence[int] = ()


@dataclass(eq=False)
class Turn:
    """A call that has been said, and sets out when it is its turn."""

    number: int
    members: Sequence[int]
    call: Call
    expected: str
    start: Callable[[], Any] | None
    until: float
    done: bool = False
    seen: bool = False
    found: Any = None
    error: Exception | None = None


@dataclass
class _Queue:
    """The calls of one kind of a group, by number, which all members count alike."""

    group: str
    next: int = 0
    waiting: deque[Turn] = field(default_factory=deque)
    heard: dict[int, dict[int, Call]] = field(default_factory=lambda: defaultdict(dict))


class Agreements:
    """What this process and the others have said.

    Args:
        rank: this one's number; say: sends a word to another one.
    """

    def __init__(self, rank: int, say: Callable[[int, dict[str, Any]], None]) -> None:
        self.rank, self.say = rank, say
        self.lost: set[int] = set()  # who will say nothing any more
        self._queues: dict[tuple[str, str], _Queue] = {}
        self._failed: list[tuple[str, Turn]] = []  # by group; whom nobody has asked for yet
        self._changed = threading.Condition()

    def submit(self, group: Any, call: Call, expected: str, start: Callable[[], Any] | None, way: tuple[int, int] | None) -> Turn:
        """Say what this process is about to do with the others of a group.

        Args:
            group (torch.distributed.ProcessGroup): who meets.
            call: what is said.
            expected: what it should be, for the error.
            start: makes the call; must not wait for others. None: there is nothing to make.
            way: of a message, which two processes agree on: from which of the job to which.
        """
        members = way or torch.distributed.get_process_group_ranks(group)
        name, kind = group.group_name, "-".join(map(str, way or ()))
        word = {"group": name, "kind": kind, "call": [call.same, call.shown, list(call.sent), list(call.came)]}
        with self._changed:
            queue = self._queue(name, kind)
            turn = Turn(queue.next, members, call, expected, start, time.monotonic() + _limit(group))
            queue.next += 1
            queue.waiting.append(turn)
            queue.heard[turn.number][self.rank] = call
        for other in members:
            if other != self.rank:
                self.say(other, {**word, "number": turn.number})
        with self._changed:
            self._go_on(queue)
        return turn

    def result(self, turn: Turn) -> Any:
        """What a call's start gave, when it has set out.

        Raises:
            InvalidArgumentError: the processes did not say the same.
            RuntimeError: one has left, or does not say anything in time.
        """
        with self._changed:
            turn.seen = True
            self._changed.wait_for(lambda: turn.done, max(turn.until - time.monotonic(), 0))
        if not turn.done:
            raise RuntimeError(f"timed out: not all have said that they make this call ({turn.call.shown})")
        if turn.error is not None:
            raise turn.error
        return turn.found

    def settle(self, group: Any = None, seconds: float | None = None) -> bool:
        """Wait until the calls of a group, or of all, have set out or failed; whether they have."""
        name = None if group is None else group.group_name
        with self._changed:
            waiting = [turn for queue in self._queues.values() if name in (None, queue.group) for turn in queue.waiting]
            if not waiting:
                return True
            until = max(turn.until for turn in waiting) if seconds is None else time.monotonic() + seconds
            return self._changed.wait_for(lambda: all(turn.done for turn in waiting), max(until - time.monotonic(), 0))

    def missed(self, group: Any = None) -> Exception | None:
        """The error of an earlier call of a group, or of any, that nobody waited for."""
        if not self._failed:
            return None
        with self._changed:
            found = [turn for name, turn in self._failed if not turn.seen and (group is None or name == group.group_name)]
            self._failed = [(name, turn) for name, turn in self._failed if not turn.seen and turn not in found]
        return found[0].error.with_traceback(None) if found and found[0].error else None

    def hear(self, rank: int, word: dict[str, Any]) -> None:
        """Another process has said what it is about to do."""
        with self._changed:
            queue = self._queue(word["group"], word["kind"])
            queue.heard[word["number"]][rank] = Call(*word["call"])
            self._go_on(queue)

    def lose(self, rank: int) -> None:
        """Another process says nothing any more."""
        with self._changed:
            self.lost.add(rank)
            for queue in self._queues.values():
                self._go_on(queue)

    def _queue(self, group: str, kind: str) -> _Queue:
        return self._queues.setdefault((group, kind), _Queue(group))

    def _go_on(self, queue: _Queue) -> None:
        """Let those set out whose turn it is."""
        while queue.waiting:
            turn = queue.waiting[0]
            heard = queue.heard[turn.number]
            absent = [rank for rank in turn.members if rank not in heard]
            gone = [rank for rank in absent if rank in self.lost or self.rank in self.lost]
            if absent and not gone:
                return
            del queue.heard[turn.number]
            queue.waiting.popleft()
            try:
                if gone:
                    raise RuntimeError(f"the line to process {gone[0]} is broken")
                _compare(turn, [heard[rank] for rank in turn.members])
                turn.found = turn.start() if turn.start is not None else None
            except Exception as error:  # which whoever waits for it gets, but not the calls here, which would keep the group until the end
                turn.error = error.with_traceback(None)
                self._failed.append((queue.group, turn))
            turn.start, turn.done = None, True
            self._changed.notify_all()


def _compare(turn: Turn, calls: list[Call]) -> None:
    fit = all(call.same == turn.call.same for call in calls)
    if fit and turn.call.sent:
        fit = all(calls[i].sent[j] == calls[j].came[i] for i in range(len(calls)) for j in range(len(calls)))
    if not fit:
        shown = "; ".join(f"process {rank} {call.shown}" for rank, call in zip(turn.members, calls))
        raise InvalidArgumentError(f"Expected {turn.expected}. Received: {shown}")


def _limit(group: Any) -> float:
    """Seconds that a call of a group takes at most."""
    seconds: float = group._get_backend(group._device_types[0]).options._timeout.total_seconds()
    return seconds
