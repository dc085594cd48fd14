"""`paddle.quantization.quantize`: putting quanters into networks, and taking them out again."""

from __future__ import annotations

import abc
import copy

from paddle_compat._missing import missing
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.nn.quant.format import ConvertibleQuantedLayer, LinearQuanterDequanter
from paddle_compat.quantization.base_quanter import BaseQuanter
from paddle_compat.quantization.config import QuantConfig


class Quantization(metaclass=abc.ABCMeta):
    """What `QAT` and `PTQ` have in common."""

    def __init__(self, config: QuantConfig) -> None:
        self._config = copy.deepcopy(config)

    @abc.abstractmethod
    def quantize(self, model: Layer, inplace: bool = False) -> Layer:
        """Put quanters into a network."""

    def convert(self, model: Layer, inplace: bool = False, remain_weight: bool = False) -> Layer:
        """Replace the quanters of a network by rounding with the scales that they have found.

        Args:
            model (Layer): what `quantize` gave.
            inplace (bool): change the network itself.
            remain_weight (bool): keep weights as they are, instead of the numbers of their steps.
        Returns:
            Layer: the network for inference.
        """
        model = model if inplace else copy.deepcopy(model)
        for name, child in list(model.named_children()):
            if isinstance(child, ConvertibleQuantedLayer):
                known = child.weight_quanter is not None and not child.converted
                if known and child.weight_quanter.scales() is not None:
                    child._convert(remain_weight=remain_weight)
            elif isinstance(child, BaseQuanter):
                model._sub_layers[name] = LinearQuanterDequanter.from_quanter(child)
            else:
                self.convert(child, inplace=True, remain_weight=remain_weight)
        return model

    def _prepared(self, model: Layer) -> Layer:
        """The network, with quanters where the configuration wants them."""
        self._config._specify(model)
        self._convert_to_quant_layers(model, self._config)
        self._insert_activation_observers(model, self._config)
        return model

    def _convert_to_quant_layers(self, model: Layer, config: QuantConfig) -> None:
        for name, child in list(model.named_children()):
            if config._is_quantifiable(child) and type(child) in config.qat_layer_mappings:
                model._sub_layers[name] = config._get_qat_layer(child)
            else:
                self._convert_to_quant_layers(child, config)

    def _insert_activation_observers(self, model: Layer, config: QuantConfig) -> None:
        for name, child in list(model.named_children()):
            if config._need_observe(child):
                model._sub_layers[name] = config._get_observe_wrapper(child)
            else:
                self._insert_activation_observers(child, config)

    def _details(self) -> str:
        return self._config.details()

    def __str__(self) -> str:
        return self._details()

    def __repr__(self) -> str:
        return str(self)


__getattr__ = missing(__name__)
