"""What torch keeps for a derivative where Paddle keeps something else."""

from __future__ import annotations

import torch


def apart(out: torch.Tensor) -> torch.Tensor:
    """A result that torch's derivative reads and Paddle's does not: a copy of it, which may be written over before the backward pass."""
    return out.clone() if out.requires_grad else out
