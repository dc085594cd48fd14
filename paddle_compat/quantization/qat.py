"""`paddle.quantization.qat`: training with rounded values."""

from __future__ import annotations

import copy

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.quantization.config import QuantConfig
from paddle_compat.quantization.quantize import Quantization


class QAT(Quantization):
    """Prepares networks for training in which values are rounded as they will be in inference.

    Args:
        config (QuantConfig): which layers, and how.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.quantization.quanters import FakeQuanterWithAbsMaxObserver
        >>> quanter = FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
        >>> qat = paddle.quantization.QAT(paddle.quantization.QuantConfig(activation=quanter, weight=quanter))
        >>> network = qat.quantize(paddle.nn.Sequential(paddle.nn.Linear(4, 2)))
        >>> network(paddle.ones([3, 4])).sum().backward()
        >>> print(qat.convert(network)[0].weight_quanter)
        LinearQuanterDequanter(
          (_quanter): None
          (_dequanter): LinearDequanter()
        )

    Follows Paddle 2.6.
    """

    def __init__(self, config: QuantConfig) -> None:
        super().__init__(config)

    def quantize(self, model: Layer, inplace: bool = False) -> Layer:
        """Put quanters into a network.

        Args:
            model (Layer): in training mode.
            inplace (bool): change the network itself.
        Returns:
            Layer: the network with quanters.
        Raises:
            AssertionError: the network is in evaluation mode.
        """
        if not model.training:
            raise failed_assertion("model", "a network in training mode: call model.train()", "one in evaluation mode", "QAT.quantize")
        return self._prepared(model if inplace else copy.deepcopy(model))


__getattr__ = missing(__name__)
