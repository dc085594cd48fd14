"""Optimizers on rows of a table, against the same operators on whole parameters."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.op import find_op
from paddle_compat.engine.row_rules import BY_ROW, RowRule, rule_of
from paddle_compat.engine.sparse_table import SparseTable

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


def whole(rule: RowRule, param: torch.Tensor, kept: dict[str, torch.Tensor], gradient: torch.Tensor) -> None:
    """One step of the operator as Programs run it."""
    definition = find_op(rule.definition.type)
    assert definition is not None
    given: dict[str, Any] = {"Param": param, "Grad": gradient, **kept}
    definition.fn(*(given.get(slot.name) for slot in definition.inputs), **rule.attrs)


@pytest.mark.parametrize("type_", sorted(BY_ROW))
def test_rows_move_as_a_whole_parameter_does(type_: str) -> None:
    """All rows are touched in every step, so that nothing else moves."""
    torch.manual_seed(0)
    start = torch.rand(HEIGHT, WIDTH)
    rule, other = (rule_of(type_, WIDTH, ATTRS.get(type_), RATE, STARTS.get(type_)) for _ in range(2))
    table = SparseTable(WIDTH, HEIGHT, lambda ids: start[ids], rule.states)
    kept = {slot: torch.full((HEIGHT, WIDTH), first) for slot, (_, first) in other.states.items()} | dict(other.shared)
    param = start.clone()
    for step in range(5):
        ids = torch.cat([torch.randperm(HEIGHT), torch.tensor([step % HEIGHT])])
        gradients = torch.randn(HEIGHT + 1, WIDTH)
        table.update(ids, gradients, rule)
        gradient = torch.sparse_coo_tensor(ids[None], gradients, param.shape, check_invariants=False)
        whole(other, param, kept, gradient)
        if type_ == "adamax":
            kept["Beta1Pow"].mul_(0.9)  # a `scale` of Programs
    torch.testing.assert_close(table.lookup(torch.arange(HEIGHT)), param)
    assert not torch.equal(param, start)


def test_adam_is_lazy() -> None:
    rule, other = (rule_of("adam", WIDTH, {"lazy_mode": True}, RATE) for _ in range(2))
    table = SparseTable(WIDTH, 10**9, lambda ids: ids[:, None].float().expand(-1, WIDTH), rule.states)
    param = torch.arange(HEIGHT)[:, None].float().repeat(1, WIDTH)
    kept = {slot: torch.zeros(HEIGHT, WIDTH) for slot in other.states} | dict(other.shared)
    for some in ([0, 3], [3, 5], [1], [0, 1, 2, 3, 4, 5]):
        ids, gradients = torch.tensor(some), torch.randn(len(some), WIDTH)
        table.update(ids, gradients, rule)
        whole(other, param, kept, torch.sparse_coo_tensor(ids[None], gradients, param.shape))
    torch.testing.assert_close(table.lookup(torch.arange(HEIGHT)), param)
    assert len(table) == HEIGHT


def test_rates_change() -> None:
    rule = rule_of("sgd", WIDTH, rate=1.0)
    rows = torch.zeros(1, WIDTH)
    rule(rows, torch.ones(1, WIDTH))
    rule.set_rate(0.5)
    rule(rows, torch.ones(1, WIDTH))
    assert rows.tolist() == [[-1.5] * WIDTH] and rule.states == {}


@pytest.mark.parametrize("type_", ["lamb", "lars_momentum", "dpsgd", "relu"])
def test_steps_that_look_at_the_whole_table_are_refused(type_: str) -> None:
    with pytest.raises(UnsupportedError, match=f"the optimizer's operator `{type_}`"):
        rule_of(type_, WIDTH)
