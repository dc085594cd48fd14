"""Operators of trainers and parameter servers.

Those that talk to a server are described here, with the slots and attributes that Programs show; a run of the parameter server's
engine does their work, since it needs the variables' names, which operators do not see. Called without it they say so.
Those that cut and join what travels are ordinary operators.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from paddle_compat.core.errors import InvalidArgumentError, UnsupportedError
from paddle_compat.core.op import Meta, op
from paddle_compat.core.stand_ins import stand_in
from paddle_compat.ops._grad_makers import by_op

Tensor = torch.Tensor
ENDPOINT = "127.0.0.1:6164"  # Paddle's default


# ---- what talks to servers
def _unknown(*inputs: Any, **attrs: Any) -> tuple[()]:
    """Nothing is known of the outputs: they are declared where the operator is written."""
    return ()


def _remote(type_: str) -> UnsupportedError:
    return UnsupportedError(
        f"fluid.layers.{type_}", "a run outside of a parameter server's job", "Executor.run of a Program of fluid.DistributeTranspiler"
    )


def _talk(inputs: Sequence[str] = ("X*",), outputs: Sequence[str] = ("Out*",)) -> Callable[[Callable[..., Any]], Any]:
    return op(inputs=inputs, outputs=outputs, infer=_unknown, lod=None)


@_talk()
def send(
    xs: list[Tensor],
    *,
    sections: Sequence[int] = (),
    send_varnames: Sequence[str] = (),
    num: int = 0,
    merge_add: bool = False,
    use_send_handler: bool = True,
    trainer_id: int = 0,
    epmap: Sequence[str] = (ENDPOINT,),
    is_sparse: int = 0,
    table_id: int = 0,
) -> Any:
    """Variables go to the servers that keep them."""
    raise _remote("send")


@_talk()
def send_barrier(xs: list[Tensor], *, trainer_id: int = 0, endpoints: Sequence[str] = (ENDPOINT,), half_async: bool = False) -> Any:
    """All that this trainer sends in a step was sent."""
    raise _remote("send_barrier")


@_talk()
def recv(
    xs: list[Tensor],
    *,
    trainer_id: int = 0,
    epmap: Sequence[str] = (),
    with_barrier: bool = True,
    varnames: Sequence[str] = (),
    recv_varnames: Sequence[str] = (),
    do_not_run: int = 0,
) -> Any:
    """Variables come from the servers that keep them."""
    raise _remote("recv")


@_talk(("X*?",))
def fetch_barrier(xs: list[Tensor], *, trainer_id: int = 0, endpoints: Sequence[str] = (ENDPOINT,)) -> Any:
    """All that this trainer asked for in a step has come."""
    raise _remote("fetch_barrier")


@_talk(outputs=())
def listen_and_serv(
    xs: list[Tensor],
    *,
    endpoint: str = ENDPOINT,
    pserver_id: int = -1,
    Fanin: int = 1,
    distributed_mode: int = 0,
    dc_asgd: bool = False,
    optimize_blocks: Sequence[Any] = (),
    grad_to_block_id: Sequence[str] = (),
    prefetch_var_name_to_block_id: Sequence[str] = (),
    sparse_grad_to_param: Sequence[str] = (),
    lr_decay_block_id: int = -1,
    checkpint_block_id: int = -1,
    rpc_get_thread_num: int = 1,
    rpc_send_thread_num: int = 1,
    rpc_prefetch_thread_num: int = 1,
) -> Any:
    """Serve variables and update them by blocks of this Program, until all trainers have left."""
    raise _remote("listen_and_serv")


@_talk(outputs=())
def fl_listen_and_serv(
    xs: list[Tensor], *, endpoint: str = ENDPOINT, Fanin: int = 1, optimize_blocks: Sequence[Any] = (), sync_mode: bool = True
) -> Any:
    """Serve variables of federated learning."""
    raise _remote("fl_listen_and_serv")


@_talk()
def prefetch(xs: list[Tensor], *, trainer_id: int = 0, epmap: Sequence[str] = (ENDPOINT,)) -> Any:
    """Rows of a table for lists of ids, one list for each server."""
    raise _remote("prefetch")


def _infer_lookup(ids: list[Meta], w: Meta, *, lookup_table_version: str = "lookup_table", **attrs: Any) -> tuple[list[Meta]]:
    width, old = w.shape[-1], lookup_table_version == "lookup_table"
    return ([Meta((*(i.shape[:-1] if old else i.shape), width), w.dtype, i.lod_level) for i in ids],)


@op(inputs=("Ids*", "W"), outputs=("Outputs*",), infer=_infer_lookup, lod=None)
def distributed_lookup_table(
    ids: list[Tensor],
    w: Tensor,
    *,
    table_names: Sequence[str] = (),
    height_sections: Sequence[int] = (),
    endpoints: Sequence[str] = (),
    trainer_id: int = 0,
    padding_idx: int = -1,
    dtype: int = 5,
    lookup_table_version: str = "lookup_table",
    table_id: int = 0,
    is_distributed: bool = False,
    is_test: bool = False,
) -> Any:
    """Rows of a table that servers keep in parts, for several lists of ids."""
    raise _remote("distributed_lookup_table")


@_talk(("Ids*", "Shows*", "Clicks*"), ("Outputs*",))
def distributed_push_sparse(
    ids: list[Tensor],
    shows: list[Tensor],
    clicks: list[Tensor],
    *,
    table_id: int = 0,
    size: int = 8,
    is_distributed: bool = False,
    push_sparse_version: str = "push_sparse",
    padding_idx: int = -1,
    dtype: int = 5,
    is_test: bool = False,
    use_cvm_op: bool = False,
) -> Any:
    """Gradients of a table's rows go to the servers; they stand among the outputs, as in Paddle, and are read."""
    raise _remote("distributed_push_sparse")


