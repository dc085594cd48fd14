"""Programs of fluid's that functions of 2.x write into, as scripts of Paddle 2.0 to 2.4 do: checks of 1.8 do not stand in their way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid

X = np.random.default_rng(0).standard_normal((2, 3, 4, 4)).astype("float32")


def run(write: Callable[[Any], Any], runs: int = 1) -> list[np.ndarray]:
    """What a Program of fluid's gives that a function writes of an image."""
    paddle.enable_static()
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 3
    with fluid.program_guard(main, startup):
        out = write(fluid.data("x", [None, 3, 4, 4]))
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        exe.run(startup)
        return [np.asarray(exe.run(main, feed={"x": X}, fetch_list=[out])[0]) for _ in range(runs)]


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        (lambda x: paddle.mean(x), X.mean()),
        (lambda x: paddle.max(x), X.max()),
        (lambda x: paddle.all(x > -9), True),
        (lambda x: paddle.linspace(0, 1, 5), np.linspace(0, 1, 5)),
        (lambda x: paddle.var(x, axis=[2, 3], unbiased=False), X.var((2, 3))),
        (lambda x: paddle.assign(np.arange(3.0)), np.arange(3.0)),
    ],
)
def test_functions(write: Callable[[Any], Any], expected: Any) -> None:
    np.testing.assert_allclose(run(write)[0], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["SGD", "Momentum", "Adam", "AdamW", "Adagrad", "Adadelta", "Adamax", "RMSProp", "Lamb"])
def test_optimizers(name: str) -> None:
    def write(x: Any) -> Any:
        loss = paddle.mean(fluid.layers.square(fluid.layers.fc(x, 2)))
        kind = getattr(paddle.optimizer, name)
        kind(0.01, **({"momentum": 0.9} if name == "Momentum" else {}), grad_clip=paddle.nn.ClipGradByGlobalNorm(1.0)).minimize(loss)
        return loss

    losses = run(write, 4)
    assert losses[3] < losses[0]
