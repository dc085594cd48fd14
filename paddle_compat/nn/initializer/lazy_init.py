"""Parameters that get their values later."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import tensor


class LazyGuard:
    """Layers made inside have parameters without values, until `initialize` is called on each of them.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.LazyGuard():
        ...     layer = paddle.nn.Linear(2, 3)
        >>> for parameter in layer.parameters():
        ...     parameter.initialize()
        >>> layer(paddle.ones([1, 2])).shape
        [1, 3]

    Follows Paddle 2.6.
    """

    def __enter__(self) -> None:
        self._former = tensor.lazy
        tensor.lazy = True

    def __exit__(self, *error: Any) -> None:
        tensor.lazy = self._former


__all__ = ["LazyGuard"]

__getattr__ = missing(__name__)
