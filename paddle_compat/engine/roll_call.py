"""How the processes of a job find one another: at a store that process 0 holds, or their launcher, where each says that it is there."""

from __future__ import annotations

import datetime
import errno
import socket
import threading
import time
from contextlib import suppress
from typing import Any

import torch

from paddle_compat.core.errors import ExecutionTimeoutError, InvalidArgumentError, PreconditionNotMetError, UnavailableError

_GREETING = 30.0  # seconds that whoever listens has to show that it is a store
_SAME = b"the same number\n"  # what a process says at a door that it wanted to open itself
_PAUSE = 0.1  # seconds between two looks at most


class Door:
    """Where a process listens until it has met the others: for who waits until it is there, and for another one that has its number.

    Args:
        endpoint: where, as the job says.
        rank: this process's number.
        alone: whether nobody else may listen there.
    Raises:
        InvalidArgumentError: another process has the number, or a program the port.
    """

    def __init__(self, endpoint: str, rank: int, alone: bool) -> None:
        host, _, port = endpoint.rpartition(":")
        self.rank, self.socket = rank, None
        self._place, self._elsewhere, self._next = (host, int(port)), False, 0.0
        self._callers: list[socket.socket] = []
        try:
            self.socket = socket.create_server((host, int(port)))
            self.socket.setblocking(False)
        except OSError as error:
            self._elsewhere = alone and error.errno == errno.EADDRNOTAVAIL  # on another machine, where this process is not
            if alone and error.errno == errno.EADDRINUSE:
                self._is_answered()
                raise self._taken(f"or what has its port ({endpoint})") from error

    def look(self) -> None:
        """Whether another process has said that it has this one's number.

        Raises:
            InvalidArgumentError: one has.
        """
        with suppress(OSError):
            while self.socket is not None:
                self._callers.append(self.socket.accept()[0])
        for caller in self._callers:
            with suppress(OSError):
                if caller.recv(len(_SAME), socket.MSG_DONTWAIT) == _SAME:
                    with suppress(OSError):
                        caller.sendall(_SAME)
                    raise self._taken("which has ended")
        if self._elsewhere and time.monotonic() > self._next:
            self._next = time.monotonic() + _GREETING / 10
            if self._is_answered():
                raise self._taken(f"on the machine {self._place[0]}")

    def _is_answered(self) -> bool:
        """Whether a process that listens where this one should says that it has its number, when it hears that."""
        with suppress(OSError), socket.create_connection(self._place, timeout=_GREETING / 10) as other:
            other.sendall(_SAME)
            return other.recv(len(_SAME)) == _SAME
        return False

    def close(self) -> None:
        """Listen no more."""
        for each in (*self._callers, *([self.socket] if self.socket else [])):
            each.close()

    def _taken(self, rest: str) -> InvalidArgumentError:
        return InvalidArgumentError(
            f"Two processes of this job have the number {self.rank}: this one, and another one, {rest}. Expected numbers (RANK, "
            "PADDLE_TRAINER_ID) that differ"
        )


def store_at(host: str, port: int, holds: bool, seconds: float, door: Door | None = None) -> Any:
    """The store of a job.

    Args:
        host, port: where it is.
        holds: whether this process makes it, as process 0 does where no launcher has.
        seconds: how long to wait for it.
        door: looked at meanwhile.
    Raises:
        PreconditionNotMetError: the port is taken, or what listens there is no store.
        ExecutionTimeoutError: nobody listens there in time.
    """
    place = f"{host}:{port}, where the processes of this job meet"
    if holds:
        try:
            return _store(host, port, True, seconds)
        except RuntimeError as error:
            with suppress(TimeoutError):  # another process with this number, which shall be told so
                return _greeted(host, port, min(_GREETING / 10, seconds))
            reason = "the port is taken" if "EADDRINUSE" in str(error) else _first_line(error)
            raise PreconditionNotMetError(
                f"Process 0 cannot listen at {place}: {reason}. Expected a port that no other job or program has"
            ) from error
    end = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection((host, port), timeout=_GREETING).close()
            break
        except OSError as error:
            if door is not None:
                door.look()
            if time.monotonic() > end:
                raise ExecutionTimeoutError(f"Process 0 was not at {place}, within {seconds:g} seconds ({error})") from error
        time.sleep(_PAUSE)
    try:
        store = _greeted(host, port, min(_GREETING, seconds))
    except TimeoutError:
        raise PreconditionNotMetError(f"What listens at {place}, is not process 0 of a job, or has ended at once") from None
    store.set_timeout(datetime.timedelta(seconds=seconds))
    return store


