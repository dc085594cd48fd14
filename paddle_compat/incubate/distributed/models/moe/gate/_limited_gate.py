"""What gates whose experts have a capacity have in common."""

from __future__ import annotations

import math
from typing import Any

from paddle_compat.core.errors import failed_assertion
from paddle_compat.incubate.distributed.models.moe.gate.naive_gate import NaiveGate
from paddle_compat.incubate.distributed.models.moe.utils import limit_by_capacity


class LimitedGate(NaiveGate):
    """One whose experts take only so many rows of a batch.

    Args:
        d_model, num_expert, world_size, topk: as `NaiveGate` takes them.
        fixed (int): what `topk` has to be.
        capacity (tuple): for each row of a batch, how many an expert takes: in training, and afterwards.
        group (Group): the processes that have experts.
    """

    def __init__(
        self, d_model: int, num_expert: int, world_size: int, topk: int, fixed: int, capacity: tuple[float, float], group: Any
    ) -> None:
        if topk != fixed:
            raise failed_assertion("topk", str(fixed), topk, type(self).__name__)
        super().__init__(d_model, num_expert, world_size, topk)
        self.capacity, self.group = capacity, group

    def _limited(self, index: Any, rows: int) -> Any:
        """The experts that rows have chosen, -1 where one is full."""
        capacity = math.ceil(self.capacity[0 if self.training else 1] * rows)
        return limit_by_capacity(index, self.num_expert, self.world_size, capacity, self.group)[2]
