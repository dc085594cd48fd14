"""What an operator makes of a Tensor stands at a place of its own in the history, also where there was nothing to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import paddle_compat as paddle

_NOTHING_TO_DO: dict[str, Callable[[Any], Any]] = {
    "flatten": lambda x: x.flatten(-1, -1),
    "nn.Flatten": lambda x: paddle.nn.Flatten()(x),
    "unsqueeze": lambda x: paddle.unsqueeze(x, []),
    "view": lambda x: x.view("float32"),
    "view of a shape": lambda x: x.view([2, 3]),
    "expand": lambda x: x.expand([2, 3]),
    "cast": lambda x: paddle.cast(x, "float32").clone(),
    "dropout": lambda x: paddle.nn.functional.dropout(x, 0.5, training=False).clone(),
}


@pytest.mark.parametrize("name", _NOTHING_TO_DO)
def test_stopping_gradients_there_does_not_stop_them_here(name: str) -> None:
    """As Paddle 2.6.2 has it."""
    x = paddle.ones([2, 3])
    x.stop_gradient = False
    y = _NOTHING_TO_DO[name](x)
    assert not y.is_leaf
    y.stop_gradient = True
    assert not x.stop_gradient


def test_a_number_viewed_in_its_own_shape() -> None:
    x = paddle.to_tensor(3.0, stop_gradient=False)
    y = x.view([]) + x.view_as(x)
    y.backward()
    assert (y.shape, y.item(), x.grad.item()) == ([], 6.0, 2.0)


def test_assignment_of_what_shares_the_memory() -> None:
    x = paddle.to_tensor([[1.0], [2.0], [3.0]])
    y = x.detach()
    y[[True, True, True]] = x
    y[[0, 2]] = x[:2]
    assert x.tolist() == y.tolist() == [[1.0], [2.0], [2.0]]
