"""Layers that round values to few bits, or keep an average of magnitudes."""

from __future__ import annotations

from typing import Any

from paddle_compat.core import unique_name
from paddle_compat.core.errors import UnsupportedError, failed_assertion
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.nn.quant._running import held, run

_ROUNDED = ".quantized.dequantized"


def _names(name: str | None, default: str, *kinds: str) -> list[str]:
    return [unique_name.generate(f"{name or default}.{kind}") for kind in kinds]


def _alone(reduce_type: str | None, layer: str) -> None:
    """Scales that several processes agree on are not here."""
    if reduce_type is not None:
        raise UnsupportedError(f"paddle.nn.quant.quant_layers.{layer}", f"reduce_type={reduce_type!r}", "a scale for each process")


class FakeQuantAbsMax(Layer):
    """Rounds to the steps of a scale that is the largest magnitude of each input.

    Args:
        name (str): beginning of the scale's name.
        quant_bits (int): how many bits tell the steps apart.
        dtype (str): data type of the scale.
        quant_on_weight (bool): keep the scale, for a weight's is read later.
        reduce_type (str): None; "max", the largest scale of all processes, is not supported.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.nn.quant.quant_layers import FakeQuantAbsMax
        >>> FakeQuantAbsMax(quant_bits=2)(paddle.to_tensor([0.4, -0.6, 1.0])).tolist()
        [0.0, -1.0, 1.0]

    Follows Paddle 2.6.
    """

    def __init__(
        self, name: str | None = None, quant_bits: int = 8, dtype: Any = "float32", quant_on_weight: bool = False,
        reduce_type: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        _alone(reduce_type, "FakeQuantAbsMax")
        self._quant_bits, self._name, self._reduce_type = quant_bits, name, reduce_type
        (self._scale_name,) = _names(name, "quant_dequant", "scale")
        self._scale = held(self, 0.001, self._scale_name, [1], dtype) if quant_on_weight else None

    def forward(self, input: Any) -> Any:
        """Round.

        Args:
            input (Tensor): any shape.
        Returns:
            Tensor: of the same shape; the gradient goes straight through.
        """
        kind = "fake_quantize_dequantize_abs_max"
        scale = self._scale_name if self._scale is None else self._scale
        return run(self, kind, (input,), {"OutScale": scale}, _ROUNDED, bit_length=self._quant_bits)


class FakeQuantMovingAverageAbsMax(Layer):
    """Rounds to the steps of a scale that is a moving average of the largest magnitudes.

    Args:
        name (str): beginning of the names of what is kept.
        moving_rate (float): the share that the former average keeps.
        quant_bits (int): how many bits tell the steps apart.
        dtype (str): data type of the scale.
        reduce_type (str): None; "max", the largest scale of all processes, is not supported.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.nn.quant.quant_layers import FakeQuantMovingAverageAbsMax
        >>> layer = FakeQuantMovingAverageAbsMax()
        >>> _ = layer(paddle.to_tensor([3.0, -2.0]))
        >>> round(layer._scale.item(), 4)
        2.0526

    Follows Paddle 2.6.
    """

    def __init__(
        self, name: str | None = None, moving_rate: float = 0.9, quant_bits: int = 8, dtype: Any = "float32", reduce_type: str | None = None
    ) -> None:
        super().__init__()
        _alone(reduce_type, "FakeQuantMovingAverageAbsMax")
        self._moving_rate, self._quant_bits, self._reduce_type = moving_rate, quant_bits, reduce_type
        scale, state, accum = _names(name, "quant_dequant", "scale", "state", "accum")
        self._scale = held(self, 0.001, scale, [1], dtype)
        self._state = held(self, 1.0, state, [1], dtype)
        self._accum = held(self, 1.0, accum, [1], dtype)

    def forward(self, input: Any) -> Any:
        """Round, and move the average while training.

        Args:
            input (Tensor): any shape.
        Returns:
            Tensor: of the same shape; the gradient goes straight through.
        """
        return run(
            self, "fake_quantize_dequantize_moving_average_abs_max",
            (input, self._scale, *((self._accum, self._state) if self.training else ())),
            {"OutScale": self._scale, **({"OutState": self._state, "OutAccum": self._accum} if self.training else {})},
            _ROUNDED, moving_rate=self._moving_rate, bit_length=self._quant_bits, is_test=not self.training,
        )  # fmt: skip


class FakeQuantChannelWiseAbsMax(Layer):
    """Rounds a weight to steps, with a scale for each channel.

    Args:
        name (str): beginning of the scales' name.
        channel_num (int): how many channels there are.
        quant_bits (int): how many bits tell the steps apart.
        quant_axis (int): the dimension of the channels.
        dtype (str): data type of the scales.
        quant_on_weight (bool): must be True.
        reduce_type (str): None; "max", the largest scale of all processes, is not supported.
    Raises:
        AssertionError: not for a weight.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.nn.quant.quant_layers import FakeQuantChannelWiseAbsMax
        >>> layer = FakeQuantChannelWiseAbsMax(channel_num=2, quant_on_weight=True)
        >>> _ = layer(paddle.to_tensor([[1.0, 2.0], [3.0, -4.0]]))
        >>> layer._scale.tolist()
        [2.0, 4.0]

    Follows Paddle 2.6.
    """

    def __init__(
        self, name: str | None = None, channel_num: int | None = None, quant_bits: int = 8, quant_axis: int = 0, dtype: Any = "float32",
        quant_on_weight: bool = False, reduce_type: str | None = None,
    ) -> None:  # fmt: skip
        if not quant_on_weight:
            raise failed_assertion("quant_on_weight", "True: only weights have scales for channels", quant_on_weight)
        super().__init__()
        _alone(reduce_type, "FakeQuantChannelWiseAbsMax")
        self._quant_bits, self._quant_axis, self._channel_num = quant_bits, quant_axis, channel_num
        self._name, self._reduce_type = name, reduce_type
        (self._scale_name,) = _names(name, "quant_dequant", "scale")
        self._scale = held(self, 0.0, self._scale_name, [channel_num], dtype)  # type: ignore[list-item]

    def forward(self, input: Any) -> Any:
        """Round.

        Args:
            input (Tensor): the weight.
        Returns:
            Tensor: of the same shape; the gradient goes straight through.
        """
        return run(
            self, "fake_channel_wise_quantize_dequantize_abs_max", (input,), {"OutScale": self._scale}, _ROUNDED,
            bit_length=self._quant_bits, quant_axis=self._quant_axis,
        )  # fmt: skip


class MovingAverageAbsMaxScale(Layer):
    """Hands values on, and keeps a moving average of their largest magnitudes.

    Args:
        name (str): beginning of the names of what is kept.
        moving_rate (float): the share that the former average keeps.
        dtype (str): data type of the scale.
        reduce_type (str): None; "max", the largest scale of all processes, is not supported.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.nn.quant.quant_layers import MovingAverageAbsMaxScale
        >>> layer = MovingAverageAbsMaxScale()
        >>> layer(paddle.to_tensor([3.0, -2.0])).tolist(), layer._scale.tolist()
        ([3.0, -2.0], [3.0])

    Follows Paddle 2.6.
    """

    def __init__(
        self, name: str | None = None, moving_rate: float = 0.9, dtype: Any = "float32", reduce_type: str | None = None
    ) -> None:
        super().__init__()
        _alone(reduce_type, "MovingAverageAbsMaxScale")
        self._moving_rate, self._reduce_type = moving_rate, reduce_type
        scale, state, accum = _names(name, "outscale", "scale", "state", "accum")
        self._scale, self._state, self._accum = (held(self, 0.0, each, [1], dtype) for each in (scale, state, accum))

    def forward(self, input: Any) -> Any:
        """Take note of the largest magnitude while training.

        Args:
            input (Tensor): any shape.
        Returns:
            Tensor: the same numbers.
        """
        return run(
            self, "moving_average_abs_max_scale", (input, *((self._accum, self._state) if self.training else ())),
            {"OutScale": self._scale, "OutState": self._state, "OutAccum": self._accum} if self.training else {"OutScale": self._scale},
            ".tmp", moving_rate=self._moving_rate, is_test=not self.training,
        )  # fmt: skip
