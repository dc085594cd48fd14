"""The other processes of a job, one by one: which of them are gone, and what those do that a collective call waits for.

Each process has a door, a listening socket, and a line to the door of every other one. The operating system breaks the lines of a process
that dies, in whatever way. A thread answers at the door, also while the main thread waits in a collective call: whether it does, and where
the script is; it hears what calls the others are about to make, too (`engine/agreements.py`). Who leaves says why into all lines, so that
the processes that leave because of another one are not taken for it.
"""

from __future__ import annotations

import json
import os
import select
import selectors
import socket
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import torch

from paddle_compat.engine.agreements import Agreements

_ANSWER = 2.0  # seconds that a process has to say what it does
_OWN = tuple(os.path.dirname(os.path.dirname(os.path.abspath(file))) + os.sep for file in (__file__, torch.__file__))


class Peers:
    """The processes of a job, of which this is one.

    Args:
        rank: this one's number.
    """

    def __init__(self, rank: int) -> None:
        self.rank = rank
        self.inside: set[int] = set()  # the threads that are in collective calls
        self.lost: set[int] = set()  # whom this process has missed
        self.lines: dict[int, _Line] = {}
        self.agreements = Agreements(rank, self._say)
        host = address_towards(os.environ.get("MASTER_ADDR", "127.0.0.1"))
        self.door = socket.create_server((host, 0), backlog=1024)
        self.door.setblocking(False)
        self.address = f"{host}:{self.door.getsockname()[1]}"
        self._callers: dict[socket.socket, _Caller] = {}
        self._lock = threading.Lock()
        self._closed = False
        self._ended, self._end = socket.socketpair()
        selector = selectors.DefaultSelector()
        for each in (self._ended, self.door):
            selector.register(each, selectors.EVENT_READ)
        self._thread = threading.Thread(target=self._answer, args=(selector,), daemon=True, name="paddle_compat.peers")
        self._thread.start()

    def connect(self, addresses: Sequence[str]) -> None:
        """Know the others' doors, by number."""
        self.lines = {other: _Line(address) for other, address in enumerate(addresses) if other != self.rank}
        for other, line in self.lines.items():
            line.say({"rank": self.rank})
            if line.ended:
                self.agreements.lose(other)

    @property
    def size(self) -> int:
        """How many processes there are."""
        return len(self.lines) + 1

    def tell(self, reason: str = "", lost: Iterable[int] = ()) -> None:
        """Say into all lines why this process cannot go on.

        Args:
            reason: of its own; `lost`: the processes that it misses.
        """
        self.lost |= set(lost)
        word = {"reason": reason, "lost": sorted(self.lost)}
        with self._lock:
            self._let_in()
            for caller in self._callers:
                _send(caller, word)

    def leave(self, reason: str = "", ends: bool = False) -> None:
        """Be gone for the others.

        Args:
            reason: what they are told.
            ends: this process is about to, and gone for them when it has: whoever waits for processes sees the one fail first that did.
        """
        self.tell(reason)
        self.agreements.lose(self.rank)
        with self._lock:
            for end in [*self._callers, *(line.socket for line in self.lines.values() if line.socket)] if ends else ():
                end.detach()  # which nobody closes then
        self.close()

    def close(self) -> None:
        """Let go of doors and lines."""
        self._closed = True
        for each in (self._end, self.door, *self._callers, *(line.socket for line in self.lines.values() if line.socket)):
            each.close()
        self._thread.join(_ANSWER)  # a process does not end while one of its threads is about to

    def gone(self, seconds: float = 2.0) -> dict[int, str]:
        """Whose absence the others leave for, each with what it said when it left ("" if nothing); a dying one gets some time to be so."""
        end = time.monotonic() + seconds
        while True:
            for line in self.lines.values():
                line.read()
            absent = {other: line for other, line in self.lines.items() if line.ended or line.lost}
            found = {other for other, line in absent.items() if not line.lost - {self.rank}}
            found |= {other for line in absent.values() for other in line.lost} - {self.rank}
            late = time.monotonic() > end
            if late and not found:  # it takes its time
                found = {other for other, line in self.lines.items() if line.reason}
            if found or late:
                return {other: self.lines[other].reason for other in sorted(found) if other in self.lines}
            time.sleep(0.05)

    def elsewhere(self, members: Iterable[int]) -> dict[int, str]:
        """Those of some processes that are in no collective call, and what they do; if all are in one, where."""
        asked = [other for other in members if other in self.lines]
        end = time.monotonic() + _ANSWER
        for other in asked:
            self.lines[other].ask()
        found: dict[int, str] = {}
        calling: dict[int, str] = {}
        for other in asked:
            line = self.lines[other]
            while line.answer is None and not line.ended and time.monotonic() < end:
                line.read(0.1)
            if line.answer is None:
                found[other] = "does not answer"
            elif line.answer["inside"]:
                calling[other] = f"waits in another call{line.answer['at']}"
            else:
                found[other] = f"makes no collective call{line.answer['at']}"
        return found or calling

    def _answer(self, selector: selectors.BaseSelector) -> None:
        """What the thread does."""
        with suppress(_Closed):
            while True:
                for key, _ in selector.select():
                    with self._lock:
                        self._serve(key.fileobj, selector)
        selector.close()
        self._ended.close()

    def _serve(self, who: Any, selector: selectors.BaseSelector) -> None:
        try:
            if who is self._ended:
                raise _Closed
            if who is self.door:
                for caller in self._let_in():
                    selector.register(caller, selectors.EVENT_READ)
            elif not self._reply(who):
                selector.unregister(who)
        except (OSError, ValueError, KeyError):
            if not self._closed:
                raise
            raise _Closed from None

    def _let_in(self) -> list[socket.socket]:
        found: list[socket.socket] = []
        with suppress(OSError):
            while True:
                found.append(self.door.accept()[0])
                self._callers[found[-1]] = _Caller()
        return found

    def _reply(self, who: Any) -> bool:
        """Take in what another process says; whether it is still there."""
        caller = self._callers[who]
        try:
            came = who.recv(1 << 16)
        except OSError:
            came = b""
        *lines, caller.text = (caller.text + came).split(b"\n")
        for line in lines:
            word = json.loads(line)
            if "rank" in word:
                caller.rank = word["rank"]
            elif "asks" in word:
                _send(who, {"inside": bool(self.inside), "at": _place()})
            else:
                self.agreements.hear(caller.rank, word)
        if not came and caller.rank >= 0:
            self.agreements.lose(caller.rank)
        return bool(came)

    def _say(self, other: int, word: dict[str, Any]) -> None:
        self.lines[other].say(word)


