"""In scripts for Paddle 3 positional arguments are what they are there: its new parameters stand before `name`, and some before others."""

from __future__ import annotations

import inspect

import pytest
from processes import Runner

from paddle_compat.core.paddle3 import placed

SCRIPT = """
import numpy as np
import paddle
F, nn = paddle.nn.functional, paddle.nn

def shown(value):
    if isinstance(value, (list, tuple)):
        return [shown(v) for v in value]
    return np.round(np.asarray(value.numpy() if hasattr(value, "numpy") else value, "float64"), 3).tolist()

x = paddle.to_tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5]])
y = paddle.to_tensor([[0.25, 0.5, 1.0], [2.0, 0.75, 0.5]])
i = paddle.to_tensor([1, 0, 1])
square = paddle.to_tensor([[2.0, 1.0], [1.0, 3.0]])

def results(x, y, i, square):
    return [
        paddle.argsort(x, -1, True, True), paddle.sort(x, -1, True, True, "n"), paddle.histogram(x, 2, -1, 2, y),
        paddle.histogram(x, 2, -1, 2, None, True), paddle.index_add(x, i[:1], 0, y[:1], 2.0),
        paddle.linalg.matrix_rank(square, None, False, 1.5), *paddle.median(x, 1, True, "min"), *paddle.nanmedian(x, 1, False, "min"),
        paddle.linalg.solve(square, square[:1], False), paddle.round(x, 1, "n"), paddle.unique(i, False, False, False, None, "int64", True),
        paddle.linalg.norm(x, 1, 1, False, None, "float64"), paddle.prod(x, 1, False, None, None, "n"),
        F.kl_div(x, y, "mean", True), F.smooth_l1_loss(x, y, "mean", 0.5, False), F.normalize(x, 2, 1, 1e-12, None, "n"),
        F.pad(square, [1, 0, 0, 1], "constant", 0.0, "NCHW", False), F.embedding(i, y, None, None, 2.0, True),
        F.interpolate(x.reshape([1, 1, 2, 3]), None, 1.6, "bilinear", False, 0, "NCHW", True),
        nn.SmoothL1Loss("mean", 0.5, False)(x, y), nn.Upsample(None, 1.6, "bilinear", False, 0, "NCHW", True)(x.reshape([1, 1, 2, 3])),
        F.dropout(x, 0.5, None, False, False, "downscale_in_infer"), F.upsample(x.reshape([1, 1, 2, 3]), [1, 2], name="n"),
    ]

eager = shown(results(x, y, i, square))
print(*eager, sep="\\n")
named = {name: value.numpy().copy() for name, value in {"x": x, "y": y, "i": i, "square": square}.items()}
print(shown(F.embedding(i, y, None, 0.5)), shown(x.index_add_(i[:1], 0, y[:1], -1.0)), shown(paddle.as_tensor([1.5], "float64", "cpu")))
print([list(w.shape) for w in nn.LSTM(3, 4, 1, "forward", False, 0.0, None, None, None, None, 2).parameters()][:2])
print([list(w.shape) for w in nn.LSTMCell(3, 4, None, None, None, None, 2).parameters()][:2])
paddle.seed(1)
bounds = nn.initializer.XavierUniform(2, 2, 3.0), nn.initializer.TruncatedNormal(0.0, 1.0, -0.5, 0.5)
print([bool(paddle.create_parameter([500], "float32", default_initializer=b).abs().max() > 0.5) for b in bounds])
betas = 0.9, 0.999, 1e-8
print(paddle.optimizer.Adam(0.1, *betas, [x], None, None, False, False, False, True)._amsgrad)
print(paddle.optimizer.AdamW(0.1, *betas, [x], 0.01, False, None, None, None, False, False, True)._amsgrad)
try:
    F.kl_div(x, y, "mean", True, log_target=True)
except TypeError as error:
    print(error)
paddle.enable_static()
recorded = results(*(paddle.static.data(name, list(value.shape), str(value.dtype)) for name, value in named.items()))
print([a for a, b in zip(shown(paddle.static.Executor().run(feed=named, fetch_list=recorded)), eager) if a != b])
"""
RESULTS = [  # what 3.3.1 prints
    "[[2.0, 0.0, 1.0], [0.0, 1.0, 2.0]]",
    "[[2.0, 0.5, -1.0], [1.5, 0.25, -0.5]]",
    "[1.75, 3.25]",
    "[0.333, 0.333]",
    "[[0.5, -1.0, 2.0], [2.0, 1.25, 1.5]]",
    "1.0",
    "[[0.5], [0.25]]",
    "[[0.0], [1.0]]",
    "[0.5, 0.25]",
    "[0.0, 1.0]",
    "[[1.0, 0.0]]",
    "[[0.5, -1.0, 2.0], [1.5, 0.2, -0.5]]",
    "[0.0, 1.0]",
    "[3.5, 2.25]",
    "[-1.0, -0.188]",
    "0.973",
    "0.552",
    "[[0.218, -0.436, 0.873], [0.937, 0.156, -0.312]]",
    "[[0.0, 2.0, 1.0], [0.0, 1.0, 3.0], [0.0, 0.0, 0.0]]",
    "[[2.0, 0.75, 0.5], [0.25, 0.5, 1.0], [2.0, 0.75, 0.5]]",
    "[[[[0.5, -0.438, 0.125, 2.0], [1.0, 0.141, 0.047, 0.75], [1.5, 0.719, -0.031, -0.5]]]]",
    "0.552",
    "[[[[0.5, -0.438, 0.125, 2.0], [1.0, 0.141, 0.047, 0.75], [1.5, 0.719, -0.031, -0.5]]]]",
    "[[0.25, -0.5, 1.0], [0.75, 0.125, -0.25]]",
    "[[[[0.5, -1.0]]]]",
    "[[0.456, 0.171, 0.114], [0.109, 0.218, 0.436], [0.456, 0.171, 0.114]] [[0.5, -1.0, 2.0], [1.391, 0.032, -0.936]] [1.5]",
    "[[16, 3], [16, 2]]",
    "[[16, 3], [16, 2]]",
    "[True, False]",
    "True",
    "True",
    "kl_div() got multiple values for argument 'log_target'",
    "[]",
]


def test_places(full: Runner) -> None:
    full.env["PADDLE_COMPAT_VERSION"] = "3.3.1"
    full.write({"script.py": SCRIPT})
    assert full.output("-m", "paddle_compat", "script.py").splitlines() == RESULTS


def given(x: int, name: str = "", *, stable: bool = False) -> tuple[int, str, bool]:
    return x, name, stable


def test_places_of_one_function() -> None:
    assert placed("stable name", since=False)(given) is given
    moved = placed("stable name", since=True)(given)
    assert moved(1) == (1, "", False) and moved(1, True) == moved(1, stable=True) == (1, "", True) and moved(1, True, "n") == (1, "n", True)
    assert str(inspect.signature(moved)).startswith("(x: 'int', stable: 'bool' = False, name: 'str' = '')")
    for wrong in (lambda: moved(1, True, "n", 2), lambda: moved(1, True, stable=False)):
        with pytest.raises(TypeError):
            wrong()
