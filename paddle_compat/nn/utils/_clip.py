"""Gradients that are made smaller in place: what Paddle has for its eager mode only."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.mode import in_dygraph_mode

_INSTEAD = "the grad_clip of an optimizer"


def _refused(api: str) -> Exception:
    if in_dygraph_mode():
        return UnsupportedError(f"nn.utils.{api}", None, _INSTEAD)
    return RuntimeError(f"`{api}` works in eager mode only. Expected {_INSTEAD}. Received: a call in static mode")


def clip_grad_norm_(parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False) -> Any:
    """Not there: in a Program gradients are clipped by an optimizer's `grad_clip`, `paddle.nn.ClipGradByGlobalNorm` for one.

    Args:
        parameters: parameters of eager mode.
        max_norm (float): the largest norm.
        norm_type (float): 0, 1, 2 or infinity.
        error_if_nonfinite (bool): refuse a norm that is not finite.
    Returns:
        Nothing: it raises.
    Raises:
        RuntimeError: in static mode, as in Paddle.
        UnsupportedError: in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.nn.utils.clip_grad_norm_([], 1.0)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        paddle_compat.core.errors.UnsupportedError: `nn.utils.clip_grad_norm_` is not supported ...

    Follows Paddle 2.6.
    """
    raise _refused("clip_grad_norm_")


def clip_grad_value_(parameters: Any, clip_value: float) -> None:
    """Not there: in a Program gradients are clipped by an optimizer's `grad_clip`, `paddle.nn.ClipGradByValue` for one.

    Args:
        parameters: parameters of eager mode.
        clip_value (float): the bound of elements.
    Raises:
        RuntimeError: in static mode, as in Paddle.
        UnsupportedError: in eager mode.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.nn.utils.clip_grad_value_([], 1.0)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        RuntimeError: `clip_grad_value_` works in eager mode only. ...

    Follows Paddle 2.6.
    """
    raise _refused("clip_grad_value_")
