"""Programs and functions compiled through Paddle's switches give the numbers that they give without."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
from paddle_compat.core import flags
from paddle_compat.engine import compile as compiling
from paddle_compat.errors import PreconditionNotMetError

needs_compiler = pytest.mark.skipif(not any(map(shutil.which, ("g++", "clang++", "c++"))), reason="compiling needs a C++ compiler")


@pytest.fixture
def cinn() -> Iterator[None]:
    """FLAGS_use_cinn is on."""
    flags.set_values({"FLAGS_use_cinn": True})
    yield
    flags.set_values({"FLAGS_use_cinn": False})


def losses(optimizer: Any, steps: int = 3) -> list[float]:
    """Training a classifier on fixed weights."""
    static = paddle.static
    main, startup, scope = static.Program(), static.Program(), static.Scope()
    with static.program_guard(main, startup), paddle.utils.unique_name.guard(), static.scope_guard(scope):
        x, label = static.data("x", [None, 4]), static.data("label", [None, 1], "int64")
        hidden = paddle.nn.functional.relu(static.nn.fc(x, 8, weight_attr=paddle.ParamAttr(name="w")))
        loss = paddle.nn.functional.cross_entropy(static.nn.fc(hidden, 3, weight_attr=paddle.ParamAttr(name="v")), label)
        optimizer().minimize(loss)
        exe = static.Executor()
        exe.run(startup)
        random = np.random.RandomState(0)
        for name, shape in (("w", (4, 8)), ("v", (8, 3))):
            main.global_block().var(name).set_value(random.randn(*shape).astype("float32"))
        feed = {"x": random.randn(6, 4).astype("float32"), "label": random.randint(0, 3, (6, 1))}
        found = [float(exe.run(main, feed, [loss])[0]) for _ in range(steps)]
        found.append(float(exe.run(main, {k: v[:3] for k, v in feed.items()}, [loss])[0]))
    return found


OPTIMIZERS = {
    "sgd": lambda: paddle.optimizer.SGD(0.1),
    "momentum": lambda: paddle.optimizer.Momentum(0.1, 0.9),
    "adam": lambda: paddle.optimizer.Adam(0.01),
}


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_compiled_step(cinn: None, name: str) -> None:
    paddle.enable_static()
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # which says that something was not compiled
        compiled = losses(OPTIMIZERS[name])
    flags.set_values({"FLAGS_use_cinn": False})
    assert np.allclose(compiled, losses(OPTIMIZERS[name]), rtol=1e-5, atol=1e-6)


@needs_compiler
@pytest.mark.slow
def test_a_compiled_function_and_its_gradients() -> None:
    net = paddle.nn.Sequential(paddle.nn.Linear(4, 8), paddle.nn.Tanh(), paddle.nn.Linear(8, 1))
    compiled = paddle.jit.to_static(lambda x: net(x), backend="CINN")
    x = paddle.rand([5, 4])
    found = []
    for function in (net, compiled):
        for parameter in net.parameters():
            parameter._t.grad = None
        out = function(x)
        torch.autograd.backward(out.mean()._t)
        found.append((out.numpy(), [p._t.grad.numpy() for p in net.parameters()]))
    assert np.allclose(found[0][0], found[1][0], atol=1e-6)
    assert all(np.allclose(a, b, atol=1e-6) for a, b in zip(found[0][1], found[1][1]))


def test_what_cannot_be_compiled_runs_with_a_warning() -> None:
    def halved(x: Any) -> Any:
        while x.sum() > 1:
            x = x / 2
        return x

    static = paddle.jit.to_static(halved, backend="CINN")
    with pytest.warns(UserWarning, match="while"):
        assert static(paddle.ones([4])).tolist() == [0.25] * 4


def test_a_missing_compiler_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(PreconditionNotMetError, match=r"C\+\+ compiler"):
        compiling.need_compiler()


def test_other_backends_are_refused() -> None:
    with pytest.raises(ValueError, match="CINN"):
        paddle.jit.to_static(lambda x: x, backend="inductor")
