"""How a Program says that a variable is to be laid out anew: an `assign` with the mesh and the placements among its attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program


def attributes(shape: Sequence[int], ranks: Sequence[int], layout: Sequence[Any]) -> dict[str, Any]:
    """The attributes of such an operator.

    Args:
        shape: of the mesh.
        ranks: its processes.
        layout: torch's placements; None: as it is already.
    """
    return {"mesh_shape": list(shape), "process_ids": list(ranks), "placements": list(map(_word, layout))}


def _word(way: Any) -> str:
    if way is None:
        return "kept"
    return f"shard {way.dim}" if way.is_shard() else f"partial {way.reduce_op}" if way.is_partial() else "replicate"


def lays(op: Operator) -> bool:
    """Whether an operator lays its input out anew."""
    return op.type == "assign" and "placements" in op.attrs


def check(program: Program, mesh: Any) -> None:
    """See that a Program lays all out on the mesh that it runs on.

    Raises:
        UnsupportedError: an operator names another one.
    """
    own = list(mesh.shape), mesh.mesh.reshape(-1).tolist()
    for op in filter(lays, program.global_block().ops):
        asked = op.attrs["mesh_shape"], op.attrs["process_ids"]
        if asked != own:
            given = f"processes {asked[1]} of shape {asked[0]} in a model on the mesh {mesh.mesh.tolist()}"
            raise UnsupportedError("paddle.distributed.reshard in a DistModel", given, "one mesh for all tensors, or eager mode")


def layout(op: Operator, present: Sequence[Any]) -> list[Any]:
    """The placements that such an operator asks for, of what lies so at present."""
    from torch.distributed.tensor import Partial, Replicate, Shard

    found: list[Any] = []
    for own, (kind, _, more) in zip(present, (word.partition(" ") for word in op.attrs["placements"])):
        asked = Shard(int(more)) if kind == "shard" else Partial(more) if kind == "partial" else Replicate()
        found.append(own if kind == "kept" else asked)
    return found


__all__ = ["attributes", "check", "layout", "lays"]
