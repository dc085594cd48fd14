"""Which data types of low precision a device computes in."""

from __future__ import annotations

import torch

from paddle_compat.core.place import CPUPlace, CUDAPlace, Place, current_place, place_of_name

# the least compute capability of a GPU that has the instructions
_CAPABILITY = {"float16": (7, 0), "bfloat16": (8, 0)}


def accelerated() -> bool:
    """Whether operators run on a GPU."""
    return isinstance(current_place(), CUDAPlace) and torch.cuda.is_available()


def capable(dtype: str, place: Place | None = None) -> bool:
    """Whether a GPU (None: the present one) has instructions for a data type."""
    device = (current_place() if place is None else place).torch_device
    return device.type == "cuda" and torch.cuda.get_device_capability(device) >= _CAPABILITY[dtype]


def _supported(dtype: str, device: str | Place | None) -> bool:
    place = current_place() if device is None else place_of_name(device, "device", f"is_{dtype}_supported")
    return capable(dtype, place) if isinstance(place, CUDAPlace) else dtype == "bfloat16" and isinstance(place, CPUPlace)


def is_float16_supported(device: str | Place | None = None) -> bool:
    """Whether a device has instructions for float16.

    Args:
        device (str|Place|None): None for the current one.
    Returns:
        bool: False for a CPU.
    Raises:
        ValueError: there is no such device.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.amp.is_float16_supported("cpu")
        False

    Follows Paddle 2.6.
    """
    return _supported("float16", device)


def is_bfloat16_supported(device: str | Place | None = None) -> bool:
    """Whether a device computes in bfloat16.

    Args:
        device (str|Place|None): None for the current one.
    Returns:
        bool: True for every CPU; Paddle asks it for AVX-512.
    Raises:
        ValueError: there is no such device.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.amp.is_bfloat16_supported("cpu")
        True

    Follows Paddle 2.6.
    """
    return _supported("bfloat16", device)
