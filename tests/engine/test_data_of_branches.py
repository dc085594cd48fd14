"""Data that only branches and loops read: needed by the runs that read it. Losses are those of the wheels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid
from paddle_compat.core.errors import InvalidArgumentError

X = np.arange(8).reshape(2, 4).astype("float32") / 8


def run(main: Any, startup: Any, out: Any, *feeds: tuple[int, bool]) -> list[float]:
    """The loss of each run, of a branch's number and whether `y` is given; NaN where a value is missing."""
    exe, losses = fluid.Executor(fluid.CPUPlace()), []
    with fluid.scope_guard(fluid.Scope()):
        exe.run(startup)
        for number, whole in feeds:
            feed = {"x": X, "i": np.array([number], "int32"), **({"y": X} if whole else {})}
            try:
                losses.append(float(exe.run(main, feed=feed, fetch_list=[out])[0].reshape(-1)[0]))
            except InvalidArgumentError as error:
                assert "argument `feed`. Expected a value for `y`" in str(error)
                losses.append(float("nan"))
    return losses


@pytest.mark.parametrize(
    ("kind", "losses"),
    [
        ("switch_case", [-0.31153, 0.01603, -0.40949, np.nan, np.nan]),
        ("cond", [-0.31153, 0.01603, -0.40949, np.nan, np.nan]),
        ("nested", [-0.31153, 0.01603, -0.40949, np.nan, -0.40902]),
    ],
)
def test_branches_of_fluid(kind: str, losses: list[float]) -> None:
    layers = fluid.layers
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 3
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        x, y, i = fluid.data("x", [None, 4]), fluid.data("y", [None, 4]), fluid.data("i", [1], "int32")
        hidden = layers.fc(x, 4)

        def without() -> Any:
            return layers.reduce_mean(layers.fc(hidden, 3))

        def having() -> Any:
            return layers.reduce_mean(layers.fc(hidden, 4) * y)

        def below(number: int) -> Any:
            return layers.less_than(i, layers.fill_constant([1], "int32", number))

        if kind == "switch_case":
            out = layers.switch_case(i, [without, having])
        elif kind == "cond":
            out = layers.cond(below(1), without, having)
        else:
            out = layers.cond(below(1), without, lambda: layers.cond(below(2), having, without))
        fluid.optimizer.SGD(0.1).minimize(out)
    got = run(main, startup, out, (0, False), (1, True), (0, False), (1, False), (2, False))
    np.testing.assert_allclose(got, losses, atol=2e-5)


@pytest.mark.parametrize(("kind", "last"), [("switch_case", np.nan), ("nested", 0.01573)])
def test_branches_of_static(kind: str, last: float) -> None:
    paddle.enable_static()
    static = paddle.static
    main, startup = static.Program(), static.Program()
    main.random_seed = startup.random_seed = 3
    with static.program_guard(main, startup), paddle.utils.unique_name.guard():
        x, y, i = static.data("x", [None, 4]), static.data("y", [None, 4]), static.data("i", [1], "int32")
        hidden = static.nn.fc(x, 4)

        def without() -> Any:
            return paddle.mean(static.nn.fc(hidden, 3))

        def having() -> Any:
            return paddle.mean(static.nn.fc(hidden, 4) * y)

        one = paddle.full([1], 1, "int32")
        if kind == "switch_case":
            out = static.nn.switch_case(i, [without, having])
        else:
            out = static.nn.cond(i < one, without, lambda: static.nn.cond(i < one + 1, having, without))
        paddle.optimizer.SGD(0.1).minimize(out)
    got = run(main, startup, out, (0, False), (1, True), (0, False), (1, False), (2, False))
    np.testing.assert_allclose(got, [0.10522, 0.07583, 0.00645, np.nan, last], atol=2e-5)


def test_loops_of_fluid() -> None:
    layers = fluid.layers
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        fluid.data("x", [None, 4])
        y, i = fluid.data("y", [None, 4]), fluid.data("i", [1], "int32")
        out, turn = layers.fill_constant([1], "float32", 0.0), layers.fill_constant([1], "int32", 1)
        going = layers.less_than(turn, i)
        loop = layers.While(going)
        with loop.block():
            layers.assign(out + layers.reduce_mean(y), out)
            layers.increment(turn)
            layers.less_than(turn, i, cond=going)
    assert run(main, startup, out, (0, False), (3, True), (1, False), (2, False)) == pytest.approx([0, 0.875, 0, np.nan], nan_ok=True)


def test_loops_of_static_want_it_at_once() -> None:
    paddle.enable_static()
    static = paddle.static
    main, startup = static.Program(), static.Program()
    with static.program_guard(main, startup):
        static.data("x", [None, 4])
        y, i = static.data("y", [None, 4]), static.data("i", [1], "int32")
        turn, total = paddle.full([1], 1, "int32"), paddle.zeros([1])
        _, out = static.nn.while_loop(lambda turn, total: turn < i, lambda turn, total: [turn + 1, total + paddle.mean(y)], [turn, total])
    assert run(main, startup, out, (0, True), (3, True), (0, False)) == pytest.approx([0, 0.875, np.nan], nan_ok=True)
