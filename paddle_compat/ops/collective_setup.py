"""Operators around collective ones: they make rings, and wait for what GPUs do beside computing.

Paddle's kernels run on streams that operators have to join. Ours are over, or in the stream's order, when they return, so
operators that wait hand on what they are given.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core import job, rings
from paddle_compat.core.errors import InvalidArgumentError, PreconditionNotMetError
from paddle_compat.core.op import Meta, op
from paddle_compat.core.place import run_device
from paddle_compat.ops.collective import infer_same

Tensor = torch.Tensor


# ---- streams
@op(inputs=("X",), infer=infer_same)
def c_sync_calc_stream(x: Tensor) -> Tensor:
    """What is computed is there before collective operators use it."""
    return x


def _infer_list(xs: list[Meta], **attrs: Any) -> tuple[list[Meta]]:
    return ([Meta(x.shape, x.dtype) for x in xs],)


def _waiting(type_: str, doc: str) -> None:
    @op(inputs=("X*",), outputs=("Out*",), name=type_, infer=_infer_list)
    def fn(xs: list[Tensor], *, ring_id: int = 0) -> list[Tensor]:
        return list(xs)

    fn.__doc__ = doc


_waiting("c_sync_comm_stream", "What collective operators made is there before anybody computes with it.")
_waiting("c_wait_comm", "Computing waits for collective operators.")
_waiting("c_wait_compute", "Collective operators wait for computing.")


# ---- rings
def _joined(type_: str, ring_id: int, nranks: int, rank: int | None, endpoints: Sequence[str] = ()) -> None:
    """Let ring `ring_id` be the processes of the job, or, where there are fewer endpoints, those; one rank alone needs no ring.

    Raises:
        PreconditionNotMetError: this process was started alone.
        InvalidArgumentError: the job has another number of processes, this one another rank, or nobody has such an endpoint.
    """
    if nranks <= 1:
        if ring_id:
            rings.stay_outside(ring_id)
        return
    ring = rings.join(run_device())
    if ring is None:
        raise PreconditionNotMetError(
            f"Operator `{type_}` makes a ring of {nranks} processes. Expected a job of so many, started by paddle.distributed.launch or "
            "torchrun. Received: one process"
        )
    known = list(job.job().endpoints)
    ranks = [known.index(each) for each in endpoints if each in known]
    if len(endpoints) == nranks < ring.size or len(ranks) == nranks == ring.size and ranks != sorted(ranks):
        if len(set(ranks)) < nranks or ring.rank not in ranks:
            raise InvalidArgumentError(
                f"Operator `{type_}` makes a ring of another job's processes. Expected some of {known}, {known[ring.rank]} among them. "
                f"Received: {list(endpoints)}"
            )
        ring = ring.part(ranks)
    if ring.size != nranks or rank not in (None, ring.rank):
        raise InvalidArgumentError(
            f"Operator `{type_}` was written for another job. Expected rank {ring.rank} of {ring.size}. Received: {rank} of {nranks}"
        )
    rings.register(ring_id, ring)


def _nothing(*inputs: Any, **attrs: Any) -> tuple[()]:
    return ()


@op(inputs=("X",), outputs=(), infer=_nothing)
def c_comm_init(
    x: Tensor | None, *, nranks: int, rank: int, ring_id: int = 0, device_id: int = -1, endpoints: str = ""
) -> tuple[()]:
    """Make a ring of the processes whose endpoints `c_gen_nccl_id` has written into X, or of all processes of the job."""
    named = bytes(x.tolist()).decode() if x is not None and x.dtype is torch.uint8 else ""
    _joined("c_comm_init", ring_id, nranks, rank, (named or endpoints).split(","))
    return ()


@op(inputs=(), outputs=(), infer=_nothing)
def c_comm_init_all(*, devices: Sequence[int] = (), ring_id: int = 0) -> tuple[()]:
    """A ring of the devices of this process, which replicas make when they run."""
    return ()


@op(inputs=("X",), outputs=(), infer=_nothing)
def c_comm_init_multitrainer(
    x: Tensor | None, *, ntrainers: int, trainer_id: int, devices: Sequence[int] = (), ring_id: int = 0
) -> tuple[()]:
    """Make a ring of all processes of the job."""
    _joined("c_comm_init_multitrainer", ring_id, ntrainers, trainer_id)
    return ()


def _infer_id(**attrs: Any) -> Meta:
    return Meta((-1,), torch.uint8)


def _make_id(rank: int, endpoints: Sequence[str]) -> Tensor:
    """Where the environment says nothing of a job, the Program does: the ranks of these endpoints."""
    if len(endpoints) > 1 and job.job().size == 1:
        os.environ.update(
            PADDLE_TRAINER_ID=str(rank),
            PADDLE_TRAINERS_NUM=str(len(endpoints)),
            PADDLE_TRAINER_ENDPOINTS=",".join(endpoints),
            PADDLE_CURRENT_ENDPOINT=endpoints[rank],
        )
        job.complete_environment()
    return torch.tensor(list(",".join(endpoints).encode()), dtype=torch.uint8)


def _giving_id(type_: str) -> None:
    @op(inputs=(), name=type_, infer=_infer_id)
    def fn(*, rank: int = 0, endpoint: str = "", other_endpoints: Sequence[str] = (), ring_id: int = 0) -> Tensor:
        return _make_id(rank, [*other_endpoints[:rank], endpoint, *other_endpoints[rank:]])

    fn.__doc__ = "The endpoints of the ranks that meet, of which `c_comm_init` makes a ring."


for _type in ("c_gen_nccl_id", "c_gen_xccl_id", "c_gen_bkcl_id"):
    _giving_id(_type)


def _giving_trainers_id(type_: str) -> None:
    @op(inputs=(), outputs=("NCCLID",), name=type_, infer=_infer_id)
    def fn(
        *, trainers: Sequence[str] = (), trainer_id: int = 0, nccl_comm_num: int = 1, use_hierarchical_allreduce: bool = False,
        hierarchical_allreduce_inter_nranks: int = -1,
    ) -> Tensor:  # fmt: skip
        made = _make_id(trainer_id, trainers)
        _joined(type_, 0, len(trainers), trainer_id)
        return made

    fn.__doc__ = "Let the trainers meet, whose endpoints these are."


for _type in ("gen_nccl_id", "gen_bkcl_id"):
    _giving_trainers_id(_type)
