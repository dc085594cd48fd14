"""Training a CTR model from a text file: train_from_dataset against a Python reader with a DataFeeder, here and on the wheels.

    python benchmarks/datasets.py [--rounds 5] [--wheels PYTHON_OF_1.8.5,PYTHON_OF_2.6.2] [--markdown docs/benchmarks.md]

26 slots of ids (sequences) that look up one table of 100,000 x 16, 13 numbers, layers of 400, 400, 400, batch 512, SGD. Every
measurement is a pass in a fresh process behind a short one to warm up; within a round the ways take turns; figures are medians of the
rounds. On a busy machine the wall clock says little: the microseconds of the calling thread, which trains, are what a pass takes where
readers have a core of their own. Numbers of threads are those of `set_thread`, each of which trains on a pass of its own, and for the
feeder those of computation. Ratios are to the faster of the two feeders.
The exit status is 1 when a dataset with two threads gives less than 3 times the feeder's examples.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import tables

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "benchmarks/workloads/dataset_paths.py"
WAYS = tuple((way, threads) for way in ("dataset", "memory", "feeder") for threads in (1, 2))
HEAD = ["way, threads", "examples / s", "us of all threads", "us of the calling thread", "/ feeder"]


def measure(python: list[str], way: str, threads: int, old: int, folder: Path) -> dict[str, float]:
    """One pass in a fresh process."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    computing = str(threads if way == "feeder" else 1)
    environment = {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": computing, "GLOG_minloglevel": "2"}
    words = [*python, str(SCRIPT), way, str(folder / "lines.txt"), "--warm", str(folder / "warm.txt"), "--old", str(old)]
    words += ["--threads", str(threads)]
    done = subprocess.run(words, env=environment, cwd=folder, capture_output=True, text=True, timeout=900)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)} failed:\n{done.stderr[-2000:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> int:
    """Measure and print one line for each way."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--examples", type=int, default=60 * 512)
    parser.add_argument("--wheels", default="", help="Pythons that have Paddle 1.8.5 and 2.6.2")
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    ours = [sys.executable, "-m", "paddle_compat"]
    who = {"ours, fluid": (ours, 1), "ours, 2.x": (ours, 0)}
    who |= {name: ([python], old) for (name, old), python in zip((("1.8.5", 1), ("2.6.2", 0)), arguments.wheels.split(",")) if python}
    found: dict[tuple[str, tuple[str, int]], list[dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        making = [*ours, str(SCRIPT), "write", str(folder / "lines.txt"), "--warm", str(folder / "warm.txt")]
        subprocess.run([*making, "--examples", str(arguments.examples)], env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
        for _ in range(arguments.rounds):
            for user, (python, old) in who.items():
                for way in WAYS:
                    found.setdefault((user, way), []).append(measure(python, *way, old, folder))
    rows, short = [], False
    for (user, (way, threads)), rounds in found.items():
        speed, cpu, own = (statistics.median(r[key] for r in rounds) for key in ("examples_per_second", "cpu_us", "own_us"))
        fed = [max(r["examples_per_second"] for r in pair) for pair in zip(found[user, ("feeder", 1)], found[user, ("feeder", 2)])]
        ratio = statistics.median(r["examples_per_second"] / most for r, most in zip(rounds, fed))
        short |= user.startswith("ours") and way != "feeder" and threads == 2 and ratio < 3
        own_text = f"{own:.1f}" if "ours" in user and (threads == 1 or way == "feeder") else ""
        rows.append([f"{user}: {way}, {threads}", f"{speed:.0f}", f"{cpu:.1f}", own_text, f"{ratio:.2f}"])
        print(" | ".join(rows[-1]), flush=True)
    if arguments.markdown:
        tables.fill(arguments.markdown, "datasets", HEAD, rows)
    return int(short)


if __name__ == "__main__":
    raise SystemExit(main())