@_talk((), ())
def checkpoint_notify(*, epmap: Sequence[str] = (ENDPOINT,), dir: str = "", lookup_table: str = "", trainer_id: int = 0) -> Any:
    """Servers save what they keep of a table."""
    raise _remote("checkpoint_notify")


@_talk((), ())
def recv_save(
    *, dtype: int = 5, overwrite: bool = True, file_path: str = "", shape: Sequence[int] = (), slice_varnames: Sequence[str] = (),
    remote_varnames: Sequence[str] = (), slice_shapes: Sequence[str] = (), endpoints: Sequence[str] = (), trainer_id: int = 0,
) -> Any:  # fmt: skip
    """A variable whose parts servers keep goes into a file, whole."""
    raise _remote("recv_save")


# ---- what cuts and joins
def _sections(rows: int, sections: Sequence[int], num: int) -> list[int]:
    if num > 0:
        if rows % num:
            raise InvalidArgumentError(f"Operator `split_byref` makes {num} equal parts. Expected rows that divide so. Received: {rows}")
        return [rows // num] * num
    return list(sections)


def _infer_parts(x: Meta, *, sections: Sequence[int] = (), num: int = 0) -> tuple[list[Meta]]:
    if num > 0:
        return ([Meta((x.shape[0] // num if x.shape[0] > 0 else -1, *x.shape[1:]), x.dtype)] * num,)
    return ([Meta((rows, *x.shape[1:]), x.dtype) for rows in sections],)


@op(inputs=("X",), outputs=("Out*",), infer=_infer_parts, lod=None, grad=(), grad_maker=by_op("concat", lambda op: {"axis": 0}))
def split_byref(x: Tensor, *, sections: Sequence[int] = (), num: int = 0) -> list[Tensor]:
    """Rows of a tensor in parts that share its memory."""
    parts, begin = [], 0
    for rows in _sections(x.shape[0], sections, num):
        parts.append(x[begin : begin + rows])
        begin += rows
    return parts


def _infer_table_parts(x: Meta, *, height_sections: Sequence[int] = ()) -> tuple[list[Meta]]:
    return ([Meta((rows, *x.shape[1:]), x.dtype, 0, "rows") for rows in height_sections],)


@op(inputs=("X",), outputs=("Out*",), infer=_infer_table_parts, lod=None, grad=(), grad_maker=by_op("sum"))
def split_selected_rows(x: Tensor, *, height_sections: Sequence[int] = ()) -> list[Tensor]:
    """The rows of a sparse gradient in parts of the table, each counting its rows from 0, in the order in which they were."""
    rows, values = x._indices()[0], x._values()
    found, begin = [], 0
    for height in height_sections:
        chosen = (rows >= begin) & (rows < begin + height)
        at = (rows[chosen] - begin)[None]
        found.append(torch.sparse_coo_tensor(at, values[chosen], (height, *x.shape[1:]), check_invariants=False))
        begin += height
    return found


@op(inputs=("Ids*",), outputs=("Out*",), infer=_unknown, lod=None)
def split_ids(ids: list[Tensor], *, _outs: Sequence[int] = ()) -> list[Tensor]:
    """Different ids, ascending, for each of several servers: server `id % servers` has a row."""
    different = torch.unique(torch.cat([each.reshape(-1) for each in ids]))
    return [different[different % len(_outs) == i].reshape(-1, 1) for i in range(len(_outs))]


@op(inputs=("Ids*", "Rows*", "X*"), outputs=("Out*",), infer=_unknown, lod=None)
def merge_ids(ids: list[Tensor], rows: list[Tensor], xs: list[Tensor]) -> list[Tensor]:
    """Rows of a table in the order of ids: what servers gave for the ids that `split_ids` made.

    Raises:
        InvalidArgumentError: an id is in no server's list.
    """
    known, order = torch.cat([each.reshape(-1) for each in rows]).sort()
    values = torch.cat(xs)[order]
    found = []
    for each in ids:
        wanted = each.reshape(-1)
        at = torch.searchsorted(known, wanted).clamp_(max=max(known.numel() - 1, 0))
        if known.numel() == 0 or not torch.equal(known[at], wanted):
            raise InvalidArgumentError("Operator `merge_ids` got no row for an id. Expected every id of `Ids` in `Rows`.")
        found.append(values[at])
    return found


@op(inputs=("X*", "TrainerId"), infer=lambda xs, trainer: Meta(xs[0].shape, xs[0].dtype), lod=None)
def ref_by_trainer_id(xs: list[Tensor], trainer: Tensor) -> Tensor:
    """The tensor of one trainer.

    Raises:
        InvalidArgumentError: there are not so many.
    """
    number = int(trainer)
    if not 0 <= number < len(xs):
        raise InvalidArgumentError(f"Operator `ref_by_trainer_id` has {len(xs)} tensors. Expected a trainer below that. Received: {number}")
    return xs[number]


@op(infer=lambda *, shape=(): Meta(tuple(shape)), lod=None)
def fake_init(*, shape: Sequence[int] = ()) -> Tensor:
    """A table that trainers do not hold: of its shape, with the memory of one number."""
    return stand_in(shape)


@op(inputs=("X*",), outputs=(), infer=_unknown, lod=None)
def delete_var(xs: list[Tensor]) -> tuple[()]:
    """Variables that nobody reads any more: memory goes when nobody holds it."""
    return ()
