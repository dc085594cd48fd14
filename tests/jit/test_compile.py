"""Programs and functions compiled through Paddle's switches give the numbers that they give without."""

from __future__ import annotations

import importlib
import shutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from processes import Runner

import paddle_compat as paddle
from paddle_compat.core import flags
from paddle_compat.engine import compile as compiling
from paddle_compat.errors import PreconditionNotMetError
from paddle_compat.ops import _products

ROOT = Path(__file__).parents[2]
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
    "adamax": lambda: paddle.optimizer.Adamax(0.1),
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


def normed_losses(steps: int = 3) -> list[float]:
    """Training a layer with batch norm, then the norm's running variance."""
    static = paddle.static
    main, startup, scope = static.Program(), static.Program(), static.Scope()
    with static.program_guard(main, startup), paddle.utils.unique_name.guard(), static.scope_guard(scope):
        x, label = static.data("x", [None, 5]), static.data("label", [None, 1], "int64")
        hidden = static.nn.fc(x, 4, weight_attr=paddle.ParamAttr(name="w"), bias_attr=False)
        hidden = static.nn.batch_norm(hidden, act="relu", moving_variance_name="variance")
        loss = paddle.nn.functional.cross_entropy(hidden, label)
        paddle.optimizer.Momentum(0.1, 0.9).minimize(loss)
        exe = static.Executor()
        exe.run(startup)
        random = np.random.RandomState(0)
        main.global_block().var("w").set_value(random.randn(5, 4).astype("float32"))
        feed = {"x": random.randn(6, 5).astype("float32"), "label": random.randint(0, 4, (6, 1))}
        found = [float(exe.run(main, feed, [loss])[0]) for _ in range(steps)]
        found += np.asarray(scope.find_var("variance").get_tensor()).tolist()
    return found


@needs_compiler
@pytest.mark.slow
def test_the_backward_pass_of_batch_norm_stays_whole(cinn: None, monkeypatch: pytest.MonkeyPatch) -> None:
    paddle.enable_static()
    graph = importlib.import_module("torch._inductor.graph")
    built: list[str] = []
    run = graph.GraphLowering.run

    def watched(self: Any, *args: Any) -> Any:
        built.extend(str(node.target) for node in self.module.graph.nodes)
        return run(self, *args)

    monkeypatch.setattr(graph.GraphLowering, "run", watched)
    table = dict(importlib.import_module("torch._inductor.decomposition").decompositions)
    uncached = importlib.import_module("torch._inductor.config").patch(force_disable_caches=True)
    with warnings.catch_warnings(), uncached:
        warnings.simplefilter("error", UserWarning)
        compiled = normed_losses()
    assert sum("native_batch_norm" in name for name in built) == 1
    assert importlib.import_module("torch._inductor.decomposition").decompositions == table
    flags.set_values({"FLAGS_use_cinn": False})
    assert np.allclose(compiled, normed_losses(), rtol=1e-5, atol=1e-6)


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


@needs_compiler
@pytest.mark.slow
@pytest.mark.skipif(not torch.backends.mkldnn.is_available(), reason="torch without oneDNN")
def test_large_products_are_onednns_and_narrow_ones_turned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_products, "FASTER", True)
    graph = importlib.import_module("torch._inductor.graph")
    built: list[str] = []
    run = graph.GraphLowering.run

    def watched(self: Any, *args: Any) -> Any:
        for node in self.module.graph.nodes:
            if "mm" in str(node.target) or "mkldnn" in str(node.target):
                built.append(f"{node.target} {[*node.meta['val'].shape]}")
        return run(self, *args)

    monkeypatch.setattr(graph.GraphLowering, "run", watched)
    net = paddle.nn.Sequential(paddle.nn.Linear(128, 128), paddle.nn.Tanh(), paddle.nn.Linear(128, 4))
    compiled = paddle.jit.to_static(lambda x: net(x), backend="CINN")
    x = paddle.rand([288, 128])
    found = []
    with importlib.import_module("torch._inductor.config").patch(force_disable_caches=True):
        for function in (net, compiled):
            net.clear_gradients()
            out = function(x)
            out.mean().backward()
            found.append((out.numpy(), [p.grad.numpy() for p in net.parameters()]))
    assert np.allclose(found[0][0], found[1][0], atol=1e-6)
    assert all(np.allclose(a, b, atol=1e-6) for a, b in zip(found[0][1], found[1][1]))
    large = "mkldnn._linear_pointwise.default [288, 128]"
    small = [f"aten.mm.default {sizes}" for sizes in ("[288, 128]", "[4, 128]", "[4, 288]")]
    if not importlib.import_module("paddle_compat.engine.compiled_products").TURNS:
        small = ["aten.addmm.default [288, 4]", "aten.mm.default [128, 4]", "aten.mm.default [288, 128]"]
    assert sorted(built) == [*small, large.replace("288", "128"), large]
    lowerings = importlib.import_module("torch._inductor.lowering").lowerings
    assert not getattr(lowerings.get(torch.ops.mkldnn._linear_pointwise.default), "_is_fallback_handler", False)


