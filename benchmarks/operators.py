"""Forward and backward of single operators of `paddle.static`, against Paddle 2.6's own wheel.

    python benchmarks/operators.py --paddle PYTHON_OF_2.6.2 [--rounds 3] [--only conv2d,softmax] [--markdown docs/benchmarks_ops.md]

Fresh processes on one thread take turns. Figures are process-CPU milliseconds of an Executor.run, the least and the median
over the rounds; ratios below 1 mean that paddle_compat is faster. The exit status is 1 when results or gradients differ.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
from pathlib import Path

import sequences
import tables

SCRIPT = str(Path(__file__).resolve().parent / "workloads/static_operators.py")
HEAD = ["operator", "ours ms", "wheel ms", "least / wheel", "median / wheel"]


def same(ours: sequences.Figures, wheel: sequences.Figures, name: str) -> bool:
    """Whether the result and the gradients are of one size on both sides. (The mean square of what is normalized hardly
    depends on the input: its gradients, around 1e-9, are half rounding.)"""
    sizes = [[side[name]["size"], *side[name]["grads"]] for side in (ours, wheel)]
    return len(sizes[0]) == len(sizes[1]) and all(math.isclose(a, b, rel_tol=2e-4, abs_tol=1e-11) for a, b in zip(*sizes))


def main() -> int:
    """Measure, print, and write the table where one is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paddle", required=True, help="python that has the 2.6.2 wheel")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="operators, with commas between them")
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    operators = [name for name in arguments.only.split(",") if name]
    commands = ([sys.executable, "-m", "paddle_compat"], [arguments.paddle])
    rounds = [[sequences.run(command, operators, SCRIPT) for command in commands] for _ in range(arguments.rounds)]
    rows, differ = [], []
    print(" | ".join(HEAD))
    for name in rounds[0][0]:
        sides = [[one[side][name] for one in rounds] for side in (0, 1)]
        least = [min(figures["min_ms"] for figures in side) for side in sides]
        median = [statistics.median(figures["median_ms"] for figures in side) for side in sides]
        shown = [f"{a:.3g} ({b:.3g})" for a, b in zip(least, median)]
        rows.append([name, *shown, f"{least[0] / least[1]:.2f}", f"{median[0] / median[1]:.2f}"])
        print(" | ".join(rows[-1]))
        if not same(*rounds[-1], name):
            differ.append(name)
    if differ:
        print("different results:", ", ".join(differ))
    if arguments.markdown:
        tables.fill(arguments.markdown, "operators", HEAD, rows)
    return int(bool(differ))


if __name__ == "__main__":
    sys.exit(main())
