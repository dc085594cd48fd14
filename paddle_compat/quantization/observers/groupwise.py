"""`paddle.quantization.observers.groupwise`: the largest magnitudes of groups of rows."""

from __future__ import annotations

from typing import Any

from paddle_compat import tensor as T
from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.quantization.base_observer import BaseObserver
from paddle_compat.quantization.factory import ObserverFactory


class GroupWiseWeightObserver(ObserverFactory):
    """Makes observers of weights with a scale for each column of each group of rows.

    Args:
        quant_bits (int): how many bits tell the steps apart.
        group_size (int): 64 or 128 rows; observers take 128, as in Paddle.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.quantization.observers import GroupWiseWeightObserver
        >>> observer = GroupWiseWeightObserver(quant_bits=4)._instance(paddle.nn.Linear(256, 3))
        >>> _ = observer(paddle.ones([256, 3]))
        >>> observer.scales().shape
        [2, 3]

    Follows Paddle 2.6.
    """

    def __init__(self, quant_bits: int = 8, group_size: int = 128) -> None:
        super().__init__(quant_bits=quant_bits)

    def _get_class(self) -> Any:
        return GroupWiseWeightObserverLayer


class GroupWiseWeightObserverLayer(BaseObserver):
    """What `GroupWiseWeightObserver` makes."""

    def __init__(self, layer: Any, quant_bits: int = 8, group_size: int = 128) -> None:
        super().__init__()
        self.quant_bits, self.group_size = quant_bits, group_size
        self._layer = layer
        self._max: Any = None
        self._scale: Any = None
        self._zero_point: Any = None

    def forward(self, inputs: Any) -> Any:
        """The weight itself."""
        self._max = self._cal_abs_max(inputs)
        return inputs

    def _cal_abs_max(self, inputs: Any) -> Any:
        """The largest magnitudes, one row for each group."""
        if self.group_size not in (64, 128):
            raise failed_assertion("group_size", "64 or 128", self.group_size)
        rows, columns = inputs.shape
        if rows % self.group_size:
            raise failed_assertion("group_size", f"a factor of the {rows} rows of the weight", self.group_size)
        return T.max(T.abs(T.reshape(inputs.detach(), [rows // self.group_size, self.group_size, columns])), axis=1)

    def min_value(self) -> float:
        """0.0: only magnitudes count."""
        return 0.0

    def max_value(self) -> Any:
        """The largest magnitudes that were seen, [groups, columns]; None before that."""
        return self._max

    def bit_length(self) -> int:
        """How many bits tell the steps apart."""
        return self.quant_bits

    def quant_axis(self) -> int:
        """The columns are channels."""
        return -1

    def cal_thresholds(self) -> None:
        """Work out the scales."""
        if self._scale is None:
            self._scale = self._max
        self._zero_point = T.zeros_like(self._scale)

    def scales(self) -> Any:
        """The largest magnitudes, [groups, columns]."""
        if self._scale is None:
            self.cal_thresholds()
        return self._scale

    def zero_points(self) -> Any:
        """Zeros."""
        if self._zero_point is None:
            self.cal_thresholds()
        return self._zero_point


__getattr__ = missing(__name__)
