"""`paddle.nn.quant.qat.linear`: a `Linear` whose values are rounded."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn import functional as F
from paddle_compat.nn.quant.format import QuantedLayer


class QuantedLinear(QuantedLayer):
    """A `Linear` whose weight and input pass quanters.

    Args:
        layer (Linear): whose parameters it takes.
        q_config (SingleLayerConfig): whose `weight` and `activation` make the quanters; None for none.
    """

    def __init__(self, layer: Any, q_config: Any) -> None:
        super().__init__()
        self.weight, self.bias, self.name = layer.weight, layer.bias, layer.name
        self._take_quanters(layer, q_config)

    def forward(self, input: Any) -> Any:
        """The product of what the quanters give."""
        input, weight = self._quanted(input)
        return self._linear_forward(input, weight)

    def _linear_forward(self, input: Any, weight: Any) -> Any:
        return F.linear(x=input, weight=weight, bias=self.bias, name=self.name)


__getattr__ = missing(__name__)
