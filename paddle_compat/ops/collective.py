"""Collective operators: what all ranks of a ring do together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat.core.op import Meta, op
from paddle_compat.core.rings import ring_of

Tensor = torch.Tensor


def all_reduce_together(xs: Sequence[Tensor], *, ring_id: int = 0, **attrs: Any) -> list[Tensor]:
    """Many neighbouring `c_allreduce_sum`: the ranks meet once for all of them."""
    return ring_of(ring_id).all_reduce(xs)


def _infer_same(x: Meta, cond: Meta | None = None, **attrs: Any) -> Meta:
    return Meta(x.shape, x.dtype)


def _gradient(op_: Any, grad_outs: Any, grad_ins: Any) -> list[tuple[Any, ...]]:
    """1.8 adds the gradients up, too; 2.x has none."""
    wanted = [name for name in grad_ins["X"] if name]
    attrs = {name: op_.attr(name) for name in ("ring_id", "use_calc_stream")}
    return [("c_allreduce_sum", {"X": list(grad_outs["Out"])}, {"Out": wanted}, attrs)] if wanted and op_.block.program.age == 1 else []


@op(inputs=("X", "Cond?@2"), grad_maker=_gradient, infer=_infer_same)
def c_allreduce_sum(
    x: Tensor, cond: Tensor | None = None, *, ring_id: int = 0, use_calc_stream: bool = False, use_model_parallel: bool = False
) -> Tensor:
    """The sum over all ranks of the ring."""
    return ring_of(ring_id).all_reduce([x])[0]
