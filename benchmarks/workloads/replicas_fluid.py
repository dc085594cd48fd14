"""Data parallel training on CPU replicas, written for paddle.fluid: runs under the 1.8.5 wheel and under paddle_compat.

    python replicas_fluid.py WORKLOAD REPLICAS STEPS      prints {"median_ms", "loss"} of wall time as JSON
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time

import numpy as np


def build(workload):  # type: ignore[no-untyped-def]
    """The loss of a network, and a batch."""
    numbers = np.random.RandomState(0)
    layers = fluid.layers
    y = fluid.data("y", [None, 1], dtype="int64")
    if workload == "mlp":
        x = fluid.data("x", [None, 1024])
        h = layers.fc(layers.fc(x, 1024, act="relu"), 1024, act="relu")
        batch = numbers.rand(128, 1024)
    else:
        x = fluid.data("x", [None, 3, 32, 32])
        h = layers.pool2d(layers.conv2d(x, 32, 3, padding=1, act="relu"), 2, "max", 2)
        h = layers.pool2d(layers.conv2d(h, 64, 3, padding=1, act="relu"), 2, "max", 2)
        batch = numbers.rand(128, 3, 32, 32)
    loss = layers.mean(layers.softmax_with_cross_entropy(layers.fc(h, 10), y))
    return loss, {"x": batch.astype("float32"), "y": numbers.randint(0, 10, (128, 1))}


def main() -> None:
    """Train and print."""
    workload, replicas, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.environ["CPU_NUM"] = str(replicas)
    fluid.default_startup_program().random_seed = 1
    loss, feed = build(workload)
    fluid.optimizer.SGD(0.01).minimize(loss)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    both = fluid.CompiledProgram(fluid.default_main_program()).with_data_parallel(loss.name)
    took = []
    for _ in range(steps):
        start = time.perf_counter()
        (value,) = exe.run(both, feed=feed, fetch_list=[loss])
        took.append(time.perf_counter() - start)
    print(json.dumps({"median_ms": statistics.median(took[3:]) * 1e3, "loss": float(np.mean(value))}))


if __name__ == "__main__":
    import paddle.fluid as fluid

    main()
