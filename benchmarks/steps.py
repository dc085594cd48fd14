"""A step of real Paddle scripts on paddle_compat, against the same work hand-written in PyTorch and on real Paddle wheels.

    python benchmarks/steps.py [--rounds 3] [--only mlp,ctr_sgd] [--paddle PYTHON_OF_A_WHEEL ...] [--markdown docs/benchmarks.md]

Every measurement is a fresh process on one thread; within a round the ways take turns, so that all meet the same state of
the machine. Figures are process-CPU milliseconds of a step, the least and the median over the rounds; ratios are of the
least (below 1: paddle_compat is faster). The exit status is 1 when a ratio passes its bar or losses differ.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import tables

SCRIPTS = Path(__file__).resolve().parent / "workloads"
# What a ratio may be at most: against PyTorch, against Paddle 2.6.2.
STATIC_BARS = {
    "mlp": (0.95, 0.65),
    "resnet18": (1.03, 0.72),
    "convnet": (1.00, 0.50),
    "transformer": (1.05, 0.68),
    "ctr_sgd": (1.05, 0.70),
    "ctr_adam": (1.05, 0.70),
    "infer": (1.20, 0.45),
}
EAGER_BARS = {"mlp": (1.20, 0.60), "mlp_adam": (1.20, 0.95), "resnet18": (1.03, 0.75), "transformer": (1.08, 0.75)}
FLUID = ("mlp", "ctr_sgd", "ctr_adam")  # workloads that have a spelling for Paddle 1.8
# spelling: its script, and the bars of its workloads
SPELLINGS = {
    "static": ("paddle_static.py", STATIC_BARS),
    "fluid": ("paddle_fluid.py", {name: STATIC_BARS[name] for name in FLUID}),
    "eager": ("paddle_eager.py", EAGER_BARS),
}
FIRST_OVER_TORCH, MEMORY_OVER_TORCH = 100.0, 1.15  # ms; ratio. Against a wheel both may be as much as the wheel's
LOSS_BOUND = {"resnet18": 2e-3}  # relative, 1e-5 elsewhere: batch norm amplifies what sums in another order round differently
HEAD = ["work", "ours ms", "torch ms", "wheel ms", "/ torch", "/ wheel", "first step ms", "peak MiB", "third loss"]


@dataclass
class Way:
    """One way to do a workload."""

    label: str
    command: list[str]

    def run(self, workload: str, steps: int) -> dict[str, float]:
        """Figures of one fresh process."""
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLOG_minloglevel": "2"}
        environment["FLAGS_enable_pir_api"] = "0"  # 3.x: the Programs that these scripts are about
        command = [*self.command, workload, "--steps", str(steps)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if done.returncode:
            raise RuntimeError(f"{self.label} {workload} failed:\n{done.stderr[-2000:]}")
        figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        return figures


@dataclass
class Best:
    """Figures of one way over the rounds."""

    least: float
    median: float
    first: float
    peak: float
    loss: float

    @classmethod
    def of(cls, rounds: list[dict[str, float]]) -> Best:
        """The least of each figure, and the median of the medians."""
        least, first, peak = (min(r[key] for r in rounds) for key in ("min_ms", "first_ms", "peak_mib"))
        return cls(least, statistics.median(r["median_ms"] for r in rounds), first, peak, rounds[-1]["loss"])

    def __str__(self) -> str:
        return f"{self.least:.3g} ({self.median:.3g})"


def wheel(python: str) -> str:
    """Version of a wheel."""
    code = "import paddle; print(paddle.__version__)"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.split()[-1]


def ways_of(spelling: str, wheels: dict[str, str]) -> list[Way]:
    """The ways to do a workload in one of Paddle's spellings: ours, by hand in PyTorch, the wheels that know the spelling."""
    script = str(SCRIPTS / SPELLINGS[spelling][0])
    ways = [Way("ours", [sys.executable, "-m", "paddle_compat", script]), Way("torch", [sys.executable, str(SCRIPTS / "torch_eager.py")])]
    old = spelling == "fluid"
    return ways + [Way(version, [python, script]) for version, python in wheels.items() if version.startswith("1.") == old]


