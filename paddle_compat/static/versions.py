"""Which versions of Paddle are spoken."""

from __future__ import annotations

import re

from paddle_compat._missing import missing


def require_version(min_version: str, max_version: str | None = None) -> None:
    """Raise where Paddle is older than `min_version` or newer than `max_version`.

    `paddle_compat` speaks 1.8 and all later versions, so it accepts any range that holds one of them.

    Args:
        min_version, max_version: such as "1.6.0".
    Raises:
        TypeError, ValueError: an argument is no version.
        Exception: no version spoken lies in the range.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.require_version("1.6.0")

    Follows Paddle 1.8 and 2.6.
    """
    for name, value in (("min_version", min_version), ("max_version", max_version)):
        if value is None and name == "max_version":
            continue
        if not isinstance(value, str):
            raise TypeError(f"Invalid type for argument `{name}` of `require_version`. Expected str. Received: {value!r}")
        if not re.fullmatch(r"\d+(\.\d+){0,3}", value):
            raise ValueError(
                f"Invalid value for argument `{name}` of `require_version`. Expected a version such as '1.6.0'. Received: {value!r}"
            )
    if max_version is not None and _numbers(max_version) < (1, 8, 0, 0):
        raise Exception(f"Paddle up to {max_version} is required, but paddle_compat follows 1.8 and later.")
    if _numbers(min_version) >= (4, 0, 0, 0):
        raise Exception(f"Paddle {min_version} or newer is required, but paddle_compat follows versions up to 3.x.")


def _numbers(version: str) -> tuple[int, ...]:
    parts = [int(p) for p in version.split(".")]
    return tuple(parts + [0] * (4 - len(parts)))


__all__ = ["require_version"]

__getattr__ = missing(__name__)
