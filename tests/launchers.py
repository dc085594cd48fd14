"""The launcher in a process of its own, and what the tests ask of those that it starts."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from job_server import STAND_IN
from processes import ROOT

from paddle_compat.distributed.launch.main import launch

SECONDS = 120  # many times what a test needs, for machines that are busy
Launcher = Callable[..., int]


def gone(pid: int) -> bool:
    """Whether a process is no more, soon."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{pid}/stat").exists() and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False


@contextmanager
def another(folder: Path, *words: str) -> Iterator[Any]:
    """A launcher in a process of its own: a fork of this one, which has torch already. What it says on stderr goes to a file."""

    def run_there() -> None:
        os.chdir(folder)
        with open("stderr", "w") as errors, open(os.devnull, "w") as nothing:
            os.dup2(errors.fileno(), 2)
            sys.stdout, sys.stderr = nothing, errors
            launch(list(words))

    process = multiprocessing.get_context("fork").Process(target=run_there)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


def logs_of(folder: Path, count: int) -> list[str]:
    """What the logs say once so many of them have a line."""
    found: list[str] = []
    while len(found) < count:
        found = [text for text in (path.read_text() for path in folder.glob("log/*log.?")) if "\n" in text]
        time.sleep(0.02)
    return found


@contextmanager
def forks(folder: Path) -> Iterator[Path]:
    """A program for the launcher: `PROGRAM SCRIPT WORDS` is `python -m paddle_compat SCRIPT WORDS`, in a fork that has torch already."""
    with TemporaryDirectory() as short:  # as the names of doors have to be
        door, program = os.path.join(short, "door"), folder / "run"
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        server = subprocess.Popen([sys.executable, str(ROOT / "tests/fork_server.py"), door], stdout=subprocess.PIPE, env=environment)
        try:
            assert server.stdout is not None and server.stdout.readline() == b"\n"
            program.write_text(STAND_IN.format(python=sys.executable, door=door, words=["-m", "paddle_compat"]))
            program.chmod(0o755)
            yield program
        finally:
            server.kill()
            server.communicate()
