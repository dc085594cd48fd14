"""The other processes of a data parallel job, met through torch.distributed: gloo on the CPU, NCCL on GPUs.

Under torchrun (or with Paddle's PADDLE_TRAINER_ID, PADDLE_TRAINERS_NUM and PADDLE_TRAINER_ENDPOINTS and a `num_trainers`) the
replicas of all processes make one ring: each process adds up its own first, its first replica meets those of the others.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core import rings
from paddle_compat.core.errors import InvalidArgumentError, PreconditionNotMetError
from paddle_compat.engine.buckets import MOST, Sums, buckets


class Processes(rings.Ring):
    """A ring of processes: those of a job, or of a part of it.

    Args:
        group (torch.distributed.ProcessGroup): how they meet; this process is one of them.
    """

    def __init__(self, group: Any) -> None:
        self.group, self.rank, self.size = group, group.rank(), group.size()

    def wait(self) -> None:
        """Wait until all processes have come here."""
        torch.distributed.barrier(self.group)

    def start(self, flat: torch.Tensor) -> Any:
        """Start the sum over all processes, in place; gives what is to be waited for."""
        return torch.distributed.all_reduce(flat, group=self.group, async_op=True)

    def all_reduce(self, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """The sums over all processes."""
        dense = [t for t in tensors if not t.is_sparse]
        sums = Sums(buckets(dense), 1, self.start)
        for i, tensor in enumerate(dense):
            sums.put(i, tensor)
        gathered = [self._gathered(tensor) if tensor.is_sparse else None for tensor in tensors]
        found = iter(sums.result(len(dense)))
        return [next(found) if rows is None else rows for rows in gathered]

    def journey(self, tensors: Sequence[torch.Tensor], most: int | None = None) -> rings.Journey:
        """Gradients that meet those of the other processes while the backward pass goes on."""
        return _Journey(Sums(buckets(tensors, MOST if most is None else most), 1, self.start))

    def _gathered(self, tensor: Any) -> torch.Tensor:
        """The rows of a sparse gradient of all processes, behind one another."""
        dist = torch.distributed
        rows, values = tensor._indices()[0].contiguous(), tensor._values().contiguous()
        counts = [torch.zeros(1, dtype=torch.int64, device=rows.device) for _ in range(self.size)]
        dist.all_gather(counts, torch.tensor([rows.numel()], device=rows.device), group=self.group)
        sizes = [int(count) for count in counts]
        most = max(sizes)
        parts = []
        for part in (rows, values):
            padded = torch.zeros((most, *part.shape[1:]), dtype=part.dtype, device=part.device)
            padded[: len(part)] = part
            every = [torch.empty_like(padded) for _ in range(self.size)]
            dist.all_gather(every, padded, group=self.group)
            parts.append(torch.cat([each[:size] for each, size in zip(every, sizes)]))
        return torch.sparse_coo_tensor(parts[0][None], parts[1], tensor.shape, check_invariants=False)

    def broadcast(self, tensors: Sequence[torch.Tensor]) -> None:
        """Write process 0's values into the tensors of the others."""
        works = [torch.distributed.broadcast(tensor, group=self.group, group_src=0, async_op=True) for tensor in tensors]
        for work in works:
            work.wait()


class _Journey(rings.Journey):
    def __init__(self, sums: Sums) -> None:
        self.sums = sums

    def put(self, position: int, gradient: torch.Tensor) -> None:
        """Hand in a gradient."""
        self.sums.put(position, gradient)

    def finish(self, gradients: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Wait for the sums."""
        for position, gradient in enumerate(gradients):
            self.put(position, gradient)
        return self.sums.result(len(gradients))


_joined: Processes | None = None


def join(device: str = "cpu", count: int = 1, rank: int = 0, endpoints: Sequence[str] = ()) -> Processes | None:
    """The processes that train together, joined and registered as ring 0 when first asked for; None where this is the only one.

    Args:
        device: "cpu" or "cuda", which says whether they meet by gloo or NCCL.
        count: how many the user says there are, `rank` which this is; 1: the environment says it.
        endpoints: of the trainers, where the environment does not name them.
    Raises:
        InvalidArgumentError: user and environment disagree.
        PreconditionNotMetError: nothing says where the processes meet.
    """
    global _joined
    world = int(os.environ.get("WORLD_SIZE", 1))
    if count > 1 and world > 1 and (count, rank) != (world, int(os.environ.get("RANK", 0))):
        raise InvalidArgumentError(
            f"Invalid value for arguments `num_trainers`, `trainer_id`. Expected what the launcher says: {world} and "
            f"{os.environ.get('RANK', 0)} (WORLD_SIZE, RANK). Received: {count} and {rank}"
        )
    if max(world, count) == 1:
        return None
    if _joined is None:
        dist = torch.distributed
        if not dist.is_initialized():
            backend = "nccl" if device == "cuda" else "gloo"
            if world > 1:
                dist.init_process_group(backend)
            else:
                dist.init_process_group(backend, init_method=f"tcp://{_meeting_point(endpoints)}", rank=rank, world_size=count)
            atexit.register(leave)
        _joined = Processes(dist.group.WORLD)
        rings.register(0, _joined)
    return _joined


rings.joins.append(join)


def _meeting_point(endpoints: Sequence[str]) -> str:
    """Where trainer 0 waits for the others."""
    named = list(endpoints) or [e for e in os.environ.get("PADDLE_TRAINER_ENDPOINTS", "").split(",") if e]
    if not named:
        raise PreconditionNotMetError(
            "Several trainers need a place to meet. Expected torchrun's environment, PADDLE_TRAINER_ENDPOINTS, or "
            "build_strategy.trainers_endpoints. Received: none"
        )
    return named[0]


def leave() -> None:
    """Let go of the other processes."""
    global _joined
    _joined = None
    rings.forget(0)
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
