"""Gradients for an inner value, which a later pass follows to what the value was made from; numbers by 2.6.2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle

F = paddle.nn.functional
FEED = np.linspace(-1, 1.2, 12).reshape(3, 4).astype("float32")


@pytest.fixture(autouse=True)
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    with paddle.utils.unique_name.guard(), paddle.static.scope_guard(paddle.static.Scope()):
        yield
    paddle.disable_static()


def _run(compute: Callable[[Any, Any], Any], inner: Callable[[Any], Any], fetched: tuple[str, ...] = ()) -> list[np.ndarray]:
    """The gradient for the inner value, that of its squares' sum for x, and what else is fetched."""
    static = paddle.static
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x = static.data("x", [3, 4])
        x.stop_gradient = False
        value = inner(x)
        (first,) = static.gradients([compute(x, value)], [value])
        (second,) = static.gradients([paddle.sum(first * first)], [x])
        exe = static.Executor()
        exe.run(startup)
        found: list[np.ndarray] = exe.run(main, feed={"x": FEED}, fetch_list=[first, second, *fetched])
    return found


@pytest.mark.parametrize(
    ("compute", "inner", "first", "second"),
    [
        (lambda x, v: x * v, paddle.tanh, [-1.0, -0.8, -0.6, -0.4, -0.2], [-2.0, -1.6, -1.2, -0.8, -0.4]),
        (lambda x, v: x / v, paddle.exp, [7.389, 3.962, 1.992, 0.89, 0.298], [-327.589, -102.055, -29.101, -7.132, -1.246]),
        (lambda x, v: paddle.matmul(x, v, transpose_y=True), paddle.tanh, [-0.6, 0.0, 0.6, 1.2, -0.6], [-3.6, 0.0, 3.6, 7.2, -3.6]),
        (lambda x, v: x * v * x, paddle.sin, [1.0, 0.64, 0.36, 0.16, 0.04], [-4.0, -2.048, -0.864, -0.256, -0.032]),
        (lambda x, v: x * F.sigmoid(v), paddle.sin, [-0.21, -0.176, -0.139, -0.096, -0.05], [-0.07, -0.063, -0.055, -0.043, -0.024]),
        (lambda x, v: paddle.square(v) * x, paddle.sin, [1.683, 1.148, 0.678, 0.312, 0.079], [-9.302, -5.852, -2.872, -0.944, -0.125]),
    ],
)
def test_gradients_of_gradients(compute: Callable[[Any, Any], Any], inner: Callable[[Any], Any], first: Any, second: Any) -> None:
    found = _run(compute, inner)
    np.testing.assert_allclose(found[0].ravel()[:5], first, atol=1e-3)
    np.testing.assert_allclose(found[1].ravel()[:5], second, atol=1e-2, rtol=1e-4)


def test_training_on_a_penalty_of_an_inner_gradient() -> None:
    static = paddle.static
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        x = static.data("x", [3, 4])
        x.stop_gradient = False
        weight = paddle.ParamAttr(initializer=paddle.nn.initializer.Constant(0.3))
        hidden = paddle.tanh(static.nn.fc(x, 4, weight_attr=weight))
        (slope,) = static.gradients([hidden * hidden * x], [hidden])
        loss = paddle.mean(slope * slope)
        paddle.optimizer.SGD(0.5).minimize(loss)
        exe = static.Executor()
        exe.run(startup)
        losses = [exe.run(main, feed={"x": FEED}, fetch_list=[loss])[0].item() for _ in range(3)]
    np.testing.assert_allclose(losses, [1.061224, 0.440996, 0.097683], rtol=1e-5)


def test_a_gradient_that_stops_at_the_inner_value_is_fetched_beside() -> None:
    first, second, stopped = _run(lambda x, v: x * v, paddle.tanh, ("x@GRAD",))
    np.testing.assert_allclose(second, 2 * first, atol=1e-6)
    np.testing.assert_allclose(stopped, np.tanh(FEED), atol=1e-6)


@pytest.mark.parametrize(
    ("inner", "outer", "first", "second"),
    [
        (F.sigmoid, lambda v: v * 1.0, [0.1966, 0.2139, 0.2288], [0.4621, 0.3799, 0.2913]),
        (F.sigmoid, paddle.sin, [0.1895, 0.2037, 0.2146], [0.3933, 0.2966, 0.1938]),
        (paddle.tanh, paddle.square, [-0.6397, -0.7425, -0.7643], [-1.4802, -0.6457, 0.2695]),
        (lambda z: paddle.sqrt(z * z + 1.0), F.sigmoid, [-0.1112, -0.1063, -0.0932], [0.1464, 0.1431, 0.1288]),
    ],
)
def test_a_gradient_depends_on_the_result_that_its_operator_reads(inner: Any, outer: Any, first: Any, second: Any) -> None:
    static = paddle.static
    main = static.Program()
    with static.program_guard(main, static.Program()):
        x = static.data("x", [3, 4])
        x.stop_gradient = False
        value = inner(x)
        (slope,) = static.gradients([outer(value)], [x])
        (found,) = static.gradients([slope], [value])
        slopes, bends = static.Executor().run(main, feed={"x": FEED}, fetch_list=[slope, found])
    np.testing.assert_allclose(slopes.ravel()[:3], first, atol=2e-4)
    np.testing.assert_allclose(bends.ravel()[:3], second, atol=2e-4)
