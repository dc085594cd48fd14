"""Gradients of eager passes become means over a ring: of tables alone, of nothing in use, and after a pass that failed."""

from __future__ import annotations

from typing import Any

import pytest
from engine.doubling import Doubling

import paddle_compat as paddle
from paddle_compat.engine import eager_backward, eager_sums
from paddle_compat.engine.eager_sums import GradientMeans


def test_a_table_alone_and_layers_that_nobody_uses() -> None:
    table, spare = paddle.nn.Embedding(4, 2, sparse=True), paddle.nn.Linear(2, 2)
    for parameters, sparse in (([table.weight], [True]), ([table.weight, spare.weight], [True, False])):
        means = GradientMeans(parameters, sparse, Doubling(), 1 << 20, some_unused=True)
        out = table(paddle.to_tensor([1, 3]))
        means.begin([out._t])
        out.sum().backward()
        assert table.weight._t.grad.to_dense().tolist() == [[0, 0], [1, 1], [0, 0], [1, 1]]
        assert spare.weight.grad is None and not eager_backward.after
        table.weight.clear_grad()
        means.let_go()


def test_a_pass_that_fails_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[Any] = []
    monkeypatch.setattr(eager_sums, "leave", left.append)
    layer = paddle.nn.Linear(2, 2)
    means = GradientMeans([layer.weight, layer.bias], [False, False], Doubling(), 1 << 20, some_unused=False)

    def fail(grad: Any) -> Any:
        raise KeyError("early")

    x = paddle.ones([1, 2])
    x.stop_gradient = False
    out = layer(2 * x)
    x.register_hook(fail)
    means.begin([out._t])
    with pytest.raises(KeyError):
        out.sum().backward()
    assert [isinstance(error, KeyError) for error in left] == [True] and not eager_backward.after
    means.begin([layer(x.detach())._t])
    layer.clear_gradients()
    layer(x.detach()).sum().backward()
    assert layer.bias.grad.tolist() == [1.0, 1.0]
