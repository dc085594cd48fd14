"""`paddle.quantization.base_observer`: what watches a tensor."""

from __future__ import annotations

import abc

from paddle_compat._missing import missing
from paddle_compat.quantization.base_quanter import BaseQuanter


class BaseObserver(BaseQuanter, metaclass=abc.ABCMeta):
    """A layer that looks at what passes and works scales out of it: for subclasses.

    Example:
        >>> import paddle_compat as paddle
        >>> class Largest(paddle.quantization.BaseObserver):
        ...     def forward(self, input):
        ...         self.largest = input.abs().max()
        ...         return input
        ...     def cal_thresholds(self): pass
        ...     def scales(self): return self.largest
        ...     def zero_points(self): return None
        ...     def quant_axis(self): return -1
        ...     def bit_length(self): return 8
        >>> observer = Largest()
        >>> _ = observer(paddle.to_tensor([1.0, -3.0]))
        >>> observer.cal_thresholds()
        >>> observer.scales().item()
        3.0

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        super().__init__()

    @abc.abstractmethod
    def cal_thresholds(self) -> None:
        """Work out the scales of what was seen."""


__getattr__ = missing(__name__)
