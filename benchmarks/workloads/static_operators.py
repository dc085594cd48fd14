"""Forward and backward of single operators as a script for Paddle 2.6: static programs through Executor.run.

    python -m paddle_compat benchmarks/workloads/static_operators.py conv2d softmax

Paddle 2.6's own wheel runs it too. One line of JSON for each operator: the least and the median milliseconds of process CPU, and
the mean sizes of the result and of the gradients of its mean square.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import harness
import numpy as np
import paddle
import paddle.nn.functional as F
from paddle import static

# batch, channels, height, width; rows, columns; batch, words, columns
SIZES = {"": ([8, 32, 32, 32], [512, 512], [16, 64, 128]), "_small": ([2, 8, 8, 8], [32, 32], [4, 8, 16])}
IMAGE, MATRIX, WORDS = SIZES[""]
SECONDS = 0.15


def x(shape: list[int] | None = None, name: str = "x") -> Any:
    """A feed whose gradient is taken."""
    found = static.data(name, MATRIX if shape is None else shape, "float32")
    found.stop_gradient = False
    return found


def ids(shape: list[int], below: int) -> Any:
    """A feed of whole numbers; its name carries their bound."""
    return static.data(f"ids_{below}", shape, "int64")


def joined(function: Callable[..., Any]) -> Callable[[], Any]:
    """A function on a list of four feeds."""
    return lambda: function([x(name=f"x{i}") for i in range(4)])


def parts(function: Callable[..., Any], count: int) -> Callable[[], Any]:
    """The sum of squares of what a function takes apart."""
    return lambda: paddle.add_n([part * part for part in function(x(), count)])


def chances(name: str, learns: bool = True) -> Any:
    """Numbers between 0 and 1, with or without a gradient."""
    out = F.sigmoid(x(name=name))
    out.stop_gradient = not learns
    return out


def matrix(function: Callable[..., Any], count: int = 1, **options: Any) -> Callable[[], Any]:
    """A function on as many feeds of the matrix's shape."""
    return lambda: function(*(x(name=f"x{i}") for i in range(count)), **options)


def image(function: Callable[..., Any], *weights: list[int], **options: Any) -> Callable[[], Any]:
    """A function on images, and on weights of these shapes."""
    return lambda: function(x(IMAGE, "x0"), *(x(shape, f"w{i}") for i, shape in enumerate(weights)), **options)


