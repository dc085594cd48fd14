"""Training steps under FLAGS_use_cinn, against the same work hand-written in PyTorch.

    python benchmarks/compiled.py [--rounds 3] [--only mlp,transformer] [--markdown docs/benchmarks.md]

Each measurement is a fresh process on one thread; within a round the ways take turns. Figures are warm process-CPU
milliseconds of a step, the median over a process's steps and then over the rounds; the ratio is of these (below 1: the
compiled Program is faster). The first round finds nothing built, later ones find what it built.
The exit status is 1 when a ratio passes its bar or the losses differ.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import sys
import tempfile
from pathlib import Path

import tables
from steps import Way

SCRIPTS = Path(__file__).resolve().parent / "workloads"
BARS = {"mlp": 0.60, "transformer": 0.75, "resnet18": 1.03}
STEPS = {"mlp": 200, "transformer": 20, "resnet18": 8}
HEAD = ["work", "compiled ms", "torch ms", "/ torch", "losses", "building, CPU s", "first step when built, CPU s"]
BOUND = {"resnet18": 2e-3}  # relative, 1e-5 elsewhere: batch norm amplifies what sums in another order round differently


def spent() -> float:
    """CPU seconds of all processes that were started and have ended, the C++ compiler's among them."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> int:
    """Measure and print one line for each workload."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="at least 2")
    parser.add_argument("--only", default=",".join(BARS))
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    os.environ["FLAGS_use_cinn"] = "1"
    ours = Way("compiled", [sys.executable, "-m", "paddle_compat", str(SCRIPTS / "paddle_static.py")])
    torch = Way("torch", [sys.executable, str(SCRIPTS / "torch_eager.py")])
    failed = False
    rows: list[list[str]] = []
    print(" | ".join(HEAD), flush=True)
    for workload in arguments.only.split(","):
        rounds: list[tuple[dict[str, float], dict[str, float]]] = []
        took: list[float] = []
        with tempfile.TemporaryDirectory() as folder:
            os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
            for _ in range(max(2, arguments.rounds)):
                before = spent()
                compiled = ours.run(workload, STEPS[workload])
                took.append(spent() - before)
                rounds.append((compiled, torch.run(workload, STEPS[workload])))
        ours_ms, torch_ms = (statistics.median(pair[i]["median_ms"] for pair in rounds) for i in (0, 1))
        losses = rounds[0][0]["loss"], rounds[0][1]["loss"]
        apart = abs(losses[0] - losses[1]) / max(1.0, abs(losses[1]))
        bad = ours_ms / torch_ms > BARS[workload] or apart > BOUND.get(workload, 1e-5)
        failed |= bad
        again = statistics.median(pair[0]["first_ms"] for pair in rounds[1:]) / 1e3
        build = took[0] - statistics.median(took[1:]) + again
        ratio = f"{ours_ms / torch_ms:.2f} (<= {BARS[workload]:.2f})"
        shown = ", ".join(f"{loss:.6f}" for loss in losses)
        rows.append([workload, f"{ours_ms:.3g}", f"{torch_ms:.3g}", ratio, shown, f"{build:.0f}", f"{again:.1f}"])
        print(" | ".join(rows[-1]), "FAILED" if bad else "", flush=True)
    if arguments.markdown:
        tables.fill(arguments.markdown, "compiled", HEAD, rows)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
