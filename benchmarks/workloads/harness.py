"""What every spelling of a workload shares: sizes, start values, batches and the clock. Needs numpy; runs from Python 3.7 on.

A start value depends on nothing but the parameter's name and shape (in Paddle's layout, a Linear's weight is [in, out]), so
spellings agree as long as they name their parameters alike, and their losses can be compared.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

MLP = {"features": 32, "hidden": 128, "classes": 2}
RESNET = {"size": 64, "classes": 100, "stages": (64, 128, 256, 512)}
CONVNET = {"size": 32, "filters": (32, 64), "classes": 10}
TRANSFORMER = {"words": 10000, "width": 128, "heads": 4, "inner": 512, "layers": 2, "length": 64, "classes": 4}
CTR = {"slots": 26, "rows": 100000, "columns": 16, "dense": 13, "hidden": (400, 400, 400)}

# workload: rows in a batch, steps timed by default
WORKLOADS = {
    "mlp": (128, 300),
    "mlp_adam": (128, 300),
    "resnet18": (8, 12),
    "convnet": (32, 20),
    "transformer": (16, 30),
    "ctr_sgd": (512, 30),
    "ctr_adam": (512, 30),
    "infer": (1, 300),
}
SLOTS = [f"C{i}" for i in range(CTR["slots"])]  # type: ignore[call-overload]
COMPARED = 3  # the step whose loss is compared
Batch = dict  # of arrays by feed name


def start_value(name: str, shape: tuple[int, ...]) -> np.ndarray:
    """The first value of a parameter."""
    if len(shape) == 1:
        return np.full(shape, float(name.endswith("weight")), "float32")  # a scale or a bias
    if name.startswith("table"):
        spread = 0.05
    else:
        spread = (2.0 / np.prod(shape[1:])) ** 0.5 if len(shape) == 4 else shape[0] ** -0.5
    random = np.random.RandomState(zlib.crc32(name.encode()))
    return (random.standard_normal(shape) * spread).astype("float32")


def batches(workload: str, seed: int = 11) -> list[Batch]:
    """Eight batches, the same in every process."""
    rows, _ = WORKLOADS[workload]
    random = np.random.RandomState(seed)

    def one() -> Batch:
        if workload in ("mlp", "mlp_adam", "infer"):
            batch = {"x": random.standard_normal((rows, MLP["features"])).astype("float32")}
            if workload != "infer":
                batch["y"] = random.randint(0, MLP["classes"], (rows, 1)).astype("int64")
            return batch
        if workload in ("resnet18", "convnet"):
            sizes: dict = RESNET if workload == "resnet18" else CONVNET
            image = random.standard_normal((rows, 3, sizes["size"], sizes["size"])).astype("float32")
            return {"image": image, "label": random.randint(0, sizes["classes"], (rows, 1)).astype("int64")}
        if workload == "transformer":
            text = random.randint(0, TRANSFORMER["words"], (rows, TRANSFORMER["length"])).astype("int64")
            return {"text": text, "label": random.randint(0, TRANSFORMER["classes"], (rows, 1)).astype("int64")}
        batch = {"dense": random.random_sample((rows, CTR["dense"])).astype("float32")}
        for i, slot in enumerate(SLOTS):  # few ids are met often and most of them seldom, each slot has favourites of its own
            batch[slot] = ((random.zipf(1.2, (rows, 1)) + i * 3571) % CTR["rows"]).astype("int64")
        batch["click"] = (random.random_sample((rows, 1)) < 0.3).astype("float32")
        return batch

    return [one() for _ in range(8)]


def measure(step: Callable[[int], Any], steps: int) -> dict[str, float]:
    """Process-CPU ms of a step, which gives the loss; the first one and a tenth as warm-up stand apart.

    The loss to compare is an early one: rounding grows from step to step, and other machines round in other places.
    """
    warm = 1 + max(1, steps // 10)
    times = []
    for i in range(warm + steps):
        start = time.process_time()
        value = step(i)
        times.append((time.process_time() - start) * 1e3)
        if i < COMPARED:
            loss = float(np.asarray(value).reshape(-1)[0])
    return {
        "first_ms": times[0],
        "min_ms": min(times[warm:]),
        "median_ms": statistics.median(times[warm:]),
        "loss": loss,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def measure_beside(step: Callable[[int], Any], steps: int) -> None:
    """Say "warm" when a tenth of the steps is done, then the median of their ms, of the clock and of the processor, as JSON."""
    clock, busy = [], []
    for i in range(steps // 10 + 2):
        step(i)
    sys.stdout.write("warm\n")
    sys.stdout.flush()
    for i in range(steps):
        begun, spent = time.perf_counter(), time.process_time()
        step(i)
        clock.append((time.perf_counter() - begun) * 1e3)
        busy.append((time.process_time() - spent) * 1e3)
    sys.stdout.write(json.dumps({"median_ms": statistics.median(clock), "busy_ms": statistics.median(busy)}) + "\n")
    sys.stdout.flush()


def repeated(step: Callable[[], Any], steps: int, seconds: float, most: int) -> tuple[dict[str, float], Any]:
    """Process-CPU ms of a short step that is run for a while, but for the first fifth; and what the last one gave."""
    times, value, begin = [], None, time.time()
    while len(times) < steps or (time.time() - begin < seconds and len(times) < most):
        start = time.process_time()
        value = step()
        times.append((time.process_time() - start) * 1e3)
    times = times[len(times) // 5 :]
    return {"min_ms": min(times), "median_ms": statistics.median(times)}, value


def operators(version: str, known: list[str], figures: Callable[[str, int], dict[str, Any]], steps: int) -> None:
    """Print the figures of the operators that the command line names, or of all, a line of JSON each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("operators", nargs="*", help="default: all")
    parser.add_argument("--steps", type=int, default=steps)
    arguments = parser.parse_args()
    for name in arguments.operators or known:
        line = {"operator": name, "version": version, **figures(name, arguments.steps)}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


def main(version: str, make: Callable[[str], Callable[[Batch], Any]], known: list[str]) -> None:
    """Time the workloads that the command line names; one line of JSON for each.

    Args:
        version: of the framework that does the work.
        make: from a workload to the function that does one step on a batch and gives the loss.
        known: workloads that `make` can make.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("workloads", nargs="+", choices=known)
    parser.add_argument("--steps", type=int, default=0, help="default: the workload's own number")
    arguments = parser.parse_args()
    for workload in arguments.workloads:
        step, data = make(workload), batches(workload)
        figures = measure(lambda i: step(data[i % len(data)]), arguments.steps or WORKLOADS[workload][1])  # noqa: B023
        sys.stdout.write(json.dumps({"workload": workload, "version": version, **figures}) + "\n")
        sys.stdout.flush()
