"""Which of the other processes of a job are gone.

Each process holds a listening socket for as long as it takes part in the job. The operating system closes it when the process dies, in
whatever way, so that whoever finds that a collective call failed can ask every socket, and tell who is missed.
"""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

_FAILED = "paddle_compat/failed/"


class Peers:
    """The processes of a job, of which this is one.

    Args:
        store (torch.distributed.Store): where they tell each other about themselves.
        rank: this one's number; size: how many there are.
    """

    def __init__(self, store: Any, rank: int, size: int) -> None:
        self.store, self.rank = store, rank
        host = address_towards(os.environ.get("MASTER_ADDR", "127.0.0.1"))
        self.door = socket.create_server((host, 0), backlog=size)
        store.set(f"paddle_compat/peer/{rank}", f"{host}:{self.door.getsockname()[1]}")
        found = (store.get(f"paddle_compat/peer/{other}").decode().rpartition(":") for other in range(size))
        self.addresses = [(host, int(port)) for host, _, port in found]
        self.lines: dict[int, socket.socket] = {}  # to their doors, one each: nobody answers it, and it breaks when its door does

    def leave(self, reason: str = "", lost: Iterable[int] = ()) -> None:
        """Be gone for the others.

        Args:
            reason: what they are told, if they can still be; `lost`: the processes that this one went after.
        """
        if reason:
            with suppress(RuntimeError):  # the store may be gone already
                self.store.set(_FAILED + str(self.rank), json.dumps([reason, sorted(lost)]))
        for each in (self.door, *self.lines.values()):
            each.close()

    def gone(self, seconds: float = 2.0) -> list[int]:
        """The numbers of the processes that are gone; a dying one gets some time to be so."""
        end = time.monotonic() + seconds
        while True:
            found = [rank for rank, address in enumerate(self.addresses) if rank != self.rank and not self._answers(rank, address)]
            if found or time.monotonic() > end:
                return found
            time.sleep(0.05)

    def culprits(self, gone: Iterable[int]) -> dict[int, str]:
        """The processes that the others are gone after, each with what it said when it left ("" if nothing)."""
        found: dict[int, str] = {}
        for rank in gone:
            reason, lost = self._word(rank)
            found |= {other: self._word(other)[0] for other in lost} if lost else {rank: reason}
        return found

    def _word(self, rank: int) -> tuple[str, list[int]]:
        """Why a process left, and after whom."""
        with suppress(RuntimeError):
            if self.store.check([_FAILED + str(rank)]):
                reason, lost = json.loads(self.store.get(_FAILED + str(rank)))
                return reason, [other for other in lost if other != self.rank]
        return "", []

    def _answers(self, rank: int, address: tuple[str, int]) -> bool:
        try:
            if rank not in self.lines:
                self.lines[rank] = socket.create_connection(address, timeout=1)
                self.lines[rank].setblocking(False)
            return bool(self.lines[rank].recv(1))
        except BlockingIOError:
            return True
        except OSError:
            return False


def address_towards(host: str) -> str:
    """This machine's address as another one sees it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((host, 9))  # sends nothing: it only finds the way
            own: str = probe.getsockname()[0]
        except OSError:
            return "127.0.0.1"
    return own
