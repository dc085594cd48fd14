"""Paddle's FLAGS: read from the environment, set by `paddle.set_flags`."""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

import numpy as np

from paddle_compat.core import ranks
from paddle_compat.core.errors import NotFoundError, PreconditionNotMetError, invalid_argument

# Flags that act here, with their defaults; every other flag that some version of Paddle has is kept and readable, without
# effect.
_DEFAULTS: dict[str, Any] = {
    "FLAGS_check_nan_inf": False,
    "FLAGS_use_cinn": False,
    "FLAGS_cudnn_deterministic": False,
    # exact dropout masks and sampling inside training steps, as the real Paddle draws them on CPU
    "FLAGS_exact_random": False,
    "FLAGS_set_to_1d": False,
}
# what scripts cannot read or set by `get_flags` and `set_flags`
_FIXED = frozenset({"FLAGS_free_idle_chunk", "FLAGS_free_when_no_cache_hit", "FLAGS_print_allocator_trace_info"})
_values: dict[str, Any] = {}
_version = 0


@cache
def _idle() -> dict[str, Any]:
    """Paddle's flags that do not act here, with their defaults there."""
    with open(os.path.join(os.path.dirname(__file__), "_flags.txt"), encoding="utf-8") as lines:
        return {name: json.loads(value) for name, value in (line.split(" ", 1) for line in lines)}


def _from_environment(name: str, default: Any) -> Any:
    text = os.environ.get(name)
    if text is None:
        return default
    if isinstance(default, bool):
        return text.lower() in ("1", "true", "on", "yes")
    return type(default)(text) if default is not None else text


def get(name: str) -> Any:
    """The value of a flag."""
    if name not in _values:
        defaults = _DEFAULTS if name in _DEFAULTS else _idle()
        if name not in defaults and name not in os.environ:
            raise invalid_argument("flags", "names of flags that Paddle has", name, "get_flags")
        _values[name] = _from_environment(name, defaults.get(name))
    return _values[name]


def set_values(flags: dict[str, Any]) -> None:
    """Set flags, or none of them where one is unknown."""
    global _version
    for name in flags:
        if name not in _DEFAULTS and name not in _idle():
            raise invalid_argument("flags", "names of flags that Paddle has", name, "set_flags")
    _values.update({name: _as_flag(name, value) for name, value in flags.items()})
    _version += 1
    if "FLAGS_check_nan_inf" in flags:
        from paddle_compat.core.eager import set_check_finite

        set_check_finite(_values["FLAGS_check_nan_inf"])
    if "FLAGS_set_to_1d" in flags:
        for watcher in ranks.watchers:
            watcher(_values["FLAGS_set_to_1d"])


def _as_flag(name: str, value: Any) -> Any:
    """A value as the flag's data type has it: numbers become one another's kinds where that loses nothing, texts stay texts."""
    kind = type((_DEFAULTS if name in _DEFAULTS else _idle())[name])
    number = isinstance(value, (int, float, np.generic))
    fits = {
        bool: number or value is None, int: number and not isinstance(value, float), float: number, str: isinstance(value, str),
    }[kind]  # fmt: skip
    if not fits:
        raise PreconditionNotMetError(f"Flag `{name}` cannot hold the value. Expected {kind.__name__}. Received: {value!r}")
    return kind(value)


def version() -> int:
    """Grows with every change, so that what was lowered under other flags is made again."""
    return _version


class FlagsView:
    """The flags as a mapping, by name."""

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise NotFoundError(f"Flag `{name}` is not there. Expected one of those that Paddle has. Received: {name}")
        return get(name)

    def __setitem__(self, name: str, value: Any) -> None:
        if name not in self or name in _FIXED:
            raise NotFoundError(f"Flag `{name}` is not writable. Expected one of those that Paddle lets scripts set. Received: {name}")
        set_values({name: value})

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a flag, or the default where there is no such flag."""
        return get(name) if name in self else default

    def get_default(self, name: str) -> Any:
        """The value that a flag has without being set."""
        return (_DEFAULTS if name in _DEFAULTS else _idle())[name]

    def is_public(self, name: str) -> bool:
        """Whether scripts may set the flag."""
        return name in self and name not in _FIXED

    def __contains__(self, name: str) -> bool:
        return name in _DEFAULTS or name in _idle() or name in os.environ

    def keys(self) -> set[str]:
        """Names of the flags."""
        return {*_DEFAULTS, *_idle()}


def view() -> FlagsView:
    """The flags as a mapping."""
    return FlagsView()
