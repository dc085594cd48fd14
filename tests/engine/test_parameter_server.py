"""Rounds of pushes, pushes that are applied as they come, retries, deaths, wrong calls and snapshots, without a network."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest import TestCase

import pytest
import torch

from paddle_compat.core.errors import (
    ExecutionTimeoutError,
    InvalidArgumentError,
    NotFoundError,
    OutOfRangeError,
    PreconditionNotMetError,
    UnavailableError,
    UnreadableFileError,
)
from paddle_compat.engine.parameter_server import Mode, ParameterServer
from paddle_compat.engine.sparse_table import SparseTable
from paddle_compat.engine.transport import Promise

TRAINERS = 3


class Job:
    """A server whose updates subtract the mean of what came."""

    def __init__(self, mode: Mode = Mode.SYNC, **options: Any) -> None:
        self.parameters = {"w": torch.zeros(2, 3), "b": torch.ones(4)}
        self.table = SparseTable(2, 1000, lambda ids: ids[:, None].float().expand(-1, 2))
        self.rounds: list[list[int]] = []
        self.fails = False
        expected = {"w@GRAD": (2, 3), "b@GRAD": (4,), "t@GRAD": (1000, 2)}
        self.server = ParameterServer(TRAINERS, mode, self.parameters, expected, self.update, {"t": self.table}, **options)

    def update(self, pushed: Mapping[int, dict[str, torch.Tensor]]) -> None:
        if self.fails:
            raise InvalidArgumentError("no such update")
        self.rounds.append(list(pushed))
        for name in self.parameters:
            self.parameters[name] = self.parameters[name] - sum(each[f"{name}@GRAD"] for each in pushed.values()) / len(pushed)

    def push(self, trainer: int, number: int, value: float, known: int = 0) -> Promise:
        gradients = {"w@GRAD": torch.full((2, 3), value), "b@GRAD": torch.full((4,), value)}
        promise = self.server.answer("push", trainer, number, known, gradients, ["w"])
        assert isinstance(promise, Promise)
        return promise


def said(promise: Promise) -> Any:
    assert promise.future.done()
    kind, value = promise.future.value()
    return value["w"][0, 0].item() if kind == "value" else (kind, value)


def test_a_round_is_applied_once_when_all_have_pushed() -> None:
    job = Job()
    promises = [job.push(trainer, 1, float(trainer)) for trainer in (2, 0)]
    assert not any(promise.future.done() for promise in promises) and job.rounds == []
    promises.append(job.push(1, 1, 1.0))
    assert [said(promise) for promise in promises] == [-1.0] * 3
    assert job.rounds == [[0, 1, 2]]  # in the order of the trainers, whoever came first
    assert job.server.answer("pull", ["b"])["b"].tolist() == [0.0] * 4


def test_a_call_that_is_made_again_counts_once() -> None:
    job = Job()
    lost = job.push(0, 1, 3.0)
    again = job.push(0, 1, 3.0)
    assert said(lost) == ("again", None)
    others = [job.push(trainer, 1, 3.0) for trainer in (1, 2)]
    assert [said(promise) for promise in (again, *others)] == [-3.0] * 3
    assert said(job.push(1, 1, 3.0)) == -3.0 and job.rounds == [[0, 1, 2]]  # applied: its answer is given again
    assert [job.server.answer("hello", trainer) for trainer in range(TRAINERS)] == [1, 1, 1]


def test_without_rounds_each_push_counts_as_it_comes() -> None:
    job = Job(Mode.ASYNC)
    assert [said(job.push(trainer, number, 1.0)) for trainer, number in ((0, 1), (0, 2), (2, 1), (0, 2))] == [-1.0, -2.0, -3.0, -3.0]
    assert job.rounds == [[0], [0], [2]] and job.server.answer("hello", 0) == 2


def test_who_waits_for_a_trainer_that_died_is_told() -> None:
    job = Job()
    waiting = job.push(0, 1, 1.0)
    job.server.without(2, died=True)
    kind, text = said(waiting)
    assert kind == UnavailableError.__name__ and text.startswith("Trainer 2 of 3 died")
    assert job.server.answer("hello", 2) == 0  # it has come back: all take part again
    first = [job.push(trainer, 1, 2.0) for trainer in (0, 1)]
    assert not any(promise.future.done() for promise in first)
    assert said(job.push(2, 1, 2.0)) == -2.0


@pytest.mark.parametrize("returns", [False, True])
def test_a_trainer_that_died_while_nobody_waited_is_told_of(returns: bool) -> None:
    job = Job(returns=returns)
    job.server.without(2, died=True)
    for number in (1, 2) if not returns else (1,):  # nobody starts it again: every push fails
        kind, text = said(job.push(0, number, 1.0))
        assert kind == UnavailableError.__name__ and text.startswith("Trainer 2 of 3 died")
    if returns:
        job.server.answer("hello", 1)  # a new process, which need not hear of it
        waiting = [job.push(trainer, 2, 1.0) for trainer in (0, 1)]
        assert not any(promise.future.done() for promise in waiting) and job.server.answer("hello", 2) == 0
        assert [said(promise) for promise in (job.push(2, 1, 1.0), *waiting)] == [-1.0] * 3
    assert job.rounds == [[0, 1, 2]] * returns


@pytest.mark.parametrize(("died", "options"), [(True, {"goes_on": True}), (False, {})])
def test_a_round_goes_on_without_a_trainer(died: bool, options: Any) -> None:
    job = Job(**options)
    waiting = [job.push(trainer, 1, 1.0 + trainer) for trainer in (0, 1)]
    job.server.without(2, died)
    assert [said(promise) for promise in waiting] == [-1.5, -1.5] and job.rounds == [[0, 1]]


def test_who_waits_too_long_is_told_for_whom() -> None:
    job = Job(patience=0.0)
    waiting = job.push(1, 1, 1.0)
    job.server.look_at_the_clock()
    kind, text = said(waiting)
    assert kind == ExecutionTimeoutError.__name__ and text.endswith("Received: none of 0, 2")
    job.server.look_at_the_clock()  # nothing is gathered now
    assert said(job.push(1, 0, 1.0)) == 0.0


def test_an_update_that_fails_counts_for_nobody() -> None:
    job = Job()
    job.fails = True
    failed = [job.push(trainer, 1, 1.0) for trainer in range(TRAINERS)]
    assert [said(promise) for promise in failed] == [("InvalidArgumentError", "no such update")] * 3
    job.fails = False
    assert [said(promise) for promise in [job.push(trainer, 1, 1.0) for trainer in range(TRAINERS)]][-1] == -1.0


def test_interrupted_pushes_are_to_be_made_again() -> None:
    job = Job()
    waiting = [job.push(trainer, 1, 1.0) for trainer in (0, 1)]
    job.server.interrupt()
    assert [said(promise) for promise in waiting] == [("again", None)] * 2
    job.push(2, 1, 1.0)
    assert job.rounds == []


def rows(*ids: int) -> torch.Tensor:
    return torch.sparse_coo_tensor(torch.tensor([ids]), torch.ones(len(ids), 2), (1000, 2), check_invariants=False)


WRONG = {
    "method": (("burn",), NotFoundError, "no method 'burn'"),
    "trainer": (("hello", 3), InvalidArgumentError, "Expected 0 to 2. Received: 3"),
    "gradient": (("push", 0, 1, 0, {"v@GRAD": torch.ones(1)}), InvalidArgumentError, "Received: 'v@GRAD'"),
    "shape": (("push", 0, 1, 0, {"b@GRAD": torch.ones(3)}), InvalidArgumentError, r"'b@GRAD'. Expected shape \[4\]. Received: \[3\]"),
    "row": (("push", 0, 1, 0, {"t@GRAD": rows(5, 1000)}), OutOfRangeError, "rows of gradient 't@GRAD'. Expected 0 to 999. Received: 1000"),
    "negative row": (("push", 0, 1, 0, {"t@GRAD": rows(-1, 5)}), OutOfRangeError, "Received: -1"),
    "wanted": (("push", 0, 1, 0, {}, ["v"]), NotFoundError, r"no parameter 'v'. Expected one of \['b', 'w'\]"),
    "parameter": (("pull", ["v"]), NotFoundError, "no parameter 'v'"),
    "table": (("lookup", {"v": torch.ones(1).long()}), NotFoundError, r"no table 'v'. Expected one of \['b', 't', 'w'\]"),
    "id": (("lookup", {"t": torch.tensor([7, 1000])}), OutOfRangeError, "Expected ids from 0 to 999. Received: 1000"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_calls_are_refused_and_the_server_goes_on(name: str) -> None:
    job = Job(Mode.ASYNC)
    arguments, kind, text = WRONG[name]
    with pytest.raises(kind, match=text):
        job.server.answer(*arguments)
    assert said(job.push(0, 1, 1.0)) == -1.0
    assert job.server.answer("lookup", {"t": torch.tensor([[5], [7]])})["t"].tolist() == [[[5.0, 5.0]], [[7.0, 7.0]]]


def test_many_threads_push_at_once() -> None:
    job = Job()
    answers: list[list[float]] = [[] for _ in range(TRAINERS)]

    def train(trainer: int) -> None:
        for number in range(1, 51):
            answers[trainer].append(job.push(trainer, number, 1.0).future.wait()[1]["w"][0, 0].item())

    threads = [threading.Thread(target=train, args=(trainer,)) for trainer in range(TRAINERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert answers == [[-float(number) for number in range(1, 51)]] * TRAINERS


def test_a_snapshot_brings_everything_back(tmp_path: Path) -> None:
    job, path = Job(Mode.ASYNC), tmp_path / "server0"
    job.push(1, 5, 2.0)
    job.server.answer("lookup", {"t": torch.tensor([3, 900])})
    (tmp_path / ".server0.1234.5678.part").touch()  # of a server that was killed while it wrote
    job.server.answer("save", str(path))
    job.push(1, 6, 2.0)
    job.server.answer("lookup", {"t": torch.tensor([4])})

    again = Job(Mode.ASYNC)
    again.server.restore(path)
    assert said(again.push(1, 5, 2.0)) == -2.0 and len(again.table) == 2  # what was acknowledged is in it, and is not applied again
    assert said(again.push(1, 6, 2.0, known=5)) == -4.0 and again.server.answer("hello", 0) == 0
    assert os.listdir(tmp_path) == ["server0"]


def test_days_count_once_each_and_let_go_of_rows() -> None:
    job = Job(Mode.ASYNC)
    job.server.answer("lookup", {"t": torch.tensor([3, 900])})
    for day in range(30):
        job.server.answer("end_day", f"day {day}")
    job.server.answer("end_day", "day 29")  # the call was made again; its answer had got lost
    assert job.server.answer("shrink") == 0 and len(job.table) == 2
    job.server.answer("end_day", "day 30")
    job.server.answer("lookup", {"t": torch.tensor([4])})  # a row that is made now
    assert job.server.answer("shrink") == 2 and len(job.table) == 1


def test_a_server_says_what_came_after_its_snapshot(tmp_path: Path) -> None:
    job = Job(Mode.ASYNC, kept=tmp_path / "server0")
    job.push(1, 5, 2.0)
    job.server.answer("save")
    again = Job(Mode.ASYNC)
    again.server.restore(tmp_path / "server0")
    with TestCase().assertLogs("paddle_compat.engine") as logged:
        for number in (9, 10):
            assert said(again.push(1, number, 2.0, known=8)) == -2.0 * (number - 7)
    assert [each.getMessage() for each in logged.records] == ["Lost the updates 6 to 8 of trainer 1, which came after the snapshot."]


def test_a_server_that_lost_its_parameters_says_so() -> None:
    job = Job(Mode.ASYNC)
    with pytest.raises(PreconditionNotMetError, match="started again and its parameters are lost.*trainer 1 knows of 7 updates"):
        job.push(1, 8, 1.0, known=7)
    assert job.rounds == []
    assert said(job.push(2, 3, 1.0)) == -1.0  # whose first pushes failed


def test_what_is_no_snapshot_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cut").write_bytes(b"PK\3\4 and nothing")
    with pytest.raises(UnreadableFileError, match="cut is no snapshot"):
        Job().server.restore(tmp_path / "cut")
    for name, value in {"b": torch.ones(1), "c": torch.ones(4)}.items():
        other, job = Job(), Job()
        del other.parameters["b"]
        other.parameters[name] = value
        other.server.save(tmp_path / "other")
        with pytest.raises(InvalidArgumentError, match=rf"another server's snapshot.*Received: \['{name}', 'w'\]"):
            job.server.restore(tmp_path / "other")
        assert job.parameters["b"].tolist() == [1.0] * 4
    with pytest.raises(PreconditionNotMetError, match="keeps no snapshots.*PADDLE_COMPAT_PS_SNAPSHOTS"):
        job.server.answer("save")


def test_a_failed_snapshot_leaves_the_former_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job, path = Job(Mode.ASYNC), tmp_path / "server0"
    job.server.save(path)

    def full(*arguments: Any) -> None:
        raise OSError("No space left on device")

    job.push(0, 1, 1.0)
    with monkeypatch.context() as patched, pytest.raises(OSError, match="No space left"):
        patched.setattr(os, "fsync", full)
        job.server.save(path)
    again = Job(Mode.ASYNC)
    again.server.restore(path)
    assert again.server.answer("hello", 0) == 0 and os.listdir(tmp_path) == ["server0"]
