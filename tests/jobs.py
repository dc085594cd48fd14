"""Jobs of several processes on this machine, as Paddle's environment variables make them; bounded in time, and no process is left."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from processes import ROOT

SECONDS = 60  # that a job may take: many times what it needs, for machines that are busy


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on."""
    with ExitStack() as stack:
        doors = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [door.getsockname()[1] for door in doors]


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
    command = [sys.executable, "-m", "paddle_compat", str(script), *arguments]
    return run_together([command] * size, [{**shared, **each} for each in own], folder or script.parent, seconds)


def run_together(
    commands: Sequence[Sequence[str]], variables: Sequence[Mapping[str, str]], folder: Path, seconds: float = SECONDS
) -> list[tuple[int, str]]:
    """Run commands beside one another.

    Args:
        commands: the words of each.
        variables: of the environment of each; nothing else there speaks of a job.
        folder: where they run, and where the output of each is kept.
        seconds: that all of them may take together.
    Returns:
        For each its exit status and what it wrote.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PADDLE", "PYTHON", "CPU_NUM"))}
    kept |= {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    started: list[subprocess.Popen[bytes]] = []
    logs = [folder / f"output.{number}" for number in range(len(commands))]
    try:
        for command, own, log in zip(commands, variables, logs):
            with log.open("wb") as out:  # a session of its own, which ends with all that it has started
                started.append(subprocess.Popen(command, cwd=folder, env={**kept, **own}, stdout=out, stderr=out, start_new_session=True))
        end = time.monotonic() + seconds
        statuses = [process.wait(max(end - time.monotonic(), 0.1)) for process in started]
    except subprocess.TimeoutExpired as late:
        said = "\n".join(f"process {number}: {log.read_text()[-2000:]}" for number, log in enumerate(logs))
        raise TimeoutError(f"a job took more than {seconds} seconds\n{said}") from late
    finally:
        for process in started:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return list(zip(statuses, (log.read_text() for log in logs)))
