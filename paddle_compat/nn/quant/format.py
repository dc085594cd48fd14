"""`paddle.nn.quant.format`: what quanters become when a network is converted for inference."""

from __future__ import annotations

import abc
from typing import Any

import numpy as np

from paddle_compat import tensor as T
from paddle_compat._alias import since
from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.tensor import Tensor
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.nn.quant._running import held, run


def _as_floats(value: Any) -> Any:
    value = value.detach() if isinstance(value, Tensor) else T.to_tensor(value)
    return T.cast(value, "float32")


class _Linear(Layer):
    """Given scales for what is rounded to steps or made of them; the zero point counts in neither direction, as in Paddle."""

    def __init__(self, scales: Any, zero_point: Any = None, quant_axis: Any = None, bit_length: int = 8, group_size: int = 128) -> None:
        super().__init__()
        scales = _as_floats(scales)
        self._scales = held(self, 1.0, unique_name.generate("quant_dequant.scale"), list(scales.shape), "float32")
        self._scales.set_value(scales)
        zeros = T.zeros([1] if len(scales.shape) < 2 else scales.shape, "float32") if zero_point is None else _as_floats(zero_point)
        if since("3"):  # state dicts have it
            self._zero_point = held(self, 0.0, unique_name.generate("quant_dequant.zero_point"), list(zeros.shape), "float32")
            self._zero_point.set_value(zeros)
        else:
            self.register_buffer("_zero_point", zeros, persistable=False)
        self._quant_axis = -1 if quant_axis is None else quant_axis
        self._bit_length, self._group_size = bit_length, group_size

    @classmethod
    def _of(cls, quanter: Any) -> Any:
        return cls(
            quanter.scales(), zero_point=quanter.zero_points(), quant_axis=quanter.quant_axis(), bit_length=quanter.bit_length(),
            group_size=getattr(quanter, "group_size", 128),
        )  # fmt: skip

    def _grouped(self) -> Any:
        """The scale of each row of a weight whose rows share scales by groups; None where scales are for all or for channels."""
        return T.repeat_interleave(self._scales, self._group_size, 0) if len(self._scales.shape) == 2 else None

    def _run(self, kind: str, input: Any) -> Any:
        attrs = {"quant_axis": self._quant_axis, "bit_length": self._bit_length}
        return run(self, kind, (input, self._scales, self._zero_point), {}, None, **attrs)


class LinearQuanter(_Linear):
    """Rounds to the numbers of steps, by given scales.

    Args:
        scales (Tensor): what the last step stands for; one, or one for each channel, or [groups, channels].
        zero_point (Tensor): kept, not used.
        quant_axis (int): the dimension of the channels; None: the last.
        bit_length (int): how many bits tell the steps apart.
        group_size (int): how many rows of a weight share a scale where there are groups.
    """

    def forward(self, input: Any) -> Any:
        """The numbers of the steps."""
        scales, most = self._grouped(), (1 << (self._bit_length - 1)) - 1
        if scales is not None:
            return T.clip(T.round(T.cast(input, "float32") / scales * most), -most - 1, most)
        return self._run("quantize_linear", input)

    @staticmethod
    def from_quanter(quanter: Any) -> LinearQuanter:
        """One with a quanter's scales."""
        made: LinearQuanter = LinearQuanter._of(quanter)
        return made


class LinearDequanter(_Linear):
    """Makes values of the numbers of steps, by given scales.

    Args:
        scales (Tensor): what the last step stands for; one, or one for each channel, or [groups, channels].
        zero_point (Tensor): kept, not used.
        quant_axis (int): the dimension of the channels; None: the last.
        bit_length (int): how many bits tell the steps apart.
        group_size (int): how many rows of a weight share a scale where there are groups.
    """

    def forward(self, input: Any) -> Any:
        """The values."""
        scales, most = self._grouped(), (1 << (self._bit_length - 1)) - 1
        if scales is not None:
            return T.cast(input, "float32") * scales / most
        return self._run("dequantize_linear", input)

    @staticmethod
    def from_quanter(quanter: Any) -> LinearDequanter:
        """One with a quanter's scales."""
        made: LinearDequanter = LinearDequanter._of(quanter)
        return made


