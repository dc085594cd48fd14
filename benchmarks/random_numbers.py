"""Numbers drawn as the wheels draw them (`core/distributions.py`), against NumPy's own generator.

    python benchmarks/random_numbers.py [--markdown docs/benchmarks_ops.md]

Process-CPU milliseconds for a million numbers, least of 7 rounds in which all take turns. The exit status is 1 when 25 million uniform or
normal ones would take 3 seconds or more.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import tables

from paddle_compat.core import distributions, random

COUNT = 1_000_000
BAR = 3.0 / 25  # seconds for a million
HEAD = ["numbers", "minstd ms", "mt19937_64 ms", "NumPy's ms", "mt19937_64 / NumPy"]
WEIGHTS = np.random.RandomState(3).rand(COUNT // 10, 10).astype("float32")
Draw = Callable[[Any], Any]
# by name: how an engine draws them, and how NumPy does, and whether the bar holds for them
WAYS: dict[str, tuple[Draw, Draw, bool]] = {
    "uniform": (lambda e: distributions.uniform(e, COUNT, 0.0, 1.0), lambda g: g.uniform(0.0, 1.0, COUNT).astype("float32"), True),
    "normal": (lambda e: distributions.normal(e, COUNT, 0.0, 1.0), lambda g: g.normal(0.0, 1.0, COUNT).astype("float32"), True),
    "a permutation": (lambda e: distributions.permutation(e, COUNT), lambda g: g.permutation(COUNT), False),
    "10 of 10 by weight, for each of 100,000 rows": (
        lambda e: distributions.multinomial(e, WEIGHTS, 10, True),
        lambda g: (WEIGHTS.cumsum(1)[:, None] < g.uniform(0.0, WEIGHTS.sum(1), (10, len(WEIGHTS))).T[..., None]).sum(2),
        False,
    ),
}


def seconds(draw: Callable[[], Any]) -> float:
    """Of one call, on the processor."""
    begin = time.process_time()
    draw()
    return time.process_time() - begin


def least(drawn: Draw, numpys: Draw) -> list[float]:
    """Seconds with each engine and with NumPy."""
    ways: list[Callable[[], Any]] = [
        lambda: drawn(random.engine_for(3, "minstd")),
        lambda: drawn(random.engine_for(3, "mt19937_64")),
        lambda: numpys(np.random.RandomState(3)),
    ]
    rounds = [[seconds(way) for way in ways] for _ in range(7)]
    return [min(times) for times in zip(*rounds)]


def main() -> int:
    """Measure and print one line for each distribution."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    rows, failed = [], False
    print(" | ".join(HEAD))
    for name, (drawn, numpys, barred) in WAYS.items():
        times = least(drawn, numpys)
        failed |= barred and max(times[:2]) >= BAR
        rows.append([name, *(f"{time * 1e3:.3g}" for time in times), f"{times[1] / times[2]:.2f}"])
        print(" | ".join(rows[-1]))
    if arguments.markdown:
        tables.fill(arguments.markdown, "random_numbers", HEAD, rows)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
