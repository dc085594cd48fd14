"""How long whole scripts take that train for a few steps: Python's start, the imports, the first step, Python's end.

    python benchmarks/start_up.py [--rounds 7] [--warm-up 1] [--paddle PYTHON_OF_A_WHEEL ...] [--markdown docs/benchmarks.md]

Fresh processes of all ways alternate; times are medians of wall clock seconds. A script may take as long as by hand in PyTorch.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import tables

ROOT = Path(__file__).resolve().parents[1]
HEAD = ["script", "ours s", "torch s", "wheel s", "/ torch", "/ wheel"]
LIMIT = 1.0
SCRIPTS = {"static": "paddle_static.py", "fluid": "paddle_fluid.py", "eager": "paddle_eager.py"}


def seconds(python: str, script: str, *options: str) -> float:
    """Wall clock of one process that trains the MLP for three steps."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "GLOG_minloglevel": "2"}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package comes with its bytecode
    command = [python, *options, f"benchmarks/workloads/{script}", "mlp", "--steps", "3"]
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=env, cwd=ROOT)
    return time.perf_counter() - start


def measure(spelling: str, wheel: str | None, rounds: int, warm_up: int) -> dict[str, float]:
    """Median seconds by way."""
    script = SCRIPTS[spelling]
    times: dict[str, list[float]] = {"ours": [], "torch": [], "wheel": []}
    for number in range(warm_up + rounds):
        found = {"ours": seconds(sys.executable, script, "-m", "paddle_compat"), "torch": seconds(sys.executable, "torch_eager.py")}
        if wheel:
            found["wheel"] = seconds(wheel, script)
        for way, value in found.items() if number >= warm_up else ():
            times[way].append(value)
    return {way: statistics.median(values) for way, values in times.items() if values}


def main() -> int:
    """Measure, print, and write the table where one is asked for; 1 where the bar was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--warm-up", type=int, default=1, help="rounds in front, which write bytecode and fill the cache of files")
    parser.add_argument("--paddle", action="append", default=[], help="python that has a real Paddle wheel; may be repeated")
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    versions = {_version(python): python for python in arguments.paddle}
    rows = []
    missed = False
    print(" | ".join(HEAD), flush=True)
    for spelling in SCRIPTS:
        fitting = {v: p for v, p in versions.items() if v.startswith("1.") == (spelling == "fluid")}
        for version, wheel in fitting.items() or [("", None)]:
            found = measure(spelling, wheel, arguments.rounds, arguments.warm_up)
            ours, torch, real = found["ours"], found["torch"], found.get("wheel")
            missed |= ours > torch * LIMIT
            ratios = [f"{ours / torch:.2f} (<= {LIMIT:.2f})", f"{ours / real:.2f}" if real else "-"]
            name = f"{spelling}, Paddle {version}" if version else spelling
            rows.append([name, f"{ours:.2f}", f"{torch:.2f}", f"{real:.2f}" if real else "-", *ratios])
            print(" | ".join(rows[-1]), flush=True)
    if arguments.markdown:
        tables.fill(arguments.markdown, "start_up", HEAD, rows)
    return int(missed)


def _version(python: str) -> str:
    command = [python, "-c", "import paddle; print(paddle.__version__)"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
