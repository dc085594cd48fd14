"""Optimizers in eager mode: `step` and `clear_grad` alone, and a whole training step of a small net, against torch's.

    python benchmarks/eager_updates.py [--rounds 200] [--paddle PYTHON_OF_2.6.2]

The net has three Linear layers, hidden 128, batch 128. Figures are medians of interleaved rounds on one thread, in
process-CPU microseconds; ratios below 1 mean that paddle_compat is faster. The wheel runs this file in a process of its own.
The exit status is 1 when a training step is slower than the limits.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

LIMITS = {"torch": {"sgd": 1.20, "adam": 1.20}, "paddle": {"sgd": 0.60, "adam": 0.95}}
DATA = np.random.RandomState(0).rand(128, 32).astype("float32"), np.random.RandomState(1).randint(0, 2, (128, 1))
Ways = dict[str, Callable[[], Any]]


def paddle_ways(paddle: Any) -> Ways:
    """By "optimizer part": what is timed, in Paddle's spelling."""
    nn, opt, ways = paddle.nn, paddle.optimizer, {}
    for name in ("sgd", "adam"):
        net = nn.Sequential(nn.Linear(32, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 2))
        params = net.parameters()
        optimizer = opt.SGD(0.1, params) if name == "sgd" else opt.Adam(1e-3, parameters=params)

        def train(net: Any = net, optimizer: Any = optimizer) -> float:
            x, y = (paddle.to_tensor(value) for value in DATA)
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return float(loss)

        ways[f"{name} train"] = train
        ways[f"{name} step"] = optimizer.step
        ways[f"{name} clear_grad"] = optimizer.clear_grad
    return ways


def torch_ways() -> Ways:
    """The same in torch's spelling."""
    import torch

    nn, ways = torch.nn, {}
    for name in ("sgd", "adam"):
        net = nn.Sequential(nn.Linear(32, 128), nn.Tanh(), nn.Linear(128, 128), nn.Tanh(), nn.Linear(128, 2))
        optimizer: Any = torch.optim.SGD(net.parameters(), 0.1) if name == "sgd" else torch.optim.Adam(net.parameters(), 1e-3)

        def train(net: Any = net, optimizer: Any = optimizer) -> float:
            x, y = (torch.from_numpy(value) for value in DATA)
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(x), y.squeeze(1))
            loss.backward()
            optimizer.step()
            return loss.item()

        ways[f"{name} train"] = train
        ways[f"{name} step"] = optimizer.step
        ways[f"{name} clear_grad"] = optimizer.zero_grad
    return ways


def measure(sides: dict[str, Ways], rounds: int) -> dict[str, dict[str, float]]:
    """Medians by side and way; in each round everything has its turn, after a training step that leaves gradients."""
    times: dict[str, dict[str, list[float]]] = {side: {way: [] for way in ways} for side, ways in sides.items()}
    for turn in range(rounds + 20):
        for side, ways in sides.items():
            for way, call in ways.items():
                if way.endswith(" step"):  # torch's training step clears in front, so that its gradients are still there
                    ways[way.split()[0] + " train"]()
                start = time.process_time_ns()
                call()
                if turn >= 20:
                    times[side][way].append((time.process_time_ns() - start) / 1e3)
    return {side: {way: statistics.median(values) for way, values in ways.items()} for side, ways in times.items()}


def main() -> int:
    """Measure, print a table, and compare with the limits."""
    parser = argparse.ArgumentParser(description="Optimizers in eager mode against torch's and the wheel's.")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--paddle", help="the Python of a 2.6.2 wheel")
    parser.add_argument("--wheel", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.wheel:
        import paddle

        print(json.dumps(measure({"paddle": paddle_ways(paddle)}, arguments.rounds)["paddle"]))
        return 0
    import torch

    import paddle_compat

    torch.set_num_threads(1)
    paddle_compat.disable_static()
    found = measure({"ours": paddle_ways(paddle_compat), "torch": torch_ways()}, arguments.rounds)
    if arguments.paddle:
        command = [arguments.paddle, __file__, "--wheel", "--rounds", str(arguments.rounds)]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "FLAGS_use_mkldnn": "0", "PADDLE_COMPAT": "", "PYTHONPATH": ""}
        found["paddle"] = json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    slow = False
    print("| what | us | " + " | ".join(f"of {side}" for side in list(found)[1:]) + " |")
    print("|---|---|" + "---|" * (len(found) - 1))
    for way, ours in found["ours"].items():
        ratios = {side: ours / times[way] for side, times in found.items() if side != "ours"}
        print(f"| {way} | {ours:.0f} | " + " | ".join(f"{ratio:.2f}" for ratio in ratios.values()) + " |")
        name, _, part = way.partition(" ")
        slow |= part == "train" and any(ratio > LIMITS[side][name] for side, ratio in ratios.items())
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
