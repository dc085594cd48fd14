"""Places: where a tensor lives and a Program runs."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable
from typing import Any

import torch

from paddle_compat.core.errors import NoDeviceError, UnsupportedError, invalid_argument

_CPU = torch.device("cpu")


class Place:
    """Base of all places; equal when of one kind and device.

    Args:
        device_id (int): the number of the device.

    Example:
        >>> import paddle_compat as paddle
        >>> place = paddle.CPUPlace()
        >>> place.is_cpu_place(), place.is_gpu_place(), place.is_cuda_pinned_place(), place.get_device_id()
        (True, False, False, 0)
        >>> place.is_xpu_place(), place.is_ipu_place(), place.is_custom_place()
        (False, False, False)
        >>> other = paddle.base.core.Place()
        >>> other.set_place(paddle.CUDAPlace(1)); other.is_gpu_place(), other.gpu_device_id()
        (True, 1)

    Follows Paddle 1.8 and 2.6.
    """

    kind = "undefined"

    def __init__(self, device_id: int = 0) -> None:
        self._device_id = int(device_id)

    @property
    def torch_device(self) -> torch.device:
        """The torch device that stands for this place."""
        return _CPU

    def get_device_id(self) -> int:
        """The number of the device.

        Returns:
            int.
        """
        return self._device_id

    def set_place(self, place: Place) -> None:
        """Become a place of the other's kind and device.

        Args:
            place (Place): the other one.
        """
        self.__class__ = type(place)
        self._device_id = place._device_id

    def gpu_device_id(self) -> int:
        """The number of the GPU.

        Returns:
            int.
        """
        return self._device_id

    def _type(self) -> str:
        return self.kind

    def is_xpu_place(self) -> bool:
        """Whether it is a Kunlun chip's memory: never.

        Returns:
            bool.
        """
        return False

    def is_ipu_place(self) -> bool:
        """Whether it is a Graphcore chip's memory: never.

        Returns:
            bool.
        """
        return False

    def is_custom_place(self) -> bool:
        """Whether it is a plugged-in device's memory: never.

        Returns:
            bool.
        """
        return False

    def is_cpu_place(self) -> bool:
        """Whether it is the host's memory.

        Returns:
            bool.
        """
        return self.kind == "cpu"

    def is_gpu_place(self) -> bool:
        """Whether it is a GPU's memory.

        Returns:
            bool.
        """
        return self.kind == "gpu"

    def is_cuda_pinned_place(self) -> bool:
        """Whether it is page-locked host memory.

        Returns:
            bool.
        """
        return self.kind == "gpu_pinned"

    def _equals(self, other: object) -> bool:
        return self == other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and (self.kind, self._device_id) == (other.kind, other._device_id)

    def __hash__(self) -> int:
        return hash((self.kind, self._device_id))

    def __str__(self) -> str:
        """The text that `print` shows: the class's name where a `paddle.fluid` script writes the default Program, as in 1.8."""
        from paddle_compat.core.program import default_main_program

        if default_main_program().age > 1:
            return repr(self)
        return f"{type(self).__name__}({self._device_id})" if self.kind == "gpu" else type(self).__name__

    def __repr__(self) -> str:
        return f"Place({self.kind}:{self._device_id})" if self.kind == "gpu" else f"Place({self.kind})"


class CPUPlace(Place):
    """The host's memory.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.CPUPlace()
        Place(cpu)

    Follows Paddle 1.8 to 3.x.
    """

    kind = "cpu"
    _device_id = 0

    def __init__(self) -> None:
        pass


class CUDAPlace(Place):
    """A GPU's memory.

    Args:
        device_id: the GPU's number among the visible ones.

    Without a GPU, using the place raises, unless the environment says ``PADDLE_COMPAT_CPU=1``: then the CPU is used, with a warning.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.CUDAPlace(1)
        Place(gpu:1)

    Follows Paddle 1.8 and 2.6.
    """

    kind = "gpu"
    _found: torch.device | None = None  # to ask torch whether there is a GPU takes longer than to fill one of its tensors

    @property
    def torch_device(self) -> torch.device:
        """The torch device; the CPU under ``PADDLE_COMPAT_CPU=1`` where there is no GPU."""
        found = self._found
        if found is None or found.index != self._device_id:
            if not has_gpu(f"CUDAPlace({self._device_id})"):
                return _CPU
            found = self._found = torch.device("cuda", self._device_id)
        return found


