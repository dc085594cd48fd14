"""`paddle.jit.sot.psdb`: what functions say to whoever records them; eager mode passes over it."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any, TypeVar

from paddle_compat._missing import missing
from paddle_compat.base.dygraph.base import in_to_static_mode as in_sot  # noqa: F401 - scripts ask it

_F = TypeVar("_F", bound=Callable[..., Any])


def assert_true(input: bool) -> None:
    """Raise AssertionError where this is not true."""
    assert input, f"Expected something true. Received: {input!r}"


def print(*args: Any, **kwargs: Any) -> None:
    """Print, also while a function is recorded."""
    builtins.print("[Dygraph]", *args, **kwargs)


def breakgraph() -> None:
    """A place where a recording may end: none does, as functions are recorded whole or not at all."""


def fallback(recursive: bool = False) -> None:
    """A place where eager mode may take over, which it does where it has to only."""


def check_no_breakgraph(fn: _F) -> _F:
    """The function itself."""
    return fn


check_no_fallback = check_no_breakgraph

__all__: list[str] = []

__getattr__ = missing(__name__)
