"""Dist tensors of experts: a tensor taken apart into one for each part of its mesh, and put together again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.auto_parallel._tensors import dtensor_from_local, dtensor_to_local, is_dist_tensor
from paddle_compat.distributed.auto_parallel.placement_type import Placement, Replicate
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
from paddle_compat.distributed.parallel import get_rank


def _axis(mesh: Any, axis: int | None, api: str) -> int:
    if not isinstance(mesh, ProcessMesh):
        raise type_error("mesh", "a paddle.distributed.ProcessMesh", mesh, api)
    if isinstance(axis, bool) or not isinstance(axis, int):
        raise type_error("local_mesh_dim", "a dimension of the mesh: int", axis, api)
    if not -mesh.ndim <= axis < mesh.ndim:
        raise invalid_argument("local_mesh_dim", f"one of the {mesh.ndim} dimensions of the mesh", axis, api)
    return axis % mesh.ndim


def _lies(tensor: Any) -> tuple[Any, Any]:
    """The mesh and the placements of a dist tensor; of what is none, None."""
    return (tensor.process_mesh, tensor.placements) if is_dist_tensor(tensor) else (None, None)


def _without(placements: Sequence[Placement], axis: int) -> list[Placement]:
    """Placements on a part of the mesh, where a piece is whole along the dimension that was taken apart."""
    return [Replicate() if at == axis else placement for at, placement in enumerate(placements)]


def moe_sub_mesh_tensors(
    dist_tensor: Tensor, global_mesh: ProcessMesh | None = None, local_mesh_dim: int | None = None,
    global_placements: Sequence[Placement] | None = None,
) -> list[Tensor]:  # fmt: skip
    """Take a dist tensor apart: one tensor for each place along a dimension of its mesh, which lies on the processes of that place.

    Args:
        dist_tensor (Tensor): the tensor.
        global_mesh (ProcessMesh): its mesh.
        local_mesh_dim (int): the dimension.
        global_placements (list): how the tensor lies.
    Returns:
        list: dist tensors of the pieces; where this process has none, of their shape and without values. Gradients go back.
    Raises:
        ValueError: the tensor lies on another mesh, or in another way, or the mesh has no such dimension.
        TypeError: the dimension is no int.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([0])
        >>> x = dist.shard_tensor([1.0, 2.0], mesh, [dist.Shard(0)])
        >>> [part.placements for part in dist.auto_parallel.api.moe_sub_mesh_tensors(x, mesh, 0, [dist.Shard(0)])]
        [[Replicate()]]

    Follows Paddle 3.3.
    """
    api = "moe_sub_mesh_tensors"
    mesh, placements = _lies(dist_tensor)
    if global_mesh is None or mesh != global_mesh:
        raise invalid_argument("global_mesh", "the mesh that dist_tensor lies on", global_mesh, api)
    if global_placements is None or list(global_placements) != placements:
        raise invalid_argument("global_placements", f"what dist_tensor's are: {placements}", global_placements, api)
    axis = _axis(global_mesh, local_mesh_dim, api)
    piece, ways = dtensor_to_local(dist_tensor, global_mesh, global_placements), _without(global_placements, axis)
    parts = np.split(global_mesh.mesh, global_mesh.shape[axis], axis)
    return [dtensor_from_local(piece, ProcessMesh(part, global_mesh.dim_names), ways) for part in parts]


def moe_global_mesh_tensor(
    local_tensor_list: Sequence[Tensor], mesh: ProcessMesh, placements: Sequence[Placement], local_mesh_dim: int = -1
) -> Tensor:
    """Put together what lies on the parts of a mesh: the other way round of `moe_sub_mesh_tensors`.

    Args:
        local_tensor_list (list): dist tensors, one for each place along a dimension of the mesh.
        mesh (ProcessMesh): the mesh.
        placements (list): how the whole lies on it.
        local_mesh_dim (int): the dimension.
    Returns:
        Tensor: a dist tensor; gradients go back to its parts.
    Raises:
        ValueError: there are more tensors than places, or fewer, or they lie elsewhere.
        TypeError: mesh is no ProcessMesh, or the dimension no int.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([0])
        >>> parts = [dist.shard_tensor([1.0, 2.0], mesh, [dist.Replicate()])]
        >>> dist.auto_parallel.api.moe_global_mesh_tensor(parts, mesh, [dist.Shard(0)], 0).placements
        [Shard(dim=0)]

    Follows Paddle 3.3.
    """
    api = "moe_global_mesh_tensor"
    axis = _axis(mesh, local_mesh_dim, api)
    wanted = [sorted(part.reshape(-1).tolist()) for part in np.split(mesh.mesh, mesh.shape[axis], axis)]
    lie = [_lies(tensor) for tensor in local_tensor_list]
    ranks = [None if part is None else sorted(part.process_ids) for part, _ in lie]
    if ranks != wanted:
        raise invalid_argument("local_tensor_list", f"dist tensors on the processes {wanted}", ranks, api)
    here = [get_rank() in some for some in wanted]
    own = here.index(True) if True in here else 0
    return dtensor_from_local(dtensor_to_local(local_tensor_list[own], *lie[own]), mesh, placements)
