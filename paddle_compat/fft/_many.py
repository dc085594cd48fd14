"""`paddle.fft`: transforms along several axes."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.fft._calls import along_two, transform


@paddle3(input="x", dim="axes", out=True)
def fft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Any:
    """The transform of a signal along two axes.

    Args:
        x (Tensor): real or complex numbers.
        s (list): the lengths of what is transformed: x is cut off or filled up with zeros; None: x's own.
        axes (list): the axes.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: complex numbers.
    Raises:
        ValueError: the lengths, axes or norm do not fit.
        TypeError: x is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.fft2(paddle.to_tensor([[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])).shape
        [2, 4]

    Follows Paddle 2.6.
    """
    return along_two("c2c", x, s, axes, norm, True, "fft2", name)


@paddle3(input="x", dim="axes", out=True)
def ifft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `fft2`: the signal of a spectrum along two axes.

    Args:
        x (Tensor): real or complex numbers.
        s (list): the lengths of what is transformed: x is cut off or filled up with zeros; None: x's own.
        axes (list): the axes.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: complex numbers.
    Raises:
        ValueError: the lengths, axes or norm do not fit.
        TypeError: x is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.ifft2(paddle.to_tensor([[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])).shape
        [2, 4]

    Follows Paddle 2.6.
    """
    return along_two("c2c", x, s, axes, norm, False, "ifft2", name)


@paddle3(input="x", dim="axes", out=True)
def rfft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Any:
    """The transform of a real signal, without the half that mirrors the rest along two axes.

    Args:
        x (Tensor): real numbers.
        s (list): the lengths of what is transformed: x is cut off or filled up with zeros; None: x's own.
        axes (list): the axes.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: complex numbers.
    Raises:
        ValueError: the lengths, axes or norm do not fit.
        TypeError: x is complex.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.rfft2(paddle.to_tensor([[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    return along_two("r2c", x, s, axes, norm, True, "rfft2", name)


@paddle3(input="x", dim="axes", out=True)
def irfft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `rfft2`: the real signal of half a spectrum along two axes.

    Args:
        x (Tensor): half a spectrum; real numbers count as complex ones.
        s (list): the lengths of the result: x is cut off or filled up with zeros; None: x's own.
        axes (list): the axes.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: real numbers.
    Raises:
        ValueError: the lengths, axes or norm do not fit.
        TypeError: x is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.irfft2(paddle.to_tensor([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])).shape
        [2, 4]

    Follows Paddle 2.6.
    """
    return along_two("c2r", x, s, axes, norm, False, "irfft2", name)


@paddle3(input="x", dim="axes", out=True)
def hfft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Any:
    """The real transform of a signal that mirrors itself, of which one half is given along two axes.

    Args:
        x (Tensor): half a spectrum; real numbers count as complex ones.
        s (list): the lengths of the result: x is cut off or filled up with zeros; None: x's own.
        axes (list): the axes.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: real numbers.
    Raises:
        ValueError: the lengths, axes or norm do not fit.
        TypeError: x is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.hfft2(paddle.to_tensor([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])).shape
        [2, 4]

    Follows Paddle 2.6.
    """
    return along_two("c2r", x, s, axes, norm, True, "hfft2", name)


@paddle3(input="x", dim="axes", out=True)
def ihfft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `hfft2`: half of the signal of a real spectrum along two axes.

    Args:
        x (Tensor): real numbers.
        s (list): the lengths of what is transformed: x is cut off or filled up with zeros; None: x's own.
        axes (list): the axes.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: complex numbers.
    Raises:
        ValueError: the lengths, axes or norm do not fit.
        TypeError: x is complex.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.ihfft2(paddle.to_tensor([[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    return along_two("r2c", x, s, axes, norm, False, "ihfft2", name)


@paddle3(input="x", dim="axes", out=True)
def fftn(x: Any, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Any:
    """The transform of a signal along several axes.

    Args:
        x (Tensor): real or complex numbers.
        s (list): the lengths of what is transformed: x is cut off or filled up with zeros; None: x's own.
        axes (list): the axes; None: all, or the last ones if there are lengths.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: complex numbers.
    Raises:
        ValueError: the lengths, axes or norm do not fit.
        TypeError: x is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.fftn(paddle.to_tensor([[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])).shape
        [2, 4]

    Follows Paddle 2.6.
    """
    return transform("c2c", x, s, axes, norm, True, "fftn", name)


@paddle3(input="x", dim="axes", out=True)
def ifftn(x: Any, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `fftn`: the signal of a spectrum along several axes.

    Args:
        x (Tensor): real or complex numbers.
        s (list): the lengths of what is transformed: x is cut off or filled up with zeros; None: x's own.
        axes (list): the axes; None: all, or the last ones if there are lengths.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: complex numbers.
    Raises:
        ValueError: the lengths, axes or norm do not fit.
        TypeError: x is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.ifftn(paddle.to_tensor([[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])).shape
        [2, 4]

    Follows Paddle 2.6.
    """
    return transform("c2c", x, s, axes, norm, False, "ifftn", name)


@paddle3(input="x", dim="axes", out=True)
def rfftn(x: Any, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Any:
    """The transform of a real signal, without the half that mirrors the rest along several axes.

    Args:
        x (Tensor): real numbers.
        s (list): the lengths of what is transformed: x is cut off or filled up with zeros; None: x's own.
        axes (list): the axes; None: all, or the last ones if there are lengths.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: complex numbers.
    Raises:
        ValueError: the lengths, axes or norm do not fit.
        TypeError: x is complex.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.rfftn(paddle.to_tensor([[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    return transform("r2c", x, s, axes, norm, True, "rfftn", name)


@paddle3(input="x", dim="axes", out=True)
def irfftn(x: Any, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `rfftn`: the real signal of half a spectrum along several axes.

    Args:
        x (Tensor): half a spectrum; real numbers count as complex ones.
        s (list): the lengths of the result: x is cut off or filled up with zeros; None: x's own.
        axes (list): the axes; None: all, or the last ones if there are lengths.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: real numbers.
    Raises:
        ValueError: the lengths, axes or norm do not fit.
        TypeError: x is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.irfftn(paddle.to_tensor([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])).shape
        [2, 4]

    Follows Paddle 2.6.
    """
    return transform("c2r", x, s, axes, norm, False, "irfftn", name)


@paddle3(input="x", dim="axes", out=True)
def hfftn(x: Any, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Any:
    """The real transform of a signal that mirrors itself, of which one half is given along several axes.

    Args:
        x (Tensor): half a spectrum; real numbers count as complex ones.
        s (list): the lengths of the result: x is cut off or filled up with zeros; None: x's own.
        axes (list): the axes; None: all, or the last ones if there are lengths.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: real numbers.
    Raises:
        ValueError: the lengths, axes or norm do not fit.
        TypeError: x is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.hfftn(paddle.to_tensor([[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]])).shape
        [2, 4]

    Follows Paddle 2.6.
    """
    return transform("c2r", x, s, axes, norm, True, "hfftn", name)


@paddle3(input="x", dim="axes", out=True)
def ihfftn(x: Any, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `hfftn`: half of the signal of a real spectrum along several axes.

    Args:
        x (Tensor): real numbers.
        s (list): the lengths of what is transformed: x is cut off or filled up with zeros; None: x's own.
        axes (list): the axes; None: all, or the last ones if there are lengths.
        norm (str): "backward": inverse transforms divide by the length; "forward": the others do; "ortho": both by its root.
        name (str): prefix of the output's name.
    Returns:
        Tensor: complex numbers.
    Raises:
        ValueError: the lengths, axes or norm do not fit.
        TypeError: x is complex.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.ihfftn(paddle.to_tensor([[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]])).shape
        [2, 3]

    Follows Paddle 2.6.
    """
    return transform("r2c", x, s, axes, norm, False, "ihfftn", name)

__all__ = ["fft2", "fftn", "hfft2", "hfftn", "ifft2", "ifftn", "ihfft2", "ihfftn", "irfft2", "irfftn", "rfft2", "rfftn"]

__getattr__ = missing(__name__)
