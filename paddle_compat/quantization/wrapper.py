"""`paddle.quantization.wrapper`: layers that are watched."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.quantization.base_quanter import BaseQuanter


class ObserveWrapper(Layer):
    """A layer with an observer at its first input, or at its output.

    Args:
        observer (BaseQuanter): what watches, or rounds.
        observed (Layer): the layer.
        observe_input (bool): False: the output is watched.
    """

    def __init__(self, observer: BaseQuanter, observed: Layer, observe_input: bool = True) -> None:
        super().__init__()
        self._observer, self._observed, self._observe_input = observer, observed, observe_input

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """What the layer gives."""
        if self._observe_input:
            return self._observed(self._observer(*inputs, **kwargs), **kwargs)
        return self._observer(self._observed(*inputs, **kwargs), **kwargs)


__getattr__ = missing(__name__)
