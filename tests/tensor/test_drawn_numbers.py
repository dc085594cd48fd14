"""Numbers drawn for Tensors: gradients, and counts of changes in place, as in Paddle 2.6.2."""

from __future__ import annotations

import paddle_compat as paddle


def test_poisson_lets_gradients_through() -> None:
    x = paddle.full([3], 2.0)
    x.stop_gradient = False
    drawn = paddle.poisson(x)
    assert not drawn.stop_gradient
    drawn.sum().backward()
    assert x.grad.tolist() == [0.0, 0.0, 0.0]


def test_exponential_is_no_change_in_place() -> None:
    x = paddle.ones([3])
    x.exponential_()
    assert x.inplace_version == 0
    x.uniform_()
    assert x.inplace_version == 1
