"""`paddle.distributed.checkpoint.save_state_dict`: state written by all processes, each its part."""

from __future__ import annotations

import os
from typing import Any

import torch
from torch.distributed import checkpoint

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.checkpoint._storage import Planner, Writer, plain_errors
from paddle_compat.distributed.checkpoint.utils import flatten_state_dict
from paddle_compat.engine import moves, processes
from paddle_compat.engine.spmd import without_partial
from paddle_compat.framework.io import clear_async_save_task_queue
from paddle_compat.tensor._tensor_meshes import is_dist


def save_state_dict(
    state_dict: dict[str, Any],
    path: str,
    process_group: Any = None,
    coordinator_rank: int = 0,
    unique_id: int | None = None,
    async_save: bool = False,
    safetensors: bool = False,
    save_replicas: bool = False,
) -> None:
    """Write Tensors, dist ones and plain ones, into a folder; all processes call it, and each writes its part.

    What several processes hold is written once: plain Tensors by `coordinator_rank`.

    Args:
        state_dict (dict): Tensors, and dicts of such.
        path (str): the folder, which all processes share.
        process_group (Group): who calls; only None: all processes.
        coordinator_rank (int): who writes plain Tensors.
        unique_id (int): the checkpoint's number in the folder; None: one more than the largest there, from 0 on.
        async_save (bool): whether files of Tensors are written after the call has returned, from copies; the next call that saves or loads
            waits for this process's file, and so does the program's end.
        safetensors (bool): only False.
        save_replicas (bool): only False.
    Raises:
        AssertionError: state_dict is no dict, or coordinator_rank none of the job's processes.
        ValueError: there is something else than Tensors in it.
        OSError: a file could not be written, now or by an earlier call with async_save.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> folder = tempfile.mkdtemp()
        >>> dist.save_state_dict({"w": dist.shard_tensor(paddle.ones([4]), dist.ProcessMesh([0]), [dist.Shard(0)])}, folder)
        >>> sorted(os.listdir(folder))
        ['0.metadata', '0_0.distcp']

    Follows Paddle 3.3, whose files these are.
    """
    given = {"process_group": process_group, "safetensors": safetensors, "save_replicas": save_replicas}
    for name, value in given.items():
        if value:
            raise UnsupportedError("paddle.distributed.save_state_dict", f"{name}={value!r}", f"the default of {name}")
    tensors, keys = flatten_state_dict(state_dict)
    values = {name: _without_partial(tensor) for name, tensor in tensors.items()}
    joined = processes.join("cpu")
    rank, size = (0, 1) if joined is None else (joined.rank, joined.size)
    if not 0 <= coordinator_rank < size:
        raise failed_assertion("coordinator_rank", f"one of {size} processes", coordinator_rank, "save_state_dict")
    os.makedirs(path, exist_ok=True)
    clear_async_save_task_queue()
    with plain_errors(), processes.watched():
        writer = Writer(path, rank, keys, unique_id, async_save)
        checkpoint.save(values, storage_writer=writer, planner=Planner(coordinator_rank), no_dist=size == 1)


def _without_partial(tensor: Tensor) -> torch.Tensor:
    """The value of a Tensor, summed up where it lies in parts of a sum."""
    value: Any = tensor._t.detach()
    return moves.moved(value, value.device_mesh, without_partial(value.placements)) if is_dist(tensor) else value


__all__ = ["save_state_dict"]
__getattr__ = missing(__name__)
