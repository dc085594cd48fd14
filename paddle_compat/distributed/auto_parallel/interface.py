"""`paddle.distributed.auto_parallel.interface`: the mesh that a script works on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion, type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.auto_parallel._tensors import shard_tensor as lay
from paddle_compat.distributed.auto_parallel.placement_type import to_placements
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh, get_current_process_mesh

_mesh: ProcessMesh | None = None


def get_mesh() -> ProcessMesh | None:
    """The mesh that `set_mesh` has set.

    Returns:
        ProcessMesh: None where none is set.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> dist.auto_parallel.set_mesh(dist.ProcessMesh([0]))
        >>> dist.auto_parallel.get_mesh()
        shape [1], process_ids [0], dim_names ['d0']

    Follows Paddle 3.3.
    """
    return _mesh


def set_mesh(mesh: ProcessMesh | None) -> None:
    """Set the mesh that the script works on.

    Args:
        mesh (ProcessMesh): the mesh; None: there is none any more.
    Raises:
        TypeError: it is no ProcessMesh.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> dist.auto_parallel.set_mesh(dist.ProcessMesh([0]))

    Follows Paddle 3.3.
    """
    global _mesh
    if mesh is not None and not isinstance(mesh, ProcessMesh):
        raise type_error("mesh", "a paddle.distributed.ProcessMesh", mesh, "set_mesh")
    _mesh = mesh


def create_mesh(mesh_dims: list[tuple[str, int]]) -> ProcessMesh:
    """Make a mesh of the first processes, row by row, and set it.

    Args:
        mesh_dims (list): name and size of each dimension.
    Returns:
        ProcessMesh.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> dist.auto_parallel.create_mesh([("dp", 1), ("mp", 1)])
        shape [1, 1], process_ids [0], dim_names ['dp', 'mp']

    Follows Paddle 3.3.
    """
    sizes = [size for _, size in mesh_dims]
    mesh = ProcessMesh(np.arange(int(np.prod(sizes))).reshape(sizes), [name for name, _ in mesh_dims])
    set_mesh(mesh)
    return mesh


def shard_tensor(x: Tensor, process_mesh: ProcessMesh | None = None, shard_spec: Sequence[str | None] | None = None) -> Tensor:
    """Lay a Tensor on a mesh, as Paddle 2.x spells it.

    Args:
        x (Tensor): what all processes hold.
        process_mesh (ProcessMesh): the processes; None: the mesh of the `with` block.
        shard_spec (list): for each dimension the name of the mesh's that cuts it, or None; None: none cuts any.
    Returns:
        Tensor: a dist tensor.
    Raises:
        AssertionError: there is no mesh, or shard_spec does not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([0], dim_names=["x"])
        >>> dist.auto_parallel.shard_tensor(paddle.ones([2, 2]), mesh, [None, "x"]).placements
        [Shard(dim=1)]

    Follows Paddle 2.6, which has it for Programs; those raise here.
    """
    if not isinstance(x, Tensor):
        raise UnsupportedError("paddle.distributed.auto_parallel.shard_tensor", "a Variable of a Program", "a Tensor in eager mode")
    mesh = process_mesh or get_current_process_mesh()
    if not isinstance(mesh, ProcessMesh):
        raise failed_assertion("process_mesh", "a ProcessMesh, or a `with` block of one", process_mesh, "shard_tensor")
    spec = [None] * x.ndim if shard_spec is None else list(shard_spec)
    if len(spec) != x.ndim or any(name is not None and name not in mesh.dim_names for name in spec):
        expected = f"{x.ndim} names of {mesh.dim_names} or None, one for each dimension"
        raise failed_assertion("shard_spec", expected, shard_spec, "shard_tensor")
    return lay(x, mesh, to_placements([-1 if name is None else mesh.dim_names.index(name) for name in spec], mesh))


__all__ = ["create_mesh", "get_mesh", "set_mesh", "shard_tensor"]
__getattr__ = missing(__name__)
