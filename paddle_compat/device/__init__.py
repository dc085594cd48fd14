"""`paddle.device`: choosing and asking about devices."""

from __future__ import annotations

import sys
from typing import Any

import torch

from paddle_compat._lazy import lazy, modules
from paddle_compat.core.errors import PreconditionNotMetError, invalid_argument
from paddle_compat.core.place import (
    CPUPlace,
    CUDAPinnedPlace,
    CUDAPlace,
    IPUPlace,
    Place,
    XPUPlace,
    current_place,
    place_of_name,
    set_current_place,
)
from paddle_compat.core.tensor import Tensor
from paddle_compat.device import cuda
from paddle_compat.device._choosing import (
    CallableModule,
    Device,
    device,
    device_guard,
    device_to_place,
    get_default_device,
    get_device_module,
    place_of,
    set_default_device,
)
from paddle_compat.device._streams import Event, Stream, current_stream, set_stream, stream_guard


def set_device(device: Any) -> Place:
    """Make a device the current one.

    Args:
        device (str|Place|int|None): "cpu", "gpu" or "gpu:N"; a number among the GPUs (0 without GPUs: the CPU); None: nothing changes.
    Returns:
        Its place.
    Raises:
        ValueError: there is no such device.
        AttributeError: it is no name.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.set_device("cpu")
        Place(cpu)

    Follows Paddle 2.6, which takes names only, and 3.3.
    """
    if device is not None and not isinstance(device, (str, Place, int)):
        raise AttributeError(f"Invalid value for argument `device` of `set_device`. Expected 'cpu', 'gpu' or 'gpu:N'. Received: {device!r}")
    place = place_of_name(device, "device", "set_device") if isinstance(device, (str, Place)) else place_of(device)
    set_current_place(place)
    return place


def get_device(input: Any = None) -> str | int:
    """The current device, "cpu" or "gpu:N"; of a Tensor, the number of its GPU.

    Args:
        input (Tensor): as in Paddle 3; None: what is current.
    Returns:
        str; for a Tensor int, -1 on the CPU.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.get_device() in ("cpu", "gpu:0")
        True

    Follows Paddle 2.6.
    """
    if isinstance(input, Tensor):
        return -1 if input.place.is_cpu_place() else input.place.get_device_id()
    place = current_place()
    return "cpu" if place.is_cpu_place() else f"gpu:{place.get_device_id()}"


def get_cudnn_version() -> int | None:
    """cuDNN's version, None without GPUs.

    Returns:
        int, as 8902, or None.

    Example:
        >>> import paddle_compat as paddle
        >>> version = paddle.device.get_cudnn_version()

    Follows Paddle 2.6.
    """
    return torch.backends.cudnn.version() if torch.cuda.is_available() else None


def is_compiled_with_cuda() -> bool:
    """Whether GPUs can be used: here, whether torch sees one.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.is_compiled_with_cuda() in (True, False)
        True

    Follows Paddle 2.6.
    """
    return torch.cuda.is_available()


def is_compiled_with_distribute() -> bool:
    """Whether distributed training can be used.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.is_compiled_with_distribute() in (True, False)
        True

    Follows Paddle 2.6.
    """
    return torch.distributed.is_available()


def is_compiled_with_xpu() -> bool:
    """Whether Kunlun chips can be used: never.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.is_compiled_with_xpu()
        False

    Follows Paddle 2.6.
    """
    return False


def is_compiled_with_rocm() -> bool:
    """Whether torch is built for AMD GPUs.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.is_compiled_with_rocm() in (True, False)
        True

    Follows Paddle 2.6.
    """
    return torch.version.hip is not None


def is_compiled_with_ipu() -> bool:
    """Whether Graphcore chips can be used: never.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.is_compiled_with_ipu()
        False

    Follows Paddle 2.6.
    """
    return False


def is_compiled_with_npu() -> bool:
    """Whether Ascend chips can be used: never.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.is_compiled_with_npu()
        False

    Follows Paddle 2.4, the last to have it.
    """
    return False


def is_compiled_with_mlu() -> bool:
    """Whether Cambricon chips can be used: never.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.is_compiled_with_mlu()
        False

    Follows Paddle 2.4, the last to have it.
    """
    return False


