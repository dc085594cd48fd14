"""Learning rates that an operator computes from a count of its own."""

from __future__ import annotations

import torch

from paddle_compat.core.op import op

Tensor = torch.Tensor


@op(inputs=("LearningRate", "Step"), outputs=("LearningRateOut", "StepOut"))
def pow2_decay_with_linear_warmup(
    rate: Tensor, step: Tensor, *, warmup_steps: int = 1, total_steps: int = 1, base_lr: float = 0.0, end_lr: float = 0.0
) -> tuple[Tensor, Tensor]:
    """The rate of the next step, which rises evenly up to `warmup_steps`, then falls along a parabola; and that step's number."""
    now = step + 1
    left = 1 - (now - warmup_steps).double() / max(total_steps - warmup_steps, 1)
    falling = torch.where(now < total_steps, (base_lr - end_lr) * left * left + end_lr, end_lr)
    return torch.where(now <= warmup_steps, base_lr * now.double() / warmup_steps, falling).to(rate.dtype), now
