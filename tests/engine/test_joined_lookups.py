"""Look-ups of one table that are joined, sums over sequences with them: the numbers of each by itself, and where they are left alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.core import mode
from paddle_compat.engine import peephole

ROWS, WIDTH = 12, 4
LENGTHS = {
    "single": [[1] * 5] * 4,
    "many": [[2, 1, 3, 1, 4], [1] * 5, [3, 3, 1, 1, 1], [1, 5, 2, 2, 1]],
    "some none": [[0, 1, 3, 0, 4], [1] * 5, [3, 3, 0, 1, 1], [1, 5, 2, 2, 0]],
    "as many": [[2, 0, 1, 1, 1], [1] * 5, [1] * 5, [0, 1, 1, 2, 1]],
    "nothing": [[0] * 5] * 4,
}


@pytest.fixture(autouse=True)
def recording() -> Iterator[None]:
    former = mode.set_static(True)
    yield
    mode.set_static(former)


def sequences(lengths: Sequence[int], seed: int, width: int = 1) -> Any:
    ids = np.random.RandomState(seed).randint(0, ROWS, (sum(lengths), width)).astype("int64")
    return fluid.create_lod_tensor(ids, [list(lengths)], fluid.CPUPlace())


class Model:
    """Slots that look up one table, and what a test makes of them: steps of it with look-ups joined and each by itself."""

    def __init__(self, old: bool, lengths: Sequence[Sequence[int]], **attrs: Any) -> None:
        self.old = old
        self.main, self.startup = fluid.Program(), fluid.Program()
        self.main.random_seed = self.startup.random_seed = 3
        self.feed = {f"s{i}": sequences(each, i) for i, each in enumerate(lengths)}
        self.guards = fluid.program_guard(self.main, self.startup), fluid.unique_name.guard()
        for guard in self.guards:
            guard.__enter__()
        embedding = fluid.layers.embedding if old else paddle.static.nn.embedding
        data = fluid.data if old else paddle.static.data
        table = (fluid if old else paddle).ParamAttr(name="table")
        self.slots = [data(name, [None, 1], "int64", lod_level=1) for name in self.feed]
        self.look_up = lambda slot: embedding(slot, [ROWS, WIDTH], param_attr=table, **attrs)
        self.rows = [self.look_up(slot) for slot in self.slots]

    def pooled(self, kind: str, pad: float = 0.0) -> list[Any]:
        pool = fluid.layers.sequence_pool if self.old else paddle.static.nn.sequence_pool
        return [pool(row, kind, pad_value=pad) for row in self.rows]

    def side_by_side(self, parts: list[Any]) -> Any:
        if self.old:
            return fluid.layers.concat(parts, axis=1)
        return paddle.concat([paddle.reshape(part, [-1, WIDTH]) for part in parts], axis=1)

    def minimize(self, *values: Any) -> Any:
        """The sum of squares of what is given, each part weighted otherwise, learned by SGD."""
        squares = [fluid.layers.scale(fluid.layers.reduce_sum(fluid.layers.square(x)), 0.5 + i) for i, x in enumerate(values)]
        loss = fluid.layers.sum(squares)
        fluid.optimizer.SGD(0.1).minimize(loss)
        return loss

    def runs(self, monkeypatch: pytest.MonkeyPatch, fetch: list[Any], steps: int = 2) -> tuple[list[Any], list[Any], str]:
        """What is fetched in some steps, and the table behind them: each by itself, then joined; the code of the latter."""
        for guard in reversed(self.guards):
            guard.__exit__(None, None, None)
        found = []
        for enabled in ([], ["lookups"]):
            monkeypatch.setattr(peephole, "ENABLED", enabled)
            self.main._touch()
            scope, exe = fluid.Scope(), fluid.Executor(fluid.CPUPlace())
            exe.run(self.startup, scope=scope)
            values = []
            for _ in range(steps):
                got = exe.run(self.main, self.feed, fetch, scope=scope, return_numpy=False)
                values += [np.array(value) for value in got]
            found.append([*values, np.array(scope.find_var("table").get_tensor())])
        code = self.main._lowered["last"][1].lowered.module.code
        return found[0], found[1], code


def same(plain: list[Any], joined: list[Any]) -> None:
    assert len(plain) == len(joined)
    for a, b in zip(plain, joined, strict=True):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=2e-6, atol=1e-7)


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("kind", ["sum", "average", "sqrt"])
@pytest.mark.parametrize("old", [True, False])
def test_pooled_rows_side_by_side(monkeypatch: pytest.MonkeyPatch, old: bool, kind: str, lengths: str) -> None:
    model = Model(old, LENGTHS[lengths], is_sparse=kind != "sqrt", padding_idx=3 if kind == "average" else None)
    joined = model.side_by_side(model.pooled(kind, 0.25))
    loss = model.minimize(joined)
    plain, short, code = model.runs(monkeypatch, [loss])
    same(plain, short)
    assert "lookup_pooled_joined(" in code and "sequence_pool(" not in code and "concat(" not in code


@pytest.mark.parametrize("lengths", LENGTHS)
@pytest.mark.parametrize("old", [True, False])
def test_pooled_rows_that_go_anywhere(monkeypatch: pytest.MonkeyPatch, old: bool, lengths: str) -> None:
    model = Model(old, LENGTHS[lengths], is_sparse=True)
    parts = model.pooled("sum", 1.5)
    loss = model.minimize(*parts)
    plain, short, code = model.runs(monkeypatch, [loss, *parts])
    same(plain, short)
    assert "lookup_pooled(" in code and "sequence_pool(" not in code


def test_lookups_that_say_how_servers_keep_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model(False, LENGTHS["many"])
    rows = [paddle.static.nn.sparse_embedding(slot, [ROWS, WIDTH], param_attr=paddle.ParamAttr(name="table")) for slot in model.slots]
    joined = paddle.concat([paddle.static.nn.sequence_pool(row, "sum") for row in rows], axis=1)
    plain, short, code = model.runs(monkeypatch, [model.minimize(joined)])
    same(plain, short)
    assert "lookup_pooled_joined(" in code


@pytest.mark.parametrize("reason", ["rows fetched", "rows read", "largest", "two pools"])
def test_rows_that_are_pooled_by_themselves(monkeypatch: pytest.MonkeyPatch, reason: str) -> None:
    """Rows that somebody else wants are there; the look-ups are joined all the same."""
    model = Model(True, LENGTHS["many"], is_sparse=True)
    parts = model.pooled("max" if reason == "largest" else "sum")
    if reason == "two pools":
        parts += model.pooled("average")
    loss = model.minimize(model.side_by_side(parts), *(model.rows if reason == "rows read" else []))
    plain, short, code = model.runs(monkeypatch, [loss, *(model.rows if reason == "rows fetched" else [])])
    same(plain, short)
    assert "lookup_pooled" not in code and "lookup_many(" in code


def test_slots_with_other_numbers_of_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model(True, [[1, 2], [3], [1, 1, 1]], is_sparse=True)
    parts = model.pooled("sum")
    loss = model.minimize(*parts)
    plain, short, _ = model.runs(monkeypatch, [loss, *parts])
    same(plain, short)


def test_two_levels_of_sequences(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last level is pooled; the outer one goes on to whoever reads it."""
    model = Model(True, LENGTHS["single"], is_sparse=True)
    ids = np.arange(6).reshape(6, 1)
    model.feed = {name: fluid.create_lod_tensor(ids, [[2, 1], [3, 2, 1]], fluid.CPUPlace()) for name in model.feed}
    parts = model.pooled("sum")
    joined = model.side_by_side(parts)
    outer = fluid.layers.sequence_pool(joined, "sum")
    loss = model.minimize(joined, outer)
    plain, short, code = model.runs(monkeypatch, [loss, outer])
    same(plain, short)
    assert "lookup_pooled_joined(" in code and code.count("sequence_pool(") == 1


def test_an_id_that_the_table_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model(True, LENGTHS["many"], is_sparse=True)
    loss = model.minimize(model.side_by_side(model.pooled("sum")))
    model.feed["s1"] = fluid.create_lod_tensor(np.full((5, 1), ROWS), [[1] * 5], fluid.CPUPlace())
    with pytest.raises(ValueError, match=rf"ids from 0 to {ROWS - 1}"):
        model.runs(monkeypatch, [loss])


def test_lookups_around_an_update(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are looked up after the table learned are the new ones."""
    model = Model(True, LENGTHS["single"], is_sparse=True)
    before = model.minimize(model.side_by_side(model.rows))
    after = fluid.layers.reduce_sum(fluid.layers.concat([model.look_up(slot) for slot in model.slots], axis=1))
    plain, short, code = model.runs(monkeypatch, [before, after])
    same(plain, short)
    assert code.count("lookup_joined(") == 2