def small_images(sizes: list[int]) -> tuple[list[float], list[np.ndarray]]:
    """Losses of a network of small convolutions on batches of these sizes, then its parameters."""
    static = paddle.static
    main, startup, scope = static.Program(), static.Program(), static.Scope()
    with static.program_guard(main, startup), paddle.utils.unique_name.guard(), static.scope_guard(scope):
        paddle.seed(3)
        x, label = static.data("x", [None, 1, 8, 8]), static.data("label", [None, 1], "int64")
        hidden = static.nn.conv2d(x, 4, 3, padding=1, act="relu6")
        hidden = paddle.nn.functional.max_pool2d(static.nn.conv2d_transpose(hidden, 4, filter_size=3, padding=1), 2)
        loss = paddle.nn.functional.cross_entropy(static.nn.fc(hidden, 3), label)
        paddle.optimizer.SGD(0.1).minimize(loss)
        exe = static.Executor()
        exe.run(startup)
        random = np.random.RandomState(0)
        found = []
        for size in sizes:
            feed = {"x": random.randn(size, 1, 8, 8).astype("float32"), "label": random.randint(0, 3, (size, 1))}
            found.append(float(exe.run(main, feed, [loss])[0]))
        return found, [np.array(scope.find_var(p.name).get_tensor()) for p in main.all_parameters()]


@needs_compiler
@pytest.mark.slow
def test_batches_of_other_sizes_are_compiled_when_they_come_again(cinn: None, monkeypatch: pytest.MonkeyPatch) -> None:
    paddle.enable_static()
    sizes: list[int] = []
    compiled = compiling.CompiledStep.compiled

    def watched(self: Any, args: Any) -> Any:
        sizes.append(len(args[0]))
        return compiled(self, args)

    monkeypatch.setattr(compiling.CompiledStep, "compiled", watched)
    monkeypatch.setattr(compiling, "MOST", 2)
    with pytest.warns(UserWarning, match="not compiled for more shapes"):
        found = small_images([6, 6, 3, 6, 3, 5, 5, 5, 4])
    assert sizes == [6, 3]
    flags.set_values({"FLAGS_use_cinn": False})
    expected = small_images([6, 6, 3, 6, 3, 5, 5, 5, 4])
    assert np.allclose(found[0], expected[0], rtol=1e-5)
    assert all(np.allclose(a, b, rtol=1e-4, atol=1e-6) for a, b in zip(found[1], expected[1]))


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("name", ["tanh", "expm1"])
def test_small_numbers_keep_their_bits(name: str) -> None:
    spread = np.concatenate([np.linspace(-12, 12, 4001), np.logspace(-37, 0, 2001), -np.logspace(-37, 0, 2001)])
    values = np.concatenate([spread, [0.0, -0.0, 80.0, -80.0, np.inf, -np.inf, np.nan]]).astype("float32")
    x = paddle.to_tensor(values, stop_gradient=False)
    out = paddle.jit.to_static(lambda x: getattr(paddle, name)(x * 1.0), backend="CINN")(x)
    out.backward()
    exact = values.astype("float64")
    expected, slope = (np.tanh(exact), 1 / np.square(np.cosh(exact))) if name == "tanh" else (np.expm1(exact), np.exp(exact))
    np.testing.assert_allclose(out.numpy(), expected.astype("float32"), rtol=4e-7)
    assert (np.signbit(out.numpy()) == np.signbit(expected))[:-1].all()
    np.testing.assert_allclose(x.grad.numpy(), slope.astype("float32"), rtol=4e-7, atol=2e-7)


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("padding_idx", [None, 2])
def test_gradients_of_a_table(cinn: None, padding_idx: int | None) -> None:
    paddle.enable_static()
    static = paddle.static
    found = []
    for flag in (True, False):
        flags.set_values({"FLAGS_use_cinn": flag})
        main, startup, scope = static.Program(), static.Program(), static.Scope()
        with static.program_guard(main, startup), paddle.utils.unique_name.guard(), static.scope_guard(scope):
            paddle.seed(3)
            ids = static.data("ids", [None, 4], "int64")
            rows = static.nn.embedding(ids, [50, 6], padding_idx=padding_idx, param_attr=paddle.ParamAttr(name="table"))
            loss = (rows * rows).mean()
            clip = paddle.nn.ClipGradByGlobalNorm(0.1)
            paddle.optimizer.Adam(0.1, grad_clip=clip).minimize(loss)
            exe = static.Executor()
            exe.run(startup)
            feed = {"ids": np.array([[1, 2, 2, 7], [7, 7, 49, 0]])}
            with warnings.catch_warnings():
                warnings.filterwarnings("error", message=".*not compiled")
                losses = [exe.run(main, feed, [loss, "table@GRAD"]) for _ in range(3)]
            found.append([np.array(part) for step in losses for part in step] + [np.array(scope.find_var("table").get_tensor())])
    assert all(np.allclose(a, b, rtol=1e-5, atol=1e-7) for a, b in zip(*found))


