"""`paddle.distributed.collective`: making groups of processes."""

from __future__ import annotations

import datetime
import importlib
import warnings
from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat._missing import unsupported
from paddle_compat.core.errors import InvalidArgumentError, UnsupportedError, failed_assertion, invalid_argument, type_error
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.variable import Variable
from paddle_compat.distributed import _groups
from paddle_compat.distributed._groups import Group
from paddle_compat.distributed.communication.group import _get_global_group, _get_group_map, is_initialized

_PATIENCE = datetime.timedelta(minutes=30)


def new_group(
    ranks: Sequence[int] | None = None, backend: str | None = None, timeout: datetime.timedelta = _PATIENCE,
    nccl_comm_init_option: int = 0, nccl_config: None = None,
) -> Group:  # fmt: skip
    """Make a group of some processes of the job. All processes of the job call this, in the same order.

    Args:
        ranks (list): the processes' numbers in the job, sorted by this; None: all. A group of one has no members.
        backend (str): what they meet by, "gloo" or "nccl"; None: what the job meets by.
        timeout (datetime.timedelta): how long a call waits for the others before it fails.
        nccl_comm_init_option (int): of no effect: torch makes NCCL's communicators when they are first used.
        nccl_config: only None.
    Returns:
        Group: on every process; `is_member` says whether this one is in it.
    Raises:
        UnsupportedError: nccl_config is given.
        AssertionError: init_parallel_env was not called, or backend is neither.
        ValueError: ranks has a number twice, or one that no process has.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x, pair = paddle.to_tensor([1.0]), dist.new_group([0, 1])
        ...     _ = dist.all_reduce(x, group=pair)
        ...     assert pair.is_member() and x.tolist() == [2.0]

    Follows Paddle 2.6 and 3.3.
    """
    if nccl_config is not None:
        raise UnsupportedError("paddle.distributed.new_group", "nccl_config", "NCCL's environment variables")
    return _groups.make(ranks, backend, timeout)


def shutdown_process_group(group: Group | None = None) -> None:
    """Say that a group is not needed until `restart_process_group`. Its communicators stay, and with them NCCL's memory for them.

    Args:
        group (Group): None: all processes of the job.
    Raises:
        TypeError: group is no Group.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.distributed.shutdown_process_group(paddle.distributed.new_group([0]))

    Follows Paddle 3.3.
    """
    met = _known(group)
    if met is not None and met.is_member() and met.backend == "NCCL":
        said = "shutdown_process_group keeps the communicators of NCCL. Use destroy_process_group and new_group to free their memory."
        warnings.warn(said, stacklevel=2)


def restart_process_group(group: Group | None = None) -> None:
    """Say that a group is needed again.

    Args:
        group (Group): None: all processes of the job.
    Raises:
        TypeError: group is no Group.

    Example:
        >>> import paddle_compat as paddle
        >>> group = paddle.distributed.new_group([0])
        >>> paddle.distributed.shutdown_process_group(group); paddle.distributed.restart_process_group(group)

    Follows Paddle 3.3.
    """
    _known(group)


def _known(group: Group | None) -> Group | None:
    """A group that a call means; None: that of all processes, which have not met."""
    return _groups.by_number(0) if group is None else _groups.meeting(group)


def is_available() -> bool:
    """Whether processes can meet here.

    Returns:
        bool.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.distributed.is_available()
        True

    Follows Paddle 2.6.
    """
    return torch.distributed.is_available()


