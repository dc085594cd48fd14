"""How fast `paddle.io.DataLoader` reads small images, next to torch's DataLoader and a real Paddle's.

    python benchmarks/dataloader.py [--rounds 9] [--images 6400] [--paddle PYTHON_OF_THE_WHEEL]

Passes of all loaders alternate; a ratio is the median over the rounds of one pass of ours to the pass of the other beside it. The limits
are 1.05 of torch's and 1.0 of Paddle's, in seconds; processor time is what says more on a machine that has other work.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIMITS = {"torch": 1.05, "paddle": 1.0}


class Passes:
    """A process that makes a pass each time it is asked."""

    def __init__(self, *command: str) -> None:
        env = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env, cwd=ROOT)

    def once(self) -> tuple[float, float]:
        """Seconds, and seconds of processor time, of one pass."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        seconds, used, _ = map(float, self.process.stdout.readline().split())
        return seconds, used

    def end(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def compare(workers: int, rounds: int, images: int, wheel: str | None) -> dict[str, list[tuple[float, float]]]:
    """Times of every round, by loader."""
    script = "benchmarks/workloads/loader.py"
    ways = {"ours": (sys.executable, "-m", "paddle_compat", script, "paddle"), "torch": (sys.executable, script, "torch")}
    if wheel:
        ways["paddle"] = (wheel, script, "paddle")
    processes = {name: Passes(*command, str(workers), str(images)) for name, command in ways.items()}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        for name, process in processes.items():
            found = process.once()
            if number:  # the first is to warm up
                times[name].append(found)
    for process in processes.values():
        process.end()
    return times


def main() -> int:
    """Print the comparison; the exit status says whether the limits held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--images", type=int, default=6400)
    parser.add_argument("--paddle", help="the Python of a real Paddle")
    options = parser.parse_args()
    status = 0
    for workers in (0, 2):
        times = compare(workers, options.rounds, options.images, options.paddle)
        seconds = statistics.median(t[0] for t in times["ours"])
        for other in times.keys() - {"ours"}:
            wall, used = (statistics.median(a[i] / b[i] for a, b in zip(times["ours"], times[other])) for i in (0, 1))
            print(f"{workers} workers, {seconds * 1e3:.0f} ms: {wall:.2f} of {other}'s (limit {LIMITS[other]}), processor time {used:.2f}")
            status |= wall > LIMITS[other]
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
