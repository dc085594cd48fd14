"""Layers of a script's own that derive from Paddle's and make their parameters in their own way."""

from __future__ import annotations

from typing import Any

import pytest

import paddle_compat as paddle

LAYERS = {
    "Linear": (2, 3), "Bilinear": (2, 3, 4), "Embedding": (4, 3), "Conv2D": (2, 4, 3), "Conv2DTranspose": (2, 4, 3), "PReLU": (2,),
    "BatchNorm2D": (3,), "LayerNorm": (4,), "GroupNorm": (2, 4), "InstanceNorm2D": (3,), "HSigmoidLoss": (3, 4), "LSTMCell": (2, 3),
}  # fmt: skip


@pytest.mark.parametrize("name", LAYERS)
def test_create_parameter_is_called_by_keywords(name: str) -> None:
    """As Paddle calls it, so that one which takes a shape and passes on what else there is serves."""
    shapes = []

    class Own(getattr(paddle.nn, name)):  # type: ignore[misc]
        def create_parameter(self, shape: Any, **settings: Any) -> Any:
            shapes.append(list(shape))
            return super().create_parameter(shape, **settings)

    layer = Own(*LAYERS[name])
    assert shapes and [parameter.shape for parameter in layer.parameters()] == shapes[: len(layer.parameters())]
