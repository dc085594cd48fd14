"""Gradients travel in buckets that set out in a fixed order, while the backward pass goes on."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from engine.doubling import Arrived, Doubling

from paddle_compat.core import rings
from paddle_compat.engine import reductions
from paddle_compat.engine.buckets import Sums, Trip, buckets


def test_neighbours_of_one_data_type_travel_together() -> None:
    tensors = [torch.zeros(n, dtype=t) for n, t in [(3, torch.float32), (2, torch.float64), (2, torch.float32), (9, torch.float32)]]
    assert buckets(tensors, most=20, first=8) == [[0], [2, 3], [1]]
    assert buckets(tensors, most=1000) == [[1], [0, 2, 3]]
    assert buckets(tensors, most=0) == [[0], [1], [2], [3]]
    assert buckets([]) == []


def test_buckets_set_out_in_their_order_when_full() -> None:
    started: list[list[float]] = []

    def start(flat: torch.Tensor) -> Arrived:
        started.append(flat.tolist())
        return Arrived()

    sums = Sums([[0, 1], [2], [3]], 2, lambda count, like: Trip(like.new_empty(count), start))
    parts = [[torch.full((2,), 10.0 * replica + i) for i in range(4)] for replica in range(2)]
    for replica, position in [(0, 2), (1, 2), (0, 1), (1, 0), (0, 0), (0, 0)]:
        sums.put(position, parts[replica][position], replica)
        assert started == []
    sums.put(1, parts[1][1], 1)
    assert started == [[10, 10, 12, 12], [14, 14]]
    sums.put(3, parts[1][3], 1)
    sums.put(3, parts[0][3].reshape(1, 2), 0)
    assert [total.tolist() for total in sums.result(4)] == [[10, 10], [12, 12], [14, 14], [[16, 16]]]
    assert parts[0][0].tolist() == [0, 0]  # what was handed in stays as it was


def test_on_a_gpu_only_the_last_of_a_bucket_is_looked_at() -> None:
    started: list[list[float]] = []

    def start(flat: torch.Tensor) -> Arrived:
        started.append(flat.tolist())
        return Arrived()

    sums = Sums([[0, 1, 2], [3, 4]], 1, lambda count, like: Trip(like.new_empty(count), start))
    takers = [sums.taker(i, torch.empty(1, device="meta")) for i in range(5)]
    assert [taker is None for taker in takers] == [False, False, True, False, True]
    assert sums.taker(0, torch.empty(1)) is None
    parts = [torch.full((1,), float(i)) for i in range(5)]
    for position in (3, 0, 0, 1):
        taker = takers[position]
        assert taker is not None
        taker(parts[position])
    assert started == []
    sums.put(4, parts[4])  # which comes before the last of the first bucket
    assert started == []
    sums.put(2, parts[2])
    assert started == [[0, 1, 2], [3, 4]]
    assert [total.tolist() for total in sums.result(5)] == [[0], [1], [2], [3], [4]]


class Early(torch.autograd.Function):
    """The identity, whose backward pass leaves a note."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, notes: list[str]) -> torch.Tensor:
        ctx.notes = notes
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        ctx.notes.append("early layer")
        return grad, None


@pytest.mark.parametrize("most, together", [(None, False), (0, True), (8, True)])
def test_a_bucket_sets_out_while_the_backward_pass_goes_on(monkeypatch: pytest.MonkeyPatch, most: int | None, together: bool) -> None:
    class Noting(Doubling):
        """Whose sums leave a note."""

        def start(self, flat: torch.Tensor) -> Arrived:
            notes.append(f"sum of {flat.numel()}")
            return super().start(flat)

    notes: list[str] = []
    monkeypatch.setattr(rings, "_rings", {3: Noting()})
    first, last, unused = (torch.ones(2, requires_grad=True) for _ in range(3))
    with torch.enable_grad():
        loss = (Early.apply(first, notes) * last).sum()
    grads = reductions.backward_and_sums([loss], [first, unused, last], summed=[2, 0, 1], ring_ids=[3, 3, 3], most=most)
    assert [g.tolist() for g in grads] == [[2, 2], [0, 0], [2, 2]]
    each = ["sum of 2", "early layer", "sum of 2", "sum of 2"]
    assert notes == (each if together else ["early layer", "sum of 6"])
    assert not any(t._backward_hooks for t in (first, last, unused))
