"""Rings: whom a collective operator meets. A rank is a replica of a data parallel run, or a process.

An operator asks `ring_of(ring_id)` in the thread of its rank. Rings of processes are registered under the number of Paddle's group
(0: all processes of the job); replicas that share a process enter theirs, which is ring 0 to them, with `inside`.
"""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from importlib import import_module
from typing import Any

import torch

from paddle_compat.core.errors import PreconditionNotMetError, UnsupportedError
from paddle_compat.core.place import run_device


class Abandoned(RuntimeError):
    """Another rank failed, and this one stopped for it."""


class Journey(ABC):
    """Gradients that are summed over all ranks, each of which may set out before the next one is made."""

    @abstractmethod
    def put(self, position: int, gradient: torch.Tensor) -> None:
        """Hand in the gradient for the tensor at that position."""

    def taker(self, position: int, like: torch.Tensor) -> Callable[[torch.Tensor], None]:
        """What a backward pass calls with the gradient for the tensor `like` at that position."""
        return partial(self.put, position)

    @abstractmethod
    def finish(self, gradients: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Hand in what was not handed in yet, and wait for the sums. Nobody may write to them."""


class Ring(ABC):
    """The ranks that meet in a collective call, seen from one of them. All of them make the same calls in the same order.

    Attributes:
        rank: the number of the one that asks; size: how many there are.
        group: the torch.distributed.ProcessGroup of a ring of processes; None where one is alone, and for replicas in threads.
    """

    rank: int
    size: int
    group: Any = None

    @abstractmethod
    def all_reduce(self, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """The sums over all ranks. Nobody may write to them: ranks of one process may hold the same ones.

        Args:
            tensors: dense ones, and sparse ones, whose rows are put behind one another in the order of the ranks.
        """

    def journey(self, tensors: Sequence[torch.Tensor], most: int | None = None) -> Journey | None:
        """A way round the ring for the gradients of these, in the order in which they are made; None: `all_reduce` does it as well.

        Args:
            most: bytes that travel together at most; None: as many as is good.
        """
        return None

    def calls(self) -> AbstractContextManager[None]:
        """What an operator's own calls of torch.distributed are made in, so that their failure names the rank that is to blame."""
        return nullcontext()

    def part(self, ranks: Sequence[int]) -> Ring:
        """A ring of some of these ranks, of which this one is one. They alone make this call."""
        raise UnsupportedError("a ring of a part of the ranks", f"{self.size} replicas in one process", "a process for each rank")

    def over(self, processes: Ring) -> Ring:
        """The ring of the replicas of some processes, of which this one's is one."""
        raise UnsupportedError("a ring of processes", f"replicas on {self.size} devices", "a process for each device")

    def once(self, call: Callable[[], Any]) -> Any:
        """What a call gives that the first of this process's ranks makes for all of them."""
        return call()

    def of_all(self, tensor: torch.Tensor) -> list[torch.Tensor]:
        """The tensors of all ranks, in their order, of one shape and data type: copies, where there is no `group` to ask."""
        return [tensor]

    def compare(self, call: str, tensors: Sequence[torch.Tensor]) -> None:  # noqa: B027 - one that is alone has nothing to do
        """Refuse tensors whose shapes or data types are not the same on all ranks of a ring of processes."""

    def compare_message(self, peer: int, sends: bool, tensor: torch.Tensor) -> None:  # noqa: B027 - nor one that sends nothing
        """Refuse a message of another size or data type than the rank expects that it goes to."""

    @abstractmethod
    def wait(self, near: bool = False) -> None:
        """Wait until all ranks have come here.

        Args:
            near: only those of this process are waited for.
        """


class Alone(Ring):
    """The ring of somebody who runs alone."""

    rank, size = 0, 1

    def all_reduce(self, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """The tensors themselves."""
        return list(tensors)

    def wait(self, near: bool = False) -> None:
        """Nobody is waited for."""


class _Here(threading.local):
    """The ring of the replica that runs in this thread."""

    ring: Ring | None = None


_here = _Here()
_rings: dict[int, Ring] = {}
_alone = Alone()
_awaited = False  # nobody has met yet; who first asks for ring 0 does
joins: list[Callable[..., Ring | None]] = []  # how this process joins its job and registers ring 0; `engine.processes` puts it here


def calls_are_compared() -> bool:
    """Whether ranks say what they are about to do before data travels; all of them have the same environment."""
    return os.environ.get("PADDLE_COMPAT_CHECK_COLLECTIVES") != "0"


def ring_of(ring_id: int) -> Ring:
    """The ring that an operator with this attribute meets in this thread.

    Raises:
        PreconditionNotMetError: this process has met others, and nobody has made that ring.
    """
    found = _rings.get(ring_id, _alone)
    if _here.ring is not None:
        if ring_id == 0 or ring_id not in _rings:  # replicas are in all rings that processes did not make
            return _here.ring
        return found if found.size == 1 else _here.ring.over(found)
    if found is _alone and _awaited and ring_id == 0 and (device := run_device()).type != "meta":
        found = join(device) or _alone
    if found is _alone and ring_id not in _rings and 0 in _rings and _rings[0].size > 1 and run_device().type != "meta":
        raise PreconditionNotMetError(
            f"Ring {ring_id} is not made. Expected paddle.distributed.new_group, or a startup Program that makes it, before operators meet "
            f"there. Received: rings {sorted(_rings)}"
        )
    return found


def once(call: Callable[[], Any]) -> Any:
    """What a call gives that one replica of this process makes for all of them; alone, what it gives."""
    return call() if _here.ring is None else _here.ring.once(call)


def join(device: torch.device) -> Ring | None:
    """The ring of all processes of the job, joined now if need be; None where this is the only one.

    Args:
        device: where the tensors lie that they exchange.
    """
    if not joins:
        import_module("paddle_compat.engine.processes")  # a floor above: it puts its way there
    return next((ring for way in joins if (ring := way(device)) is not None), None)


def expect() -> None:
    """Let this process join its job when somebody first asks for ring 0: Programs may be written in one process and run in others."""
    global _awaited
    _awaited = True


def awaited() -> bool:
    """Whether this process is to join its job, and has not yet."""
    return _awaited and 0 not in _rings


def registered(ring_id: int) -> Ring | None:
    """The ring of processes that is registered under a number, whoever asks."""
    return _rings.get(ring_id)


def register(ring_id: int, ring: Ring) -> None:
    """Let operators with this attribute meet that ring."""
    _rings[ring_id] = ring


def stay_outside(ring_id: int) -> None:
    """Let operators with this attribute meet nobody: others do."""
    _rings[ring_id] = _alone


def forget(ring_id: int) -> None:
    """Nobody meets under this number any more."""
    global _awaited
    _awaited = _awaited and ring_id != 0
    _rings.pop(ring_id, None)


@contextmanager
def inside(ring: Ring) -> Iterator[None]:
    """Operators of this thread meet that ring inside the block."""
    former, _here.ring = _here.ring, ring
    try:
        yield
    finally:
        _here.ring = former
