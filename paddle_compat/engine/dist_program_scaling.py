"""Loss scaling in Programs on a mesh: each process looks at its pieces of the gradients, and all agree on which are not finite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch.distributed.tensor import DTensor

from paddle_compat.core.op import Op
from paddle_compat.engine.spmd import each, reduced, spread

ON_PIECES = ("check_finite_and_unscale", "update_loss_scaling")


def on_pieces(definition: Op, args: list[Any], attrs: dict[str, Any], mesh: Any) -> Any:
    """Call one of these operators on this process's pieces.

    Args:
        args: gradients first, which may be cut, and are not partial; the others are whole in every process.
    Returns:
        What the operator does, gradients laid as they were.
    """
    whole = [value for value in args[0] if isinstance(value, DTensor)]
    given = each(args, lambda value: value._local_tensor if isinstance(value, DTensor) else value)
    if definition.type == ON_PIECES[0]:
        cut = [dim for dim in range(mesh.ndim) if any(value.placements[dim].is_shard() for value in whole)]
        given[0] = _marked(given[0], cut, mesh)
    grads, *others = definition.fn(*given, **attrs)
    laid = [spread(part, mesh, own.placements, own.shape) if isinstance(own, DTensor) else part for own, part in zip(args[0], grads)]
    return laid, *others


def _marked(pieces: Sequence[torch.Tensor], cut: Sequence[int], mesh: Any) -> list[torch.Tensor]:
    """Pieces of gradients, none of them a number where another process's piece is not finite."""
    if not cut:
        return list(pieces)
    wrong = torch.stack([(~torch.isfinite(piece)).any().float() for piece in pieces])
    wrong = reduced(wrong, "max", mesh, cut)
    return [torch.where(flag > 0, torch.nan, piece).to(piece.dtype) for flag, piece in zip(wrong.unbind(), pieces)]


@contextmanager
def unless(skip: Any, changed: Sequence[Any]) -> Iterator[None]:
    """What is done inside to tensors is taken back where a flag, which is not known while the Program is traced, is set.

    Args:
        skip: the flag; None: there is none.
    """
    parts = [] if skip is None else [value._local_tensor if isinstance(value, DTensor) else value for value in changed]
    before = [part.clone() for part in parts]
    yield
    if parts:
        flag = skip._local_tensor if isinstance(skip, DTensor) else skip
        for part, former in zip(parts, before):
            part.copy_(torch.where(flag.reshape(()), former, part))


__all__ = ["ON_PIECES", "on_pieces", "unless"]
