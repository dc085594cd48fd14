"""`paddle.quantization.quanters.abs_max`: rounding by an average of the largest magnitudes."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.nn.quant._running import held, run
from paddle_compat.quantization.base_quanter import BaseQuanter
from paddle_compat.quantization.factory import QuanterFactory


class FakeQuanterWithAbsMaxObserver(QuanterFactory):
    """Makes quanters whose scale is a moving average of the largest magnitudes.

    Args:
        moving_rate (float): the share that the former average keeps.
        bit_length (int): how many bits tell the steps apart.
        dtype (str): data type of the scale.
        name (str): beginning of the names of what is kept.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.quantization.quanters import FakeQuanterWithAbsMaxObserver
        >>> quanter = FakeQuanterWithAbsMaxObserver(moving_rate=0.99)._instance(paddle.nn.ReLU())
        >>> _ = quanter(paddle.to_tensor([-3.0, 2.0]))
        >>> round(quanter.scales().item(), 4)
        2.005

    Follows Paddle 2.6.
    """

    def __init__(self, moving_rate: float = 0.9, bit_length: int = 8, dtype: Any = "float32", name: str | None = None) -> None:
        super().__init__(name=name, moving_rate=moving_rate, bit_length=bit_length, dtype=dtype)

    def _get_class(self) -> Any:
        return FakeQuanterWithAbsMaxObserverLayer


class FakeQuanterWithAbsMaxObserverLayer(BaseQuanter):
    """What `FakeQuanterWithAbsMaxObserver` makes."""

    def __init__(
        self, layer: Any, name: str | None = None, moving_rate: float = 0.9, bit_length: int = 8, dtype: Any = "float32"
    ) -> None:
        super().__init__()
        self._moving_rate, self._bit_length = moving_rate, bit_length
        scale, state, accum = (unique_name.generate(f"{name or 'quant_dequant'}.{kind}") for kind in ("scale", "state", "accum"))
        self._scale = held(self, 0.001, scale, [1], dtype)
        self._state = held(self, 1.0, state, [1], dtype)
        self._accum = held(self, 1.0, accum, [1], dtype)

    def forward(self, input: Any) -> Any:
        """The input at the nearest of the steps; the gradient goes straight through."""
        moving = self.training
        return run(
            self, "fake_quantize_dequantize_moving_average_abs_max",
            (input, self._scale, *((self._accum, self._state) if moving else ())),
            {"OutScale": self._scale, **({"OutState": self._state, "OutAccum": self._accum} if moving else {})},
            ".quantized.dequantized", moving_rate=self._moving_rate, bit_length=self._bit_length, is_test=not moving,
        )  # fmt: skip

    def bit_length(self) -> int:
        """How many bits tell the steps apart."""
        return self._bit_length

    def quant_axis(self) -> int:
        """One scale for all."""
        return -1

    def scales(self) -> Any:
        """The average."""
        return self._scale

    def zero_points(self) -> Any:
        """None: step 0 stands for 0."""
        return None


__getattr__ = missing(__name__)
