"""Operators on tiny tensors, called at once: nanoseconds of a call, in PyTorch or in Paddle.

    python -m paddle_compat benchmarks/workloads/eager_operators.py paddle,torch

A wheel's own Python runs it too, with `paddle`. One line of JSON: {framework: {case: least nanoseconds}}.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

CALLS, ROUNDS = 300, 60
Cases = dict  # of calls by name
MATRIX = np.random.RandomState(0).standard_normal((4, 4)).astype("float32")


def torch_cases(gradient: bool) -> Cases[str, Callable[[], Any]]:
    """The calls in PyTorch."""
    import torch
    import torch.nn.functional as F

    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    x, y, b = (torch.from_numpy(a.copy()).requires_grad_(gradient) for a in (MATRIX, MATRIX, MATRIX[0]))
    total, ids, mask = x.detach().sum(), torch.arange(4), x > 0
    cases = {
        "add": lambda: torch.add(x, y), "x + y": lambda: x + y, "x * 2.0": lambda: x * 2.0, "relu": lambda: F.relu(x),
        "matmul": lambda: torch.matmul(x, y), "reshape": lambda: torch.reshape(x, [2, 8]), "x[1]": lambda: x[1], "x[:, 1]": lambda: x[:, 1],
        "sum": lambda: torch.sum(x), "transpose": lambda: torch.permute(x, [1, 0]), "concat": lambda: torch.cat([x, y]),
        "softmax": lambda: torch.softmax(x, -1), "linear": lambda: F.linear(x, y, b), "cast": lambda: x.to(torch.float64),
        "1.0 - x": lambda: 1.0 - x, "x / 3.0": lambda: x / 3.0, "1.0 / x": lambda: 1.0 / x, "x ** 2": lambda: x**2,
        "x > 0": lambda: x > 0, "ids + 1": lambda: ids + 1, "ids == 0": lambda: ids == 0,
        "cross_entropy": lambda: F.cross_entropy(x, ids), "maximum": lambda: torch.maximum(x, y), "split": lambda: torch.split_copy(x, 2),
        "x @ y": lambda: x @ y, "astype, same": lambda: x.clone(), "zeros_like": lambda: torch.zeros_like(x),
        "masked_fill": lambda: x.masked_fill(mask, 0.0), "mean": lambda: torch.mean(x),
    }  # fmt: skip
    values = {
        "to_tensor": lambda: torch.tensor(MATRIX), "float(t)": lambda: float(total), "t.numpy()": lambda: x.numpy(),
        "detach().numpy()": lambda: x.detach().numpy(),  # a Tensor that is asked for the first time
    }  # fmt: skip
    return cases if gradient else {**cases, **values}


def paddle_cases(gradient: bool) -> Cases[str, Callable[[], Any]]:
    """The calls in Paddle."""
    import paddle
    import paddle.nn.functional as F

    x, y, b = (paddle.to_tensor(a, stop_gradient=not gradient) for a in (MATRIX, MATRIX, MATRIX[0]))
    total, ids, mask = x.detach().sum(), paddle.arange(4), x > 0
    cases = {
        "add": lambda: paddle.add(x, y), "x + y": lambda: x + y, "x * 2.0": lambda: x * 2.0, "relu": lambda: F.relu(x),
        "matmul": lambda: paddle.matmul(x, y), "reshape": lambda: paddle.reshape(x, [2, 8]), "x[1]": lambda: x[1],
        "x[:, 1]": lambda: x[:, 1], "sum": lambda: paddle.sum(x), "transpose": lambda: paddle.transpose(x, [1, 0]),
        "concat": lambda: paddle.concat([x, y]), "softmax": lambda: F.softmax(x), "linear": lambda: F.linear(x, y, b),
        "cast": lambda: paddle.cast(x, "float64"), "1.0 - x": lambda: 1.0 - x, "x / 3.0": lambda: x / 3.0, "1.0 / x": lambda: 1.0 / x,
        "x ** 2": lambda: x**2, "x > 0": lambda: x > 0, "ids + 1": lambda: ids + 1, "ids == 0": lambda: ids == 0,
        "cross_entropy": lambda: F.cross_entropy(x, ids), "maximum": lambda: paddle.maximum(x, y), "split": lambda: paddle.split(x, 2),
        "x @ y": lambda: x @ y, "astype, same": lambda: x.astype("float32"), "zeros_like": lambda: paddle.zeros_like(x),
        "masked_fill": lambda: paddle.masked_fill(x, mask, 0.0), "mean": lambda: paddle.mean(x),
    }  # fmt: skip
    values = {
        "to_tensor": lambda: paddle.to_tensor(MATRIX), "float(t)": lambda: float(total), "t.numpy()": lambda: x.numpy(),
        "detach().numpy()": lambda: x.detach().numpy(),  # a Tensor that is asked for the first time
    }  # fmt: skip
    return cases if gradient else {**cases, **values}


def main() -> None:
    """Time the calls, each round all of them; the frameworks take turns at each, so that both meet the same state of the machine."""
    made = {"torch": torch_cases, "paddle": paddle_cases}
    frameworks = sys.argv[1].split(",")
    marks = ((False, ""), (True, ", with gradient"))
    cases = {way: {name + mark: call for grad, mark in marks for name, call in made[way](grad).items()} for way in frameworks}
    least = {way: dict.fromkeys(calls, float("inf")) for way, calls in cases.items()}
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS):
        for name in cases[frameworks[0]]:
            for way in frameworks:
                call = cases[way][name]
                start = time.perf_counter_ns()
                for _ in range(CALLS):
                    call()
                least[way][name] = min(least[way][name], (time.perf_counter_ns() - start) / CALLS)
    sys.stdout.write(json.dumps(least) + "\n")


if __name__ == "__main__":
    main()