def is_compiled_with_cinn() -> bool:
    """Whether CINN, Paddle's own compiler, can be used: never.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.is_compiled_with_cinn()
        False

    Follows Paddle 2.6.
    """
    return False


def is_compiled_with_custom_device(device_type: str) -> bool:
    """Whether a plug-in device can be used: never.

    Args:
        device_type: its name.
    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.is_compiled_with_custom_device("npu")
        False

    Follows Paddle 2.6.
    """
    return False


def get_all_device_type() -> list[str]:
    """Kinds of devices there are.

    Returns:
        List of str.

    Example:
        >>> import paddle_compat as paddle
        >>> "cpu" in paddle.device.get_all_device_type()
        True

    Follows Paddle 2.6.
    """
    return ["cpu", "gpu"] if torch.cuda.is_available() else ["cpu"]


def get_all_custom_device_type() -> list[str]:
    """Kinds of plug-in devices there are: none.

    Returns:
        List of str.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.get_all_custom_device_type()
        []

    Follows Paddle 2.6.
    """
    return []


def get_available_device() -> list[str]:
    """All devices there are, by name.

    Returns:
        List of str.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.get_available_device()[0]
        'cpu'

    Follows Paddle 2.6.
    """
    return ["cpu", *(f"gpu:{i}" for i in range(torch.cuda.device_count()))]


def get_available_custom_device() -> list[str]:
    """All plug-in devices there are: none.

    Returns:
        List of str.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.get_available_custom_device()
        []

    Follows Paddle 2.6.
    """
    return []


def synchronize(device: Any = None) -> None:
    """Wait until a GPU has done what it was given.

    Args:
        device: its name or place; None: the current device.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.synchronize("cpu")

    Follows Paddle 2.6.
    """
    place = current_place() if device is None else place_of_name(device, "device", "synchronize")
    if place.is_gpu_place() and place.torch_device.type == "cuda":
        torch.cuda.synchronize(place.torch_device)


def _convert_to_place(device: str) -> Place:
    """The place that a device name stands for, which libraries ask by this name."""
    return place_of_name(device, "device", "set_device")


_TYPED = tuple(f"{kind}Tensor" for kind in ("BFloat16", "Bool", "Byte", "Char", "Double", "Float", "Half", "Int", "Long", "Short"))

__getattr__, __dir__, _further = lazy(
    __name__,
    {
        "_accelerators": (
            "StreamContext", "amp", "nvtx", "current_device", "get_rng_state", "get_stream_from_external", "ipc_collect", "is_available",
            "is_bf16_supported", "is_current_stream_capturing", "manual_seed", "manual_seed_all", "reset_max_memory_allocated",
            "reset_max_memory_reserved", "reset_peak_memory_stats", "set_rng_state", "stream",
        ),
        "cuda": (
            "device_count", "empty_cache", "get_device_capability", "get_device_name", "get_device_properties", "max_memory_allocated",
            "max_memory_reserved", "memory_allocated", "memory_reserved",
        ),
        ".base": ("framework",),  # as Paddle's own import leaves it there
        ".tensor._paddle3_made": _TYPED,
    },
)  # fmt: skip
sys.modules[__name__].__class__ = CallableModule

__all__ = [
    "CPUPlace", "CUDAPinnedPlace", "CUDAPlace", "Device", "Event", "IPUPlace", "Stream", "XPUPlace", "cuda", "current_stream",
    "device", "device_guard", "device_to_place", "get_all_custom_device_type", "get_all_device_type", "get_available_custom_device",
    "get_available_device", "get_cudnn_version", "get_default_device", "get_device", "get_device_module", "is_compiled_with_cinn",
    "is_compiled_with_cuda", "is_compiled_with_custom_device", "is_compiled_with_distribute", "is_compiled_with_ipu",
    "is_compiled_with_mlu", "is_compiled_with_npu", "is_compiled_with_rocm", "is_compiled_with_xpu", "set_default_device", "set_device",
    "set_stream", "stream_guard", "synchronize",
    *(name for name in _further if name != "framework"),
]  # fmt: skip

modules(
    __name__,
    {
        "cpu": (
            "device_count", "get_rng_state", "manual_seed", "max_memory_allocated", "max_memory_reserved", "reset_max_memory_allocated",
            "reset_max_memory_reserved", "set_rng_state",
        ),
    },
)  # fmt: skip
