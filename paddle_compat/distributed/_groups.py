"""Groups of processes: which there are, who is in them, and the number under which operators meet them.

Paddle's number of a group is its ring id: what `new_group` makes is registered there (`core.rings`), where static operators find it.
"""

from __future__ import annotations

import datetime
import os
import warnings
from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core import rings
from paddle_compat.core.errors import PreconditionNotMetError, failed_assertion, invalid_argument, type_error
from paddle_compat.core.job import job
from paddle_compat.core.place import CPUPlace, CUDAPlace, current_place, set_current_place
from paddle_compat.engine import processes

_FIRST = 10  # the number of the first group that a script makes, as in Paddle; those below are for Paddle's own
_GLOBAL_NAME = "_default_pg"
_BACKENDS = {"gloo": "GLOO", "nccl": "NCCL", processes.GPU_BACKEND: "NCCL"}


class Group:
    """Some of the processes of the job, which meet in collective calls.

    Args:
        rank_in_group (int): the number of this process among them; -1 where it is none of them.
        id (int): the group's number, which is the ring id of static operators.
        ranks (list): the numbers of the processes in the job.
        pg (torch.distributed.ProcessGroup): how they meet; None where this process is none of them.
        name (str): the group's name.

    Example:
        >>> import paddle_compat as paddle
        >>> group = paddle.distributed.collective.Group(1, 7, [0, 2], None, "evens")
        >>> group, group.nranks, group.world_size, group.is_member(), group.get_group_rank(2)
        (rank: 1, nranks: 2, id: 7, ranks: 0, 2; name: evens, 2, 2, True, 1)
        >>> group.get_global_rank(1)
        2

    Follows Paddle 2.6.
    """

    def __init__(self, rank_in_group: int, id: int, ranks: Sequence[int], pg: Any = None, name: str | None = None) -> None:
        self._rank, self._id, self._ranks, self._pg, self._name = rank_in_group, id, list(ranks), pg, name
        processes.lend(self, "_pg")

    @property
    def rank(self) -> int:
        """The number of this process in the group, or -1."""
        return self._rank

    @property
    def ranks(self) -> list[int]:
        """The numbers of the group's processes in the job."""
        return self._ranks

    @property
    def nranks(self) -> int:
        """How many processes the group has."""
        return len(self._ranks)

    @property
    def world_size(self) -> int:
        """How many processes the group has; -1 where this one is none of them."""
        return self.nranks if self._rank >= 0 else -1

    @property
    def name(self) -> str | None:
        """The group's name."""
        return self._name

    @property
    def process_group(self) -> Any:
        """The torch.distributed.ProcessGroup; None where this process is none of the group's."""
        return self._pg

    @property
    def backend(self) -> str:
        """What the processes meet by: GLOO or NCCL."""
        if self._pg is None:
            raise PreconditionNotMetError(f"Only a member knows a group's backend. Received: {self!r}")
        return _BACKENDS.get(torch.distributed.get_backend(self._pg), "CUSTOM")

    @property
    def id(self) -> int:
        """The group's number."""
        return self._id

    def is_member(self) -> bool:
        """Whether this process is one of several in the group.

        Returns:
            bool. A group of one has no member: nobody meets there.
        """
        return self._rank >= 0 and self.nranks > 1

    def get_group_rank(self, rank: int) -> int:
        """The number in the group of a process of the job.

        Args:
            rank (int): the process's number in the job.
        Returns:
            int: -1 where this process is none of the group's.
        Raises:
            ValueError: that process is none of the group's.
        """
        if not self.is_member():
            return -1
        if rank not in self._ranks:
            raise invalid_argument("rank", f"one of {self._ranks}, the group's processes", rank, "Group.get_group_rank")
        return self._ranks.index(rank)

    def get_global_rank(self, rank: int) -> int:
        """The number in the job of a process of the group.

        Args:
            rank (int): the process's number in the group.
        Returns:
            int: -1 where this process is none of the group's.
        Raises:
            IndexError: the group has no such process.
        """
        return self._ranks[rank] if self.is_member() else -1

    def __repr__(self) -> str:
        return f"rank: {self._rank}, nranks: {self.nranks}, id: {self._id}, ranks: {', '.join(map(str, self._ranks))}; name: {self._name}"


_groups: dict[int, Group] = {}
_made = 0


def by_number(id: int) -> Group | None:
    """The group of that number."""
    if id == 0:
        _adopt()
    return _groups.get(id)


def all_groups() -> dict[int, Group]:
    """The groups by their numbers."""
    _adopt()
    return _groups


def _adopt() -> None:
    """Make the group of all processes, where they have met: in this call's place, in fleet.init, or in a run of a Program."""
    ring = rings.registered(0)
    if ring is None:
        _groups.pop(0, None)
    elif 0 not in _groups or _groups[0].process_group is not ring.group:
        _groups[0] = Group(ring.rank, 0, range(ring.size), ring.group, _GLOBAL_NAME)


