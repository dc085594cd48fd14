"""Which ids get rows in a table: after how many steps, with which probability; what the others read as, and that they learn nothing."""

from __future__ import annotations

import pytest
import torch
from engine.served_rows import ServedRows

from paddle_compat.core.errors import InvalidArgumentError
from paddle_compat.engine.entries import entry_of
from paddle_compat.engine.sparse_table import SparseTable

HEIGHT, WIDTH = 10**9, 2


def table(entry: str) -> SparseTable:
    return SparseTable(WIDTH, HEIGHT, lambda ids: torch.full((len(ids), WIDTH), 5.0), entry=entry_of(entry, HEIGHT, "t"))


def test_ids_that_came_often_enough_get_rows() -> None:
    served = ServedRows("sgd", (HEIGHT, WIDTH), fill=("fill_constant", {"value": 5.0, "_entry": "count_filter_entry:3"}))
    found = served.table.rows
    often, seldom = torch.tensor([7, 10**8]), torch.tensor([9])
    for step in range(5):
        rows = found.lookup(torch.cat([often, seldom]) if step == 0 else often)
        served.step(torch.cat([seldom, often]), torch.ones(3, WIDTH))
        learned = max(step - 2, 0)  # in the steps before
        assert rows[:2].tolist() == [[5.0 - learned if step > 1 else 0.0] * WIDTH] * 2
    assert len(found) == 2 and found.lookup(seldom, grows=False).tolist() == [[0.0] * WIDTH]

    again = table("count_filter_entry:3")
    again.restore(found.state())
    assert len(again) == 2 and torch.equal(again.lookup(often), found.lookup(often))
    for each in (1, 2):
        assert again.lookup(seldom).tolist() == [[5.0 * (each == 2)] * WIDTH]  # its third time; the first was before


def test_an_id_that_repeats_counts_as_often() -> None:
    found = table("count_filter_entry:3")
    assert found.lookup(torch.tensor([[4, 4], [4, 5]]))[..., 0].tolist() == [[5.0, 5.0], [5.0, 0.0]]


@pytest.mark.parametrize(("share", "steps"), [(0.3, 1), (0.3, 4), (0.9, 1)])
def test_ids_get_rows_with_a_probability(share: float, steps: int) -> None:
    found = table(f"probability_entry:{share}")
    for _ in range(steps):
        found.lookup(torch.arange(10_000))
    assert abs(len(found) / 10_000 - (1 - (1 - share) ** steps)) < 0.02
    assert int((found.lookup(torch.arange(10_000), grows=False)[:, 0] == 5).sum()) == len(found)


def test_all_ids_get_rows_where_nothing_is_said() -> None:
    found = table("none")
    assert found.entry is None and entry_of("show_click_entry:show:click", HEIGHT) is None
    assert found.lookup(torch.tensor([3]), grows=False).tolist() == [[0.0] * WIDTH] and len(found) == 0
    assert found.lookup(torch.tensor([3])).tolist() == [[5.0] * WIDTH] and len(found) == 1


def test_other_entries_are_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="attribute `entry`.*Received: 'never:3'"):
        entry_of("never:3", HEIGHT)
