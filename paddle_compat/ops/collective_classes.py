"""Operators of tables and classes that lie on several ranks: rank r has the r-th part of the rows, or of the classes."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat.core.errors import InvalidArgumentError, invalid_argument
from paddle_compat.core.op import Meta, op
from paddle_compat.core.rings import ring_of
from paddle_compat.ops._ranks import MAX, check_ranks, reduced

Tensor = torch.Tensor


@op(
    inputs=("W", "Ids"),
    grad=("W", "Ids"),
    no_grad=("Ids",),
    infer=lambda table, ids, **attrs: Meta((*ids.shape, table.shape[-1]), table.dtype),
)
def c_embedding(table: Tensor, ids: Tensor, *, start_index: int = 0, vocab_size: int = -1) -> Tensor:
    """Rows of this rank's part of a table, whose first row has the number `start_index`; zeros for ids that other ranks have."""
    if vocab_size > -1 and ids.numel() and not bool(((ids >= -1) & (ids < vocab_size)).all()):
        raise InvalidArgumentError(
            f"Invalid value for argument `Ids` of c_embedding. Expected ids below {vocab_size}. Received: up to {int(ids.max())}"
        )
    here = ids - start_index
    elsewhere = (here < 0) | (here >= table.shape[0])
    rows = torch.nn.functional.embedding(here.masked_fill(elsewhere, 0), table)
    return rows.masked_fill(elsewhere.unsqueeze(-1), 0.0)


class ClassLoss(torch.autograd.Function):
    """Softmax over the classes of all ranks, of which this one's begin at `start`, and the cross entropy with each row's class."""

    @staticmethod
    def forward(ctx: Any, logits: Tensor, label: Tensor, ignore_index: int, start: int, ring: Any) -> tuple[Tensor, Tensor]:
        type_ = "c_softmax_with_cross_entropy"
        largest = reduced(ring, logits.max(-1, keepdim=True).values, MAX, type_)
        shifted = logits - largest
        here = label.long() - start
        elsewhere = (here < 0) | (here >= logits.shape[-1])
        here = here.masked_fill(elsewhere, 0)
        powers = shifted.exp()
        picked, total = ring.all_reduce([shifted.gather(-1, here).masked_fill(elsewhere, 0.0), powers.sum(-1, keepdim=True)])
        ignored = label == ignore_index
        softmax = powers / total
        ctx.save_for_backward(softmax, here, elsewhere, ignored)
        ctx.mark_non_differentiable(softmax)
        return softmax, (total.log() - picked).masked_fill(ignored, 0.0)

    @staticmethod
    def backward(ctx: Any, unused: Tensor, grad: Tensor) -> tuple[Tensor | None, ...]:
        softmax, here, elsewhere, ignored = ctx.saved_tensors
        target = torch.zeros_like(softmax).scatter_(-1, here, (~elsewhere).to(softmax.dtype))
        return ((softmax - target) * grad).masked_fill(ignored, 0.0), None, None, None, None


def _infer_class_loss(logits: Meta, label: Meta, **attrs: Any) -> tuple[Meta, Meta]:
    if len(label.shape) != len(logits.shape) or label.shape[-1] != 1:
        raise invalid_argument("Label", f"shape {[*logits.shape[:-1], 1]}", f"shape {list(label.shape)}", "c_softmax_with_cross_entropy")
    return Meta(logits.shape, logits.dtype), Meta((*logits.shape[:-1], 1), logits.dtype)


@op(
    inputs=("Logits", "Label"),
    outputs=("Softmax", "Loss"),
    grad=("Label", "Softmax", "Loss@GRAD"),
    no_grad=("Label",),
    infer=_infer_class_loss,
)
def c_softmax_with_cross_entropy(
    logits: Tensor, label: Tensor, *, ignore_index: int = -100, ring_id: int = 0, rank: int = 0, nranks: int = 0
) -> tuple[Tensor, Tensor]:
    """Softmax over the classes of all ranks, of which this one has its part, and the cross entropy."""
    ring = ring_of(ring_id)
    if nranks or ring.size > 1:
        check_ranks(ring, nranks, "c_softmax_with_cross_entropy")
    out: tuple[Tensor, Tensor] = ClassLoss.apply(logits, label, ignore_index, rank * logits.shape[-1], ring)
    return out
