"""Look-ups of a table on servers: found at once and side by side, each row's gradient sent once, the same numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.core.job import Servers
from paddle_compat.engine import remote_rows, trainer
from paddle_compat.ops._sparse_updates import Occurrences

ENDPOINTS = ("127.0.0.1:6174", "127.0.0.1:6175")
RANDOM = np.random.RandomState(1)
TABLE = torch.from_numpy(RANDOM.standard_normal((6000, 4)).astype("float32"))


class Near:
    """Servers of a table of two parts, and of other parameters, in this process."""

    def __init__(self) -> None:
        self.pushed: dict[str, torch.Tensor] = {}
        self.asked: dict[str, torch.Tensor] = {}
        self.answered: dict[str, torch.Tensor] = {}

    def call_async(self, to: str, method: str, *arguments: Any) -> Any:
        if method == "lookup":
            parts = {"emb.block0": TABLE[:3000], "emb.block1": TABLE[3000:]}
            value = {name: parts[name][ids] for name, ids in arguments[0].items()}
            self.asked.update(arguments[0])
            self.answered.update(value)
        elif method == "push":
            self.pushed.update(arguments[3])
            value = {}
        else:
            value = {name: torch.full(SHAPES[name], 0.1) for name in arguments[0]}
        return _Now(value)


class _Now:
    def __init__(self, value: Any) -> None:
        self.value = value

    def result(self) -> Any:
        return self.value


SHAPES: dict[str, tuple[int, ...]] = {}


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    yield
    trainer._trainer = None
    paddle.disable_static()


def ids_of_a_step() -> dict[str, Any]:
    """What three look-ups ask for: the padding's id, and two ids that come twice."""
    numbers = np.random.RandomState(5)
    feed = {f"ids{i}": numbers.randint(0, 6000, (6, 1)).astype("int64") for i in range(3)}
    feed["ids1"][0] = 7
    feed["ids2"][:2] = feed["ids0"][:2]
    return feed


def step(kind: str, monkeypatch: pytest.MonkeyPatch, joins: bool) -> tuple[Near, float, str]:
    """The servers after a trainer's step, its loss, and its code."""
    layers, main, startup = fluid.layers, fluid.Program(), fluid.Program()
    attr = fluid.ParamAttr(name="emb", initializer=fluid.initializer.Constant(0.0))
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        ids = [fluid.data(f"ids{i}", [None, 1], "int64") for i in range(3)]
        look = layers.embedding if kind.startswith("old") else fluid.embedding
        rows = [look(each, [6000, 4], is_sparse=True, param_attr=attr, padding_idx=7) for each in ids]
        if "read twice" in kind:
            extra = [layers.reduce_sum(layers.reshape(rows[0], [-1, 4]), 1, keep_dim=True)]
        else:
            extra = [fluid.data("dense", [None, 2])]
        rows = [layers.reshape(row, [-1, 4]) for row in rows] if "reshaped" in kind else rows
        y = layers.fc(layers.concat([*extra, *rows], axis=-1), 1, param_attr=fluid.initializer.Constant(0.1))
        loss = layers.mean(layers.square(layers.sigmoid(y)))
        fluid.optimizer.SGD(0.1).minimize(loss)
        made = fluid.DistributeTranspiler()
        made.transpile(0, pservers=",".join(ENDPOINTS), trainers=1)
    program = made.get_trainer_program()
    SHAPES.update({name: tuple(var.shape) for name, var in program.global_block().vars.items()})
    near = Near()
    trainer._trainer = trainer.Trainer(program._servers)
    assert program._servers == Servers(ENDPOINTS, 1, 0)
    trainer._trainer._transport, trainer._trainer.pushes, trainer._trainer.answered = cast(Any, near), [0, 0], [0, 0]
    feed = ids_of_a_step()
    if "read twice" not in kind:
        feed["dense"] = np.random.RandomState(6).rand(6, 2).astype("float32")
    with monkeypatch.context() as patch, fluid.scope_guard(fluid.Scope()):
        if not joins:
            patch.setattr(remote_rows, "join", lambda lowered, graph: None)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        (value,) = exe.run(program, feed=feed, fetch_list=[loss])
        code = program.to_fx(list(feed), [loss]).code
    return near, float(value.item()), code


@pytest.mark.parametrize(
    ("kind", "called"),
    [
        ("new reshaped", "joined"),
        ("old reshaped", "joined"),
        ("old", "joined"),
        ("old read twice", "lists"),
        ("new reshaped read twice", "lists"),
    ],
)
def test_the_same_gradients_are_sent(kind: str, called: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one_by_one, expected, plain = step(kind, monkeypatch, joins=False)
    joined, loss, code = step(kind, monkeypatch, joins=True)
    apart, sent = one_by_one.pushed, joined.pushed
    assert f"remote_rows_{called}(" in code and "trainer_lookup(" in plain
    assert loss == pytest.approx(expected, rel=1e-6)
    assert sent.keys() == apart.keys() and {"emb@GRAD.block0", "emb@GRAD.block1"} <= sent.keys()
    for name, value in sent.items():
        torch.testing.assert_close(value.to_dense(), apart[name].to_dense())
        if value.is_sparse:
            rows = value._indices()[0]
            assert len(rows) == len(rows.unique()) > 0


@pytest.mark.parametrize("kind", ["new reshaped", "old", "old read twice"])
def test_touched_rows_alone_travel(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    near, _, _ = step(kind, monkeypatch, joins=True)
    touched = {int(each) for ids in ids_of_a_step().values() for each in ids.flatten()}
    there = {0: "emb.block0", 3000: "emb.block1"}
    asked = [first + int(row) for first, name in there.items() for row in near.asked[name]]
    assert sorted(asked) in (sorted(touched), sorted(touched - {7}))
    gradients = {first: near.pushed[f"emb@GRAD.{name[4:]}"].coalesce() for first, name in there.items()}
    moved = [first + int(row) for first, gradient in gradients.items() for row in gradient.indices()[0]]
    assert sorted(moved) in (sorted(touched), sorted(touched - {7}))
    # An id of 8 bytes there, 4 floats back, and both with the gradient: of a table of 96,000 bytes less than 900 in 18 look-ups.
    answers = sum(value.numel() * value.element_size() for value in near.answered.values())
    gone = sum(gradient.indices().nbytes + gradient.values().nbytes for gradient in gradients.values())
    assert len(asked) * 8 + answers + gone <= len(touched) * (8 + 16 + 8 + 16) < 900


@pytest.mark.parametrize("ids", [[], [3], [5, 2, 5, 5, 9, 2], [1 << 62, 3, 1 << 62], [-4, 2, -4]])
def test_occurrences(ids: list[int]) -> None:
    numbers = torch.tensor(ids, dtype=torch.int64)
    found = Occurrences.of(numbers)
    unique, back = torch.unique(numbers, return_inverse=True)
    assert torch.equal(found.rows, unique) and torch.equal(found.back, back)
    for values in (torch.randn(len(ids), 3), torch.randn(len(ids), 3, dtype=torch.float64), torch.randn(len(ids), 2, 2)):
        expected = torch.zeros(len(unique), *values.shape[1:], dtype=values.dtype).index_add_(0, back, values)
        assert torch.equal(found.merged(values), expected)
