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


def run(command: list[str], operators: list[str], script: str) -> Figures:
    """Figures by operator of one fresh process."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLOG_minloglevel": "2"}
    done = subprocess.run([*command, script, *operators], capture_output=True, text=True, env=environment)
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed:\n{done.stderr[-2000:]}")
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {line["operator"]: line for line in lines}


def measured(description: str | None, wheel: str, script: str) -> tuple[list[list[Figures]], Path | None]:
    """What the command line asks for: rounds of ours and the wheel's figures, and the page whose table to fill in."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paddle", required=True, help=f"python that has the {wheel} wheel")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="operators, with commas between them")
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    operators = [name for name in arguments.only.split(",") if name]
    commands = ([sys.executable, "-m", "paddle_compat"], [arguments.paddle])
    return [[run(command, operators, script) for command in commands] for _ in range(arguments.rounds)], arguments.markdown


def times(rounds: list[list[Figures]], name: str) -> list[str]:
    """An operator's least and median milliseconds, ours and the wheel's, and the ratios of both."""
    sides = [[one[side][name] for one in rounds] for side in (0, 1)]
    least = [min(figures["min_ms"] for figures in side) for side in sides]
    median = [statistics.median(figures["median_ms"] for figures in side) for side in sides]
    shown = [f"{a:.3g} ({b:.3g})" for a, b in zip(least, median)]
    return [*shown, f"{least[0] / least[1]:.2f}", f"{median[0] / median[1]:.2f}"]


def main() -> int:
    """Measure, print, and write the table where one is asked for."""
    rounds, page = measured(__doc__, "1.8.5", SCRIPT)
    rows, missed = [], False
    print(" | ".join(HEAD))
    for name in rounds[0][0]:
        losses = [side[name]["loss"] for side in rounds[-1]]
        missed |= abs(losses[0] - losses[1]) > 1e-6 + 1e-5 * abs(losses[1])
        rows.append([name, *times(rounds, name), ", ".join(f"{loss:.6f}" for loss in losses)])
        print(" | ".join(rows[-1]))
    if page:
        tables.fill(page, "sequences", HEAD, rows)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
