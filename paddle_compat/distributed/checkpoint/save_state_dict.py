"""`paddle.distributed.checkpoint.save_state_dict`: state written by all processes, each its part."""

from __future__ import annotations

import os
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.dtype import dtype_name
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.checkpoint import metadata
from paddle_compat.distributed.checkpoint.metadata import LocalTensorIndex, LocalTensorMetadata, Metadata
from paddle_compat.distributed.checkpoint.utils import flatten_state_dict, newest
from paddle_compat.engine import processes
from paddle_compat.framework.io import save
from paddle_compat.tensor._tensor_meshes import is_dist

Parts = dict[str, tuple[LocalTensorMetadata, bool]]  # by name: this process's part, and whether it is one of a dist tensor


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
        coordinator_rank (int): who writes plain Tensors and the metadata.
        unique_id (int): the checkpoint's number in the folder; None: one more than the largest there, from 0 on.
        async_save (bool): only False.
        safetensors (bool): only False.
        save_replicas (bool): only False.
    Raises:
        AssertionError: state_dict is no dict, or coordinator_rank none of the job's processes.
        ValueError: there is something else than Tensors in it.

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
    given = {"process_group": process_group, "async_save": async_save, "safetensors": safetensors, "save_replicas": save_replicas}
    for name, value in given.items():
        if value:
            raise UnsupportedError("paddle.distributed.save_state_dict", f"{name}={value!r}", f"the default of {name}")
    tensors, keys = flatten_state_dict(state_dict)
    values = {name: _part(tensor) for name, tensor in tensors.items()}
    joined = processes.join("cpu")
    rank, size = (0, 1) if joined is None else (joined.rank, joined.size)
    if not 0 <= coordinator_rank < size:
        raise failed_assertion("coordinator_rank", f"one of {size} processes", coordinator_rank, "save_state_dict")
    os.makedirs(path, exist_ok=True)
    mine: Parts = {name: (part, is_dist(tensors[name])) for name, (part, held) in values.items() if held is not None}
    said = _of_all((mine, keys, newest(path)), size)
    last = said[coordinator_rank][2]
    number = unique_id if unique_id is not None else 0 if last is None else last + 1
    whole, own = _shared_out([parts for parts, _, _ in said], rank, coordinator_rank, number)
    if own:
        save({name: Tensor(values[name][1]) for name in own}, os.path.join(path, f"{rank}_{number}.distcp"))
    if rank == coordinator_rank:
        for _, names, _ in said:
            whole.flat_mapping.update(names)
        with open(os.path.join(path, f"{number}.metadata"), "wb") as file:
            metadata.write(whole, file)
    _of_all(None, size)  # nobody loads before all is written


def _part(tensor: Tensor) -> tuple[LocalTensorMetadata, torch.Tensor | None]:
    """This process's part of a Tensor; None where it is not in its mesh."""
    value: Any = tensor._t.detach()
    shape, place = tuple(value.shape), ()
    box = [(0, size) for size in shape]
    held: torch.Tensor | None = value
    if is_dist(tensor):
        from paddle_compat.engine import moves
        from paddle_compat.engine.spmd import without_partial

        value = moves.moved(value, value.device_mesh, without_partial(value.placements))
        place = value.device_mesh.get_coordinate()
        held = None if place is None else value.to_local()
        box = [] if place is None else list(moves.box(shape, value.device_mesh.mesh.shape, place, value.placements))
    part = LocalTensorMetadata(tuple(a for a, _ in box), tuple(b - a for a, b in box), dtype_name(tensor.dtype), shape)
    return part, held


def _of_all(said: Any, size: int) -> list[Any]:
    """What all processes say."""
    if size == 1:
        return [said]
    every: list[Any] = [None] * size
    with processes.watched():
        torch.distributed.all_gather_object(every, said)
    return every


def _shared_out(every: list[Parts], rank: int, coordinator: int, number: int) -> tuple[Metadata, list[str]]:
    """Who writes what: the metadata, and the names of this process's parts."""
    whole, own = Metadata(), []
    written = [0] * len(every)
    parts = {(name, part): laid for each in every for name, (part, laid) in each.items()}
    for (name, part), laid in parts.items():
        holders = [other for other, each in enumerate(every) if name in each and each[name][0] == part]
        writer = coordinator if not laid and coordinator in holders else min(holders, key=lambda other: (written[other], other))
        written[writer] += torch.Size(part.local_shape).numel()
        whole.state_dict_metadata.setdefault(name, []).append(part)
        index = LocalTensorIndex(name, part.global_offset, local_shape=part.local_shape)
        whole.storage_metadata[index] = f"{writer}_{number}.distcp"
        if writer == rank:
            own.append(name)
    return whole, own


__all__ = ["save_state_dict"]
__getattr__ = missing(__name__)
