"""`paddle.fft`: transforms along one axis."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.fft._calls import along_one


@paddle3(input="x", dim="axis", out=True)
def fft(x: Any, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Any:
    """The transform of a signal along one axis.

    Args:
        x (Tensor): real or complex numbers.
        n (int): the length of what is transformed: x is cut off or filled up with zeros; None: x's own.
        axis (int): the axis.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: complex numbers.
    Raises:
        ValueError: n, axis or norm does not fit.
        TypeError: x is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.fft(paddle.to_tensor([1.0, 0.0, 0.0, 0.0])).shape
        [4]

    Follows Paddle 2.6.
    """
    return along_one("c2c", x, n, axis, norm, True, "fft", name)


@paddle3(input="x", dim="axis", out=True)
def ifft(x: Any, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `fft`: the signal of a spectrum.

    Args:
        x (Tensor): real or complex numbers.
        n (int): the length of what is transformed: x is cut off or filled up with zeros; None: x's own.
        axis (int): the axis.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: complex numbers.
    Raises:
        ValueError: n, axis or norm does not fit.
        TypeError: x is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.ifft(paddle.to_tensor([1.0, 0.0, 0.0, 0.0])).shape
        [4]

    Follows Paddle 2.6.
    """
    return along_one("c2c", x, n, axis, norm, False, "ifft", name)


@paddle3(input="x", dim="axis", out=True)
def rfft(x: Any, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Any:
    """The transform of a real signal, without the half that mirrors the rest.

    Args:
        x (Tensor): real numbers.
        n (int): the length of what is transformed: x is cut off or filled up with zeros; None: x's own.
        axis (int): the axis.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: complex numbers.
    Raises:
        ValueError: n, axis or norm does not fit.
        TypeError: x is complex.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.rfft(paddle.to_tensor([1.0, 0.0, 0.0, 0.0])).shape
        [3]

    Follows Paddle 2.6.
    """
    return along_one("r2c", x, n, axis, norm, True, "rfft", name)


@paddle3(input="x", dim="axis", out=True)
def irfft(x: Any, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `rfft`: the real signal of half a spectrum.

    Args:
        x (Tensor): half a spectrum; real numbers count as complex ones.
        n (int): the length of the result: x is cut off or filled up with zeros; None: x's own.
        axis (int): the axis.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: real numbers.
    Raises:
        ValueError: n, axis or norm does not fit.
        TypeError: x is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.irfft(paddle.to_tensor([1.0, 1.0, 1.0])).shape
        [4]

    Follows Paddle 2.6.
    """
    return along_one("c2r", x, n, axis, norm, False, "irfft", name)


@paddle3(input="x", dim="axis", out=True)
def hfft(x: Any, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Any:
    """The real transform of a signal that mirrors itself, of which one half is given.

    Args:
        x (Tensor): half a spectrum; real numbers count as complex ones.
        n (int): the length of the result: x is cut off or filled up with zeros; None: x's own.
        axis (int): the axis.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: real numbers.
    Raises:
        ValueError: n, axis or norm does not fit.
        TypeError: x is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.hfft(paddle.to_tensor([1.0, 1.0, 1.0])).shape
        [4]

    Follows Paddle 2.6.
    """
    return along_one("c2r", x, n, axis, norm, True, "hfft", name)


@paddle3(input="x", dim="axis", out=True)
def ihfft(x: Any, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `hfft`: half of the signal of a real spectrum.

    Args:
        x (Tensor): real numbers.
        n (int): the length of what is transformed: x is cut off or filled up with zeros; None: x's own.
        axis (int): the axis.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: complex numbers.
    Raises:
        ValueError: n, axis or norm does not fit.
        TypeError: x is complex.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.ihfft(paddle.to_tensor([1.0, 0.0, 0.0, 0.0])).shape
        [3]

    Follows Paddle 2.6.
    """
    return along_one("r2c", x, n, axis, norm, False, "ihfft", name)

__all__ = ["fft", "hfft", "ifft", "ihfft", "irfft", "rfft"]

__getattr__ = missing(__name__)
