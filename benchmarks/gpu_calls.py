"""What single calls and small training steps cost on a GPU, where the host is what takes the time, against PyTorch's.

    python benchmarks/gpu_calls.py [--markdown PAGE]

A call is timed without waiting for the GPU, a step of a small network with the wait at the end of many; in turns, the least of the rounds,
in microseconds. It takes a machine with a GPU.
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
import torch
import torch.nn.functional as TF
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import paddle_compat as paddle

F = paddle.nn.functional
HEAD = ["call", "ours us", "torch us", "/ torch"]
Pair = tuple[Callable[[], Any], Callable[[], Any]]
NUMBERS = np.random.RandomState(0)
X, LABELS = NUMBERS.rand(64, 128).astype("float32"), NUMBERS.randint(0, 10, 64)


def calls() -> dict[str, Pair]:
    """Calls on few numbers: ours, and PyTorch's."""
    array = np.ones((4, 4), "float32")
    x, y, ids = paddle.rand([4, 4]), paddle.rand([4, 4]), paddle.to_tensor([0, 1, 2, 3])
    a, b, own = torch.rand(4, 4, device="cuda"), torch.rand(4, 4, device="cuda"), torch.tensor([0, 1, 2, 3], device="cuda")
    return {
        "x + y": (lambda: x + y, lambda: a + b),
        "relu": (lambda: F.relu(x), lambda: TF.relu(a)),
        "matmul": (lambda: paddle.matmul(x, y), lambda: torch.matmul(a, b)),
        "x[1]": (lambda: x[1], lambda: a[1]),
        "reshape": (lambda: paddle.reshape(x, [2, 8]), lambda: torch.reshape(a, (2, 8))),
        "ones": (lambda: paddle.ones([4, 4]), lambda: torch.ones(4, 4, device="cuda")),
        "full": (lambda: paddle.full([4], 2.0), lambda: torch.full((4,), 2.0, device="cuda")),
        "arange": (lambda: paddle.arange(4), lambda: torch.arange(4, device="cuda")),
        "rand": (lambda: paddle.rand([4, 4]), lambda: torch.rand(4, 4, device="cuda")),
        "to_tensor": (lambda: paddle.to_tensor(array), lambda: torch.tensor(array, device="cuda")),
        "numpy": (lambda: x.numpy(), lambda: a.cpu().numpy()),
        "astype float16": (lambda: x.astype("float16"), lambda: a.half()),
        "cross_entropy": (lambda: F.cross_entropy(x, ids), lambda: TF.cross_entropy(a, own)),
    }


def ours(optimizer: str) -> Callable[[], Any]:
    """A step of a small network."""
    net = paddle.nn.Sequential(paddle.nn.Linear(128, 256), paddle.nn.ReLU(), paddle.nn.Linear(256, 10))
    updates = getattr(paddle.optimizer, optimizer)(1e-3, parameters=net.parameters())
    x, labels = paddle.to_tensor(X), paddle.to_tensor(LABELS)

    def step() -> None:
        F.cross_entropy(net(x), labels).backward()
        updates.step()
        updates.clear_grad()

    return step


def theirs(optimizer: str) -> Callable[[], Any]:
    """The same step by PyTorch."""
    net = nn.Sequential(nn.Linear(128, 256), nn.ReLU(), nn.Linear(256, 10)).cuda()
    updates = getattr(torch.optim, optimizer)(net.parameters(), 1e-3)
    x, labels = torch.from_numpy(X).cuda(), torch.from_numpy(LABELS).cuda()

    def step() -> None:
        TF.cross_entropy(net(x), labels).backward()
        updates.step()
        updates.zero_grad()

    return step


def least(call: Callable[[], Any], count: int, wait: bool) -> float:
    """Microseconds of a call."""
    torch.cuda.synchronize()
    began = time.perf_counter()
    for _ in range(count):
        call()
    if wait:
        torch.cuda.synchronize()
    return (time.perf_counter() - began) / count * 1e6


def main() -> int:
    """Measure, and print a line for each call."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        print("There is no GPU.")
        return 2
    print(torch.cuda.get_device_name(), torch.__version__, flush=True)
    pairs = {name: (pair, 400, False) for name, pair in calls().items()}
    pairs |= {f"a step, {name}": ((ours(name), theirs(name)), 60, True) for name in ("SGD", "Adam")}
    rows = []
    for name, (pair, count, wait) in pairs.items():
        for call in pair:
            least(call, 30, True)
        taken = [[least(call, count, wait) for call in pair] for _ in range(8)]
        mine, other = (min(each) for each in zip(*taken))
        rows.append([name, f"{mine:.1f}", f"{other:.1f}", f"{mine / other:.2f}"])
        print(" | ".join(rows[-1]), flush=True)
    if arguments.markdown:
        tables.fill(arguments.markdown, "gpu calls", HEAD, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
