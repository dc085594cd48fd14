"""What `paddle.static` has for Graphcore's and Kunlun's chips, and what it says where there are none."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from paddle_compat.core.errors import PreconditionNotMetError, failed_assertion, invalid_argument

F = TypeVar("F")


class IpuStrategy:
    """How Programs run on IPUs.

    Raises:
        RuntimeError: there are no IPUs.

    Example:
        >>> import paddle_compat as paddle
        >>> try:
        ...     paddle.static.IpuStrategy()
        ... except RuntimeError as error:
        ...     print(error)
        IpuStrategy needs IPUs. Expected a Paddle that is built for them. Received: one that is not

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        raise PreconditionNotMetError("IpuStrategy needs IPUs. Expected a Paddle that is built for them. Received: one that is not")


class IpuCompiledProgram:
    """A Program for IPUs.

    Args:
        program (Program): what is to run.
        scope (Scope): where its variables live.
        ipu_strategy (IpuStrategy): how.
    Raises:
        ValueError: there are no IPUs.

    Example:
        >>> import paddle_compat as paddle
        >>> try:
        ...     paddle.static.IpuCompiledProgram()
        ... except ValueError as error:
        ...     print("no IPUs")
        no IPUs

    Follows Paddle 2.6.
    """

    def __init__(self, program: Any = None, scope: Any = None, ipu_strategy: Any = None) -> None:
        raise invalid_argument("program", "IPUs to run it on: there are none", program, "IpuCompiledProgram")


@contextmanager
def ipu_shard_guard(index: int = -1, stage: int = -1) -> Iterator[None]:
    """Put what is recorded within on an IPU.

    Args:
        index (int): on which one.
        stage (int): and in which stage of a pipeline.
    Returns:
        a context manager.
    Raises:
        ValueError: there are no IPUs.

    Example:
        >>> import paddle_compat as paddle
        >>> try:
        ...     with paddle.static.ipu_shard_guard(index=0):
        ...         pass
        ... except ValueError as error:
        ...     print("no IPUs")
        no IPUs

    Follows Paddle 2.6.
    """
    raise invalid_argument("index", "the number of an IPU: there are none", index, "ipu_shard_guard")
    yield


def set_ipu_shard(call_func: F, index: int = -1, stage: int = -1) -> F:
    """Have a layer, or a function, recorded on an IPU.

    Args:
        call_func (Layer|Callable): what is to be recorded there.
        index (int): on which IPU.
        stage (int): and in which stage of a pipeline.
    Returns:
        call_func: without IPUs as it is.

    Example:
        >>> import paddle_compat as paddle
        >>> layer = paddle.nn.Linear(2, 3)
        >>> paddle.static.set_ipu_shard(layer, index=0) is layer
        True

    Follows Paddle 2.6.
    """
    return call_func


def xpu_places(device_ids: Any = None) -> list[Any]:
    """One XPUPlace for each Kunlun chip.

    Args:
        device_ids (list): numbers of chips; None: all.
    Returns:
        list of XPUPlace.
    Raises:
        AssertionError: there are none.

    Example:
        >>> import paddle_compat as paddle
        >>> try:
        ...     paddle.static.xpu_places()
        ... except AssertionError as error:
        ...     print("no chips")
        no chips

    Follows Paddle 2.6.
    """
    raise failed_assertion("device_ids", "Kunlun chips: there are none", device_ids, "xpu_places")


def npu_places(device_ids: Any = None) -> list[Any]:
    """One NPUPlace for each Ascend processor.

    Args:
        device_ids (list): numbers of processors; None: all.
    Returns:
        list of NPUPlace.
    Raises:
        AssertionError: there are none.

    Example:
        >>> import paddle_compat as paddle
        >>> try:
        ...     paddle.static.npu_places()
        ... except AssertionError as error:
        ...     print("no processors")
        no processors

    Follows Paddle 2.4.
    """
    raise failed_assertion("device_ids", "Ascend processors: there are none", device_ids, "npu_places")


def mlu_places(device_ids: Any = None) -> list[Any]:
    """One MLUPlace for each Cambricon processor.

    Args:
        device_ids (list): numbers of processors; None: all.
    Returns:
        list of MLUPlace.
    Raises:
        AssertionError: there are none.

    Example:
        >>> import paddle_compat as paddle
        >>> try:
        ...     paddle.static.mlu_places()
        ... except AssertionError as error:
        ...     print("no processors")
        no processors

    Follows Paddle 2.4.
    """
    raise failed_assertion("device_ids", "Cambricon processors: there are none", device_ids, "mlu_places")


__all__ = ["IpuCompiledProgram", "IpuStrategy", "ipu_shard_guard", "set_ipu_shard", "xpu_places"]
