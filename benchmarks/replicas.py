"""Data parallel steps on CPU replicas: against one replica, torch's DistributedDataParallel and Paddle 1.8.5.

    python benchmarks/replicas.py [--rounds 3] [--only conv,mlp] [--paddle PYTHON_OF_1.8.5] [--markdown docs/benchmarks.md]

A batch of 128 is shared by the replicas, each on one thread. Every measurement is a fresh process; within a round the ways take turns.
Figures are milliseconds of the wall clock, as two cores have to be busy at once: the median of a process's steps, then of the rounds.
It takes a machine with two idle cores. The exit status is 1 when a ratio passes its bar.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import tables

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "benchmarks/workloads"
STEPS = {"conv": 40, "mlp": 60}
GAIN = {"conv": 1.6}  # two replicas against one, at least
HEAD = [
    "work", "1 replica ms", "2 replicas ms", "gain", "torch: 1 process ms", "DDP, 2 processes ms", "torch's gain", "ours / DDP",
    "1.8.5's gain",
]  # fmt: skip


def run(command: list[str], workload: str, replicas: int) -> float:
    """Milliseconds of a step in a fresh process."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLOG_minloglevel": "2", "PYTHONPATH": path}
    words = [*command, workload, str(replicas), str(STEPS[workload])]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, timeout=600)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)} failed:\n{done.stderr[-2000:]}")
    return float(json.loads(done.stdout.splitlines()[-1])["median_ms"])


def main() -> int:
    """Measure and print one line for each workload."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default=",".join(STEPS))
    parser.add_argument("--paddle", help="a Python that has Paddle 1.8.5")
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    ways = {
        "ours": [sys.executable, "-m", "paddle_compat", str(SCRIPTS / "replicas_fluid.py")],
        "torch": [sys.executable, str(SCRIPTS / "replicas_ddp.py")],
    }
    if arguments.paddle:
        ways["wheel"] = [arguments.paddle, str(SCRIPTS / "replicas_fluid.py")]
    print(" | ".join(HEAD), flush=True)
    rows: list[list[str]] = []
    failed = False
    for workload in arguments.only.split(","):
        rounds = [{(way, n): run(command, workload, n) for n in (1, 2) for way, command in ways.items()} for _ in range(arguments.rounds)]
        ms = {key: statistics.median(each[key] for each in rounds) for key in rounds[0]}
        gain = {way: ms[way, 1] / ms[way, 2] for way in ways}
        ratio = ms["ours", 2] / ms["torch", 2]
        bad = ratio > 1.0 or gain["ours"] < GAIN.get(workload, 0)
        failed |= bad
        wheel = f"{gain['wheel']:.2f}" if "wheel" in gain else ""
        figures = [f"{ms['ours', 1]:.3g}", f"{ms['ours', 2]:.3g}", f"{gain['ours']:.2f}", f"{ms['torch', 1]:.3g}", f"{ms['torch', 2]:.3g}"]
        rows.append([workload, *figures, f"{gain['torch']:.2f}", f"{ratio:.2f} (<= 1.00)", wheel])
        print(" | ".join(rows[-1]), "FAILED" if bad else "", flush=True)
    if arguments.markdown:
        tables.fill(arguments.markdown, "replicas", HEAD, rows)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
