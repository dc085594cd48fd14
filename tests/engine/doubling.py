"""A ring without a second process: whatever is summed over it is doubled at once."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from paddle_compat.engine.processes import Processes


class Arrived:
    """What is to be waited for, and has come."""

    def wait(self) -> None:
        """Nothing is left to do."""


class Doubling(Processes):
    """Another process that has the same gradients."""

    def __init__(self) -> None:
        self.rank, self.size = 0, 2

    def start(self, flat: torch.Tensor) -> Arrived:
        """The sum is there at once."""
        flat.mul_(2)
        return Arrived()

    def all_reduce(self, tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Twice the values."""
        return [2 * tensor for tensor in tensors]
