"""Operators of mixed precision: gradients of a scaled loss are divided again, and the factor follows what they hold."""

from __future__ import annotations

import torch

from paddle_compat.core.op import op

Tensor = torch.Tensor


def _finite(x: Tensor) -> bool:
    values = x.coalesce().values() if x.is_sparse else x
    return bool(torch.isfinite(values).all())


@op(inputs=("X*", "Scale"), outputs=("Out*", "FoundInfinite"), lod=None)
@torch.no_grad()
def check_finite_and_unscale(x: list[Tensor], scale: Tensor) -> tuple[list[Tensor], Tensor]:
    """Every tensor over the scale, and whether one holds something infinite or no number; from that one on, they count for nothing."""
    if scale.is_meta:
        return [torch.empty_like(t) for t in x], torch.empty(1, dtype=torch.bool, device="meta")
    factor, found, out = 1.0 / scale, False, []
    for tensor in x:
        if not found and not _finite(tensor):
            found, factor = True, torch.zeros_like(factor)
        out.append((tensor * factor.to(tensor.device)).to(tensor.dtype))
    return out, torch.tensor([found], device=scale.device)


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
    infinite = bool(found)
    out = [torch.zeros_like(t) for t in x] if infinite else [t.clone() for t in x]
    if bool(stop) if stop is not None else stop_update:
        return out, scaling.clone(), good.clone(), bad.clone()
    counted = (bad if infinite else good) + 1
    none, limit = torch.zeros_like(counted), decr_every_n_nan_or_inf if infinite else incr_every_n_steps
    if int(counted) == limit:
        changed = (scaling * decr_ratio).clamp(min=1.0) if infinite else scaling * incr_ratio
        scaling, counted = changed if torch.isfinite(changed).all() else scaling, none
    return out, scaling.clone(), *((none, counted) if infinite else (counted, none.clone()))
