"""The collective calls of `paddle.distributed`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from paddle_compat.core.errors import OutOfRangeError, PreconditionNotMetError
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed import _groups
from paddle_compat.distributed._groups import Group
from paddle_compat.distributed.communication import _messages, _parts, _reductions
from paddle_compat.distributed.communication._reductions import ReduceOp
from paddle_compat.distributed.communication._tasks import Task


def all_reduce(tensor: Tensor, op: int = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True) -> Task | None:
    """Reduce the values of all processes, into all of them, in place.

    Args:
        tensor (Tensor): this process's values; takes the result.
        op (int): what is made of the values, of ReduceOp.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.to_tensor([dist.get_rank() + 1.0])
        ...     _ = dist.all_reduce(x)
        ...     assert x.tolist() == [3.0]

    Follows Paddle 2.6.
    """
    return _reductions.all_reduce(tensor, op, group, sync_op, False)


def reduce(tensor: Tensor, dst: int, op: int = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True) -> Task | None:
    """Reduce the values of all processes, into one of them, in place.

    Args:
        tensor (Tensor): this process's values; on process `dst` takes the result.
        dst (int): whose tensor takes the result, by its number in the job.
        op (int): what is made of the values, of ReduceOp.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.to_tensor([dist.get_rank() + 1.0])
        ...     _ = dist.reduce(x, dst=0)
        ...     assert x.tolist() == ([3.0] if dist.get_rank() == 0 else [2.0])

    Follows Paddle 2.6.
    """
    return _reductions.reduce(tensor, dst, op, group, sync_op, False)


def reduce_scatter(
    tensor: Tensor, tensor_list: list[Tensor], op: int = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True
) -> Task | None:
    """Reduce a tensor for each process over all of them; each gets its own.

    Args:
        tensor (Tensor): takes the result.
        tensor_list (list): a Tensor for each process.
        op (int): what is made of the values, of ReduceOp.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.zeros([1])
        ...     _ = dist.reduce_scatter(x, [paddle.to_tensor([1.0]), paddle.to_tensor([2.0])])
        ...     assert x.tolist() == [2.0 * (dist.get_rank() + 1)]

    Follows Paddle 2.6.
    """
    return _reductions.reduce_scatter(tensor, tensor_list, op, group, sync_op, False)


def broadcast(tensor: Tensor, src: int, group: Group | None = None, sync_op: bool = True) -> Task | None:
    """Give the values of one process to all of them, in place.

    Args:
        tensor (Tensor): the values of process `src`; the others' take them.
        src (int): whose values, by its number in the job.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.to_tensor([float(dist.get_rank())])
        ...     _ = dist.broadcast(x, src=1)
        ...     assert x.tolist() == [1.0]

    Follows Paddle 2.6.
    """
    return _parts.broadcast(tensor, src, group, sync_op, False)


def scatter(
    tensor: Tensor, tensor_list: list[Tensor] | None = None, src: int = 0, group: Group | None = None, sync_op: bool = True
) -> Task | None:
    """Give each process one of the tensors of one of them.

    Args:
        tensor (Tensor): takes the values.
        tensor_list (list): on process `src` a Tensor for each process.
        src (int): who gives, by its number in the job.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.zeros([1])
        ...     _ = dist.scatter(x, [paddle.to_tensor([1.0]), paddle.to_tensor([2.0])] if dist.get_rank() == 0 else None)
        ...     assert x.tolist() == [dist.get_rank() + 1.0]

    Follows Paddle 2.6.
    """
    return _parts.scatter(tensor, tensor_list, src, group, sync_op, False)


def gather(
    tensor: Tensor, gather_list: list[Tensor] | None = None, dst: int = 0, group: Group | None = None, sync_op: bool = True
) -> Task | None:
    """Give one process the tensors of all of them.

    Args:
        tensor (Tensor): this process's values.
        gather_list (list): on process `dst` a list that takes the tensors: an empty one, or one with a Tensor for each process.
        dst (int): who gets them, by its number in the job.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     found = [] if dist.get_rank() == 0 else None
        ...     _ = dist.gather(paddle.to_tensor([float(dist.get_rank())]), found, dst=0)
        ...     assert found is None or [x.item() for x in found] == [0.0, 1.0]

    Follows Paddle 2.6.
    """
    return _parts.gather(tensor, gather_list, dst, group, sync_op, False)


def all_gather(tensor_list: list[Tensor], tensor: Tensor, group: Group | None = None, sync_op: bool = True) -> Task | None:
    """Give all processes the tensors of all of them.

    Args:
        tensor_list (list): takes the tensors: a list, empty or with a Tensor for each process.
        tensor (Tensor): this process's values.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     found = []
        ...     _ = dist.all_gather(found, paddle.to_tensor([float(dist.get_rank())]))
        ...     assert [x.item() for x in found] == [0.0, 1.0]

    Follows Paddle 2.6.
    """
    return _parts.all_gather(tensor_list, tensor, group, sync_op, False)


def alltoall(in_tensor_list: list[Tensor], out_tensor_list: list[Tensor], group: Group | None = None, sync_op: bool = True) -> Task | None:
    """Give each process a tensor, and get one of each.

    Args:
        in_tensor_list (list): a Tensor for each process.
        out_tensor_list (list): takes those of each process: a list, empty or with a Tensor for each. As Paddle 3 has it before the
            Tensors that are given, an empty list may come first.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     given, found = [paddle.to_tensor([10.0 * dist.get_rank() + i]) for i in range(2)], []
        ...     _ = dist.alltoall(given, found)
        ...     assert [x.item() for x in found] == [dist.get_rank(), 10.0 + dist.get_rank()]

    Follows Paddle 2.6.
    """
    if isinstance(in_tensor_list, list) and isinstance(out_tensor_list, list) and out_tensor_list and not in_tensor_list:
        in_tensor_list, out_tensor_list = out_tensor_list, in_tensor_list
    return _parts.alltoall(out_tensor_list, in_tensor_list, group, sync_op, False)


def alltoall_single(
    in_tensor: Tensor,
    out_tensor: Tensor,
    in_split_sizes: list[int] | None = None,
    out_split_sizes: list[int] | None = None,
    group: Group | None = None,
    sync_op: bool = True,
) -> Task | None:
    """Give each process some rows of a tensor, and get some of each.

    Args:
        in_tensor (Tensor): the rows for process 0, then those for process 1, and so on.
        out_tensor (Tensor): takes the rows of process 0, then those of process 1, and so on.
        in_split_sizes (list): how many rows are for each process; None: equally many.
        out_split_sizes (list): how many rows come of each process; None: equally many.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     given, found = paddle.to_tensor([10.0 * dist.get_rank() + i for i in range(2)]), paddle.zeros([2])
        ...     _ = dist.alltoall_single(given, found)
        ...     assert found.tolist() == [dist.get_rank(), 10.0 + dist.get_rank()]

    Follows Paddle 2.6.
    """
    return _parts.alltoall_single(out_tensor, in_tensor, out_split_sizes, in_split_sizes, group, sync_op, False)


def send(tensor: Tensor, dst: int = 0, group: Group | None = None, sync_op: bool = True) -> Task | None:
    """Send a tensor's values to a process, which receives them.

    Args:
        tensor (Tensor): the values.
        dst (int): who receives, by its number in the job.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.to_tensor([float(dist.get_rank())])
        ...     _ = dist.send(x, dst=1) if dist.get_rank() == 0 else dist.recv(x, src=0)
        ...     assert x.tolist() == [0.0]

    Follows Paddle 2.6.
    """
    return _messages.send(tensor, dst, group, sync_op, False)


def recv(tensor: Tensor, src: int = 0, group: Group | None = None, sync_op: bool = True) -> Task | None:
    """Receive a tensor's values, which a process sends.

    Args:
        tensor (Tensor): takes the values.
        src (int): who sends, by its number in the job.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.to_tensor([float(dist.get_rank())])
        ...     _ = dist.send(x, dst=0) if dist.get_rank() == 1 else dist.recv(x, src=1)
        ...     assert x.tolist() == [1.0]

    Follows Paddle 2.6.
    """
    return _messages.recv(tensor, src, group, sync_op, False)


def isend(tensor: Tensor, dst: int, group: Group | None = None) -> Task | None:
    """Begin to send a tensor's values to a process, which receives them.

    Args:
        tensor (Tensor): the values, which stay as they are until the task has ended.
        dst (int): who receives, by its number in the job.
        group (Group): who meets; None: all processes of the job.
    Returns:
        A task, whose `wait` waits until they are sent. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.to_tensor([float(dist.get_rank())])
        ...     task = dist.isend(x, dst=1) if dist.get_rank() == 0 else dist.irecv(x, src=0)
        ...     _ = task.wait()
        ...     assert x.tolist() == [0.0]

    Follows Paddle 2.6.
    """
    return _messages.send(tensor, dst, group, False, False)


def irecv(tensor: Tensor, src: int | None = None, group: Group | None = None) -> Task | None:
    """Begin to receive a tensor's values, which a process sends.

    Args:
        tensor (Tensor): takes the values; they are there when the task has ended.
        src (int): who sends, by its number in the job.
        group (Group): who meets; None: all processes of the job.
    Returns:
        A task, whose `wait` waits until they are there. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.to_tensor([float(dist.get_rank())])
        ...     task = dist.irecv(x, src=1) if dist.get_rank() == 0 else dist.isend(x, dst=0)
        ...     _ = task.wait()
        ...     assert x.tolist() == [1.0]

    Follows Paddle 2.6.
    """
    return _messages.recv(tensor, src, group, False, False)


class P2POp:
    """A message for `batch_isend_irecv`.

    Args:
        op: `isend` or `irecv`.
        tensor (Tensor): what is sent, or takes what comes.
        peer (int): who receives or sends it, by its number in the job.
        group (Group): who meets; None: all processes of the job.
    Raises:
        RuntimeError: op is none of the two.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     message = dist.P2POp(dist.isend, paddle.ones([2]), 1 - dist.get_rank())
        ...     assert message.peer == 1 - dist.get_rank()

    Follows Paddle 2.6.
    """

    def __init__(self, op: Callable[..., Any], tensor: Tensor, peer: int, group: Group | None = None) -> None:
        if op not in (isend, irecv):
            raise PreconditionNotMetError(f"Invalid value for argument `op` of P2POp. Expected isend or irecv. Received: {op!r}")
        self.op, self.tensor, self.peer, self.group = op, tensor, peer, _groups.meeting(group)


def batch_isend_irecv(p2p_op_list: list[P2POp]) -> list[Task]:
    """Begin many messages at once, in whatever order the other processes begin theirs.

    Args:
        p2p_op_list (list): P2POps of one group.
    Returns:
        list: tasks to wait for.
    Raises:
        RuntimeError: something is no P2POp, or they are of several groups.
        IndexError: there is none.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     other, x = 1 - dist.get_rank(), paddle.zeros([1])
        ...     sent = dist.P2POp(dist.isend, paddle.to_tensor([float(dist.get_rank())]), other)
        ...     for task in dist.batch_isend_irecv([sent, dist.P2POp(dist.irecv, x, other)]):
        ...         _ = task.wait()
        ...     assert x.tolist() == [other]

    Follows Paddle 2.6.
    """
    if not isinstance(p2p_op_list, (list, tuple)) or not all(isinstance(op, P2POp) for op in p2p_op_list):
        raise PreconditionNotMetError("Invalid value for argument `p2p_op_list`. Expected a list of P2POps. Received: something else")
    if not p2p_op_list:
        raise OutOfRangeError("Invalid value for argument `p2p_op_list`. Expected at least one P2POp. Received: none")
    if _groups.outside(p2p_op_list[0].group):
        return []
    return _messages.exchange([(op.op is isend, op.tensor, op.peer, op.group) for op in p2p_op_list])


@contextlib.contextmanager
def _coalescing_manager(group: Group | None = None, tasks: list[Task] | None = None) -> Iterator[None]:
    """Messages that are begun as one, as libraries put them around `isend` and `irecv`; here each begins at once.

    Args:
        group (Group): who meets; None: all processes of the job.
        tasks (list): those of the messages; kept.
    Returns:
        A context.

    Example:
        >>> import paddle_compat as paddle
        >>> with paddle.distributed.communication._coalescing_manager():
        ...     pass

    Follows Paddle 3.3.
    """
    yield
