"""What a Program cuts or reshapes from a parameter stays as it was before the update, as Paddle 1.8.5 and 2.6.2 show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import fluid, static

FED = {"x": np.ones((1, 2), "float32")}

CUT: dict[str, Callable[[Any], Any]] = {
    "reshape": lambda w: w.reshape([8]),
    "transpose": lambda w: w.transpose([1, 0]),
    "squeeze": lambda w: w.unsqueeze(0).squeeze(0),
    "number": lambda w: w[0],
    "slice": lambda w: w[:, :2],
    "strided": lambda w: w[:, ::2],
    "split": lambda w: paddle.split(w, 2, 1)[1],
    "unbind": lambda w: paddle.unbind(w)[0],
    "flatten": paddle.flatten,
    "expand": lambda w: w.expand([3, 2, 4]),
    "cast": lambda w: w.cast("float32"),
    "chain": lambda w: w.reshape([4, 2]).transpose([1, 0])[0],
    "dropout": lambda w: paddle.nn.functional.dropout(w, 0.5, training=False),
    "diagonal": paddle.diagonal,
    "real": lambda w: paddle.real(paddle.as_complex(w.reshape([2, 2, 2]))),
}

CUT_1: dict[str, Callable[[Any], Any]] = {
    "reshape": lambda w: fluid.layers.reshape(w, [8]),
    "transpose": lambda w: fluid.layers.transpose(w, [1, 0]),
    "unsqueeze": lambda w: fluid.layers.unsqueeze(w, [0]),
    "number": lambda w: w[0],
    "slice": lambda w: fluid.layers.slice(w, [1], [0], [2]),
    "split": lambda w: fluid.layers.split(w, 2, 1)[1],
    "cast": lambda w: fluid.layers.cast(w, "float32"),
    "crop": lambda w: fluid.layers.crop_tensor(w, [2, 4]),
}


@pytest.fixture
def static_mode() -> Iterator[None]:
    paddle.enable_static()
    with static.program_guard(static.Program(), static.Program()), static.scope_guard(static.Scope()):
        yield
    paddle.disable_static()


def weighted() -> tuple[Any, Any, Any]:
    """A weight of ones, [2, 4], the loss that it makes, and the weight's variable."""
    x = static.data("x", [None, 2])
    y = static.nn.fc(x, 4, weight_attr=paddle.ParamAttr(name="w", initializer=paddle.nn.initializer.Constant(1.0)))
    return x, y.sum(), static.default_main_program().global_block().var("w")


@pytest.mark.parametrize("rule", ["SGD", "Adam"])
@pytest.mark.parametrize("name", CUT)
@pytest.mark.usefixtures("static_mode")
def test_a_fetch_of_what_was_cut_is_from_before_the_update(name: str, rule: str) -> None:
    _, loss, w = weighted()
    cut = CUT[name](w)
    getattr(paddle.optimizer, rule)(0.1).minimize(loss)
    exe = static.Executor()
    exe.run(static.default_startup_program())
    for value in (1.0, 0.9):
        found, weight = exe.run(feed=FED, fetch_list=[cut, "w"])
        assert np.allclose(found, value) and np.allclose(weight, value - 0.1)


@pytest.mark.parametrize("name", CUT_1)
def test_in_programs_of_paddle_1(name: str) -> None:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()):
        x = fluid.data("x", [None, 2])
        y = fluid.layers.fc(x, 4, param_attr=fluid.ParamAttr(name="w", initializer=fluid.initializer.Constant(1.0)))
        cut = CUT_1[name](main.global_block().var("w"))
        fluid.optimizer.SGD(0.1).minimize(fluid.layers.reduce_sum(y))
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        for value in (1.0, 0.9):
            found, weight = exe.run(main, feed=FED, fetch_list=[cut, "w"])
            assert np.allclose(found, value) and np.allclose(weight, value - 0.1)


@pytest.mark.usefixtures("static_mode")
def test_what_is_kept_in_the_scope_is_no_view_of_the_parameter() -> None:
    _, loss, w = weighted()
    block = static.default_main_program().global_block()
    kept = block.create_var(name="kept", shape=[8], dtype="float32", persistable=True)
    shape = block.create_var(name="shape", shape=[0, 2, 4], dtype="float32")
    block.append_op(type="reshape2", inputs={"X": w}, outputs={"Out": kept, "XShape": shape}, attrs={"shape": [8]})
    paddle.optimizer.SGD(0.1).minimize(loss)
    exe = static.Executor()
    exe.run(static.default_startup_program())
    for value in (1.0, 0.9):
        exe.run(feed=FED)
        assert np.allclose(np.array(static.global_scope().find_var("kept").get_tensor()), value)


@pytest.mark.usefixtures("static_mode")
def test_an_operator_behind_the_update_reads_what_was_cut_before_it() -> None:
    _, loss, w = weighted()
    before = w.reshape([8])
    paddle.optimizer.SGD(0.1).minimize(loss)
    step = w.reshape([8]) - before
    exe = static.Executor()
    exe.run(static.default_startup_program())
    for _ in range(2):
        (moved,) = exe.run(feed=FED, fetch_list=[step])
        assert np.allclose(moved, -0.1)


@pytest.mark.usefixtures("static_mode")
def test_gradients_still_reach_what_is_copied() -> None:
    x, loss, w = weighted()
    cut = w.transpose([1, 0])
    loss = loss + (paddle.matmul(cut, x, transpose_y=True) ** 2).sum()
    paddle.optimizer.SGD(0.1).minimize(loss)
    exe = static.Executor()
    exe.run(static.default_startup_program())
    found, weight = exe.run(feed=FED, fetch_list=[cut, "w"])
    assert np.allclose(found, 1.0) and np.allclose(weight, 1.0 - 0.1 * (1 + 4))
