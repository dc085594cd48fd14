"""`ProcessMesh`: the processes of a job in an array."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, invalid_argument, type_error
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.distributed import _groups
from paddle_compat.distributed._groups import Group
from paddle_compat.engine import meshes


class ProcessMesh:
    """The processes of a job, or some of them, in an array with named dimensions.

    Args:
        mesh (list | numpy.ndarray): the processes' numbers.
        dim_names (list): a name for each dimension; None: d0, d1, ...
        shape (list): beside process_ids and without a mesh: the array's shape.
        process_ids (list): the numbers, row by row.
    Raises:
        ValueError: the mesh is no list or array, or dim_names is no list.
        AssertionError: numbers that are no int, negative or the same; names that are the same, or not one for each dimension.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([[2, 4, 5], [0, 1, 3]], dim_names=["x", "y"])
        >>> mesh.shape, mesh.process_ids, mesh.dim_names
        ([2, 3], [2, 4, 5, 0, 1, 3], ['x', 'y'])
        >>> mesh.contains(7), mesh.empty(), mesh.dim_size("y")
        (False, False, 3)
        >>> if dist.is_initialized():  # in each process of the mesh, after init_parallel_env()
        ...     group = mesh.get_group("x")

    Follows Paddle 3.3.
    """

    def __init__(
        self, mesh: Any = None, dim_names: list[str] | None = None, shape: Sequence[int] | None = None,
        process_ids: Iterable[int] | None = None,
    ) -> None:  # fmt: skip
        if mesh is None:
            if shape is None or process_ids is None:
                raise failed_assertion("mesh", "a mesh, or shape and process_ids", None, "ProcessMesh")
            mesh = np.array(list(process_ids)).reshape(list(shape))
        if not isinstance(mesh, (list, np.ndarray)):
            raise invalid_argument("mesh", "a list or numpy.ndarray", type(mesh).__name__, "ProcessMesh")
        if dim_names is not None and not isinstance(dim_names, list):
            raise invalid_argument("dim_names", "a list", type(dim_names).__name__, "ProcessMesh")
        ranks = np.array(mesh)
        if ranks.dtype.kind not in "iu":
            raise failed_assertion("mesh", "integers", mesh, "ProcessMesh")
        if ranks.size and ranks.min() < 0:
            raise failed_assertion("mesh", "numbers from 0 on", mesh, "ProcessMesh")
        if len(np.unique(ranks)) != ranks.size:
            raise failed_assertion("mesh", "numbers that differ", mesh, "ProcessMesh")
        names = [f"d{i}" for i in range(ranks.ndim)] if dim_names is None else list(dim_names)
        if len(names) != ranks.ndim:
            raise failed_assertion("dim_names", f"{ranks.ndim} names, one for each dimension", names, "ProcessMesh")
        if len(set(names)) != len(names):
            raise failed_assertion("dim_names", "names that differ", names, "ProcessMesh")
        if not all(isinstance(name, str) for name in names):
            raise type_error("dim_names", "strings", names, "ProcessMesh")
        self._mesh, self._dim_names = ranks, names

    @property
    def mesh(self) -> np.ndarray:
        """The processes' numbers, an array."""
        return self._mesh

    @property
    def dim_names(self) -> list[str]:
        """The names of the dimensions."""
        return list(self._dim_names)

    @property
    def shape(self) -> list[int]:
        """How many processes there are along each dimension."""
        return list(self._mesh.shape)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return self._mesh.ndim

    @property
    def size(self) -> int:
        """Number of processes."""
        return self._mesh.size

    @property
    def process_ids(self) -> list[int]:
        """The processes' numbers, row by row."""
        return [int(rank) for rank in self._mesh.reshape(-1)]

    @property
    def unique_id(self) -> int:
        """A number that meshes of one shape with the same processes share."""
        return _NUMBERS.setdefault((tuple(self.shape), tuple(self.process_ids)), len(_NUMBERS))

    def contains(self, process_id: int) -> bool:
        """Whether a process is in the mesh.

        Args:
            process_id (int): its number.
        Returns:
            bool.
        """
        return process_id in self.process_ids

    def empty(self) -> bool:
        """Whether no process is in the mesh.

        Returns:
            bool.
        """
        return not self.size

    def dim_size(self, dim: int | str) -> int:
        """How many processes there are along a dimension.

        Args:
            dim (int | str): its number or its name.
        Returns:
            int.
        """
        return self.shape[self._axis(dim) if isinstance(dim, str) else dim]

    @paddle3(dim="dim_name")
    def get_dim_size(self, dim_name: str | int) -> int:
        """How many processes there are along a dimension.

        Args:
            dim_name (str | int): its name or its number.
        Returns:
            int.
        Raises:
            AssertionError: there is no such dimension.

        Example:
            >>> import paddle_compat.distributed as dist
            >>> dist.ProcessMesh([[0, 1, 2], [3, 4, 5]], dim_names=["dp", "mp"]).get_dim_size("mp")
            3
        """
        return self.dim_size(dim_name)

    def _axis(self, name: str) -> int:
        if name not in self._dim_names:
            raise failed_assertion("dim_name", f"one of {self._dim_names}", name, "ProcessMesh")
        return self._dim_names.index(name)

    def get_rank_by_dim_and_process_id(self, dim: str | int, process_id: int) -> int:
        """Where a process stands along a dimension.

        Args:
            dim (str | int): the dimension.
            process_id (int): the process's number.
        Returns:
            int: -1 where it is none of the mesh's.
        Raises:
            AssertionError: there is no such dimension.

        Example:
            >>> import paddle_compat.distributed as dist
            >>> dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["dp", "mp"]).get_rank_by_dim_and_process_id("dp", 2)
            1
        """
        axis = self._axis(dim) if isinstance(dim, str) else dim
        found = np.argwhere(self._mesh == process_id)
        return int(found[0][axis]) if len(found) else -1

    def get_mesh_with_dim(self, dim_name: str | int, index: int | None = None) -> ProcessMesh:
        """The mesh with one dimension first, or the part of it that stands at one place of that dimension.

        Args:
            dim_name (str | int): the dimension.
            index (int): the place; None: all.
        Returns:
            ProcessMesh.
        Raises:
            AssertionError: there is no such dimension.

        Example:
            >>> import paddle_compat.distributed as dist
            >>> mesh = dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["dp", "mp"])
            >>> mesh.get_mesh_with_dim("mp"), mesh.get_mesh_with_dim("mp", 0)
            (shape [2, 2], process_ids [0, 2, 1, 3], dim_names ['mp', 'dp'], shape [2], process_ids [0, 2], dim_names ['dp'])
        """
        axis = dim_name if isinstance(dim_name, int) else self._axis(dim_name)
        names = [self._dim_names[axis], *(name for i, name in enumerate(self._dim_names) if i != axis)]
        moved = np.moveaxis(self._mesh, axis, 0)
        return ProcessMesh(moved, names) if index is None else ProcessMesh(moved[index], names[1:] or None)

    def get_submesh_with_dim(self, dim_name: str) -> ProcessMesh | None:
        """The processes that differ from this one only along a dimension.

        Args:
            dim_name (str): the dimension.
        Returns:
            ProcessMesh: of that dimension alone; None where this process is not in the mesh.
        Raises:
            AssertionError: there is no such dimension.

        Example:
            >>> import paddle_compat.distributed as dist
            >>> dist.ProcessMesh([[0, 1], [2, 3]], dim_names=["dp", "mp"]).get_submesh_with_dim("mp").process_ids
            [0, 1]
        """
        axis = self._axis(dim_name)
        here = np.argwhere(self._mesh == _groups.job_rank())
        if not len(here):
            return None
        place: list[Any] = [int(i) for i in here[0]]
        place[axis] = slice(None)
        return ProcessMesh(self._mesh[tuple(place)], [dim_name])

    def get_group(self, dim_name: str | None = None) -> Group:
        """The group of the processes that differ from this one only along a dimension.

        All processes of the job call this in the same order.

        Args:
            dim_name (str): the dimension; None: that of a mesh with one.
        Returns:
            Group.
        Raises:
            AssertionError: the processes have not met (`init_parallel_env`), there is no such dimension, or there are several and
                none is named.
        """
        if _groups.by_number(0) is None:
            raise failed_assertion("self", "paddle.distributed.init_parallel_env() before", repr(self), "ProcessMesh.get_group")
        if dim_name is None and self.ndim > 1:
            raise failed_assertion("dim_name", f"one of {self._dim_names}", None, "ProcessMesh.get_group")
        axis = 0 if dim_name is None else self._axis(dim_name)
        return _groups.of_torch(meshes.device_mesh(self._mesh, self._dim_names).get_group(axis))

    def __enter__(self) -> None:
        set_current_process_mesh(self)

    def __exit__(self, *exception: object) -> None:
        reset_current_process_mesh()

    def __getitem__(self, index: Any) -> ProcessMesh | None:
        if isinstance(index, str):
            return self.get_submesh_with_dim(index)
        part = self._mesh[index]
        if not isinstance(part, np.ndarray):
            return ProcessMesh([int(part)])
        places = index if isinstance(index, tuple) else (index,)
        whole = [*places, *[slice(None)] * (self.ndim - len(places))]
        return ProcessMesh(part, [name for name, place in zip(self._dim_names, whole) if isinstance(place, slice)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProcessMesh) and (self.shape, self.process_ids) == (other.shape, other.process_ids)

    def __hash__(self) -> int:
        return hash((tuple(self.shape), tuple(self.process_ids), tuple(self._dim_names)))  # as in Paddle, where == does not see names

    def __repr__(self) -> str:
        return f"shape {self.shape}, process_ids {self.process_ids}, dim_names {self._dim_names}"

    def __deepcopy__(self, memo: Any) -> ProcessMesh:
        return type(self)(self._mesh.copy(), self._dim_names)


_current: list[ProcessMesh | None] = [None]  # the last is the one that counts


def get_current_process_mesh() -> ProcessMesh | None:
    """The mesh of the `with` block that runs, or what `set_current_process_mesh` has set.

    Returns:
        ProcessMesh: None where there is none.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.auto_parallel.process_mesh import get_current_process_mesh
        >>> with dist.ProcessMesh([0]):
        ...     get_current_process_mesh()
        shape [1], process_ids [0], dim_names ['d0']

    Follows Paddle 3.3.
    """
    return _current[-1]


def set_current_process_mesh(process_mesh: ProcessMesh | None) -> None:
    """Set the mesh on which tensors are laid that name none.

    Args:
        process_mesh (ProcessMesh): the mesh; None: there is none.
    """
    _current.append(process_mesh)


def reset_current_process_mesh() -> None:
    """Take back what `set_current_process_mesh` has set last."""
    if len(_current) > 1:
        _current.pop()


def compute_compatible_process_mesh(process_mesh_list: Sequence[ProcessMesh | None]) -> ProcessMesh | None:
    """The mesh among several that has all of their processes.

    Args:
        process_mesh_list (list): meshes; None says nothing.
    Returns:
        ProcessMesh: of those with the same processes the one with more dimensions; None where none has them all.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.auto_parallel.process_mesh import compute_compatible_process_mesh
        >>> compute_compatible_process_mesh([dist.ProcessMesh([0]), None, dist.ProcessMesh([0, 1])]).process_ids
        [0, 1]

    Follows Paddle 3.3.
    """
    found: ProcessMesh | None = None
    for mesh in process_mesh_list:
        if mesh is None or mesh == found:
            continue
        if found is None or set(found.process_ids) < set(mesh.process_ids):
            found = mesh
        elif mesh.process_ids == found.process_ids:
            found = mesh if mesh.ndim > found.ndim else found
        elif not set(mesh.process_ids) <= set(found.process_ids):
            return None
        elif set(mesh.process_ids) == set(found.process_ids):
            found = mesh
    return None if found is None else ProcessMesh(found.mesh.copy(), found.dim_names)


def merge_process_meshes(process_meshes: Sequence[ProcessMesh | None]) -> ProcessMesh | None:
    """A mesh in a row of the processes of several.

    Args:
        process_meshes (list): meshes.
    Returns:
        ProcessMesh: None where there are no processes.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.auto_parallel.process_mesh import merge_process_meshes
        >>> merge_process_meshes([dist.ProcessMesh([2]), dist.ProcessMesh([0, 1])]).process_ids
        [0, 1, 2]

    Follows Paddle 3.3.
    """
    ranks = {rank for mesh in process_meshes if mesh is not None for rank in mesh.process_ids}
    return ProcessMesh(sorted(ranks)) if ranks else None


_NUMBERS: dict[tuple[Any, ...], int] = {}


class _Native(ProcessMesh):
    """A mesh as tensors give it, which Paddle prints in another way."""

    def __repr__(self) -> str:
        shape, ranks, names = (",".join(map(str, each)) for each in (self.shape, self.process_ids, self.dim_names))
        return f"{{shape: [{shape}], process_ids: [{ranks}], dim_names: [{names}]}}"


def native(mesh: ProcessMesh) -> ProcessMesh:
    """The same mesh, as tensors give it."""
    return _Native(mesh.mesh, mesh.dim_names)


def of_torch(mesh: Any) -> ProcessMesh:
    """The mesh of a DTensor."""
    return _Native(mesh.mesh.numpy(), list(mesh.mesh_dim_names))


__all__ = ["ProcessMesh"]
__getattr__ = missing(__name__)
