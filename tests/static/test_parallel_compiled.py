"""Replicas whose step is compiled: its pieces between the sums are built once for all, and the numbers are those without."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import static
from paddle_compat.engine import compile as compiling

needs_compiler = pytest.mark.skipif(not any(map(shutil.which, ("g++", "clang++", "c++"))), reason="compiling needs a C++ compiler")


@pytest.fixture(autouse=True)
def two_replicas(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Static mode, two replicas."""
    monkeypatch.setenv("CPU_NUM", "2")
    paddle.enable_static()
    yield
    paddle.disable_static()


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The operators of every graph that is handed to the compiler, which here runs it as it is."""
    monkeypatch.setattr(compiling, "need_compiler", lambda: None)
    found: list[list[str]] = []

    def build(graph: Any, args: Any) -> Any:
        assert [node.name for node in graph.graph.nodes if node.op == "placeholder"] and len(args)
        found.append([str(node.target) for node in graph.graph.nodes])
        return graph.forward

    monkeypatch.setattr(compiling, "_built", build)
    return found


def mlp(x: Any) -> Any:
    """Two layers."""
    return static.nn.fc(paddle.nn.functional.relu(static.nn.fc(x, 8)), 3)


def normed(x: Any) -> Any:
    """A layer with batch norm between."""
    return static.nn.fc(static.nn.batch_norm(static.nn.fc(x, 4, bias_attr=False), act="relu"), 3)


def noisy(x: Any) -> Any:
    """A layer with dropout behind."""
    return paddle.nn.functional.dropout(static.nn.fc(x, 3), 0.4)


def conv(x: Any) -> Any:
    """A convolution over the four values as an image, with batch norm."""
    image = static.nn.conv2d(paddle.reshape(x, [-1, 1, 2, 2]), 4, 2, padding=1, bias_attr=False)
    return static.nn.fc(paddle.flatten(static.nn.batch_norm(image, act="relu"), 1), 3)


def trained(net: Any, compiled: bool, samples: int = 8, steps: int = 3, optimizer: Any = None, **switches: Any) -> list[np.ndarray]:
    """The losses of some steps, a gradient of each and what the Scope keeps."""
    main, startup, scope = static.Program(), static.Program(), static.Scope()
    with static.program_guard(main, startup), paddle.utils.unique_name.guard(), static.scope_guard(scope):
        paddle.seed(3)
        x, label = static.data("x", [None, 4]), static.data("label", [None, 1], "int64")
        loss = paddle.nn.functional.cross_entropy(net(x), label)
        (optimizer or paddle.optimizer.Momentum(0.1, 0.9)).minimize(loss)
        exe = static.Executor(paddle.CPUPlace())
        exe.run(startup)
        strategy = static.BuildStrategy()
        for name, value in {**switches, "build_cinn_pass": compiled}.items():
            setattr(strategy, name, value)
        program = static.CompiledProgram(main).with_data_parallel(loss.name, strategy)
        random = np.random.RandomState(0)
        feed = {"x": random.randn(samples, 4).astype("float32"), "label": random.randint(0, 3, (samples, 1))}
        fetches = [loss, main.all_parameters()[0].name + "@GRAD"]
        found = [value for _ in range(steps) for value in exe.run(program, feed, fetches)]
        return [*found, *(np.array(scope.find_var(var.name).get_tensor()) for var in main.list_vars() if var.persistable)]


def same(found: list[np.ndarray], expected: list[np.ndarray]) -> bool:
    """Within what a compiled step may differ by."""
    return len(found) == len(expected) and all(np.allclose(a, b, rtol=1e-5, atol=1e-6) for a, b in zip(found, expected))


@needs_compiler
@pytest.mark.slow
def test_compiled_replicas_train_as_they_do_without() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # which says that something was not compiled
        compiled = trained(mlp, True)
    assert same(compiled, trained(mlp, False))


@pytest.mark.parametrize("net", [mlp, normed, conv])
@pytest.mark.parametrize("samples", [8, 5])
def test_sums_stay_between_the_pieces(built: list[list[str]], net: Any, samples: int) -> None:
    compiled = trained(net, True, samples, optimizer=paddle.optimizer.Adam(0.01))
    assert len(built) == (2 if samples == 8 else 4)  # in front of the sums and behind them, for each shape of a replica's batch
    assert not any("all_reduce" in name for graph in built for name in graph)
    assert same(compiled, trained(net, False, samples, optimizer=paddle.optimizer.Adam(0.01)))


def test_synchronized_batch_norm_meets_inside_the_step(built: list[list[str]]) -> None:
    compiled = trained(normed, True, sync_batch_norm=True)
    assert len(built) > 3 and same(compiled, trained(normed, False, sync_batch_norm=True))


def test_one_replica_is_compiled_too(built: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CPU_NUM", "1")
    compiled = trained(mlp, True)
    assert built and same(compiled, trained(mlp, False))


def test_replicas_with_random_numbers_run_as_they_do_without(built: list[list[str]]) -> None:
    with pytest.warns(UserWarning, match="replicas draw from generators of their own in operator `dropout`"):
        found = trained(noisy, True)
    assert not built and all(map(np.array_equal, found, trained(noisy, False)))


@pytest.mark.parametrize("drawn", [
    lambda x: paddle.nn.functional.dropout(x, 0.5), lambda x: paddle.nn.functional.gumbel_softmax(x),
    lambda x: paddle.nn.functional.rrelu(x - 2.0, training=True),
])  # fmt: skip
def test_what_replicas_draw_in_layers_repeats(drawn: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CPU_NUM", "3")
    found = []
    for _ in range(3):
        with static.program_guard(static.Program(), static.Program()), paddle.utils.unique_name.guard():
            out = static.data("x", [None, 500])
            for _ in range(4):
                out = drawn(out)
            program = static.CompiledProgram(static.default_main_program()).with_data_parallel()
            paddle.seed(7)
            found.append(static.Executor(paddle.CPUPlace()).run(program, {"x": np.ones((30, 500), "float32")}, [out])[0])
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])
    assert not np.array_equal(found[0][:10], found[0][10:20])
