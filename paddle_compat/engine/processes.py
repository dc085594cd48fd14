"""The other processes of a data parallel job, met through torch.distributed: gloo on the CPU, NCCL on GPUs.

The replicas of all processes make one ring: each process adds up its own first, its first replica meets those of the others.
"""

from __future__ import annotations

import atexit
import ctypes
import datetime
import functools
import inspect
import os
import sys
import threading
import traceback
import weakref
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import torch

from paddle_compat.core import ending, rings
from paddle_compat.core.errors import (
    EnforceNotMet,
    ExecutionTimeoutError,
    InvalidArgumentError,
    PreconditionNotMetError,
    UnavailableError,
)
from paddle_compat.core.job import MEETING, Job, environment, has_servers, job
from paddle_compat.core.place import own_gpus
from paddle_compat.engine.agreements import Call, Turn, kind_of
from paddle_compat.engine.buckets import FIRST, MOST, Sums, Trip, buckets
from paddle_compat.engine.neighbours import LEAST, Neighbours, neighbours
from paddle_compat.engine.peers import Peers
from paddle_compat.engine.roll_call import Door, roll_call, store_at

before_the_end: list[Callable[[], None]] = []  # what takes in calls that were made and not waited for
left: list[Any] = []  # these calls, which keep their groups

GPU_BACKEND = "cpu:gloo,cuda:nccl"  # of processes on GPUs, who also tell one another numbers that lie on the CPU


