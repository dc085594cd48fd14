"""The collective calls of `paddle.distributed.stream`: those of `paddle.distributed`, which say besides what waits for them on a GPU."""

from __future__ import annotations

from typing import Any

from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed._groups import Group
from paddle_compat.distributed.communication import _messages, _parts, _reductions
from paddle_compat.distributed.communication._reductions import ReduceOp
from paddle_compat.distributed.communication._tasks import Task


def all_reduce(
    tensor: Tensor, op: int = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True, use_calc_stream: bool = False
) -> Task | None:
    """Reduce the values of all processes, into all of them, in place.

    Args:
        tensor (Tensor): this process's values; takes the result.
        op (int): what is made of the values, of ReduceOp.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
        use_calc_stream (bool): on a GPU, whether the results count as there for what follows; with sync_op only.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.to_tensor([dist.get_rank() + 1.0])
        ...     _ = dist.stream.all_reduce(x)
        ...     assert x.tolist() == [3.0]

    Follows Paddle 2.6.
    """
    return _reductions.all_reduce(tensor, op, group, sync_op, use_calc_stream)


def reduce(
    tensor: Tensor, dst: int = 0, op: int = ReduceOp.SUM, group: Group | None = None, sync_op: bool = True, use_calc_stream: bool = False
) -> Task | None:
    """Reduce the values of all processes, into one of them, in place.

    Args:
        tensor (Tensor): this process's values; on process `dst` takes the result.
        dst (int): whose tensor takes the result, by its number in the job.
        op (int): what is made of the values, of ReduceOp.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
        use_calc_stream (bool): on a GPU, whether the results count as there for what follows; with sync_op only.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.to_tensor([dist.get_rank() + 1.0])
        ...     _ = dist.stream.reduce(x, dst=0)
        ...     assert x.tolist() == ([3.0] if dist.get_rank() == 0 else [2.0])

    Follows Paddle 2.6.
    """
    return _reductions.reduce(tensor, dst, op, group, sync_op, use_calc_stream)


