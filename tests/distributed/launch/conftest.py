"""The launcher in this process."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from launchers import SECONDS, Launcher
from processes import ROOT

import paddle_compat
from paddle_compat.distributed.launch.main import launch


@pytest.fixture
def launcher(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Launcher]:
    """Runs the launcher in this process, which has torch already, in a folder of its own; returns its exit status."""
    environment, handlers = dict(os.environ), {number: signal.getsignal(number) for number in (1, 2, 3, 15)}
    monkeypatch.chdir(tmp_path)
    for name in environment:
        if name.startswith(("PADDLE", "POD_", "RANK", "WORLD_SIZE", "LOCAL_")):
            del os.environ[name]
    os.environ["PYTHONPATH"] = str(ROOT)

    def bounded(number: int, frame: Any) -> None:
        raise TimeoutError(f"no end in {SECONDS} seconds")

    signal.signal(signal.SIGALRM, bounded)
    signal.alarm(SECONDS)

    def start(*words: str, how: Any = launch) -> int:
        with pytest.raises(SystemExit) as end:
            how(list(words))
        return int(end.value.code or 0)

    yield start
    signal.alarm(0)
    paddle_compat.uninstall()
    for number, handler in handlers.items():
        signal.signal(number, handler)
    os.environ.clear()
    os.environ.update(environment)
