"""What Paddle says of its search for fast kernels: there is none here, as on Paddle's CPUs, but its steps are counted."""

from __future__ import annotations

from typing import Any

from paddle_compat.core import flags

_FLAG = "FLAGS_use_autotune"
_step = -1


def _switch(value: bool) -> None:
    global _step
    _step = -1
    flags.set_values({_FLAG: value})


def enable_autotune() -> None:
    """Set FLAGS_use_autotune and count steps from the start; PyTorch chooses kernels by itself.

    Example:
        >>> from paddle_compat.base import core
        >>> core.enable_autotune(); core.autotune_status()["step_id"]
        -1
        >>> core.disable_autotune()

    Follows Paddle 2.6.
    """
    _switch(True)


def disable_autotune() -> None:
    """Undo `enable_autotune`.

    Example:
        >>> from paddle_compat.base import core
        >>> core.disable_autotune()

    Follows Paddle 2.6.
    """
    _switch(False)


def set_autotune_range(start: int, stop: int) -> None:
    """Say in which steps kernels are tried; of no effect.

    Args:
        start, stop (int): the first step, and the one after the last.

    Example:
        >>> from paddle_compat.base import core
        >>> core.set_autotune_range(1, 3)

    Follows Paddle 2.6.
    """


def update_autotune_status() -> None:
    """Count a step.

    Example:
        >>> from paddle_compat.base import core
        >>> core.disable_autotune(); core.update_autotune_status(); core.autotune_status()["step_id"]
        0

    Follows Paddle 2.6.
    """
    global _step
    _step += 1


def autotune_status() -> dict[str, Any]:
    """How far the search for kernels is.

    Returns:
        dict: the number of the step, and of the kernels that are known, none.

    Example:
        >>> from paddle_compat.base import core
        >>> core.disable_autotune(); core.autotune_status()
        {'step_id': -1, 'cache_size': 0, 'cache_hit_rate': 0.0}

    Follows Paddle 2.6.
    """
    return {"step_id": _step, "cache_size": 0, "cache_hit_rate": 0.0}
