"""Pythons in processes of their own, as the tests of the runner and the import hook run them; no test may hang or leave one."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 300  # that one process, or a test with workers, may take: a hundred times what they need, for machines that are busy


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Write files under a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


class Runner:
    """Runs commands in a folder with a Python, with a folder on PYTHONPATH."""

    def __init__(self, python: str, path: Path | None, folder: Path) -> None:
        self.python, self.folder = python, folder
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PADDLE"))}
        self.env.update(PYTHONDONTWRITEBYTECODE="1", OMP_NUM_THREADS="1")
        if path is not None:
            self.env["PYTHONPATH"] = str(path)

    def run(self, *words: str, stdin: str = "", cwd: Path | None = None) -> tuple[int, str, str]:
        """Exit status, standard output and standard error of `python WORDS`."""
        done = subprocess.run(
            [self.python, *words],
            cwd=cwd or self.folder,
            env=self.env,
            input=stdin.encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def output(self, *words: str, stdin: str = "", cwd: Path | None = None) -> str:
        """Standard output of `python WORDS`, which must succeed."""
        status, out, err = self.run(*words, stdin=stdin, cwd=cwd)
        assert status == 0, err
        return out

    def write(self, files: dict[str, str]) -> None:
        """Write files into the folder."""
        write_files(self.folder, files)


@contextmanager
def bounded_and_clean() -> Iterator[None]:
    """Inside, an alarm ends what hangs; afterwards no child is left."""

    def ring(number: int, frame: Any) -> None:
        raise TimeoutError(f"no end in {SECONDS} seconds")

    former = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        yield
        gc.collect()
        while multiprocessing.active_children():
            time.sleep(0.01)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, former)


def _replica_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name.startswith("replica-")}


@contextmanager
def replicas_end() -> Iterator[None]:
    """No thread of replicas that begins inside is alive afterwards. A script's functions and its globals may hold each other, and the
    threads with them, until somebody looks for such circles; what one circle held may be part of another."""
    former = _replica_threads()
    yield
    for _ in range(3):
        if _replica_threads() <= former:
            return
        gc.collect()
    held = [each for each in gc.get_objects() if type(each).__name__ == "Replicas"]
    assert _replica_threads() <= former, [str(holder)[:200] for each in held for holder in gc.get_referrers(each) if holder is not held]
