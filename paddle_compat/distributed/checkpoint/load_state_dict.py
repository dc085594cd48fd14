"""`paddle.distributed.checkpoint.load_state_dict`: state read into Tensors that lie otherwise than those that were saved."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from math import prod
from typing import Any

import torch
from torch.distributed import checkpoint

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument
from paddle_compat.core.place import CPUPlace
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed import _groups
from paddle_compat.distributed.checkpoint._storage import Reader, plain_errors
from paddle_compat.distributed.checkpoint.utils import flatten_state_dict, newest
from paddle_compat.engine import moves
from paddle_compat.engine.spmd import piece, spread, without_partial
from paddle_compat.framework.io import clear_async_save_task_queue, save
from paddle_compat.tensor._tensor_meshes import is_dist
from paddle_compat.tensor.creation import to_tensor

_METHODS = ("send_recv", "broadcast", "multi_group_broadcast", "grouped_send_recv")


def load_state_dict(
    state_dict: dict[str, Any],
    path: str,
    process_group: Any = None,
    coordinator_rank: int = 0,
    unique_id: int | None = None,
    offload: bool = False,
    mw_name_compatibility: bool = True,
    aoa_config: dict[str, list[str]] | None = None,
    safetensors: bool = False,
    worker_groups: list[Any] | None = None,
    comm_method: str = "broadcast",
) -> None:
    """Read Tensors from a folder of `save_state_dict`, in place; they may lie on another mesh, in other ways, in more or fewer processes.

    Each process reads from the files what it needs.

    Args:
        state_dict (dict): Tensors, and dicts of such.
        path (str): the folder, which all processes see.
        process_group (Group): of no effect.
        coordinator_rank (int): of no effect.
        unique_id (int): the checkpoint's number in the folder; None: the largest there.
        offload (bool): of no effect: files are read on the CPU.
        mw_name_compatibility (bool): of no effect.
        aoa_config (dict): only None.
        safetensors (bool): only False.
        worker_groups (list): of no effect: nothing is sent.
        comm_method (str): of no effect.
    Raises:
        AssertionError: state_dict is no dict.
        ValueError: there is something else than Tensors in it, or one has another shape than what was saved.
        KeyError: the checkpoint has no such Tensor.
        FileNotFoundError: there is no such folder, or no checkpoint in it.

    Example:
        >>> import tempfile
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> folder = tempfile.mkdtemp()
        >>> dist.save_state_dict({"w": paddle.ones([2])}, folder)
        >>> state = {"w": dist.shard_tensor(paddle.zeros([2]), dist.ProcessMesh([0]), [dist.Shard(0)])}
        >>> dist.load_state_dict(state, folder)
        >>> state["w"].tolist()
        [1.0, 1.0]

    Follows Paddle 3.3; it also reads what Paddle 2.6 and 3.x have saved.
    """
    _check("load_state_dict", aoa_config, safetensors)
    if comm_method not in _METHODS:
        raise invalid_argument("comm_method", f"one of {', '.join(_METHODS)}", comm_method, "load_state_dict")
    tensors, _ = flatten_state_dict(state_dict)
    reader = _reader(path, unique_id)
    for name, tensor in tensors.items():
        reader.check(name, tuple(tensor._t.shape))
    values = {name: _whole_sums(tensor) for name, tensor in tensors.items()}
    with plain_errors():
        planner = checkpoint.DefaultLoadPlanner(flatten_state_dict=False, flatten_sharded_tensors=False)
        checkpoint.load(values, storage_reader=reader, planner=planner, no_dist=True)
    for tensor in tensors.values():
        value: Any = tensor._t.detach()
        if is_dist(tensor) and (place := value.device_mesh.get_coordinate()) is not None:
            moves.alone(value.to_local(), place, value.placements)


def load_merged_state_dict(
    path: str,
    prefix: str | None = None,
    unique_id: int | None = None,
    offload: bool = False,
    aoa_config: dict[str, list[str]] | None = None,
    safetensors: bool = False,
) -> dict[str, Tensor]:
    """Read the Tensors of a folder of `save_state_dict`, each whole, however many processes have written it.

    Args:
        path (str): the folder.
        prefix (str): only names that begin so are read, and lose it and the dot behind it; None: all.
        unique_id (int): the checkpoint's number in the folder; None: the largest there.
        offload (bool): whether Tensors are made on the CPU, wherever others are.
        aoa_config (dict): only None.
        safetensors (bool): only False.
    Returns:
        dict: plain Tensors by their names; those of dicts in dicts are joined by dots.
    Raises:
        AssertionError: unique_id is negative.
        FileNotFoundError: there is no such folder, or no checkpoint in it.

    Example:
        >>> import tempfile
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> folder = tempfile.mkdtemp()
        >>> dist.save_state_dict({"w": dist.shard_tensor(paddle.ones([2]), dist.ProcessMesh([0]), [dist.Shard(0)])}, folder)
        >>> {name: value.tolist() for name, value in dist.load_merged_state_dict(folder).items()}
        {'w': [1.0, 1.0]}

    Follows Paddle 3.3.
    """
    _check("load_merged_state_dict", aoa_config, safetensors)
    if unique_id is not None and unique_id < 0:
        raise failed_assertion("unique_id", "0 or more", unique_id, "load_merged_state_dict")
    reader = _reader(path, unique_id)
    made = _filled(reader, path, [name for name in reader.layouts() if prefix is None or name.startswith(prefix)], offload)
    return {name[len(prefix) + 1 :] if prefix else name: value for name, value in made.items()}


def _filled(reader: Reader, path: str, names: Iterable[str], offload: bool) -> dict[str, Tensor]:
    """Some Tensors of a checkpoint, each whole."""
    place, layouts = CPUPlace() if offload else None, reader.layouts()
    made = {name: to_tensor(torch.zeros(layouts[name][0], dtype=layouts[name][1]), place=place) for name in names}
    load_state_dict(made, path, unique_id=reader.number)
    return made


def merge_sharded_state_dict(
    load_path: str,
    save_path: str,
    prefix: str | None = None,
    safetensor_prefix: str = "model",
    skip_postfix_list: Sequence[str] = (),
    process_group: Any = None,
    unique_id: int | None = None,
    offload: bool = False,
    aoa_config: dict[str, list[str]] | None = None,
    safetensors: bool = False,
) -> None:
    """Write the Tensors of a folder of `save_state_dict`, each whole, as files of safetensors: one of each process, and their index.

    All processes make this call together.

    Args:
        load_path (str): the folder.
        save_path (str): a folder for `model-00001-of-00002.safetensors` and its kin, and `model.safetensors.index.json`.
        prefix (str): only names that begin so are read, and lose it and the dot behind it; None: all.
        safetensor_prefix (str): how the files' names begin.
        skip_postfix_list (list): names that end so are left out.
        process_group (Group): of no effect: each process reads what it writes.
        unique_id (int): the checkpoint's number in the folder; None: the largest there.
        offload (bool): of no effect: files are read on the CPU.
        aoa_config (dict): only None.
        safetensors (bool): only False.
    Raises:
        FileNotFoundError: there is no such folder, or no checkpoint in it.

    Example:
        >>> import os, tempfile
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.flex_checkpoint.dcp.load_state_dict import merge_sharded_state_dict
        >>> folder, whole = tempfile.mkdtemp(), tempfile.mkdtemp()
        >>> dist.save_state_dict({"w": dist.shard_tensor(paddle.ones([2]), dist.ProcessMesh([0]), [dist.Shard(0)])}, folder)
        >>> merge_sharded_state_dict(folder, whole)
        >>> sorted(os.listdir(whole))
        ['model-00001-of-00001.safetensors', 'model.safetensors.index.json']

    Follows Paddle 3.3, which cannot take a prefix and writes no integers.
    """
    _check("merge_sharded_state_dict", aoa_config, safetensors)
    reader, count, rank = _reader(load_path, unique_id), _groups.job_size(), _groups.job_rank()
    chosen = {
        name: layout
        for name, layout in reader.layouts().items()
        if (prefix is None or name.startswith(prefix)) and not name.endswith(tuple(skip_postfix_list))
    }
    shown = {name: name[len(prefix) + 1 :] if prefix else name for name in chosen}
    files = [f"{safetensor_prefix}-{number + 1:05d}-of-{count:05d}.safetensors" for number in range(count)]
    own = _filled(reader, load_path, list(chosen)[rank::count], True)
    save({shown[name]: value for name, value in own.items()}, os.path.join(save_path, files[rank]), safetensors=True)
    if rank == 0:
        size = sum(prod(shape) * dtype.itemsize for shape, dtype in chosen.values())
        index = {"metadata": {"total_size": size}, "weight_map": {shown[name]: files[at % count] for at, name in enumerate(chosen)}}
        with open(os.path.join(save_path, f"{safetensor_prefix}.safetensors.index.json"), "w") as file:
            json.dump(index, file, indent=2)


def _check(api: str, aoa_config: Any, safetensors: bool) -> None:
    for name, given in (("aoa_config", aoa_config), ("safetensors", safetensors)):
        if given:
            raise UnsupportedError(f"paddle.distributed.{api}", f"{name}={given!r}", "paddle.load of other files")


def _reader(path: str, unique_id: int | None) -> Reader:
    """What reads a checkpoint, once files that are written in the background are there."""
    clear_async_save_task_queue()
    number = newest(path) if unique_id is None else unique_id
    if number is None:
        raise FileNotFoundError(f"No checkpoint in `path`. Expected files of paddle.distributed.save_state_dict. Received: {path}")
    return Reader(path, number)


def _whole_sums(tensor: Tensor) -> torch.Tensor:
    """The memory of a Tensor, as if it were whole where it lies in parts of a sum."""
    value: Any = tensor._t.detach()
    return spread(piece(value), value.device_mesh, without_partial(value.placements), value.shape) if is_dist(tensor) else value


__all__ = ["load_merged_state_dict", "load_state_dict", "merge_sharded_state_dict"]
__getattr__ = missing(__name__)
