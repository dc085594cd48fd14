"""`paddle.distributed.checkpoint.load_state_dict`: state read into Tensors that lie otherwise than those that were saved."""

from __future__ import annotations

from typing import Any

import torch
from torch.distributed import checkpoint

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.checkpoint._storage import Reader, plain_errors
from paddle_compat.distributed.checkpoint.utils import flatten_state_dict, newest
from paddle_compat.engine import moves
from paddle_compat.engine.spmd import piece, spread, without_partial
from paddle_compat.framework.io import clear_async_save_task_queue
from paddle_compat.tensor._tensor_meshes import is_dist

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
    for name, given in (("aoa_config", aoa_config), ("safetensors", safetensors)):
        if given:
            raise UnsupportedError("paddle.distributed.load_state_dict", f"{name}={given!r}", "paddle.load of other files")
    if comm_method not in _METHODS:
        raise invalid_argument("comm_method", f"one of {', '.join(_METHODS)}", comm_method, "load_state_dict")
    tensors, _ = flatten_state_dict(state_dict)
    clear_async_save_task_queue()
    number = newest(path) if unique_id is None else unique_id
    if number is None:
        raise FileNotFoundError(f"No checkpoint in `path`. Expected files of paddle.distributed.save_state_dict. Received: {path}")
    reader = Reader(path, number)
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


def _whole_sums(tensor: Tensor) -> torch.Tensor:
    """The memory of a Tensor, as if it were whole where it lies in parts of a sum."""
    value: Any = tensor._t.detach()
    return spread(piece(value), value.device_mesh, without_partial(value.placements), value.shape) if is_dist(tensor) else value


__all__ = ["load_state_dict"]
__getattr__ = missing(__name__)
