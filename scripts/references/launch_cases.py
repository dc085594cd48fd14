"""What the launcher tells the processes that it starts.

launches_VERSION.json: {case: {log file: {words, environment}}}.
"""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

import launches

WHEELS = ("1.8.5", "2.6.2")


def answers(version: str) -> dict[str, Any]:
    """Each launch line, run in a folder of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PADDLE_", "POD_"))}
    found = {}
    for name, (module, options) in launches.CASES[version].items():
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "train.py").write_text(launches.SCRIPT)
            line = [sys.executable, "-m", "paddle.distributed." + module, *options, "train.py", *launches.WORDS]
            subprocess.run(line, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            found[name] = launches.numbered(launches.told(Path(folder)))
    return found


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file of a wheel."""
    return {f"launches_{version}.json": functools.partial(answers, version)}
