"""Former names of arguments: scripts of the first 2.0 releases go on using those of 1.8."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def formerly(**names: str) -> Callable[[Function], Function]:
    """Let a function take arguments by these names, too: former name -> name now."""

    def decorate(function: Function) -> Function:
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            for former, now in names.items():
                if former in kwargs:
                    if now in kwargs:
                        raise TypeError(f"{function.__name__}() got both `{now}` and its former name `{former}`. Expected one of them")
                    kwargs[now] = kwargs.pop(former)
            return function(*args, **kwargs)

        return call  # type: ignore[return-value]

    return decorate
