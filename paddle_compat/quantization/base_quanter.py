"""`paddle.quantization.base_quanter`: what rounds, or watches, a tensor."""

from __future__ import annotations

import abc
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn.layer.layers import Layer


class BaseQuanter(Layer, metaclass=abc.ABCMeta):
    """A layer that rounds what passes, or only looks at it, and knows scales: for subclasses.

    Example:
        >>> import paddle_compat as paddle
        >>> class Nothing(paddle.quantization.BaseQuanter):
        ...     def forward(self, input): return input
        ...     def scales(self): return paddle.to_tensor([1.0])
        ...     def zero_points(self): return None
        ...     def quant_axis(self): return -1
        ...     def bit_length(self): return 8
        >>> quanter = Nothing()
        >>> quanter(paddle.ones([2])).tolist(), quanter.scales().tolist()
        ([1.0, 1.0], [1.0])
        >>> quanter.zero_points(), quanter.quant_axis(), quanter.bit_length()
        (None, -1, 8)

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        super().__init__()

    @abc.abstractmethod
    def forward(self, input: Any) -> Any:
        """Round or watch.

        Args:
            input (Tensor): any shape.
        Returns:
            Tensor: of the same shape.
        """

    @abc.abstractmethod
    def scales(self) -> Any:
        """What the last step stands for.

        Returns:
            Tensor: one number, or one for each channel; None: not known.
        """

    @abc.abstractmethod
    def zero_points(self) -> Any:
        """Which step stands for 0.

        Returns:
            Tensor: as `scales`; None: step 0.
        """

    @abc.abstractmethod
    def quant_axis(self) -> Any:
        """The dimension of the channels.

        Returns:
            int: -1: one scale for all.
        """

    @abc.abstractmethod
    def bit_length(self) -> Any:
        """How many bits tell the steps apart.

        Returns:
            int: 8, mostly.
        """


__getattr__ = missing(__name__)
