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


class LazyInitHelper:
    """Tells whether parameters that are made now get their values later, and switches it.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.nn.initializer.lazy_init import lazy_init_helper
        >>> with paddle.LazyGuard():
        ...     lazy_init_helper().state
        True

    Follows Paddle 2.6.
    """

    @property
    def state(self) -> bool:
        """Whether they do."""
        return tensor.lazy

    _state = state

    def enable(self) -> None:
        """From now on they do."""
        tensor.lazy = True

    def disable(self) -> None:
        """From now on they do not."""
        tensor.lazy = False


_lazy_init_helper = LazyInitHelper()


def lazy_init_helper() -> LazyInitHelper:
    """What tells whether parameters that are made now get their values later.

    Returns:
        LazyInitHelper: the one that there is.

    Example:
        >>> from paddle_compat.nn.initializer.lazy_init import lazy_init_helper
        >>> lazy_init_helper().state
        False

    Follows Paddle 2.6.
    """
    return _lazy_init_helper


__all__ = ["LazyGuard"]

__getattr__ = missing(__name__)
