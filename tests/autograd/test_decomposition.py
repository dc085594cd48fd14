"""`paddle.decomposition`: operators taken apart, which stay whole, and the gradient of one operator. What was seen in 3.3.1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat.base import core
from paddle_compat.core import composition
from paddle_compat.decomposition import decomp

F = paddle.nn.functional
X = np.array([[-1.5, 0.2, 0.7], [4.0, -0.1, 7.0]], "float32")


@pytest.fixture(autouse=True)
def _static_and_apart() -> Iterator[None]:
    paddle.enable_static()
    core._set_prim_all_enabled(True)
    yield
    core._set_prim_all_enabled(False)
    composition.prim_config["forward_blacklist"].clear()
    composition.blacklist.clear()


def _program(f: Callable[[Any], Any]) -> tuple[Any, Any, Any]:
    main = paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        x = paddle.static.data("x", [2, 3], "float32")
        x.stop_gradient = False
        return main, x, f(x)


def _names(main: Any) -> list[str]:
    return [op.name() for op in main.global_block().ops]


APART: dict[str, Callable[[Any], Any]] = {
    "softmax": F.softmax, "gelu": F.gelu, "log_softmax": F.log_softmax, "square": paddle.square, "swish": F.swish, "silu": F.silu,
    "softsign": F.softsign, "relu6": F.relu6, "hardsigmoid": F.hardsigmoid, "elu": lambda x: F.elu(x, 0.3),
    "reciprocal": paddle.reciprocal, "clip": lambda x: paddle.clip(x, -1.0, 2.0), "mean": paddle.mean, "relu": F.relu,
    "layer_norm": lambda x: F.layer_norm(x, [3]), "lerp": lambda x: paddle.lerp(x, x * 2, 0.3),
    "addmm": lambda x: paddle.addmm(x, x[:, :2], x, beta=0.5, alpha=2.0),
    "bmm": lambda x: paddle.bmm(x.unsqueeze(0), x.unsqueeze(0).transpose([0, 2, 1])),
}  # fmt: skip


@pytest.mark.parametrize("name", APART)
def test_what_stands_for_an_operator_computes_the_same(name: str) -> None:
    found = []
    for apart in (False, True):
        core._set_prim_all_enabled(apart)
        main, x, y = _program(APART[name])
        with paddle.static.program_guard(main):
            [y] = paddle.decomposition.decompose(main, [y])
            gradient = paddle.static.gradients([y], [x])
        assert (f"pd_op.{name}" in _names(main)) is not apart
        found.append(paddle.static.Executor().run(main, feed={"x": X}, fetch_list=[y, *gradient]))
    for whole, parts in zip(*found):
        np.testing.assert_allclose(parts, whole, rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize("name, f", [("sigmoid", F.sigmoid), ("sqrt", paddle.sqrt), ("rsqrt", paddle.rsqrt), ("tanh", paddle.tanh)])
def test_elementary_operators_stay(name: str, f: Callable[[Any], Any]) -> None:
    main, _, y = _program(f)
    paddle.decomposition.decompose(main, [y])
    assert _names(main) == [f"pd_op.{name}"] and not decomp.has_decomp_rule(y.get_defining_op())


def test_lists_of_what_stays() -> None:
    def left(**kwargs: Any) -> tuple[bool, bool]:
        main, _, y = _program(lambda x: F.softmax(F.gelu(x)))
        paddle.decomposition.decompose(main, [y], **kwargs)
        return "pd_op.softmax" in _names(main), "pd_op.gelu" in _names(main)

    assert left() == (False, False)
    assert left(blacklist={"pd_op.softmax"}) == (True, False) and left(whitelist={"pd_op.softmax"}) == (False, True)
    assert left(start_index=-1) == left(start_index=1) == (False, False) and left(end_index=2) == (True, False)
    core._set_prim_forward_blacklist("pd_op.softmax")
    assert left() == (True, False)
    core._set_prim_all_enabled(False)
    assert left() == (True, True)


def test_gradients_that_stay() -> None:
    core._set_prim_backward_blacklist("tanh_grad")
    main, x, y = _program(paddle.tanh)
    with paddle.static.program_guard(main):
        paddle.autograd.ir_backward.grad(y, x)
    assert _names(main)[-1] == "pd_op.tanh_grad"


def test_who_can_be_taken_apart() -> None:
    def says(f: Callable[[Any], Any]) -> list[bool]:
        op = _program(f)[2].get_defining_op()
        return [decomp.has_decomp_rule(op), decomp.has_decomp_vjp(op), core.has_vjp(op), core.has_custom_vjp(op)]

    assert says(F.softmax) == says(F.gelu) == says(F.relu) == says(paddle.mean) == [True, False, True, True]
    assert says(paddle.tanh) == says(F.sigmoid) == says(paddle.cumsum) == [False, False, True, False]
    assert says(paddle.square) == says(paddle.flatten) == says(F.log_softmax) == [True, False, True, False]
    assert says(paddle.argmax) == [False] * 4 and says(paddle.ones_like) == [True, False, False, False]


def test_an_operator_beside_what_stands_for_it() -> None:
    main, _, y = _program(F.softmax)
    with paddle.static.program_guard(main):
        [[instead]] = decomp.call_decomp_rule(y.get_defining_op())
    ran = paddle.static.Executor().run(main, feed={"x": X}, fetch_list=[y, instead])
    np.testing.assert_allclose(ran[1], ran[0], rtol=1e-5)
    with pytest.raises(TypeError, match="a rule"):
        decomp.call_decomp_rule(_program(paddle.tanh)[2].get_defining_op())


def test_gradient_of_one_operator() -> None:
    core._set_prim_all_enabled(False)
    main, x, y = _program(lambda x: x * paddle.exp(x))
    with paddle.static.program_guard(main):
        op = y.get_defining_op()
        first, second = op.operands_source()
        weight = paddle.full([2, 3], 2.0)
        found = core.call_vjp(op, [[first], [second]], [[y]], [[weight]], [[False], [True]])
    assert found[1] == [None]
    [value] = paddle.static.Executor().run(main, feed={"x": X}, fetch_list=[found[0][0]])
    np.testing.assert_allclose(value, 2 * np.exp(X), rtol=1e-6)
    with pytest.raises(TypeError, match="with a gradient"):
        core.call_vjp(_program(paddle.argmax)[2].get_defining_op(), [], [], [], [])


@pytest.mark.parametrize("given", [(3, []), (None, 3), (None, [3]), (None, [], ["pd_op.softmax"])])
def test_wrong_arguments(given: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match="decompose"):
        paddle.decomposition.decompose(paddle.static.Program() if given[0] is None else given[0], *given[1:])
    with pytest.raises(TypeError, match="an operator of a Program"):
        core.has_vjp(given[0])


def test_taking_apart_for_a_while() -> None:
    core._set_prim_all_enabled(False)
    with decomp.prim_guard():
        assert core._is_fwd_prim_enabled() and core._is_bwd_prim_enabled()
    assert not core._is_fwd_prim_enabled() and not core._is_bwd_prim_enabled()