def global_group() -> Group:
    """The group of all processes of the job.

    Raises:
        PreconditionNotMetError: it is not made yet.
    """
    found = _everybody()
    if found is None:
        raise PreconditionNotMetError(
            "The processes of this job have not met. Expected paddle.distributed.init_parallel_env() before, in a script that "
            "paddle.distributed.launch, spawn or torchrun has started as several processes. Received: a call of one process"
        )
    return found


def _everybody() -> Group | None:
    """The group of all processes, where they have met or are to."""
    return join() if rings.awaited() else by_number(0)


def join() -> Group | None:
    """The group of all processes, which meet now if they have not; None where this is the only one."""
    place = current_place()
    if isinstance(place, CUDAPlace) and torch.cuda.is_available() and job().size > 1 and os.environ.get("PADDLE_DISTRI_BACKEND") == "gloo":
        place = CPUPlace()
        set_current_place(place)
    processes.join(place.torch_device)
    return by_number(0)


def make(ranks: Sequence[int] | None, backend: str | None, timeout: datetime.timedelta) -> Group:
    """A group of some processes; all processes of the job call this in the same order."""
    global _made
    number, _made = _FIRST + _made, _made + 1
    if ranks is not None and not isinstance(ranks, (list, tuple, range)):
        raise type_error("ranks", "a list of the processes' numbers", ranks, "new_group")
    everybody = _everybody()
    if everybody is None and (ranks is None or len(ranks) > 1):
        raise failed_assertion("ranks", "init_parallel_env() before, which lets the processes meet", repr(ranks), "new_group")
    known = range(everybody.nranks if everybody else 1)
    chosen = sorted(known if ranks is None else ranks)
    if len(set(chosen)) < len(chosen) or any(rank not in known for rank in chosen):
        raise invalid_argument("ranks", f"numbers that differ, from 0 to {len(known) - 1}", list(ranks or ()), "new_group")
    if backend is not None and backend not in _BACKENDS:
        raise failed_assertion("backend", "gloo or nccl", repr(backend), "new_group")
    name = f"{_GLOBAL_NAME}{number}"
    if len(chosen) < 2:  # in which nobody meets anybody
        _groups[number] = Group(-1, number, chosen, None, name)
        return _groups[number]
    with processes.watched():
        made = torch.distributed.new_group(chosen, timeout=timeout, backend=backend)
    if job_rank() in chosen:
        if torch.distributed.get_backend(made) == "gloo":  # one that ends the group at once must not break connections under way
            with processes.watched(made):
                torch.distributed.barrier(made)
        return _with_ring(number, chosen, made, name)
    rings.stay_outside(number)
    _groups[number] = Group(-1, number, chosen, None, name)
    return _groups[number]


def _with_ring(number: int, ranks: Sequence[int], made: Any, name: str) -> Group:
    ring = processes.Processes(made)
    rings.register(number, ring)
    _groups[number] = Group(ring.rank, number, ranks, made, name)
    return _groups[number]


def of_torch(made: Any) -> Group:
    """The group of a torch.distributed.ProcessGroup that this process is in: one of a mesh's, say."""
    global _made
    for group in all_groups().values():
        if group.process_group is made:
            return group
    number, _made = _FIRST + _made, _made + 1
    return _with_ring(number, torch.distributed.get_process_group_ranks(made), made, f"{_GLOBAL_NAME}{number}")


def dissolve(group: Group | None) -> None:
    """End a group; None: the job's, and with it all others."""
    if group is None or group.id == 0:
        for number in list(_groups):
            rings.forget(number)
        _groups.clear()
        processes.leave()
        return
    rings.forget(group.id)
    if _groups.pop(group.id, None) is not None and group.process_group is not None:
        torch.distributed.destroy_process_group(group.process_group)


def job_rank() -> int:
    """The number of this process in the job."""
    everybody = by_number(0)
    return everybody.rank if everybody else job().rank


def job_size() -> int:
    """How many processes the job has."""
    everybody = by_number(0)
    return everybody.nranks if everybody else job().size


def outside(group: Group | None) -> bool:
    """Whether this process is none of the group's; a warning says so."""
    if group is None or meeting(group).is_member():
        return False
    warnings.warn(f"Process {job_rank()} is none of group {group.name}, where several processes meet: the call does nothing.", stacklevel=4)
    return True


def meeting(group: Group | None) -> Group:
    """The group that a call means; None: all processes of the job.

    Raises:
        WrongInputError: it is no group.
    """
    if group is None:
        return global_group()
    if not isinstance(group, Group):
        raise type_error("group", "a Group, as new_group gives it, or None", group)
    return group
