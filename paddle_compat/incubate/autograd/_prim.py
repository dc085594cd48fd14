"""Whether Programs are differentiated through elementary operators: a switch that changes no number here."""

from __future__ import annotations

from paddle_compat._missing import missing
from paddle_compat.core import mode

_on = False


def enable_prim() -> None:
    """Have Programs differentiated through elementary operators; `forward_grad` asks for it. The gradients are the same.

    Raises:
        AssertionError: eager mode is on.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.incubate.autograd.enable_prim()
        >>> paddle.incubate.autograd.prim_enabled()
        True
        >>> paddle.incubate.autograd.disable_prim(); paddle.disable_static()

    Follows Paddle 2.6.
    """
    global _on
    static_only("enable_prim")
    _on = True


def disable_prim() -> None:
    """Have Programs differentiated operator by operator, as they are unless `enable_prim` is called.

    Raises:
        AssertionError: eager mode is on.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.incubate.autograd.disable_prim()
        >>> paddle.incubate.autograd.prim_enabled()
        False
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    global _on
    static_only("disable_prim")
    _on = False


def prim_enabled() -> bool:
    """Whether `enable_prim` holds.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.incubate.autograd.prim_enabled()
        False

    Follows Paddle 2.6.
    """
    return _on


def static_only(api: str) -> None:
    """AssertionError in eager mode, in Paddle's words."""
    assert not mode.in_dygraph_mode(), (
        f"In PaddlePaddle 2.x, dynamic graph mode is on by default, and '{api}()' is only supported in static graph mode. Expected "
        "paddle.enable_static() before it. Received: a call in eager mode"
    )


__all__ = ["disable_prim", "enable_prim", "prim_enabled"]

__getattr__ = missing(__name__)
