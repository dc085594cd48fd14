"""`TensorDistAttr` and `DistAttr`: how a tensor lies on a mesh, by the numbers or the names of the mesh's dimensions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.paddle3 import SINCE_3
from paddle_compat.core.proto import decode, encode
from paddle_compat.core.var_desc import VarDesc
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh, native

_ATTRIBUTES = ("process_mesh", "dims_mapping", "batch_dim", "chunk_id", "dynamic_dims")  # that `annotated` may name


class TensorDistAttr:
    """How a tensor lies on a mesh, by the numbers of the mesh's dimensions.

    Args:
        of (TensorDistAttr | VarDesc): copied; or the description of a variable, which nothing cuts; None: of a tensor without dimensions.

    Attributes:
        process_mesh: the mesh, or None.
        dims_mapping: for each of the tensor's dimensions the number of the mesh's that cuts it, or -1.
        batch_dim, chunk_id, dynamic_dims: as Paddle shows them; of no effect.
        annotated (dict): for the names of those attributes that someone has marked: True.

    Raises:
        TypeError: what is given is neither.

    Example:
        >>> from paddle_compat.distributed.auto_parallel.static.dist_attribute import TensorDistAttr
        >>> found = TensorDistAttr()
        >>> found.dims_mapping = [1, -1]
        >>> found.dims_mapping, found.process_mesh, TensorDistAttr(found) == found
        ([1, -1], None, True)

    Follows Paddle 3.3.
    """

    def __init__(self, of: TensorDistAttr | VarDesc | None = None) -> None:
        if not (of is None or isinstance(of, (TensorDistAttr, VarDesc))):
            raise type_error("of", "a TensorDistAttr or the desc of a Variable", of, "TensorDistAttr")
        given = of if isinstance(of, TensorDistAttr) else None
        self.process_mesh: ProcessMesh | None = given.process_mesh if given else None
        self.batch_dim: int = given.batch_dim if given else 0
        self.chunk_id: int = given.chunk_id if given else 0
        self.dynamic_dims: list[bool] = list(given.dynamic_dims) if given else []
        self.dims_mapping = list(given.dims_mapping) if given else [-1] * len(of.shape()) if isinstance(of, VarDesc) else []
        self.annotated: dict[str, bool] = dict(given.annotated) if given else {}
        self._partial: list[int] = list(given._partial) if given else []

    @property
    def dims_mapping(self) -> list[int]:
        """For each of the tensor's dimensions the number of the mesh's that cuts it, or -1."""
        return self._dims_mapping

    @dims_mapping.setter
    def dims_mapping(self, numbers: Sequence[int]) -> None:
        if not isinstance(numbers, (list, tuple)) or not all(isinstance(number, int) for number in numbers):
            raise type_error("dims_mapping", "a list of numbers", numbers, "TensorDistAttr")
        self._dims_mapping = list(numbers)
        if len(self.dynamic_dims) != len(numbers):
            self.dynamic_dims = [False] * len(numbers)

    def _is_partial(self) -> bool:
        """Whether processes have parts of a sum."""
        return bool(self._partial)

    def _partial_dims(self) -> set[int]:
        """The mesh's dimensions along which processes have parts of a sum."""
        return set(self._partial)

    def _set_partial_dims(self, dims: Sequence[int]) -> None:
        if not isinstance(dims, (list, tuple)):
            raise type_error("dims", "a list of numbers", dims, "TensorDistAttr._set_partial_dims")
        self._partial += [dim for dim in dims if dim not in self._partial]

    def _clean_partial_dims(self, dims: Sequence[int]) -> None:
        for dim in dims:
            if dim not in self._partial:
                raise invalid_argument("dims", f"some of {self._partial}", dim, "TensorDistAttr._clean_partial_dims")
            self._partial.remove(dim)

    def _clean_partial_status(self) -> None:
        self._partial = []

    @property
    def multi_dims_mapping(self) -> list[list[int]]:
        """For each of the tensor's dimensions the numbers of the mesh's that cut it."""
        return [[] if number < 0 else [number] for number in self.dims_mapping]

    def is_annotated(self, name: str) -> bool:
        """Whether someone has set an attribute on purpose.

        Args:
            name (str): the attribute's name.
        Returns:
            bool.
        """
        return self.annotated.get(name, False)

    def mark_annotated(self, name: str) -> None:
        """Note that someone has set an attribute on purpose; a name of none is left alone.

        Args:
            name (str): the attribute's name.
        Raises:
            TypeError: it is no name.
        """
        if not isinstance(name, str):
            raise type_error("name", "the name of an attribute", name, "TensorDistAttr.mark_annotated")
        if name in _ATTRIBUTES:
            self.annotated[name] = True

    def clear_annotated(self) -> None:
        """Note that nobody has set anything."""
        self.annotated = {}

    def reset(self) -> None:
        """Take the mesh away, what it cuts, and the notes. The other attributes and `sharding_specs` stay."""
        self.process_mesh, self.dims_mapping, self.annotated = None, [-1] * len(self.dims_mapping), {}

    def verify(self, tensor: VarDesc | None = None) -> bool:
        """Whether a variable can lie so: it has the dimensions, and no dimension of the mesh cuts two of them.

        Args:
            tensor (VarDesc): the variable's description; None: False.
        Returns:
            bool.
        Raises:
            TypeError: it is none.
        """
        if tensor is None:
            return False
        if not isinstance(tensor, VarDesc):
            raise type_error("tensor", "the desc of a Variable", tensor, "TensorDistAttr.verify")
        rank, meshes = len(tensor.shape()), 0 if self.process_mesh is None else self.process_mesh.ndim
        cuts = [number for number in self.dims_mapping if number >= 0]
        fits = len(self.dims_mapping) == len(self.dynamic_dims) == rank and all(number < meshes for number in cuts)
        known = all(name in _ATTRIBUTES for name in self.annotated)
        return fits and known and len(set(cuts)) == len(cuts) and -rank <= self.batch_dim < max(rank, 1)

    def serialize_to_string(self) -> bytes:
        """What `parse_from_string` reads: the mesh, what it cuts, batch_dim, chunk_id and dynamic_dims, as Paddle writes them.

        Returns:
            bytes: a TensorDistAttrProto.
        """
        mesh = self.process_mesh
        shown = {} if mesh is None else {"shape": mesh.shape, "process_ids": mesh.process_ids, "dim_names": mesh.dim_names}
        cuts = [{"dims": numbers} for numbers in self.multi_dims_mapping]
        others = {"batch_dim": self.batch_dim, "dynamic_dims": self.dynamic_dims, "chunk_id": self.chunk_id}
        return encode({"process_mesh": shown, "dims_mapping": cuts, **others}, "TensorDistAttr")

    def parse_from_string(self, data: bytes) -> None:
        """Take what `serialize_to_string` of another wrote. `sharding_specs` and `annotated` stay.

        Args:
            data (bytes): what it gave.
        Raises:
            ValueError: it is nothing of the kind.
        """
        said = decode(data.encode() if isinstance(data, str) else data, "TensorDistAttr", "TensorDistAttr.parse_from_string")
        mesh = said.get("process_mesh", {})
        self.process_mesh = None
        if mesh.get("process_ids"):
            names = [name.decode() if isinstance(name, bytes) else name for name in mesh["dim_names"]]
            self.process_mesh = native(ProcessMesh(np.reshape(mesh["process_ids"], mesh["shape"]), names))
        self.dims_mapping = [next(iter(cut.get("dims", ())), -1) for cut in said.get("dims_mapping", ())]
        self.batch_dim, self.chunk_id = said.get("batch_dim", 0), said.get("chunk_id", 0)
        self.dynamic_dims = [bool(one) for one in said.get("dynamic_dims", ())]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorDistAttr) and self._shown() == other._shown()

    __hash__ = None  # type: ignore[assignment]  # as in Paddle

    def _shown(self) -> str:
        dynamic = ",".join(str(int(one)) for one in self.dynamic_dims)
        mesh = "{shape: [], process_ids: [], dim_names: []}" if self.process_mesh is None else native(self.process_mesh)
        annotated = ",".join(f"{name}: {int(one)}" for name, one in sorted(self.annotated.items()))
        partial = "".join(f"Partial(dims:{dim}, SUM), " for dim in sorted(self._partial))
        if not (SINCE_3 or isinstance(self, DistAttr)):  # DistAttr is of Paddle 3's
            cuts, skipped, factor = f"dims_mappings: [{','.join(map(str, self.dims_mapping))}]", "", ""
        else:
            each = "".join(f"[{''.join(map(str, numbers))}] " for numbers in self.multi_dims_mapping)
            cuts, skipped, factor = f"dim_mappings: [{each}]", "skip_check_mesh: 0, ", ", split_factor: "
        return (
            f"process_mesh: {mesh}, {cuts}, batch_dim: {self.batch_dim}, chunk_id: {self.chunk_id}, "
            f"{skipped}dynamic_dims: [{dynamic}], annotated: [{annotated}], partial: [{partial}]{factor}."
        )

    def __str__(self) -> str:
        return f"{{{self._shown()}}}"


