"""Functions of Paddle 3 that make Tensors: of other libraries' arrays, of a data type, and windows of signals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_compat import tensor
from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.paddle3 import paddle3
from paddle_compat.core.tensor import Tensor


def asarray(obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, requires_grad: bool = False) -> Any:
    """A new Tensor of data.

    Args:
        obj: a number, an array, a Tensor, or nested lists of numbers.
        dtype: the data type; None: that of the data.
        device: where it lives.
        copy: False: a Tensor's elements are shared; else they are copied.
        requires_grad: whether it takes part in gradients.
    Returns:
        A Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.asarray([1, 2.5]).tolist()
        [1.0, 2.5]

    Follows Paddle 3.3.
    """
    if copy is False and isinstance(obj, Tensor) and dtype is None and device is None:
        made = obj.detach()
        made.stop_gradient = not requires_grad
        return made
    return tensor.as_tensor(obj, dtype, device=device, requires_grad=requires_grad)


def from_numpy(ndarray: Any) -> Any:
    """A Tensor of a numpy array.

    Args:
        ndarray: the array.
    Returns:
        A Tensor.
    Raises:
        TypeError: it is none.

    Example:
        >>> import numpy as np
        >>> import paddle_compat as paddle
        >>> paddle.from_numpy(np.array([1, 2])).tolist()
        [1, 2]

    Follows Paddle 3.3.
    """
    if not isinstance(ndarray, np.ndarray):
        raise type_error("ndarray", "numpy.ndarray", ndarray, "from_numpy")
    return tensor.to_tensor(ndarray)


def _typed(name: str, dtype: str) -> Callable[..., Any]:
    def made(*data: Any) -> Any:
        if len(data) == 1 and not isinstance(data[0], int):
            return tensor.to_tensor(data[0], dtype)
        return tensor.empty(list(data), dtype) if data else tensor.zeros([0], dtype)

    made.__name__ = made.__qualname__ = name
    made.__doc__ = f"""A Tensor of {dtype}.

    Args:
        *data: numbers in nested lists, an array or a Tensor; or the sizes of a Tensor whose elements nobody set.
    Returns:
        A Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.{name}([1, 0]).astype("int64").tolist()
        [1, 0]

    Follows Paddle 3.3.
    """
    return made


BFloat16Tensor, BoolTensor, ByteTensor = _typed("BFloat16Tensor", "bfloat16"), _typed("BoolTensor", "bool"), _typed("ByteTensor", "uint8")
CharTensor, DoubleTensor, FloatTensor = _typed("CharTensor", "int8"), _typed("DoubleTensor", "float64"), _typed("FloatTensor", "float32")
HalfTensor, IntTensor, LongTensor = _typed("HalfTensor", "float16"), _typed("IntTensor", "int32"), _typed("LongTensor", "int64")
ShortTensor = _typed("ShortTensor", "int16")


def _windowed(length: int, periodic: bool, dtype: str, api: str, shape: Callable[[int], Any]) -> Any:
    """A window's values; a periodic one is a longer one without its end."""
    if length < 0:
        raise invalid_argument("window_length", "at least 0", length, api)
    if length < 2:
        return tensor.ones([length], dtype)
    return tensor.to_tensor(shape(length + periodic)[:length], dtype)


def _window(name: str, shape: Callable[[int], Any], what: str, half: str) -> Callable[..., Any]:
    def window(window_length: int, periodic: bool = True, *, dtype: str = "float32", layout: str | None = None) -> Any:
        return _windowed(window_length, periodic, dtype, name, shape)

    window.__name__ = window.__qualname__ = name
    window.__doc__ = _document(name, what, half)
    return paddle3(made=True)(window)


def _document(name: str, what: str, half: str) -> str:
    return f"""{what}

    Args:
        window_length: how many values.
        periodic: whether the next value would be the first again; else the last is the first.
        dtype: the data type.
        layout: has no effect.
    Returns:
        A vector.
    Raises:
        ValueError: the length is negative.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.{name}(4).tolist()]
        {half}

    Follows Paddle 3.3.
    """


hann_window = _window("hann_window", np.hanning, "Hann's window: a raised cosine.", "[0.0, 0.5, 1.0, 0.5]")
blackman_window = _window("blackman_window", np.blackman, "Blackman's window: two cosines.", "[-0.0, 0.34, 1.0, 0.34]")
bartlett_window = _window("bartlett_window", np.bartlett, "Bartlett's window: a triangle.", "[0.0, 0.5, 1.0, 0.5]")


@paddle3(made=True)
def hamming_window(
    window_length: int, periodic: bool = True, alpha: float = 0.54, beta: float = 0.46, *, dtype: str = "float32", layout: str | None = None
) -> Any:
    """Hamming's window: a cosine on a pedestal.

    Args:
        window_length: how many values.
        periodic: whether the next value would be the first again; else the last is the first.
        alpha, beta: the pedestal, and what the cosine is multiplied by.
        dtype: the data type.
        layout: has no effect.
    Returns:
        A vector.
    Raises:
        ValueError: the length is negative.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.hamming_window(4).tolist()]
        [0.08, 0.54, 1.0, 0.54]

    Follows Paddle 3.3.
    """

    def shape(size: int) -> Any:
        return alpha - beta * np.cos(2 * np.pi * np.arange(size) / (size - 1))

    return _windowed(window_length, periodic, dtype, "hamming_window", shape)


@paddle3(made=True)
def kaiser_window(
    window_length: int, periodic: bool = True, beta: float = 12.0, *, dtype: str = "float32", layout: str | None = None
) -> Any:
    """Kaiser's window.

    Args:
        window_length: how many values.
        periodic: whether the next value would be the first again; else the last is the first.
        beta: how narrow it is.
        dtype: the data type.
        layout: has no effect.
    Returns:
        A vector.
    Raises:
        ValueError: the length is negative.

    Example:
        >>> import paddle_compat as paddle
        >>> [round(v, 4) for v in paddle.kaiser_window(4).tolist()]
        [0.0001, 0.2157, 1.0, 0.2157]

    Follows Paddle 3.3.
    """
    return _windowed(window_length, periodic, dtype, "kaiser_window", lambda size: np.kaiser(size, beta))


__all__ = [
    "BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor", "HalfTensor", "IntTensor", "LongTensor",
    "ShortTensor", "asarray", "bartlett_window", "blackman_window", "from_numpy", "hamming_window", "hann_window", "kaiser_window",
]  # fmt: skip
