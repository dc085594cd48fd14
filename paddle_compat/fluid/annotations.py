"""`paddle.fluid.annotations`: a mark for functions that another one took the place of."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from paddle_compat._missing import missing

F = TypeVar("F", bound=Callable[..., Any])


def deprecated(since: str, instead: str, extra_message: str = "") -> Callable[[F], F]:
    """Make a function say, at each call and in its documentation, that another one took its place.

    Args:
        since (str): the version from which on it is out of date.
        instead (str): what to use.
        extra_message (str): a line more.
    Returns:
        A decorator.

    Example:
        >>> from paddle_compat.fluid.annotations import deprecated
        >>> @deprecated(since="1.4", instead="new")
        ... def old():
        ...     "What it does."
        >>> print(old.__doc__)
        What it does.
            API old is deprecated since 1.4. Please use new instead.

    Follows Paddle 1.8.
    """

    def decorate(function: F) -> F:
        text = f"API {function.__name__} is deprecated since {since}. Please use {instead} instead."
        text += f"\n{extra_message}" if extra_message else ""

        @functools.wraps(function)
        def warned(*args: Any, **kwargs: Any) -> Any:
            print(text, file=sys.stderr)
            return function(*args, **kwargs)

        warned.__doc__ = f"{(function.__doc__ or '').rstrip()}\n    {text}"
        return warned  # type: ignore[return-value]

    return decorate


__all__ = ["deprecated"]

__getattr__ = missing(__name__)
