"""`paddle.distributed.checkpoint.load_state_dict`: state read into Tensors that lie otherwise than those that were saved."""

from __future__ import annotations

import os
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.dtype import torch_dtype
from paddle_compat.core.errors import NotFoundError, UnsupportedError, invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.checkpoint import metadata
from paddle_compat.distributed.checkpoint.metadata import LocalTensorMetadata, Metadata
from paddle_compat.distributed.checkpoint.utils import flatten_state_dict, newest
from paddle_compat.engine import moves
from paddle_compat.framework.io import load
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
    for name, value in (("aoa_config", aoa_config), ("safetensors", safetensors)):
        if value:
            raise UnsupportedError("paddle.distributed.load_state_dict", f"{name}={value!r}", "paddle.load of other files")
    if comm_method not in _METHODS:
        raise invalid_argument("comm_method", f"one of {', '.join(_METHODS)}", comm_method, "load_state_dict")
    tensors, _ = flatten_state_dict(state_dict)
    number = newest(path) if unique_id is None else unique_id
    if number is None:
        raise FileNotFoundError(f"No checkpoint in `path`. Expected files of paddle.distributed.save_state_dict. Received: {path}")
    with open(os.path.join(path, f"{number}.metadata"), "rb") as file:
        files = _Files(path, metadata.read(file))
    for name, tensor in tensors.items():
        files.fill(name, tensor)


class _Files:
    """The files of a checkpoint, each read when something in it is first needed."""

    def __init__(self, path: str, said: Metadata) -> None:
        self.path, self.parts = path, said.state_dict_metadata
        self.where = {(index.tensor_key, index.global_offset): file for index, file in said.storage_metadata.items()}
        self.read: dict[str, dict[str, Tensor]] = {}

    def fill(self, name: str, tensor: Tensor) -> None:
        """Read what this process has of a Tensor."""
        if name not in self.parts:
            raise KeyError(name)
        parts = self.parts[name]
        shape = parts[0].global_shape or tuple(map(max, zip(*(map(sum, zip(p.global_offset, p.local_shape)) for p in parts))))
        if shape != tuple(tensor._t.shape):
            expected = f"shape {list(shape)} of {name}, as it was saved"
            raise invalid_argument("state_dict", expected, list(tensor._t.shape), "load_state_dict")
        value: Any = tensor._t.detach()
        if not is_dist(tensor):
            self._copy(name, parts, value, tuple((0, size) for size in shape))
        elif (place := value.device_mesh.get_coordinate()) is not None:
            box = moves.box(shape, value.device_mesh.mesh.shape, place, value.placements)
            self._copy(name, parts, value.to_local(), box)
            moves.alone(value.to_local(), place, value.placements)

    def _copy(self, name: str, parts: list[LocalTensorMetadata], out: torch.Tensor, wanted: moves.Box) -> None:
        missed = out.numel()
        for said in dict.fromkeys(parts):
            if said.is_flattened:
                raise UnsupportedError("paddle.distributed.load_state_dict", f"{name}, which was saved flat")
            box = tuple((start, start + size) for start, size in zip(said.global_offset, said.local_shape))
            shared = moves.common(box, wanted)
            if all(start < end for start, end in shared):
                target = moves.part(out, shared, wanted)
                target.copy_(moves.part(self._part(name, said), shared, box))
                missed -= target.numel()
        if missed > 0:
            raise NotFoundError(f"Parts of `{name}` are in none of the files of {self.path}: {missed} of {out.numel()} elements.")

    def _part(self, name: str, said: LocalTensorMetadata) -> torch.Tensor:
        file = self.where[name, said.global_offset]
        if file not in self.read:
            self.read[file] = load(os.path.join(self.path, file))
        value = self.read[file][name]._t
        wanted = torch_dtype(said.dtype) if said.dtype else value.dtype
        same = value.dtype != wanted and value.element_size() == wanted.itemsize  # numbers that numpy has no type for
        return value.view(wanted) if same else value


__all__ = ["load_state_dict"]
__getattr__ = missing(__name__)
