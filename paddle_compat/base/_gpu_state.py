"""What `paddle.base.core` tells of GPUs: their memory, and what draws their random numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch

from paddle_compat.core.errors import PermissionDeniedError, invalid_argument
from paddle_compat.core.random import Generator, default_generator

_PRESENT = {"Allocated": torch.cuda.memory_allocated, "Reserved": torch.cuda.memory_reserved}
_PEAK = {"Allocated": torch.cuda.max_memory_allocated, "Reserved": torch.cuda.max_memory_reserved}


def device_memory_stat_current_value(stat_type: str, dev_id: int) -> int:
    """Memory of a GPU that is taken now.

    Args:
        stat_type (str): "Allocated": what Tensors take; "Reserved": what is held for them.
        dev_id (int): the GPU's number.
    Returns:
        int: bytes; 0 where there is no GPU.
    Raises:
        ValueError: stat_type is another one.

    Example:
        >>> from paddle_compat.base import core
        >>> core.device_memory_stat_current_value("Allocated", 0) >= 0
        True

    Follows Paddle 2.6.
    """
    return _told(_PRESENT, stat_type, dev_id, "device_memory_stat_current_value")


def device_memory_stat_peak_value(stat_type: str, dev_id: int) -> int:
    """The most memory of a GPU that was taken.

    Args:
        stat_type (str): "Allocated": what Tensors took; "Reserved": what was held for them.
        dev_id (int): the GPU's number.
    Returns:
        int: bytes; 0 where there is no GPU.
    Raises:
        ValueError: stat_type is another one.

    Example:
        >>> from paddle_compat.base import core
        >>> core.device_memory_stat_peak_value("Reserved", 0) >= 0
        True

    Follows Paddle 2.6.
    """
    return _told(_PEAK, stat_type, dev_id, "device_memory_stat_peak_value")


def _told(known: Mapping[str, Callable[[int], int]], kind: str, number: int, api: str) -> int:
    if kind not in known:
        raise invalid_argument("stat_type", "'Allocated' or 'Reserved'", kind, api)
    return known[kind](number) if number < torch.cuda.device_count() else 0


def default_cuda_generator(dev_id: int) -> Generator:
    """The generator of a GPU, which `paddle.seed` seeds.

    Args:
        dev_id (int): the GPU's number.
    Returns:
        Generator.
    Raises:
        RuntimeError: there is no such GPU.

    Example:
        >>> import torch
        >>> from paddle_compat.base import core
        >>> all(core.default_cuda_generator(n).initial_seed() >= 0 for n in range(torch.cuda.device_count()))
        True

    Follows Paddle 2.6.
    """
    if dev_id >= torch.cuda.device_count():
        raise PermissionDeniedError(f"Invalid value for argument `dev_id`. Expected the number of a GPU. Received: {dev_id}")
    return default_generator(torch.device("cuda", dev_id))
