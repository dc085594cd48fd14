"""Axes that only a run knows, inside loops and branches, and in front of what is trained."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import static


@pytest.fixture
def main() -> Any:
    paddle.enable_static()
    program = static.Program()
    with static.program_guard(program, static.Program()), static.scope_guard(static.Scope()):
        yield program


def test_in_a_loop_and_a_branch(main: static.Program) -> None:
    a, n = static.data("a", [3, 4]), paddle.zeros([1], "int64")
    n, y = static.nn.while_loop(
        lambda n, y: n < 2, lambda n, y: [n + 1, y + paddle.sum(a, n, keepdim=True)], [n, paddle.zeros([3, 4])]
    )
    highest = static.nn.cond(y.sum() > 0, lambda: paddle.max(a, n - 1), lambda: paddle.max(a, n - 2))
    fed = np.random.RandomState(1).uniform(0, 1, [3, 4]).astype("float32")
    total, last = static.Executor().run(main, {"a": fed}, [y, highest])
    np.testing.assert_allclose(total, fed.sum(0, keepdims=True) + fed.sum(1, keepdims=True), rtol=1e-6)
    np.testing.assert_array_equal(last, fed.max(1))


def test_training_moves_what_stands_before(main: static.Program) -> None:
    a, axis = static.data("a", [2, 3]), static.data("axis", [1], "int32")
    w = static.create_parameter([3, 3], "float32", default_initializer=paddle.nn.initializer.Constant(0.5))
    loss = (paddle.sum(paddle.matmul(a, w), axis) ** 2).sum()
    paddle.optimizer.SGD(0.1).minimize(loss)
    executor = static.Executor()
    executor.run(static.default_startup_program())
    fed = np.arange(6, dtype="float32").reshape(2, 3) / 10
    expected = np.full([3, 3], 0.5, "float32")
    for number in (0, 1):
        out = fed @ expected
        rows = np.broadcast_to(2 * out.sum(number, keepdims=True), out.shape)
        expected = expected - 0.1 * fed.T @ rows
        [moved] = executor.run(main, {"a": fed, "axis": np.array([number], "int32")}, [w])
        np.testing.assert_allclose(moved, expected, rtol=1e-5)
