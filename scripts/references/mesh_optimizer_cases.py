"""What the optimizers of Paddle 3.3.1 make of dist parameters, on two and four processes that meet by gloo.

mesh_optimizers.json: {case of tests/models/mesh_optimizers.py: [each process's answer]}; mesh_stages_SIZE.json: of sharding stages.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

from eager_collectives import free_ports

WHEELS = ("3.3.1",)
SCRIPT = Path(__file__).resolve().parents[2] / "tests" / "models" / "mesh_optimizers.py"
SECONDS = 200


def answered(size: int, what: str, script: Path = SCRIPT) -> dict[str, Any]:
    """All processes' answers."""
    endpoints = ["127.0.0.1:{}".format(port) for port in free_ports(size)]
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for rank in range(size):
            job = {
                "PADDLE_TRAINER_ID": str(rank), "PADDLE_TRAINERS_NUM": str(size), "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints),
                "PADDLE_CURRENT_ENDPOINT": endpoints[rank], "PADDLE_DISTRI_BACKEND": "gloo", "PADDLE_MASTER": endpoints[0],
                "FLAGS_selected_cpus": str(rank), "RECORDING": "1",
            }  # fmt: skip
            running.append(subprocess.Popen([sys.executable, str(script), folder, what], env={**os.environ, **job}))
        try:
            codes = [each.wait(SECONDS) for each in running]
        finally:
            for each in running:
                each.kill()
        if any(codes):
            raise SystemExit("a process ended with an error: {}".format(codes))
        found = [json.loads((Path(folder) / str(rank)).read_text()) for rank in range(size)]
    return {name: [each[name] for each in found] for name in found[0]}


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    return {
        "mesh_optimizers.json": lambda: answered(2, "optimizers"),
        "mesh_stages_2.json": lambda: answered(2, "stages"),
        "mesh_stages_4.json": lambda: answered(4, "stages"),
    }
