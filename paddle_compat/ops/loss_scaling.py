"""Operators of mixed precision: gradients of a scaled loss are divided again, and the factor follows what they hold."""

from __future__ import annotations

import torch

from paddle_compat.core.op import op

Tensor = torch.Tensor


def _finite(x: Tensor) -> Tensor:
    values = x.coalesce().values() if x.is_sparse else x
    return torch.isfinite(values).all()


@op(inputs=("X*", "Scale"), outputs=("Out*", "FoundInfinite"), lod=None)
@torch.no_grad()
def check_finite_and_unscale(x: list[Tensor], scale: Tensor) -> tuple[list[Tensor], Tensor]:
    """Every tensor over the scale, and whether one holds something infinite or no number; from that one on, they count for nothing."""
    if scale.is_meta:
        return [torch.empty_like(t) for t in x], torch.empty(1, dtype=torch.bool, device="meta")
    inverse = 1.0 / scale
    found, out = torch.zeros(1, dtype=torch.bool, device=scale.device), []
    for tensor in x:
        found = found | ~_finite(tensor).to(scale.device)
        factor = torch.where(found, 0.0, inverse)
        out.append((tensor * factor.to(tensor.device)).to(tensor.dtype))
    return out, found


@op(
    inputs=("X*", "FoundInfinite", "PrevLossScaling", "InGoodSteps", "InBadSteps", "StopUpdate?@2"),
    outputs=("Out*", "LossScaling", "OutGoodSteps", "OutBadSteps"),
    lod=None,
)
@torch.no_grad()
def update_loss_scaling(
    x: list[Tensor],
    found: Tensor,
    scaling: Tensor,
    good: Tensor,
    bad: Tensor,
    stop: Tensor | None = None,
    *,
    incr_every_n_steps: int,
    decr_every_n_nan_or_inf: int,
    incr_ratio: float,
    decr_ratio: float,
    stop_update: bool = False,
) -> tuple[list[Tensor], Tensor, Tensor, Tensor]:
    """The factor after a step: larger after many finite steps in a row, smaller after infinite ones, whose gradients become 0."""
    if found.is_meta:
        return [torch.empty_like(t) for t in x], scaling.clone(), good.clone(), bad.clone()
    infinite = found.reshape(())
    out = [_cleared(t, infinite) for t in x]
    if stop is None and stop_update:
        return out, scaling.clone(), good.clone(), bad.clone()
    counted = torch.where(infinite, bad, good) + 1
    reached = counted == torch.where(infinite, decr_every_n_nan_or_inf, incr_every_n_steps)
    changed = torch.where(infinite, (scaling * decr_ratio).clamp(min=1.0), scaling * incr_ratio)
    none, left = torch.zeros_like(counted), torch.where(reached, 0, counted).to(counted.dtype)
    new = torch.where(reached & torch.isfinite(changed).all(), changed, scaling)
    after = new, torch.where(infinite, none, left), torch.where(infinite, left, none)
    if stop is None:
        return out, *after
    former, stays = (scaling, good, bad), stop.reshape(())
    return out, *(torch.where(stays, old, made) for old, made in zip(former, after))  # type: ignore[return-value]


def _cleared(x: Tensor, infinite: Tensor) -> Tensor:
    if x.is_sparse:
        return torch.zeros_like(x) if bool(infinite) else x.clone()
    return torch.where(infinite.to(x.device), 0.0, x).to(x.dtype)
