"""`paddle.distributed.auto_parallel.interface`: the mesh that a script works on."""

from __future__ import annotations

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh

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


def set_mesh(mesh: ProcessMesh) -> None:
    """Set the mesh that the script works on.

    Args:
        mesh (ProcessMesh): the mesh.
    Raises:
        TypeError: it is no ProcessMesh.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> dist.auto_parallel.set_mesh(dist.ProcessMesh([0]))

    Follows Paddle 3.3.
    """
    global _mesh
    if not isinstance(mesh, ProcessMesh):
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


__all__ = ["create_mesh", "get_mesh", "set_mesh"]
__getattr__ = missing(__name__)
