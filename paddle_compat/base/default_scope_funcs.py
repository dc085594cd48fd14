"""`paddle.base.default_scope_funcs`: a stack of scopes for each thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.scope import Scope, ScopeVariable

_of_thread = threading.local()


def _stack() -> list[Scope]:
    stack: list[Scope] | None = getattr(_of_thread, "stack", None)
    if not stack:
        stack = _of_thread.stack = [Scope()]
    return stack


def get_cur_scope() -> Scope:
    """The scope on top.

    Returns:
        Scope.

    Example:
        >>> from paddle_compat.base import default_scope_funcs
        >>> default_scope_funcs.get_cur_scope() is default_scope_funcs.get_cur_scope()
        True

    Follows Paddle 1.8 and 2.6.
    """
    return _stack()[-1]


def enter_local_scope() -> None:
    """Put a new scope on top, below the former one in look-ups.

    Example:
        >>> from paddle_compat.base import default_scope_funcs
        >>> default_scope_funcs.enter_local_scope()
        >>> default_scope_funcs.leave_local_scope()

    Follows Paddle 1.8 and 2.6.
    """
    _stack().append(get_cur_scope().new_scope())


def leave_local_scope() -> None:
    """Take the scope on top away, with the variables in it.

    Example:
        >>> from paddle_compat.base import default_scope_funcs
        >>> default_scope_funcs.enter_local_scope()
        >>> _ = default_scope_funcs.var("x")
        >>> default_scope_funcs.leave_local_scope()
        >>> default_scope_funcs.find_var("x") is None
        True

    Follows Paddle 1.8 and 2.6.
    """
    _stack().pop()
    get_cur_scope().drop_kids()


def var(name: str) -> ScopeVariable:
    """The variable of that name in the scope on top, made if need be.

    Args:
        name: the variable's name.
    Returns:
        The variable's place in the scope.

    Example:
        >>> from paddle_compat.base import default_scope_funcs
        >>> default_scope_funcs.scoped_function(lambda: print(default_scope_funcs.var("x").name))
        x

    Follows Paddle 1.8 and 2.6.
    """
    return get_cur_scope().var(name)


def find_var(name: str) -> ScopeVariable | None:
    """The variable of that name in the scope on top or one below it; None when there is none.

    Args:
        name: the variable's name.
    Returns:
        The variable's place in the scope, or None.

    Example:
        >>> from paddle_compat.base import default_scope_funcs
        >>> default_scope_funcs.find_var("nobody") is None
        True

    Follows Paddle 1.8 and 2.6.
    """
    return get_cur_scope().find_var(name)


def scoped_function(func: Callable[[], Any]) -> None:
    """Call a function within a scope of its own; what it returns is dropped.

    Args:
        func: takes nothing.

    Example:
        >>> from paddle_compat.base import default_scope_funcs
        >>> default_scope_funcs.scoped_function(lambda: default_scope_funcs.var("x"))
        >>> default_scope_funcs.find_var("x") is None
        True

    Follows Paddle 1.8 and 2.6.
    """
    enter_local_scope()
    try:
        func()
    finally:
        leave_local_scope()


__all__ = ["enter_local_scope", "find_var", "get_cur_scope", "leave_local_scope", "scoped_function", "var"]

__getattr__ = missing(__name__)
