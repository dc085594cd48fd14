"""`paddle.quantization.config`: which layers are quantized, and how."""

from __future__ import annotations

import copy
import textwrap
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.nn import AvgPool2D, Conv2D, Linear, ReLU
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.nn.quant.qat import QuantedConv2D, QuantedLinear
from paddle_compat.nn.quant.stub import QuanterStub, Stub
from paddle_compat.quantization.wrapper import ObserveWrapper

DEFAULT_QAT_LAYER_MAPPINGS: dict[type[Layer], type[Layer]] = {Stub: QuanterStub, Linear: QuantedLinear, Conv2D: QuantedConv2D}
DEFAULT_LEAVES: list[type[Layer]] = [ReLU, AvgPool2D]


class SingleLayerConfig:
    """What rounds, or watches, the activations and the weights of some layers."""

    def __init__(self, activation: Any, weight: Any) -> None:
        self._activation, self._weight = activation, weight

    @property
    def activation(self) -> Any:
        """What makes quanters for activations; None: nothing."""
        return self._activation

    @property
    def weight(self) -> Any:
        """What makes quanters for weights; None: nothing."""
        return self._weight

    def __str__(self) -> str:
        return f"activation: {self._activation}\nweight: {self._weight}"


class QuantConfig:
    """Which layers of a network are quantized, and what rounds or watches their activations and weights.

    Args:
        activation (QuanterFactory): for the activations of all layers; None: none.
        weight (QuanterFactory): for the weights of all layers; None: none.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.quantization.quanters import FakeQuanterWithAbsMaxObserver
        >>> quanter = FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
        >>> config = paddle.quantization.QuantConfig(activation=quanter, weight=None)
        >>> print(config.global_config)
        activation: FakeQuanterWithAbsMaxObserver(name=None,moving_rate=0.9,bit_length=8,dtype=float32)
        weight: None
        >>> network = paddle.nn.Sequential(paddle.nn.Linear(4, 3), paddle.nn.Linear(3, 2), paddle.nn.Dropout())
        >>> config.add_layer_config(network[0], weight=quanter)
        >>> config.add_name_config(network[1].full_name())
        >>> config.add_type_config(paddle.nn.Dropout)
        >>> config.add_customized_leaf(paddle.nn.MultiHeadAttention)
        >>> config.add_qat_layer_mapping(paddle.nn.Linear, paddle.nn.quant.qat.QuantedLinear)
        >>> paddle.quantization.QAT(config).quantize(network)
        Sequential(
          (0): QuantedLinear(
            (weight_quanter): FakeQuanterWithAbsMaxObserverLayer()
          )
          (1): QuantedLinear()
          (2): Dropout(p=0.5, axis=None, mode=upscale_in_train)
        )
        >>> config.details() == str(config)
        True

    Follows Paddle 2.6.
    """

    def __init__(self, activation: Any, weight: Any) -> None:
        self._global_config = None if activation is None and weight is None else SingleLayerConfig(activation, weight)
        self._layer2config: dict[Layer, SingleLayerConfig] = {}
        self._prefix2config: dict[str, SingleLayerConfig] = {}
        self._type2config: dict[type[Layer], SingleLayerConfig] = {}
        self._model: Layer | None = None
        self._qat_layer_mapping = copy.copy(DEFAULT_QAT_LAYER_MAPPINGS)
        self._customized_leaves: list[type[Layer]] = []

    def add_layer_config(self, layer: Any, activation: Any = None, weight: Any = None) -> None:
        """Settings for some layers, and what is in them; they count most.

        Args:
            layer (Layer|list): the layers.
            activation, weight (QuanterFactory): None: these are not quantized.
        """
        for each in layer if isinstance(layer, list) else [layer]:
            self.add_name_config(each.full_name(), activation=activation, weight=weight)

    def add_name_config(self, layer_name: Any, activation: Any = None, weight: Any = None) -> None:
        """Settings for layers by their full names, and what is in them; they count most.

        Args:
            layer_name (str|list): what `full_name()` gives.
            activation, weight (QuanterFactory): None: these are not quantized.
        """
        for each in layer_name if isinstance(layer_name, list) else [layer_name]:
            if isinstance(each, str):
                self._prefix2config[each] = SingleLayerConfig(activation, weight)

    def add_type_config(self, layer_type: Any, activation: Any = None, weight: Any = None) -> None:
        """Settings for all layers of some classes.

        Args:
            layer_type (type|list): the classes; their subclasses are not meant.
            activation, weight (QuanterFactory): None: these are not quantized.
        """
        for each in layer_type if isinstance(layer_type, list) else [layer_type]:
            if isinstance(each, type) and issubclass(each, Layer):
                self._type2config[each] = SingleLayerConfig(activation, weight)

    def add_qat_layer_mapping(self, source: type, target: type) -> None:
        """Let layers of one class take the place of another's.

        Args:
            source (type): the class of layers in networks.
            target (type): takes such a layer and its `SingleLayerConfig`.
        Raises:
            AssertionError: `source` is no layer's class, or `target` no class.
        """
        if not (isinstance(source, type) and issubclass(source, Layer)):
            raise failed_assertion("source", "a subclass of paddle.nn.Layer", source)
        if not isinstance(target, type):
            raise failed_assertion("target", "a subclass of paddle.nn.Layer", target)
        self._qat_layer_mapping[source] = target

    def add_customized_leaf(self, layer_type: type) -> None:
        """Let layers of a class be watched as a whole.

        Args:
            layer_type (type): the class.
        """
        self._customized_leaves.append(layer_type)

    @property
    def customized_leaves(self) -> list[type[Layer]]:
        """The classes whose layers are watched as a whole."""
        return self._customized_leaves

    @property
    def qat_layer_mappings(self) -> dict[type[Layer], type[Layer]]:
        """Which class takes which one's place."""
        return self._qat_layer_mapping

    @property
    def default_qat_layer_mapping(self) -> dict[type[Layer], type[Layer]]:
        """Which class takes which one's place where nothing else is said."""
        return DEFAULT_QAT_LAYER_MAPPINGS

    @property
    def global_config(self) -> SingleLayerConfig | None:
        """The settings for all layers; None: there are none."""
        return self._global_config

    def _need_observe(self, layer: Layer) -> bool:
        """Whether what goes into a layer is watched by a wrapper around it."""
        return self._is_leaf(layer) and self._has_observer_config(layer)

    def _get_qat_layer(self, layer: Layer) -> Layer:
        return self.qat_layer_mappings[type(layer)](layer, self._get_config_by_layer(layer))  # type: ignore[arg-type]

    def _has_observer_config(self, layer: Layer) -> bool:
        config = self._get_config_by_layer(layer)
        return config is not None and config.activation is not None

    def _is_leaf(self, layer: Layer) -> bool:
        return self._is_default_leaf(layer) or self._is_real_leaf(layer) or self._is_customized_leaf(layer)

    def _is_default_leaf(self, layer: Layer) -> bool:
        return type(layer) in DEFAULT_LEAVES

    def _is_real_leaf(self, layer: Layer) -> bool:
        return not layer._sub_layers

    def _is_customized_leaf(self, layer: Layer) -> bool:
        return type(layer) in self.customized_leaves

    def _get_observer(self, layer: Layer) -> Any:
        config = self._get_config_by_layer(layer)
        observer = None if config is None else config.activation
        return None if observer is None else observer._instance(layer)

    def _get_observe_wrapper(self, layer: Layer) -> ObserveWrapper:
        return ObserveWrapper(self._get_observer(layer), layer)

    def _get_config_by_layer(self, layer: Layer) -> SingleLayerConfig | None:
        return self._layer2config.get(layer)

    def _is_quantifiable(self, layer: Layer) -> bool:
        return layer in self._layer2config

    def _specify(self, model: Layer) -> None:
        """Settle each layer's settings: by its name, by its class, those of what it is in, those for all."""
        self._model = model
        self._specify_helper(model)

    def _specify_helper(self, model: Layer) -> None:
        for child in model.children():
            config = self._layer2config.get(model, self.global_config)
            config = self._type2config.get(type(child), config)
            config = self._prefix2config.get(child.full_name(), config)
            if config is not None:
                self._layer2config[child] = config
            self._specify_helper(child)

    def details(self) -> str:
        """The network with the settings of each layer.

        Returns:
            str: many lines; before a network is known the settings alone.
        """
        return str(self) if self._model is None else self._details_helper(self._model)

    def _details_helper(self, layer: Layer) -> str:
        lines = []
        for name, child in layer.named_children():
            config = self._get_config_by_layer(child)
            if config is not None:
                text = self._addindent(self._details_helper(child), 2)
                lines.append(f"({name}): {text}, {config}")
        body = "\n  " + "\n  ".join(lines) + "\n" if lines else ""
        return f"{type(layer).__name__}({body})"

    def _addindent(self, string: str, indent: int) -> str:
        first, *others = string.split("\n")
        return "\n".join([first, *(textwrap.indent(other, " " * indent, lambda line: True) for other in others)])

    def __str__(self) -> str:
        text = f"Global config:\n{self._global_config}\n"
        if self._type2config:
            text += f"Layer type config:\n{self._type2config}\n"
        if self._prefix2config:
            text += f"Layer prefix config: \n{self._prefix2config}\n"
        return text


__getattr__ = missing(__name__)
