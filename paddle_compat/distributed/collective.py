"""`paddle.distributed.collective`: making groups of processes."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import InvalidArgumentError, UnsupportedError
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.distributed import _groups
from paddle_compat.distributed._groups import Group
from paddle_compat.distributed.communication.group import _get_global_group, _get_group_map, is_initialized

_PATIENCE = datetime.timedelta(minutes=30)


def new_group(ranks: Sequence[int] | None = None, backend: str | None = None, timeout: datetime.timedelta = _PATIENCE) -> Group:
    """Make a group of some processes of the job. All processes of the job call this, in the same order.

    Args:
        ranks (list): the processes' numbers in the job, sorted by this; None: all. A group of one has no members.
        backend (str): what they meet by, "gloo" or "nccl"; None: what the job meets by.
        timeout (datetime.timedelta): how long a call waits for the others before it fails.
    Returns:
        Group: on every process; `is_member` says whether this one is in it.
    Raises:
        AssertionError: init_parallel_env was not called, or backend is neither.
        ValueError: ranks has a number twice, or one that no process has.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     x, pair = paddle.to_tensor([1.0]), dist.new_group([0, 1])
        ...     _ = dist.all_reduce(x, group=pair)
        ...     assert pair.is_member() and x.tolist() == [2.0]

    Follows Paddle 2.6.
    """
    return _groups.make(ranks, backend, timeout)


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
    """A linear layer or an embedding whose weight the processes share out, which is not there yet.

    Args:
        x (Variable): the layer's input.
        size (list): the whole weight's shape.
        operation (str): "linear" or "embedding".
        axis (int): along which the weight is cut.
        num_partitions (int): into how many parts.
        gather_out (bool): whether every process gets the whole result.
        weight_attr, bias_attr (ParamAttr): of the layer's parameters.
        name (str): of the layer.
    Returns:
        Nothing: it raises.
    Raises:
        ValueError: eager mode, where Paddle refuses it, too.
        UnsupportedError: static mode.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.enable_static()
        >>> try:
        ...     paddle.distributed.split(paddle.static.data("x", [2, 4]), (4, 8), "linear", num_partitions=2)
        ... except NotImplementedError:
        ...     print("not there")
        not there

    Follows Paddle 2.6.
    """
    if in_dygraph_mode():
        raise InvalidArgumentError("paddle.distributed.split records operators. Expected static mode. Received: a call in eager mode")
    raise UnsupportedError("paddle.distributed.split", instead="paddle.nn.Linear or paddle.nn.Embedding, whole on every process")


__all__ = ["Group", "is_available", "is_initialized", "new_group", "split"]
__getattr__ = missing(__name__)
_ = (_get_global_group, _get_group_map)  # which scripts look for here
