"""Single operators on tiny tensors in eager mode, against PyTorch and a real Paddle wheel: what a call costs beside the arithmetic.

    python benchmarks/eager_operators.py [--rounds 3] [--paddle PYTHON_OF_2.6.2] [--markdown docs/benchmarks.md]

Fresh processes on one thread take turns, and in ours PyTorch and paddle_compat at each call. Figures are the least nanoseconds
of a call over all rounds. The exit status is 1 where an operator costs more than PyTorch's by more than its bar, or more than the
wheel's.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import tables

SCRIPT = str(Path(__file__).resolve().parent / "workloads/eager_operators.py")
HEAD = ["call", "ours ns", "torch ns", "wheel ns", "over torch ns", "/ wheel"]
# Of the calls that have bars: nanoseconds over PyTorch, ratio to the wheel.
OVER = {"add": (200, 1.0), "relu": (200, 1.0), "matmul": (200, 1.0), "reshape": (200, 1.0), "x[1]": (200, 1.0), "x + y": (200, 1.0)}
VALUES = {"to_tensor": (500, 0.5), "float(t)": (500, 0.5), "t.numpy()": (500, 0.5)}


def figures(command: list[str]) -> dict[str, dict[str, float]]:
    """What one process measures, by framework."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLOG_minloglevel": "3"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    found: dict[str, dict[str, float]] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> int:
    """Measure, print, and write the table where one is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--turns", default="60", help="how often each process measures each call")
    parser.add_argument("--paddle", help="python that has a real Paddle wheel")
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    commands = {"ours": [sys.executable, "-m", "paddle_compat", SCRIPT, "paddle,torch"]}
    if arguments.paddle:
        commands["wheel"] = [arguments.paddle, SCRIPT, "paddle"]
    least: dict[str, dict[str, float]] = {"ours": {}, "torch": {}, "wheel": {}}
    for _ in range(arguments.rounds):
        for whose, command in commands.items():
            for framework, found in figures([*command, arguments.turns]).items():
                mine = least["torch" if framework == "torch" else whose]
                for name, value in found.items():
                    mine[name] = min(value, mine.get(name, value))
    rows, missed = [], False
    print(" | ".join(HEAD))
    for name, ours in least["ours"].items():
        torch, wheel = least["torch"][name], least["wheel"].get(name)
        bars = {**OVER, **VALUES}.get(name.partition(",")[0])
        over = f"{ours - torch:+.0f}" + (f" (<= {bars[0]})" if bars else "")
        ratio = "-" if wheel is None else f"{ours / wheel:.2f}" + (f" (<= {bars[1]})" if bars else "")
        rows.append([name, f"{ours:.0f}", f"{torch:.0f}", "-" if wheel is None else f"{wheel:.0f}", over, ratio])
        print(" | ".join(rows[-1]))
        missed |= bool(bars) and (ours - torch > bars[0] or (wheel is not None and ours / wheel > bars[1]))
    if arguments.markdown:
        tables.fill(arguments.markdown, "eager operators", HEAD, rows)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
