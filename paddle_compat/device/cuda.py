"""`paddle.device.cuda`: GPUs."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import InvalidArgumentError


def device_count() -> int:
    """How many GPUs there are.

    Returns:
        int.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.cuda.device_count() >= 0
        True

    Follows Paddle 2.6.
    """
    return torch.cuda.device_count()


def synchronize(device: Any = None) -> None:
    """Wait until a GPU has done what it was given.

    Args:
        device: CUDAPlace or number; None: the current one.
    Raises:
        ValueError: there is no GPU.

    Example:
        >>> from paddle_compat.device import cuda
        >>> all(cuda.synchronize(n) is None for n in range(cuda.device_count()))
        True

    Follows Paddle 2.6.
    """
    torch.cuda.synchronize(_index(device, "synchronize"))


def empty_cache() -> None:
    """Give GPU memory that is not in use back to the system.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.cuda.empty_cache()

    Follows Paddle 2.6.
    """
    torch.cuda.empty_cache()


def max_memory_allocated(device: Any = None) -> int:
    """The most memory of a GPU that tensors took, in bytes.

    Args:
        device: CUDAPlace or number; None: the current one.
    Returns:
        int.
    Raises:
        ValueError: there is no GPU.

    Example:
        >>> from paddle_compat.device import cuda
        >>> all(cuda.max_memory_allocated(n) >= 0 for n in range(cuda.device_count()))
        True

    Follows Paddle 2.6.
    """
    return torch.cuda.max_memory_allocated(_index(device, "max_memory_allocated"))


def max_memory_reserved(device: Any = None) -> int:
    """The most memory of a GPU that the allocator held, in bytes.

    Args:
        device: CUDAPlace or number; None: the current one.
    Returns:
        int.
    Raises:
        ValueError: there is no GPU.

    Example:
        >>> from paddle_compat.device import cuda
        >>> all(cuda.max_memory_reserved(n) >= 0 for n in range(cuda.device_count()))
        True

    Follows Paddle 2.6.
    """
    return torch.cuda.max_memory_reserved(_index(device, "max_memory_reserved"))


def memory_allocated(device: Any = None) -> int:
    """Memory of a GPU that tensors take now, in bytes.

    Args:
        device: CUDAPlace or number; None: the current one.
    Returns:
        int.
    Raises:
        ValueError: there is no GPU.

    Example:
        >>> from paddle_compat.device import cuda
        >>> all(cuda.memory_allocated(n) >= 0 for n in range(cuda.device_count()))
        True

    Follows Paddle 2.6.
    """
    return torch.cuda.memory_allocated(_index(device, "memory_allocated"))


def memory_reserved(device: Any = None) -> int:
    """Memory of a GPU that the allocator holds now, in bytes.

    Args:
        device: CUDAPlace or number; None: the current one.
    Returns:
        int.
    Raises:
        ValueError: there is no GPU.

    Example:
        >>> from paddle_compat.device import cuda
        >>> all(cuda.memory_reserved(n) >= 0 for n in range(cuda.device_count()))
        True

    Follows Paddle 2.6.
    """
    return torch.cuda.memory_reserved(_index(device, "memory_reserved"))


def get_device_name(device: Any = None) -> str:
    """A GPU's name.

    Args:
        device: CUDAPlace or number; None: the current one.
    Returns:
        str.
    Raises:
        ValueError: there is no GPU.

    Example:
        >>> from paddle_compat.device import cuda
        >>> all(cuda.get_device_name(n) != "" for n in range(cuda.device_count()))
        True

    Follows Paddle 2.6.
    """
    return torch.cuda.get_device_name(_index(device, "get_device_name"))


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """A GPU's compute capability.

    Args:
        device: CUDAPlace or number; None: the current one.
    Returns:
        Two ints, the major and the minor number.
    Raises:
        ValueError: there is no GPU.

    Example:
        >>> from paddle_compat.device import cuda
        >>> all(cuda.get_device_capability(n) >= (5, 0) for n in range(cuda.device_count()))
        True

    Follows Paddle 2.6.
    """
    return torch.cuda.get_device_capability(_index(device, "get_device_capability"))


def get_device_properties(device: Any = None) -> Any:
    """A GPU's name, memory and capability.

    Args:
        device: CUDAPlace, number or name; None: the current one.
    Returns:
        An object with `name`, `major`, `minor`, `total_memory`, `multi_processor_count`.
    Raises:
        ValueError: there is no GPU.

    Example:
        >>> from paddle_compat.device import cuda
        >>> all(cuda.get_device_properties(n).total_memory > 0 for n in range(cuda.device_count()))
        True

    Follows Paddle 2.6.
    """
    return torch.cuda.get_device_properties(_index(device, "get_device_properties"))


def _index(device: Any, api: str) -> int | None:
    if not torch.cuda.is_available():
        raise InvalidArgumentError(f"`paddle.device.cuda.{api}` needs a GPU. Expected one that torch sees. Received: none")
    if isinstance(device, str):
        return int(device.partition(":")[2] or 0)
    return device if device is None or isinstance(device, int) else device.get_device_id()


__getattr__ = missing(__name__)

__all__ = [
    "device_count", "empty_cache", "get_device_capability", "get_device_name", "get_device_properties", "max_memory_allocated",
    "max_memory_reserved", "memory_allocated", "memory_reserved", "synchronize",
]  # fmt: skip
