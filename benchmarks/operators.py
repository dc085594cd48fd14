"""Forward and backward of single operators of `paddle.static`, against Paddle 2.6's own wheel.

    python benchmarks/operators.py --paddle PYTHON_OF_2.6.2 [--rounds 3] [--only conv2d,softmax] [--markdown docs/benchmarks_ops.md]

Fresh processes on one thread take turns. Figures are process-CPU milliseconds of an Executor.run, the least and the median
over the rounds; ratios below 1 mean that paddle_compat is faster. The exit status is 1 when results or gradients differ.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import sequences
import tables

SCRIPT = str(Path(__file__).resolve().parent / "workloads/static_operators.py")
HEAD = ["operator", "ours ms", "wheel ms", "least / wheel", "median / wheel"]


# dropout draws other masks without FLAGS_exact_random; the wheel's gradient of gather along another dimension is wrong
INCOMPARABLE = ("dropout", "gather_columns")


def same(ours: sequences.Figures, wheel: sequences.Figures, name: str) -> bool:
    """Whether the result and the gradients are of one size on both sides. (The mean square of what is normalized hardly
    depends on the input: its gradients, below 1e-6, are half rounding.)"""
    sizes = [[side[name]["size"], *side[name]["grads"]] for side in (ours, wheel)]
    return len(sizes[0]) == len(sizes[1]) and all(math.isclose(a, b, rel_tol=2e-4, abs_tol=1e-9) for a, b in zip(*sizes))


def main(description: str | None = __doc__, script: str = SCRIPT, table: str = "operators") -> int:
    """Measure, print, and write the table where one is asked for."""
    rounds, page = sequences.measured(description, "2.6.2", script)
    rows, differ = [], []
    print(" | ".join(HEAD))
    for name in rounds[0][0]:
        rows.append([name, *sequences.times(rounds, name)])
        print(" | ".join(rows[-1]))
        if not name.startswith(INCOMPARABLE) and not same(*rounds[-1], name):
            differ.append(name)
    if differ:
        print("different results:", ", ".join(differ))
    if page:
        tables.fill(page, table, HEAD, rows)
    return int(bool(differ))


if __name__ == "__main__":
    sys.exit(main())
