"""Which process a failed meeting has lost: one of this machine that has ended, or one that does not say that it noticed the failure, too.

Processes tell each other host and number when they join a job. Those of other machines are asked by the job's store.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import torch

from paddle_compat.core.errors import EnforceNotMet, UnavailableError

_PATIENCE = 2.0  # seconds that others get to notice the failure, too

T = TypeVar("T")


class _Peer(NamedTuple):
    host: str
    number: int  # of the process on its machine

    def has_ended(self) -> bool:
        """Whether it is known to have ended: nobody sees the processes of other machines."""
        if self.host != socket.gethostname():
            return False
        try:
            os.kill(self.number, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        try:  # one that nobody has waited for yet
            return Path(f"/proc/{self.number}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
        except OSError:
            return False


_peers: dict[int, _Peer] = {}


def enroll(rank: int, size: int) -> None:
    """Tell the other processes of the job where this one is, and learn it of them."""
    store = _store()
    store.set(f"paddle_compat/process/{rank}", f"{socket.gethostname()} {os.getpid()}")
    for each in range(size):
        host, number = store.get(f"paddle_compat/process/{each}").decode().split()
        _peers[each] = _Peer(host, int(number))


def guarded(call: Callable[[], T], ranks: Sequence[int], rank: int, name: str) -> T:
    """What a call of torch.distributed's returns; where it fails, the error says which process is to blame, if that can be known.

    Args:
        call: the call, or the wait for its end.
        ranks: the processes that meet, by their numbers in the job; `rank` is this one's.
        name: of them together, the same on all.
    Raises:
        UnavailableError: the processes did not meet.
    """
    try:
        return call()
    except EnforceNotMet:
        raise
    except RuntimeError as error:
        raise UnavailableError(f"Processes {list(ranks)} did not meet ({name}). {_cause(ranks, rank, name)} {error}") from error


def _cause(ranks: Sequence[int], rank: int, name: str) -> str:
    """Wait until somebody has ended, or everybody has noticed the failure."""
    others, end = [each for each in ranks if each != rank], time.monotonic() + _PATIENCE
    silent: list[int] | None = others
    while True:
        ended = [each for each in others if each in _peers and _peers[each].has_ended()]
        if ended:
            return f"Process {', '.join(map(str, ended))} has ended."
        silent = _silent(others, rank, name)
        if silent == []:
            return "All of them noticed it: they made different calls, or gave different sizes."
        if silent is None or time.monotonic() > end:
            break
        time.sleep(0.02)
    if silent is None:
        return "The process that holds the job's store (process 0, unless a launcher does) does not answer any more."
    return f"No word from process {', '.join(map(str, silent))}: it has ended, or is elsewhere."


def _silent(others: Sequence[int], rank: int, name: str) -> list[int] | None:
    """The processes that have not said that they noticed the failure, too; None where nobody can be asked."""
    try:
        store = _store()
        store.set(_word(name, rank), "1")
        return [each for each in others if not store.check([_word(name, each)])]
    except (RuntimeError, ValueError):
        return None


def _store() -> Any:
    return torch.distributed.distributed_c10d._get_default_store()  # there is no public way to it


def _word(name: str, rank: int) -> str:
    return f"paddle_compat/noticed/{name}/{rank}"
