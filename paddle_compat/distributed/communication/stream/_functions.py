"""The collective calls of `paddle.distributed.stream`: those of `paddle.distributed`, which say besides what waits for them on a GPU."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed._groups import Group
from paddle_compat.distributed.communication import _functions, _messages, _parts, _reductions
from paddle_compat.distributed.communication._reductions import ReduceOp
from paddle_compat.distributed.communication._tasks import Task

_CALLS = "all_gather|all_reduce|broadcast|gather|recv|reduce|reduce_scatter|scatter|send"
_Call = TypeVar("_Call", bound=Callable[..., Any])


def _like(plain: Callable[..., Any], **instead: str) -> Callable[[_Call], _Call]:
    """Document a function by the one of `paddle.distributed`.

    Args:
        plain: that one.
        instead: what is said of arguments that have another name here.
    """
    text = re.sub(rf"\bdist\.(?=({_CALLS})\()", "dist.stream.", plain.__doc__ or "")
    said = "use_calc_stream (bool): on a GPU, whether the results count as there for what follows; with sync_op only."
    text = re.sub("^( *)Returns:", rf"\1    {said}\n\1Returns:", text, count=1, flags=re.MULTILINE)  # Python 3.13 removes the indentation
    for name, line in instead.items():
        text = re.sub(rf"^( +){name} .*$", rf"\1{line}", text, flags=re.MULTILINE)

    def documented(function: _Call) -> _Call:
        function.__doc__ = text
        return function

    return documented


@_like(_functions.all_reduce)
def all_reduce(
    tensor: Tensor, op: int = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True, use_calc_stream: bool = False
) -> Task | None:
    return _reductions.all_reduce(tensor, op, group, sync_op, use_calc_stream)


@_like(_functions.reduce)
def reduce(
    tensor: Tensor, dst: int = 0, op: int = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True, use_calc_stream: bool = False
) -> Task | None:
    return _reductions.reduce(tensor, dst, op, group, sync_op, use_calc_stream)


@_like(_functions.reduce_scatter, tensor_list="tensor_or_tensor_list (list): a Tensor for each process, or a Tensor of them all.")
def reduce_scatter(
    tensor: Tensor,
    tensor_or_tensor_list: Any,
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task | None:
    return _reductions.reduce_scatter(tensor, tensor_or_tensor_list, op, group, sync_op, use_calc_stream)


@_like(_functions.broadcast)
def broadcast(tensor: Tensor, src: int, group: Group | None = None, sync_op: bool = True, use_calc_stream: bool = False) -> Task | None:
    return _parts.broadcast(tensor, src, group, sync_op, use_calc_stream)


@_like(_functions.scatter, tensor_list="tensor_or_tensor_list (list): on process `src` a Tensor for each process, or a Tensor of them all.")
def scatter(
    tensor: Tensor,
    tensor_or_tensor_list: Any = None,
    src: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task | None:
    return _parts.scatter(tensor, tensor_or_tensor_list, src, group, sync_op, use_calc_stream)


@_like(_functions.gather)
def gather(
    tensor: Tensor,
    gather_list: list[Tensor] | None = None,
    dst: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task | None:
    return _parts.gather(tensor, gather_list, dst, group, sync_op, use_calc_stream)


@_like(
    _functions.all_gather,
    tensor_list="tensor_or_tensor_list (list): takes the tensors: a list, empty or with a Tensor for each process, or a Tensor with room.",
)
def all_gather(
    tensor_or_tensor_list: Any, tensor: Tensor, group: Group | None = None, sync_op: bool = True, use_calc_stream: bool = False
) -> Task | None:
    return _parts.all_gather(tensor_or_tensor_list, tensor, group, sync_op, use_calc_stream)


def alltoall(
    out_tensor_or_tensor_list: Any,
    in_tensor_or_tensor_list: Any,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task | None:
    """Give each process a tensor, and get one of each.

    Args:
        in_tensor_or_tensor_list (list): a Tensor for each process, or a Tensor of them all.
        out_tensor_or_tensor_list (list): takes those of each process: a list, empty or with a Tensor for each, or a Tensor of them all.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
        use_calc_stream (bool): on a GPU, whether the results count as there for what follows; with sync_op only.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     given, found = [paddle.to_tensor([10.0 * dist.get_rank() + i]) for i in range(2)], []
        ...     _ = dist.stream.alltoall(found, given)
        ...     assert [x.item() for x in found] == [dist.get_rank(), 10.0 + dist.get_rank()]

    Follows Paddle 2.6.
    """
    return _parts.alltoall(out_tensor_or_tensor_list, in_tensor_or_tensor_list, group, sync_op, use_calc_stream)


def alltoall_single(
    out_tensor: Tensor,
    in_tensor: Tensor,
    out_split_sizes: list[int] | None = None,
    in_split_sizes: list[int] | None = None,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task | None:
    """Give each process some rows of a tensor, and get some of each.

    Args:
        in_tensor (Tensor): the rows for process 0, then those for process 1, and so on.
        out_tensor (Tensor): takes the rows of process 0, then those of process 1, and so on.
        in_split_sizes (list): how many rows are for each process; None: equally many.
        out_split_sizes (list): how many rows come of each process; None: equally many.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
        use_calc_stream (bool): on a GPU, whether the results count as there for what follows; with sync_op only.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     given, found = paddle.to_tensor([10.0 * dist.get_rank() + i for i in range(2)]), paddle.zeros([2])
        ...     _ = dist.stream.alltoall_single(found, given)
        ...     assert found.tolist() == [dist.get_rank(), 10.0 + dist.get_rank()]

    Follows Paddle 2.6.
    """
    return _parts.alltoall_single(out_tensor, in_tensor, out_split_sizes, in_split_sizes, group, sync_op, use_calc_stream)


@_like(_functions.send)
def send(tensor: Tensor, dst: int = 0, group: Group | None = None, sync_op: bool = True, use_calc_stream: bool = False) -> Task | None:
    return _messages.send(tensor, dst, group, sync_op, use_calc_stream)


@_like(_functions.recv)
def recv(tensor: Tensor, src: int = 0, group: Group | None = None, sync_op: bool = True, use_calc_stream: bool = False) -> Task | None:
    return _messages.recv(tensor, src, group, sync_op, use_calc_stream)
