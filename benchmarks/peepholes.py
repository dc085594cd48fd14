"""What each peephole of the lowering brings: steps of one Program with all of them, and without that one.

    python benchmarks/peepholes.py [--steps 100] [--rounds 5] [--markdown docs/benchmarks.md]

Both run in this process and take turns. Figures are process-CPU milliseconds of a step, the least over all rounds; the ratio
is with over without (below 1: the peephole makes the step faster).
"""

from __future__ import annotations

import argparse
import operator
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tables
import torch

import paddle_compat
from paddle_compat.engine import peephole

# peephole: a workload whose step it changes, in the spelling in which that shows
SHOWN_BY = {
    "affine": ("paddle_static", "mlp"),
    "conv_bias": ("paddle_static", "convnet"),
    "cross_entropy": ("paddle_static", "mlp"),
    "lookups": ("paddle_static", "ctr_sgd"),
    "affine_of_part": ("paddle_static", "ctr_sgd"),
    "attention": ("paddle_static", "transformer"),
    "identity": ("paddle_static", "infer"),
}
HEAD = ["peephole", "workload", "calls without", "calls with", "ms without", "ms with", "ratio"]
Step = Callable[[Any], Any]


def prepared(script: Any, workload: str, enabled: list[str], batch: Any) -> tuple[Step, int, str]:
    """A step of a workload that was lowered with these peepholes, how many calls its graph makes, and its code."""
    former, peephole.ENABLED[:] = list(peephole.ENABLED), enabled
    sizes: list[int] = []
    codes: list[str] = []
    apply = peephole.apply

    def counted(lowered: Any) -> None:
        apply(lowered)
        sizes.append(sum(node.op == "call_function" and node.target is not operator.getitem for node in lowered.module.graph.nodes))
        codes.append(lowered.module.code)

    peephole.apply = counted
    try:
        step = script.make(workload)
        step(batch)
    finally:
        peephole.ENABLED[:], peephole.apply = former, apply
    return step, sizes[-1], codes[-1]


def compare(ways: dict[str, Step], batches: list[Any], steps: int, rounds: int) -> dict[str, float]:
    """Least process-CPU ms of a step of each way; they take turns by round."""
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for name, step in ways.items():
            for i in range(steps):
                start = time.process_time()
                step(batches[i % len(batches)])
                least[name] = min(least[name], (time.process_time() - start) * 1e3)
    return least


def main() -> int:
    """Print a line for each peephole; 1 when one makes steps slower or does not apply."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=0, help="default: a third of the workload's own number")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default=",".join(peephole.ENABLED), help="peepholes, with commas between them")
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    sys.path.insert(0, str(Path(__file__).resolve().parent / "workloads"))
    paddle_compat.install()
    paddle_compat.enable_static()
    import harness

    rows, slower = [], False
    print(" | ".join(HEAD))
    for name in arguments.only.split(","):
        module, workload = SHOWN_BY[name]
        script, batches = __import__(module), harness.batches(workload)
        others = [other for other in peephole.ENABLED if other != name]
        without, nodes_without, code = prepared(script, workload, others, batches[0])
        with_it, nodes_with, code_with = prepared(script, workload, [*peephole.ENABLED], batches[0])
        steps = arguments.steps or max(3, harness.WORKLOADS[workload][1] // 3)
        least = compare({"without": without, "with": with_it}, batches, steps, arguments.rounds)
        ratio = least["with"] / least["without"]
        slower |= ratio > 1.02 or code_with == code
        figures = [f"{least[way]:.3g}" for way in ("without", "with")]
        rows.append([name, workload, str(nodes_without), str(nodes_with), *figures, f"{ratio:.2f}"])
        print(" | ".join(rows[-1]), flush=True)
    if arguments.markdown:
        tables.fill(arguments.markdown, "peepholes", HEAD, rows)
    return int(slower)


if __name__ == "__main__":
    sys.exit(main())
