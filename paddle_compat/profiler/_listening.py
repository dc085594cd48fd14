"""Methods that are heard only while a profiler runs, so that nobody pays for it at other times."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import Any

Listener = Callable[[Any], AbstractContextManager[Any]]
_heard: dict[tuple[type, str], tuple[Callable[..., Any], list[Listener]]] = {}


def listen(owner: type, method: str, listener: Listener) -> None:
    """Enter `listener(object)` around each call of a method, until `leave` takes it away; listeners may leave in any order."""
    if (owner, method) not in _heard:
        original = vars(owner)[method]
        listeners: list[Listener] = []
        _heard[owner, method] = original, listeners

        @functools.wraps(original)
        def heard(self: Any, *args: Any, **kwargs: Any) -> Any:
            with ExitStack() as stack:
                for each in listeners:
                    stack.enter_context(each(self))
                return original(self, *args, **kwargs)

        setattr(owner, method, heard)
    _heard[owner, method][1].append(listener)


def leave(owner: type, method: str, listener: Listener) -> None:
    """Take a listener away; the method is what it was when none is left."""
    original, listeners = _heard[owner, method]
    listeners.remove(listener)
    if not listeners:
        setattr(owner, method, original)
        del _heard[owner, method]
