"""Two trainers and a parameter server: the click model's examples a second, against torch.distributed.rpc by hand and real Paddle wheels.

    python benchmarks/parameter_server.py [--rounds 3] [--only sync,async] [--paddle PYTHON_OF_1.8.5 PYTHON_OF_2.6.2] [--markdown docs/benchmarks.md]

`sync` is DistributeTranspiler's (1.8.5's wheel runs the same script), `async` fleet's with `a_sync` (2.6.2's does). Batches of 512, a server and
two trainers of one thread each on 127.0.0.1; every measurement starts fresh ones, and within a round the ways take turns. Examples a second are of
both trainers, by the medians of their steps, then of the rounds: they take a machine with two idle cores. Milliseconds are those of the processor
for one step of a trainer, and of the server for as long. The exit status is 1 when a ratio misses its bar.
"""  # noqa: E501

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tables

ROOT = Path(__file__).resolve().parents[1]
WORKLOADS = ROOT / "benchmarks/workloads"
BATCH, TRAINERS, SECONDS = 512, 2, 120
BAR = 0.9  # of what is written by hand
WHEELS = {"sync": ("1.8", 2.0), "async": ("2.6", 1.5)}  # which one runs the script, and how many times as fast ours is to be
HEAD = ["work", "examples/s", "by hand", "wheel", "/ by hand", "/ wheel", "ms of trainer + server", "by hand: ms", "wheel: ms"]


@dataclass
class Figures:
    """What one job, or the median of several, did."""

    examples: float  # a second, of all trainers
    trainer: float  # ms of the processor for a step
    server: float

    @classmethod
    def of(cls, several: list[Figures]) -> Figures:
        """Their medians."""
        return cls(*(statistics.median(getattr(each, name) for each in several) for name in ("examples", "trainer", "server")))

    def busy(self) -> str:
        """Milliseconds."""
        return f"{self.trainer:.1f} + {self.server:.1f}"


def busy_seconds(process: int) -> float:
    """Of the processor that a process has had."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Job:
    """A server and its trainers, as fresh processes."""

    def __init__(self, command: list[str], mode: str, steps: int) -> None:
        with ExitStack() as stack:
            doors = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(TRAINERS + 2)]
            ports = ",".join(str(door.getsockname()[1]) for door in doors)
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        environment |= {"OMP_NUM_THREADS": "1", "GLOG_minloglevel": "2", "PYTHONPATH": path}
        self.steps, self.started, self.lock, self.begun, self.ended = steps, [], threading.Lock(), 0.0, 0.0
        for role, number in [("server", 0), *(("trainer", i) for i in range(TRAINERS))]:
            words = [*command, mode, role, str(number), ports, str(steps)]
            pipes = {"stdout": subprocess.PIPE if role == "trainer" else subprocess.DEVNULL, "stderr": subprocess.PIPE}
            self.started.append(subprocess.Popen(words, env=environment, text=True, **pipes))  # type: ignore[call-overload]
        self.said: list[dict[str, float]] = []
        self.errors = [""] * len(self.started)

    def listen(self, number: int) -> None:
        """Read what a trainer says, and how busy the server was meanwhile."""
        for line in self.started[1 + number].stdout:
            with self.lock:
                if line == "warm\n":
                    self.begun = busy_seconds(self.started[0].pid)  # when the last one is
                elif line.startswith("{"):
                    self.ended = self.ended or busy_seconds(self.started[0].pid)  # when the first one is done
                    self.said.append(json.loads(line))

    def read_errors(self, number: int) -> None:
        """Keep what a process complains of."""
        self.errors[number] = self.started[number].stderr.read()

    def figures(self) -> Figures:
        """Wait for the trainers."""
        threads = [threading.Thread(target=self.listen, args=(i,)) for i in range(TRAINERS)]
        threads += [threading.Thread(target=self.read_errors, args=(i,)) for i in range(len(self.started))]
        for thread in threads:
            thread.start()
        try:
            for process in self.started[1:]:
                process.wait(SECONDS)
        finally:
            for process in self.started:  # a wheel's server does not end by itself
                process.kill()
                process.wait()
            for thread in threads:
                thread.join()
        if len(self.said) < TRAINERS:
            raise RuntimeError("\n".join(error[-1500:] for error in self.errors))
        examples = sum(BATCH * 1e3 / each["median_ms"] for each in self.said)
        trainer = statistics.mean(each["busy_ms"] for each in self.said)
        return Figures(examples, trainer, (self.ended - self.begun) * 1e3 / self.steps)


def wheel(pythons: list[str], version: str) -> str | None:
    """The one of some Pythons that has Paddle of that version."""
    for python in pythons:
        code = "import paddle; print(paddle.__version__)"
        if subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.split()[-1].startswith(version):
            return python
    return None


def main() -> int:
    """Measure and print one line for each mode."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--only", default=",".join(WHEELS))
    parser.add_argument("--paddle", nargs="*", default=[], help="Pythons that have Paddle 1.8.5 or 2.6.2")
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    print(" | ".join(HEAD), flush=True)
    rows: list[list[str]] = []
    failed = False
    script = str(WORKLOADS / "servers_paddle.py")
    for mode in arguments.only.split(","):
        version, wheel_bar = WHEELS[mode]
        real = wheel(arguments.paddle, version)
        ways: dict[str, Any] = {"ours": [sys.executable, "-m", "paddle_compat", script]}
        ways["by hand"] = [sys.executable, str(WORKLOADS / "servers_rpc.py")]
        if real is not None:
            ways["wheel"] = [real, script]
        found: dict[str, list[Figures]] = {way: [] for way in ways}
        for _ in range(arguments.rounds):
            for way, command in ways.items():
                found[way].append(Job(command, mode, arguments.steps).figures())
        best = {way: Figures.of(each) for way, each in found.items()}
        ratios = {way: best["ours"].examples / best[way].examples for way in ways}
        failed |= ratios["by hand"] < BAR or ratios.get("wheel", wheel_bar) < wheel_bar
        others = [best.get("by hand"), best.get("wheel")]
        row = [mode, f"{best['ours'].examples:.0f}", *("" if each is None else f"{each.examples:.0f}" for each in others)]
        row += [f"{ratios['by hand']:.2f} (>= {BAR:.2f})", f"{ratios['wheel']:.2f} (>= {wheel_bar:.2f})" if "wheel" in ratios else ""]
        row += [best["ours"].busy(), *("" if each is None else each.busy() for each in others)]
        rows.append(row)
        print(" | ".join(row), flush=True)
    if arguments.markdown:
        tables.fill(arguments.markdown, "parameter_server", HEAD, rows)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
