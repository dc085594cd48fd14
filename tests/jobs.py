"""Jobs of several processes on this machine, as Paddle's environment variables make them; bounded in time, and no process is left."""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import processes
from job_server import STAND_IN
from processes import ROOT, Runner

SECONDS = 60  # that a job may take: many times what it needs, for machines that are busy


_kept: deque[socket.socket] = deque(maxlen=64)


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on, kept for a while from what takes any, as connections do: a job's servers come seconds later."""
    for _ in range(count):
        _kept.append(socket.socket())
        _kept[-1].bind(("127.0.0.1", 0))
        _kept[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # whoever asks for this very port can have it
    return [each.getsockname()[1] for each in list(_kept)[-count:]]


def run_job(
    script: Path, size: int, seconds: float = SECONDS, arguments: Sequence[str] = (), folder: Path | None = None, **variables: str
) -> list[tuple[int, str]]:
    """Run a script in so many processes, which Paddle's variables make a job. No launcher ends the others when one fails.

    Args:
        seconds: that all of them may take together.
        arguments: of the script.
        folder: where it runs, and where its output is kept; the script's own by default.
        variables: of the environment.
    Returns:
        For each process its exit status and what it wrote.
    """
    endpoints = [f"127.0.0.1:{port}" for port in free_ports(size)]
    shared = {"PADDLE_TRAINERS_NUM": str(size), "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints), **variables}
    own = [{"PADDLE_TRAINER_ID": str(rank), "PADDLE_CURRENT_ENDPOINT": endpoint} for rank, endpoint in enumerate(endpoints)]
    words = ["-m", "paddle_compat", str(script), *arguments]
    return run_together([words] * size, [{**shared, **each} for each in own], folder or script.parent, seconds)


def run_together(
    words: Sequence[Sequence[str]], variables: Sequence[Mapping[str, str]], folder: Path, seconds: float = SECONDS
) -> list[tuple[int, str]]:
    """Run Pythons beside one another.

    Args:
        words: of each, behind `python`.
        variables: of the environment of each; nothing else there speaks of a job.
        folder: where they run, and where the output of each is kept.
        seconds: that all of them may take together.
    Returns:
        For each its exit status and what it wrote.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PADDLE", "PYTHON", "CPU_NUM"))}
    kept |= {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    logs = [folder / f"output.{number}" for number in range(len(words))]
    for log in logs:
        log.write_bytes(b"")
    given = zip(words, variables, ([os.devnull, str(log), str(log)] for log in logs))
    asked = [{"words": said, "environment": {**kept, **own}, "files": files} for said, own, files in given]
    statuses = _server(os.getpid()).run({"processes": asked, "folder": str(folder), "seconds": seconds})
    texts = [log.read_text() for log in logs]
    if None in statuses:
        said = "\n".join(f"process {number}, {status}: {text[-2000:]}" for number, (status, text) in enumerate(zip(statuses, texts)))
        raise TimeoutError(f"a job took more than {seconds} seconds\n{said}")
    return list(zip(statuses, texts))


class Forked(Runner):
    """Runs commands in forks of a Python that has torch already: for those that do not ask what is imported first, nor leave processes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(sys.executable, ROOT, folder)

    def run(self, *words: str, stdin: str = "", cwd: Path | None = None) -> tuple[int, str, str]:
        """Exit status, standard output and standard error of `python WORDS`."""
        with TemporaryDirectory() as kept:
            files = [Path(kept, name) for name in ("input", "output", "errors")]
            files[0].write_text(stdin)
            server = _server(os.getpid())
            environment = {"PYTHON_EXEC": server.program, **self.env}  # what torchrun starts
            process = {"words": words, "environment": environment, "files": [str(file) for file in files]}
            (status,) = server.run({"processes": [process], "folder": str(cwd or self.folder), "seconds": processes.SECONDS})
            out, errors = (file.read_text() if file.exists() else "" for file in files[1:])
        if status is None:
            raise TimeoutError(f"{words} took more than {processes.SECONDS} seconds\n{out[-2000:]}\n{errors[-2000:]}")
        return status, out, errors


class _Server:
    """What starts the processes of this one's jobs."""

    def __init__(self) -> None:
        kept = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        folder = Path(mkdtemp())  # short, as the names of doors have to be; the process takes it away
        door, program = folder / "door", folder / "python"
        program.write_text(STAND_IN.format(python=sys.executable, door=str(door), words=[]))
        program.chmod(0o755)
        self.program = str(program)
        command = [sys.executable, str(ROOT / "tests/job_server.py"), str(door)]
        self.process = subprocess.Popen(command, env=kept, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.communicate)  # the end of its input ends it

    def run(self, job: dict[str, Any]) -> list[int]:
        """The statuses of a job's processes."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@cache
def _server(pid: int) -> _Server:
    """Of this process, and not of one that it is a fork of."""
    return _Server()
