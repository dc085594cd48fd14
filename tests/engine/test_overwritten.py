"""Gradient operators read what variables hold when they run: variables written again, as Paddle 1.8.5, 2.6.2 and 3.3.1 show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid, static

FED = {"x": np.array([1, 2, 3], "float32"), "z": np.array([5, 7, 11], "float32")}
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "mul": lambda y: y * y,
    "tanh": lambda y: paddle.tanh(y),
    "relu": lambda y: paddle.nn.functional.relu(y - 3),
    "div": lambda y: 1.0 / y,
    "max": lambda y: y.max(),
}
# the gradients of x and of z where the variable was written again
AFTER = {  # what had read it before
    "mul": ([20, 28, 44], None),
    "tanh": ([0.1413, 0.0027, 0], None),
    "relu": ([0, 2, 2], None),
    "div": ([-0.2, -0.0714, -0.0303], None),
    "max": ([0, 0, 0], None),
}
BEFORE = {  # what reads it then
    "mul": ([20, 28, 44], [10, 14, 22]),
    "tanh": ([0.0004, 0, 0], [0.0002, 0, 0]),
    "relu": ([2, 2, 2], [1, 1, 1]),
    "div": ([-0.08, -0.0408, -0.0165], [-0.04, -0.0204, -0.0083]),
    "max": ([0, 0, 2], [0, 0, 1]),
}
BOTH = {  # both, and what it is made of itself
    "mul": ([280, 1008, 3432], [200, 1568, 8712]),
    "tanh": ([0.1413, 0.0027, 0], [0, 0, 0]),
    "relu": ([12, 18, 26], [10, 28, 66]),
    "div": ([-0.22, -0.0383, -0.0106], [-0.1, -0.0357, -0.0152]),
    "max": ([0, 0, 24], [0, 0, 66]),
}
RESULT = {  # the function's own result
    "mul": ([12, 24, 36], None),
    "tanh": ([-8.1522, -8.9839, -8.9997], None),
    "relu": ([0, 3, 3], None),
    "div": ([-1.5, -0.375, -0.1667], None),
    "max": ([0, 0, 0], None),
}
EXPECTED = {"after": AFTER, "before": BEFORE, "both": BOTH, "result": RESULT}


@pytest.fixture
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    with static.program_guard(static.Program(), static.Program()), static.scope_guard(static.Scope()):
        yield


def loss(case: str, function: Callable[[Any], Any], x: Any, z: Any, assign: Callable[[Any, Any], Any]) -> Any:
    """What is differentiated."""
    y = x * 2
    if case == "after":
        made = function(y).sum()
        assign(z, y)
        return made
    if case == "before":
        assign(z, y)
        return function(y).sum()
    if case == "both":
        first = function(y)
        assign(y * z, y)
        return (function(y) + first).sum()
    out = function(y)
    made = (out * 1.5).sum()
    assign(out * 2, out)
    return made


@pytest.mark.parametrize("name", list(FUNCTIONS))
@pytest.mark.parametrize("case", list(EXPECTED))
@pytest.mark.usefixtures("static_mode")
def test_gradients_at_what_was_written_since(case: str, name: str) -> None:
    x, z = (static.data(each, [3], "float32") for each in ("x", "z"))
    x.stop_gradient = z.stop_gradient = False
    total = loss(case, FUNCTIONS[name], x, z, lambda value, into: paddle.assign(value, output=into))
    grads = static.gradients(total, [x, z])
    expected = EXPECTED[case][name]
    assert [grad is None for grad in grads] == [want is None for want in expected]
    found = static.Executor().run(feed=FED, fetch_list=[grad for grad in grads if grad is not None])
    for value, want in zip(found, [want for want in expected if want is not None]):
        np.testing.assert_allclose(value, want, atol=6e-5)


def test_fluid_reads_what_was_written_since() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        x, z = (fluid.data(each, [3], "float32") for each in ("x", "z"))
        x.stop_gradient = z.stop_gradient = False
        y = x * 2
        first = fluid.layers.exp(y)
        fluid.layers.assign(y * z, output=y)
        grads = fluid.gradients(fluid.layers.reduce_sum(y * y + first), [x, z])
        found = fluid.Executor(fluid.CPUPlace()).run(fluid.default_main_program(), feed=FED, fetch_list=grads)
    np.testing.assert_allclose(found[0], [254.7781, 1005.1963, 3974.8577], rtol=1e-5)
    np.testing.assert_allclose(found[1], [200, 1568, 8712], rtol=1e-5)


def trained(build: Callable[[Any, Any], Any]) -> list[float]:
    """The first element of a parameter after three steps."""
    x = static.data("x", [2, 3], "float32")
    w = paddle.create_parameter([3, 2], "float32", default_initializer=paddle.nn.initializer.Constant(0.3))
    build(x, w)
    executor = static.Executor()
    executor.run(static.default_startup_program())
    fed = {"x": np.arange(6).reshape(2, 3).astype("float32") / 3}
    return [float(executor.run(feed=fed, fetch_list=[w])[0][0, 0]) for _ in range(3)]


def two_updates(x: Any, w: Any) -> None:
    """The second pass finds updated weights, and what was transposed from them before."""
    product = paddle.matmul(paddle.tanh(paddle.matmul(x, w)), paddle.t(w))
    first, second = (product * product).mean(), product.mean() + (w * w).sum()
    paddle.optimizer.SGD(0.5).minimize(first)
    paddle.optimizer.SGD(0.5).minimize(second)


def decayed(x: Any, w: Any) -> None:
    """Weights are written by hand in front of the backward pass."""
    total = (paddle.matmul(x, w) ** 2).mean() + (w**3).sum()
    paddle.assign(w * 0.9, output=w)
    paddle.optimizer.SGD(0.1).minimize(total)


def scaled(x: Any, w: Any) -> None:
    """A running scale moves on behind its use."""
    scale = static.create_global_var([3, 2], 1.0, "float32", persistable=True)
    scale.stop_gradient = True
    total = (paddle.matmul(x, w * scale) ** 2).mean()
    paddle.assign(scale * 0.9 + w * 0.1, output=scale)
    paddle.optimizer.SGD(0.1).minimize(total)


def counted(x: Any, w: Any) -> None:
    """A step counter that weighs the loss goes on behind it."""
    count = static.create_global_var([1], 0.0, "float32", persistable=True)
    count.stop_gradient = True
    hidden = paddle.matmul(x, w)
    total = (hidden * hidden).mean() * count
    paddle.increment(count, 1.0)
    paddle.optimizer.SGD(0.1).minimize(total)


TRAINED = [
    (two_updates, [-0.11662, 0.08503, -0.06605]),
    (decayed, [0.18813, 0.12892, 0.09403]),
    (scaled, [0.2442, 0.20942, 0.18674]),
    (counted, [0.24, 0.15567, 0.10407]),
]


@pytest.mark.parametrize(("build", "expected"), TRAINED)
@pytest.mark.usefixtures("static_mode")
def test_training_goes_as_in_paddle(build: Callable[[Any, Any], Any], expected: list[float]) -> None:
    np.testing.assert_allclose(trained(build), expected, atol=6e-6)


# the gradients of whole numbers, and of what they are made of
COUNTED: dict[str, tuple[str, Callable[[Any], Any], list[float]]] = {
    "square": ("int64", lambda x: x * x, [2, 4, 6]),
    "sum": ("int32", lambda x: x.sum(), [1, 1, 1]),
    "fraction": ("int64", lambda x: (x.cast("float32") * 1.5).sum(), [1, 1, 1]),
    "concat": ("int64", lambda x: paddle.concat([x, x * 2]), [3, 3, 3]),
    "reshape": ("int64", lambda x: x.reshape([1, 3]) * 2, [2, 2, 2]),
    "slice": ("int64", lambda x: x[0:2] * 2, [2, 2, 0]),
    "power": ("int64", lambda x: x**2, [2, 4, 6]),
    "product": ("int64", lambda x: x.reshape([1, 3]).cast("float32") @ x.reshape([3, 1]).cast("float32"), [2, 4, 6]),
    "cumsum": ("int64", lambda x: x.cumsum(), [3, 2, 1]),
    "target": ("float32", lambda x: (x * 2).cast("int64"), [2, 2, 2]),
    "target of integers": ("float32", lambda x: (x * x).cast("int32") * 3, [6, 12, 18]),
}


@pytest.mark.parametrize("name", list(COUNTED))
@pytest.mark.usefixtures("static_mode")
def test_gradients_of_integers(name: str) -> None:
    kind, function, expected = COUNTED[name]
    x = static.data("x", [3], kind)
    x.stop_gradient = False
    (grad,) = static.gradients(function(x), [x])
    (found,) = static.Executor().run(feed={"x": np.array([1, 2, 3], kind)}, fetch_list=[grad])
    assert found.dtype == kind
    assert found.tolist() == expected


def test_a_place_of_an_array_that_is_written_twice() -> None:
    """As in 1.8.5: both that were written there get the gradient of the place."""
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        x, z = (fluid.data(each, [3], "float32") for each in ("x", "z"))
        x.stop_gradient = z.stop_gradient = False
        place = fluid.layers.fill_constant([1], "int64", 0)
        array = fluid.layers.array_write(x * 2, place)
        first = fluid.layers.array_read(array, place)
        square = first * first
        fluid.layers.array_write(z * 3, place, array)
        total = fluid.layers.reduce_sum(square + fluid.layers.array_read(array, place))
        found = fluid.Executor(fluid.CPUPlace()).run(feed=FED, fetch_list=fluid.gradients(total, [x, z]))
    assert [value.tolist() for value in found] == [[10, 18, 26], [3, 3, 3]]
