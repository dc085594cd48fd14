"""Operators on plain Tensors take a quick way that gives what the long way gives, and small ones keep torch's own derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import paddle_compat as paddle
import paddle_compat.nn.functional as F
from paddle_compat.core import direct, eager, op
from paddle_compat.core.op import find_op


def _numbers(*shape: int, seed: int = 0, stop_gradient: bool = False) -> Any:
    return paddle.to_tensor(np.random.RandomState(seed).uniform(-2, 2, shape).astype("float32"), stop_gradient=stop_gradient)


def _called(type_: str, *inputs: Any, **attrs: Any) -> Any:
    found: Any = find_op(type_)
    return found(*inputs, **attrs)


CASES: dict[str, Callable[[], Any]] = {
    "an attribute that is None": lambda: _called("thresholded_relu", _numbers(3, 4), threshold=None),
    "optional inputs left out": lambda: _called("top_k_v2", _numbers(3, 4), k=2),
    "an optional input that is None": lambda: _called("clip", _numbers(3, 4), None, paddle.to_tensor(1.0), min=-1.0),
    "an input without a gradient": lambda: _called("lerp", _numbers(3), _numbers(3, seed=1), _numbers(3, seed=2)),
    "no gradient at all": lambda: _called("elementwise_floordiv", _numbers(3), _numbers(3, seed=1)),
    "memory of its own": lambda: _called("cast", _numbers(3), out_dtype=5),
    "several outputs": lambda: _called("argsort", _numbers(3, 4), axis=-1),
}


@pytest.mark.parametrize("case", CASES)
def test_both_ways_are_one(case: str) -> None:
    outcomes = []
    for held in (False, True):
        direct.hold(held, "test")
        try:
            out = CASES[case]()
        finally:
            direct.hold(False, "test")
        outs = out if isinstance(out, tuple) else (out,)
        outcomes.append([(type(t), t.stop_gradient, t.is_leaf, str(t.dtype), t.tolist()) for t in outs])
    assert outcomes[0] == outcomes[1]


def test_the_quick_way_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (direct, op):  # other tests of this process may have made dist tensors
        monkeypatch.setattr(module, "plain", True)
    monkeypatch.setattr(eager, "call", lambda *args: pytest.fail("the long way was taken"))
    assert _called("thresholded_relu", _numbers(3), threshold=9.0).tolist() == [0.0] * 3


def test_what_fails_has_the_errors_of_the_long_way() -> None:
    with pytest.raises(ValueError, match="Operator `mv` cannot take its inputs"):
        _called("mv", _numbers(3, 4), _numbers(5))


# Where no elements tie and none is NaN torch's derivative is Paddle's, and costs no Python in the backward pass.
OWN: dict[str, tuple[Callable[..., Any], float]] = {
    "maximum": (lambda x: paddle.maximum(x, _numbers(3, 4, seed=1)), float("nan")),
    "minimum": (lambda x: paddle.minimum(x, _numbers(3, 4, seed=1)), float("nan")),
    "max": (lambda x: paddle.max(x, axis=1), 1.9),
    "min": (lambda x: paddle.min(x), -1.9),
    "leaky_relu": (F.leaky_relu, 0.0),
    "hardswish": (F.hardswish, float("inf")),
}


@pytest.mark.parametrize("name", OWN)
def test_small_tensors_take_derivatives_without_python(name: str) -> None:
    call, special = OWN[name]

    def python(x: Any) -> bool:
        nodes, seen = [call(x)._t.grad_fn], set()
        while nodes:
            node = nodes.pop()
            if isinstance(node, torch.autograd.function.BackwardCFunction):
                return True
            seen.add(node)
            nodes += [n for n, _ in node.next_functions if n is not None and n not in seen]
        return False

    x = _numbers(3, 4)
    assert not python(x)
    with paddle.no_grad():
        x[:, :2] = special
    assert python(x)


def test_the_larger_of_equal_numbers_gives_its_gradient_to_one_side() -> None:
    for choose, to_x in ((paddle.maximum, [0.0, 1.0, 0.0]), (paddle.minimum, [0.0, 0.0, 1.0])):
        x, y = (paddle.to_tensor(values, stop_gradient=False) for values in ([1.0, 3.0, 2.0], [1.0, 2.0, 3.0]))
        choose(x, y).sum().backward()
        assert x.grad.tolist() == to_x and y.grad.tolist() == [1.0 - g for g in to_x]


def test_one_hot_truncates_no_index() -> None:
    assert _called("one_hot_v2", paddle.to_tensor([0.5, 1.0]), depth=2).tolist() == [[0.0, 0.0], [0.0, 1.0]]
    with pytest.raises(ValueError, match="indices from 0 to 1"):
        F.one_hot(paddle.to_tensor([0, 2]), 2)