class XPUPlace(Place):
    """A Kunlun processor's memory: none is served, so that making one raises.

    Args:
        dev_id: the processor's number.
    Raises:
        UnsupportedError: always; builds of Paddle without these processors end the process.

    Example:
        >>> import paddle_compat as paddle
        >>> isinstance(paddle.CPUPlace(), paddle.XPUPlace)
        False

    Follows Paddle 2.6.
    """

    kind = "xpu"

    def __init__(self, dev_id: int) -> None:
        raise UnsupportedError("paddle.XPUPlace", instead="paddle.CPUPlace() or paddle.CUDAPlace(0)")


class IPUPlace(Place):
    """A Graphcore processor's memory: none is served, so that making one raises.

    Raises:
        UnsupportedError: always; builds of Paddle without these processors end the process.

    Example:
        >>> from paddle_compat.base import core
        >>> isinstance(core.CPUPlace(), core.IPUPlace)
        False

    Follows Paddle 2.6.
    """

    kind = "ipu"

    def __init__(self) -> None:
        raise UnsupportedError("paddle.base.core.IPUPlace", instead="paddle.CPUPlace() or paddle.CUDAPlace(0)")


class NPUPlace(Place):
    """An Ascend processor's memory: none is served, so that making one raises.

    Args:
        dev_id: the processor's number.
    Raises:
        UnsupportedError: always; builds of Paddle without these processors end the process.

    Example:
        >>> from paddle_compat.fluid import core
        >>> isinstance(core.CPUPlace(), core.NPUPlace)
        False

    Follows Paddle 2.4.
    """

    kind = "npu"

    def __init__(self, dev_id: int) -> None:
        raise UnsupportedError("paddle.NPUPlace", instead="paddle.CPUPlace() or paddle.CUDAPlace(0)")


class MLUPlace(Place):
    """A Cambricon processor's memory: none is served, so that making one raises.

    Args:
        dev_id: the processor's number.
    Raises:
        UnsupportedError: always; builds of Paddle without these processors end the process.

    Example:
        >>> from paddle_compat.fluid import core
        >>> isinstance(core.CPUPlace(), core.MLUPlace)
        False

    Follows Paddle 2.4.
    """

    kind = "mlu"

    def __init__(self, dev_id: int) -> None:
        raise UnsupportedError("paddle.MLUPlace", instead="paddle.CPUPlace() or paddle.CUDAPlace(0)")


class CustomPlace(Place):
    """A plugged-in device's memory: none is served, so that making one raises.

    Args:
        device_type: the kind of device.
        dev_id: the device's number.
    Raises:
        UnsupportedError: always; Paddle without a plug-in of that kind ends the process.

    Example:
        >>> from paddle_compat.base import core
        >>> isinstance(core.CPUPlace(), core.CustomPlace)
        False

    Follows Paddle 2.6.
    """

    kind = "custom"

    def __init__(self, device_type: str, dev_id: int) -> None:
        raise UnsupportedError("paddle.CustomPlace", instead="paddle.CPUPlace() or paddle.CUDAPlace(0)")


class CUDAPinnedPlace(Place):
    """Page-locked host memory.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.CUDAPinnedPlace()
        Place(gpu_pinned)

    Follows Paddle 1.8 and 2.6.
    """

    kind = "gpu_pinned"

    def __init__(self) -> None:
        super().__init__(0)


_told = False  # that the CPU does what GPUs should


