"""Collective calls on Variables: the operators that they append."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from paddle_compat.core.errors import (
    FailedAssertionError,
    PreconditionNotMetError,
    UnsupportedError,
    failed_assertion,
    invalid_argument,
    type_error,
)
from paddle_compat.core.mode import in_dygraph_mode
from paddle_compat.core.variable import Variable
from paddle_compat.distributed import _groups
from paddle_compat.distributed._groups import Group

_KINDS = ("sum", "max", "min", "prod")


def records(tensor: Any, name: str, api: str) -> bool:
    """Whether a call appends operators: its tensor is a Variable.

    Raises:
        WrongInputError: in static mode it is none.
    """
    if isinstance(tensor, Variable):
        return True
    if not in_dygraph_mode():
        raise type_error(name, "a Variable in static mode", tensor, api)
    return False


def eager_alone(api: str) -> FailedAssertionError:
    """The error of a call that has no operator."""
    return failed_assertion("tensor", "a Tensor: it works in eager mode alone", "a Variable", api)


def _append(type_: str, at: Variable, inputs: dict[str, Any], outputs: dict[str, Any], group: Group | None, **attrs: Any) -> None:
    attrs["ring_id"] = 0 if group is None else group.id
    at.block.append_op(type=type_, inputs=inputs, outputs=outputs, attrs=attrs)


def _size(group: Group | None) -> int:
    return _groups.job_size() if group is None else group.nranks


def _root(rank: int, group: Group | None) -> int:
    return rank if group is None else group.get_group_rank(rank)


def _kind(op: int, api: str) -> str:
    if op not in range(len(_KINDS)):
        raise invalid_argument("op", "ReduceOp.SUM, MAX, MIN or PROD in static mode", repr(op), api)
    return _KINDS[op]


def all_reduce(tensor: Variable, op: int, group: Group | None, sync_op: bool) -> None:
    """`c_allreduce_sum` and its likes, in place."""
    kind = _kind(op, "all_reduce")
    _append(f"c_allreduce_{kind}", tensor, {"X": [tensor]}, {"Out": [tensor]}, group, use_calc_stream=sync_op)


def reduce(tensor: Variable, dst: int, op: int, group: Group | None, sync_op: bool) -> None:
    """`c_reduce_sum` and its likes, in place."""
    kind = _kind(op, "reduce")
    root = _root(dst, group)
    _append(f"c_reduce_{kind}", tensor, {"X": [tensor]}, {"Out": [tensor]}, group, root_id=root, use_calc_stream=sync_op)


def broadcast(tensor: Variable, src: int, group: Group | None, sync_op: bool) -> None:
    """`c_broadcast`, in place."""
    _append("c_broadcast", tensor, {"X": [tensor]}, {"Out": [tensor]}, group, root=_root(src, group), use_calc_stream=sync_op)


def reduce_scatter(tensor: Variable, given: Any, op: int, group: Group | None) -> None:
    """`reduce_scatter`, into the tensor."""
    if _kind(op, "reduce_scatter") != "sum":
        raise UnsupportedError("paddle.distributed.reduce_scatter", "op", "ReduceOp.SUM in static mode, or eager mode")
    whole = _whole(given, "tensor_list", "reduce_scatter")
    _append("reduce_scatter", tensor, {"x": [whole]}, {"out": [tensor]}, group, nranks=_size(group))


def scatter(tensor: Variable, given: Any, src: int, group: Group | None, sync_op: bool) -> None:
    """`c_scatter`, into the tensor."""
    if _groups.job_rank() != src:
        if given is not None:
            warnings.warn(f"What process {_groups.job_rank()} gives is left alone: process {src} scatters.", stacklevel=4)
        given = [tensor] * _size(group)
    whole = _whole(given, "tensor_list", "scatter")
    attrs = {"root": _root(src, group), "nranks": _size(group), "use_calc_stream": sync_op}
    _append("c_scatter", tensor, {"X": [whole]}, {"Out": [tensor]}, group, **attrs)


def _whole(given: Any, name: str, api: str) -> Variable:
    """One Variable of a list of them, one behind the other."""
    from paddle_compat.tensor.manipulation import concat

    if isinstance(given, (list, tuple)) and given:
        given = concat(list(given))
    if not isinstance(given, Variable):
        raise type_error(name, "a Variable or a list of them", given, api)
    return given


def _parts(whole: Variable, count: int, out: Any, api: str) -> None:
    from paddle_compat.tensor.manipulation import split

    if not isinstance(out, list):
        raise PreconditionNotMetError(f"In static mode {api} gives its results into a list. Received: {type(out).__name__}")
    out[:] = split(whole, count)


def _made(type_: str, tensor: Variable, shape: Sequence[int]) -> Variable:
    from paddle_compat.core import unique_name

    name = unique_name.generate(f"{unique_name.generate(type_)}.tmp")
    made: Variable = tensor.block.create_var(name=name, shape=list(shape), dtype=tensor.dtype, stop_gradient=tensor.stop_gradient)
    return made


def all_gather(out: Any, tensor: Variable, group: Group | None, sync_op: bool) -> None:
    """`c_allgather`, and a `split` into the list."""
    count = _size(group)
    if not isinstance(out, list):
        raise PreconditionNotMetError(f"In static mode all_gather gives its results into a list. Received: {type(out).__name__}")
    shape = [tensor.shape[0] * count if tensor.shape[0] > 0 else -1, *tensor.shape[1:]]
    whole = _made("c_allgather", tensor, shape)
    _append("c_allgather", tensor, {"X": [tensor]}, {"Out": [whole]}, group, nranks=count, use_calc_stream=sync_op)
    _parts(whole, count, out, "all_gather")


def alltoall(out: Any, given: Any, group: Group | None, sync_op: bool) -> None:
    """`alltoall`; of lists, between a `concat` and a `split`."""
    whole = _whole(given, "in_tensor_list", "alltoall")
    came = out if isinstance(out, Variable) else _made("alltoall", whole, whole.shape)
    _append("alltoall", whole, {"X": [whole]}, {"Out": [came]}, group, use_calc_stream=sync_op)
    if came is not out:
        if not sync_op:
            wait(came, group, False)
        _parts(came, _size(group), out, "alltoall")


def send(tensor: Variable, dst: int, group: Group | None, sync_op: bool) -> None:
    """`send_v2`."""
    _append("send_v2", tensor, {"X": [tensor]}, {}, group, peer=_root(dst, group), use_calc_stream=sync_op)


def recv(tensor: Variable, src: int, group: Group | None, sync_op: bool) -> None:
    """`recv_v2`, into the tensor."""
    attrs = {"peer": _root(src, group), "out_shape": list(tensor.shape), "dtype": int(tensor.dtype), "use_calc_stream": sync_op}
    _append("recv_v2", tensor, {}, {"Out": [tensor]}, group, **attrs)


def barrier(group: Group | None) -> None:
    """`barrier`, of a number that nobody reads."""
    from paddle_compat.tensor.creation import full

    one = full([1], 1, "int32")
    _append("barrier", one, {"X": [one]}, {"Out": [one]}, group)


def wait(tensor: Variable, group: Group | None, use_calc_stream: bool) -> None:
    """`c_sync_calc_stream` or `c_sync_comm_stream`."""
    if use_calc_stream:
        tensor.block.append_op(type="c_sync_calc_stream", inputs={"X": [tensor]}, outputs={"Out": [tensor]})
    else:
        _append("c_sync_comm_stream", tensor, {"X": [tensor]}, {"Out": [tensor]}, group)