class Processes(rings.Ring):
    """A ring of processes: those of a job, or of a part of it.

    Args:
        group (torch.distributed.ProcessGroup): how they meet; this process is one of them.
    """

    _near: Neighbours | None = None  # where they share a machine
    _asked = False  # whether they do

    def __init__(self, group: Any) -> None:
        self.group, self.rank, self.size = group, group.rank(), group.size()
        self._parts: Counter[tuple[int, ...]] = Counter()  # how often these processes made a ring
        lend(self, "group")

    def calls(self) -> AbstractContextManager[None]:
        """Whose failure names the process that is to blame; those that were begun before, and do not wait, set out first."""
        return watched(self.group, settled=True)

    def wait(self, near: bool = False) -> None:
        """Wait until all processes have come here."""
        if not near and not wait_for_all(self.group):
            with self.calls():
                torch.distributed.barrier(self.group)

    def part(self, ranks: Sequence[int]) -> Processes:
        """A ring of some of the processes, numbered as they are given; the others need not know of it."""
        with watched(settled=True):
            self._parts[tuple(ranks)] += 1
            with _named(f"{'-'.join(map(str, ranks))} for the {self._parts[tuple(ranks)]}. time"):
                return Processes(torch.distributed.new_group(list(ranks), use_local_synchronization=True, sort_ranks=False))

    def start(self, flat: torch.Tensor) -> Any:
        """Start the sum over all processes, in place; gives what is to be waited for."""
        with self.calls():
            return torch.distributed.all_reduce(flat, group=self.group, async_op=True)

    def trip(self, count: int, like: torch.Tensor) -> Trip:
        """A way for so many numbers to the other processes, and back as their sum."""
        if like.device.type != "cpu" or not like.is_floating_point() or count * like.element_size() < LEAST:
            return Trip(like.new_empty(count), self.start)
        if not self._asked:
            with self.calls():
                self._near, self._asked = neighbours(self.start, self.rank, self.size), True
        return self._near.trip(count, like) if self._near else Trip(like.new_empty(count), self.start)

    def all_reduce(self, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """The sums over all processes."""
        dense = [t for t in tensors if not t.is_sparse]
        sums = self.sums(dense)
        sums.put_all(dense)
        gathered = [self._gathered(tensor) if tensor.is_sparse else None for tensor in tensors]
        with self.calls():
            found = iter(sums.result(len(dense)))
        return [next(found) if rows is None else rows for rows in gathered]

    def journey(self, tensors: Sequence[torch.Tensor], most: int | None = None) -> rings.Journey:
        """Gradients that meet those of the other processes while the backward pass goes on."""
        return SumsJourney(self.sums(tensors, most=most))

    def sums(self, tensors: Sequence[torch.Tensor], replicas: int = 1, most: int | None = None) -> Sums:
        """Sums that begin, of what so many replicas of this process put in; a small first bucket is of no use where memory is shared."""
        return Sums(buckets(tensors, MOST if most is None else most, MOST if self._near else FIRST), replicas, self.trip)

    def _gathered(self, tensor: Any) -> torch.Tensor:
        """The rows of a sparse gradient of all processes, behind one another."""
        rows, values = tensor._indices()[0].contiguous(), tensor._values().contiguous()
        sizes = [int(count) for count in self._of_all(torch.tensor([rows.numel()], device=rows.device))]
        most = max(sizes)
        parts = []
        for part in (rows, values):
            padded = torch.zeros((most, *part.shape[1:]), dtype=part.dtype, device=part.device)
            padded[: len(part)] = part
            parts.append(torch.cat([each[:size] for each, size in zip(self._of_all(padded), sizes)]))
        return torch.sparse_coo_tensor(parts[0][None], parts[1], tensor.shape, check_invariants=False)

    def _of_all(self, own: torch.Tensor) -> list[torch.Tensor]:
        every = [torch.empty_like(own) for _ in range(self.size)]
        with self.calls():
            torch.distributed.all_gather(every, own, group=self.group)
        return every

    def compare(self, call: str, tensors: Sequence[torch.Tensor]) -> None:
        """Wait for all processes, and compare what they hand to a call.

        Args:
            call: what it is, in a few words; `tensors`: whose shapes and data types are the same on all.
        Raises:
            InvalidArgumentError: they are not the same.
        """
        detail = f"{call}, {';'.join(kind_of(tensor) for tensor in tensors)}"
        said = Call(f"{zlib.crc32(detail.encode()):08x}", f"has {detail[:_WORDS]}")
        if tensors:
            together(self.group, said, "the same shapes and data types on all processes").wait()

    def compare_message(self, peer: int, sends: bool, tensor: torch.Tensor) -> None:
        """Wait for another process, and compare what one of both sends with what the other one expects.

        Args:
            peer: the other one; `sends`: whether this one sends; `tensor`: what, or where to.
        Raises:
            InvalidArgumentError: it is of another size or data type.
        """
        message(self.group, peer, sends, tensor).wait()

    def broadcast(self, tensors: Sequence[torch.Tensor]) -> None:
        """Write process 0's values into the tensors of the others."""
        self.compare(f"{len(tensors)} tensors of {sum(tensor.numel() for tensor in tensors)} elements", tensors)
        with self.calls():
            works = [torch.distributed.broadcast(tensor, group=self.group, group_src=0, async_op=True) for tensor in tensors]
            for work in works:
                work.wait()


@contextmanager
def _named(name: str) -> Iterator[None]:
    """A group that a part of the processes makes has this name; torch's own says how many groups a process has, which may differ."""
    home: Any = torch.distributed.distributed_c10d
    former = home._hash_ranks_to_str
    home._hash_ranks_to_str = lambda ranks: name
    try:
        yield
    finally:
        home._hash_ranks_to_str = former


class SumsJourney(rings.Journey):
    """A replica's part in the sums of a backward pass; whoever hands in the last gradient of a bucket sends it on its way."""

    def __init__(self, sums: Sums, replica: int = 0) -> None:
        self.sums, self.replica = sums, replica

    def put(self, position: int, gradient: torch.Tensor) -> None:
        """Hand in a gradient."""
        with watched():
            self.sums.put(position, gradient, self.replica)

    def taker(self, position: int, like: torch.Tensor) -> Callable[[torch.Tensor], None]:
        """What takes the gradient for the tensor at that position from a backward pass."""
        return self.sums.taker(position, like, self.replica) or super().taker(position, like)

    def finish(self, gradients: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Hand in the rest, and wait for the sums."""
        with watched():
            self.sums.put_all(gradients, self.replica)
        return self._result(len(gradients))

    def _result(self, count: int) -> list[torch.Tensor]:
        with watched():
            return self.sums.result(count)


_WORDS = 160  # characters that show what a process hands to a call
_LAST = 10.0  # seconds that the others have to make the calls that this one has begun when it ends
_PATIENCE = 5.0  # seconds in which it shows who is gone, where a connection broke: those that time out ask the others first

_holders: weakref.WeakKeyDictionary[Any, tuple[str, ...]] = weakref.WeakKeyDictionary()  # of ProcessGroups, and the attributes with them


def lend(holder: Any, *attributes: str) -> None:
    """Let an object have ProcessGroups in attributes, or in dicts there, until Python ends.

    A thread of gloo's that lets go of a call's tensors needs Python for it, however late. If that has ended meanwhile, so does the whole
    process, by SIGABRT. So the groups end before, which their threads are waited for at.
    """
    _holders[holder] = attributes


_joined: Processes | None = None
_peers: Peers | None = None
_times = 0  # how often it has met them
_parted = ""  # why this process has left its job for good


def join(device: torch.device | str = "cpu", count: int = 1, rank: int = 0, endpoints: Sequence[str] = ()) -> Processes | None:
    """The processes that train together, joined and registered as ring 0 when first asked for; None where this is the only one.

    Args:
        device: a CPU or a GPU, which says whether they meet by gloo or NCCL; a GPU without a number: this process's first.
        count: how many the user says there are, `rank` which this is; 1: the environment says it.
        endpoints: of the trainers, where the environment does not name them.
    Raises:
        InvalidArgumentError: user and environment disagree.
        PreconditionNotMetError: nothing says where the processes meet, or this one has left them.
    """
    global _joined, _peers, _times
    said = job()
    own, size = (0, 1) if has_servers() else (said.rank, said.size)  # the trainers of parameter servers do not meet one another
    if count > 1 and size > 1 and (count, rank) != (size, own):
        raise InvalidArgumentError(
            f"Invalid value for arguments `num_trainers`, `trainer_id`. Expected what the launcher says: {size} and {own} (WORLD_SIZE, "
            f"RANK, or Paddle's PADDLE_TRAINERS_NUM, PADDLE_TRAINER_ID). Received: {count} and {rank}"
        )
    if max(size, count) == 1:
        return None
    _refuse_parted()
    where = torch.device(device)
    if where.type == "cuda" and torch.cuda.is_available():
        torch.cuda.set_device(own_gpus()[0] if where.index is None else where.index)  # where NCCL meets for what is no tensor
    if _joined is None:
        dist = torch.distributed
        rank, size, limit = max(rank, own), max(count, size), _limit()
        if dist.is_initialized() and dist.get_world_size() < size:  # `alone`, before it was one of several, or before a fork
            dist.destroy_process_group()
        started = dist.is_initialized()  # by the script, through torch
        _peers, door = Peers(rank), None
        try:
            door = None if started or rank == 0 else _door(rank, said, endpoints)
            store = dist.distributed_c10d._get_default_store() if started else _store(rank, said, endpoints, limit, door)
            store = dist.PrefixStore(f"paddle_compat/{_times}", store)
            _peers.connect(roll_call(store, rank, size, _peers.address, limit))
            if not started:
                backend = GPU_BACKEND if where.type == "cuda" else "gloo"
                with watched():
                    dist.init_process_group(backend, store=store, rank=rank, world_size=size, timeout=datetime.timedelta(seconds=limit))
        except BaseException:
            leave()
            raise
        finally:
            if door is not None:
                door.close()
        _watch_ends()
        _times += 1
        _joined = Processes(dist.group.WORLD)
        rings.register(0, _joined)
    return _joined


rings.joins.append(join)


def alone() -> None:
    """Make a group of this process, which has no other to meet, for what wants one."""
    if not torch.distributed.is_initialized():
        _watch_ends()
        backend = GPU_BACKEND if torch.cuda.is_available() else "gloo"
        torch.distributed.init_process_group(backend, store=torch.distributed.HashStore(), rank=0, world_size=1)


@functools.cache
def _watch_ends() -> None:
    atexit.register(_end)
    os.register_at_fork(after_in_child=_forked)


def _door(rank: int, said: Job, endpoints: Sequence[str]) -> Door | None:
    """Where this process listens until all have met, if anybody has told the others; none of torchrun's has such a place."""
    known = list(endpoints) or (list(said.endpoints) if "PADDLE_TRAINER_ENDPOINTS" in environment() else [])
    held = os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True"  # by a launcher, who gives each number once
    return Door(known[rank], rank, not held) if rank < len(known) else None


def _store(rank: int, said: Job, endpoints: Sequence[str], limit: float, door: Door | None) -> Any:
    """Where the processes find one another: the launcher holds it, or process 0."""
    where = os.environ.get("MASTER_ADDR"), os.environ.get("MASTER_PORT")
    if said.size > 1 and all(where):
        held = os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True"
        store = store_at(str(where[0]), int(where[1] or 0), rank == 0 and not held, limit, door)
        time = f"{os.environ.get('TORCHELASTIC_RESTART_COUNT', '0')}/{said.size}/{os.environ.get(MEETING, '')}"
        return torch.distributed.PrefixStore(time, store) if held else store
    host, _, port = _meeting_point(list(endpoints) or list(said.endpoints)).rpartition(":")
    return store_at(host, int(port), rank == 0, limit, door)


def _limit() -> float:
    """Seconds that a collective call takes at most."""
    given = os.environ.get("PADDLE_PG_TIMEOUT") or "1800000"
    if not given.isdecimal() or int(given) == 0:
        raise InvalidArgumentError(f"Invalid value for environment variable `PADDLE_PG_TIMEOUT`. Expected milliseconds. Received: {given}")
    return int(given) / 1000


def _meeting_point(endpoints: Sequence[str]) -> str:
    """Where trainer 0 waits for the others."""
    if not endpoints:
        raise PreconditionNotMetError(
            "Several trainers need a place to meet. Expected torchrun's environment, PADDLE_TRAINER_ENDPOINTS, or "
            "build_strategy.trainers_endpoints. Received: none"
        )
    return endpoints[0]


def leave(error: BaseException | None = None) -> None:
    """Let go of the other processes.

    Args:
        error: why this process cannot go on with them. They are told, and it cannot join them again.
    """
    global _joined, _peers, _parted
    if error is not None and _joined is not None:
        said = str(error).partition("\n")[0]
        _parted = f"a run failed in process {_joined.rank} ({type(error).__name__}: {said})."
    if _peers is not None:
        _peers.leave(_parted)
    if _joined is not None:
        _joined.group = None  # whose connections are closed when nobody has it any more
    _joined = _peers = None
    left.clear()
    rings.forget(0)
    if torch.distributed.is_initialized():
        _take_back()
        torch.distributed.destroy_process_group()


def _take_back() -> None:
    """Have no function of torch's keep the group of all processes: some, which DTensors need, have it as a default. None says it, too."""
    module = sys.modules.get("torch.distributed.nn.functional")
    for function in vars(module).values() if module is not None else ():
        if inspect.isfunction(function) and function.__defaults__:
            world = torch.distributed.group.WORLD
            function.__defaults__ = tuple(None if each is world else each for each in function.__defaults__)


def _end() -> None:
    """This process ends: the others are told by which exception, if it is one."""
    global _peers
    error = getattr(sys, "last_value", None)
    missed = None if error is not None else _missed()
    if _peers is not None:
        _peers.leave("" if error is None else f"{type(error).__name__}: {str(error).partition(chr(10))[0]}", ends=True)
        _peers = None
    leave()
    for holder, attributes in list(_holders.items()):
        for attribute in attributes:
            lent = getattr(holder, attribute)
            lent.clear() if isinstance(lent, dict) else setattr(holder, attribute, None)
    seen = set[int]()
    while error is not None and id(error) not in seen:  # the calls that it came through have their groups, too; one may be its own cause
        seen.add(id(error))
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__
    if missed is not None:
        ending.fail(missed)


def finish() -> None:
    """Let the calls set out that nobody has waited for, before this process ends.

    Raises:
        InvalidArgumentError: the processes made different ones.
    """
    missed = _missed()
    if missed is not None:
        raise missed


def _missed() -> Exception | None:
    if _peers is None:
        return None
    _peers.agreements.settle(seconds=_LAST)
    for take_in in before_the_end:
        take_in()
    return _peers.agreements.missed()


def _forked() -> None:
    """A fork of this process is none of the job's, and must not keep the others from seeing this one die."""
    global _joined, _peers
    if _peers is not None:
        _peers.close()
    _joined = _peers = None
    atexit.unregister(_end)
    for group in torch.distributed.distributed_c10d._world.pg_map:  # which would wait at its end for threads that a fork does not have
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(group))


def _refuse_parted() -> None:
    if _parted:
        raise PreconditionNotMetError(f"This process has left the others of its job: {_parted} Start the job again.")


@contextmanager
def watched(group: Any = None, settled: bool = False) -> Iterator[None]:
    """Collective calls, whose failure is told with the numbers of the processes that are gone, or do not make them.

    Args:
        group (torch.distributed.ProcessGroup): who makes them; None: all processes.
        settled: whether those begun before set out first.
    Raises:
        PreconditionNotMetError: this process has left the others.
        UnavailableError: a process is gone; its attribute `processes` has the numbers.
        ExecutionTimeoutError: they are all there, and one of them does not make the call that this one waits for.
    """
    _refuse_parted()
    peers, thread = _peers, threading.get_ident()
    if peers is None:
        yield
        return
    within = thread in peers.inside  # of another such block
    peers.inside.add(thread)
    try:
        if settled:
            peers.agreements.settle(group)
        yield
    except RuntimeError as error:
        if isinstance(error, EnforceNotMet):
            raise
        raise _explained(error, peers, group) from error
    finally:
        if not within:
            peers.inside.discard(thread)


class Agreed:
    """A call that the processes of a group have been told of, and that sets out when all have told of the same.

    Args:
        group (torch.distributed.ProcessGroup): who makes it.
        turn: when.
    """

    def __init__(self, group: Any, peers: Peers, turn: Turn) -> None:
        self.group, self.peers, self.turn = group, peers, turn

    def wait(self, last: bool = True) -> Any:
        """What the call gave, which may be something to wait for.

        Args:
            last: whether an earlier call of the group that failed, and that nobody waited for, is told of.
        Raises:
            InvalidArgumentError: the processes make different calls.
        """
        with watched(self.group):
            found = self.peers.agreements.result(self.turn)
            missed = self.peers.agreements.missed(self.group) if last else None
            if missed is not None:
                raise missed
        return found


def compares(group: Any) -> bool:
    """Whether calls of a group are compared: over gloo, and NCCL has queues of its own."""
    return _peers is not None and rings.calls_are_compared() and torch.distributed.get_backend(group) == "gloo"


def together(group: Any, call: Call, expected: str, start: Callable[[], Any] | None = None, way: tuple[int, int] | None = None) -> Agreed:
    """Tell the processes of a group of a call, which sets out when all have told of the same (`engine.agreements`)."""
    _refuse_parted()
    assert _peers is not None
    return Agreed(group, _peers, _peers.agreements.submit(group, call, expected, start, way))


def message(group: Any, peer: int, sends: bool, tensor: torch.Tensor, start: Callable[[], Any] | None = None) -> Agreed:
    """The same of a message to or from another process of the group."""
    own, other = (torch.distributed.get_global_rank(group, rank) for rank in (group.rank(), peer))
    call = Call(f"{tensor.numel()} {tensor.dtype}", f"{'sends' if sends else 'receives'} {kind_of(tensor)}")
    expected = "a message of as many elements, in the same data type, as its receiver has room for"
    return together(group, call, expected, start, (own, other) if sends else (other, own))


def wait_for_all(group: Any) -> bool:
    """Wait until all processes of a group have come here; False: they do not compare their calls."""
    if not compares(group):
        return False
    together(group, Call("barrier", "calls barrier"), f"the same collective call on all processes of {group.group_desc}").wait()
    return True


def _explained(error: RuntimeError, peers: Peers, group: Any) -> RuntimeError:
    """What the failure of a collective call is due to."""
    said = str(error).partition("\n")[0]
    late = "imed out" in said or "timeout" in said.lower()
    gone = peers.gone(0 if late else _PATIENCE)
    if gone:
        peers.tell(lost=gone)
        reasons = "".join(f" It said: {reason}" for reason in gone.values() if reason)
        lost = UnavailableError(
            f"Process {', '.join(map(str, gone))} of {peers.size} of this job is gone.{reasons} Expected all processes in a "
            f"collective call. Received, in process {peers.rank}: {said}"
        )
        lost.processes = list(gone)
        return lost
    if not late:
        return error
    members = range(peers.size) if group is None else torch.distributed.get_process_group_ranks(group)
    absent = peers.elsewhere(members)
    peers.tell(lost=absent)
    missed = ExecutionTimeoutError(
        f"A collective call of process {peers.rank} was not made by all of {len(members)} processes in time: "
        + "; ".join(f"process {rank} {what}" for rank, what in absent.items())
        + f". Expected the same calls in the same order everywhere. Received: {said}"
    )
    missed.processes = list(absent)
    return missed
