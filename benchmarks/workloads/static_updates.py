"""The optimizers' updates of twenty parameters as a script for Paddle 2.6: static programs of nothing else.

    python -m paddle_compat benchmarks/workloads/static_updates.py adam_small momentum_large

Paddle 2.6's own wheel runs it too. One line of JSON for each optimizer and size: the least and the median milliseconds of process
CPU, and the mean sizes of two parameters after three steps.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from typing import Any

import numpy as np
import paddle
from paddle import optimizer, static

SIZES = {"small": 16, "middle": 128, "large": 512}
SECONDS = 0.2
OPTIMIZERS: dict[str, Any] = {
    "sgd": lambda: optimizer.SGD(1e-3),
    "momentum": lambda: optimizer.Momentum(1e-3, 0.9),
    "nesterov": lambda: optimizer.Momentum(1e-3, 0.9, use_nesterov=True, weight_decay=1e-4),
    "adam": lambda: optimizer.Adam(1e-3),
    "adamw": lambda: optimizer.AdamW(1e-3),
    "adamax": lambda: optimizer.Adamax(1e-3),
    "adagrad": lambda: optimizer.Adagrad(1e-3),
    "adadelta": lambda: optimizer.Adadelta(1e-3),
    "rmsprop": lambda: optimizer.RMSProp(1e-3),
    "rmsprop_centered": lambda: optimizer.RMSProp(1e-3, momentum=0.9, centered=True),
    "lamb": lambda: optimizer.Lamb(1e-3),
    "clipped_adam": lambda: optimizer.Adam(1e-3, grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0)),
    "decayed_adam": lambda: optimizer.Adam(1e-3, weight_decay=1e-4),
}


def measure(name: str, steps: int) -> dict[str, Any]:
    """Figures of one optimizer and size."""
    kind, size = name.rsplit("_", 1)
    main, startup, scope = static.Program(), static.Program(), static.Scope()
    with static.program_guard(main, startup):
        pairs = []
        for i in range(20):
            shape = [SIZES[size]] * (1 + i % 2)
            start = paddle.nn.initializer.Constant(0.3 - 0.1 * (i // 2))
            param = static.create_parameter(shape, "float32", default_initializer=start)
            pairs.append((param, static.create_global_var(shape, 0.1 * (i % 5 - 2) + 0.05, "float32", persistable=True)))
        OPTIMIZERS[kind]().apply_gradients(pairs)
    exe = static.Executor(paddle.CPUPlace())
    with static.scope_guard(scope):
        exe.run(startup)
        for _ in range(3):
            exe.run(main)
        values = exe.run(main, fetch_list=[pairs[0][0], pairs[1][0]])
        times, begin = [], time.time()
        while len(times) < steps or (time.time() - begin < SECONDS and len(times) < 1000):
            start = time.process_time()
            exe.run(main)
            times.append((time.process_time() - start) * 1e3)
    times = times[len(times) // 5 :]
    sizes = [float(np.abs(value.astype("float64")).mean()) for value in values]
    return {"min_ms": min(times), "median_ms": statistics.median(times), "size": sizes[0], "grads": sizes[1:]}


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("updates", nargs="*", help="default: all")
    parser.add_argument("--steps", type=int, default=8)
    arguments = parser.parse_args()
    paddle.enable_static()
    for name in arguments.updates or [f"{kind}_{size}" for kind in OPTIMIZERS for size in SIZES]:
        figures = {"operator": name, "version": paddle.__version__, **measure(name, arguments.steps)}
        sys.stdout.write(json.dumps(figures) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
