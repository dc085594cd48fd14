"""`paddle.fft`: the frequencies of spectra, and where they stand."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import WrongPlaceError, invalid_argument
from paddle_compat.core.paddle3 import SINCE_3, paddle3
from paddle_compat.core.variable import Variable
from paddle_compat.tensor._calls import plain

# the top-level functions (`paddle.roll`, ...), which load when they are first called
paddle: Any = import_module("paddle_compat")


@paddle3(made=True)
def fftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Any:
    """The frequencies of what `fft` gives, in cycles per unit of the spacing: first the positive ones, then the negative ones.

    Args:
        n (int): the length of the signal.
        d (float): the time from sample to sample.
        dtype (str): kept; Paddle 2's function gives the default data type all the same.
        name (str): kept.
    Returns:
        Tensor: [n].
    Raises:
        ValueError: n or d is 0, or n no int.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.fftfreq(4, 0.5).tolist()
        [0.0, 0.5, -1.0, -0.5]

    Follows Paddle 2.6.
    """
    n = plain(n)
    _checked_spacing(n, d, "fftfreq")
    half = (n - 1) // 2 + 1
    return paddle.roll(paddle.arange(half - n, half, 1, dtype=_kind(dtype)), half - n) * (1.0 / (n * d))


@paddle3(made=True)
def rfftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Any:
    """The frequencies of what `rfft` gives, in cycles per unit of the spacing.

    Args:
        n (int): the length of the signal.
        d (float): the time from sample to sample.
        dtype (str): kept; Paddle 2's function gives the default data type all the same.
        name (str): kept.
    Returns:
        Tensor: [n // 2 + 1].
    Raises:
        ValueError: n or d is 0, or n no int.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.rfftfreq(4, 0.5).tolist()
        [0.0, 0.5, 1.0]

    Follows Paddle 2.6.
    """
    count: Any = plain(n)
    if isinstance(count, float) and count.is_integer():
        count = int(count)
    _checked_spacing(count, d, "rfftfreq")
    return paddle.arange(0, count // 2 + 1, 1, dtype=_kind(dtype)) * (1.0 / (count * d))


def _kind(dtype: Any) -> Any:
    return dtype if SINCE_3 and dtype is not None else paddle.get_default_dtype()


def _checked_spacing(n: Any, d: Any, api: str) -> None:
    if n == 0 or d == 0:
        raise invalid_argument("n, d", "numbers that are not 0", (n, d), api)
    if not isinstance(n, (int, np.integer)):
        raise invalid_argument("n", "an int", n, api)


def _rolled(x: Any, axes: Any, inverse: bool, name: str | None) -> Any:
    """x rolled by half of its sizes: its inverse goes on to the whole of odd ones."""
    rank = len(x.shape)
    wanted = list(range(rank)) if axes is None else [axes] if isinstance(axes, int) else list(axes)
    for axis in wanted:
        if not -rank <= axis < rank:
            raise WrongPlaceError(f"Invalid value for argument `axes`. Expected numbers in [{-rank}, {rank}). Received: {axis}")
    shifts: Any
    if isinstance(x, Variable):
        sizes = paddle.shape(x)
        if axes is not None:
            sizes = sizes[axes] if isinstance(axes, int) else paddle.concat([sizes[axis : axis + 1] for axis in wanted])
        shifts = (sizes + 1 if inverse else sizes) // 2
    else:
        shifts = [(x.shape[axis] + inverse) // 2 for axis in wanted]
    return paddle.roll(x, shifts, axes if isinstance(axes, int) else wanted, name=name)


@paddle3(input="x", dim="axes")
def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """A spectrum with the frequency 0 in the middle.

    Args:
        x (Tensor): a spectrum.
        axes (int|list): the axes; None: all.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of the same shape.
    Raises:
        IndexError: x has no such axis.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.fftshift(paddle.to_tensor([0.0, 1.0, 2.0, -2.0, -1.0])).tolist()
        [-2.0, -1.0, 0.0, 1.0, 2.0]

    Follows Paddle 2.6.
    """
    return _rolled(x, axes, False, name)


@paddle3(input="x", dim="axes")
def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """The inverse of `fftshift`.

    Args:
        x (Tensor): a spectrum with the frequency 0 in the middle.
        axes (int|list): the axes; None: all.
        name (str): prefix of the output's name.
    Returns:
        Tensor: of the same shape.
    Raises:
        IndexError: x has no such axis.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.fft.ifftshift(paddle.to_tensor([-2.0, -1.0, 0.0, 1.0, 2.0])).tolist()
        [0.0, 1.0, 2.0, -2.0, -1.0]

    Follows Paddle 2.6.
    """
    return _rolled(x, axes, True, name)

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]

__getattr__ = missing(__name__)