KINKED = {
    "leaky_relu": lambda x: paddle.nn.functional.leaky_relu(x, 0.1),
    "relu6": paddle.nn.functional.relu6,
    "clip": lambda x: paddle.clip(x, -1.0, 1.0),
    "maximum": lambda x: paddle.maximum(x, paddle.zeros_like(x)),
    "hardswish": paddle.nn.functional.hardswish,
    "softmax": lambda x: paddle.nn.functional.softmax(x * 100.0) * x.detach(),
}


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("name", KINKED)
def test_gradients_at_kinks_stay_paddles(name: str) -> None:
    found = []
    for function in (KINKED[name], paddle.jit.to_static(KINKED[name], backend="CINN")):
        x = paddle.to_tensor([-7.0, -6.0, -3.0, -1.0, 0.0, 0.5, 1.0, 3.0, 6.0], stop_gradient=False)
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message=".*not compiled")
            out = function(x)
        out.sum().backward()
        found.append((out.numpy(), x.grad.numpy()))
    assert np.allclose(found[0][0], found[1][0], atol=1e-6)
    assert np.allclose(found[0][1], found[1][1], atol=1e-6)


@needs_compiler
@pytest.mark.slow
def test_a_compiled_layer_keeps_its_statistics_and_random_numbers() -> None:
    found = []
    for backend in (None, "CINN"):
        paddle.seed(3)
        norm = paddle.nn.BatchNorm1D(4)
        net = paddle.nn.Sequential(paddle.nn.Linear(5, 4, bias_attr=False), norm, paddle.nn.Dropout(0.5), paddle.nn.Linear(4, 1))
        forward = paddle.jit.to_static(net, backend=backend) if backend else net
        optimizer = paddle.optimizer.Momentum(0.1, parameters=net.parameters(), grad_clip=paddle.nn.ClipGradByGlobalNorm(0.5))
        paddle.seed(9)
        losses = []
        for size in (6, 6, 4):
            with warnings.catch_warnings():
                warnings.filterwarnings("error", message=".*not compiled")
                loss = forward(paddle.linspace(-1, 1, size * 5).sin().reshape([size, 5])).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            losses.append(loss.item())
        found.append([np.array(losses), *(value.numpy() for value in net.state_dict().values())])
    assert all(np.allclose(a, b, rtol=1e-4, atol=1e-6) for a, b in zip(*found))


FORKED = """
import multiprocessing, paddle_compat as paddle
def backward():
    x = paddle.ones([2]); x.stop_gradient = False
    (x * x).sum().backward()
    print(x.grad.tolist(), flush=True)
square = paddle.jit.to_static(lambda x: (x * x).sum(), backend="CINN")
x = paddle.ones([2]); x.stop_gradient = False
square(x).backward()
child = multiprocessing.get_context("fork").Process(target=backward)
child.start(); child.join(60); child.kill()
"""


@needs_compiler
@pytest.mark.slow
def test_a_process_forked_after_the_first_compiled_call_runs_a_backward_pass(tmp_path: Path) -> None:
    # where torch is built for GPUs and there is none, tracing makes it believe in eight
    assert Runner(sys.executable, ROOT, tmp_path).output("-c", FORKED) == "[2.0, 2.0]\n"


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
