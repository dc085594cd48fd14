"""The LoD that an operator's outputs take from its inputs: the first input's, or those of a list one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import fx

from paddle_compat.core.lod import LoD
from paddle_compat.core.op import Op
from paddle_compat.ops._lod import join_lods

Call = Callable[..., fx.Node]  # makes a node: call(target, args, kwargs, name=...)


def handed_on(definition: Op, lods: Sequence[fx.Node | None], args: Sequence[Any], attrs: dict[str, Any], call: Call) -> fx.Node | None:
    """The node of the LoD that outputs take; None: they have none, and no node is made.

    Args:
        definition: the operator.
        lods: the LoDs of its inputs.
        args: its inputs; `attrs`: its attributes.
        call: makes a node.
    """
    first = next(iter(lods), None)
    if definition.lod != "joined" or first is None:
        return first
    axis = attrs.get("axis", 0)
    if axis > 0 and len(args) == 1:  # side by side, which is known without the tensors: look-ups can still be joined
        return first
    return call(_joined, (list(lods), args[0][0], *args[1:]), {"axis": axis})


def _joined(lods: list[LoD | None], first: torch.Tensor, axis_tensor: torch.Tensor | None = None, *, axis: int = 0) -> LoD | None:
    """The LoD of tensors laid one after the other along a dimension, which past the first one is that of the first tensor."""
    along = axis if axis_tensor is None else int(axis_tensor)
    if not lods[0] or along % first.dim():
        return lods[0]
    return join_lods([lod for lod in lods if lod])
