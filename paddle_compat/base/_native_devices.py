"""What `paddle.base.core` tells of chips of other makers, which are not there, and the switch of gradients."""

from __future__ import annotations

from typing import NoReturn

import torch

from paddle_compat.core import grad_mode
from paddle_compat.core.errors import NotFoundError, PermissionDeniedError, type_error
from paddle_compat.core.place import CustomPlace


def default_xpu_generator(device_id: int) -> NoReturn:
    """The generator of an XPU, of which there is none.

    Args:
        device_id (int): its number.
    Raises:
        RuntimeError: always.

    Example:
        >>> from paddle_compat.base import core
        >>> core.default_xpu_generator(0)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        paddle_compat.core.errors.PermissionDeniedError: ...

    Follows Paddle 2.6.
    """
    raise PermissionDeniedError(f"Invalid value for argument `device_id`. Expected an XPU. Received: {device_id}, and there is none")


def default_custom_device_generator(place: CustomPlace) -> NoReturn:
    """The generator of a chip that a plugin brings, of which there is none.

    Args:
        place (CustomPlace): where it is.
    Raises:
        TypeError: always: nothing is a CustomPlace.

    Example:
        >>> from paddle_compat.base import core
        >>> core.default_custom_device_generator(None)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        paddle_compat.core.errors.WrongInputError: ...

    Follows Paddle 2.6.
    """
    raise type_error("place", "CustomPlace", place, "default_custom_device_generator")


def get_custom_device_count(device_type: str) -> NoReturn:
    """How many chips a plugin brings.

    Args:
        device_type (str): their kind.
    Raises:
        RuntimeError: always: there is no plugin.

    Example:
        >>> from paddle_compat.base import core
        >>> core.get_custom_device_count("npu")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        paddle_compat.core.errors.NotFoundError: ...

    Follows Paddle 2.6.
    """
    raise NotFoundError(f"Invalid value for argument `device_type`. Expected a kind that a plugin brings. Received: {device_type}")


def _has_grad() -> bool:
    """Whether what is computed now may have gradients.

    Returns:
        bool: so it is, or not.

    Example:
        >>> from paddle_compat.base import core
        >>> core._has_grad()
        True

    Follows Paddle 3.3.
    """
    return torch.is_grad_enabled()


def _set_has_grad(has_grad: bool) -> None:
    """Let what is computed from now on have gradients, or not.

    Args:
        has_grad (bool): whether it may.

    Example:
        >>> from paddle_compat.base import core
        >>> core._set_has_grad(True)

    Follows Paddle 3.3.
    """
    grad_mode.set_enabled(has_grad)
