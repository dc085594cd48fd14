"""`paddle.incubate.tensor.manipulation`: Tensors that are copied between a GPU and the CPU while the GPU goes on computing."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.tensor import EagerParamBase, Tensor

__getattr__ = missing(__name__)
__all__: list[str] = []


class _Task:
    """A copy that has been started.

    Args:
        done: what the GPU comes by once it has copied; None: the copy was made at once.
    """

    def __init__(self, done: torch.cuda.Event | None) -> None:
        self._done = done

    def is_completed(self) -> bool:
        """Whether the copy has been made."""
        return self._done is None or bool(self._done.query())

    def cpu_wait(self) -> None:
        """Let the CPU wait for the copy."""
        if self._done is not None:
            self._done.synchronize()

    def cuda_wait(self) -> None:
        """Let the GPU's current stream wait for the copy."""
        if self._done is not None:
            torch.cuda.current_stream().wait_event(self._done)

    wait = synchronize = cpu_wait


class _AsyncLoad:
    """What copies: a stream of its own where there is a GPU."""

    def __init__(self) -> None:
        self._stream: torch.cuda.Stream | None = None

    def copied(self, target: torch.Tensor, source: torch.Tensor) -> _Task:
        """Copy into a torch tensor, beside what else the GPU does."""
        gpu = next((one.device for one in (source, target) if one.is_cuda), None)
        if gpu is None:
            target.copy_(source)
            return _Task(None)
        if self._stream is None:
            self._stream = torch.cuda.Stream(gpu)
        self._stream.wait_stream(torch.cuda.current_stream(gpu))
        with torch.cuda.stream(self._stream):
            target.copy_(source, non_blocking=True)
            for one in (source, target):
                if one.is_cuda:
                    one.record_stream(self._stream)
            return _Task(self._stream.record_event())


def create_async_load() -> _AsyncLoad:
    """What `async_offload` and its like copy with.

    Returns:
        AsyncLoad: with a stream of the GPU's of its own. Without a GPU, copies are made at once.

    Example:
        >>> from paddle_compat.incubate.tensor.manipulation import create_async_load
        >>> loader = create_async_load()

    Follows Paddle 3.3, whose builds for the CPU refuse it.
    """
    return _AsyncLoad()


def _like(source: Any, device: torch.device, pinned: bool) -> Any:
    """A Tensor, or a parameter, for what another holds, on a device."""
    kept = torch.empty(source._t.shape, dtype=source._t.dtype, device=device, pin_memory=pinned)
    like = Tensor(kept, source.name)
    if isinstance(source, EagerParamBase):
        return EagerParamBase.from_tensor(like, name=source.name, trainable=not source.stop_gradient)
    like.stop_gradient = source.stop_gradient
    return like


def async_offload(src_tensor: Any, async_load: Any) -> tuple[Any, Any]:
    """Copy a Tensor to the CPU, while the GPU goes on.

    Args:
        src_tensor (Tensor): what is copied; a parameter gives a parameter.
        async_load (AsyncLoad): what `create_async_load` gave.
    Returns:
        tuple: the Tensor on the CPU, in pinned memory, and the task: its `cpu_wait()` and `cuda_wait()` wait for the copy.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.tensor.manipulation import async_offload, create_async_load
        >>> there, task = async_offload(paddle.ones([2]), create_async_load())
        >>> task.cpu_wait()
        >>> there.tolist()
        [1.0, 1.0]

    Follows Paddle 3.3, whose builds for the CPU refuse it.
    """
    source = src_tensor._t.detach()
    there = _like(src_tensor, torch.device("cpu"), source.is_cuda)
    return there, async_load.copied(there._t.detach(), source)


def async_reload(src_tensor: Any, async_load: Any) -> tuple[Any, Any]:
    """Copy a Tensor to the current GPU, while it goes on.

    Args:
        src_tensor (Tensor): what is copied; a parameter gives a parameter.
        async_load (AsyncLoad): what `create_async_load` gave.
    Returns:
        tuple: the Tensor on the GPU (on the CPU, where there is none), and the task: its `cpu_wait()` and `cuda_wait()` wait for the copy.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.tensor.manipulation import async_reload, create_async_load
        >>> here, task = async_reload(paddle.ones([2]), create_async_load())
        >>> task.cuda_wait()
        >>> here.tolist()
        [1.0, 1.0]

    Follows Paddle 3.3, whose builds for the CPU refuse it.
    """
    device = torch.device("cuda", torch.cuda.current_device()) if torch.cuda.is_available() else torch.device("cpu")
    here = _like(src_tensor, device, False)
    return here, async_load.copied(here._t.detach(), src_tensor._t.detach())


def async_offload_with_offset(
    src_tensor: Any, dst_tensor: Any, src_offset: int, dst_offset: int, offload_size: int, async_loader: Any
) -> Any:
    """Copy some elements of a Tensor into another, while the GPU goes on.

    Args:
        src_tensor (Tensor): what is copied from, counted as one row.
        dst_tensor (Tensor): what is copied into, counted as one row, of the same data type.
        src_offset (int): the first element that is copied.
        dst_offset (int): where that goes.
        offload_size (int): how many elements are copied.
        async_loader (AsyncLoad): what `create_async_load` gave.
    Returns:
        Task: its `cpu_wait()` and `cuda_wait()` wait for the copy.
    Raises:
        ValueError: there are not so many elements.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.incubate.tensor.manipulation import async_offload_with_offset, create_async_load
        >>> there = paddle.zeros([4])
        >>> async_offload_with_offset(paddle.arange(3, dtype="float32"), there, 1, 0, 2, create_async_load()).cpu_wait()
        >>> there.tolist()
        [1.0, 2.0, 0.0, 0.0]

    Follows Paddle 3.3, whose builds for the CPU refuse it.
    """
    parts = []
    for name, tensor, first in (("dst_offset", dst_tensor, dst_offset), ("src_offset", src_tensor, src_offset)):
        row = tensor._t.detach().view(-1)
        if not 0 <= first <= first + offload_size <= len(row):
            raise invalid_argument(name, f"{offload_size} elements behind it, of {len(row)}", first, "async_offload_with_offset")
        parts.append(row[first : first + offload_size])
    task: Any = async_loader.copied(*parts)
    return task
