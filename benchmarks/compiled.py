"""Training steps under FLAGS_use_cinn, against the same work hand-written in PyTorch.

    python benchmarks/compiled.py [--rounds 3] [--only mlp,transformer]

Each measurement is a fresh process on one thread; within a round the ways take turns. Figures are warm process-CPU
milliseconds of a step, the median over a process's steps and then over the rounds; the ratio is of these (below 1: the
compiled Program is faster). The exit status is 1 when a ratio passes its bar or the losses differ.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from pathlib import Path

from steps import Way

SCRIPTS = Path(__file__).resolve().parent / "workloads"
BARS = {"mlp": 0.60, "transformer": 0.75, "resnet18": 1.03}
STEPS = {"mlp": 200, "transformer": 20, "resnet18": 8}
BOUND = {"resnet18": 2e-3}  # relative, 1e-5 elsewhere: batch norm amplifies what sums in another order round differently


def main() -> int:
    """Measure and print one line for each workload."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default=",".join(BARS))
    arguments = parser.parse_args()
    os.environ["FLAGS_use_cinn"] = "1"
    ours = Way("compiled", [sys.executable, "-m", "paddle_compat", str(SCRIPTS / "paddle_static.py")])
    torch = Way("torch", [sys.executable, str(SCRIPTS / "torch_eager.py")])
    failed = False
    for workload in arguments.only.split(","):
        rounds = [[way.run(workload, STEPS[workload]) for way in (ours, torch)] for _ in range(arguments.rounds)]
        ours_ms, torch_ms = (statistics.median(pair[i]["median_ms"] for pair in rounds) for i in (0, 1))
        losses = rounds[0][0]["loss"], rounds[0][1]["loss"]
        apart = abs(losses[0] - losses[1]) / max(1.0, abs(losses[1]))
        bad = ours_ms / torch_ms > BARS[workload] or apart > BOUND.get(workload, 1e-5)
        failed |= bad
        first = rounds[0][0]["first_ms"] / 1e3
        sys.stdout.write(
            f"{workload}: {ours_ms:.3f} ms, torch {torch_ms:.3f} ms, ratio {ours_ms / torch_ms:.2f} (bar {BARS[workload]:.2f}), "
            f"losses {losses[0]:.6f} and {losses[1]:.6f}, compiled in {first:.0f} s{' FAILED' if bad else ''}\n"
        )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
