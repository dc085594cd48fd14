"""Results of inputs without elements: zeros that still lie on the way of a gradient, which has then none either."""

from __future__ import annotations

from collections.abc import Sequence

import torch

Tensor = torch.Tensor


def zeros_behind(x: Tensor, shape: Sequence[int], dtype: torch.dtype | None = None) -> Tensor:
    """Zeros of a shape, computed from x where torch's own function refuses a tensor without elements, or forgets its gradient.

    Args:
        x: the input; nothing of its values is looked at but that their sum is finite, so it has no elements, or the result has none.
        dtype: None: x's.
    """
    total = x.sum() * 0
    if total.is_complex() and dtype is not None and not dtype.is_complex:
        total = total.real
    return total.to(dtype or x.dtype).expand(*shape).clone()
