"""Runs the scripts of tests on meshes of processes, and gathers what each process writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jobs import run_job


def answers(script: Path, size: int, folder: Path, what: str, seconds: float = 120) -> dict[str, list[Any]]:
    """Case -> each process's answer."""
    for status, text in run_job(script, size, seconds, arguments=(str(folder), what), folder=folder):
        assert status == 0, text[-3000:]
    found = [json.loads((folder / str(rank)).read_text()) for rank in range(size)]
    return {name: [each[name] for each in found] for name in found[0]}
