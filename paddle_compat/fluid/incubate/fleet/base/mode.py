"""`paddle.fluid.incubate.fleet.base.mode`: the kinds of fleets."""

from __future__ import annotations

from paddle_compat._missing import missing


class Mode:
    """The kinds of fleets: parameter servers by transpiler or pslib, and collective training.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.base.mode import Mode
        >>> Mode.TRANSPILER, Mode.PSLIB, Mode.COLLECTIVE
        (1, 2, 3)

    Follows Paddle 1.8.
    """

    TRANSPILER = 1
    PSLIB = 2
    COLLECTIVE = 3


__all__ = ["Mode"]

__getattr__ = missing(__name__)
