"""gcd and lcm: the operators that Paddle 2.6.2 writes for Variables, and its numbers."""

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


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_of_tensors_of_floats(kind: str) -> None:
    paddle.disable_static()
    x, y = (paddle.to_tensor(values, kind) for values in ([12, -20.5, 0, 0, 6, 1024], [8, 5, 7.5, 0, -4, 24]))
    assert paddle.gcd(x, y).tolist() == [4.0, 0.5, 7.5, 0.0, 2.0, 8.0]
    assert paddle.lcm(x, y).tolist() == [24.0, 205.0, 0.0, 0.0, 12.0, 3072.0]
    assert str(paddle.gcd(x, y.astype("float64")).dtype) == "paddle.float64"  # as 3.3.1


def test_floats_that_are_not_finite_have_no_divisor() -> None:
    paddle.disable_static()
    x = paddle.to_tensor([float("nan"), 4.0, float("inf"), 4.0])
    assert np.isnan(paddle.gcd(x, paddle.to_tensor([2.0, float("inf"), 3.0, 6.0])).numpy()).tolist() == [True, True, True, False]


@pytest.mark.parametrize("kind", ["float16", "int8", "bool"])
def test_of_tensors_of_other_types(kind: str) -> None:
    paddle.disable_static()
    x = paddle.to_tensor([1, 1]).astype(kind)
    with pytest.raises(RuntimeError, match=f"Expected a tensor of int32, int64, float32, float64. Received: {kind}"):
        paddle.gcd(x, x)


def test_of_variables_of_floats() -> None:
    paddle.enable_static()
    with paddle.static.program_guard(paddle.static.Program()):
        x = paddle.static.data("x", [2], "float32")
        with pytest.raises(TypeError, match="Expected a tensor of int32, int64. Received: float32"):
            paddle.gcd(x, x)
    paddle.disable_static()