def filtered(function: Callable[..., Any], size: int, factor: int = 1, **options: Any) -> Callable[[], Any]:
    """A convolution of images into `factor` times as many channels."""
    channels = lambda: [IMAGE[1] * factor, IMAGE[1] // options.get("groups", 1), size, size]  # noqa: E731
    return lambda: function(x(IMAGE, "x0"), x(channels(), "x1"), **options)


def positive(function: Callable[..., Any]) -> Callable[[], Any]:
    """A function on numbers between 0.1 and 1.1."""
    return lambda: function(chances("x") + 0.1)


def classes(rows: int, count: int, **options: Any) -> Any:
    """The cross entropy of logits, for labels fed as numbers."""
    return F.cross_entropy(x([rows, count]), ids([rows, 1], count), reduction="none", **options)


def soft_classes() -> Any:
    """The cross entropy of logits, for labels that are shares."""
    share = F.softmax(x(name="y"))
    share.stop_gradient = True
    return F.cross_entropy(x(), share, soft_label=True, reduction="none")


def sampled() -> Any:
    """Images read at places that an affine map gives."""
    turn = static.data("turn", [IMAGE[0], 2, 3], "float32")
    return F.grid_sample(x(IMAGE), F.affine_grid(turn, IMAGE))


def dropped() -> Any:
    """What is left of a matrix, and of its gradient."""
    return F.dropout(x(), 0.3)


OPERATORS: dict[str, Callable[[], Any]] = {
    "conv2d": filtered(F.conv2d, 3, padding=1),
    "conv2d_1x1": filtered(F.conv2d, 1, 2),
    "conv2d_strided": filtered(F.conv2d, 3, 2, stride=2, padding=1),
    "conv2d_dilated": filtered(F.conv2d, 3, padding=2, dilation=2),
    "conv2d_grouped": filtered(F.conv2d, 3, padding=1, groups=4),
    "conv2d_depthwise": lambda: F.conv2d(x(IMAGE), x([IMAGE[1], 1, 3, 3], "w"), padding=1, groups=IMAGE[1]),
    "conv2d_transpose": filtered(F.conv2d_transpose, 2, stride=2),
    "conv2d_transpose_rgb": lambda: F.conv2d_transpose(x(IMAGE), x([IMAGE[1], 3, 4, 4], "w"), stride=2, padding=1),
    "conv1d": lambda: F.conv1d(x(WORDS), x([WORDS[1], WORDS[1], 3], "w"), padding=1),
    "conv3d": lambda: F.conv3d(x([IMAGE[0], 4, 8, *IMAGE[2:]]), x([8, 4, 3, 3, 3], "w"), padding=1),
    "max_pool2d": image(F.max_pool2d, kernel_size=2),
    "max_pool2d_3x3": image(F.max_pool2d, kernel_size=3, stride=2, padding=1),
    "avg_pool2d": image(F.avg_pool2d, kernel_size=2),
    "avg_pool2d_3x3": image(F.avg_pool2d, kernel_size=3, stride=2, padding=1),
    "adaptive_avg_pool2d": image(F.adaptive_avg_pool2d, output_size=1),
    "adaptive_avg_pool2d_7": image(F.adaptive_avg_pool2d, output_size=7),
    "adaptive_max_pool2d": image(F.adaptive_max_pool2d, output_size=4),
    "batch_norm": lambda: static.nn.batch_norm(x(IMAGE)),
    "batch_norm_relu": lambda: static.nn.batch_norm(x(IMAGE), act="relu"),
    "batch_norm_rows": lambda: static.nn.batch_norm(x()),
    "layer_norm": lambda: static.nn.layer_norm(x(WORDS), begin_norm_axis=2),
    "group_norm": lambda: static.nn.group_norm(x(IMAGE), groups=4),
    "instance_norm": lambda: static.nn.instance_norm(x(IMAGE)),
    "local_response_norm": image(F.local_response_norm, size=5),
    "normalize": matrix(F.normalize),
    "relu": matrix(F.relu),
    "relu6": matrix(F.relu6),
    "sigmoid": matrix(F.sigmoid),
    "hardsigmoid": matrix(F.hardsigmoid),
    "tanh": matrix(paddle.tanh),
    "hardtanh": matrix(F.hardtanh),
    "gelu": matrix(F.gelu),
    "gelu_tanh": matrix(F.gelu, approximate=True),
    "leaky_relu": matrix(F.leaky_relu),
    "elu": matrix(F.elu),
    "selu": matrix(F.selu),
    "hardswish": matrix(F.hardswish),
    "swish": matrix(F.swish),
    "silu": matrix(F.silu),
    "mish": matrix(F.mish),
    "softplus": matrix(F.softplus),
    "softsign": matrix(F.softsign),
    "log_sigmoid": matrix(F.log_sigmoid),
    "prelu": lambda: F.prelu(x(IMAGE), x([IMAGE[1]], "w")),
    "maxout": image(F.maxout, groups=2),
    "glu": matrix(F.glu),
    "softmax": matrix(F.softmax),
    "softmax_axis0": matrix(F.softmax, axis=0),
    "log_softmax": matrix(F.log_softmax),
    "exp": matrix(paddle.exp),
    "log": positive(paddle.log),
    "sqrt": positive(paddle.sqrt),
    "rsqrt": positive(paddle.rsqrt),
    "reciprocal": positive(paddle.reciprocal),
    "square": matrix(paddle.square),
    "pow": matrix(paddle.pow, y=3),
    "pow_tensor": lambda: paddle.pow(chances("x") + 0.1, x(name="y")),
    "abs": matrix(paddle.abs),
    "sin": matrix(paddle.sin),
    "erf": matrix(paddle.erf),
    "scale": matrix(paddle.scale, scale=2.0, bias=1.0),
    "clip": matrix(paddle.clip, min=-0.3, max=0.3),
    "cast": lambda: paddle.cast(paddle.cast(x(), "float64"), "float32"),
    "reduce_sum": image(paddle.sum, axis=[2, 3]),
    "reduce_sum_rows": matrix(paddle.sum, axis=0),
    "reduce_sum_all": matrix(paddle.sum),
    "reduce_mean": matrix(paddle.mean, axis=0),
    "reduce_max": matrix(paddle.max, axis=1),
    "reduce_min_rows": matrix(paddle.min, axis=0),
    "reduce_prod": lambda: paddle.prod(x() * 0.1 + 1.0, axis=1),
    "std": matrix(paddle.std, axis=1),
    "norm": matrix(paddle.linalg.norm, p=2, axis=1),
    "norm_all": matrix(paddle.linalg.norm),
    "logsumexp": matrix(paddle.logsumexp, axis=1),
    "cumsum": matrix(paddle.cumsum, axis=1),
    "cumprod": lambda: paddle.cumprod(x() * 0.1 + 1.0, dim=1),
    "gather": lambda: paddle.gather(x(), ids([MATRIX[0] * 2], MATRIX[0])),
    "gather_columns": lambda: paddle.gather(x(), ids([MATRIX[1]], MATRIX[1]), axis=1),
    "gather_nd": lambda: paddle.gather_nd(x(), ids([MATRIX[0] * 8, 2], MATRIX[0])),
    "scatter": lambda: paddle.scatter(x(), paddle.argsort(ids([MATRIX[0]], MATRIX[0])), x(name="y")),
    "scatter_add": lambda: paddle.scatter(x(), ids([MATRIX[0] // 2], MATRIX[0]), x([MATRIX[0] // 2, MATRIX[1]], "y"), overwrite=False),
    "scatter_nd_add": lambda: paddle.scatter_nd_add(x(), ids([MATRIX[0], 1], MATRIX[0]), x(name="y")),
    "index_select": lambda: paddle.index_select(x(), ids([MATRIX[1] // 2], MATRIX[1]), axis=1),
    "index_sample": lambda: paddle.index_sample(x(), ids([MATRIX[0], 8], MATRIX[1])),
    "take_along_axis": lambda: paddle.take_along_axis(x(), ids([MATRIX[0], 8], MATRIX[1]), 1),
    "masked_select": lambda: paddle.masked_select(x(), x(name="y") > 0),
    "embedding": lambda: F.embedding(ids(WORDS[:2], 5000), x([5000, 64])),
    "one_hot": lambda: F.one_hot(ids([MATRIX[0] * 4], 64), 64) * x([64]),
    "topk": lambda: paddle.topk(x(), 8)[0],
    "argsort": lambda: paddle.sort(x(), axis=1),
    "concat": joined(paddle.concat),
    "concat_columns": lambda: paddle.concat([x(name=f"x{i}") for i in range(4)], axis=1),
    "stack": joined(paddle.stack),
    "add_n": joined(paddle.add_n),
    "split": parts(paddle.split, 4),
    "unstack": lambda: paddle.add_n(paddle.unstack(x(WORDS))),
    "unbind": lambda: paddle.add_n(paddle.unbind(x(WORDS), axis=1)),
    "slice": lambda: x()[MATRIX[0] // 8 : -2, 2 : MATRIX[1] // 2],
    "slice_row": lambda: x(WORDS)[:, 0],
    "strided_slice": lambda: x()[::2, ::3],
    "tile": lambda: paddle.tile(x([MATRIX[0] // 4, MATRIX[1] // 4]), [2, 4]),
    "expand": lambda: paddle.expand(x([1, MATRIX[1]]), MATRIX),
    "meshgrid": lambda: paddle.add_n(paddle.meshgrid(x([MATRIX[0]]), x([MATRIX[1]], "y"))),
    "reshape": lambda: paddle.reshape(x(), [-1, 8]),
    "squeeze": lambda: paddle.squeeze(paddle.unsqueeze(x(), 1), 1),
    "flatten": image(paddle.flatten, start_axis=1),
    "flip": matrix(paddle.flip, axis=[1]),
    "roll": matrix(paddle.roll, shifts=3),
    "tril": matrix(paddle.tril),
    "pad": image(F.pad, pad=[1, 1, 1, 1]),
    "pad_reflect": image(F.pad, pad=[1, 1, 1, 1], mode="reflect"),
    "bilinear": image(F.interpolate, scale_factor=2, mode="bilinear"),
    "bilinear_corners": image(F.interpolate, scale_factor=2, mode="bilinear", align_corners=True),
    "nearest": image(F.interpolate, scale_factor=2, mode="nearest"),
    "grid_sample": sampled,
    "pixel_shuffle": image(F.pixel_shuffle, upscale_factor=2),
    "channel_shuffle": image(F.channel_shuffle, groups=4),
    "unfold": image(F.unfold, kernel_sizes=3),
    "transpose": image(paddle.transpose, perm=[0, 2, 3, 1]),
    "transpose_heads": lambda: paddle.transpose(paddle.reshape(x(WORDS), [0, 0, 4, WORDS[2] // 4]), [0, 2, 1, 3]),
    "matmul": matrix(paddle.matmul, 2),
    "matmul_transposed": matrix(paddle.matmul, 2, transpose_y=True),
    "matmul_batched": lambda: paddle.matmul(x(WORDS), x([WORDS[2], WORDS[2]], "y")),
    "linear": lambda: F.linear(x(), x([MATRIX[1], MATRIX[1]], "w"), x([MATRIX[1]], "b")),
    "bmm": lambda: paddle.bmm(x(WORDS), x([WORDS[0], WORDS[2], WORDS[1]], "y")),
    "einsum": lambda: paddle.einsum("bij,bkj->bik", x(WORDS), x(WORDS, "y")),
    "dot": lambda: paddle.dot(x(), x(name="y")),
    "add": matrix(paddle.add, 2),
    "add_row": lambda: paddle.add(x(), x([MATRIX[1]], "y")),
    "subtract": matrix(paddle.subtract, 2),
    "multiply": matrix(paddle.multiply, 2),
    "multiply_column": lambda: paddle.multiply(x(), x([MATRIX[0], 1], "y")),
    "multiply_channel": lambda: paddle.multiply(x(IMAGE), x([IMAGE[1], 1, 1], "y")),
    "divide": lambda: x() / (chances("y") + 1.0),
    "maximum": matrix(paddle.maximum, 2),
    "minimum_row": lambda: paddle.minimum(x(), x([MATRIX[1]], "y")),
    "where": lambda: paddle.where(x() > 0, x(name="y"), x(name="z")),
    "dropout": dropped,
    "label_smooth": matrix(F.label_smooth),
    "cosine_similarity": matrix(F.cosine_similarity, 2),
    "cross_entropy": lambda: classes(MATRIX[0], 1000 if MATRIX[0] > 64 else 10),
    "cross_entropy_soft": soft_classes,
    "mse_loss": matrix(F.mse_loss, 2, reduction="none"),
    "l1_loss": matrix(F.l1_loss, 2, reduction="none"),
    "smooth_l1_loss": matrix(F.smooth_l1_loss, 2, reduction="none"),
    "bce": lambda: F.binary_cross_entropy(chances("x"), chances("y", False), reduction="none"),
    "bce_with_logits": lambda: F.binary_cross_entropy_with_logits(x(), chances("y", False), reduction="none"),
    "log_loss": lambda: F.log_loss(*(paddle.reshape(chances(name, name == "x"), [-1, 1]) for name in "xy")),
    "kl_div": lambda: F.kl_div(x(), chances("y", False), reduction="none"),
    "margin_ranking": lambda: F.margin_ranking_loss(x(), x(name="y"), paddle.sign(x(name="z")), reduction="none"),
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


def measure(name: str, steps: int) -> dict[str, Any]:
    """Figures of one operator; a name that ends in `_small` means small feeds, where the calls themselves cost most."""
    global IMAGE, MATRIX, WORDS
    plain = name[: -len("_small")] if name.endswith("_small") else name
    IMAGE, MATRIX, WORDS = SIZES[name[len(plain) :]]
    main, startup, scope = static.Program(), static.Program(), static.Scope()
    with static.program_guard(main, startup):
        out = OPERATORS[plain]()
        loss = paddle.mean(out * out)
        inputs = [var for var in main.global_block().vars.values() if var.is_data and not var.stop_gradient]
        grads = [grad for grad in static.gradients([loss], inputs) if grad is not None]
    exe = static.Executor(paddle.CPUPlace())
    with static.scope_guard(scope):
        exe.run(startup)
        feed, fetches = feeds(main), [loss, *grads]
        figures, _ = harness.repeated(lambda: exe.run(main, feed=feed, fetch_list=fetches, return_numpy=False), steps, SECONDS, 1000)
        values = exe.run(main, feed=feed, fetch_list=[out, *grads])
    # in double precision: the wheel's own sums of a million numbers are right to four digits only
    sizes = [float(np.abs(value.astype("float64")).mean()) for value in values]
    return {**figures, "size": sizes[0], "grads": sizes[1:]}


if __name__ == "__main__":
    paddle.enable_static()
    harness.operators(paddle.__version__, [name + size for size in SIZES for name in OPERATORS], measure, 8)
