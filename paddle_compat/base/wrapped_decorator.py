"""`paddle.base.wrapped_decorator`: decorators that keep a function's name and signature."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing


def alike(made: Callable[..., Any], func: Callable[..., Any]) -> Callable[..., Any]:
    """Give a function the name and signature of another one that it calls, so that `inspect.getfullargspec` tells them, too."""
    functools.update_wrapper(made, func, updated=())
    with contextlib.suppress(TypeError, ValueError):  # functions of C's have none
        made.__signature__ = inspect.signature(func)  # type: ignore[attr-defined]
    return made


def wrap_decorator(decorator_func: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator like another one; what it returns has the name and signature of the function it is given.

    Args:
        decorator_func: the other one.
    Returns:
        The decorator.

    Example:
        >>> from paddle_compat.base.wrapped_decorator import wrap_decorator
        >>> @wrap_decorator(lambda f: lambda *args: f(*args) + 1)
        ... def total(x, y):
        ...     return x + y
        >>> total(1, 2), total.__name__
        (4, 'total')

    Follows Paddle 1.8 and 2.6.
    """

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        return alike(decorator_func(func), func)

    return decorate


def signature_safe_contextmanager(func: Callable[..., Any]) -> Callable[..., Any]:
    """`contextlib.contextmanager`, which keeps names and signatures.

    Args:
        func: a generator function that yields once.
    Returns:
        A function that gives context managers.

    Example:
        >>> from paddle_compat.base.wrapped_decorator import signature_safe_contextmanager
        >>> @signature_safe_contextmanager
        ... def number(x):
        ...     yield x
        >>> with number(3) as value:
        ...     print(value)
        3

    Follows Paddle 1.8 and 2.6.
    """
    return contextlib.contextmanager(func)


__all__ = ["signature_safe_contextmanager", "wrap_decorator"]

__getattr__ = missing(__name__)
