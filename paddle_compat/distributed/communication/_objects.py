"""Collective calls that hand Python objects on, pickled."""

from __future__ import annotations

import pickle
from typing import Any

import torch

from paddle_compat.core.errors import invalid_argument, type_error
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.distributed import _groups
from paddle_compat.distributed._groups import Group
from paddle_compat.distributed.communication import _static
from paddle_compat.distributed.communication._agreement import agreed, said
from paddle_compat.distributed.communication._tasks import guarded, number_of

_dist = torch.distributed


def all_gather_object(object_list: list[Any], obj: Any, group: Group | None = None) -> None:
    """Gather a Python object of every process, which is added to a list on all of them.

    Args:
        object_list (list): the objects are put behind what it has, in the order of the processes.
        obj: this process's object, which can be pickled.
        group (Group): who meets; None: all processes of the job.
    Raises:
        RuntimeError: this process is none of the group's.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job, after init_parallel_env()
        ...     ranks = []
        ...     dist.all_gather_object(ranks, {"rank": dist.get_rank()})
        ...     assert ranks[1] == {"rank": 1}

    Follows Paddle 2.6.
    """
    _eager("all_gather_object")
    if group is not None and not _groups.meeting(group).is_member():
        raise RuntimeError(f"Only a member gathers. Received: process {_groups.job_rank()} and a group of {group.ranks}")
    met = _groups.meeting(group)
    if not isinstance(object_list, list):
        raise type_error("object_list", "a list", object_list, "all_gather_object")
    found: list[Any] = [None] * met.nranks
    pickle.dumps(obj)  # which raises here, before anybody waits
    agreed(met, said("all_gather_object"))
    guarded(lambda: _dist.all_gather_object(found, obj, group=met.process_group))
    object_list.extend(found)


def broadcast_object_list(object_list: list[Any], src: int, group: Group | None = None) -> None:
    """Give every process the Python objects of one.

    Args:
        object_list (list): the objects, which can be pickled; on the other processes a list of that length, which takes them.
        src (int): whose objects, by its number in the job.
        group (Group): who meets; None: all processes of the job.
    Raises:
        TypeError: object_list is no list.
        ValueError: it is empty.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job, after init_parallel_env()
        ...     names = [f"of {dist.get_rank()}", dist.get_rank()]
        ...     dist.broadcast_object_list(names, src=1)
        ...     assert names == ["of 1", 1]

    Follows Paddle 2.6.
    """
    _eager("broadcast_object_list")
    if _groups.outside(group):
        return
    if not isinstance(object_list, list):
        raise type_error("object_list", "a list", object_list, "broadcast_object_list")
    met = _groups.meeting(group)
    root = number_of(src, "src", met, "broadcast_object_list")
    call = lambda: _dist.broadcast_object_list(object_list, group=met.process_group, group_src=root)  # noqa: E731
    agreed(met, said("broadcast_object_list", detail=f"{len(object_list)} objects of process {src}"))
    if not object_list:  # on all of them
        raise invalid_argument("object_list", "one object at least", object_list, "broadcast_object_list")
    guarded(call)


def scatter_object_list(
    out_object_list: list[Any], in_object_list: list[Any] | None = None, src: int = 0, group: Group | None = None
) -> None:
    """Give every process one of the Python objects of one process.

    Args:
        out_object_list (list): takes this process's object, and nothing else.
        in_object_list (list): an object for each process; only process `src` needs it.
        src (int): who gives, by its number in the job.
        group (Group): who meets; None: all processes of the job.
    Raises:
        TypeError: a list is none.
        ValueError: there are more or fewer objects than processes.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     mine = []
        ...     dist.scatter_object_list(mine, ["first", "second"], src=0)
        ...     assert mine == [("first", "second")[dist.get_rank()]]

    Follows Paddle 2.6.
    """
    api = "scatter_object_list"
    _eager(api)
    if _groups.outside(group):
        return
    if not isinstance(out_object_list, list):
        raise type_error("out_object_list", "a list", out_object_list, api)
    met = _groups.meeting(group)
    root = number_of(src, "src", met, "scatter_object_list")
    given: list[Any] | None = None
    if met.rank == root:
        if not isinstance(in_object_list, (list, tuple)):
            raise type_error("in_object_list", "a list, on the process that gives", in_object_list, api)
        if len(in_object_list) != met.nranks:
            raise invalid_argument("in_object_list", f"{met.nranks} objects", len(in_object_list), api)
        given = list(in_object_list)
    found: list[Any] = [None]
    agreed(met, said(api, detail=f"objects of process {src}"))
    guarded(lambda: _dist.scatter_object_list(found, given, group=met.process_group, group_src=root))
    out_object_list[:] = found


