"""Tables whose rows are made when they are first touched, against a dictionary; their memory; what is kept of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from paddle_compat.core.errors import OutOfRangeError, ResourceExhaustedError
from paddle_compat.engine.first_rows import uniform_rows
from paddle_compat.engine.row_index import Index
from paddle_compat.engine.sparse_table import SparseTable

HEIGHT, WIDTH = 10**12, 3


def numbered(ids: torch.Tensor) -> torch.Tensor:
    return ids[:, None] % 1000 + torch.arange(WIDTH) / 10


def adagrad(table: SparseTable, ids: torch.Tensor, gradients: torch.Tensor) -> None:
    """A step of the rows of ids, whose gradients are added up where they repeat."""
    different, places = ids.unique(return_inverse=True)
    summed = torch.zeros(len(different), WIDTH).index_add_(0, places, gradients)
    with table.changing(different) as values:
        values["moment"] += summed**2
        values["rows"] -= summed / values["moment"].sqrt()


@pytest.mark.parametrize("largest", [10**6, 2**62])
def test_index_finds_what_a_dictionary_finds(largest: int) -> None:
    random = np.random.default_rng(0)
    index, known = Index(200_000, largest), dict[int, int]()
    for _ in range(30):
        ids = np.unique(random.integers(0, largest, 5000))
        found = index.find(ids)
        assert found.tolist() == [known.get(i, -1) for i in ids.tolist()]
        new = ids[found < 0]
        known.update(zip(new.tolist(), index.add(new).tolist()))
    assert index.count == len(known) and sorted(known.values()) == list(range(len(known)))
    assert len(index.slots) < 2 * index.count  # 4 bytes each


def test_index_of_ids_that_meet_in_one_slot() -> None:
    index = Index(5000, 2**62)
    ids = np.arange(3000, dtype=np.int64) << 32  # mixed alike
    assert index.add(ids).tolist() == list(range(3000)) == index.find(ids).tolist()
    assert index.find(ids + 1).tolist() == [-1] * 3000


def test_a_full_index_says_so_and_stays_as_it_is() -> None:
    index = Index(4, 100)
    index.add(np.array([5, 6, 7]))
    with pytest.raises(ResourceExhaustedError, match="room for 4 rows. Received: 3 rows and 2 new ids"):
        index.add(np.array([8, 9]))
    assert index.count == 3 and index.find(np.array([5, 8])).tolist() == [0, -1]


def test_rows_start_where_the_initializer_says_and_follow_the_rule() -> None:
    torch.manual_seed(0)
    table = SparseTable(WIDTH, HEIGHT, numbered, {"moment": (WIDTH, 0.5)})
    expected: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
    for _ in range(20):
        ids = torch.randint(0, 50, (40,)) * (HEIGHT // 50)
        assert table.lookup(ids.view(8, 5)).shape == (8, 5, WIDTH)
        gradients = torch.randn(40, WIDTH)
        adagrad(table, ids, gradients)
        for each in ids.unique():
            fresh = (numbered(each[None])[0], torch.full((WIDTH,), 0.5))
            row, moment = expected.get(int(each), fresh)
            summed = gradients[ids == each].sum(0)
            moment = moment + summed**2
            expected[int(each)] = row - summed / moment.sqrt(), moment
    ids = torch.tensor(list(expected))
    torch.testing.assert_close(table.lookup(ids), torch.stack([row for row, _ in expected.values()]))
    assert len(table) == len(expected) == 50

    again = SparseTable(WIDTH, HEIGHT, numbered, {"moment": (WIDTH, 0.5)})
    again.restore(table.state())
    for each in (table, again):
        adagrad(each, ids, torch.ones(50, WIDTH))
    assert torch.equal(table.lookup(ids), again.lookup(ids)) and len(again) == 50


@pytest.mark.parametrize("wrong", [-1, HEIGHT])
def test_ids_out_of_range_change_nothing(wrong: int) -> None:
    table = SparseTable(WIDTH, HEIGHT, numbered)
    with pytest.raises(OutOfRangeError, match=rf"Expected ids from 0 to {HEIGHT - 1}. Received: {wrong}"):
        table.lookup(torch.tensor([3, wrong]))
    assert len(table) == 0
    assert table.lookup(torch.empty(0, dtype=torch.int64)).shape == (0, WIDTH)


def test_a_snapshot_holds_what_was_touched(tmp_path: Path) -> None:
    table = SparseTable(16, 100_000_000, uniform_rows(16, -1, 1, 0), {"moment": (16, 0.5)})
    rows = table.lookup(torch.arange(1000))
    state = table.state()
    assert sum(value.untyped_storage().nbytes() for value in state.values()) == 1000 * (8 + 2 * 64)
    torch.save(state, tmp_path / "table")
    again = SparseTable(16, 100_000_000, uniform_rows(16, -1, 1, 0), {"moment": (16, 0.5)})
    again.restore(torch.load(tmp_path / "table"))
    assert torch.equal(again.lookup(torch.arange(1000), grows=False), rows) and len(again) == 1000


GROWN = """
import torch
from paddle_compat.engine.first_rows import uniform_rows
from paddle_compat.engine.sparse_table import SparseTable

