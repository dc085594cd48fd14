"""Gradients of variables in between, fetched by name: each variable has its own, and one that has no value has none."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_compat as paddle


def _data(name: str, shape: list[int]) -> paddle.static.Variable:
    found = paddle.static.data(name, shape, "float32")
    found.stop_gradient = False
    return found


_SAME = {  # what these operators make is what they read
    "cast": lambda x: x.astype("float32"),
    "flatten": lambda x: paddle.flatten(x, 1, 1),
    "unsqueeze": lambda x: paddle.unsqueeze(x, []),
    "slice": lambda x: paddle.slice(x, [0], [0], [9]),
    "strided_slice": lambda x: paddle.strided_slice(x, [0], [0], [2], [1]),
    "crop": lambda x: paddle.crop(x, [2, 3]),
}


@pytest.mark.parametrize("name", _SAME)
def test_of_a_result_that_is_the_input(name: str) -> None:
    """Paddle 2.6.2: 1/6 each for the result, 1/3 for the input, which is read twice."""
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        x = _data("x", [2, 3])
        same = _SAME[name](x)
        loss = paddle.mean(same) + paddle.mean(paddle.assign(x))
        paddle.static.append_backward(loss)
        fetched = paddle.static.Executor().run(feed={"x": np.ones([2, 3], "float32")}, fetch_list=[same.name + "@GRAD", "x@GRAD"])
    np.testing.assert_allclose(fetched[0], np.full(same.shape, 1 / 6), rtol=1e-6)
    np.testing.assert_allclose(fetched[1], np.full([2, 3], 1 / 3), rtol=1e-6)


@pytest.mark.parametrize("several", [False, True])
def test_of_a_branch_that_is_not_taken(several: bool) -> None:
    """Paddle 2.6.2 gives None, as for the variable itself."""
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        x, y = _data("x", [4]), _data("y", [3])
        left = []

        def taken() -> paddle.static.Variable:
            return paddle.exp(y)

        def left_out() -> paddle.static.Variable:
            left.append(paddle.exp(y) * 2)
            return left[0]

        out = paddle.static.nn.cond(paddle.sum(x) > 0, taken, left_out)
        paddle.static.append_backward(paddle.mean(out))
        main = paddle.static.default_main_program()
        parts = main.global_block().ops
        picked = next(op for op in parts if op.type == "select_input").input("X")
        names = [name + "@GRAD" for name in picked]
        fetch = [*names, "y@GRAD"] if several else names[:1]
        feed = {"x": np.ones([4], "float32"), "y": np.zeros([3], "float32")}
        fetched = paddle.static.Executor().run(main, feed=feed, fetch_list=fetch)
    assert fetched[0] is None  # the branch for False comes first
    if several:
        np.testing.assert_allclose(fetched[1], np.full([3], 1 / 3), rtol=1e-6)
        np.testing.assert_allclose(fetched[2], np.full([3], 1 / 3), rtol=1e-6)
