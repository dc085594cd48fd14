"""Jobs of 1.8's DistributeTranspiler with real servers and trainers: server_runs_1.8.5.json.gz has what each of two trainers saw.

{case: [losses of each step, losses of a Program that evaluates, some values of each parameter at the end] of either trainer}.
A server of the wheel may crash or hang when the trainers have left; it is ended then.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from typing import Any, Callable, Dict

WHEELS = ("1.8.5",)
_GRACE, _SECONDS = 5, 120


def _endpoints(count: int) -> str:
    with ExitStack() as stack:
        doors = [stack.enter_context(socket.socket()) for _ in range(count)]
        for door in doors:
            door.bind(("127.0.0.1", 0))
        return ",".join("127.0.0.1:%d" % door.getsockname()[1] for door in doors)


def record() -> Dict[str, Any]:
    """Every case."""
    import server_runs

    found: Dict[str, Any] = {}
    environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
    with tempfile.TemporaryDirectory() as folder:
        for name, said in server_runs.CASES.items():
            job = name + "=" + _endpoints(said["servers"])
            words = [("server", i) for i in range(said["servers"])] + [("trainer", 0), ("trainer", 1)]
            with open(os.path.join(folder, "log"), "wb") as log:
                processes = [
                    subprocess.Popen(
                        [sys.executable, server_runs.__file__, role, str(number), folder, job],
                        env=environment, stdout=log, stderr=log, cwd=folder,
                    )
                    for role, number in words
                ]  # fmt: skip
            try:
                for process in processes[-2:]:
                    process.wait(_SECONDS)
                for process in processes[:-2]:
                    process.wait(_GRACE)
            except subprocess.TimeoutExpired:
                pass
            for process in processes:
                process.kill()
                process.wait()
            found[name] = []
            for number in (0, 1):
                with open(os.path.join(folder, "%s %d.json" % (name, number))) as told:
                    found[name].append(json.load(told))
    return found


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    """One file."""
    return {"server_runs_%s.json.gz" % version: record}
