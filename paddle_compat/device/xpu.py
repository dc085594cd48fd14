"""`paddle.device.xpu`: Kunlun chips, of which there are none."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnavailableError


def device_count() -> int:
    """How many Kunlun chips there are: none.

    Returns:
        int.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.xpu.device_count()
        0

    Follows Paddle 2.6.
    """
    return 0


def synchronize(device: Any = None) -> None:
    """Wait for a Kunlun chip.

    Args:
        device (XPUPlace|int): which one.
    Raises:
        UnavailableError: there is none.

    Example:
        >>> import paddle_compat as paddle
        >>> try:
        ...     paddle.device.xpu.synchronize()
        ... except RuntimeError as error:
        ...     print(type(error).__name__)
        UnavailableError

    Follows Paddle 2.6.
    """
    raise UnavailableError(f"Invalid value for argument `device`. Expected a Kunlun chip: there is none. Received: {device}")


__all__ = ["synchronize"]

__getattr__ = missing(__name__)
