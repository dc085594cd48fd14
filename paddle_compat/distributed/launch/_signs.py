"""Signs of life of a job's machines: their processes can wait for those of one that is gone, and its launcher tells nobody."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from typing import Any

BEAT, BEATS = 3, 5  # seconds between two signs of a machine, and how many may be missing
_DONE = "done"


class Signs:
    """A thread that lets the other machines know of this one, and looks for what they let know.

    Args:
        store: where all of them meet.
        rank: this machine's number; size: how many there are.

    Attributes:
        gone: the number of a machine that gives no sign any more, and was not done.
    """

    def __init__(self, store: Any, rank: int, size: int) -> None:
        self.gone: int | None = None
        self._store, self._rank = store.clone(), rank  # two threads at one connection can wait for ever
        now = time.monotonic()
        self._last = {other: ("", now) for other in range(size) if other != rank}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True, name="paddle_compat.signs")
        self._thread.start()

    def end(self, done: bool) -> None:
        """Give no sign any more; if `done`, nobody waits for one."""
        self._ended.set()
        self._thread.join(BEAT)
        if done:
            with suppress(RuntimeError):  # whoever held the store may have ended
                self._say(_DONE)

    def _say(self, word: str) -> None:
        self._store.set(f"paddle_compat/alive/{self._rank}", word)

    def _beat(self) -> None:
        count = 0
        with suppress(RuntimeError):  # the store has gone, and with it a machine, which the processes see by themselves
            while True:
                self._say(str(count))
                self._look()
                count += 1
                if self._ended.wait(BEAT):
                    return

    def _look(self) -> None:
        now = time.monotonic()
        for other, (last, when) in self._last.items():
            key = f"paddle_compat/alive/{other}"
            said = self._store.get(key).decode() if self._store.check([key]) else ""
            if said != last or said == _DONE:
                self._last[other] = said, now
            elif now - when > BEAT * BEATS:
                self.gone = other
