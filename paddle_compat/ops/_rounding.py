"""Whole numbers near floating ones."""

from __future__ import annotations

import torch

from paddle_compat.core.constants import beside

Tensor = torch.Tensor


def toward_zero(x: Tensor) -> Tensor:
    """The whole numbers next to x, towards zero, as `torch.trunc` has them.

    On other processors than Intel's that is MKL's slow way, forty times slower than a division by 1.
    """
    return torch.div(x, 1, rounding_mode="trunc") if x.is_floating_point() else torch.trunc(x)


def half_away(x: Tensor) -> Tensor:
    """The nearest whole numbers, halves away from zero; `torch.round` goes to even ones, as Paddle 3 does each part of complex numbers."""
    if x.is_complex():
        return torch.complex(torch.round(x.real), torch.round(x.imag))
    half, signs = beside(0.5, x), x.detach() if x.requires_grad else x
    return toward_zero(torch.copysign(half if isinstance(half, Tensor) else torch.full_like(x, 0.5), signs).add_(x))
