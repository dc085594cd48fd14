"""`DistAttr`: how a tensor lies on a mesh, by the names of the mesh's dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from paddle_compat.core.errors import invalid_argument
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh


class DistAttr:
    """How a tensor lies on a mesh.

    Args:
        mesh (ProcessMesh): the mesh.
        sharding_specs (list): for each of the tensor's dimensions the name of the mesh's that cuts it, or None.
    Raises:
        ValueError: mesh is no ProcessMesh, or sharding_specs no list of its names.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([[2, 4, 5], [0, 1, 3]], dim_names=["x", "y"])
        >>> dist.DistAttr(mesh=mesh, sharding_specs=["x", None]).dims_mapping
        [0, -1]

    Follows Paddle 3.3.
    """

    def __init__(self, mesh: ProcessMesh, sharding_specs: Sequence[str | None]) -> None:
        if not isinstance(mesh, ProcessMesh):
            raise invalid_argument("mesh", "a paddle.distributed.ProcessMesh", mesh, "DistAttr")
        if not isinstance(sharding_specs, list):
            raise invalid_argument("sharding_specs", "a list", sharding_specs, "DistAttr")
        for name in sharding_specs:
            if name is not None and name not in mesh.dim_names:
                raise invalid_argument("sharding_specs", f"names of {mesh.dim_names} or None", name, "DistAttr")
        self.process_mesh = mesh
        self._sharding_specs = list(sharding_specs)

    @property
    def sharding_specs(self) -> list[str | None]:
        """For each of the tensor's dimensions the name of the mesh's that cuts it, or None."""
        return self._sharding_specs

    @property
    def dims_mapping(self) -> list[int]:
        """For each of the tensor's dimensions the number of the mesh's that cuts it, or -1."""
        names = self.process_mesh.dim_names
        return [-1 if name is None else names.index(name) for name in self._sharding_specs]
