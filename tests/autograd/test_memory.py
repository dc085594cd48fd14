"""What a backward pass leaves behind: a graph that is freed, no cycles, gradients in one place."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle


@pytest.fixture
def without_collector() -> Iterator[None]:
    """What is freed is freed by counting references."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def leaf(*shape: int) -> Any:
    x = paddle.to_tensor(np.ones(shape, "float32"))
    x.stop_gradient = False
    return x


def test_a_backward_pass_frees_what_operators_saved(without_collector: None) -> None:
    x = leaf(3)
    inner = x * 2
    y = inner * inner
    kept = weakref.ref(inner._t)
    del inner
    assert kept() is not None
    y.sum().backward()
    assert kept() is None and y.grad is None


def test_a_retained_graph_stays(without_collector: None) -> None:
    x = leaf(3)
    inner = x * 2
    y = (inner * inner).sum()
    kept = weakref.ref(inner._t)
    del inner
    y.backward(retain_graph=True)
    assert kept() is not None
    y.backward()
    assert kept() is None
    np.testing.assert_array_equal(x.grad.numpy(), [16.0] * 3)


def test_a_graph_goes_with_its_tensors(without_collector: None) -> None:
    x = leaf(3)
    y = paddle.tanh(x * 2)
    (g,) = paddle.grad(y, x, create_graph=True)
    kept = [weakref.ref(v) for v in (y, y._t, g, g._t)]
    del y, g
    assert [ref() for ref in kept] == [None] * 4


def test_hooks_leave_no_cycles(without_collector: None) -> None:
    x = leaf(3)
    y = x * 2
    y.register_hook(lambda grad: grad * 3)
    y.sum().backward()
    kept = [weakref.ref(y), weakref.ref(y._t)]
    del y
    assert [ref() for ref in kept] == [None] * 2
    np.testing.assert_array_equal(x.grad.numpy(), [6.0] * 3)


def test_gradients_are_added_in_place() -> None:
    x = leaf(2)
    (x * x).sum().backward()
    first = x.grad
    (x * x).sum().backward()
    assert first.tolist() == x.grad.tolist() == [4.0, 4.0]
    x.clear_gradient(set_to_zero=False)
    assert x.grad is None


def test_a_layer_trains_without_cycles(without_collector: None) -> None:
    layer = paddle.nn.Linear(4, 4)
    optimizer = paddle.optimizer.SGD(0.1, parameters=layer.parameters())
    kept = []
    for _ in range(2):
        loss = (layer(leaf(2, 4)) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        kept += [weakref.ref(loss), weakref.ref(loss._t)]
        del loss
    assert [ref() for ref in kept] == [None] * 4