def reduce_scatter(
    tensor: Tensor,
    tensor_or_tensor_list: Any,
    op: int = ReduceOp.SUM,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task | None:
    """Reduce a tensor for each process over all of them; each gets its own.

    Args:
        tensor (Tensor): takes the result.
        tensor_or_tensor_list (list): a Tensor for each process, or a Tensor of them all.
        op (int): what is made of the values, of ReduceOp.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
        use_calc_stream (bool): on a GPU, whether the results count as there for what follows; with sync_op only.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.zeros([1])
        ...     _ = dist.stream.reduce_scatter(x, [paddle.to_tensor([1.0]), paddle.to_tensor([2.0])])
        ...     assert x.tolist() == [2.0 * (dist.get_rank() + 1)]

    Follows Paddle 2.6.
    """
    return _reductions.reduce_scatter(tensor, tensor_or_tensor_list, op, group, sync_op, use_calc_stream)


def broadcast(tensor: Tensor, src: int, group: Group | None = None, sync_op: bool = True, use_calc_stream: bool = False) -> Task | None:
    """Give the values of one process to all of them, in place.

    Args:
        tensor (Tensor): the values of process `src`; the others' take them.
        src (int): whose values, by its number in the job.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
        use_calc_stream (bool): on a GPU, whether the results count as there for what follows; with sync_op only.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.to_tensor([float(dist.get_rank())])
        ...     _ = dist.stream.broadcast(x, src=1)
        ...     assert x.tolist() == [1.0]

    Follows Paddle 2.6.
    """
    return _parts.broadcast(tensor, src, group, sync_op, use_calc_stream)


def scatter(
    tensor: Tensor,
    tensor_or_tensor_list: Any = None,
    src: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task | None:
    """Give each process one of the tensors of one of them.

    Args:
        tensor (Tensor): takes the values.
        tensor_or_tensor_list (list): on process `src` a Tensor for each process, or a Tensor of them all.
        src (int): who gives, by its number in the job.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
        use_calc_stream (bool): on a GPU, whether the results count as there for what follows; with sync_op only.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.zeros([1])
        ...     _ = dist.stream.scatter(x, [paddle.to_tensor([1.0]), paddle.to_tensor([2.0])] if dist.get_rank() == 0 else None)
        ...     assert x.tolist() == [dist.get_rank() + 1.0]

    Follows Paddle 2.6.
    """
    return _parts.scatter(tensor, tensor_or_tensor_list, src, group, sync_op, use_calc_stream)


def gather(
    tensor: Tensor,
    gather_list: list[Tensor] | None = None,
    dst: int = 0,
    group: Group | None = None,
    sync_op: bool = True,
    use_calc_stream: bool = False,
) -> Task | None:
    """Give one process the tensors of all of them.

    Args:
        tensor (Tensor): this process's values.
        gather_list (list): on process `dst` a list that takes the tensors: an empty one, or one with a Tensor for each process.
        dst (int): who gets them, by its number in the job.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
        use_calc_stream (bool): on a GPU, whether the results count as there for what follows; with sync_op only.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     found = [] if dist.get_rank() == 0 else None
        ...     _ = dist.stream.gather(paddle.to_tensor([float(dist.get_rank())]), found, dst=0)
        ...     assert found is None or [x.item() for x in found] == [0.0, 1.0]

    Follows Paddle 2.6.
    """
    return _parts.gather(tensor, gather_list, dst, group, sync_op, use_calc_stream)


def all_gather(
    tensor_or_tensor_list: Any, tensor: Tensor, group: Group | None = None, sync_op: bool = True, use_calc_stream: bool = False
) -> Task | None:
    """Give all processes the tensors of all of them.

    Args:
        tensor_or_tensor_list (list): takes the tensors: a list, empty or with a Tensor for each process, or a Tensor with room for them.
        tensor (Tensor): this process's values.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
        use_calc_stream (bool): on a GPU, whether the results count as there for what follows; with sync_op only.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     found = []
        ...     _ = dist.stream.all_gather(found, paddle.to_tensor([float(dist.get_rank())]))
        ...     assert [x.item() for x in found] == [0.0, 1.0]

    Follows Paddle 2.6.
    """
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


def send(tensor: Tensor, dst: int = 0, group: Group | None = None, sync_op: bool = True, use_calc_stream: bool = False) -> Task | None:
    """Send a tensor's values to a process, which receives them.

    Args:
        tensor (Tensor): the values.
        dst (int): who receives, by its number in the job.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
        use_calc_stream (bool): on a GPU, whether the results count as there for what follows; with sync_op only.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.to_tensor([float(dist.get_rank())])
        ...     _ = dist.stream.send(x, dst=1) if dist.get_rank() == 0 else dist.stream.recv(x, src=0)
        ...     assert x.tolist() == [0.0]

    Follows Paddle 2.6.
    """
    return _messages.send(tensor, dst, group, sync_op, use_calc_stream)


def recv(tensor: Tensor, src: int = 0, group: Group | None = None, sync_op: bool = True, use_calc_stream: bool = False) -> Task | None:
    """Receive a tensor's values, which a process sends.

    Args:
        tensor (Tensor): takes the values.
        src (int): who sends, by its number in the job.
        group (Group): who meets; None: all processes of the job.
        sync_op (bool): whether to wait for the results; False: the task's `wait` does.
        use_calc_stream (bool): on a GPU, whether the results count as there for what follows; with sync_op only.
    Returns:
        A task: `wait()`, `is_completed()`, `is_sync()`. None, with a warning, where this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x = paddle.to_tensor([float(dist.get_rank())])
        ...     _ = dist.stream.send(x, dst=0) if dist.get_rank() == 1 else dist.stream.recv(x, src=1)
        ...     assert x.tolist() == [1.0]

    Follows Paddle 2.6.
    """
    return _messages.recv(tensor, src, group, sync_op, use_calc_stream)
