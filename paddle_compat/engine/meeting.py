"""Trainers that hand values to each other through a parameter server: they have no connections of their own."""

from __future__ import annotations

import threading
import time
from typing import Any

from paddle_compat.core.errors import ExecutionTimeoutError, InvalidArgumentError, UnavailableError
from paddle_compat.engine.transport import Promise


class Meeting:
    """Gathers a value of each trainer, and gives all of them to each; one after the other, by number.

    Args:
        trainers: how many there are.
        patience: seconds for which those who came wait for the others.
    """

    def __init__(self, trainers: int, patience: float = 180.0) -> None:
        self.trainers, self.patience = trainers, patience
        self.values: dict[int, dict[int, Any]] = {}  # by number, the values of those who came
        self.waiting: dict[int, dict[int, Promise]] = {}
        self.since: dict[int, float] = {}
        self.found: tuple[int, list[Any]] = (0, [])  # the newest that all came to: its answer may have got lost
        self.gone: set[int] = set()
        self.lock = threading.RLock()

    def meet(self, trainer: int, number: int, value: Any) -> Promise:
        """Wait for the values of all trainers.

        Args:
            trainer: who comes.
            number: of the meeting, counted by each trainer from 1 on.
            value: what the others get.
        """
        if not 0 <= trainer < self.trainers:
            raise InvalidArgumentError(f"Invalid value for argument `trainer`. Expected 0 to {self.trainers - 1}. Received: {trainer}")
        promise = Promise()
        with self.lock:
            if number == self.found[0]:
                promise.give(self.found[1])
                return promise
            self.values.setdefault(number, {})[trainer] = value
            former = self.waiting.setdefault(number, {}).get(trainer)
            if former is not None:
                former.again()
            self.waiting[number][trainer] = promise
            self.since.setdefault(number, time.monotonic())
            self._look()
        return promise

    def met(self) -> int:
        """The number of the newest that all came to."""
        return self.found[0]

    def without(self, trainer: int) -> None:
        """A trainer is done, or died: who waits for it is told."""
        with self.lock:
            self.gone.add(trainer)
            self._look()

    def back(self, trainer: int) -> None:
        """A trainer came back."""
        with self.lock:
            self.gone.discard(trainer)

    def interrupt(self) -> None:
        """Ask all who wait to call again."""
        with self.lock:
            for promises in self.waiting.values():
                for promise in promises.values():
                    promise.again()
            self.values, self.waiting, self.since = {}, {}, {}

    def look_at_the_clock(self) -> None:
        """Fail what is not complete in time."""
        with self.lock:
            self._look()

    def _look(self) -> None:
        for number in sorted(self.values):
            came, late = self.values[number], time.monotonic() > self.since[number] + self.patience
            missing = [i for i in range(self.trainers) if i not in came]
            gone = self.gone.intersection(missing)
            if missing and not gone and not late:
                continue
            if not missing:
                self.found = (number, [came[i] for i in range(self.trainers)])
            for promise in self.waiting.pop(number).values():
                if not missing:
                    promise.give(self.found[1])
                elif gone:
                    promise.fail(UnavailableError(f"Expected all {self.trainers} trainers. Received: none of {sorted(gone)} any more"))
                else:
                    promise.fail(ExecutionTimeoutError(f"Expected all trainers within {self.patience:g} s. Received: none of {missing}"))
            del self.values[number], self.since[number]
