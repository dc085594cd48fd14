"""`paddle.fluid.incubate.fleet.parameter_server.version`: which servers a build of Paddle is for."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.fluid.incubate.fleet.base.mode import Mode

BUILD_MODE = Mode.TRANSPILER


def is_transpiler() -> bool:
    """Whether servers run Programs of `DistributeTranspiler`, as they do here, and not PSLib.

    Returns:
        bool: True.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.parameter_server.version import is_transpiler
        >>> is_transpiler()
        True

    Follows Paddle 1.8.
    """
    return BUILD_MODE == Mode.TRANSPILER


__all__ = ["Mode", "is_transpiler"]

__getattr__ = missing(__name__)
