"""`paddle.jit.dy2static.origin_info`: where rewritten functions come from."""

from __future__ import annotations

import inspect
from typing import Any

from paddle_compat._missing import missing


def unwrap(func: Any) -> Any:
    """The function inside of decorators and of what `to_static` makes; anything else as it is.

    Args:
        func: what may wrap a function.
    Returns:
        What is wrapped innermost.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.jit.dy2static.origin_info import unwrap
        >>> def double(x):
        ...     return x * 2
        >>> unwrap(paddle.jit.to_static(double)) is double
        True

    Follows Paddle 2.6.
    """
    return inspect.unwrap(func)


__all__: list[str] = []

__getattr__ = missing(__name__)
