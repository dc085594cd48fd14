"""`paddle.incubate.jit.inference` gives what Paddle 3.3.1 gives. Weights that change are seen; the wheel has saved the former ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import nn
from paddle_compat.errors import UnsupportedError


class Scorer(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.score, self.drop = nn.Linear(4, 3), nn.Dropout(0.5)

    def forward(self, x: Any) -> Any:
        return self.drop(self.score(x))

    @paddle.incubate.jit.inference(cache_static_model=False)
    def several(self, x: Any, others: Any = (), double: bool = False) -> Any:
        for other in others:
            x = x + other
        return {"score": self.score(x), "rest": [x * 2 if double else x]}


def test_a_layer() -> None:
    layer, x = Scorer(), paddle.rand([2, 4])
    expected = layer.score(x)
    assert paddle.incubate.jit.inference(layer) is layer and paddle.incubate.inference is paddle.incubate.jit.inference
    x.stop_gradient = False
    out = layer(x)
    np.testing.assert_allclose(out.numpy(), expected.numpy(), rtol=1e-6)
    assert out.stop_gradient and layer.training and layer.drop.training
    assert [layer(paddle.ones(shape)).shape for shape in ([5, 4], [1, 2, 4])] == [[5, 3], [1, 2, 3]]
    layer.score.weight.set_value(paddle.zeros([4, 3]))
    layer.score.bias.set_value(paddle.ones([3]))
    assert layer(x).tolist() == [[1.0] * 3] * 2


def test_a_method_gives_its_tensors_as_a_list() -> None:
    one, two, x = Scorer(), Scorer(), paddle.ones([2, 4])
    for layer in (one, two, one):
        rest, score = layer.several(x, [x, x], double=True)  # in the order of the names
        np.testing.assert_allclose(score.numpy(), layer.score(x * 3).numpy(), rtol=1e-6)
        assert rest.tolist() == [[6.0] * 4] * 2
    assert one.several(x, double=False)[0].tolist() == [[1.0] * 4] * 2


def test_what_runs_for_inference() -> None:
    ask = paddle.incubate.jit.is_inference_mode
    layer = Scorer()
    assert ask(layer.several) and ask(Scorer.several) and not ask(layer.forward)
    assert ask(paddle.incubate.jit.inference(layer).forward)


def test_wrong_use() -> None:
    layer, x = Scorer(), paddle.ones([2, 4])
    for wrong, message in ((2, "`double`.*Received: 2"), ("a", "Received: 'a'"), ([1], "a Tensor for each of its elements")):
        with pytest.raises(AssertionError, match=message):
            layer.several(x, double=wrong)
    with pytest.raises(AssertionError, match="whose first parameter is `self`"):
        paddle.incubate.jit.inference(lambda x: x)
    with pytest.raises(TypeError, match=r"`function` of `inference`. Expected a method of a layer"):
        paddle.incubate.jit.inference(3)
    with pytest.raises(UnsupportedError, match="with_trt=True"):
        paddle.incubate.jit.inference(layer, with_trt=True)
