"""A server beside its calls: who left, snapshots in the folder that the job names, and SIGTERM, without a network."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import TestCase

import pytest
import torch

from paddle_compat.engine import server_loop
from paddle_compat.engine.parameter_server import Mode, ParameterServer

FOLDER = "PADDLE_COMPAT_PS_SNAPSHOTS"


class Job:
    """A transport of a job that is over after some looks at it, in each of which something happens."""

    name = "server1"

    def __init__(self, *happens: Callable[[], Any]) -> None:
        self.happens = list(happens)
        self.lost, self.done = set[str](), set[str]()
        self.inside: list[str] = []

    def join(self) -> None:
        self.inside.append("joined")

    def leave(self, done: bool = True) -> None:
        self.inside.append("left")

    @property
    def over(self) -> bool:
        if self.happens:
            self.happens.pop(0)()
            return False
        return True


def server(**options: Any) -> ParameterServer:
    """One with a single number, which every push makes one larger."""
    parameters = {"w": torch.zeros(1)}

    def update(pushed: Any) -> None:
        parameters["w"] = parameters["w"] + 1

    return ParameterServer(2, Mode.ASYNC, parameters, {}, update, **options)


def asked() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(FOLDER, raising=False)
    former = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGTERM, former)


def test_a_server_goes_on_from_its_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "of/the job"
    monkeypatch.setenv(FOLDER, str(folder))
    first = server()
    server_loop.serve(first, Job(lambda: first.push(1, 1, 0, {})))
    (folder / ".server1.snapshot.7.7.part").write_bytes(b"cut")  # a server was killed
    second = server()
    with TestCase().assertLogs(server_loop.__name__) as logged:
        server_loop.serve(second, Job(lambda: second.push(1, 1, 0, {}), lambda: second.push(1, 2, 1, {})))
    assert second.parameters["w"].item() == 2 and second.last == {0: 0, 1: 2}  # the first was there, and is not applied again
    assert os.listdir(folder) == ["server1.snapshot"]
    assert f"Went on from the snapshot {folder}/server1.snapshot, written at " in logged.output[0]


def test_nothing_is_answered_before_the_first_snapshot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.setenv("PADDLE_COMPAT_PS_SNAPSHOT_SECONDS", "1000")
    served, answers = server(), []

    def push() -> None:
        answers.append((served.answer("push", 0, 1, 0, {}).future.value()[0], (tmp_path / "server1.snapshot").exists()))

    class Eager(Job):
        def join(self) -> None:
            push()  # of a trainer that has joined a moment before

    server_loop.serve(served, Eager(push))
    assert answers == [("again", False), ("value", True)]


def test_snapshots_come_in_time_and_only_of_what_is_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.setenv("PADDLE_COMPAT_PS_SNAPSHOT_SECONDS", "0")
    monkeypatch.setattr(server_loop, "_SHARE", 0)
    served, saved = server(), []
    save = served.save
    monkeypatch.setattr(served, "save", lambda: saved.append(served.last[0]) or save())
    server_loop.serve(served, Job(lambda: None, lambda: served.push(0, 1, 0, {}), lambda: None, lambda: served.push(0, 2, 1, {})))
    assert saved == [0, 1, 2]


def test_without_a_folder_there_are_no_snapshots() -> None:
    alone, job = server(), Job(lambda: None)
    server_loop.serve(alone, job)
    assert alone.kept is None and job.inside == ["joined", "left"]


def test_a_full_disk_ends_no_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError("No space left on device")

    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.setattr(os, "fsync", full)
    job = Job(lambda: None)
    with TestCase().assertLogs(server_loop.__name__) as logged:
        server_loop.serve(server(), job)
    assert job.inside == ["joined", "left"] and "Wrote no snapshot: No space left on device" in logged.output[0]


def test_a_server_hears_who_left(monkeypatch: pytest.MonkeyPatch) -> None:
    told, served = [], server()
    monkeypatch.setattr(served, "without", lambda trainer, died: told.append((trainer, died)))
    job = Job(lambda: job.lost.update({"trainer0", "server0"}), lambda: None, lambda: job.done.add("trainer1"), lambda: None)
    server_loop.serve(served, job)
    assert told == [(0, True), (1, False)]


def test_sigterm_waits_for_the_end_of_a_job() -> None:
    job = Job(asked, lambda: None)
    server_loop.serve(server(), job)  # as when the launcher ends servers whose trainers have ended
    assert job.inside == ["joined", "left"] and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL  # a second one is heard


def test_sigterm_behind_a_job_is_passed_over_once() -> None:
    for _ in range(2):
        server_loop.serve(server(), Job())
    asked()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_sigterm_ends_a_job_that_does_not_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.setattr(server_loop, "_MOMENT", 0.0)
    served = server()
    job = Job(asked, lambda: served.push(0, 1, 0, {}), *[lambda: None] * 1000)
    with pytest.raises(SystemExit) as end:
        server_loop.serve(served, job)
    assert end.value.code == 143 and job.inside == ["joined", "left"]
    assert torch.load(tmp_path / "server1.snapshot", weights_only=True)["last"] == served.last


def test_sigterm_while_others_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    job = Job()
    monkeypatch.setattr(job, "join", asked)
    with pytest.raises(SystemExit) as end:
        server_loop.serve(server(), job)
    assert end.value.code == 143


def test_a_handler_of_the_script_stays() -> None:
    heard: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    server_loop.serve(server(), Job(asked))
    assert heard == [signal.SIGTERM]
