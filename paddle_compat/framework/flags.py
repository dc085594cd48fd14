"""Flags."""

from __future__ import annotations

from typing import Any

from paddle_compat.core import flags as _flags
from paddle_compat.core.errors import invalid_argument, type_error


def set_flags(flags: dict[str, Any]) -> None:
    """Set FLAGS.

    Flags that act here: ``FLAGS_check_nan_inf`` (every operator's outputs are checked), ``FLAGS_exact_random`` (dropout and
    sampling inside training draw the real Paddle's numbers). Paddle's others are kept and can be read.

    Args:
        flags: name -> value.
    Raises:
        TypeError: flags is no dict.
        ValueError: Paddle has no such flag, or lets no script set it.
        RuntimeError: the flag holds values of another type.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.set_flags({"FLAGS_check_nan_inf": False})

    Follows Paddle 1.8 and 2.6.
    """
    if not isinstance(flags, dict):
        raise type_error("flags", "a dict", flags, "set_flags")
    for name in flags:
        _check_public(name, "set_flags")
    _flags.set_values(flags)


def get_flags(flags: Any) -> dict[str, Any]:
    """Values of FLAGS.

    Args:
        flags: a name, or a list of names.
    Returns:
        Name -> value.
    Raises:
        TypeError: flags is neither.
        ValueError: there is no such flag.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.get_flags("FLAGS_check_nan_inf")
        {'FLAGS_check_nan_inf': False}

    Follows Paddle 1.8 and 2.6.
    """
    if not isinstance(flags, (str, list, tuple)):
        raise type_error("flags", "a name or a list of names", flags, "get_flags")
    names = [flags] if isinstance(flags, str) else flags
    for name in names:
        _check_public(name, "get_flags")
    return {name: _flags.get(name) for name in names}


def _check_public(name: Any, api: str) -> None:
    view = _flags.view()
    if name in view and not view.is_public(name):
        raise invalid_argument("flags", "flags that are public", name, api)
