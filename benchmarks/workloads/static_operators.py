"""Forward and backward of single operators as a script for Paddle 2.6: static programs through Executor.run.

    python -m paddle_compat benchmarks/workloads/static_operators.py conv2d softmax

Paddle 2.6's own wheel runs it too. One line of JSON for each operator: the least and the median milliseconds of process CPU, and
the mean sizes of the result and of the gradients of its mean square.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import paddle
import paddle.nn.functional as F
from paddle import static

IMAGE, MATRIX, WORDS = [8, 32, 32, 32], [512, 512], [16, 64, 128]
SECONDS = 0.15


def x(shape: list[int] = MATRIX, name: str = "x") -> Any:
    """A feed whose gradient is taken."""
    found = static.data(name, shape, "float32")
    found.stop_gradient = False
    return found


def ids(shape: list[int], below: int) -> Any:
    """A feed of whole numbers; its name carries their bound."""
    return static.data(f"ids_{below}", shape, "int64")


def of(function: Callable[..., Any], *shapes: list[int], **options: Any) -> Callable[[], Any]:
    """A function on one feed for each shape."""
    return lambda: function(*(x(shape, f"x{i}") for i, shape in enumerate(shapes)), **options)


def joined(function: Callable[..., Any]) -> Callable[[], Any]:
    """A function on a list of four feeds."""
    return lambda: function([x(MATRIX, f"x{i}") for i in range(4)])


def parts(function: Callable[..., Any], count: int) -> Callable[[], Any]:
    """The sum of squares of what a function takes apart."""
    return lambda: paddle.add_n([part * part for part in function(x(), count)])


def chances(name: str, learns: bool = True) -> Any:
    """Numbers between 0 and 1, with or without a gradient."""
    out = F.sigmoid(x(name=name))
    out.stop_gradient = not learns
    return out


OPERATORS: dict[str, Callable[[], Any]] = {
    "conv2d": of(F.conv2d, IMAGE, [32, 32, 3, 3], padding=1),
    "conv2d_1x1": of(F.conv2d, IMAGE, [64, 32, 1, 1]),
    "conv2d_depthwise": of(F.conv2d, IMAGE, [32, 1, 3, 3], padding=1, groups=32),
    "conv2d_transpose": of(F.conv2d_transpose, IMAGE, [32, 32, 2, 2], stride=2),
    "conv1d": of(F.conv1d, [16, 64, 128], [64, 64, 3], padding=1),
    "max_pool2d": of(F.max_pool2d, IMAGE, kernel_size=2),
    "avg_pool2d": of(F.avg_pool2d, IMAGE, kernel_size=2),
    "adaptive_avg_pool2d": of(F.adaptive_avg_pool2d, IMAGE, output_size=1),
    "batch_norm": lambda: static.nn.batch_norm(x(IMAGE)),
    "layer_norm": lambda: static.nn.layer_norm(x(WORDS), begin_norm_axis=2),
    "group_norm": lambda: static.nn.group_norm(x(IMAGE), groups=4),
    "instance_norm": lambda: static.nn.instance_norm(x(IMAGE)),
    "relu": of(F.relu, MATRIX),
    "sigmoid": of(F.sigmoid, MATRIX),
    "tanh": of(paddle.tanh, MATRIX),
    "gelu": of(F.gelu, MATRIX),
    "leaky_relu": of(F.leaky_relu, MATRIX),
    "elu": of(F.elu, MATRIX),
    "hardswish": of(F.hardswish, MATRIX),
    "swish": of(F.swish, MATRIX),
    "softplus": of(F.softplus, MATRIX),
    "prelu": of(F.prelu, IMAGE, [32]),
    "softmax": of(F.softmax, MATRIX),
    "softmax_small": of(F.softmax, [64, 10]),
    "log_softmax": of(F.log_softmax, MATRIX),
    "exp": of(paddle.exp, MATRIX),
    "square": of(paddle.square, MATRIX),
    "clip": of(paddle.clip, MATRIX, min=-0.3, max=0.3),
    "reduce_sum": of(paddle.sum, IMAGE, axis=[2, 3]),
    "reduce_mean": of(paddle.mean, MATRIX, axis=0),
    "reduce_max": of(paddle.max, MATRIX, axis=1),
    "logsumexp": of(paddle.logsumexp, MATRIX, axis=1),
    "cumsum": of(paddle.cumsum, MATRIX, axis=1),
    "gather": lambda: paddle.gather(x(), ids([1024], 512)),
    "gather_nd": lambda: paddle.gather_nd(x(), ids([4096, 2], 512)),
    "scatter_add": lambda: paddle.scatter(x(), ids([256], 512), x([256, 512], "y"), overwrite=False),
    "index_select": lambda: paddle.index_select(x(), ids([256], 512), axis=1),
    "take_along_axis": lambda: paddle.take_along_axis(x(), ids([512, 64], 512), 1),
    "embedding": lambda: F.embedding(ids([16, 128], 5000), x([5000, 64])),
    "one_hot": lambda: F.one_hot(ids([2048], 64), 64) * x([64]),
    "topk": lambda: paddle.topk(x(), 8)[0],
    "argsort": lambda: paddle.sort(x(), axis=1),
    "concat": joined(paddle.concat),
    "stack": joined(paddle.stack),
    "add_n": joined(paddle.add_n),
    "split": parts(paddle.split, 4),
    "unstack": lambda: paddle.add_n(paddle.unstack(x([16, 128, 128]))),
    "slice": lambda: x()[64:448, 32:256],
    "strided_slice": lambda: x()[::2, ::3],
    "tile": of(paddle.tile, [128, 128], repeat_times=[2, 4]),
    "expand": of(paddle.expand, [1, 512], shape=MATRIX),
    "flip": of(paddle.flip, MATRIX, axis=[1]),
    "roll": of(paddle.roll, MATRIX, shifts=3),
    "pad": of(F.pad, IMAGE, pad=[1, 1, 1, 1]),
    "pad_reflect": of(F.pad, IMAGE, pad=[1, 1, 1, 1], mode="reflect"),
    "bilinear": of(F.interpolate, IMAGE, scale_factor=2, mode="bilinear"),
    "nearest": of(F.interpolate, IMAGE, scale_factor=2, mode="nearest"),
    "pixel_shuffle": of(F.pixel_shuffle, IMAGE, upscale_factor=2),
    "unfold": of(F.unfold, IMAGE, kernel_sizes=3),
    "transpose": of(paddle.transpose, IMAGE, perm=[0, 2, 3, 1]),
    "matmul": of(paddle.matmul, MATRIX, MATRIX),
    "matmul_transposed": of(paddle.matmul, MATRIX, MATRIX, transpose_y=True),
    "bmm": of(paddle.bmm, WORDS, [16, 128, 64]),
    "einsum": lambda: paddle.einsum("bij,bkj->bik", x(WORDS), x(WORDS, "y")),
    "add_row": of(paddle.add, MATRIX, [512]),
    "multiply_channel": of(paddle.multiply, IMAGE, [32, 1, 1]),
    "divide": lambda: x() / (chances("y") + 1.0),
    "maximum": of(paddle.maximum, MATRIX, MATRIX),
    "where": lambda: paddle.where(x() > 0, x(name="y"), x(name="z")),
    "cross_entropy": lambda: F.cross_entropy(x([512, 1000]), ids([512, 1], 1000), reduction="none"),
    "cross_entropy_small": lambda: F.cross_entropy(x([64, 10]), ids([64, 1], 10), reduction="none"),
    "mse_loss": of(F.mse_loss, MATRIX, MATRIX, reduction="none"),
    "smooth_l1_loss": of(F.smooth_l1_loss, MATRIX, MATRIX, reduction="none"),
    "bce_with_logits": lambda: F.binary_cross_entropy_with_logits(x(), chances("y", False), reduction="none"),
    "kl_div": lambda: F.kl_div(x(), chances("y", False), reduction="none"),
}


def feeds(program: Any) -> dict[str, np.ndarray]:
    """The same values everywhere for what the program wants fed."""
    found = {}
    for var in program.global_block().vars.values():
        if not var.is_data:
            continue
        random = np.random.RandomState(zlib.crc32(var.name.encode()))
        if var.name.startswith("ids_"):
            found[var.name] = random.randint(0, int(var.name[4:]), var.shape).astype("int64")
        else:
            found[var.name] = (random.standard_normal(var.shape) * 0.5).astype("float32")
    return found


def measure(name: str, steps: int) -> dict[str, float]:
    """Figures of one operator."""
    main, startup, scope = static.Program(), static.Program(), static.Scope()
    with static.program_guard(main, startup):
        out = OPERATORS[name]()
        loss = paddle.mean(out * out)
        inputs = [var for var in main.global_block().vars.values() if var.is_data and not var.stop_gradient]
        grads = [grad for grad in static.gradients([loss], inputs) if grad is not None]
    exe = static.Executor(paddle.CPUPlace())
    with static.scope_guard(scope):
        exe.run(startup)
        feed, times, begin = feeds(main), [], time.time()
        while len(times) < steps or (time.time() - begin < SECONDS and len(times) < 1000):
            start = time.process_time()
            exe.run(main, feed=feed, fetch_list=[loss, *grads], return_numpy=False)
            times.append((time.process_time() - start) * 1e3)
        values = exe.run(main, feed=feed, fetch_list=[out, *grads])
    times = times[len(times) // 5 :]
    # in double precision: the wheel's own sums of a million numbers are right to four digits only
    sizes = [float(np.abs(value.astype("float64")).mean()) for value in values]
    return {"min_ms": min(times), "median_ms": statistics.median(times), "size": sizes[0], "grads": sizes[1:]}


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser()
    parser.add_argument("operators", nargs="*", help="default: all")
    parser.add_argument("--steps", type=int, default=8)
    arguments = parser.parse_args()
    paddle.enable_static()
    for name in arguments.operators or OPERATORS:
        figures = {"operator": name, "version": paddle.__version__, **measure(name, arguments.steps)}
        sys.stdout.write(json.dumps(figures) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
