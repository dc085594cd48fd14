"""`fluid.layers.collective`: what all ranks of a job do together, one operator each."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core import unique_name
from paddle_compat.core.errors import type_error
from paddle_compat.core.variable import Variable
from paddle_compat.fluid.layer_helper import LayerHelper
from paddle_compat.fluid.layers._record import run

_NUMBERS = {"sum": 0, "prod": 1, "max": 2, "min": 3}


def _check_kind(reduce_type: str, api: str) -> None:
    if reduce_type not in _NUMBERS:
        raise type_error("reduce_type", "sum, prod, max or min", reduce_type, api)


def _like(x: Variable, type_: str, shape: Any = None, key: str | None = None, stop_gradient: bool = False) -> Variable:
    """A variable for what an operator of that type makes of x."""
    made: Variable = LayerHelper(type_).create_variable(
        name=unique_name.generate_with_ignorable_key(f"{x.name}.{key or type_}"), shape=list(x.shape if shape is None else shape),
        dtype=x.dtype, type=x.type, persistable=x.persistable, stop_gradient=stop_gradient,
    )  # fmt: skip
    return made


def _to(out: Variable, type_: str, x: Variable, **attrs: Any) -> Variable:
    """Record an operator that writes to a variable, which keeps what it says of itself."""
    former = out.stop_gradient
    listed = type_ == "c_sync_comm_stream"
    run(type_, [x] if listed else x, outputs={"Out": [out] if listed else out}, **attrs)
    out.stop_gradient = former
    return out


def _allreduce(x: Variable, out: Variable | None = None, reduce_type: str = "sum", sync_mode: bool = False) -> Variable:
    """What the values of all ranks come to."""
    _check_kind(reduce_type, "_allreduce")
    out = _like(x, "allreduce", key="tmp", stop_gradient=True) if out is None else out
    return _to(out, "allreduce", x, reduce_type=_NUMBERS[reduce_type], sync_mode=sync_mode)


def _broadcast(x: Variable, root: int, sync_mode: bool = False) -> Variable:
    """The root's values, written to x."""
    return _to(x, "broadcast", x, root=root, sync_mode=sync_mode)


def _c_allreduce(
    x: Variable, out: Variable | None = None, reduce_type: str = "sum", ring_id: int = 0, use_calc_stream: bool = False
) -> Variable:
    """What the values of all ranks of a ring come to."""
    _check_kind(reduce_type, "_c_allreduce")
    type_ = f"c_allreduce_{reduce_type}"
    return _to(_like(x, type_) if out is None else out, type_, x, ring_id=ring_id, use_calc_stream=use_calc_stream)


def _c_broadcast(x: Variable, root: int = 0, ring_id: int = 0, use_calc_stream: bool = False) -> Variable:
    """The root's values, written to x."""
    return _to(x, "c_broadcast", x, root=root, ring_id=ring_id, use_calc_stream=use_calc_stream)


def _c_allgather(x: Variable, nranks: int, ring_id: int = 0, use_calc_stream: bool = False) -> Variable:
    """The rows of all ranks."""
    rows = x.shape[0] * nranks if x.shape[0] > 0 else x.shape[0]
    out = _like(x, "c_allgather", (rows, *x.shape[1:]))
    return _to(out, "c_allgather", x, nranks=nranks, ring_id=ring_id, use_calc_stream=use_calc_stream)


def _c_reducescatter(x: Variable, nranks: int, ring_id: int = 0, use_calc_stream: bool = False) -> Variable:
    """This rank's rows of the sum."""
    if not isinstance(x, Variable):
        raise type_error("x", "a Variable", x, "_c_reducescatter")
    if x.shape[0] > 0 and x.shape[0] % nranks:
        raise ValueError(f"Invalid value for argument `nranks`. Expected a number that divides the {x.shape[0]} rows. Received: {nranks}")
    rows = x.shape[0] // nranks if x.shape[0] > 0 else x.shape[0]
    out = _like(x, "c_reducescatter", (rows, *x.shape[1:]))
    return _to(out, "c_reducescatter", x, nranks=nranks, ring_id=ring_id, use_calc_stream=use_calc_stream)


def _c_sync_calc_stream(x: Variable) -> Variable:
    """Wait for what is computed."""
    return _to(x, "c_sync_calc_stream", x)


def _c_sync_comm_stream(x: Variable, ring_id: int) -> Variable:
    """Wait for what ranks do together."""
    return _to(x, "c_sync_comm_stream", x, ring_id=ring_id)


__getattr__ = missing(__name__)
__all__: list[str] = []
