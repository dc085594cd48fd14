"""Steps of two processes on the CPU: fleet's collective mode and DataParallel against torch's DistributedDataParallel and Paddle 2.6.2.

    python benchmarks/processes.py [--rounds 3] [--only conv,mlp] [--paddle PYTHON_OF_2.6.2] [--markdown docs/benchmarks.md]

A batch of 128 is shared by two processes of one thread each, which meet by gloo. Every measurement starts fresh ones; within a round the
ways take turns. Figures are milliseconds of the wall clock: the median of process 0's steps, then of the rounds. It takes a machine with
two idle cores. The exit status is 1 when a ratio passes its bar.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import tables

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = str(ROOT / "benchmarks/workloads/processes_paddle.py")
STEPS = {"conv": 40, "mlp": 60}
HEAD = ["work", "fleet ms", "DataParallel ms", "DDP ms", "fleet / DDP", "DataParallel / DDP", "DataParallel of 2.6.2"]


def job(command: list[str], count: int = 2) -> float:
    """Milliseconds of a step of process 0, in a job of so many fresh processes."""
    with ExitStack() as stack:
        doors = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        endpoints = [f"127.0.0.1:{door.getsockname()[1]}" for door in doors]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    shared = {**os.environ, "OMP_NUM_THREADS": "1", "GLOG_minloglevel": "2", "PYTHONPATH": path, "PADDLE_DISTRI_BACKEND": "gloo"}
    shared |= {"PADDLE_TRAINERS_NUM": str(count), "PADDLE_TRAINER_ENDPOINTS": ",".join(endpoints)}
    started = []
    try:
        for rank, endpoint in enumerate(endpoints):
            own = {"PADDLE_TRAINER_ID": str(rank), "PADDLE_CURRENT_ENDPOINT": endpoint}
            started.append(subprocess.Popen(command, env={**shared, **own}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True))
        out, error = started[0].communicate(timeout=600)
        statuses = [process.wait(60) for process in started]
    finally:
        for process in started:
            process.kill()
            process.communicate()
    if any(statuses):
        raise RuntimeError(f"{' '.join(command)} failed:\n{error[-2000:]}")
    return float(json.loads(out.splitlines()[-1])["median_ms"])


def torchs(workload: str) -> float:
    """Milliseconds of a step of torch's, whose script starts its processes itself."""
    words = [sys.executable, str(ROOT / "benchmarks/workloads/replicas_ddp.py"), workload, "2", str(STEPS[workload])]
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"}, timeout=600, check=True)
    return float(json.loads(done.stdout.splitlines()[-1])["median_ms"])


def main() -> int:
    """Measure and print one line for each workload."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default=",".join(STEPS))
    parser.add_argument("--paddle", help="a Python that has Paddle 2.6.2")
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    print(" | ".join(HEAD), flush=True)
    rows: list[list[str]] = []
    failed = False
    for workload in arguments.only.split(","):
        found: dict[str, list[float]] = {"fleet": [], "eager": [], "torch": [], "wheel": []}
        for _ in range(arguments.rounds):
            ours = [sys.executable, "-m", "paddle_compat", SCRIPT, workload]
            found["fleet"].append(job([*ours, "static", str(STEPS[workload])]))
            found["eager"].append(job([*ours, "eager", str(STEPS[workload])]))
            found["torch"].append(torchs(workload))
            if arguments.paddle:
                found["wheel"].append(job([arguments.paddle, SCRIPT, workload, "eager", str(STEPS[workload])]))
        ms = {way: statistics.median(each) for way, each in found.items() if each}
        ratios = [ms[way] / ms["torch"] for way in ("fleet", "eager")]
        failed |= max(ratios) > 1.0
        times = [f"{ms[way]:.3g}" for way in ("fleet", "eager", "torch")]
        rows.append([workload, *times, *(f"{ratio:.2f} (<= 1.00)" for ratio in ratios), f"{ms['wheel']:.3g} ms" if "wheel" in ms else ""])
        print(" | ".join(rows[-1]), "FAILED" if max(ratios) > 1.0 else "", flush=True)
    if arguments.markdown:
        tables.fill(arguments.markdown, "processes", HEAD, rows)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