def send_object_list(object_list: list[Any], dst: int | None = None, group: Group | None = None, dst_in_group: int | None = None) -> None:
    """Send Python objects to a process, which calls `recv_object_list`.

    Args:
        object_list (list): the objects, which can be pickled.
        dst (int): who gets them, by its number in the job; None: process 0, where `dst_in_group` says nothing else.
        group (Group): whose processes the two are; None: all processes of the job.
        dst_in_group (int): who gets them, by its number in the group.
    Raises:
        ValueError: there are no objects, both numbers are given, or it is this process.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     names = ["of 0", 5] if dist.get_rank() == 0 else [None, None]
        ...     dist.send_object_list(names, dst=1) if dist.get_rank() == 0 else dist.recv_object_list(names, src=0)
        ...     assert names == ["of 0", 5]

    Follows Paddle 3.3.
    """
    _hand_over(object_list, group, "dst", dst, dst_in_group, _dist.send_object_list)


def recv_object_list(object_list: list[Any], src: int | None = None, group: Group | None = None, src_in_group: int | None = None) -> None:
    """Receive the Python objects that a process sends by `send_object_list`.

    Args:
        object_list (list): of as many elements as there are objects, which take their places.
        src (int): who sends, by its number in the job; None: process 0, where `src_in_group` says nothing else.
        group (Group): whose processes the two are; None: all processes of the job.
        src_in_group (int): who sends, by its number in the group.
    Raises:
        ValueError: the list is empty, both numbers are given, or it is this process.
        TypeError: it is no list.

    Example:
        >>> import paddle_compat as paddle
        >>> dist = paddle.distributed
        >>> if dist.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     names = ["of 0", 5] if dist.get_rank() == 0 else [None, None]
        ...     dist.send_object_list(names, dst=1) if dist.get_rank() == 0 else dist.recv_object_list(names, src=0)
        ...     assert names == ["of 0", 5]

    Follows Paddle 3.3.
    """
    if not isinstance(object_list, (list, tuple, type(None))):
        kind = type(object_list).__name__
        raise TypeError(f"{kind!r} object does not support item assignment. Expected a list. Received: {object_list!r}")
    _hand_over(object_list, group, "src", src, src_in_group, _dist.recv_object_list)


def _hand_over(object_list: Any, group: Group | None, name: str, rank: int | None, place: int | None, call: Any) -> None:
    """Make torch's call, with the other process by its number in the group."""
    api = "send_object_list" if name == "dst" else "recv_object_list"
    _eager(api)
    if object_list is None or len(object_list) == 0:
        raise ValueError(f"object_list cannot be None or empty. Expected one object at least for `{api}`. Received: {object_list!r}")
    if rank is not None and place is not None:
        raise ValueError(f"Cannot specify both '{name}' and '{name}_in_group' arguments. Received: {rank} and {place}")
    if _groups.outside(group):
        return
    met = _groups.meeting(group)
    other = place if place is not None else number_of(0 if rank is None else rank, name, met, api)
    if other == met.rank or not 0 <= other < met.nranks:
        raise invalid_argument(name, f"another process than this one, of {met.ranks}", rank if place is None else place, api)
    objects = list(object_list)
    guarded(lambda: call(objects, group=met.process_group, **{f"group_{name}": other}))
    if name == "src":
        object_list[:] = objects


def _eager(api: str) -> None:
    if not in_dygraph_mode():
        raise _static.eager_alone(api)
