"""What the scripts of tests/models/whole print: fluid/ under 1.8.5, paddle/ under 2.6.2, each in a process and a folder of its own.

whole_scripts_VERSION.json.gz: {script: the lines of its standard output}.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

WHEELS = ("1.8.5", "2.6.2")
FOLDERS = {"1.8.5": "fluid", "2.6.2": "paddle"}
SCRIPTS = Path(__file__).resolve().parents[2] / "tests" / "models" / "whole"
NOISE = "With sparse mode, if your models has only small parameter prefetch"  # on the standard output of 1.8.5


def printed(version: str) -> dict[str, Any]:
    """The output of every script; each runs twice and must repeat itself."""
    found = {}
    for path in sorted((SCRIPTS / FOLDERS[version]).glob("*.py")):
        first, second = run(path), run(path)
        if first != second:
            raise SystemExit(path.stem + " prints something else when it is run again")
        found[path.stem] = first
    return found


def run(path: Path) -> list[str]:
    """The lines that a script prints."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, PYTHONIOENCODING="utf-8")
        done = subprocess.run([sys.executable, str(path)], cwd=folder, env=environment, stdout=subprocess.PIPE)
    if done.returncode:
        raise SystemExit("{} ended with {}".format(path.stem, done.returncode))
    return [line for line in done.stdout.decode("utf-8").splitlines() if not line.startswith(NOISE)]


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file."""
    return {"whole_scripts_{}.json.gz".format(version): lambda: printed(version)}
