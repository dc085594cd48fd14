"""`paddle.jit.marker`: what a recording is told of functions and Tensors (Paddle 3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.core.tensor import Tensor
from paddle_compat.jit.api import not_to_static
from paddle_compat.jit.dy2static import convert_call_func
from paddle_compat.nn.layer.layers import Layer


def _marked(fn: Any, api: str) -> Any:
    if isinstance(fn, Layer) or not callable(fn) or (isinstance(fn, type) and not issubclass(fn, Layer)):
        raise type_error("fn", "a function or a class of layers", fn, api)
    return convert_call_func.ignore(fn)


def unified(fn: Any = None, *, for_sot: bool = True, for_ast: bool = True) -> Any:
    """Say that a function records itself as it is: it is called, and nothing in it is rewritten.

    Args:
        fn (callable): a function, or a class of layers; None: a decorator is returned.
        for_sot (bool): where eager mode may take over. Nothing depends on it here.
        for_ast (bool): where the whole function is recorded.
    Returns:
        The function.
    Raises:
        TypeError: it is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> @paddle.jit.marker.unified
        ... def double(x):
        ...     return x * 2
        >>> paddle.jit.to_static(lambda x: double(x) + 1)(paddle.ones([1])).tolist()
        [3.0]

    Follows Paddle 3.3.
    """

    def mark(function: Any) -> Any:
        return _marked(function, "unified") if for_ast else function

    return mark if fn is None else mark(fn)


def force_dynamic(fn: Any) -> Any:
    """Say that a function needs eager mode: a recording calls it as it is, and eager mode takes over where that fails.

    Args:
        fn (callable): a function, or a class of layers.
    Returns:
        The function.
    Raises:
        TypeError: it is neither.

    Example:
        >>> import paddle_compat as paddle
        >>> @paddle.jit.marker.force_dynamic
        ... def plus_one(x):
        ...     return x + 1
        >>> paddle.jit.to_static(lambda x: plus_one(x) * 2)(paddle.ones([1])).tolist()
        [4.0]

    Follows Paddle 3.3.
    """
    return _marked(fn, "force_dynamic")


def capture_control_flow(fn: Callable[..., Any] | None = None) -> Any:
    """Say that branches and loops of a function become part of the Program, which they do without a word here.

    Args:
        fn (callable): the function; None: a decorator is returned.
    Returns:
        The function.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.jit.marker.capture_control_flow(lambda x: x * 2)(3)
        6

    Follows Paddle 3.3.
    """
    return capture_control_flow if fn is None else fn


def dynamic_dims(tensor: Tensor, dims: int | Sequence[int]) -> None:
    """Say which sizes of a Tensor vary; recordings are kept by sizes here, so results do not depend on it.

    Args:
        tensor (Tensor): an input of a recorded function.
        dims (int|list): its dimensions.
    Raises:
        TypeError: `tensor` is no Tensor, or `dims` neither of both.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.jit.marker.dynamic_dims(paddle.ones([2, 3]), 0)

    Follows Paddle 3.3.
    """
    if not isinstance(tensor, Tensor):
        raise type_error("tensor", "Tensor", tensor, "dynamic_dims")
    if not isinstance(dims, (int, list, tuple)):
        raise type_error("dims", "an int, a list or a tuple", dims, "dynamic_dims")


__all__ = ["capture_control_flow", "dynamic_dims", "force_dynamic", "not_to_static", "unified"]

__getattr__ = missing(__name__)
