"""`paddle.random`: what Paddle 3 tells of its seed."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.core.random import default_generator

__all__ = ["initial_seed"]


def initial_seed() -> int:
    """The seed of the CPU's random numbers.

    Returns:
        int: what `paddle.seed` was called with last.

    Example:
        >>> import paddle_compat as paddle
        >>> generator = paddle.seed(7)
        >>> paddle.random.initial_seed()
        7

    Follows Paddle 3.3.
    """
    return default_generator().initial_seed()


__getattr__ = missing(__name__)
