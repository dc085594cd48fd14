"""What stands in a trainer for a table that parameter servers hold: a tensor of its shape without its memory."""

from __future__ import annotations

from collections.abc import Sequence

import torch

_ONE = torch.zeros(1)  # whose memory all of them have


def stand_in(shape: Sequence[int]) -> torch.Tensor:
    """A tensor of that shape which has the memory of one number."""
    return torch.empty(0).set_(_ONE.untyped_storage(), 0, tuple(shape), (0,) * len(shape))  # no view, which a Scope would copy


def is_stand_in(tensor: torch.Tensor) -> bool:
    """Whether a tensor was made by `stand_in`."""
    return tensor.layout is torch.strided and tensor.device.type == "cpu" and tensor.data_ptr() == _ONE.data_ptr()
