"""Layers that pad."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.paddle3 import SINCE_3_3, called
from paddle_compat.nn.functional.common import pad
from paddle_compat.nn.layer._calls import reading, shown
from paddle_compat.nn.layer.layers import Layer
from paddle_compat.tensor._calls import is_tensor


class _Pad(Layer):
    """Padding by `nn.functional.pad`."""

    _pairs: int
    padding, value = reading("_pad"), reading("_value")

    def __init__(
        self, padding: Any, mode: str = "constant", value: float = 0.0, data_format: str = "NCHW", name: str | None = None
    ) -> None:
        super().__init__()
        several = isinstance(padding, (list, tuple)) or is_tensor(padding)
        self._pad = padding if several else [padding] * (2 * self._pairs)
        self._mode, self._value, self._data_format, self._name = mode, value, data_format, name

    @called(input="x")
    def forward(self, x: Any) -> Any:
        """Pad.

        Args:
            x: a tensor.
        Returns:
            A larger tensor.
        """
        return pad(x, pad=self._pad, mode=self._mode, value=self._value, data_format=self._data_format, name=self._name)

    def extra_repr(self) -> str:
        """The settings."""
        return shown(padding=self._pad, mode=self._mode, value=self._value, data_format=self._data_format, name=self._name)


class Pad1D(_Pad):
    """Pads sequences.

    Args:
        padding: an int, or [left, right].
        mode: constant, reflect, replicate or circular.
        value: what constant padding holds.
        data_format: NCL or NLC.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Pad1D(1)
        >>> layer(paddle.ones([1, 1, 2])).tolist()
        [[[0.0, 1.0, 1.0, 0.0]]]

    Follows Paddle 2.6.
    """

    _pairs = 1

    def __init__(self, padding: Any, mode: str = "constant", value: float = 0.0, data_format: str = "NCL", name: str | None = None) -> None:
        super().__init__(padding, mode, value, data_format, name)


class Pad2D(_Pad):
    """Pads images.

    Args:
        padding: an int, or [left, right, top, bottom].
        mode: constant, reflect, replicate or circular.
        value: what constant padding holds.
        data_format: NCHW or NHWC.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Pad2D(1)
        >>> layer(paddle.ones([1, 1, 2, 2])).shape
        [1, 1, 4, 4]

    Follows Paddle 2.6.
    """

    _pairs = 2


class Pad3D(_Pad):
    """Pads volumes.

    Args:
        padding: an int, or [left, right, top, bottom, front, back].
        mode: constant, reflect, replicate or circular.
        value: what constant padding holds.
        data_format: NCDHW or NDHWC.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Pad3D(1)
        >>> layer(paddle.ones([1, 1, 2, 2, 2])).shape
        [1, 1, 4, 4, 4]

    Follows Paddle 2.6.
    """

    _pairs = 3

    def __init__(
        self, padding: Any, mode: str = "constant", value: float = 0.0, data_format: str = "NCDHW", name: str | None = None
    ) -> None:
        super().__init__(padding, mode, value, data_format, name)


class ZeroPad2D(_Pad):
    """Pads images with zeros.

    Args:
        padding: an int, or [left, right, top, bottom].
        data_format: NCHW or NHWC.
        name: kept.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.ZeroPad2D(1)
        >>> layer(paddle.ones([1, 1, 1, 1])).tolist()
        [[[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]]]

    Follows Paddle 2.6.
    """

    _pairs = 2

    def __init__(self, padding: Any, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__(padding, "constant", 0.0, data_format, name)

    def extra_repr(self) -> str:
        """The settings; in scripts for Paddle 3.3 all of them."""
        how = {"mode": self._mode, "value": self._value} if SINCE_3_3 else {}
        return shown(padding=self._pad, **how, data_format=self._data_format, name=self._name)


_FORMATS = {1: ("NCL", "NLC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}
# the beginning of a class's name: (how it pads, what it does, what its example makes of [1.0, 2.0, 3.0] in the last dimension)
_KINDS = {
    "ZeroPad": ("constant", "Pads {} with zeros.", [0.0, 1.0, 2.0, 3.0, 0.0]),
    "ConstantPad": ("constant", "Pads {} with a number.", [7.0, 1.0, 2.0, 3.0, 7.0]),
    "CircularPad": ("circular", "Pads {} with what comes from the other end.", [3.0, 1.0, 2.0, 3.0, 1.0]),
    "ReplicationPad": ("replicate", "Pads {} with what stands at the border.", [1.0, 1.0, 2.0, 3.0, 3.0]),
    "ReflectionPad": ("reflect", "Pads {} with what a mirror at the border shows.", [2.0, 1.0, 2.0, 3.0, 2.0]),
}


def _make(kind: str, rank: int) -> type[_Pad]:
    """A layer that pads in one way, as Paddle 3 has them."""
    mode, what, gives = _KINDS[kind]
    formats, constant = _FORMATS[rank], kind == "ConstantPad"

    if constant:

        def made(self: Any, padding: Any, value: float, data_format: str = formats[0], name: str | None = None) -> None:
            _Pad.__init__(self, padding, mode, value, data_format, name)

    else:

        def made(self: Any, padding: Any, data_format: str = formats[0], name: str | None = None) -> None:  # type: ignore[misc]
            _Pad.__init__(self, padding, mode, 0.0, data_format, name)

    sides = ["left", "right", "top", "bottom", "front", "back"][: 2 * rank]
    example = [1] * rank + [3]
    lines = [
        what.format({1: "sequences", 2: "images", 3: "volumes"}[rank]), "", "    Args:",
        f"        padding: an int, or [{', '.join(sides)}].",
        *(["        value: the number."] if constant else []), f"        data_format: {' or '.join(formats)}.", "        name: kept.", "",
        "    Example:", "        >>> import paddle_compat as paddle",
        f"        >>> x = paddle.reshape(paddle.to_tensor([1.0, 2.0, 3.0]), {[1, *example]})",
        f"        >>> paddle.nn.{kind}{rank}D([1, 1{', 0' * (2 * rank - 2)}]{', 7.0' if constant else ''})(x).flatten().tolist()",
        f"        {gives}", "", "    Follows Paddle 3.3.", "    ",
    ]  # fmt: skip
    members = {"__doc__": "\n".join(lines), "__module__": "paddle_compat.nn.layer.common", "_pairs": rank, "__init__": made}
    return type(f"{kind}{rank}D", (_Pad,), members)


# Paddle 3's layers by name, most of them by two
MADE: dict[str, Any] = {f"{kind}{rank}D": _make(kind, rank) for kind in _KINDS for rank in (1, 2, 3) if (kind, rank) != ("ZeroPad", 2)}
MADE.update({f"{name[:-1]}d": layer for name, layer in MADE.items() if not name.startswith("Zero")})
