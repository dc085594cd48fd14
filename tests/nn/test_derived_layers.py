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


def test_a_convolution_that_pads_by_itself() -> None:
    """As layers with standardized weights do."""

    class Own(paddle.nn.Conv2D):
        def forward(self, x: Any) -> Any:
            x = paddle.nn.functional.pad(x, self._reversed_padding_repeated_twice, mode=self._padding_mode)
            return paddle.nn.functional.conv2d(x, self.weight, self.bias, self._stride, self._updated_padding, self._dilation, self._groups)

    paddle.seed(0)
    x, own = paddle.rand([1, 2, 5, 5]), Own(2, 3, 3, padding=1, padding_mode="reflect")
    plain = paddle.nn.Conv2D(2, 3, 3, padding=1, padding_mode="reflect")
    plain.set_state_dict(own.state_dict())
    assert own._reversed_padding_repeated_twice == [1, 1, 1, 1] and own(x).tolist() == plain(x).tolist()


def test_a_batch_norm_that_looks_at_its_format() -> None:
    seen = []

    class Own(paddle.nn.BatchNorm2D):
        def _check_data_format(self, input: str) -> None:
            seen.append(input)
            super()._check_data_format(input)

    assert Own(2)(paddle.ones([1, 2, 3, 3])).shape == [1, 2, 3, 3] and seen == ["NCHW"]


class Tied(paddle.nn.Layer):
    """A layer whose property stands for what it holds under another name, as PaddleNLP's and the LAC model's do."""

    def __init__(self) -> None:
        super().__init__()
        self.calls, self._held = 0, None

    @property
    def held(self) -> Any:
        return self._held

    @held.setter
    def held(self, value: Any) -> None:
        self.calls, self._held = self.calls + 1, value


@pytest.mark.parametrize(
    ("kind", "calls", "home"),
    [("parameter", 1, "_parameters"), ("layer", 1, "_sub_layers"), ("tensor", 1, "_buffers"), ("number", 2, None)],
)
def test_what_is_set_by_a_property_is_held_under_its_name_too(kind: str, calls: int, home: str | None) -> None:
    """2.6.2 and 3.3.1: after the setter a Layer's own rules take the value, and hand plain values to the setter again."""
    tied = Tied()
    value = {
        "parameter": tied.create_parameter([2]), "layer": paddle.nn.Linear(2, 2, bias_attr=False), "tensor": paddle.ones([2]), "number": 3
    }[kind]  # fmt: skip
    tied.held = value
    assert tied.held is value and tied.calls == calls and "held" not in tied.__dict__
    assert home is None or list(getattr(tied, home)) == ["_held", "held"]
    keys = {"parameter": ["_held", "held"], "layer": ["_held.weight", "held.weight"]}.get(kind, [])
    assert list(tied.state_dict()) == keys and len(tied.parameters()) == min(len(keys), 1)
