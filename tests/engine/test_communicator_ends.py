"""A trainer that leaves while a communicator sends for it: its thread ends first, and servers hear of one that lost something."""

from __future__ import annotations

import threading
from typing import Any

import pytest
import torch

from paddle_compat.core.errors import UnavailableError
from paddle_compat.core.job import Servers
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope
from paddle_compat.engine import trainer
from paddle_compat.engine.communicator import Communicator, Kind, Settings


class Nobody:
    """A transport whose calls fail when the job is left, or at once."""

    def __init__(self, waits: bool) -> None:
        self.called, self.gone = threading.Event(), threading.Event()
        self.left: list[bool] = []
        if not waits:
            self.gone.set()

    def call_async(self, to: str, method: str, *arguments: Any) -> Nobody:
        self.called.set()
        return self

    def result(self) -> Any:
        self.gone.wait(30)
        raise UnavailableError("nobody answers")

    def leave(self, done: bool) -> None:
        self.left.append(done)
        self.gone.set()


def sending(monkeypatch: pytest.MonkeyPatch, waits: bool) -> tuple[trainer.Trainer, Nobody, threading.Thread]:
    """A trainer whose communicator is in a call."""
    own, transport = trainer.Trainer(Servers(("127.0.0.1:1",), 1)), Nobody(waits)
    own._transport, own.pushes, own.answered = transport, [0], [0]  # type: ignore[assignment]
    own.routes["g"] = trainer.Parts("g", ("g",), ("127.0.0.1:1",), (2,))
    monkeypatch.setattr(trainer, "_trainer", own)
    program = Program()
    program._servers = own.servers
    communicator = Communicator(program, Kind.ASYNC, Settings(queue=4), Scope())
    communicator.start()
    for _ in range(1 + waits):
        communicator.put({"g": torch.ones(2)})
    assert transport.called.wait(10) and communicator._thread is not None
    return own, transport, communicator._thread


def test_who_gives_up_leaves_no_thread_in_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    own, transport, thread = sending(monkeypatch, waits=True)
    own.leave(done=False)
    assert transport.left == [False] and not thread.is_alive()


def test_who_could_not_send_all_is_not_done(monkeypatch: pytest.MonkeyPatch) -> None:
    own, transport, thread = sending(monkeypatch, waits=False)
    with pytest.raises(UnavailableError, match="nobody answers"):
        own.leave()
    assert transport.left == [False] and not thread.is_alive()
