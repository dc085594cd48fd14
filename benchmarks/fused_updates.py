"""One optimizer step, on its own: the fused calls against the single operators and against torch.optim.

    python benchmarks/fused_updates.py [--rounds 50] [--threads 1]

Ratios are to torch.optim (below 1: faster), medians of interleaved rounds. The table is that of the CTR model:
100000 rows of 16, 26 slots, batches of 512, so 13312 row numbers a step, some of them twice.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import torch

from paddle_compat.core.op import find_op

Tensor = torch.Tensor
Shapes = list[tuple[int, ...]]
MLP: Shapes = [(32, 128), (128,), (128, 128), (128,), (128, 2), (2,)]
RESNET: Shapes = [(64, 3, 7, 7)] + [
    s for i, o in ((64, 64), (64, 128), (128, 256), (256, 512)) for s in ((o, i, 3, 3), (o,), (o,), (o, o, 3, 3), (o,))
]
TABLE = (100000, 16)
LIMITS = {"dense": 1.0, "rows": 1.05}

# operator, its attributes, its accumulators, torch's optimizer
DENSE: list[tuple[str, dict[str, Any], list[str], Callable[[Any], Any]]] = [
    ("sgd", {}, [], lambda p: torch.optim.SGD(p, lr=1e-3)),
    ("momentum", {"mu": 0.9}, ["Velocity"], lambda p: torch.optim.SGD(p, lr=1e-3, momentum=0.9)),
    ("adam", {}, ["Moment1", "Moment2"], lambda p: torch.optim.Adam(p, lr=1e-3)),
    ("adamw", {"with_decay": True}, ["Moment1", "Moment2"], lambda p: torch.optim.AdamW(p, lr=1e-3)),
]
ROWS: list[tuple[str, dict[str, Any], list[str], Callable[[Any], Any]]] = [
    ("sgd", {}, [], lambda p: torch.optim.SGD(p, lr=1e-3)),
    ("adam", {"lazy_mode": True}, ["Moment1", "Moment2"], lambda p: torch.optim.SparseAdam(p, lr=1e-3)),
]


def columns(type_: str, params: list[Tensor], grads: list[Tensor], accumulators: list[str]) -> list[Any]:
    """The inputs of one operator for each parameter, by slot."""
    rate = torch.tensor([1e-3])
    made: dict[str, Any] = {"Param": params, "Grad": grads, "LearningRate": [rate] * len(params)}
    made.update({name: [torch.zeros_like(p) for p in params] for name in accumulators})
    made.update({f"Beta{i}Pow": [torch.tensor([b]) for _ in params] for i, b in ((1, 0.9), (2, 0.999))})
    definition = find_op(type_)
    assert definition is not None
    return [made.get(slot.name) for slot in definition.inputs]


def compare(ways: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Median seconds of each way, all of them once a round."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(rounds + 3):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            if turn >= 3:
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def measure(row: Any, shapes: Shapes, grads: list[Tensor], rounds: int) -> dict[str, float]:
    """One optimizer on parameters of these shapes."""
    type_, attrs, accumulators, make = row
    definition = find_op(type_)
    assert definition is not None
    lists = columns(type_, [torch.randn(s) for s in shapes], grads, accumulators)
    absent = [None] * len(shapes)

    def single() -> None:
        for inputs in zip(*(values or absent for values in lists)):
            definition.fn(*inputs, **attrs)

    params = [torch.nn.Parameter(torch.randn(s)) for s in shapes]
    for param, grad in zip(params, grads):
        param.grad = grad
    ways: dict[str, Callable[[], Any]] = {"torch": make(params).step, "single": single}
    if definition.fused is not None:
        fused = definition.fused
        ways["fused"] = lambda: fused(*lists, **attrs)
    return compare(ways, rounds)


def main() -> int:
    """Print the figures; 1 where a limit is passed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    cases: list[tuple[str, Any, Shapes, list[Tensor]]]
    cases = [("mlp", row, MLP, [torch.randn(s) for s in MLP]) for row in DENSE]
    cases += [("resnet", row, RESNET, [torch.randn(s) for s in RESNET]) for row in DENSE]
    ids = torch.randint(0, TABLE[0], (1, 26 * 512))
    rows = torch.sparse_coo_tensor(ids, torch.randn(ids.shape[1], TABLE[1]), TABLE, check_invariants=False)
    cases += [("rows", row, [TABLE], [rows]) for row in ROWS]
    passed = False
    print(f"{'step of':24}{'torch us':>10}{'single':>8}{'fused':>8}")
    for what, row, shapes, grads in cases:
        seconds = measure(row, shapes, grads, arguments.rounds)
        ratios = {name: value / seconds["torch"] for name, value in seconds.items()}
        print(f"{what + ' ' + row[0]:24}{seconds['torch'] * 1e6:10.0f}{ratios['single']:8.2f}{ratios['fused']:8.2f}")
        passed |= ratios["fused"] > LIMITS["rows" if what == "rows" else "dense"]
    return int(passed)


if __name__ == "__main__":
    sys.exit(main())
