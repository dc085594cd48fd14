"""Leaves that stop gradients, and are written to in place by what has a history: their `grad` is that of what they held before."""

from __future__ import annotations

import torch

from paddle_compat.core import integers
from paddle_compat.core.onward import Moved
from paddle_compat.core.shadows import history
from paddle_compat.core.tensor import Tensor


def stops(x: Tensor) -> bool:
    """Whether a Tensor is a leaf that stops gradients, while they are recorded."""
    return torch.is_grad_enabled() and not history(x._t).requires_grad


def open_part(x: Tensor) -> None:
    """Give floating numbers, a part of which is about to be written to, the history that they have not."""
    x._origin = x._t.detach().new_empty(()).expand(x._t.shape).requires_grad_()
    Moved.apply(x._t, x._origin)
    x._changes -= 1  # this one is none


def close(x: Tensor) -> None:
    """Take back `open_part`, as nothing was written."""
    x._become(x._t.detach())
    x._origin = None


def open_whole(x: Tensor, copy: torch.Tensor) -> None:
    """Have a copy of what a Tensor holds, which it is about to be made from, take the gradient for it."""
    if copy.is_floating_point() or copy.is_complex():
        x._origin = copy.requires_grad_()
    else:
        integers.begin(copy, x._t)