class LinearQuanterDequanter(Layer):
    """Rounds to steps and back.

    Args:
        quanter (LinearQuanter): None: what comes in are the numbers of steps already.
        dequanter (LinearDequanter): None: they are left so.
    """

    def __init__(self, quanter: Any, dequanter: Any) -> None:
        super().__init__()
        self._quanter: Any = quanter
        self._dequanter: Any = dequanter

    def forward(self, input: Any) -> Any:
        """What both give."""
        out = input if self._quanter is None else self._quanter(input)
        return out if self._dequanter is None else self._dequanter(out)

    @staticmethod
    def from_quanter(quanter: Any) -> LinearQuanterDequanter:
        """One with a quanter's scales."""
        return LinearQuanterDequanter(LinearQuanter.from_quanter(quanter), LinearDequanter.from_quanter(quanter))


class ConvertibleQuantedLayer(Layer, metaclass=abc.ABCMeta):
    """A layer for training with rounded values that can be converted for inference: for subclasses."""

    weight_quanter: Any
    activation_quanter: Any

    def __init__(self) -> None:
        super().__init__()
        self.converted = False

    @abc.abstractmethod
    def weights_to_quanters(self) -> list[tuple[str, str]]:
        """The names of the weights, each with that of its quanter."""

    @abc.abstractmethod
    def activation_quanters(self) -> list[str]:
        """The names of the quanters of activations."""

    def _convert_quanter_to_qdq(self, quanter_name: str) -> LinearQuanterDequanter | None:
        """Put what rounds by given scales in a quanter's place."""
        quanter = getattr(self, quanter_name, None)
        if quanter is None:
            return None
        made = LinearQuanterDequanter.from_quanter(quanter)
        setattr(self, quanter_name, made)
        self._sub_layers[quanter_name] = made
        return made

    def _quant_weights(self, weight_name: str, quanter: Any) -> None:
        """Keep the numbers of steps in a weight's place."""
        weight = getattr(self, weight_name)
        weight.set_value(np.asarray(quanter(weight).numpy()))

    def _convert(self, remain_weight: bool = False) -> None:
        if self.converted:
            raise failed_assertion("model", "one that is not converted yet: The model should be converted only once.", self)
        for weight_name, quanter_name in self.weights_to_quanters():
            made = self._convert_quanter_to_qdq(quanter_name)
            if made is not None and not remain_weight:
                self._quant_weights(weight_name, made._quanter)
                made._quanter = None
                made._sub_layers["_quanter"] = None  # as Paddle prints it
        for quanter_name in self.activation_quanters():
            self._convert_quanter_to_qdq(quanter_name)
        self.converted = True


class QuantedLayer(ConvertibleQuantedLayer):
    """A layer with one weight and one input."""

    weight: Any

    def _take_quanters(self, layer: Any, q_config: Any) -> None:
        self.weight_quanter = None if q_config.weight is None else q_config.weight._instance(layer)
        self.activation_quanter = None if q_config.activation is None else q_config.activation._instance(layer)

    def _quanted(self, input: Any) -> tuple[Any, Any]:
        """The input and the weight that the layer computes with."""
        if self.activation_quanter is not None:
            input = self.activation_quanter(input)
        weight = self.weight if self.weight_quanter is None else self.weight_quanter(self.weight)
        return input, weight

    def weights_to_quanters(self) -> list[tuple[str, str]]:
        """The weight, with its quanter."""
        return [("weight", "weight_quanter")]

    def activation_quanters(self) -> list[str]:
        """The input's quanter."""
        return ["activation_quanter"]


__getattr__ = missing(__name__)
