"""Windows: weights of the samples of a frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument
from paddle_compat.tensor._paddle3_made import bartlett_window, blackman_window, hamming_window, hann_window, kaiser_window

# the top-level functions (`paddle.cos`, ...), which load when they are first called
paddle: Any = import_module("paddle_compat")
_NEED_MORE = ("exponential", "gaussian", "kaiser")  # they are refused where only their name is given


class WindowFunctionRegister:
    """Functions that make windows, by name.

    Example:
        >>> from paddle_compat.audio.functional.window import WindowFunctionRegister
        >>> shapes = WindowFunctionRegister()
        >>> @shapes.register()
        ... def flat(length):
        ...     return [1.0] * length
        >>> shapes.get("flat")(2)
        [1.0, 1.0]

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self._functions_dict: dict[str, Callable[..., Any]] = {}

    def register(self) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """A decorator that takes a function in, by its name.

        Returns:
            The decorator, which changes nothing.
        """

        def taken(function: Callable[..., Any]) -> Callable[..., Any]:
            self._functions_dict[function.__name__] = function
            return function

        return taken

    def get(self, name: str) -> Callable[..., Any]:
        """The function of a name.

        Args:
            name (str): what the function is called.
        Returns:
            The function.
        Raises:
            KeyError: there is none.
        """
        return self._functions_dict[name]


window_function_register = WindowFunctionRegister()


def _shaped(shape: Callable[..., Any]) -> Callable[..., Any]:
    """Register a window, of which `shape` says the symmetric one: a periodic one is a longer one without its end, one value is 1."""

    def window(M: int, *args: Any, sym: bool = True, dtype: str = "float64", **kwargs: Any) -> Any:
        if int(M) != M or M < 0:
            raise invalid_argument("win_length", "a non-negative int", M, "get_window")
        if M <= 1:
            return paddle.ones((M,), dtype=dtype)
        values = shape(M if sym else M + 1, *args, dtype=dtype, **kwargs)
        return values if sym else values[:-1]

    window.__name__ = shape.__name__
    return window_function_register.register()(window)


@_shaped
def _general_cosine(n: int, a: Sequence[float], *, dtype: str) -> Any:
    angles = paddle.linspace(-math.pi, math.pi, n, dtype=dtype)
    total = paddle.zeros((n,), dtype=dtype)
    for k, weight in enumerate(a):
        total = total + weight * paddle.cos(k * angles)
    return total


@_shaped
def _general_hamming(n: int, alpha: float, *, dtype: str) -> Any:
    return _general_cosine(n, [alpha, 1.0 - alpha], dtype=dtype)


@_shaped
def _hamming(n: int, *, dtype: str) -> Any:
    return _general_hamming(n, 0.54, dtype=dtype)


@_shaped
def _hann(n: int, *, dtype: str) -> Any:
    return _general_hamming(n, 0.5, dtype=dtype)


@_shaped
def _blackman(n: int, *, dtype: str) -> Any:
    return _general_cosine(n, [0.42, 0.50, 0.08], dtype=dtype)


@_shaped
def _nuttall(n: int, *, dtype: str) -> Any:
    return _general_cosine(n, [0.3635819, 0.4891775, 0.1365995, 0.0106411], dtype=dtype)


@_shaped
def _general_gaussian(n: int, p: float, sig: float, *, dtype: str) -> Any:
    places = paddle.arange(0, n, dtype=dtype) - (n - 1.0) / 2.0
    return paddle.exp(-0.5 * paddle.abs(places / sig) ** (2 * p))


@_shaped
def _gaussian(n: int, std: float, *, dtype: str) -> Any:
    places = paddle.arange(0, n, dtype=dtype) - (n - 1.0) / 2.0
    return paddle.exp(-(places**2) / (2 * std * std))


@window_function_register.register()
def _exponential(M: int, center: float | None = None, tau: float = 1.0, sym: bool = True, dtype: str = "float64") -> Any:
    if sym and center is not None:
        raise invalid_argument("center", "None, as the window is symmetric", center, "get_window")
    return _decaying(M, center, tau, sym=sym, dtype=dtype)


@_shaped
def _decaying(n: int, center: float | None, tau: float, *, dtype: str) -> Any:
    places = paddle.arange(0, n, dtype=dtype)
    return paddle.exp(-paddle.abs(places - ((n - 1) / 2 if center is None else center)) / tau)


