"""Streams and events of GPUs: `paddle.device.Stream` and `Event`, around those of `paddle.device.cuda`, around torch's."""

from __future__ import annotations

from types import TracebackType
from typing import Any

import torch

from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.place import Place, current_place, place_of_name
from paddle_compat.device import cuda


def _gpu(device: Any, api: str) -> Place:
    """The place of a GPU that a stream or an event belongs to."""
    place = current_place() if device is None else place_of_name(device, "device", api)
    if not place.is_gpu_place():
        raise type_error("device", "a GPU, or None where one is the current device", repr(place), f"paddle.device.{api}")
    return place


class Event:
    """A mark in a stream: it says when the work before it is done.

    Args:
        device: place or name of a GPU; None: the current device.
        enable_timing (bool): whether it measures time.
        blocking (bool): whether `synchronize` sleeps instead of asking again and again.
        interprocess (bool): whether other processes can wait for it.
    Raises:
        TypeError: the device is no GPU.

    Example:
        >>> import paddle_compat as paddle
        >>> if paddle.is_compiled_with_cuda():
        ...     event = paddle.device.Event("gpu:0")
        ...     event.record()

    Follows Paddle 2.6.
    """

    def __init__(self, device: Any = None, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False) -> None:
        self.device = _gpu(device, "Event")
        self.event_base = cuda.Event(enable_timing, blocking, interprocess)

    def record(self, stream: Stream | None = None) -> None:
        """Mark what a stream has been given so far.

        Args:
            stream (Stream): None: the current one.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     paddle.device.Event("gpu:0").record()
        """
        self.event_base.record((current_stream(self.device) if stream is None else stream).stream_base)

    def query(self) -> bool:
        """Whether the work before the mark is done.

        Returns:
            bool.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     done = paddle.device.Event("gpu:0").query()
        """
        return self.event_base.query()

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds from this mark to another; both were made with `enable_timing`.

        Args:
            end_event (Event): the later one.
        Returns:
            float.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     begin, end = (paddle.device.Event("gpu:0", enable_timing=True) for _ in range(2))
            ...     begin.record()
            ...     end.record()
            ...     end.synchronize()
            ...     took = begin.elapsed_time(end)
        """
        return self.event_base._event.elapsed_time(end_event.event_base._event)

    def synchronize(self) -> None:
        """Wait until the work before the mark is done.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     paddle.device.Event("gpu:0").synchronize()
        """
        self.event_base.synchronize()

    def __repr__(self) -> str:
        return f"paddle.device.Event device={self.device}, event={self.event_base!r}"


class Stream:
    """A queue of a GPU's work.

    Args:
        device: place or name of a GPU; None: the current device.
        priority (int): 1 goes first, 2 is usual.
        stream_base (paddle.device.cuda.Stream): the queue, where there is one already.
    Raises:
        TypeError: the device is no GPU, or `stream_base` no stream.

    Example:
        >>> import paddle_compat as paddle
        >>> if paddle.is_compiled_with_cuda():
        ...     with paddle.device.stream_guard(paddle.device.Stream("gpu:0")):
        ...         y = paddle.ones([2]) + 1

    Follows Paddle 2.6.
    """

    def __init__(self, device: Any = None, priority: int = 2, stream_base: Any = None) -> None:
        if stream_base is None:
            self.device = _gpu(device, "Stream")
            self.stream_base = cuda.Stream(self.device, priority)
        elif isinstance(stream_base, cuda.Stream):
            self.stream_base = stream_base
            self.device = place_of_name(str(stream_base._stream.device), "stream_base", "Stream")
        else:
            raise type_error("stream_base", "a paddle.device.cuda.Stream", repr(stream_base), "paddle.device.Stream")

    def wait_event(self, event: Event) -> None:
        """Let what comes later wait for an event.

        Args:
            event (Event): the mark, in this or another stream.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     paddle.device.Stream("gpu:0").wait_event(paddle.device.Event("gpu:0"))
        """
        self.stream_base.wait_event(event.event_base)

    def wait_stream(self, stream: Stream) -> None:
        """Let what comes later wait for all that another stream has been given so far.

        Args:
            stream (Stream): the other one.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     paddle.device.Stream("gpu:0").wait_stream(paddle.device.current_stream("gpu:0"))
        """
        self.stream_base.wait_stream(stream.stream_base)

    def record_event(self, event: Event | None = None) -> Event:
        """Mark what the stream has been given so far.

        Args:
            event (Event): None: a new one.
        Returns:
            Event: the mark.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     mark = paddle.device.Stream("gpu:0").record_event()
        """
        event = Event(self.device) if event is None else event
        event.record(self)
        return event

    def query(self) -> bool:
        """Whether everything that it was given is done.

        Returns:
            bool.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     done = paddle.device.Stream("gpu:0").query()
        """
        return self.stream_base.query()

    def synchronize(self) -> None:
        """Wait until everything that it was given is done.

        Example:
            >>> import paddle_compat as paddle
            >>> if paddle.is_compiled_with_cuda():
            ...     paddle.device.Stream("gpu:0").synchronize()
        """
        self.stream_base.synchronize()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and self.stream_base == other.stream_base

    def __hash__(self) -> int:
        return hash((self.stream_base, self.device))

    def __repr__(self) -> str:
        return f"paddle.device.Stream device={self.device}, stream={self.stream_base.cuda_stream:#x}"


def current_stream(device: Any = None) -> Stream:
    """The stream that a GPU's work goes to.

    Args:
        device: place or name of a GPU; None: the current device.
    Returns:
        Stream.
    Raises:
        TypeError: the device is no GPU.

    Example:
        >>> import paddle_compat as paddle
        >>> if paddle.is_compiled_with_cuda():
        ...     paddle.device.current_stream("gpu:0").synchronize()

    Follows Paddle 2.6.
    """
    place = _gpu(device, "current_stream")
    return Stream(place, stream_base=cuda.current_stream(place))


def set_stream(stream: Stream) -> Stream:
    """Let the work of a stream's GPU go to that stream.

    Args:
        stream (Stream): the stream.
    Returns:
        Stream: the one that it went to before.
    Raises:
        AttributeError: it is no stream.

    Example:
        >>> import paddle_compat as paddle
        >>> if paddle.is_compiled_with_cuda():
        ...     before = paddle.device.set_stream(paddle.device.Stream("gpu:0"))
        ...     after = paddle.device.set_stream(before)

    Follows Paddle 2.6.
    """
    if not isinstance(stream, Stream):
        raise AttributeError(str(invalid_argument("stream", "a paddle.device.Stream", repr(stream), "set_stream")))
    before = current_stream(stream.device)
    torch.cuda.set_stream(stream.stream_base._stream)
    return before


class stream_guard:
    """Let a GPU's work go to a stream inside a `with` block.

    Args:
        stream (Stream): the stream; None: nothing changes.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.device.stream_guard(None):
        ...     y = paddle.ones([2]) + 1

    Follows Paddle 2.6.
    """

    def __init__(self, stream: Stream | None = None) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        self._before = None if self.stream is None else set_stream(self.stream)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._before is not None:
            set_stream(self._before)
