"""`paddle.quantization.observers.abs_max`: the largest magnitude."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.quantization.base_observer import BaseObserver
from paddle_compat.quantization.factory import ObserverFactory


class AbsmaxObserver(ObserverFactory):
    """Makes observers whose scale is the largest magnitude of all that they have seen.

    Args:
        quant_bits (int): how many bits tell the steps apart.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.quantization.observers import AbsmaxObserver
        >>> observer = AbsmaxObserver(quant_bits=8)._instance(paddle.nn.ReLU())
        >>> _ = observer(paddle.to_tensor([-3.0, 2.0]))
        >>> observer.scales().item()
        3.0

    Follows Paddle 2.6.
    """

    def __init__(self, quant_bits: int = 8) -> None:
        super().__init__(quant_bits=quant_bits)

    def _get_class(self) -> Any:
        return AbsmaxObserverLayer


class AbsmaxObserverLayer(BaseObserver):
    """What `AbsmaxObserver` makes."""

    INIT_ABS_MAX = 1e-7

    def __init__(self, layer: Any, quant_bits: int = 8) -> None:
        super().__init__()
        self._quant_bits = quant_bits
        self.abs_max_val = T.to_tensor(self.INIT_ABS_MAX)

    def forward(self, input: Any) -> Any:
        """The input itself."""
        self.abs_max_val = T.maximum(T.max(T.abs(input.detach())), T.cast(self.abs_max_val, input.dtype))
        return input

    def cal_thresholds(self) -> None:
        """Nothing is left to do."""

    def bit_length(self) -> int:
        """How many bits tell the steps apart."""
        return self._quant_bits

    def quant_axis(self) -> int:
        """One scale for all."""
        return -1

    def scales(self) -> Any:
        """The largest magnitude."""
        return self.abs_max_val

    def zero_points(self) -> Any:
        """None: step 0 stands for 0."""
        return None


__getattr__ = missing(__name__)
