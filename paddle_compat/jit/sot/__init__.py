"""`paddle.jit.sot`: functions that are recorded where they can be, and run in eager mode where they cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing


def symbolic_translate(fn: Callable[..., Any], **kwargs: Any) -> Callable[..., Any]:
    """Run a function as recorded Program where that is possible, else in eager mode.

    Args:
        fn (callable): the function.
        kwargs: options of `to_static`.
    Returns:
        A callable that stands for it.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.jit.sot.symbolic_translate(lambda x: x * 2)(paddle.ones([1])).tolist()
        [2.0]

    Follows Paddle 2.6.
    """
    from paddle_compat.jit.dy2static.program_translator import StaticFunction
    from paddle_compat.nn.layer.layers import Layer

    if isinstance(fn, Layer):
        fn = fn.__call__
    return StaticFunction(fn, None, **{**kwargs, "full_graph": False})


__all__ = ["symbolic_translate"]

__getattr__ = missing(__name__)
