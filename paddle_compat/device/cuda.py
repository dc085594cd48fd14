"""`paddle.device.cuda`: GPUs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from paddle_compat._lazy import lazy
from paddle_compat.core.errors import InvalidArgumentError, UnavailableError, invalid_argument, type_error

_PRIORITIES = {1: -1, 2: 0}  # torch's, by Paddle's


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


class Stream:
    """A queue of a GPU's work.

    Args:
        device: CUDAPlace or number; None: the current one.
        priority (int): 1 goes first, 2 is usual.
    Raises:
        RuntimeError: there is no GPU.
        ValueError: priority is neither.

    Example:
        >>> from paddle_compat.device import cuda
        >>> streams = [cuda.Stream(n) for n in range(cuda.device_count())]

    Follows Paddle 2.6.
    """

    def __init__(self, device: Any = None, priority: int = 2) -> None:
        _need("Stream")
        if priority not in _PRIORITIES:
            raise invalid_argument("priority", "1 or 2", priority, "paddle.device.cuda.Stream")
        self._stream = torch.cuda.Stream(_index(device, "Stream"), _PRIORITIES[priority])

    @property
    def cuda_stream(self) -> int:
        """CUDA's own handle."""
        return self._stream.cuda_stream

    def wait_event(self, event: Event) -> None:
        """Let what comes later wait for an event.

        Args:
            event (Event): the mark, in this or another stream.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     paddle.device.cuda.Stream().wait_event(paddle.device.cuda.Event())
        """
        self._stream.wait_event(event._event)

    def wait_stream(self, stream: Stream) -> None:
        """Let what comes later wait for all that another stream has been given so far.

        Args:
            stream (Stream): the other one.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     paddle.device.cuda.Stream().wait_stream(paddle.device.cuda.current_stream())
        """
        self._stream.wait_stream(stream._stream)

    def record_event(self, event: Event | None = None) -> Event:
        """Mark what the stream has been given so far.

        Args:
            event (Event): None: a new one.
        Returns:
            Event: the mark.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     mark = paddle.device.cuda.Stream().record_event()
        """
        event = Event() if event is None else event
        event.record(self)
        return event

    def query(self) -> bool:
        """Whether everything that it was given is done.

        Returns:
            bool.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     done = paddle.device.cuda.Stream().query()
        """
        return self._stream.query()

    def synchronize(self) -> None:
        """Wait until everything that it was given is done.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     paddle.device.cuda.Stream().synchronize()
        """
        self._stream.synchronize()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and self._stream == other._stream

    def __hash__(self) -> int:
        return hash(self._stream)


class Event:
    """A mark in a stream: it says when the work before it is done.

    Args:
        enable_timing (bool): whether it measures time.
        blocking (bool): whether `synchronize` sleeps instead of asking again and again.
        interprocess (bool): whether other processes can wait for it.
    Raises:
        RuntimeError: there is no GPU.

    Example:
        >>> from paddle_compat.device import cuda
        >>> events = [cuda.Event() for n in range(cuda.device_count())]

    Follows Paddle 2.6.
    """

    def __init__(self, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False) -> None:
        _need("Event")
        self._event = torch.cuda.Event(enable_timing, blocking, interprocess)

    def record(self, stream: Stream | None = None) -> None:
        """Mark what a stream has been given so far.

        Args:
            stream (Stream): None: the current one.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     paddle.device.cuda.Event().record()
        """
        self._event.record(torch.cuda.current_stream() if stream is None else stream._stream)

    def query(self) -> bool:
        """Whether the work before the mark is done.

        Returns:
            bool.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     done = paddle.device.cuda.Event().query()
        """
        return self._event.query()

    def synchronize(self) -> None:
        """Wait until the work before the mark is done.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     paddle.device.cuda.Event().synchronize()
        """
        self._event.synchronize()


def current_stream(device: Any = None) -> Stream:
    """The stream that a GPU's work goes to.

    Args:
        device: CUDAPlace or number; None: the current one.
    Returns:
        Stream.
    Raises:
        RuntimeError: there is no GPU.

    Example:
        >>> from paddle_compat.device import cuda
        >>> streams = [cuda.current_stream(n) for n in range(cuda.device_count())]

    Follows Paddle 2.6.
    """
    _need("current_stream")
    stream = object.__new__(Stream)
    stream._stream = torch.cuda.current_stream(_index(device, "current_stream"))
    return stream


@contextmanager
def stream_guard(stream: Stream) -> Iterator[None]:
    """Let a GPU's work go to a stream inside a `with` block.

    Args:
        stream (Stream): the stream.
    Returns:
        A context manager.
    Raises:
        RuntimeError: there is no GPU.
        TypeError: it is no stream.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.device import cuda
        >>> for n in range(cuda.device_count()):
        ...     with cuda.stream_guard(cuda.Stream(n)):
        ...         y = paddle.ones([2]) + 1

    Follows Paddle 2.6.
    """
    _need("stream_guard")
    if not isinstance(stream, Stream):
        raise type_error("stream", "a paddle.device.cuda.Stream", repr(stream), "paddle.device.cuda.stream_guard")
    with torch.cuda.stream(stream._stream):
        yield


def _need(api: str) -> None:
    """Refuse streams where there is no GPU, with another type than questions about one are refused with, as the wheels."""
    if not torch.cuda.is_available():
        raise UnavailableError(f"`paddle.device.cuda.{api}` needs a GPU. Expected one that torch sees. Received: none")


def _index(device: Any, api: str) -> int | None:
    if not torch.cuda.is_available():
        raise InvalidArgumentError(f"`paddle.device.cuda.{api}` needs a GPU. Expected one that torch sees. Received: none")
    if isinstance(device, str):
        return int(device.partition(":")[2] or 0)
    return device if device is None or isinstance(device, int) else device.get_device_id()


__getattr__, __dir__, _further = lazy(
    __name__,
    {
        ".device._accelerators": (
            "get_rng_state", "manual_seed", "memory_summary", "reset_max_memory_allocated", "reset_max_memory_reserved", "set_rng_state",
        ),
    },
)  # fmt: skip

__all__ = [
    "Event", "Stream", "current_stream", "device_count", "empty_cache", "get_device_capability", "get_device_name",
    "get_device_properties", "max_memory_allocated", "max_memory_reserved", "memory_allocated", "memory_reserved", "stream_guard",
    "synchronize", *_further,
]  # fmt: skip
