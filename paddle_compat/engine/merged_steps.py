"""Gradients of several steps merged into one of each name, each step's as it comes: what waits takes no more memory than two steps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import torch

from paddle_compat.ops._sparse_updates import merged_rows

Step = dict[str, torch.Tensor]  # what a step sends: gradients as they are, not cut for servers


class MergedSteps:
    """The gradients of some steps: dense ones, and sparse ones with rows of some ids.

    Attributes:
        count: of steps.
    """

    def __init__(self) -> None:
        self.count = 0
        self.dense: Step = {}
        self.rows: dict[str, list[torch.Tensor]] = defaultdict(list)
        self.steps: dict[str, int] = defaultdict(int)  # that had a name

    def add(self, step: Step) -> None:
        """Take another step's; they may be somebody else's, too, and are not written to."""
        self.count += 1
        totals, values = [], []
        for name, value in step.items():
            self.steps[name] += 1
            if value.is_sparse:
                self.rows[name].append(value)
            elif self.steps[name] == 1:
                self.dense[name] = value
            elif self.steps[name] == 2:
                self.dense[name] = self.dense[name] + value
            else:
                totals.append(self.dense[name])
                values.append(value)
        if totals:
            torch._foreach_add_(totals, values)

    def gradients(self, is_sum: Callable[[str], bool]) -> Step:
        """One of each name; sparse ones have each row once.

        Args:
            is_sum: tells for a name whether they are summed; else averaged.
        """
        found: Step = {}
        for name, steps in self.steps.items():
            value = _one(self.rows[name]) if name in self.rows else self.dense[name]
            found[name] = value if steps == 1 or is_sum(name) else value / steps
        return found


def _one(parts: list[torch.Tensor]) -> torch.Tensor:
    if len(parts) == 1:
        return parts[0]
    rows, values = torch.cat([part._indices() for part in parts], 1), torch.cat([part._values() for part in parts])
    shape = parts[0].shape
    unique, merged = merged_rows(torch.sparse_coo_tensor(rows, values, shape, check_invariants=False), values.dtype)
    return torch.sparse_coo_tensor(unique[None], merged, shape, is_coalesced=True, check_invariants=False)
