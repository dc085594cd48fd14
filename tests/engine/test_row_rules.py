"""Optimizers on rows of a table, against the same operators on whole parameters."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from engine.served_rows import ServedRows

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.op import find_op
from paddle_compat.engine.first_rows import first_rows
from paddle_compat.engine.row_rules import BY_ROW, by_row

HEIGHT, WIDTH, RATE = 6, 3, 0.05
ATTRS: dict[str, dict[str, Any]] = {
    "momentum": {"mu": 0.9, "use_nesterov": True},
    "adam": {"lazy_mode": True},
    "rmsprop": {"centered": True, "momentum": 0.5},
    "ftrl": {"l1": 0.01, "l2": 0.02},
    "proximal_adagrad": {"l1": 0.01},
    "adamw": {"with_decay": True},
}
STARTS = {"ftrl": {"SquaredAccumulator": 0.1}, "adagrad": {"Moment": 0.3}, "proximal_adagrad": {"Moment": 0.1}}


def whole(type_: str, param: torch.Tensor, kept: dict[str, torch.Tensor], gradient: torch.Tensor) -> None:
    """One step of the operator as Programs run it."""
    definition = find_op(type_)
    assert definition is not None
    given: dict[str, Any] = {"Param": param, "Grad": gradient, **kept}
    definition.fn(*(given.get(slot.name) for slot in definition.inputs), **ATTRS.get(type_, {}))


@pytest.mark.parametrize("type_", sorted(BY_ROW))
def test_rows_move_as_a_whole_parameter_does(type_: str) -> None:
    """All rows are touched in every step, so that nothing else moves."""
    torch.manual_seed(0)
    starts = STARTS.get(type_, {})
    served = ServedRows(type_, (HEIGHT, WIDTH), ATTRS.get(type_), RATE, starts, ("uniform_random", {"min": 0.0, "seed": 3}))
    kept = {slot: torch.full((HEIGHT, WIDTH), starts.get(slot, 0.0)) for slot in served.slots} | served.shared
    start = served.table.rows.lookup(torch.arange(HEIGHT))
    param = start.clone()
    for step in range(5):
        ids = torch.cat([torch.randperm(HEIGHT), torch.tensor([step % HEIGHT])])
        gradients = torch.randn(HEIGHT + 1, WIDTH)
        served.step(ids, gradients)
        gradient = torch.sparse_coo_tensor(ids[None], gradients, param.shape, check_invariants=False)
        whole(type_, param, kept, gradient)
        if type_ == "adamax":
            kept["Beta1Pow"].mul_(0.9)  # a `scale` of Programs
    torch.testing.assert_close(served.table.rows.lookup(torch.arange(HEIGHT)), param)
    assert not torch.equal(param, start)


def test_adam_is_lazy() -> None:
    fill = {"min": 0.0, "seed": 3}
    served = ServedRows("adam", (10**9, WIDTH), {"lazy_mode": True}, RATE, fill=("uniform_random", fill))
    param = first_rows("uniform_random", fill, WIDTH)(torch.arange(HEIGHT))
    kept = {slot: torch.zeros(HEIGHT, WIDTH) for slot in served.slots} | served.shared
    for some in ([0, 3], [3, 5], [1], [0, 1, 2, 3, 4, 5]):
        ids, gradients = torch.tensor(some), torch.randn(len(some), WIDTH)
        served.step(ids, gradients)
        whole("adam", param, kept, torch.sparse_coo_tensor(ids[None], gradients, param.shape))
    torch.testing.assert_close(served.table.rows.lookup(torch.arange(HEIGHT)), param)
    assert len(served.table.rows) == HEIGHT


def test_rates_change() -> None:
    served = ServedRows("sgd", (1, WIDTH), rate=1.0)
    served.step(torch.tensor([0]), torch.ones(1, WIDTH))
    served.scope.var("LearningRate").tensor.value = torch.tensor([0.5])
    served.step(torch.tensor([0]), torch.ones(1, WIDTH))
    assert served.table.rows.lookup(torch.tensor([0])).tolist() == [[-1.5] * WIDTH] and served.slots == []


@pytest.mark.parametrize("type_", ["lamb", "lars_momentum", "dpsgd", "relu"])
def test_steps_that_look_at_the_whole_table_are_refused(type_: str) -> None:
    with pytest.raises(UnsupportedError, match=f"the optimizer's operator `{type_}`"):
        by_row(type_)
