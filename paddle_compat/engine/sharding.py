"""Dist tensors: what makes them, and operators of Programs on torch's DTensors (those of eager mode: `engine.spmd_calls`).

An operator's function runs on DTensors as on any tensors, and torch propagates how they lie. Three things are decided here: a plain
Tensor beside dist ones becomes one that all processes hold whole, as in Paddle; partial inputs are summed up before an operator that
sums do not pass through (torch would carry them through a bias's addition, and reduce more afterwards); and an operator that torch
cannot divide (`whole`) runs on all the data in every process.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch.distributed.tensor import DTensor, Replicate

from paddle_compat.core import direct, eager, lod
from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.core.op import Op
from paddle_compat.core.tensor import Tensor
from paddle_compat.engine import eager_backward, moves
from paddle_compat.engine.spmd import each, lay, without_partial

# Operators that a sum passes through: of partial inputs their results are partial.
LINEAR = frozenset({
    "assign", "cast", "reshape", "reshape2", "scale", "squeeze", "squeeze2", "sum", "transpose", "transpose2", "unsqueeze", "unsqueeze2",
})  # fmt: skip
_UNFIT = (RuntimeError, LookupError, TypeError, ValueError, NotImplementedError, AssertionError, AttributeError)


def begin() -> None:
    """There are dist tensors from now on: operators look at what they are given."""
    if eager.spread is None:
        from paddle_compat.engine import spmd_calls

        eager.set_spread(join, moves.guarded(spmd_calls.call))
        eager_backward.around.append(moves.guarded_pass)
        lod.whole = moves.whole
        direct.hold(True, "dist tensors")


def values(args: Sequence[Any]) -> Iterator[Any]:
    """What an operator is given, lists taken apart."""
    for value in args:
        if isinstance(value, (list, tuple)):
            yield from values(value)
        elif value is not None:
            yield value


def common_mesh(tensors: Sequence[Any], what: str) -> Any:
    """The mesh on which the DTensors among these lie; None: there are none.

    Raises:
        InvalidArgumentError: they lie on several.
    """
    meshes = [value.device_mesh for value in tensors if isinstance(value, DTensor)]
    if not meshes:
        return None
    if any(mesh != meshes[0] for mesh in meshes):
        shown = ", ".join(str(mesh.mesh.tolist()) for mesh in meshes)
        raise InvalidArgumentError(
            f"Operator `{what}` takes tensors of one mesh. Expected them resharded to one (paddle.distributed.reshard). Received: tensors "
            f"on the meshes {shown}"
        )
    return meshes[0]


def join(what: str, inputs: Sequence[Any]) -> None:
    """Make dist tensors of the plain ones that are beside such: in place, as in Paddle."""
    given = list(values(inputs))
    mesh = common_mesh([value._t for value in given if isinstance(value, Tensor)], what)
    if mesh is not None:
        for value in given:
            if isinstance(value, Tensor) and not isinstance(value._t, DTensor):
                replicate(value, mesh)


def replicate(tensor: Tensor, mesh: Any) -> None:
    """Make a Tensor, which all processes hold alike, a dist one of this mesh."""
    value = tensor._t
    placements = [Replicate()] * mesh.ndim
    if not (value.is_leaf and value.requires_grad):
        tensor._t = DTensor.from_local(value, mesh, placements, run_check=False)
        return
    made = DTensor.from_local(value.detach(), mesh, placements, run_check=False).requires_grad_()
    if value.grad is not None:
        made.grad = DTensor.from_local(value.grad, mesh, placements, run_check=False)
    tensor._t = made


def call(definition: Op, args: list[Any], attrs: dict[str, Any]) -> Any:
    """Call an operator's function on DTensors as a Program does: torch propagates how they lie."""
    mesh = common_mesh(list(values(args)), definition.type)
    if mesh is None:
        return definition.fn(*args, **attrs)
    args = each(args, lambda value: used(dist_tensor(value, mesh)))
    if definition.type not in LINEAR:
        args = each(args, summed)
    try:
        out = definition.fn(*args, **attrs)
    except _UNFIT:  # torch has no rule for it; if the inputs are wrong, this says so, too
        return whole(definition, args, attrs, mesh)
    return each(out, lambda value: dist_tensor(value, mesh))


def whole(definition: Op, args: list[Any], attrs: dict[str, Any], mesh: Any) -> Any:
    """Call an operator's function on all the data, in every process."""
    out = definition.fn(*each(args, lambda value: local(value, [Replicate()] * mesh.ndim)), **attrs)
    return each(out, lambda value: dist_tensor(value, mesh))


def used(value: torch.Tensor) -> torch.Tensor:
    """The tensor as operators use it: a parameter that a sharding stage has cut says so itself."""
    placements = getattr(value, "_used_as", None)
    return value if placements is None else lay(value, placements)  # type: ignore[arg-type]


def summed(value: torch.Tensor) -> torch.Tensor:
    """The tensor without partial placements."""
    return lay(value, without_partial(value.placements)) if isinstance(value, DTensor) else value


def local(value: torch.Tensor, placements: Sequence[Any] | None = None) -> torch.Tensor:
    """This process's part of a DTensor, laid out so before; gradients of it lie so, too."""
    if not isinstance(value, DTensor):
        return value
    part = value if placements is None else lay(value, placements)
    held = part.to_local(grad_placements=None if placements is None else placements)
    return held.wait() if hasattr(held, "wait") else held


def dist_tensor(value: torch.Tensor, mesh: Any) -> Any:
    """The tensor as a DTensor that lies in one of Paddle's ways."""
    if not isinstance(value, DTensor):
        return DTensor.from_local(value, mesh, [Replicate()] * mesh.ndim, run_check=False)
    if all(type(placement).__name__ in ("Shard", "Replicate", "Partial") for placement in value.placements):
        return value
    kept = [p if type(p).__name__ in ("Shard", "Replicate", "Partial") else Replicate() for p in value.placements]
    return lay(value, kept)


__all__ = [
    "begin", "call", "common_mesh", "dist_tensor", "each", "join", "lay", "local", "replicate", "summed", "used", "values", "whole",
]  # fmt: skip
