"""`paddle.distributed.communication.group`: asking for groups, ending them, and waiting for each other."""

from __future__ import annotations

import warnings

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import PreconditionNotMetError, type_error
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.tensor import Tensor
from paddle_compat.core.variable import Variable
from paddle_compat.distributed import _groups
from paddle_compat.distributed._groups import Group
from paddle_compat.distributed.communication import _static, _tasks
from paddle_compat.engine import processes as _processes


def is_initialized() -> bool:
    """Whether the processes of the job have met.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.distributed.is_initialized()
        False

    Follows Paddle 2.6.
    """
    return _groups.by_number(0) is not None


def get_group(id: int = 0) -> Group | None:
    """The group of a number.

    Args:
        id (int): 0 is the group of all processes.
    Returns:
        Group: None, with a warning, where no group has that number.

    Example:
        >>> import paddle_compat as paddle
        >>> one = paddle.distributed.new_group([0])
        >>> paddle.distributed.get_group(one.id) is one
        True

    Follows Paddle 2.6.
    """
    found = _groups.by_number(id)
    if found is None:
        warnings.warn(f"No group has the number {id}.", stacklevel=2)
    return found


def get_backend(group: Group | None = None) -> str:
    """What the processes of a group meet by.

    Args:
        group (Group): None: all processes of the job.
    Returns:
        str: GLOO on the CPU, NCCL on GPUs.
    Raises:
        RuntimeError: this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> if paddle.distributed.is_initialized():  # in each process of a job, after init_parallel_env()
        ...     assert paddle.distributed.get_backend() in ("GLOO", "NCCL")

    Follows Paddle 2.6.
    """
    if _groups.outside(group):
        raise PreconditionNotMetError(f"Only a member knows a group's backend. Received: {group!r}")
    return _groups.meeting(group).backend


def destroy_process_group(group: Group | None = None) -> None:
    """End a group. Nobody can meet in it any more.

    Args:
        group (Group): None: the group of all processes of the job, and with it all others.
    Raises:
        RuntimeError: the processes have not met.

    Example:
        >>> import paddle_compat as paddle
        >>> one = paddle.distributed.new_group([0])
        >>> paddle.distributed.destroy_process_group(one)

    Follows Paddle 2.6.
    """
    _groups.dissolve(_groups.meeting(group))


def barrier(group: Group | None = None) -> None:
    """Wait until all processes of a group have come here.

    Args:
        group (Group): None: all processes of the job.

    Example:
        >>> import paddle_compat as paddle
        >>> if paddle.distributed.is_initialized():  # in each process of a job, after init_parallel_env()
        ...     paddle.distributed.barrier()

    Follows Paddle 2.6.
    """
    if group is not None and not _groups.meeting(group).is_member():
        return
    if not in_dygraph_mode():
        _static.barrier(group)
        return
    met = _groups.meeting(group)
    if not _processes.wait_for_all(met.process_group):
        _tasks.guarded(lambda: torch.distributed.barrier(met.process_group))
    _tasks.end_those_left()


def wait(tensor: Tensor, group: Group | None = None, use_calc_stream: bool = True) -> None:
    """Wait until what is queued for a tensor on its device is done; on the CPU nothing is ever queued.

    Args:
        tensor (Tensor): a tensor of a collective call.
        group (Group): the group of that call; None: all processes of the job.
        use_calc_stream (bool): whether to wait for the stream that computes, or for all of them.
    Raises:
        TypeError: tensor is no Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.distributed.wait(paddle.ones([2]))

    Follows Paddle 2.6.
    """
    if group is not None and not _groups.meeting(group).is_member():
        return
    if isinstance(tensor, Variable):
        _static.wait(tensor, group, use_calc_stream)
        return
    if not isinstance(tensor, Tensor):
        raise type_error("tensor", "a Tensor", tensor, "wait")
    _tasks.end_those_left()
    value = tensor._t
    if value.is_cuda:
        if use_calc_stream:
            torch.cuda.current_stream(value.device).synchronize()
        else:
            torch.cuda.synchronize(value.device)


def _get_global_group() -> Group:
    return _groups.global_group()


def _get_group_map() -> dict[int, Group]:
    return _groups.all_groups()


__all__ = ["Group", "barrier", "destroy_process_group", "get_backend", "get_group", "is_initialized", "wait"]
__getattr__ = missing(__name__)
