"""`paddle.quantization.imperative.ptq_registry`: layers whose thresholds are looked for."""

from __future__ import annotations

from typing import Any

from paddle_compat import nn
from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.nn.quant import functional_layers, quant_layers


class LayerInfo:
    """A class of layers, and the slots of its operator."""

    def __init__(self, layer: Any, input_names: list[str], weight_names: list[str], output_names: list[str]) -> None:
        self.layer, self.input_names, self.weight_names, self.output_names = layer, input_names, weight_names, output_names


PTQ_LAYERS_INFO = [
    LayerInfo(nn.Conv2D, ["Input"], ["Filter"], ["Output"]), LayerInfo(nn.Linear, ["X"], ["Y"], ["Out"]),
    LayerInfo(nn.BatchNorm2D, ["X"], [], ["Y"]),
    *(
        LayerInfo(getattr(nn, name), ["X"], [], ["Out"])
        for name in (
            "AdaptiveMaxPool2D", "AdaptiveAvgPool2D", "AvgPool2D", "MaxPool2D", "ReLU", "ReLU6", "Hardswish", "Swish", "Sigmoid",
            "Softmax", "Tanh",
        )
    ),
    LayerInfo(functional_layers.add, ["X", "Y"], [], ["Out"]),
]  # fmt: skip
QUANT_LAYERS_INFO = [
    LayerInfo(quant_layers.QuantizedConv2D, ["Input"], ["Filter"], ["Output"]),
    LayerInfo(quant_layers.QuantizedLinear, ["X"], ["Y"], ["Out"]),
]
SIMULATED_LAYERS = [nn.Conv2D, nn.Linear]


class PTQRegistry:
    """Answers for layers and their classes."""

    @classmethod
    def _info(cls, layer: Any, known: list[LayerInfo]) -> LayerInfo | None:
        kinds = {id(info.layer): info for info in known}
        return kinds.get(id(layer)) or kinds.get(id(type(layer)))

    @classmethod
    def is_supported_layer(cls, layer: Any) -> bool:
        """Whether a layer's thresholds are looked for."""
        return cls._info(layer, PTQ_LAYERS_INFO) is not None

    @classmethod
    def is_registered_layer(cls, layer: Any) -> bool:
        """Whether a layer is known, those that round included."""
        return cls._info(layer, PTQ_LAYERS_INFO + QUANT_LAYERS_INFO) is not None

    @classmethod
    def is_simulated_quant_layer(cls, layer: Any) -> bool:
        """Whether a layer will round its weight and input."""
        return any(layer is kind or type(layer) is kind for kind in SIMULATED_LAYERS)

    @classmethod
    def layer_info(cls, layer: Any) -> LayerInfo:
        """What is known of a layer."""
        found = cls._info(layer, PTQ_LAYERS_INFO + QUANT_LAYERS_INFO)
        if found is None:
            raise failed_assertion("layer", "a layer that is registered", layer, "PTQRegistry.layer_info")
        return found


__getattr__ = missing(__name__)