def split(
    x: Any, size: Sequence[int], operation: str, axis: int = 0, num_partitions: int = 1, gather_out: bool = True,
    weight_attr: Any = None, bias_attr: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """A linear layer or an embedding whose weight the processes share out. All of them are fed the same.

    Args:
        x (Variable): the layer's input: the whole one, or, where rows are shared out, this process's columns.
        size (list): the whole weight's shape.
        operation (str): "linear" or "embedding".
        axis (int): along which the weight is cut; an embedding's is cut along 0.
        num_partitions (int): into how many parts, one for each process of the job; with `strategy.tensor_parallel` of fleet one for
            each of the `tensor_parallel_degree` workers that compute one model together.
        gather_out (bool): whether every process gets the whole result of a linear layer; False: its own part, columns or summands.
        weight_attr, bias_attr (ParamAttr): of the layer's parameters.
        name (str): of the layer.
    Returns:
        Variable: the layer's result.
    Raises:
        ValueError: eager mode, which Paddle refuses, too; an axis that is neither 0 nor 1; the parts do not divide the processes.
        TypeError: x is no Variable, or what is looked up are no integers.
        AssertionError: fleet.init was not called, or size, operation or axis do not fit.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> paddle.enable_static()
        >>> if dist.get_world_size() == 2:  # in each process of a job of two
        ...     dist.fleet.init(is_collective=True)
        ...     y = dist.split(paddle.static.data("x", [2, 4]), (4, 8), "linear", axis=1, num_partitions=2)
        ...     assert y.shape == (2, 8) and y.block.all_parameters()[0].shape == (4, 4)

    Follows Paddle 2.6.
    """
    api = "paddle.distributed.split"
    if not isinstance(size, (list, tuple)):
        raise failed_assertion("size", "a list or tuple", type(size).__name__, api)
    if len(size) != 2:
        raise failed_assertion("size", "two numbers, the rows and columns of the weight", list(size), api)
    if operation not in ("linear", "embedding"):
        raise failed_assertion("operation", "'linear' or 'embedding'", repr(operation), api)
    if in_dygraph_mode():
        raise InvalidArgumentError("paddle.distributed.split records operators. Expected static mode. Received: a call in eager mode")
    from paddle_compat.distributed import _split, fleet

    if fleet.fleet._role_maker is None:
        raise failed_assertion("x", "fleet.init(is_collective=True) before this call", "none", api)
    if operation == "embedding" and axis != 0:
        raise failed_assertion("axis", "0, the rows of an embedding", axis, api)
    if axis not in (0, 1):
        raise invalid_argument("axis", "0 or 1", axis, api)
    if size[axis] % num_partitions:
        raise failed_assertion("size", f"a size that {num_partitions} parts divide, along axis {axis}", size[axis], api)
    if not isinstance(x, Variable):
        raise type_error("x", "a Variable", x, api)
    if num_partitions < 1 or fleet.worker_num() % num_partitions:
        expected = f"{fleet.worker_num()}, a part for each process of the job, or a divisor of it with strategy.tensor_parallel"
        raise invalid_argument("num_partitions", expected, num_partitions, api)
    place, shape = (fleet.worker_index() % num_partitions, num_partitions), (size[0], size[1])
    if operation == "embedding":
        return _split.embedding(x, shape, place, weight_attr, name)
    return _split.linear(x, shape, axis, place, gather_out, weight_attr, bias_attr, name)


def _init_parallel_env(backend: str) -> None:
    """Meet the other processes of the job, as harnesses of static collective operators ask for it.

    Args:
        backend: gloo or nccl; it must be what the current device needs.
    """
    found = _groups.join()
    if found is not None and found.backend != backend.upper():
        raise invalid_argument("backend", f"{found.backend.lower()}, by the current device (paddle.set_device)", backend)


__all__ = ["Group", "is_available", "is_initialized", "new_group", "split"]
_BETWEEN_PARTS = ("_c_concat", "_c_identity", "_c_lookup_table", "_c_softmax_with_cross_entropy", "_c_split", "_mp_allreduce")


def __getattr__(name: str) -> Any:
    """What the layers of tensor parallel models exchange, which imports this module."""
    if name in _BETWEEN_PARTS:
        return getattr(importlib.import_module("paddle_compat.distributed.fleet.layers.mpu.mp_ops"), name)
    raise unsupported(__name__, name)


def _get_default_group() -> Group:
    """The group of all processes, once `init_parallel_env` has made it."""
    if not is_initialized():
        raise failed_assertion("group", "one that paddle.distributed.init_parallel_env made", None, "_get_default_group")
    return _get_global_group()


_ = _get_group_map  # which scripts look for here
