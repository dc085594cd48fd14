"""Whether operators that run at once are remembered for a backward pass: one switch per thread, which is torch's own."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Generator
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.base.wrapped_decorator import alike
from paddle_compat.core import grad_mode, mode
from paddle_compat.core.paddle3 import SINCE_3


class _Switch:
    """A context and a decorator, of functions and of generators, that sets the switch and puts it back."""

    def __init__(self) -> None:
        self._former = True

    def __call__(self, func: Callable[..., Any]) -> Callable[..., Any]:
        if not callable(func):
            raise TypeError(f"`{type(self).__name__.rstrip('_')}` decorates functions. Expected a function. Received: {func!r}")
        if inspect.isgeneratorfunction(func):

            def generate(*args: Any, **kwargs: Any) -> Any:
                return (yield from _inside(self, func(*args, **kwargs)))

            return alike(generate, func)

        def call(*args: Any, **kwargs: Any) -> Any:
            with copy.copy(self):
                return func(*args, **kwargs)

        return alike(call, func)

    def __enter__(self) -> None:
        raise TypeError(f"{type(self).__name__} is no context")

    def __exit__(self, *exception: Any) -> None:
        grad_mode.set_enabled(self._former)

    def clone(self) -> Any:
        """Another such switch.

        Returns:
            A switch of the same kind.

        Example:
            >>> import paddle_compat as paddle
            >>> with paddle.no_grad().clone():
            ...     paddle.is_grad_enabled()
            False
        """
        return type(self)()


def _inside(switch: _Switch, generator: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """A generator whose own steps run under the switch; what happens between them does not."""
    resume: Callable[[], Any] = functools.partial(next, generator)
    while True:
        try:
            with copy.copy(switch):
                value = resume()
        except StopIteration as end:
            return end.value
        try:
            sent = yield value
        except GeneratorExit:
            with copy.copy(switch):
                generator.close()
            raise
        except BaseException as error:
            resume = functools.partial(generator.throw, error)
        else:
            resume = functools.partial(generator.send, sent)


class no_grad_(_Switch):
    """Nothing is remembered for a backward pass: a context, or a decorator.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([2.0], stop_gradient=False)
        >>> with paddle.no_grad():
        ...     y = x * 2
        >>> y.stop_gradient
        True
        >>> @paddle.no_grad()
        ... def double(v):
        ...     return v * 2
        >>> double(x).stop_gradient
        True

    Follows Paddle 2.6.
    """

    def __enter__(self) -> None:
        self._former = torch.is_grad_enabled()
        grad_mode.set_enabled(False)


class enable_grad(_Switch):
    """Operators are remembered for a backward pass, within `no_grad` too: a context, or a decorator.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([2.0], stop_gradient=False)
        >>> with paddle.no_grad():
        ...     with paddle.enable_grad():
        ...         y = x * 2
        >>> y.stop_gradient
        False

    Follows Paddle 2.6.
    """

    def __enter__(self) -> None:
        self._former = torch.is_grad_enabled()
        grad_mode.set_enabled(True)


class set_grad_enabled(_Switch):
    """Whether operators are remembered for a backward pass: at once, and until the context that it may be is left.

    Args:
        mode (bool): whether they are.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.to_tensor([2.0], stop_gradient=False)
        >>> with paddle.set_grad_enabled(False):
        ...     y = x * 2
        >>> y.stop_gradient, paddle.is_grad_enabled()
        (True, True)

    Follows Paddle 2.6.
    """

    def __init__(self, mode: bool) -> None:
        if mode is not None and not isinstance(mode, (bool, int)):
            raise TypeError(
                f"Invalid type for argument `mode` of `set_grad_enabled`. Expected bool. Received: {type(mode).__name__} ({mode!r})"
            )
        self._former = torch.is_grad_enabled()
        self.mode = bool(mode)
        grad_mode.set_enabled(self.mode)

    def __enter__(self) -> None:
        return  # it took effect when it was made; as a decorator it is in force in the first call only, as in the wheel

    def clone(self) -> set_grad_enabled:
        """Another such switch, which takes effect at once.

        Returns:
            set_grad_enabled.

        Example:
            >>> import paddle_compat as paddle
            >>> with paddle.set_grad_enabled(False).clone():
            ...     paddle.is_grad_enabled()
            False
            >>> _ = paddle.set_grad_enabled(True)
        """
        return type(self)(self.mode)


def is_grad_enabled() -> bool:
    """Whether operators are remembered for a backward pass, in this thread; in static mode they never are before Paddle 3.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.is_grad_enabled()
        True
        >>> with paddle.no_grad():
        ...     paddle.is_grad_enabled()
        False

    Follows Paddle 2.6.
    """
    return (SINCE_3 or mode.in_dygraph_mode()) and torch.is_grad_enabled()


no_grad = no_grad_

__all__ = ["enable_grad", "is_grad_enabled", "no_grad", "set_grad_enabled"]

__getattr__ = missing(__name__)
