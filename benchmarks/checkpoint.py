"""Saving and loading state dicts: `.pdparams` files of ours against torch.save and torch.load (mmap off) and a Paddle wheel.

    python benchmarks/checkpoint.py [--paddle PYTHON_OF_2.6.2] [--rounds 3] [--only large,small] [--scale 0.1]

Fresh processes on one thread take turns; "large" has 16 tensors of 34 MB, "small" 8000 of 1 KB. Figures are seconds of the wall
clock and, in brackets, of the process: medians over the rounds. The disk's cache makes the wall clock's uncertain; the folder
for temporary files (TMPDIR) says which disk. The exit status is 1 where ours takes more than 1.2 of torch's processor time, or
more than the wheel's.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = str(ROOT / "benchmarks/workloads/checkpoint_files.py")
BARS = {"torch": 1.2, "wheel": 1.0}


def figures(command: list[str]) -> dict[str, dict[str, float]]:
    """What one process measured, by state dict."""
    environment = dict(os.environ, OMP_NUM_THREADS="1", GLOG_minloglevel="3", PYTHONPATH=str(ROOT))
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {row["state"]: row for row in rows}


def main() -> int:
    """Measure and print; the exit status says whether the bars are met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paddle", help="the Python of a wheel")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="large,small")
    parser.add_argument("--scale", default="1.0")
    given = parser.parse_args()
    options = ["--only", given.only, "--scale", given.scale]
    commands = {"ours": [sys.executable, "-m", "paddle_compat", SCRIPT, "paddle"], "torch": [sys.executable, SCRIPT, "torch"]}
    if given.paddle:
        commands["wheel"] = [given.paddle, SCRIPT, "paddle"]
    rounds = [{name: figures(command + options) for name, command in commands.items()} for _ in range(given.rounds)]
    status = 0
    print(" | ".join(["state", "what", *commands, *(f"ours / {other}" for other in BARS if other in commands)]))
    for state in given.only.split(","):
        assert len({found[name][state]["last"] for found in rounds for name in commands}) == 1, "different tensors"
        for what in ("save", "load"):
            wall, cpu = (
                {name: statistics.median(found[name][state][key] for found in rounds) for name in commands} for key in (what, what + "_cpu")
            )
            ratios = {other: (wall["ours"] / wall[other], cpu["ours"] / cpu[other]) for other in BARS if other in commands}
            status |= any(ratio[1] > BARS[other] for other, ratio in ratios.items())
            cells = [f"{wall[name]:.3f} ({cpu[name]:.3f})" for name in commands] + [f"{a:.2f} ({b:.2f})" for a, b in ratios.values()]
            print(" | ".join([state, what, *cells]))
    return status


if __name__ == "__main__":
    sys.exit(main())
