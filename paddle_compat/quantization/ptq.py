"""`paddle.quantization.ptq`: scales for a network that is trained already."""

from __future__ import annotations

import copy

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.quantization.config import QuantConfig
from paddle_compat.quantization.quantize import Quantization


class PTQ(Quantization):
    """Finds the scales of a trained network by watching what passes.

    Args:
        config (QuantConfig): which layers, and how.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.quantization.observers import AbsmaxObserver
        >>> observer = AbsmaxObserver(quant_bits=8)
        >>> ptq = paddle.quantization.PTQ(paddle.quantization.QuantConfig(activation=observer, weight=observer))
        >>> network = paddle.nn.Sequential(paddle.nn.Linear(4, 2))
        >>> _ = network.eval()
        >>> watched = ptq.quantize(network)
        >>> _ = watched(3 * paddle.ones([1, 4]))
        >>> ptq.convert(watched)[0].activation_quanter._quanter._scales.item()
        3.0

    Follows Paddle 2.6.
    """

    def __init__(self, config: QuantConfig) -> None:
        super().__init__(config)

    def quantize(self, model: Layer, inplace: bool = False) -> Layer:
        """Put observers into a network.

        Args:
            model (Layer): in evaluation mode.
            inplace (bool): change the network itself.
        Returns:
            Layer: the network with observers.
        Raises:
            AssertionError: the network is in training mode.
        """
        model = model if inplace else copy.deepcopy(model)
        if model.training:
            raise failed_assertion("model", "a network in evaluation mode: call model.eval()", "one in training mode", "PTQ.quantize")
        return self._prepared(model)


__getattr__ = missing(__name__)
