"""Hooks of layers: functions that they call before and after `forward`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class HookRemoveHelper:
    """What registering a hook returns: `remove()` takes the hook away.

    Args:
        hooks: those of the layer, by their numbers.
    """

    _next = 0

    def __init__(self, hooks: dict[int, Any]) -> None:
        self._hooks = hooks
        self._hook_id = HookRemoveHelper._next
        HookRemoveHelper._next += 1

    def remove(self) -> None:
        """Take the hook away."""
        self._hooks.pop(self._hook_id, None)


def register(hooks: dict[int, Any], hook: Callable[..., Any]) -> HookRemoveHelper:
    """Add a hook to those of a layer."""
    handle = HookRemoveHelper(hooks)
    hooks[handle._hook_id] = hook
    return handle
