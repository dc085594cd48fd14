"""Dist tensors: what makes them. A plain Tensor beside dist ones becomes one that all processes hold whole, as in Paddle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.distributed.tensor import DTensor, Replicate

from paddle_compat.core import direct, eager, lod
from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.tensor import Tensor
from paddle_compat.engine import eager_backward, moves
from paddle_compat.engine.meshes import alike
from paddle_compat.engine.spmd import inside, lay, spread, values, without_partial


def begin() -> None:
    """There are dist tensors from now on: operators look at what they are given."""
    if eager.spread is None:
        from paddle_compat.engine import spmd_calls

        eager.set_spread(join, moves.guarded(spmd_calls.call))
        eager_backward.around.append(moves.guarded_pass)
        lod.whole = moves.whole
        direct.hold(True, "dist tensors")


def common_mesh(tensors: Sequence[Any], what: str) -> Any:
    """The mesh on which the DTensors among these lie, the first one's where names of dimensions differ; None: there are none.

    Raises:
        InvalidArgumentError: they lie on several.
    """
    meshes = [value.device_mesh for value in tensors if isinstance(value, DTensor)]
    if not meshes:
        return None
    if not all(alike(mesh, meshes[0]) for mesh in meshes):
        shown = ", ".join(str(mesh.mesh.tolist()) for mesh in meshes)
        raise InvalidArgumentError(
            f"Operator `{what}` takes tensors of one mesh. Expected them resharded to one (paddle.distributed.reshard). Received: tensors "
            f"on the meshes {shown}"
        )
    return meshes[0]


def join(what: str, inputs: Sequence[Any]) -> None:
    """Make dist tensors of the plain ones that are beside such: in place, as in Paddle."""
    given = [value for value in values(inputs) if isinstance(value, Tensor)]
    mesh = common_mesh([value._t for value in given], what)
    if mesh is not None:
        for value in given:
            if not isinstance(value._t, DTensor):
                replicate(value, mesh)


def replicate(tensor: Tensor, mesh: Any) -> None:
    """Make a Tensor, which all processes hold alike, a dist one of this mesh."""
    value = tensor._t
    placements = [Replicate()] * mesh.ndim
    if not (value.is_leaf and value.requires_grad):
        tensor._become(DTensor.from_local(value, mesh, placements, run_check=False))
        return
    made = DTensor.from_local(value.detach(), mesh, placements, run_check=False).requires_grad_()
    if value.grad is not None:
        made.grad = DTensor.from_local(value.grad, mesh, placements, run_check=False)
    tensor._become(made)


def used(value: torch.Tensor) -> torch.Tensor:
    """The tensor as operators use it: a parameter that a sharding stage has cut says so itself."""
    placements = getattr(value, "_used_as", None)
    return value if placements is None else lay(value, placements)  # type: ignore[arg-type]


def summed(value: torch.Tensor) -> torch.Tensor:
    """The tensor without partial placements."""
    return lay(value, without_partial(value.placements)) if isinstance(value, DTensor) else value


def dist_tensor(value: torch.Tensor, mesh: Any) -> Any:
    """The tensor as a DTensor of a mesh that lies in one of Paddle's ways; a DTensor's own mesh is that one, or `alike`."""
    if not isinstance(value, DTensor):
        return spread(value, mesh, [Replicate()] * mesh.ndim, value.shape)
    made: Any = value
    if made.device_mesh is not mesh:
        made = spread(inside(made, without_partial(made.placements)), mesh, made.placements, made.shape)
    if all(type(placement).__name__ in ("Shard", "Replicate", "Partial") for placement in made.placements):
        return made
    return lay(made, [p if type(p).__name__ in ("Shard", "Replicate", "Partial") else Replicate() for p in made.placements])


__all__ = ["begin", "common_mesh", "dist_tensor", "join", "lay", "replicate", "summed", "used"]