def misses(bars: tuple[float, float], workload: str, best: dict[str, Best], reference: str | None) -> list[str]:
    """What is not as it should be. Only Paddle 2.6.2's bars are known."""
    ours, torch = best["ours"], best["torch"]
    over_torch, over_wheel = bars
    loss_bound = LOSS_BOUND.get(workload, 1e-5)
    found = []

    def check(what: str, value: float, bar: float) -> None:
        if value > bar:
            found.append(f"{what} {value:.3g} > {bar:.3g}")

    check("step / torch", ours.least / torch.least, over_torch)
    check("first step - torch ms", ours.first - torch.first, FIRST_OVER_TORCH)
    check("peak / torch", ours.peak / torch.peak, MEMORY_OVER_TORCH)
    if reference is not None:
        real = best[reference]
        if reference.startswith("2.6"):
            check("step / wheel", ours.least / real.least, over_wheel)
            check("first step / wheel", ours.first / real.first, 1.0)
            check("peak / wheel", ours.peak / real.peak, 1.0)
        check("loss off wheel's by", abs(ours.loss - real.loss) / abs(real.loss), loss_bound)
    elif workload != "ctr_adam":  # SparseAdam's epsilon stands elsewhere
        check("loss off torch's by", abs(ours.loss - torch.loss) / abs(torch.loss), loss_bound)
    return found


def row(name: str, bars: tuple[float, float], best: dict[str, Best], reference: str | None) -> list[str]:
    """A line of the table."""
    ours, torch, real = best["ours"], best["torch"], best[reference] if reference else None
    shown = [ours, torch, *([real] if real else [])]
    over_wheel = f" (<= {bars[1]:.2f})" if reference is None or reference.startswith("2.6") else ""
    return [
        name,
        str(ours),
        str(torch),
        str(real or "-"),
        f"{ours.least / torch.least:.2f} (<= {bars[0]:.2f})",
        f"{ours.least / real.least:.2f}{over_wheel}" if real else "-",
        ", ".join(f"{b.first:.0f}" for b in shown),
        ", ".join(f"{b.peak:.0f}" for b in shown),
        ", ".join(f"{b.loss:.6f}" for b in shown),
    ]


def main() -> int:
    """Measure, print, and write the table where one is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=0, help="default: each workload's own number")
    parser.add_argument("--only", help="workloads, with commas between them; default: all")
    parser.add_argument("--spelling", choices=list(SPELLINGS), help="default: all")
    parser.add_argument("--paddle", action="append", default=[], help="python that has a real Paddle wheel; may be repeated")
    parser.add_argument("--markdown", type=Path, help="page whose tables to fill in")
    arguments = parser.parse_args()
    known = {name for _, bars in SPELLINGS.values() for name in bars}
    wanted = set(arguments.only.split(",")) if arguments.only else known
    if wanted - known:
        parser.error(f"no such workload: {', '.join(sorted(wanted - known))} (there are {', '.join(sorted(known))})")
    wheels = {wheel(python): python for python in arguments.paddle}
    tables_of: dict[str, list[list[str]]] = {"steps": [], "eager": []}
    missed = False
    print(" | ".join(HEAD), flush=True)
    for spelling, (_, bars) in SPELLINGS.items():
        if arguments.spelling not in (None, spelling):
            continue
        for workload in (name for name in bars if name in wanted):
            ways = ways_of(spelling, wheels)
            figures: dict[str, list[dict[str, float]]] = {way.label: [] for way in ways}
            try:
                for _ in range(arguments.rounds):
                    for way in ways:
                        figures[way.label].append(way.run(workload, arguments.steps))
            except RuntimeError as error:
                missed = True
                print(error, flush=True)
                continue
            best = {label: Best.of(found) for label, found in figures.items()}
            for reference in [way.label for way in ways[2:]] or [None]:
                name = workload + (" (fluid)" if spelling == "fluid" else "") + (f", Paddle {reference}" if reference else "")
                rows = tables_of["eager" if spelling == "eager" else "steps"]
                rows.append(row(name, bars[workload], best, reference))
                print(" | ".join(rows[-1]), flush=True)
                for text in misses(bars[workload], workload, best, reference):
                    missed = True
                    print(f"    {text}", flush=True)
    if arguments.markdown:
        for table, rows in tables_of.items():
            if rows:
                tables.fill(arguments.markdown, table, HEAD, rows)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
