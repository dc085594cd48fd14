"""`paddle.incubate.autograd.primx`: Programs of primitive operators, which are the ordinary ones here."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.core.program import Block
from paddle_compat.incubate.autograd._prim import static_only


def prim2orig(block: Any = None, blacklist: Any = None) -> None:
    """Write primitive operators of a Program as ordinary ones: they are ordinary ones already.

    Args:
        block (Block): whose operators; None: those of the default main Program's global block.
        blacklist (list): types of primitive operators that stay; of no effect.
    Raises:
        AssertionError: eager mode is on.
        TypeError: the block is no Block.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.incubate.autograd.prim2orig()
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    static_only("prim2orig")
    if block is not None and not isinstance(block, Block):
        raise type_error("block", "a Block", block, "prim2orig")


__all__ = ["prim2orig"]

__getattr__ = missing(__name__)
