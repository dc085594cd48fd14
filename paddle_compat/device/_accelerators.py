"""What Paddle 3 asks of the accelerators of a machine, GPUs here, and of the generators of devices."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import torch

from paddle_compat.core.dtype import convert_dtype, dtype_name
from paddle_compat.core.errors import UnavailableError, invalid_argument
from paddle_compat.core.place import CUDAPlace, current_place
from paddle_compat.core.random import GeneratorState, default_generator
from paddle_compat.core.random import seed as seed_all
from paddle_compat.device import cuda
from paddle_compat.device._choosing import place_of, set_default_device
from paddle_compat.device._streams import Stream, stream_guard
from paddle_compat.device.cuda import _index as index_of

StreamContext = stream_guard


class amp:
    """Mixed precision on GPUs, in the words of `torch.cuda.amp`.

    Example:
        >>> import paddle_compat as paddle
        >>> x = paddle.ones([2, 2])
        >>> with paddle.cuda.amp.autocast(enabled=False):
        ...     (x @ x).dtype.name
        'FP32'

    Follows Paddle 3.3.
    """

    @staticmethod
    def autocast(enabled: bool = True, dtype: Any = "float16", cache_enabled: bool = True) -> Any:
        """`paddle.amp.autocast`, which has no effect while the current device is no GPU.

        Args:
            enabled: whether to.
            dtype: float16 or bfloat16.
            cache_enabled: kept.
        Returns:
            A context manager, also a decorator.
        Raises:
            ValueError: dtype is none of these.

        Example:
            >>> import paddle_compat as paddle
            >>> x = paddle.ones([2, 2], "float64")
            >>> with paddle.cuda.amp.autocast(dtype="bfloat16"):
            ...     (x @ x).dtype.name
            'FP64'
        """
        from paddle_compat.amp import autocast

        if (kind := dtype_name(convert_dtype(dtype))) not in ("float16", "bfloat16"):
            raise invalid_argument("dtype", "float16 or bfloat16", kind, "autocast")
        return autocast("cuda", kind, enabled and isinstance(current_place(), CUDAPlace), cache_enabled)

    autocast_mode = SimpleNamespace(autocast=autocast)


class nvtx:
    """Marks for NVIDIA's tools, on GPUs.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.cuda.nvtx.range_push("a step"); paddle.cuda.nvtx.range_pop()

    Follows Paddle 3.3.
    """

    @staticmethod
    def range_push(msg: str) -> None:
        """Begin a range; without a GPU nothing looks at it.

        Args:
            msg: its name.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.cuda.nvtx.range_push("a step"); paddle.cuda.nvtx.range_pop()
        """
        if torch.cuda.is_available():
            torch.cuda.nvtx.range_push(msg)

    @staticmethod
    def range_pop() -> None:
        """End the range that began last.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.cuda.nvtx.range_push("a step"); paddle.cuda.nvtx.range_pop()
        """
        if torch.cuda.is_available():
            torch.cuda.nvtx.range_pop()


def is_available() -> bool:
    """Whether there is a GPU.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.is_available() == (paddle.device.device_count() > 0)
        True

    Follows Paddle 3.3.
    """
    return torch.cuda.is_available()


def is_initialized() -> bool:
    """Whether a GPU can be used: torch starts it with its first use.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.cuda.is_initialized() == paddle.cuda.is_available()
        True

    Follows Paddle 3.3.
    """
    return torch.cuda.is_available()


def current_device() -> int:
    """The number of the current GPU.

    Returns:
        int: 0 without GPUs.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.current_device() >= 0
        True

    Follows Paddle 3.3.
    """
    return place_of(None).get_device_id()


def set_device(device: Any) -> None:
    """Make a device the current one.

    Args:
        device (str|Place|int): its name, its place or its number among the GPUs.
    Raises:
        ValueError: there is no such device.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.cuda.set_device("cpu")

    Follows Paddle 3.3.
    """
    if isinstance(device, int):
        index_of(device, "set_device")
    set_default_device(device)


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """Whether numbers of bfloat16 can be computed with.

    Args:
        including_emulation (bool): also where a device has no instructions of its own for it.
    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.is_bf16_supported()
        True

    Follows Paddle 3.3.
    """
    return including_emulation or not torch.cuda.is_available() or torch.cuda.is_bf16_supported(including_emulation=False)


def is_current_stream_capturing() -> bool:
    """Whether the work that the current stream is given is recorded in a CUDA graph.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.is_current_stream_capturing()
        False

    Follows Paddle 3.3.
    """
    return torch.cuda.is_available() and torch.cuda.is_current_stream_capturing()


def ipc_collect() -> None:
    """Give back memory that other processes have let go of.

    Raises:
        RuntimeError: there is no GPU.

    Example:
        >>> import paddle_compat as paddle
        >>> if paddle.device.is_available():
        ...     paddle.device.ipc_collect()

    Follows Paddle 3.3.
    """
    if not torch.cuda.is_available():
        raise UnavailableError("`paddle.device.ipc_collect` needs a GPU. Expected one that torch sees. Received: none")
    torch.cuda.ipc_collect()


def reset_max_memory_allocated(device: Any = None) -> None:
    """Let `max_memory_allocated` begin anew.

    Args:
        device: CUDAPlace, name or number; None: the current one.
    Raises:
        ValueError: there is no GPU.

    Example:
        >>> from paddle_compat.device import cuda
        >>> all(cuda.reset_max_memory_allocated(n) is None for n in range(cuda.device_count()))
        True

    Follows Paddle 3.3.
    """
    torch.cuda.reset_peak_memory_stats(index_of(device, "reset_max_memory_allocated"))


def reset_max_memory_reserved(device: Any = None) -> None:
    """Let `max_memory_reserved` begin anew.

    Args:
        device: CUDAPlace, name or number; None: the current one.
    Raises:
        ValueError: there is no GPU.

    Example:
        >>> from paddle_compat.device import cuda
        >>> all(cuda.reset_max_memory_reserved(n) is None for n in range(cuda.device_count()))
        True

    Follows Paddle 3.3.
    """
    torch.cuda.reset_peak_memory_stats(index_of(device, "reset_max_memory_reserved"))


def reset_peak_memory_stats(device: Any = None) -> None:
    """Let both maxima of memory begin anew.

    Args:
        device: CUDAPlace, name or number; None: the current one.
    Raises:
        ValueError: there is no GPU.

    Example:
        >>> import paddle_compat as paddle
        >>> all(paddle.device.reset_peak_memory_stats(n) is None for n in range(paddle.device.device_count()))
        True

    Follows Paddle 3.3.
    """
    torch.cuda.reset_peak_memory_stats(index_of(device, "reset_peak_memory_stats"))


def memory_summary(device: Any = None) -> str:
    """torch's table of a GPU's memory.

    Args:
        device: CUDAPlace, name or number; None: the current one.
    Returns:
        str.
    Raises:
        ValueError: there is no GPU.

    Example:
        >>> from paddle_compat.device import cuda
        >>> all("memory" in cuda.memory_summary(n) for n in range(cuda.device_count()))
        True

    Follows Paddle 3.3.
    """
    return torch.cuda.memory_summary(index_of(device, "memory_summary"))


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """A GPU's free memory and all of it, in bytes.

    Args:
        device: CUDAPlace, name or number; None: the current one.
    Returns:
        tuple of two ints.
    Raises:
        ValueError: there is no GPU.

    Example:
        >>> import paddle_compat as paddle
        >>> all(paddle.cuda.mem_get_info(n)[1] > 0 for n in range(paddle.cuda.device_count()))
        True

    Follows Paddle 3.3.
    """
    return torch.cuda.mem_get_info(index_of(device, "mem_get_info"))


def manual_seed(seed: int) -> None:
    """Seed the generators of all devices, as `paddle.seed` does.

    Args:
        seed (int): at least 0.
    Raises:
        ValueError: it is no number.
        TypeError: it is below 0.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.manual_seed(7); first = paddle.rand([1]).item()
        >>> paddle.seed(7).initial_seed(), paddle.rand([1]).item() == first
        (7, True)

    Follows Paddle 3.3.
    """
    seed_all(seed)


manual_seed_all = manual_seed


def get_rng_state(device: Any = None) -> GeneratorState:
    """The state of a device's generator.

    Args:
        device (str|Place|int): its name, its place or its number among the GPUs; None: the current one.
    Returns:
        What `set_rng_state` takes.
    Raises:
        ValueError: there is no such device.

    Example:
        >>> import paddle_compat as paddle
        >>> state = paddle.device.get_rng_state(); first = paddle.rand([1]).item()
        >>> paddle.device.set_rng_state(state); paddle.rand([1]).item() == first
        True

    Follows Paddle 3.3.
    """
    return default_generator(place_of(device, "device", "get_rng_state").torch_device).get_state()


def set_rng_state(new_state: GeneratorState, device: Any = None) -> None:
    """Put a device's generator back to a state.

    Args:
        new_state (GeneratorState): what `get_rng_state` gave.
        device (str|Place|int): its name, its place or its number among the GPUs; None: the current one.
    Raises:
        ValueError: there is no such device.
        TypeError: it is no state.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.device.set_rng_state(paddle.device.get_rng_state("cpu"), "cpu")

    Follows Paddle 3.3.
    """
    default_generator(place_of(device, "device", "set_rng_state").torch_device).set_state(new_state)


def stream(stream: Stream | None) -> stream_guard:
    """Let a GPU's work go to a stream inside a `with` block.

    Args:
        stream (Stream): the stream; None: nothing changes.
    Returns:
        A context manager.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.device.stream(None):
        ...     y = paddle.ones([2]) + 1

    Follows Paddle 3.3.
    """
    return stream_guard(stream)


def get_stream_from_external(data_ptr: int, device: Any = None) -> Stream:
    """A stream that other code made.

    Args:
        data_ptr (int): CUDA's own pointer to it.
        device: CUDAPlace, name or number; None: the current one.
    Returns:
        Stream.
    Raises:
        ValueError: there is no GPU.

    Example:
        >>> import paddle_compat as paddle
        >>> if paddle.device.is_available():
        ...     stream = paddle.device.get_stream_from_external(paddle.device.current_stream().stream_base.cuda_stream)

    Follows Paddle 3.3.
    """
    number = index_of(device, "get_stream_from_external")
    made = cuda.Stream(number)
    made._stream = torch.cuda.ExternalStream(data_ptr, number)
    return Stream(stream_base=made)
