"""Jobs of several processes on this machine, as Paddle's environment variables make them; bounded in time, and no process is left."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from processes import ROOT


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on."""
    with ExitStack() as stack:
        doors = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [door.getsockname()[1] for door in doors]


def run_job(script: Path, size: int, seconds: float = 120, arguments: Sequence[str] = (), **variables: str) -> list[tuple[int, str]]:
    """Run a script in so many processes, none of which a launcher ends when another one fails.

    Args:
        seconds: that all of them may take together.
        arguments: of the script.
        variables: of the environment.
    Returns:
        For each process its exit status and what it wrote.
    """
    endpoints = [f"127.0.0.1:{port}" for port in free_ports(size)]
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PADDLE", "CPU_NUM"))}
    kept |= {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), "PADDLE_TRAINERS_NUM": str(size)}
    kept |= {"PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints), **variables}
    command = [sys.executable, "-m", "paddle_compat", script.name, *arguments]
    started: list[subprocess.Popen[bytes]] = []
    logs = [script.parent / f"{script.stem}.{rank}.log" for rank in range(size)]
    try:
        for rank, log in enumerate(logs):
            own = {"PADDLE_TRAINER_ID": str(rank), "PADDLE_CURRENT_ENDPOINT": endpoints[rank]}
            with log.open("wb") as out:
                started.append(subprocess.Popen(command, cwd=script.parent, env={**kept, **own}, stdout=out, stderr=out))
        end = time.monotonic() + seconds
        statuses = [process.wait(max(end - time.monotonic(), 0.1)) for process in started]
    finally:
        for process in started:
            process.kill()
            process.wait()
    return list(zip(statuses, (log.read_text() for log in logs)))
