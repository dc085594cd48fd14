"""`paddle.nn.quant.qat.conv`: a `Conv2D` whose values are rounded."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn import functional as F
from paddle_compat.nn.quant.format import QuantedLayer


class QuantedConv2D(QuantedLayer):
    """A `Conv2D` whose weight and input pass quanters.

    Args:
        layer (Conv2D): whose parameters it takes.
        q_config (SingleLayerConfig): whose `weight` and `activation` make the quanters; None for none.
    """

    def __init__(self, layer: Any, q_config: Any) -> None:
        super().__init__()
        self._groups, self._stride = layer._groups, layer._stride
        self._padding, self._padding_mode = layer._padding, layer._padding_mode
        if self._padding_mode != "zeros":
            self._reversed_padding_repeated_twice = layer._reversed_padding_repeated_twice
        self._dilation, self._data_format = layer._dilation, layer._data_format
        self.weight, self.bias = layer.weight, layer.bias
        self._take_quanters(layer, q_config)

    def forward(self, input: Any) -> Any:
        """The convolution of what the quanters give."""
        input, weight = self._quanted(input)
        return self._conv_forward(input, weight)

    def _conv_forward(self, inputs: Any, weights: Any) -> Any:
        padding = self._padding
        if self._padding_mode != "zeros":
            pads = self._reversed_padding_repeated_twice
            inputs, padding = F.pad(inputs, pads, mode=self._padding_mode, data_format=self._data_format), 0
        return F.conv2d(
            inputs, weights, bias=self.bias, padding=padding, stride=self._stride, dilation=self._dilation, groups=self._groups,
            data_format=self._data_format,
        )  # fmt: skip


__getattr__ = missing(__name__)
