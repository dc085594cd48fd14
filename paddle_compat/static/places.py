"""Lists of places."""

from __future__ import annotations

import os
import sys
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import NoDeviceError
from paddle_compat.core.place import CPUPlace, CUDAPinnedPlace, CUDAPlace, has_gpu, own_gpus


def cuda_places(device_ids: Any = None) -> list[CUDAPlace]:
    """One CUDAPlace for each GPU.

    Args:
        device_ids: numbers of GPUs; None: those in FLAGS_selected_gpus, else all visible ones, or, where
            several processes run on this machine, the one of this process (LOCAL_RANK). Where the CPU does what
            GPUs should (PADDLE_COMPAT_CPU=1): as many as the environment's CPU_NUM says.
    Returns:
        List of CUDAPlace.
    Raises:
        AssertionError: there is no GPU.

    Example:
        >>> import paddle_compat as paddle
        >>> if paddle.device.cuda.device_count() > 1:
        ...     assert str(paddle.static.cuda_places([0, 1])) == "[Place(gpu:0), Place(gpu:1)]"

    Follows Paddle 1.8 and 2.6.
    """
    try:
        there = has_gpu("cuda_places()")
    except NoDeviceError as error:
        raise AssertionError(f"Not compiled with CUDA. {error}") from None
    if device_ids is None:
        chosen = there or os.environ.get("FLAGS_selected_gpus")
        device_ids = own_gpus() if chosen else range(len(cpu_places()))
    elif not isinstance(device_ids, (list, tuple)):
        device_ids = [device_ids]
    return [CUDAPlace(i) for i in device_ids]


def cpu_places(device_count: int | None = None) -> list[CPUPlace]:
    """That many CPUPlaces.

    Args:
        device_count: how many; None: the environment's CPU_NUM, which becomes 1 with a warning where it is not set.
    Returns:
        List of CPUPlace.

    Example:
        >>> import paddle_compat as paddle
        >>> len(paddle.static.cpu_places(2))
        2

    Follows Paddle 1.8 and 2.6.
    """
    if device_count is None:
        if "CPU_NUM" not in os.environ:
            sys.stderr.write(
                "!!! The CPU_NUM is not specified, you should set CPU_NUM in the environment variable list.\n"
                "It says how many replicas on the CPU share the work.\n\n"
                f"export CPU_NUM={os.cpu_count()} # for example, one for each core of this machine\n\n"
                "!!! The default number of CPU_NUM=1.\n"
            )
            os.environ["CPU_NUM"] = "1"
        device_count = int(os.environ["CPU_NUM"])
    return [CPUPlace()] * device_count


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
