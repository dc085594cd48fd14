"""Settings that layers keep under names of their own, as subclasses read them: what the 2.6.2 wheel has there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_compat as paddle
from paddle_compat import nn

# layer, padding and other settings -> channel dimension, type, algorithm, numbers
CONVOLUTIONS: list[tuple[Any, dict[str, Any], tuple[int, str, str, list[int]]]] = [
    (nn.Conv2D, {"padding": 1}, (1, "conv2d", "EXPLICIT", [1, 1])),
    (nn.Conv2D, {"padding": "same"}, (1, "conv2d", "SAME", [0, 0])),
    (nn.Conv2D, {"padding": [1, 2, 3, 4]}, (1, "conv2d", "EXPLICIT", [1, 2, 3, 4])),
    (nn.Conv2D, {"padding": [[0, 0], [0, 0], [1, 2], [3, 3]]}, (1, "conv2d", "EXPLICIT", [1, 2, 3, 3])),
    (nn.Conv2D, {"padding": 1, "padding_mode": "reflect"}, (1, "conv2d", "EXPLICIT", [0, 0])),
    (nn.Conv2D, {"padding": 1, "data_format": "NHWC"}, (3, "conv2d", "EXPLICIT", [1, 1])),
    (nn.Conv2D, {"groups": 3}, (1, "depthwise_conv2d", "EXPLICIT", [0, 0])),
    (nn.Conv3D, {"padding": 1, "groups": 3}, (1, "conv3d", "EXPLICIT", [1, 1, 1])),
    (nn.Conv2DTranspose, {"groups": 3}, (1, "depthwise_conv2d", "EXPLICIT", [0, 0])),
    (nn.Conv3DTranspose, {"padding": "SAME"}, (1, "conv3d", "SAME", [0, 0, 0])),
]


@pytest.mark.parametrize(("layer", "settings", "expected"), CONVOLUTIONS)
def test_convolution(layer: Any, settings: dict[str, Any], expected: tuple[Any, ...]) -> None:
    made = layer(3, 3, 3, **settings)
    assert (made._channel_dim, made._op_type, made._padding_algorithm, made._updated_padding) == expected


@pytest.mark.parametrize("given", [0.5, None, float("nan")])
def test_settings_that_are_no_sizes(given: Any) -> None:
    """A ValueError that names the setting, as Paddle 2.6.2's."""
    for setting in ("kernel_size", "stride", "dilation"):
        for layer, count in ((nn.Conv1D, 1), (nn.Conv2DTranspose, 2), (nn.Conv3D, 3)):
            with pytest.raises(ValueError, match=f"`{setting}`. Expected an int or {count} ints. Received: {given}"):
                layer(4, 6, **{"kernel_size": 3, setting: given})
    if given is not None:  # which means the sizes of the input
        with pytest.raises(ValueError, match="`output_size`"):
            nn.AdaptiveAvgPool2D(given)(paddle.ones([2, 4, 8, 8]))


def test_subclass_of_a_convolution_says_otherwise() -> None:
    layer = nn.Conv2D(3, 3, 3)
    layer._op_type, layer._updated_padding = "depthwise_conv2d", [2, 2]
    assert (layer._op_type, layer._updated_padding, layer._padding_algorithm) == ("depthwise_conv2d", [2, 2], "EXPLICIT")


def test_attributes_of_parameters() -> None:
    for layer in (nn.InstanceNorm2D(3, bias_attr=None), nn.GroupNorm(1, 3), nn.Bilinear(2, 3, 4)):
        assert layer._weight_attr is None and layer._bias_attr is None
    norm = nn.BatchNorm(3, param_attr=paddle.ParamAttr(name="scale"), in_place=True)
    assert norm._param_attr.name == "scale" and norm._bias_attr is None and norm._in_place is True
    assert nn.InstanceNorm1D(3, data_format="NCL")._data_format == "NCL"
    assert nn.PReLU()._weight_attr is None and nn.Embedding(4, 3)._size == [4, 3]


class Normalized(nn.SpectralNorm):
    """A spectral norm that writes its operator itself, as image generators' do."""

    def forward(self, weight: Any) -> Any:
        out = self._helper.create_variable_for_type_inference(self._dtype)
        inputs = {"Weight": weight, "U": self.weight_u, "V": self.weight_v}
        attrs = {"dim": self._dim, "power_iters": self._power_iters, "eps": self._eps}
        self._helper.append_op(type="spectral_norm", inputs=inputs, outputs={"Out": out}, attrs=attrs)
        return out


def test_spectral_norm_of_a_subclass() -> None:
    layer = Normalized([2, 3], eps=1e-3)
    layer.weight_u.set_value(np.sin(np.arange(2, dtype="float32")))
    layer.weight_v.set_value(np.sin(np.arange(3, dtype="float32")))
    got = layer(paddle.to_tensor(np.sin(np.arange(6, dtype="float32")).reshape(2, 3) + 1)).numpy()
    expected = [0.5429528, 0.9998317, 1.0366583, 0.6195742, 0.1320447, 0.0223022]  # 2.6.2's
    np.testing.assert_allclose(got.ravel(), expected, rtol=1e-5)


def test_activations_of_cells_are_what_they_call() -> None:
    cell = nn.GRUCell(2, 3)
    x, state = paddle.ones([1, 2]), paddle.ones([1, 3])
    cell._gate_activation = lambda gates: gates * 0 + 1  # an update gate of 1 keeps the state
    np.testing.assert_allclose(cell(x, state)[0].numpy(), [[1.0, 1.0, 1.0]], rtol=1e-6)
    cell = nn.SimpleRNNCell(2, 3, activation="relu")
    assert cell._activation_fn is nn.functional.relu
    assert nn.LSTMCell(2, 3)._activation is nn.functional.tanh


def test_property_names_what_it_lacks() -> None:
    class Tower(nn.Layer):
        @property
        def width(self) -> Any:
            return self.embedding.width

    with pytest.raises(AttributeError, match="'Tower' object has no attribute 'embedding'"):
        print(Tower().width)
    with pytest.raises(AttributeError, match="'Tower' object has no attribute 'depth'"):
        print(Tower().depth)


@pytest.mark.parametrize("act", ["leaky_relu", "hard_swish", "brelu", "stanh", "square"])
def test_batch_norm_calls_its_activation_by_the_name_of_the_operator(act: str) -> None:
    """With the operator's own settings: a slope of 0.02, where the function has 0.01."""
    x = paddle.to_tensor(np.linspace(-5, 5, 12, dtype="float32").reshape(2, 2, 3))
    plain = nn.BatchNorm(2)(x).numpy()
    expected = {
        "leaky_relu": np.where(plain > 0, plain, 0.02 * plain),
        "hard_swish": plain * np.clip(plain + 3, 0, 6) / 6,
        "brelu": np.clip(plain, 0, 24),
        "stanh": 1.7159 * np.tanh(0.67 * plain),
        "square": plain**2,
    }[act]
    assert np.allclose(nn.BatchNorm(2, act=act)(x).numpy(), expected, atol=1e-6)
