"""Products of matrices and a bias, with their gradients: what `ops/_products.py` does on this processor against torch's addmm.

    python benchmarks/products.py [--threads 1] [--markdown docs/benchmarks_ops.md]

Microseconds of x W + b and of its whole backward pass, least of 7 rounds in which both take turns. Where torch's own are not replaced
(on Intel's processors) both columns are the same. The exit status is 1 when the replaced one is slower by more than a tenth.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tables
import torch

from paddle_compat.ops import _products

SIZES = [(128, 128, 128), (256, 256, 256), (64, 784, 10), (1024, 128, 4), (512, 429, 400), (1024, 128, 512), (4096, 64, 16), (32, 2048, 1000), (512, 512, 512)]  # fmt: skip  # noqa: E501
HEAD = ["rows x inner x columns", "us forward", "torch's", "us forward and back", "torch's", "/ torch"]


def seconds(call: Callable[[], Any], times: int) -> float:
    """Of one call."""
    begin = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - begin) / times


def main() -> int:
    """Measure and print one line for each size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--markdown", type=Path, help="page whose table to fill in")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    failed, rows = False, []
    print(" | ".join(HEAD), flush=True)
    for count, inner, columns in SIZES:
        x, w, b = (torch.randn(shape, requires_grad=True) for shape in ((count, inner), (inner, columns), (columns,)))
        gradient = torch.randn(count, columns)
        times = max(5, int(2e9 / (count * inner * columns * 30)))
        best: dict[tuple[Any, bool], float] = {}
        for _ in range(7):
            for way in (_products.addmm, torch.addmm):
                with torch.no_grad():
                    forward = seconds(lambda way=way: way(b, x, w), times)  # type: ignore[misc] # noqa: B023
                both = seconds(lambda way=way: torch.autograd.grad(way(b, x, w), (x, w, b), gradient), times)  # type: ignore[misc] # noqa: B023
                for key, value in (((way, False), forward), ((way, True), both)):
                    best[key] = min(best.get(key, value), value)
        ratio = best[_products.addmm, True] / best[torch.addmm, True]
        failed |= ratio > 1.1
        figures = [best[way, back] * 1e6 for back in (False, True) for way in (_products.addmm, torch.addmm)]
        rows.append([f"{count} x {inner} x {columns}", *(f"{figure:.3g}" for figure in figures), f"{ratio:.2f}"])
        print(" | ".join(rows[-1]), flush=True)
    if arguments.markdown:
        tables.fill(arguments.markdown, "products", HEAD, rows)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
