"""The other processes of a data parallel job, met through torch.distributed: gloo on the CPU, NCCL on GPUs.

The replicas of all processes make one ring: each process adds up its own first, its first replica meets those of the others.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from paddle_compat.core import rings
from paddle_compat.core.errors import (
    EnforceNotMet,
    ExecutionTimeoutError,
    InvalidArgumentError,
    PreconditionNotMetError,
    UnavailableError,
)
from paddle_compat.core.job import has_servers, job
from paddle_compat.engine.buckets import FIRST, MOST, Sums, Trip, buckets
from paddle_compat.engine.neighbours import LEAST, Neighbours, neighbours
from paddle_compat.engine.peers import Peers


class Processes(rings.Ring):
    """A ring of processes: those of a job, or of a part of it.

    Args:
        group (torch.distributed.ProcessGroup): how they meet; this process is one of them.
    """

    _near: Neighbours | None = None  # where they share a machine
    _asked = False  # whether they do

    def __init__(self, group: Any) -> None:
        self.group, self.rank, self.size = group, group.rank(), group.size()

    def wait(self, near: bool = False) -> None:
        """Wait until all processes have come here."""
        if not near:
            with watched():
                torch.distributed.barrier(self.group)

    def start(self, flat: torch.Tensor) -> Any:
        """Start the sum over all processes, in place; gives what is to be waited for."""
        with watched():
            return torch.distributed.all_reduce(flat, group=self.group, async_op=True)

    def trip(self, count: int, like: torch.Tensor) -> Trip:
        """A way for so many numbers to the other processes, and back as their sum."""
        if like.device.type != "cpu" or not like.is_floating_point() or count * like.element_size() < LEAST:
            return Trip(like.new_empty(count), self.start)
        if not self._asked:
            with watched():
                self._near, self._asked = neighbours(self.start, self.rank, self.size), True
        return self._near.trip(count, like) if self._near else Trip(like.new_empty(count), self.start)

    def all_reduce(self, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """The sums over all processes."""
        dense = [t for t in tensors if not t.is_sparse]
        sums = self.sums(dense)
        sums.put_all(dense)
        gathered = [self._gathered(tensor) if tensor.is_sparse else None for tensor in tensors]
        with watched():
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
        with watched():
            torch.distributed.all_gather(every, own, group=self.group)
        return every

    def broadcast(self, tensors: Sequence[torch.Tensor]) -> None:
        """Write process 0's values into the tensors of the others."""
        with watched():
            works = [torch.distributed.broadcast(tensor, group=self.group, group_src=0, async_op=True) for tensor in tensors]
            for work in works:
                work.wait()


class SumsJourney(rings.Journey):
    """A replica's part in the sums of a backward pass; whoever hands in the last gradient of a bucket sends it on its way."""

    def __init__(self, sums: Sums, replica: int = 0) -> None:
        self.sums, self.replica = sums, replica

    def put(self, position: int, gradient: torch.Tensor) -> None:
        """Hand in a gradient."""
        with watched():
            self.sums.put(position, gradient, self.replica)

    def finish(self, gradients: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Hand in the rest, and wait for the sums."""
        with watched():
            self.sums.put_all(gradients, self.replica)
        return self._result(len(gradients))

    def _result(self, count: int) -> list[torch.Tensor]:
        with watched():
            return self.sums.result(count)


_joined: Processes | None = None
_peers: Peers | None = None
_times = 0  # how often it has met them
_parted = ""  # why this process has left its job for good


def join(device: str = "cpu", count: int = 1, rank: int = 0, endpoints: Sequence[str] = ()) -> Processes | None:
    """The processes that train together, joined and registered as ring 0 when first asked for; None where this is the only one.

    Args:
        device: "cpu" or "cuda", which says whether they meet by gloo or NCCL.
        count: how many the user says there are, `rank` which this is; 1: the environment says it.
        endpoints: of the trainers, where the environment does not name them.
    Raises:
        InvalidArgumentError: user and environment disagree.
        PreconditionNotMetError: nothing says where the processes meet, or this one has left them.
    """
    global _joined, _peers
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
    if _joined is None:
        dist = torch.distributed
        if not dist.is_initialized():
            backend = "nccl" if device == "cuda" else "gloo"
            if size > 1 and "MASTER_ADDR" in os.environ and "MASTER_PORT" in os.environ:
                dist.init_process_group(backend, rank=own, world_size=size, **_other_store())
            else:
                point = f"tcp://{_meeting_point(list(endpoints) or list(said.endpoints))}"
                dist.init_process_group(backend, init_method=point, rank=max(rank, own), world_size=max(count, size))
            atexit.register(leave)
        _joined = Processes(dist.group.WORLD)
        _peers = Peers(dist.distributed_c10d._get_default_store(), _joined.rank, _joined.size)
        rings.register(0, _joined)
    return _joined


rings.joins.append(join)


def _other_store() -> dict[str, Any]:
    """Where to meet again after `leave`: a launcher's store still has what the processes said there the first time."""
    global _times
    _times += 1
    if _times == 1 or os.environ.get("TORCHELASTIC_USE_AGENT_STORE") != "True":
        return {}
    dist = torch.distributed
    held = dist.TCPStore(os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]), is_master=False)
    restart = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
    return {"store": dist.PrefixStore(f"paddle_compat/{restart}/{_times}", held)}


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
        _peers.leave(_parted, getattr(error, "processes", ()))
    if _joined is not None:
        _joined.group = None  # whose connections are closed when nobody has it any more
    _joined = _peers = None
    rings.forget(0)
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


def _refuse_parted() -> None:
    if _parted:
        raise PreconditionNotMetError(f"This process has left the others of its job: {_parted} Start the job again.")


@contextmanager
def watched() -> Iterator[None]:
    """Collective calls, whose failure is told with the number of the process that is gone.

    Raises:
        PreconditionNotMetError: this process has left the others.
        UnavailableError: a process is gone; its attribute `processes` has the numbers.
        ExecutionTimeoutError: they are all there, and one of them does not make the call that this one waits for.
    """
    _refuse_parted()
    try:
        yield
    except RuntimeError as error:
        if _peers is None or isinstance(error, EnforceNotMet):
            raise
        said = str(error).partition("\n")[0]
        gone = _peers.culprits(_peers.gone())
        if gone:
            reasons = "".join(f" It said: {reason}" for reason in gone.values() if reason)
            lost = UnavailableError(
                f"Process {', '.join(map(str, gone))} of {len(_peers.addresses)} of this job is gone.{reasons} Expected all "
                f"processes in a collective call. Received, in process {_peers.rank}: {said}"
            )
            lost.processes = list(gone)
            raise lost from error
        if "imed out" in said or "timeout" in said.lower():
            raise ExecutionTimeoutError(
                f"A collective call of process {_peers.rank} was not made by all {len(_peers.addresses)} processes of this job in "
                f"time. Expected the same calls in the same order everywhere. Received: {said}"
            ) from error
        raise
