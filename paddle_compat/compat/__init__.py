"""`paddle.compat`: what was the same in Python 2 and 3, for 1.8; and functions with torch's arguments and results, for 3.3."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.compat._functions import (
    MedianRetType,
    MinMaxRetType,
    SlogdetResult,
    SortRetType,
    equal,
    max,
    median,
    min,
    nanmedian,
    seed,
    slogdet,
    sort,
    split,
    unique,
)
from paddle_compat.compat.proxy import (
    disable_compat,
    disable_torch_proxy,
    enable_compat,
    enable_torch_proxy,
    extend_compat_blocked_modules,
    extend_torch_proxy_blocked_modules,
    use_compat_guard,
    use_torch_proxy_guard,
)

int_type = int
long_type = int


def _converted(obj: Any, convert: Callable[[Any], Any], inplace: bool) -> Any:
    """What a list or set holds, one level of it, converted, or a single value; None stays."""
    if obj is None:
        return None
    if not isinstance(obj, (list, set)):
        return convert(obj)
    made = [convert(item) for item in obj]
    if not inplace:
        return type(obj)(made)
    obj.clear()
    obj.extend(made) if isinstance(obj, list) else obj.update(made)
    return obj


def to_text(obj: Any, encoding: str = "utf-8", inplace: bool = False) -> Any:
    """Bytes as str, also in a list, a set or a dict; what is neither stays.

    Args:
        obj: what is converted.
        encoding: of the bytes.
        inplace: whether a list, set or dict is changed itself.
    Returns:
        What comes out.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.to_text([b"a", "b", 3])
        ['a', 'b', 3]

    Follows Paddle 1.8.
    """

    def text(value: Any) -> Any:
        return value.decode(encoding) if isinstance(value, bytes) else value

    if not isinstance(obj, dict):
        return _converted(obj, text, inplace)
    made = {text(key): text(value) for key, value in obj.items()}
    if not inplace:
        return made
    obj.clear()
    obj.update(made)
    return obj


def to_bytes(obj: Any, encoding: str = "utf-8", inplace: bool = False) -> Any:
    """A str as bytes, also in a list or a set.

    Args:
        obj: what is converted.
        encoding: of the bytes.
        inplace: whether a list or set is changed itself.
    Returns:
        What comes out.
    Raises:
        AttributeError: something is neither a str nor bytes.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.to_bytes(["a", b"b"])
        [b'a', b'b']

    Follows Paddle 1.8.
    """
    return _converted(obj, lambda value: value if isinstance(value, bytes) else value.encode(encoding), inplace)


def round(x: float, d: int = 0) -> float:
    """x with d digits behind the point; halves go away from 0.

    Args:
        x: the number.
        d: digits behind the point.
    Returns:
        float.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.round(2.5), paddle.compat.round(-2.5)
        (3.0, -3.0)

    Follows Paddle 1.8.
    """
    if x == 0.0:
        return 0.0
    power = 10**d
    steps = math.floor(abs(x) * power + 0.5)
    return float(steps if x > 0 else -steps) / power if steps else 0.0


def floor_division(x: Any, y: Any) -> Any:
    """x // y.

    Args:
        x: the number.
        y: what it is divided by.
    Returns:
        The quotient, rounded down.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.floor_division(7, 2)
        3

    Follows Paddle 1.8.
    """
    return x // y


def get_exception_message(exc: BaseException) -> str:
    """The message of an exception.

    Args:
        exc: the exception.
    Returns:
        str.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.compat.get_exception_message(ValueError("no"))
        'no'

    Follows Paddle 1.8.
    """
    assert exc is not None
    return str(exc)


__all__ = [
    "MedianRetType", "MinMaxRetType", "SlogdetResult", "SortRetType", "disable_compat", "disable_torch_proxy", "enable_compat",
    "enable_torch_proxy", "equal", "extend_compat_blocked_modules", "extend_torch_proxy_blocked_modules", "floor_division",
    "get_exception_message", "long_type", "max", "median", "min", "nanmedian", "round", "seed", "slogdet", "sort", "split", "to_bytes",
    "to_text", "unique", "use_compat_guard", "use_torch_proxy_guard",
]  # fmt: skip

__getattr__ = missing(__name__)
