"""`paddle.distributed.auto_parallel.local_map`: functions that work on each process's pieces."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.auto_parallel._tensors import dtensor_from_local, dtensor_to_local, is_dist, reshard, torch_layout
from paddle_compat.distributed.auto_parallel.placement_type import Placement
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
from paddle_compat.utils.layers_utils import flatten, pack_sequence_as

Placements = Sequence[Placement] | None


def local_map(
    func: Callable[..., Any],
    out_placements: Sequence[Placements],
    in_placements: Sequence[Placements] | None = None,
    process_mesh: ProcessMesh | None = None,
    reshard_inputs: bool = False,
) -> Callable[..., Any]:
    """A function over dist tensors, of one over each process's pieces.

    Args:
        func (callable): takes and gives pieces.
        out_placements (list): what the pieces of each output are; None for what is no Tensor.
        in_placements (list): how each input has to lie, None for what may lie anyhow; None: all may.
        process_mesh (ProcessMesh): the mesh; None: the inputs' one.
        reshard_inputs (bool): lay inputs as `in_placements` says; otherwise those that lie in another way are refused.
    Returns:
        callable.
    Raises:
        AssertionError: in a call, there are not as many inputs or outputs, or no mesh for dist tensors to lie on.
        ValueError: in a call, an input lies in another way.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> mesh = dist.ProcessMesh([0])
        >>> mean = dist.local_map(lambda x: x.mean(), out_placements=[[dist.Partial()]], in_placements=[[dist.Shard(0)]])
        >>> mean(dist.shard_tensor([1.0, 2.0], mesh, [dist.Shard(0)])).item()
        1.5

    Follows Paddle 3.3.
    """

    @functools.wraps(func)
    def mapped(*args: Any, **kwargs: Any) -> Any:
        given = flatten(args)
        wanted = [None] * len(given) if in_placements is None else in_placements
        if len(wanted) != len(given):
            raise failed_assertion("in_placements", f"{len(given)}, one for each input", len(wanted), "local_map")
        mesh = process_mesh
        for value in given:
            if mesh is None and isinstance(value, Tensor) and is_dist(value):
                tensor: Any = value
                mesh = tensor.process_mesh
        pieces = [_piece(value, mesh, placements, reshard_inputs) for value, placements in zip(given, wanted)]
        out = func(*pack_sequence_as(args, pieces), **kwargs)
        found = flatten(out)
        if len(found) != len(out_placements):
            raise failed_assertion("out_placements", f"{len(found)}, one for each output", len(out_placements), "local_map")
        return pack_sequence_as(out, [_whole(value, mesh, placements) for value, placements in zip(found, out_placements)])

    return mapped


def _piece(value: Any, mesh: ProcessMesh | None, placements: Placements, may_move: bool) -> Any:
    if not isinstance(value, Tensor) or not is_dist(value) or mesh is None:
        return value
    tensor: Any = value
    if placements is not None and torch_layout(tensor.process_mesh, placements, tensor.ndim, "local_map") != list(tensor._t.placements):
        if not may_move:
            expected = f"{tensor.placements}, as the input lies, or reshard_inputs=True"
            raise invalid_argument("in_placements", expected, placements, "local_map")
        tensor = reshard(tensor, mesh, placements)
    return dtensor_to_local(tensor, mesh, tensor.placements)


def _whole(value: Any, mesh: ProcessMesh | None, placements: Placements) -> Any:
    if not isinstance(value, Tensor):
        if placements is not None:
            raise failed_assertion("out_placements", f"None for {value!r}, which is no Tensor", placements, "local_map")
        return value
    if placements is None:
        return value
    if mesh is None:
        raise failed_assertion("process_mesh", "a mesh, where no input has one", None, "local_map")
    return dtensor_from_local(value, mesh, placements)


__all__ = ["local_map"]
__getattr__ = missing(__name__)