def memory():
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmRSS"))

table = SparseTable(16, 100_000_000, uniform_rows(16, -1, 1, 0), {"moment": (16, 0.0)})
random = torch.Generator().manual_seed(0)
def touch(count):
    for _ in range(count):
        ids = torch.randint(0, 100_000_000, (10_000,), generator=random)
        with table.changing(ids.unique()) as values:
            values["moment"].add_(values["rows"].sub_(1.0))
touch(30)
before, rows = memory(), len(table)
touch(70)
print((memory() - before) / (len(table) - rows))
"""


def test_memory_is_that_of_touched_rows_and_a_fifth() -> None:
    said = subprocess.run([sys.executable, "-c", GROWN], check=True, capture_output=True, text=True, timeout=100).stdout
    assert 128 <= float(said) <= 1.2 * 128  # bytes for a row of 16 floats and as many of state


BEGUN = """
import torch
from paddle_compat.engine.first_rows import uniform_rows
from paddle_compat.engine.sparse_table import SparseTable

def memory():
    return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))

before = memory()
table = SparseTable(64, 100_000_000, uniform_rows(64, -1, 1, 0), {"moment1": (64, 0.0), "moment2": (64, 0.0)})
table.lookup(torch.tensor([99_999_999]))
print(len(table), memory() - before)
"""


def test_a_hundred_million_rows_start_as_none() -> None:
    """What is not there takes no time to make either."""
    said = subprocess.run([sys.executable, "-c", BEGUN], check=True, capture_output=True, text=True, timeout=100).stdout
    rows, grown = map(int, said.split())
    assert rows <= 1
    assert grown < 64 * 1024**2  # of the 77 GB that all rows and their states are


def test_rows_without_updates_are_let_go_of_after_31_days() -> None:
    table = SparseTable(WIDTH, HEIGHT, numbered, {"moment": (WIDTH, 0.0)})
    old, new = torch.arange(0, 10_000, 2), torch.arange(1, 10_001, 2)
    adagrad(table, torch.cat([old, new]), torch.ones(10_000, WIDTH))
    for day in range(31):
        assert table.shrink() == 0
        table.day += 1
        if day == 4:
            adagrad(table, new[:3000], torch.ones(3000, WIDTH))  # which is an update
            table.lookup(old)  # which is none
    kept, copy = table.lookup(new[:3000]), SparseTable(WIDTH, HEIGHT, numbered, {"moment": (WIDTH, 0.0)})
    copy.restore(table.state())
    for each in (table, copy):
        assert each.shrink() == 7000 and len(each) == 3000
        assert torch.equal(each.lookup(new[:3000], grows=False), kept)
        assert not each.lookup(old, grows=False).any()
        assert torch.equal(each.lookup(old), numbered(old))  # they begin anew, and so do their states
        adagrad(each, old[:2], torch.ones(2, WIDTH))
        assert torch.allclose(each.lookup(old[:2]), numbered(old[:2]) - 1)
        assert each.shrink() == 0
        each.day += 4
        assert each.shrink() == 0
        each.day += 1
        assert each.shrink() == 3000 and len(each) == 5000
