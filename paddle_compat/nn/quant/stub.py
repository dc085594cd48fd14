"""`paddle.nn.quant.stub`: places in a network where values are to be observed."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn.layer.layers import Layer


class Stub(Layer):
    """A place where values are observed, or rounded, once the network is prepared for quantization; until then nothing happens.

    Args:
        observer (QuanterFactory): what observes there; None: what the configuration has for activations.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.quant.Stub()(paddle.ones([2])).tolist()
        [1.0, 1.0]

    Follows Paddle 2.6.
    """

    def __init__(self, observer: Any = None) -> None:
        super().__init__()
        self._observer = observer

    def forward(self, input: Any) -> Any:
        """Hand the input on.

        Args:
            input: anything.
        Returns:
            The same.
        """
        return input


class QuanterStub(Layer):
    """What a `Stub` becomes: it calls its observer."""

    def __init__(self, layer: Stub, q_config: Any) -> None:
        super().__init__()
        self._observer = None
        if layer._observer is not None:
            self._observer = layer._observer._instance(layer)
        elif q_config.activation is not None:
            self._observer = q_config.activation._instance(layer)

    def forward(self, input: Any) -> Any:
        """The input, observed or rounded."""
        return input if self._observer is None else self._observer(input)


__getattr__ = missing(__name__)
