"""Devices by name, and blocks of code in which one is the current one, as Paddle 3 has them."""

from __future__ import annotations

import importlib
from types import ModuleType, TracebackType
from typing import Any

import torch

from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.place import CPUPlace, CUDAPlace, Place, current_place, has_gpu, place_of_name, set_current_place

_KINDS = ("cpu", "gpu", "cuda", "xpu", "npu", "dcu", "custom")


def place_of(device: Any, argument: str = "device", api: str | None = None) -> Place:
    """The place that a device stands for: a name, a place, a number of a GPU (0 without GPUs: the CPU), or None for the current one.

    Raises:
        ValueError: it is none of these, or there is no such device.
    """
    if device is None:
        return current_place()
    if isinstance(device, int):
        if device == 0 and not torch.cuda.is_available():
            return CPUPlace()
        has_gpu(f"Device {device!r}")
        return CUDAPlace(device)
    return place_of_name("cpu" if isinstance(device, str) and device.partition(":")[0] == "cpu" else device, argument, api)


def name_of(place: Place) -> str:
    """What `get_device` calls a place."""
    return "cpu" if place.is_cpu_place() else f"gpu:{place.get_device_id()}"


class _Within:
    """A block of code in which a device is the current one."""

    _before: Place | None = None
    _place: Place | None

    def __enter__(self) -> Any:
        self._before = current_place()
        if self._place is not None:
            set_current_place(self._place)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._before is not None:
            set_current_place(self._before)


class device(_Within):
    """Make a device the current one inside a `with` block.

    Args:
        device (str|Place|int|None): its name, its place or its number among the GPUs; None: nothing changes.
    Raises:
        ValueError: there is no such device.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.device.device("cpu"):
        ...     paddle.ones([2]).place
        Place(cpu)

    Follows Paddle 3.3.
    """

    def __init__(self, device: Any = None) -> None:
        # as in Paddle, what is no device at all changes nothing
        self._place = place_of(device, "device", "paddle.device.device") if isinstance(device, (str, Place, int)) else None


class device_guard(_Within):
    """Make a device the current one inside a `with` block.

    Args:
        device (str|Place): its name or its place.
    Raises:
        ValueError: it is neither, or there is no such device.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.device.device_guard("cpu"):
        ...     paddle.ones([2]).place
        Place(cpu)

    Follows Paddle 3.3.
    """

    def __init__(self, device: Any) -> None:
        if not isinstance(device, (str, Place)):
            raise invalid_argument("device", "a name or a Place", repr(device), "paddle.device.device_guard")
        self._place = place_of(device, "device", "paddle.device.device_guard")


class Device(str):
    """The name of a device, which a `with` block makes the current one. `paddle.device(...)` makes these, too.

    Args:
        type (str|Place|int): a name such as "cpu" or "gpu:0", a place, or the number of a GPU.
        index (int): the number, where the name has none.
    Raises:
        ValueError: no kind of device has that name.
        TypeError: it is nothing of these.

    Example:
        >>> import paddle_compat as paddle
        >>> second = paddle.device("cuda", 1)
        >>> second, second.type, second.index
        ('cuda:1', 'cuda', 1)
        >>> with paddle.device("cpu") as cpu:
        ...     paddle.ones([2]).place, cpu.index
        (Place(cpu), None)

    Follows Paddle 3.3.
    """

    _entered: list[device]

    def __new__(cls, type: Any, index: int | None = None) -> Device:
        """Make its text.

        Args:
            type, index: as the class says.
        Returns:
            Device.
        """
        if isinstance(type, Place):
            name = name_of(type)
        elif isinstance(type, int):
            name = f"cuda:{type}"
        elif isinstance(type, str):
            name = type
        else:
            raise type_error("type", "a device's name, its Place or its number", repr(type), "paddle.device")
        kind, colon, number = name.lower().partition(":")
        if kind not in _KINDS:
            raise invalid_argument("type", f"a kind of device: {', '.join(_KINDS)}", name, "paddle.device")
        number = str(int(number) if colon else index or 0)
        made = super().__new__(cls, "cpu" if kind == "cpu" else f"{kind}:{number}")
        made._entered = []
        return made

    def __getnewargs__(self) -> tuple[str]:
        return (str(self),)

    @property
    def type(self) -> str:
        """The kind of device."""
        return str(self).partition(":")[0]

    @property
    def index(self) -> int | None:  # type: ignore[override]
        """Its number; None: there is but one."""
        return int(self.partition(":")[2]) if ":" in self else None

    def __enter__(self) -> Device:
        within = device(str(self))
        within.__enter__()
        self._entered.append(within)
        return self

    def __exit__(self, *error: Any) -> None:
        self._entered.pop().__exit__(*error)


class CallableModule(ModuleType):
    """`paddle.device`: a module that is called for a `Device`."""

    def __call__(self, type: Any, index: int | None = None) -> Device:
        """The device of a name.

        Args:
            type, index: as of `Device`.
        Returns:
            Device.
        """
        return Device(type, index)


def set_default_device(device: Any) -> None:
    """Make a device the current one, as `set_device` does.

    Args:
        device (str|Place|int): its name, its place or its number among the GPUs.
    Raises:
        ValueError: there is no such device.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.set_default_device("cpu"); paddle.device.get_default_device()
        'cpu'

    Follows Paddle 3.3.
    """
    set_current_place(place_of(device, "device", "paddle.device.set_default_device"))


def get_default_device() -> Device:
    """The current device.

    Returns:
        Device.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.get_default_device().type in ("cpu", "gpu")
        True

    Follows Paddle 3.3.
    """
    return Device(name_of(current_place()))


def get_device_module(device: Any = None) -> ModuleType:
    """The module with the functions of a kind of device.

    Args:
        device (str|Place): a name or a place; None: the current one.
    Returns:
        `paddle.cuda` for GPUs; else `paddle.device`.
    Raises:
        RuntimeError: no kind of device that is there has that name.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.get_device_module("cuda") is paddle.cuda
        True

    Follows Paddle 3.3.
    """
    place = current_place() if device is None else device
    kind = (name_of(place) if isinstance(place, Place) else str(place)).partition(":")[0]
    if kind not in ("cpu", "gpu", "cuda"):
        raise RuntimeError(f"Invalid value for argument `device` of `get_device_module`. Expected a CPU or a GPU. Received: {device!r}")
    package = __package__ or ""
    return importlib.import_module(package if kind == "cpu" else f"{package.rpartition('.')[0]}.cuda")


def device_to_place(device: Any = None) -> Place:
    """The place that a device stands for.

    Args:
        device (str|Place|int): its name, its place or its number among the GPUs; None: the current one.
    Returns:
        Place.
    Raises:
        ValueError: there is no such device.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.device_to_place("cpu")
        Place(cpu)

    Follows Paddle 3.3.
    """
    return place_of(device, "device", "paddle.device.device_to_place")
