"""Lists of places."""

from __future__ import annotations

import os
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.place import CPUPlace, CUDAPinnedPlace, CUDAPlace


def cuda_places(device_ids: Any = None) -> list[CUDAPlace]:
    """One CUDAPlace for each GPU.

    Args:
        device_ids: numbers of GPUs; None: those in FLAGS_selected_gpus, else all visible ones.
    Returns:
        List of CUDAPlace.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.static.cuda_places([0, 1])
        [Place(gpu:0), Place(gpu:1)]

    Follows Paddle 1.8 and 2.6.
    """
    if device_ids is None:
        chosen = os.environ.get("FLAGS_selected_gpus")
        device_ids = [int(s) for s in chosen.split(",")] if chosen else range(torch.cuda.device_count())
    elif not isinstance(device_ids, (list, tuple)):
        device_ids = [device_ids]
    return [CUDAPlace(i) for i in device_ids]


def cpu_places(device_count: int | None = None) -> list[CPUPlace]:
    """That many CPUPlaces.

    Args:
        device_count: how many; None: the environment's CPU_NUM, else 1.
    Returns:
        List of CPUPlace.

    Example:
        >>> import paddle_compat as paddle
        >>> len(paddle.static.cpu_places(2))
        2

    Follows Paddle 1.8 and 2.6.
    """
    return [CPUPlace()] * (int(os.environ.get("CPU_NUM", 1)) if device_count is None else device_count)


def cuda_pinned_places(device_count: int | None = None) -> list[CUDAPinnedPlace]:
    """That many CUDAPinnedPlaces.

    Args:
        device_count: how many; None: the environment's CPU_NUM, else 1.
    Returns:
        List of CUDAPinnedPlace.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> fluid.cuda_pinned_places(1)
        [Place(gpu_pinned)]

    Follows Paddle 1.8 and 2.6.
    """
    return [CUDAPinnedPlace()] * len(cpu_places(device_count))


__all__ = ["cpu_places", "cuda_pinned_places", "cuda_places"]

__getattr__ = missing(__name__)
