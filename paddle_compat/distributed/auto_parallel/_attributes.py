"""`DistAttr`: how a tensor lies on a mesh, by the names of the mesh's dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from paddle_compat.core.errors import invalid_argument
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh, native


class DistAttr:
    """How a tensor lies on a mesh.

    Args:
        mesh (ProcessMesh): the mesh.
        sharding_specs (list): for each of the tensor's dimensions the name of the mesh's that cuts it, or None.

    Attributes:
        process_mesh: the mesh.
        dims_mapping: for each of the tensor's dimensions the number of the mesh's that cuts it, or -1.
        batch_dim, chunk_id, dynamic_dims: as Paddle shows them; of no effect.

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
        self.process_mesh = native(mesh)
        self._sharding_specs = list(sharding_specs)
        names = mesh.dim_names
        self.dims_mapping = [-1 if name is None else names.index(name) for name in sharding_specs]
        self.batch_dim = self.chunk_id = 0
        self.dynamic_dims = [False] * len(sharding_specs)

    @property
    def sharding_specs(self) -> list[str | None]:
        """For each of the tensor's dimensions the name of the mesh's that cuts it, or None."""
        return self._sharding_specs

    @property
    def multi_dims_mapping(self) -> list[list[int]]:
        """For each of the tensor's dimensions the numbers of the mesh's that cut it."""
        return [[] if number == -1 else [number] for number in self.dims_mapping]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DistAttr) and self._shown() == other._shown()

    __hash__ = None  # type: ignore[assignment]  # as in Paddle

    def _shown(self) -> str:
        cuts = "".join(f"[{''.join(map(str, numbers))}] " for numbers in self.multi_dims_mapping)
        dynamic = ",".join(str(int(one)) for one in self.dynamic_dims)
        return (
            f"process_mesh: {self.process_mesh}, dim_mappings: [{cuts}], batch_dim: {self.batch_dim}, chunk_id: {self.chunk_id}, "
            f"skip_check_mesh: 0, dynamic_dims: [{dynamic}], annotated: [dims_mapping: 1,process_mesh: 1], partial: [], split_factor: ."
        )

    def __str__(self) -> str:
        return f"{{{self._shown()}}}"
