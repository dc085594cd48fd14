"""`enable_inplace`: activations and sums write over what nobody else reads, and change no number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
import paddle_compat.nn.functional as F
from paddle_compat import static
from paddle_compat.core import mode, unique_name
from paddle_compat.engine import in_place

RANDOM = np.random.RandomState(0)
IMAGES = RANDOM.standard_normal((3, 4, 12, 12)).astype("float32")


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    former = mode.set_static(True)
    with static.program_guard(static.Program(), static.Program()), static.scope_guard(static.Scope()), unique_name.guard():
        yield
    mode.set_static(former)


def conv(x: Any, norm: bool = False) -> Any:
    h = static.nn.conv2d(x, 4, 3, padding=1, bias_attr=False if norm else None)
    return static.nn.batch_norm(h) if norm else h


def fc(x: Any) -> Any:
    return static.nn.fc(x, 5)


# network: what is done in place, how often
NETWORKS: dict[str, tuple[Callable[[Any], Any], dict[str, int]]] = {
    "convolution": (lambda x: F.relu(conv(x)), {"relu_": 1}),
    "batch norm": (lambda x: F.relu(conv(x, True)), {"relu_": 1}),
    "residual": (lambda x: F.relu(conv(F.relu(conv(x, True)), True) + x), {"relu_": 2, "add_to_first": 1}),
    "behind": (lambda x: x + conv(x), {"add_to_second": 1}),
    "dense": (lambda x: F.tanh(fc(F.sigmoid(fc(x)))), {"tanh_": 1, "sigmoid_": 1}),
    "layer norm": (lambda x: F.relu(static.nn.layer_norm(x)), {"relu_": 1}),
    "channels last": (lambda x: F.relu(static.nn.conv2d(x, 4, 3, data_format="NHWC")), {"relu_": 1}),
    "of what is fed": (lambda x: conv(F.relu(x)), {"relu_": 0}),
    "of itself": (lambda x: (lambda h: h + h)(conv(x)), {"add_to_first": 0, "add_to_second": 0}),
    "of another's result": (lambda x: F.sigmoid(F.relu(conv(x))), {"relu_": 1, "sigmoid_": 0}),
    "read twice": (lambda x: (lambda h: F.relu(h) * h)(conv(x)), {"relu_": 0}),
    "of a part": (lambda x: F.relu(paddle.split(conv(x), 2, 1)[0]), {"relu_": 0}),
    "of another shape": (lambda x: conv(x) + paddle.mean(x, [2, 3], keepdim=True), {"add_to_first": 0, "add_to_second": 0}),
}


def run(build: Callable[[Any], Any], switch: bool, fetch: list[str] | None = None, shape: Any = (None, 4, 12, 12)) -> tuple[list[Any], str]:
    """The loss, the parameters' gradients and what else is fetched, after a step; and the code that ran."""
    main, startup = static.Program(), static.Program()
    main.random_seed = startup.random_seed = 5
    paddle.seed(5)
    with static.program_guard(main, startup), unique_name.guard(), static.scope_guard(static.Scope()):
        x = static.data("x", shape)
        loss = paddle.mean(paddle.square(build(x)))
        grads = [grad for _, grad in paddle.optimizer.SGD(0.1).minimize(loss)[1]]
        strategy = static.BuildStrategy()
        strategy.enable_inplace = switch
        exe = static.Executor(paddle.CPUPlace())
        exe.run(startup)
        code: list[str] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(torch.fx.graph.CodeGen, "_gen_python_code", noting(torch.fx.graph.CodeGen._gen_python_code, code))
            got = exe.run(static.CompiledProgram(main, strategy), feed={"x": IMAGES}, fetch_list=[loss, *grads, *(fetch or [])])
        return got, code[-1]


def noting(generate: Any, code: list[str]) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        made = generate(*args, **kwargs)
        code.append(made.src)
        return made

    return call


def calls(code: str, name: str) -> int:
    return len(re.findall(rf"in_place_{name}\(", code))


@pytest.mark.parametrize("kind", NETWORKS)
def test_same_numbers(kind: str) -> None:
    build, expected = NETWORKS[kind]
    plain, code_without = run(build, False)
    short, code = run(build, True)
    assert {name: calls(code, name) for name in expected} == expected
    assert "in_place_" not in code_without
    for a, b in zip(plain, short, strict=True):
        assert np.array_equal(a, b)


@pytest.mark.parametrize("fetched", ["conv2d_0.tmp_1", "conv2d_0.tmp_1@GRAD"])
def test_what_is_fetched_is_not_written_over(fetched: str) -> None:
    plain, _ = run(NETWORKS["convolution"][0], False, [fetched])
    short, code = run(NETWORKS["convolution"][0], True, [fetched])
    assert calls(code, "relu_") == 0 and plain[-1].any()
    assert np.array_equal(plain[-1], short[-1])


def test_sums_of_other_shapes_than_declared() -> None:
    """What is fed may have fewer rows than another operand, as both may have any number."""
    build: Callable[[Any], Any] = lambda x: conv(x) + x[0:1]  # noqa: E731
    (plain, _), (short, code) = run(build, False), run(build, True)
    assert calls(code, "add_to_first") == 1
    assert np.array_equal(plain[0], short[0])


@pytest.mark.parametrize("name", in_place.ACTIVATIONS)
def test_the_memory_is_the_operands(name: str) -> None:
    x = torch.randn(4, 3)
    expected, view = getattr(torch, name)(x), x.t().clone().t()
    assert torch.equal(in_place.ACTIVATIONS[name](view), expected) and not torch.equal(view, expected)
    assert in_place.ACTIVATIONS[name](x).data_ptr() == x.data_ptr() and torch.equal(x, expected)
    first, second, total = x.clone(), expected.clone(), x + expected
    assert in_place.add_to_first(first, expected).data_ptr() == first.data_ptr() and torch.equal(first, total)
    assert in_place.add_to_second(x, second).data_ptr() == second.data_ptr() and torch.equal(second, total)
    assert torch.equal(in_place.add_to_first(x[:1], expected), in_place.add_to_second(expected, x[:1]))
