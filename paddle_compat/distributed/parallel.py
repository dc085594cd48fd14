"""`paddle.distributed.parallel`: joining a job, and this process's place in it."""

from __future__ import annotations

import warnings

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, type_error
from paddle_compat.distributed import _groups, communication
from paddle_compat.distributed import parallel_helper as parallel_helper
from paddle_compat.distributed._coalesced import _coalesce_tensors, _split_tensors  # noqa: F401 - harnesses take them from here
from paddle_compat.distributed._data_parallel import DataParallel as DataParallel
from paddle_compat.distributed._environment import ParallelEnv
from paddle_compat.distributed._groups import Group
from paddle_compat.nn.layer.layers import Layer


def init_parallel_env(nccl_config: None = None) -> Group | None:
    """Meet the other processes of the job, which all call this.

    The environment says which they are, as `paddle.distributed.launch`, `spawn` or torchrun leave it. They meet by gloo where the
    current device is the CPU (`paddle.set_device`), by NCCL where it is a GPU.

    Args:
        nccl_config: only None.
    Returns:
        Group: of all processes; None, with a warning, where there is only this one.
    Raises:
        UnsupportedError: nccl_config is given.

    Example:
        >>> import paddle_compat as paddle
        >>> group = paddle.distributed.init_parallel_env()
        >>> assert group is None or group.nranks == paddle.distributed.get_world_size()

    Follows Paddle 2.6 and 3.3.
    """
    if nccl_config is not None:
        raise UnsupportedError("paddle.distributed.init_parallel_env", "nccl_config", "NCCL's environment variables")
    found = _groups.join()
    if found is None:
        warnings.warn(
            "This is the only process: paddle.distributed.init_parallel_env does nothing. Start several with "
            "paddle.distributed.launch, spawn or torchrun.",
            stacklevel=2,
        )
    return found


def get_rank(group: Group | None = None) -> int:
    """The number of this process.

    Args:
        group (Group): among whom; None: all processes of the job.
    Returns:
        int: -1 where this process is none of the group's.
    Raises:
        TypeError: it is no group.

    Example:
        >>> import paddle_compat as paddle
        >>> assert 0 <= paddle.distributed.get_rank() < paddle.distributed.get_world_size()

    Follows Paddle 2.6.
    """
    return _groups.job_rank() if group is None else _checked(group, "get_rank").rank


def get_world_size(group: Group | None = None) -> int:
    """How many processes there are.

    Args:
        group (Group): among whom; None: all processes of the job.
    Returns:
        int: -1 where this process is none of the group's.
    Raises:
        TypeError: it is no group.

    Example:
        >>> import paddle_compat as paddle
        >>> assert paddle.distributed.get_world_size() > paddle.distributed.get_rank()

    Follows Paddle 2.6.
    """
    return _groups.job_size() if group is None else _checked(group, "get_world_size").world_size


def sync_params_buffers(
    model: Layer, comm_group: Group | None = None, src_rank: int = 0, is_model_parallel: bool = False, fuse_params: bool = True
) -> None:
    """Give all processes the parameters and buffers that one of them has.

    Args:
        model (Layer): the model.
        comm_group (Group): who meets; None: all.
        src_rank (int): the rank, in the job, of the one that has them.
        is_model_parallel (bool): leave out parameters that are divided over the processes (`is_distributed`).
        fuse_params (bool): kept; how they travel is chosen here.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.parallel import sync_params_buffers
        >>> sync_params_buffers(paddle.nn.BatchNorm1D(2))

    Follows Paddle 2.6.
    """
    if _groups.join() is not None:
        for value in model.state_dict().values():
            if not (is_model_parallel and getattr(value, "is_distributed", False)):
                communication.broadcast(value, src_rank, comm_group)


def _checked(group: Group, api: str) -> Group:
    if not isinstance(group, Group):
        raise type_error("group", "a Group, as new_group gives it, or None", group, api)
    return group


__all__ = ["DataParallel", "ParallelEnv", "get_rank", "get_world_size", "init_parallel_env", "sync_params_buffers"]
__getattr__ = missing(__name__)
