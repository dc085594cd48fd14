"""Forward and backward of recurrent and sequence operators of `paddle.fluid`, against Paddle 1.8's own wheel.

    python benchmarks/sequences.py --paddle PYTHON_OF_1.8.5 [--rounds 3] [--only lstm128,gru128] [--markdown docs/benchmarks_ops.md]

Fresh processes on one thread take turns. Figures are process-CPU milliseconds of an Executor.run, the least and the median
over the rounds; ratios below 1 mean that paddle_compat is faster. The exit status is 1 when losses differ.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import tables

SCRIPT = str(Path(__file__).resolve().parent / "workloads/fluid_sequences.py")
HEAD = ["operator", "ours ms", "wheel ms", "least / wheel", "median / wheel", "loss"]
Figures = dict[str, dict[str, Any]]


def run(command: list[str], operators: list[str], script: str = SCRIPT) -> Figures:
    """Figures by operator of one fresh process."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLOG_minloglevel": "2"}
    done = subprocess.run([*command, script, *operators], capture_output=True, text=True, env=environment)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stderr[-2000:]}")
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {line["operator"]: line for line in lines}


def main() -> int:
    """Measure, print, and write the table where one is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paddle", required=True, help="python that has the 1.8.5 wheel")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="operators, with commas between them")
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    operators = [name for name in arguments.only.split(",") if name]
    commands = ([sys.executable, "-m", "paddle_compat"], [arguments.paddle])
    rounds = [[run(command, operators) for command in commands] for _ in range(arguments.rounds)]
    rows, missed = [], False
    print(" | ".join(HEAD))
    for name in rounds[0][0]:
        ours, wheel = ([one[side][name] for one in rounds] for side in (0, 1))
        least = [min(f["min_ms"] for f in side) for side in (ours, wheel)]
        median = [statistics.median(f["median_ms"] for f in side) for side in (ours, wheel)]
        losses = ours[-1]["loss"], wheel[-1]["loss"]
        missed |= abs(losses[0] - losses[1]) > 1e-6 + 1e-5 * abs(losses[1])
        shown = [f"{a:.3g} ({b:.3g})" for a, b in zip(least, median)]
        ratios = [f"{least[0] / least[1]:.2f}", f"{median[0] / median[1]:.2f}"]
        rows.append([name, *shown, *ratios, ", ".join(f"{loss:.6f}" for loss in losses)])
        print(" | ".join(rows[-1]))
    if arguments.markdown:
        tables.fill(arguments.markdown, "sequences", HEAD, rows)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
