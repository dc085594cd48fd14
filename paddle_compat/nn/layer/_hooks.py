"""Hooks of layers: functions that they call before and after `forward`."""

from __future__ import annotations

import warnings
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


class _Marked:
    """A hook with options of Paddle 3; plain hooks stand in the tables as they are.

    Args:
        function: the hook.
        with_kwargs: it takes the call's keyword arguments, too.
        always_call: it is called also where the call fails.
    """

    def __init__(self, function: Callable[..., Any], with_kwargs: bool, always_call: bool) -> None:
        self.function, self.with_kwargs, self.always_call = function, with_kwargs, always_call


def register(
    hooks: dict[int, Any], hook: Callable[..., Any], prepend: bool = False, with_kwargs: bool = False,
    always_call: bool = False,
) -> HookRemoveHelper:  # fmt: skip
    """Add a hook to those of a layer."""
    handle = HookRemoveHelper(hooks)
    others = dict(hooks) if prepend else {}
    for key in others:
        del hooks[key]
    hooks[handle._hook_id] = _Marked(hook, with_kwargs, always_call) if with_kwargs or always_call else hook
    hooks.update(others)
    return handle


def call(layer: Any, forward: Callable[..., Any], inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run a layer's forward with its hooks around it."""
    outputs, called = None, set()
    try:
        for hook in tuple(layer._forward_pre_hooks.values()):
            if isinstance(hook, _Marked):
                changed = hook.function(layer, inputs, kwargs)
                if changed is None:
                    continue
                if not isinstance(changed, tuple) or len(changed) != 2:
                    raise RuntimeError(
                        f"A forward pre-hook of `{type(layer).__name__}` with_kwargs returned {changed!r}. "
                        "Expected None or a pair (inputs, kwargs)."
                    )
                inputs, kwargs = changed
            elif (changed := hook(layer, inputs)) is not None:
                inputs = changed if isinstance(changed, tuple) else (changed,)
        outputs = forward(*inputs, **kwargs)
        for key, hook in tuple(layer._forward_post_hooks.items()):
            called.add(key)
            changed = _after(hook, layer, inputs, kwargs, outputs)
            if changed is not None:
                outputs = changed
        return outputs
    except Exception:
        for key, hook in tuple(layer._forward_post_hooks.items()):
            if isinstance(hook, _Marked) and hook.always_call and key not in called:
                try:
                    changed = _after(hook, layer, inputs, kwargs, outputs)
                except Exception as second:
                    warnings.warn(f"A forward hook with always_call=True failed after its layer had failed: {second}", stacklevel=3)
                else:
                    outputs = outputs if changed is None else changed
        raise


def _after(hook: Any, layer: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any], outputs: Any) -> Any:
    if not isinstance(hook, _Marked):
        return hook(layer, inputs, outputs)
    return hook.function(layer, inputs, *([kwargs] if hook.with_kwargs else []), outputs)
