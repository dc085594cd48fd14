"""What fleet of Paddle 2.6.2 makes of a model that two processes share out, which meet by gloo.

hybrid_parallel_2.6.2.json.gz: {kind of tests/models/hybrid_training.py: [process 0's answers, process 1's]}.
pipelines_2.6.2.json.gz: of tests/models/pipeline_training.py the same, without kinds.
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

WHEELS = ("2.6.2",)
MODELS = Path(__file__).resolve().parents[2] / "tests" / "models"
SECONDS = 200


def answered(kind: str, script: str = "hybrid_training.py") -> list[Any]:
    """Both processes' answers about a kind."""
    endpoints = ["127.0.0.1:{}".format(port) for port in free_ports(2)]
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for rank in range(2):
            job = {
                "PADDLE_TRAINER_ID": str(rank), "PADDLE_TRAINERS_NUM": "2", "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints),
                "PADDLE_CURRENT_ENDPOINT": endpoints[rank], "PADDLE_DISTRI_BACKEND": "gloo",
            }  # fmt: skip
            running.append(subprocess.Popen([sys.executable, str(MODELS / script), kind, folder + "/"], env={**os.environ, **job}))
        try:
            codes = [each.wait(SECONDS) for each in running]
        finally:
            for each in running:
                each.kill()
        if any(codes):
            raise SystemExit("a process ended with an error: {}".format(codes))
        return [json.loads((Path(folder) / str(rank)).read_text()) for rank in range(2)]


def recordings(version: str) -> dict[str, Callable[[], Any]]:
    """The data file."""
    import hybrid_training

    return {
        "hybrid_parallel_2.6.2.json.gz": lambda: {kind: answered(kind) for kind in hybrid_training.KINDS},
        "pipelines_2.6.2.json.gz": lambda: answered("all", "pipeline_training.py"),
    }
