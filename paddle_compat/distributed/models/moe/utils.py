"""`paddle.distributed.models.moe.utils`: which rows go to which expert. Library code calls these by their names with an underscore."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.ops import collective_experts


def _number_count(numbers: Any, upper_range: int) -> Any:
    """How many there are of each number below `upper_range`."""
    return collective_experts.number_count(numbers, upper_range=upper_range)


def _assign_pos(x: Any, cum_count: Any) -> Any:
    """The places of the rows of expert 0 in x, then of those of expert 1, and so on; `cum_count` counts them up to each."""
    return collective_experts.assign_pos(x, cum_count, cum_count[-1:])


def _random_routing(topk_idx: Any, topk_value: Any, prob: Any, topk: int = 2) -> Any:
    """-1 in place of second experts whose doubled weight is below a row's number of `prob`."""
    if topk != 2:
        raise UnsupportedError("random_routing", f"topk={topk}", "topk=2, as in Paddle")
    return collective_experts.random_routing(prob, topk_value, topk_idx)


def _limit_by_capacity(expert_count: Any, capacity: Any, n_worker: int) -> Any:
    """How many rows experts take of each worker, which has a capacity for all of them together."""
    return collective_experts.limit_by_capacity(expert_count, capacity, n_worker=n_worker)


def _prune_gate_by_capacity(gate_idx: Any, expert_count: Any, n_expert: int, n_worker: int) -> Any:
    """-1 in place of the expert of rows that it does not take."""
    return collective_experts.prune_gate_by_capacity(gate_idx, expert_count, n_expert=n_expert, n_worker=n_worker)


__getattr__ = missing(__name__)