class _Closed(Exception):
    """This process has closed its door."""


class _Caller:
    """Another process at this one's door."""

    rank, text = -1, b""  # which one, as it says first; what has come of its next word


class _Line:
    """A line to another process's door."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self.reason, self.lost, self.answer = "", set[int](), None
        self._text, self._lock = b"", threading.Lock()
        self.socket: socket.socket | None = None
        with suppress(OSError):
            self.socket = socket.create_connection((host, int(port)), timeout=10)
            self.socket.settimeout(None)
        self.ended = self.socket is None

    def ask(self) -> None:
        """What does it do?"""
        self.answer = None
        self.say({"asks": True})

    def say(self, word: dict[str, Any]) -> None:
        """Send a word; whether it came is seen when the line breaks."""
        with self._lock, suppress(OSError):
            if self.socket is not None:
                self.socket.sendall(json.dumps(word).encode() + b"\n")

    def read(self, seconds: float = 0.0) -> None:
        """Take in what came."""
        if self.ended or self.socket is None:
            return
        poll = select.poll()
        poll.register(self.socket, select.POLLIN)
        poll.poll(seconds * 1000)
        try:
            while came := self.socket.recv(4096, socket.MSG_DONTWAIT):
                self._text += came
            self.ended = True
        except BlockingIOError:
            pass
        except OSError:
            self.ended = True
        *lines, self._text = self._text.split(b"\n")
        for line in lines:
            said = json.loads(line)
            if "at" in said:
                self.answer = said
            else:
                self.reason, self.lost = said["reason"] or self.reason, set(said["lost"])


def _send(caller: socket.socket, said: dict[str, Any]) -> None:
    with suppress(OSError):
        caller.send(json.dumps(said).encode() + b"\n", socket.MSG_DONTWAIT)


def _place() -> str:
    """Where the script's main thread is."""
    frame = sys._current_frames().get(threading.main_thread().ident or 0)
    while frame is not None and frame.f_code.co_filename.startswith((*_OWN, "<")):
        frame = frame.f_back
    return f", at {frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else ""


def address_towards(host: str) -> str:
    """This machine's address as another one sees it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((host, 9))  # sends nothing: it only finds the way
            own: str = probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"
    return own
