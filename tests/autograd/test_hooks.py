"""Hooks on gradients: other shapes, what they compute themselves, leaves that have a gradient already."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle


def leaf() -> paddle.Tensor:
    return paddle.to_tensor(np.arange(6, dtype="float32").reshape(2, 3), stop_gradient=False)


@pytest.mark.parametrize(("hook", "expected"), [
    (lambda g: g.reshape([3, 2]), [[0.0, 2.0], [4.0, 6.0], [8.0, 10.0]]),
    (lambda g: g.sum(), 30.0),
    (lambda g: g[0], [0.0, 2.0, 4.0]),
    (lambda g: paddle.stack([g, g])[:, 1], [[6.0, 8.0, 10.0], [6.0, 8.0, 10.0]]),
])  # fmt: skip
@pytest.mark.filterwarnings("error")
def test_a_leaf_takes_the_shape_that_its_hook_gives(hook: Any, expected: Any) -> None:
    x = leaf()
    x.register_hook(hook)
    (x * x).sum().backward()
    assert x.grad.tolist() == expected  # 2.6.2's
    (x * x).sum().backward()
    assert x.grad.tolist() == (np.asarray(expected) * 2).tolist()
    assert leaf_untouched()


def leaf_untouched() -> bool:
    x = leaf()
    (x * x).sum().backward()
    return x.grad.tolist() == [[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]]


def test_the_next_hook_sees_the_other_shape() -> None:
    x, seen = leaf(), []
    x.register_hook(lambda g: g.reshape([6]))
    helper = x.register_hook(lambda g: seen.append(g.shape))
    x.register_hook(lambda g: g.reshape([2, 3]) * 2)
    (x * x).sum().backward()
    assert seen == [[6]] and x.grad.tolist() == [[0.0, 4.0, 8.0], [12.0, 16.0, 20.0]]
    assert helper.remove()
    (x * x).sum().backward()
    assert seen == [[6]] and x.grad.tolist() == [[0.0, 8.0, 16.0], [24.0, 32.0, 40.0]]


def test_an_operators_result_keeps_its_shape() -> None:
    x = leaf()
    y = x * 2
    y.register_hook(lambda g: g.reshape([3, 2]) * 2)
    (y * y).sum().backward()
    assert x.grad.tolist() == [[0.0, 16.0, 32.0], [48.0, 64.0, 80.0]]  # 2.6.2's numbers
    y = x * 2
    y.register_hook(lambda g: g.sum())
    with pytest.raises(RuntimeError, match="size"):
        y.sum().backward()


def test_a_hook_may_differentiate() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    y, seen = x * 2, []

    def hook(g: paddle.Tensor) -> Any:
        seen.append(((g * 2).stop_gradient, g.is_leaf, paddle.is_grad_enabled()))
        return paddle.grad((g * g).sum(), g)[0]

    y.register_hook(hook)
    (y * y).sum().backward()
    assert seen == [(False, True, True)] and x.grad.tolist() == [16.0, 32.0]  # 2.6.2's
    y = x * 2
    y.register_hook(lambda g: g.scale_(2.0))
    with pytest.raises(ValueError, match="leaf"):
        y.sum().backward()


def test_a_hook_overwrites_without_gradients() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    y = x * 2

    def hook(g: paddle.Tensor) -> None:
        with paddle.no_grad():
            g[0] = 0.0

    y.register_hook(hook)
    (y * y).sum().backward()
    assert x.grad.tolist() == [0.0, 16.0]


def test_a_hook_does_not_keep_its_leaf() -> None:
    gc.collect()
    gc.disable()
    try:
        x = leaf()
        x.register_hook(lambda g: g.reshape([6]))
        (x * x).sum().backward()
        there = weakref.ref(x._t)
        del x
        assert there() is None
    finally:
        gc.enable()


def test_what_a_hook_raises_is_an_external_error_too() -> None:
    x = paddle.to_tensor([1.0, 2.0], stop_gradient=False)
    y = x * 2
    y.register_hook(lambda g: {}["mine"])
    with pytest.raises(OSError, match=r"^\(External\) KeyError: 'mine'$") as caught:  # as in 2.6.2 and 3.3.1
        y.sum().backward()
    assert isinstance(caught.value, KeyError) and isinstance(caught.value.__cause__, KeyError)


def test_hooks_by_number_of_tensors_without_gradients_are_counted() -> None:
    assert [paddle.to_tensor([1.0])._register_grad_hook(lambda grad: grad) for _ in range(2)] == [0, 0]