def has_gpu(asker: str) -> bool:
    """Whether there is a GPU; False where the CPU is to do its work, as ``PADDLE_COMPAT_CPU=1`` says.

    Args:
        asker: what asks for a GPU, in the user's words.
    Raises:
        NoDeviceError: there is none, and nothing says so.
    """
    global _told
    if torch.cuda.is_available():
        return True
    if os.environ.get("PADDLE_COMPAT_CPU") != "1":
        raise NoDeviceError(
            f"{asker} needs a GPU and torch sees none. Use paddle.CPUPlace(), paddle.set_device('cpu') or use_cuda=False, "
            "or set PADDLE_COMPAT_CPU=1 in the environment to run unmodified scripts on the CPU."
        )
    if not _told:
        _told = True
        warnings.warn(f"{asker}: there is no GPU, PADDLE_COMPAT_CPU=1 uses the CPU.", stacklevel=3)
    return False


def place_of(tensor: torch.Tensor) -> Place:
    """The place where a torch tensor lives."""
    if tensor.is_cuda:
        return CUDAPlace(tensor.device.index or 0)
    # which PyTorch takes longer to tell than an operator does; in a process forked off one that uses a GPU it cannot, nor of a DTensor
    if not tensor.is_cpu or not torch.cuda.is_initialized() or hasattr(tensor, "placements"):
        return CPUPlace()
    return CUDAPinnedPlace() if tensor.is_pinned() else CPUPlace()


_current: Place | None = None
watchers: list[Callable[[Place], None]] = []  # told which place is the current one, when that is first asked for and when it changes


def current_place() -> Place:
    """The place of `paddle.set_device`, else this process's GPU where there is one, else the CPU."""
    if _current is None:
        set_current_place(CUDAPlace(own_gpus()[0]) if torch.cuda.is_available() else CPUPlace())
        return current_place()
    return _current


def set_current_place(place: Place) -> None:
    """Make a place the current one."""
    global _current
    _current = place
    for watcher in watchers:
        watcher(place)


def own_gpus() -> list[int]:
    """The GPUs of this process: those of FLAGS_selected_gpus, or that of LOCAL_RANK among several on this machine, else all.

    A process that sees fewer GPUs than there are processes may have been shown its own alone, or shares one with others.
    """
    chosen, count = os.environ.get("FLAGS_selected_gpus"), torch.cuda.device_count()
    if chosen:
        return [int(number) for number in chosen.split(",")]
    if int(os.environ.get("LOCAL_WORLD_SIZE", 1)) > 1:
        return [int(os.environ["LOCAL_RANK"]) % max(count, 1)]
    return list(range(count))


def place_of_name(name: Any, argument: str = "device", api: str | None = None) -> Place:
    """The place that a device name stands for ("cpu", "gpu", "gpu:1", "gpu_pinned"); a place as it is.

    Raises:
        InvalidArgumentError: it is neither.
        NoDeviceError: it names a GPU, and there is none.
    """
    if isinstance(name, Place):
        return name
    kind, colon, index = name.lower().partition(":") if isinstance(name, str) else ("", "", "")
    if kind == "cpu" and not colon:
        return CPUPlace()
    if kind in ("gpu", "cuda") and (index.isdecimal() if colon else True):
        there = has_gpu(f"Device {name!r}")
        return CUDAPlace(int(index) if index else own_gpus()[0] if there else 0)
    if kind == "gpu_pinned" and not colon:
        return CUDAPinnedPlace() if has_gpu(f"Device {name!r}") else CPUPlace()
    raise invalid_argument(argument, "'cpu', 'gpu', 'gpu:N' or a Place", repr(name), api)


class _Run(threading.local):
    """What runs in this thread."""

    device: torch.device | None = None


_run = _Run()


def run_device() -> torch.device:
    """The device on which an operator without tensor inputs makes its output.

    The executor's place while a Program runs, "meta" while shapes are inferred, else the current place.
    """
    device = _run.device
    return device if device is not None else current_place().torch_device


def runs_program() -> bool:
    """Whether operators run in a Program, or to see their shapes."""
    return _run.device is not None


def set_run_device(device: torch.device | None) -> torch.device | None:
    """Set the device of `run_device` and return what was set before."""
    former, _run.device = _run.device, device
    return former