class DistAttr(TensorDistAttr):
    """How a tensor lies on a mesh.

    Args:
        mesh (ProcessMesh): the mesh.
        sharding_specs (list): for each of the tensor's dimensions the name of the mesh's that cuts it, or None.

    Attributes:
        process_mesh: the mesh; None after `reset`.
        dims_mapping: for each of the tensor's dimensions the number of the mesh's that cuts it, or -1.
        batch_dim, chunk_id, dynamic_dims: as Paddle shows them; of no effect.
        annotated (dict): for the names of those attributes that someone has set on purpose: True.

    Raises:
        ValueError: mesh is no ProcessMesh, or sharding_specs no list of its names.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([[2, 4, 5], [0, 1, 3]], dim_names=["x", "y"])
        >>> dist.DistAttr(mesh=mesh, sharding_specs=["x", None]).dims_mapping
        [0, -1]
        >>> found = dist.DistAttr(mesh, [None, None])
        >>> found.parse_from_string(dist.DistAttr(mesh, ["x", None]).serialize_to_string())
        >>> found.dims_mapping, found.sharding_specs, found.is_annotated("batch_dim"), found.verify()
        ([0, -1], [None, None], False, False)
        >>> found.mark_annotated("batch_dim"); sorted(found.annotated)
        ['batch_dim', 'dims_mapping', 'process_mesh']
        >>> found.clear_annotated(); found.reset(); found.annotated, found.process_mesh, found.dims_mapping
        ({}, None, [-1, -1])

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
        super().__init__()
        self.process_mesh = native(mesh)
        self._sharding_specs = list(sharding_specs)
        names = mesh.dim_names
        self.dims_mapping = [-1 if name is None else names.index(name) for name in sharding_specs]
        self.annotated = {"dims_mapping": True, "process_mesh": True}

    @property
    def sharding_specs(self) -> list[str | None]:
        """For each of the tensor's dimensions the name of the mesh's that cuts it, or None."""
        return self._sharding_specs
