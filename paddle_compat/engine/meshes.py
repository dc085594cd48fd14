"""Meshes of processes as torch has them: one DeviceMesh for each mesh of Paddle's, made when a tensor first lies on it."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from paddle_compat.core.errors import InvalidArgumentError, UnsupportedError
from paddle_compat.core.place import current_place
from paddle_compat.engine import processes


class _Made:
    """The DeviceMeshes of a job; they and its groups end before Python does."""

    def __init__(self, world: Any) -> None:
        self.world = world  # the group of all processes
        self.meshes: dict[tuple[Any, ...], Any] = {}
        self.groups: list[_Groups] = []
        processes.lend(self, "world", "meshes")


class _Groups:
    """The groups of a DeviceMesh by name, which it has for as long as a script has a tensor on it, but not beyond Python's end."""

    def __init__(self, named: dict[str, Any]) -> None:
        self.named = named
        processes.lend(self, "named")


_made = _Made(None)


def device_mesh(ranks: np.ndarray, names: Sequence[str]) -> Any:
    """The DeviceMesh of an array of processes; all processes of the job ask for it in the same order.

    Args:
        ranks: the processes' numbers.
        names: of the dimensions.
    Raises:
        InvalidArgumentError: it names a process that the job does not have; a process on its own hears of that when values are to travel.
    """
    global _made
    where = current_place().torch_device
    device, size = where.type, _join(where)
    beyond = bool(ranks.size) and ranks.max() >= size
    if beyond and size > 1:
        raise _beyond(ranks, size)
    if _made.world is not torch.distributed.group.WORLD:  # the job has met anew
        _made = _Made(torch.distributed.group.WORLD)
    key = device, ranks.shape, tuple(ranks.reshape(-1).tolist()), tuple(names)
    if key not in _made.meshes:
        with processes.watched():
            mesh = _made.meshes[key] = (_planned if beyond else _make)(device, ranks.astype(np.int32), tuple(names))
        _made.groups.append(_Groups(getattr(mesh, "_pg_registry", {})))  # before PyTorch 2.13 it knows their names only
    return _made.meshes[key]


def _beyond(ranks: np.ndarray, size: int) -> InvalidArgumentError:
    return InvalidArgumentError(
        f"Invalid value for argument `mesh`. Expected numbers of the {size} process{'es' if size > 1 else ''} of this job, which "
        "paddle.distributed.launch, spawn or torchrun starts (--nproc_per_node says how many). Received: a mesh of the processes "
        f"{ranks.tolist()}"
    )


def _planned(device: str, ranks: np.ndarray, names: tuple[str, ...]) -> Any:
    """A mesh that a process on its own may plan with, as in Paddle: it keeps its piece, and hears of the others when it needs them."""
    from torch.distributed.device_mesh import DeviceMesh

    class Planned(DeviceMesh):
        """A DeviceMesh whose processes are not there."""

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_dim_group"):  # what collectives travel along
                raise _beyond(ranks, 1)
            raise AttributeError(name)

    return Planned(device, torch.from_numpy(ranks), mesh_dim_names=names, _init_backend=False)


def meet(mesh: Any) -> None:
    """Refuse a mesh whose processes are not there: values are to travel."""
    getattr(mesh, "_dim_group_names", None)  # which one that is only planned with raises for


def alike(one: Any, other: Any) -> bool:
    """Whether DeviceMeshes differ in nothing but the names of their dimensions, which is no difference to Paddle."""
    return one is other or (one.shape == other.shape and torch.equal(one.mesh, other.mesh))


def _make(device: str, ranks: np.ndarray, names: tuple[str, ...]) -> Any:
    from torch.distributed.device_mesh import DeviceMesh

    mesh = torch.from_numpy(ranks)
    lines = [np.moveaxis(ranks, axis, -1).reshape(-1, ranks.shape[axis]).tolist() for axis in range(ranks.ndim)]
    if all(line == sorted(line) for along in lines for line in along):
        return DeviceMesh(device, mesh, mesh_dim_names=names)
    # torch would number the processes of a line in ascending order, and put pieces together in that
    if "sort_ranks" not in inspect.signature(torch.distributed.new_group).parameters:
        raise UnsupportedError("ProcessMesh", f"the order {ranks.tolist()} on PyTorch {torch.__version__}", "PyTorch 2.13")
    groups = [[torch.distributed.new_group(line, sort_ranks=False) for line in along] for along in lines]
    rank = torch.distributed.get_rank()
    if rank not in ranks:
        return DeviceMesh(device, mesh, mesh_dim_names=names, _init_backend=False)
    own = [next(group for group, line in zip(some, along) if rank in line) for some, along in zip(groups, lines)]
    return DeviceMesh.from_group(own, device, mesh=mesh, mesh_dim_names=names)


def _join(device: torch.device) -> int:
    """Let the processes of the job meet, and return how many they are."""
    joined = processes.join(device)
    if joined is not None:
        return joined.size
    processes.alone()  # DTensors want a group
    return 1
