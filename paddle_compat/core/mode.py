"""Which of the two ways of working is on: recording into Programs (static) or running at once (eager).

Paddle 2.x starts in eager mode, 1.8 in static mode. So the switch starts undecided: it counts as eager until somebody
sets it, or until an API that only static scripts call (`fluid.data`, `fluid.layers.fc`, `paddle.static.data`) settles it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_static: bool | None = None
watchers: list[Callable[[bool], None]] = []  # told whether static mode is on when that changes


def enable_static() -> None:
    """Record operators into the default Program from now on (Paddle 2.x).

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> paddle.in_dynamic_mode()
        False
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """
    set_static(True)


def disable_static(place: Any = None) -> None:
    """Run operators at once from now on (Paddle 2.x).

    Args:
        place: of no effect.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.disable_static()
        >>> paddle.in_dynamic_mode()
        True

    Follows Paddle 2.6.
    """
    set_static(False)


def in_dygraph_mode() -> bool:
    """Whether operators run at once.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.base.in_dygraph_mode()
        True

    Follows Paddle 2.6.
    """
    return not _static


def is_static() -> bool | None:
    """Whether static mode was chosen; None where nobody has chosen."""
    return _static


def settle_static() -> bool:
    """Called by APIs of static scripts: choose static mode where nobody has chosen. Returns whether static mode is on."""
    global _static
    if _static is None:
        set_static(True)
    return bool(_static)


def static_only(api: str) -> None:
    """AssertionError where eager mode was chosen: the API writes into Programs."""
    assert settle_static(), f"`{api}` works in static mode only. Expected paddle.enable_static(). Received: a call in eager mode"


def eager_only(api: str) -> None:
    """AssertionError in static mode, in Paddle's words: the API needs values."""
    if not in_dygraph_mode():
        raise AssertionError(
            f"We only support '{api}()' in dynamic graph mode, please call 'paddle.disable_static()' to enter dynamic graph mode."
        )


def set_static(value: bool | None) -> bool | None:
    """Set the switch (None: undecided) and return what it was."""
    global _static
    former, _static = _static, value
    if bool(former) != bool(value):
        for watcher in watchers:
            watcher(bool(value))
    return former
