"""Variables stand for axes, sizes and probabilities where the wheel takes them, and are refused elsewhere."""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any

import numpy as np
import pytest
from processes import ROOT

import paddle_compat as paddle

sys.path[:0] = [str(ROOT / "scripts/references")]

import variable_arguments  # noqa: E402

pytestmark = pytest.mark.usefixtures("exact_random")


@cache
def recorded() -> dict[str, Any]:
    """What the wheel gave, by call."""
    found: dict[str, Any] = json.loads((ROOT / "tests/references/variable_arguments_2.6.2.json").read_text())
    return found


@pytest.mark.parametrize("call", list(recorded()))
def test_as_the_wheel(call: str) -> None:
    ours, real = variable_arguments.observe(paddle, call), recorded()[call]
    values, expected = ours.pop("values", []), real.get("values", [])
    assert ours == {key: value for key, value in real.items() if key != "values"}
    assert [v[:2] for v in values] == [v[:2] for v in expected]
    for (_, _, got), (_, _, want) in zip(values, expected):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)


@pytest.fixture
def program() -> Any:
    """A Program with a Variable for an attribute, which another operator of it makes."""
    paddle.enable_static()
    main = paddle.static.Program()
    with paddle.utils.unique_name.guard(), paddle.static.program_guard(main):
        x = paddle.static.data("x", [2, 3])
        axis = paddle.full([1], 1, "int64")
        paddle.assign(paddle.cumsum(x, axis), output=main.global_block().create_var(name="sums", dtype="float32"))
        paddle.assign(paddle.sum(x, [axis, 0]), output=main.global_block().create_var(name="total", dtype="float32"))
        paddle.mean(x)
    return main


def run(program: Any, name: str) -> Any:
    """A value of the program."""
    return paddle.static.Executor().run(program, feed={"x": np.ones([2, 3], "float32")}, fetch_list=[name])[0]


def test_a_program_keeps_it_when_cloned_pruned_and_stored(program: Any) -> None:
    stored = paddle.static.Program.parse_from_string(program.desc.serialize_to_string())
    copies = [program.clone(), program._prune(["sums", "total"]), stored]
    for copy in copies:
        np.testing.assert_array_equal(run(copy, "sums"), [[1, 2, 3], [1, 2, 3]])
        assert run(copy, "total") == 6
    assert "mean" not in [op.type for op in copies[1].global_block().ops]


def test_the_description_of_the_operator(program: Any) -> None:
    sums = next(op for op in program.global_block().ops if op.type == "cumsum")
    assert "axis = Var['fill_constant_1.tmp_0']" in str(sums)
    total = next(op for op in program.global_block().ops if op.type == "reduce_sum")
    assert "dim = Vars['fill_constant_1.tmp_0','fill_constant_3.tmp_0']" in str(total)
    assert not sums.has_attr("axis") and sums.desc.has_attr("axis", True) and "axis" in sums.attr_names
    assert sums.all_attrs()["axis"].name == "fill_constant_1.tmp_0" == sums.desc.attr("axis", True).name()
    assert sums.input_arg_names == ["x"] and sums.desc.input_arg_names(True) == ["x", "fill_constant_1.tmp_0"]
    with pytest.raises(RuntimeError, match="axis"):
        sums.attr("axis")


def test_an_attribute_that_is_always_a_number(program: Any) -> None:
    block = program.global_block()
    out = block.create_var(name="out", dtype="float32")
    with pytest.raises(ValueError, match=r"attribute `axis` of operator `softmax`.*Variable fill_constant_1.tmp_0"):
        block.append_op(type="softmax", inputs={"X": "x"}, outputs={"Out": out}, attrs={"axis": block.var("fill_constant_1.tmp_0")})


@pytest.fixture
def main() -> Any:
    paddle.enable_static()
    program = paddle.static.Program()
    with paddle.static.program_guard(program, paddle.static.Program()), paddle.static.scope_guard(paddle.static.Scope()):
        yield program


def test_in_a_loop_and_a_branch(main: paddle.static.Program) -> None:
    a, n = paddle.static.data("a", [3, 4]), paddle.zeros([1], "int64")
    n, y = paddle.static.nn.while_loop(
        lambda n, y: n < 2, lambda n, y: [n + 1, y + paddle.sum(a, n, keepdim=True)], [n, paddle.zeros([3, 4])]
    )
    highest = paddle.static.nn.cond(y.sum() > 0, lambda: paddle.max(a, n - 1), lambda: paddle.max(a, n - 2))
    fed = np.random.RandomState(1).uniform(0, 1, [3, 4]).astype("float32")
    total, last = paddle.static.Executor().run(main, {"a": fed}, [y, highest])
    np.testing.assert_allclose(total, fed.sum(0, keepdims=True) + fed.sum(1, keepdims=True), rtol=1e-6)
    np.testing.assert_array_equal(last, fed.max(1))


def test_training_moves_what_stands_before(main: paddle.static.Program) -> None:
    a, axis = paddle.static.data("a", [2, 3]), paddle.static.data("axis", [1], "int32")
    w = paddle.static.create_parameter([3, 3], "float32", default_initializer=paddle.nn.initializer.Constant(0.5))
    loss = (paddle.sum(paddle.matmul(a, w), axis) ** 2).sum()
    paddle.optimizer.SGD(0.1).minimize(loss)
    executor = paddle.static.Executor()
    executor.run(paddle.static.default_startup_program())
    fed = np.arange(6, dtype="float32").reshape(2, 3) / 10
    expected = np.full([3, 3], 0.5, "float32")
    for number in (0, 1):
        out = fed @ expected
        rows = np.broadcast_to(2 * out.sum(number, keepdims=True), out.shape)
        expected = expected - 0.1 * fed.T @ rows
        [moved] = executor.run(main, {"a": fed, "axis": np.array([number], "int32")}, [w])
        np.testing.assert_allclose(moved, expected, rtol=1e-5)
