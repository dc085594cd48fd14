"""Final losses of trainers that do not wait for each other, of Paddle 1.8.5 and of paddle_compat, over several seeds.

    python benchmarks/asynchronous_losses.py PYTHON_OF_1.8.5 [--seeds 5] [--steps 400]

Two trainers and a server train the small CTR model of tests/models/served.py, with a communicator of mode ASYNC and by Geo-SGD; the loss is
the mean of the last 50 batches of both trainers, which are the same on both sides.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LAST = 50


def train(words: list[str], said: dict[str, Any]) -> tuple[float, float]:
    """The final loss, and the seconds of a trainer."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        endpoint = f"127.0.0.1:{door.getsockname()[1]}"
    jobs = json.dumps([[[endpoint], said]])
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PADDLE", "PYTHON")) and "proxy" not in name.lower()}
    own = kept | {"OMP_NUM_THREADS": "1", "CPU_NUM": "1", "PYTHONPATH": str(ROOT)}

    def start(role: str, number: int) -> subprocess.Popen[str]:
        command = [*words, str(ROOT / "tests/models/served.py"), role, str(number), jobs]
        return subprocess.Popen(command, env=own, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    server = start("server", 0)
    trainers = [start("trainer", number) for number in range(said["trainers"])]
    try:
        found = [json.loads(each.communicate(timeout=600)[0].strip().splitlines()[-1])[0] for each in trainers]
    finally:
        for each in (server, *trainers):  # servers of 1.8.5 do not end
            each.kill()
            each.wait()
    losses = [statistics.fmean(each["losses"][-LAST:]) for each in found]
    return statistics.fmean(losses), statistics.fmean(each["seconds"] for each in found)


def main() -> None:
    """Print a line for each run, and the means."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wheel", help="the Python of Paddle 1.8.5")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=400)
    asked = parser.parse_args()
    sides = {"1.8.5": [asked.wheel], "paddle_compat": [sys.executable, "-m", "paddle_compat"]}
    for mode in ("ASYNC", "GEO"):
        means = {}
        for side, words in sides.items():
            losses = []
            for seed in range(asked.seeds):
                said = {"mode": mode, "trainers": 2, "steps": asked.steps, "batch": 64, "push": 10, "seed": seed, "group": 1 << 30}
                with tempfile.TemporaryDirectory() as folder:
                    loss, seconds = train(words, {**said, "meet": folder})
                losses.append(loss)
                print(
                    json.dumps({"mode": mode, "side": side, "seed": seed, "loss": round(loss, 4), "seconds": round(seconds, 2)}), flush=True
                )
            means[side] = statistics.fmean(losses)
        ratio = means["paddle_compat"] / means["1.8.5"]
        print(json.dumps({"mode": mode, **{side: round(mean, 4) for side, mean in means.items()}, "ratio": round(ratio, 4)}), flush=True)


if __name__ == "__main__":
    main()
