"""gcd and lcm of Variables: the operators that Paddle 2.6.2 writes, and its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle

X = np.array([[12, -8, 0], [7, 0, 9]])
Y = np.array([18, 12, 0])
STEP = (
    "fill_constant not_equal fill_constant where where elementwise_mod fill_constant where less_than where less_than where "
    "fill_constant not_equal reduce_any assign assign assign"
)
GCD = "expand_v2 expand_v2 abs abs fill_constant not_equal reduce_any while"
LCM = f"{GCD} fill_constant equal fill_constant where fill_constant elementwise_mul abs elementwise_floordiv where"


@pytest.mark.parametrize(
    ("function", "outer", "reference"), [(paddle.gcd, GCD, np.gcd), (paddle.lcm, LCM, np.lcm)], ids=["gcd", "lcm"]
)
@pytest.mark.parametrize(("x", "y"), [(X, Y), (X[0], Y[0]), (X[0, 0], Y[0])], ids=["matrix", "vector", "scalar"])
def test_of_variables(function: Any, outer: str, reference: Any, x: Any, y: Any) -> None:
    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        out = function(paddle.static.data("x", x.shape, "int64"), paddle.static.data("y", y.shape, "int64"))
    assert [op.type for op in main.global_block().ops] == outer.split()
    assert [op.type for op in main.block(1).ops] == STEP.split()
    (value,) = paddle.static.Executor().run(main, feed={"x": np.asarray(x), "y": np.asarray(y)}, fetch_list=[out])
    paddle.disable_static()
    expected = reference(x, y)
    assert value.shape == expected.shape == tuple(out.shape)
    assert (value == expected).all()


@pytest.mark.parametrize(("function", "reference"), [(paddle.gcd, np.gcd), (paddle.lcm, np.lcm)], ids=["gcd", "lcm"])
def test_of_tensors(function: Any, reference: Any) -> None:
    paddle.disable_static()
    assert function(paddle.to_tensor(X), paddle.to_tensor(Y)).tolist() == reference(X, Y).tolist()