def _store(host: str, port: int, holds: bool, seconds: float) -> Any:
    limit = datetime.timedelta(seconds=seconds)
    return torch.distributed.TCPStore(host, port, is_master=holds, wait_for_workers=False, timeout=limit)


def _greeted(host: str, port: int, seconds: float) -> Any:
    """The store that listens there; in a thread, as torch waits without end for the answer of what is none."""
    found: list[Any] = []

    def greet() -> None:
        with suppress(RuntimeError):
            found.append(_store(host, port, False, seconds))

    thread = threading.Thread(target=greet, daemon=True)
    thread.start()
    thread.join(seconds)
    if not found:
        raise TimeoutError
    return found[0]


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]


def roll_call(store: Any, rank: int, size: int, address: str, seconds: float) -> list[str]:
    """Wait until all processes are there.

    Args:
        store: where they meet.
        rank: this one's number; size: how many it expects.
        address: where it can be asked something.
        seconds: how long to wait.
    Returns:
        The address of each.
    Raises:
        InvalidArgumentError: a number is taken twice, or the processes expect different numbers of them.
        ExecutionTimeoutError: some do not come in time.
        UnavailableError: the store is gone, and whoever held it.
    """
    try:
        found = _answers(store, rank, size, address, seconds)
    except InvalidArgumentError:
        time.sleep(5 * _PAUSE)  # the others shall still read what is wrong
        raise
    except RuntimeError as error:
        if isinstance(error, ExecutionTimeoutError):
            raise
        lost = UnavailableError(
            f"Process 0 of {size} of this job is gone, or the launcher, before all have met. Received: {_first_line(error)}"
        )
        lost.processes = [0]
        raise lost from error
    return [found[each] for each in range(size)]


def _answers(store: Any, rank: int, size: int, address: str, seconds: float) -> dict[int, str]:
    end, pause = time.monotonic() + seconds, _PAUSE / 10
    if store.add(f"taken/{rank}", 1) > 1:
        raise _wrong(store, f"Two processes of this job have the number {rank}. Expected numbers (RANK, PADDLE_TRAINER_ID) that differ")
    store.set(f"process/{rank}", f"{size} {address}")
    found: dict[int, str] = {}
    while True:
        for other in range(size):
            if other not in found and store.check([f"process/{other}"]):
                said, _, found[other] = store.get(f"process/{other}").decode().partition(" ")
                if int(said) != size:
                    raise _wrong(
                        store,
                        f"The processes of this job do not agree how many there are. Received: {said} in process {other}, {size} in "
                        f"process {rank} (WORLD_SIZE, PADDLE_TRAINERS_NUM, PADDLE_TRAINER_ENDPOINTS)",
                    )
        if store.check(["wrong"]):
            raise InvalidArgumentError(store.get("wrong").decode())
        if len(found) == size:
            return found
        if time.monotonic() > end:
            absent = [other for other in range(size) if other not in found]
            missed = ExecutionTimeoutError(
                f"Process {', '.join(map(str, absent))} of {size} of this job has not come within {seconds:g} seconds. Expected all "
                "processes to start together"
            )
            missed.processes = absent
            raise missed
        time.sleep(pause)
        pause = min(2 * pause, _PAUSE)


def _wrong(store: Any, text: str) -> InvalidArgumentError:
    """What all processes are told."""
    store.set("wrong", text)
    return InvalidArgumentError(text)
