"""What the collective calls of Paddle 2.6.2 give on two processes that meet by gloo.

collectives.json: {piece of tests/models/collectives.py: [process 0's answer, process 1's]}.
collectives_alone.json: {piece: the answer of a process that is no job's}.
collectives_recorded.json: {piece: the answer, and the operators, in static mode, of process 0 of a job of two}.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

WHEELS = ("2.6.2",)
SCRIPT = Path(__file__).resolve().parents[2] / "tests" / "models" / "collectives.py"
SECONDS = 200


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens on."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def answered() -> dict[str, Any]:
    """Both processes' answers; texts of errors are not kept."""
    endpoints = ["127.0.0.1:{}".format(port) for port in free_ports(2)]
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for rank in range(2):
            job = {
                "PADDLE_TRAINER_ID": str(rank), "PADDLE_TRAINERS_NUM": "2", "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints),
                "PADDLE_CURRENT_ENDPOINT": endpoints[rank], "PADDLE_DISTRI_BACKEND": "gloo",
            }  # fmt: skip
            running.append(subprocess.Popen([sys.executable, str(SCRIPT), folder + "/"], env={**os.environ, **job}))
        try:
            codes = [each.wait(SECONDS) for each in running]
        finally:
            for each in running:
                each.kill()
        if any(codes):
            raise SystemExit("a process ended with an error: {}".format(codes))
        found = [json.loads((Path(folder) / str(rank)).read_text()) for rank in range(2)]
    for each in found:
        without_texts(each)
    return {name: [each[name] for each in found] for name in found[0]}


def alone() -> dict[str, Any]:
    """One process's answers."""
    import collectives
    import paddle

    paddle.disable_static()
    paddle.set_device("cpu")
    return without_texts(collectives.answers(collectives.ALONE))


def recorded() -> dict[str, Any]:
    """Operators that process 0 of two records, which need not meet for it."""
    os.environ.update(PADDLE_TRAINER_ID="0", PADDLE_TRAINERS_NUM="2", PADDLE_TRAINER_ENDPOINTS="127.0.0.1:6170,127.0.0.1:6171")
    import collectives
    import paddle

    paddle.enable_static()
    return without_texts(collectives.recorded(collectives.RECORDED))


def without_texts(found: dict[str, Any]) -> dict[str, Any]:
    """The answers, without the texts of errors."""
    for answer in found.values():
        answer.pop("text", None)
    return found


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file."""
    return {"collectives.json": answered, "collectives_alone.json": alone, "collectives_recorded.json": recorded}