@_shaped
def _triang(n: int, *, dtype: str) -> Any:
    half = paddle.arange(1, (n + 1) // 2 + 1, dtype=dtype)
    if n % 2:
        half = 2 * half / (n + 1.0)
        return paddle.concat([half, half[:-1].flip(0)])
    half = (2 * half - 1.0) / n
    return paddle.concat([half, half.flip(0)])


@_shaped
def _bartlett(n: int, *, dtype: str) -> Any:
    places = paddle.arange(0, n, dtype=dtype)
    return paddle.where(places <= (n - 1) / 2.0, 2.0 * places / (n - 1), 2.0 - 2.0 * places / (n - 1))


@_shaped
def _bohman(n: int, *, dtype: str) -> Any:
    away = paddle.abs(paddle.linspace(-1, 1, n, dtype=dtype)[1:-1])
    inner = (1 - away) * paddle.cos(math.pi * away) + 1.0 / math.pi * paddle.sin(math.pi * away)
    end = paddle.zeros((1,), dtype=dtype)
    return paddle.concat([end, inner, end])


@_shaped
def _cosine(n: int, *, dtype: str) -> Any:
    return paddle.sin(math.pi / n * (paddle.arange(0, n, dtype=dtype) + 0.5))


@_shaped
def _kaiser(n: int, beta: float, *, dtype: str) -> Any:
    middle = (n - 1) / 2.0
    places = (paddle.arange(0, n, dtype=dtype) - middle) / middle
    return paddle.i0(beta * paddle.sqrt(1 - places**2)) / paddle.i0(paddle.to_tensor(beta, dtype=dtype))


@window_function_register.register()
def _tukey(M: int, alpha: float = 0.5, sym: bool = True, dtype: str = "float64") -> Any:
    if alpha >= 1 and M > 1:
        return _hann(M, sym=sym)  # in double precision, whatever was asked for, as in the wheel
    return _tapered(M, alpha, sym=sym, dtype=dtype)


@_shaped
def _tapered(n: int, alpha: float, *, dtype: str) -> Any:
    if alpha <= 0:
        return paddle.ones((n,), dtype=dtype)
    places = paddle.arange(0, n, dtype=dtype)
    width = int(alpha * (n - 1) / 2.0)
    rising, falling = places[: width + 1], places[n - width - 1 :]
    begin = 0.5 * (1 + paddle.cos(math.pi * (-1 + 2.0 * rising / alpha / (n - 1))))
    end = 0.5 * (1 + paddle.cos(math.pi * (-2.0 / alpha + 1 + 2.0 * falling / alpha / (n - 1))))
    return paddle.concat([begin, paddle.ones((n - 2 * (width + 1),), dtype=dtype), end])


@_shaped
def _taylor(n: int, nbar: int = 4, sll: float = 30, norm: bool = True, *, dtype: str) -> Any:
    """Nearly equal side lobes `sll` decibels below the main one, `nbar` of them on each side; coefficients by Carrara and others."""
    level = math.acosh(10 ** (sll / 20)) / math.pi
    widened = nbar**2 / (level**2 + (nbar - 0.5) ** 2)
    orders = range(1, nbar)
    weights = []
    for order in orders:
        above = math.prod(1 - order**2 / widened / (level**2 + (k - 0.5) ** 2) for k in orders)
        weights.append((-1) ** (order + 1) * above / math.prod(1 - order**2 / k**2 for k in orders if k != order))
    places = (paddle.arange(0, n, dtype=dtype) - n / 2.0 + 0.5) / n
    total = paddle.ones((n,), dtype=dtype)
    for order, weight in zip(orders, weights):
        total = total + weight * paddle.cos(2 * math.pi * order * places)
    return total / (1.0 + sum(weights)) if norm else total


def get_window(window: Any, win_length: int, fftbins: bool = True, dtype: str = "float64") -> Any:
    """A window of a name: "hamming", "hann", "blackman", "nuttall", "bartlett", "bohman", "cosine", "triang", "tukey", "taylor", ....

    Args:
        window (str|tuple): the name, or a tuple of the name and what else the window is made by: ("gaussian", std),
            ("exponential", center, tau), ("general_gaussian", p, sig), ("general_hamming", alpha), ("general_cosine", weights),
            ("kaiser", beta), ("tukey", alpha), ("taylor", nbar, sll, norm).
        win_length (int): how many samples.
        fftbins (bool): whether the next sample would be the first again; else the last mirrors the first.
        dtype (str): the data type.
    Returns:
        Tensor: [win_length].
    Raises:
        ValueError: there is no window of that name, or it needs more than its name.

    Example:
        >>> from paddle_compat.audio.functional import get_window
        >>> get_window("hann", 4).numpy().round(2).tolist()
        [0.0, 0.5, 1.0, 0.5]
        >>> get_window(("gaussian", 1.0), 3, fftbins=False).numpy().round(4).tolist()
        [0.6065, 1.0, 0.6065]

    Follows Paddle 2.6; "bartlett", "kaiser" and "nuttall" are Paddle 3.3's.
    """
    if isinstance(window, tuple):
        name, args = window[0], window[1:]
    elif not isinstance(window, str):
        raise invalid_argument("window", "a name, or a tuple that begins with one", window, "get_window")
    elif window in _NEED_MORE:
        raise invalid_argument("window", f"a tuple of {window!r} and what else that window needs", window, "get_window")
    else:
        name, args = window, ()
    try:
        made = window_function_register.get(f"_{name}")
    except KeyError as error:
        raise invalid_argument("window", "the name of a window", name, "get_window") from error
    return made(win_length, *args, sym=not fftbins, dtype=dtype)


__all__ = [
    "WindowFunctionRegister", "bartlett_window", "blackman_window", "get_window", "hamming_window", "hann_window", "kaiser_window",
]  # fmt: skip

__getattr__ = missing(__name__)
