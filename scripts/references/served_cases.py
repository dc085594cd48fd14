"""What trainers of 1.8.5 that need not wait for each other compute: served_1.8.5.json has the losses and parameters of each case."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, List

WHEELS = ("1.8.5",)
_JOB = Path(__file__).resolve().parents[2] / "tests/models/served.py"
_SECONDS = 300


def _ports(count: int) -> List[int]:
    doors = [socket.socket() for _ in range(count)]
    for door in doors:
        door.bind(("127.0.0.1", 0))
    ports = [door.getsockname()[1] for door in doors]
    for door in doors:
        door.close()
    return ports


def _start(role: str, number: int, jobs: str) -> Any:
    words = [sys.executable, str(_JOB), role, str(number), jobs]
    return subprocess.Popen(words, env=dict(os.environ, CPU_NUM="1"), stdout=subprocess.PIPE, universal_newlines=True)


def record() -> Dict[str, Any]:
    """What each trainer of each case saw; servers of 1.8.5 do not end, and are ended."""
    from served_jobs import RECORDED

    found: Dict[str, Any] = {}
    for name, case in RECORDED.items():
        endpoints = ["127.0.0.1:%d" % port for port in _ports(case.get("servers", 1))]
        with tempfile.TemporaryDirectory() as folder:
            said = dict(case, turns=folder) if "turns" in case else case
            jobs = json.dumps([[endpoints, said]])
            servers = [_start("server", i, jobs) for i in range(len(endpoints))]
            trainers = [_start("trainer", i, jobs) for i in range(case.get("trainers", 1))]
            try:
                said_last = [each.communicate(timeout=_SECONDS)[0].strip().splitlines()[-1] for each in trainers]
            finally:
                for each in [*servers, *trainers]:
                    each.kill()
                    each.wait()
        found[name] = [json.loads(line)[0] for line in said_last]
        for each in found[name]:
            del each["seconds"]
    return found


def recordings(version: str) -> Dict[str, Callable[[], Any]]:
    return {"served_1.8.5.json": record}
