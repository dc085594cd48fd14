"""The operators by which a trainer's Programs talk to parameter servers, as calls of the process's `Trainer`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import torch

from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.job import Servers, job
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program
from paddle_compat.core.rings import once
from paddle_compat.engine import remote_files
from paddle_compat.engine import trainer as trainers
from paddle_compat.engine.remote_rows import rows_of
from paddle_compat.engine.trainer import Parts, Trainer, trainer_of

if TYPE_CHECKING:
    from paddle_compat.engine.lowering import _Lowering


ROUTES, RECEIVES = "_routes", "_receives"  # attributes of fleet's operators: each variable's `Parts`, as plain tuples
TOUCHES = "_touches"  # another: the tables of which a step of Geo-SGD has gradients


def _trainer_for(lowering: _Lowering, op: Operator) -> Trainer:
    return trainer_of(lowering.program._servers or _servers_said(lowering.program), op.type)


def _servers_said(program: Program) -> Servers | None:
    """The job of a Program of `Send` and `Recv`, which has one server; the trainers are those of the environment's job.

    Raises:
        UnsupportedError: it calls several servers, which would know nothing of each other.
    """
    talking = [op for op in program.global_block().ops if op.type in ("send", "recv")]
    if any(op.attrs.get(name) for op in talking for name in ("send_varnames", "recv_varnames", "sections")):
        return None  # a transpiler's, that has come without its job
    endpoints = tuple(dict.fromkeys(endpoint for op in talking for endpoint in op.attrs["epmap"]))
    if len(endpoints) > 1:
        said = f"several servers ({', '.join(endpoints)})"
        raise UnsupportedError("fluid.layers.io.Send", said, "fluid.DistributeTranspiler, or one server")
    here = job()
    return Servers(endpoints, here.size, here.rank) if endpoints else None


def _for_all(call: Callable[..., Any]) -> Callable[..., Any]:
    """Let one of a process's replicas talk to servers: gradients are the sums of all of them, and all get the same parameters."""

    def call_once(*arguments: Any) -> Any:
        return once(lambda: call(*arguments))

    call_once.__name__ = call.__name__
    return call_once


def _send(lowering: _Lowering, op: Operator) -> None:
    names, attrs, trainer = op.input("X"), op.attrs, _trainer_for(lowering, op)
    parts, rows = tuple(attrs.get("send_varnames") or ()), attrs.get("sections")
    if ROUTES in attrs:
        trainer.routes.update((each[0], Parts(*each)) for each in attrs[ROUTES])
    elif not rows and attrs.get("use_send_handler", True) and (parts or not names):  # Geo-SGD
        if parts == ("param_init",):
            lowering._call(trainer.note, ())
        elif TOUCHES in attrs:  # fleet's has gradients, not ids
            lists = [lowering._call(_rows_touched, (lowering._read(name),)) for name in names]
            lowering._call(trainer.note, (list(attrs[TOUCHES]), lists))
        else:
            lowering._call(trainer.note, (list(parts), [lowering._read(name) for name in names]))
        return
    else:
        trainer.routes.update((each.name, each) for each in _sent(op))
        if not attrs.get("use_send_handler", True):
            trainer.counters.update(names)
    last = [each for each in op.block.ops if each.type == "send"][-1] is op
    node = lowering._call(_for_all(trainer.send), (names, [lowering._read(name) for name in names], last))
    lowering.nodes[node.name] = op
    _take(lowering, op, received(op))


def _sent(op: Operator) -> list[Parts]:
    """Where what a `send` operator of DistributeTranspiler's has goes."""
    names, attrs = op.input("X"), op.attrs
    parts, rows, endpoints = (tuple(attrs.get(name) or ()) for name in ("send_varnames", "sections", "epmap"))
    if not attrs.get("use_send_handler", True):  # a counter of steps, for all servers
        return [Parts(names[0], (names[0],) * len(endpoints), endpoints, rows)]
    if rows:  # one variable, in parts
        return [Parts(names[0], parts or (names[0],) * len(endpoints), endpoints, rows)]
    return [Parts(name, (name,), (where,)) for name, where in zip(names, endpoints, strict=True)]


def _rows_touched(gradient: torch.Tensor) -> torch.Tensor:
    return gradient._indices()[0]


def _push_rows(lowering: _Lowering, op: Operator) -> None:
    trainer, route = _trainer_for(lowering, op), Parts(*op.attrs[ROUTES][0])
    trainer.routes[route.name] = route
    lists, gradients = ([lowering._read(name) for name in names] for names in (op.input("Ids"), op.output("Outputs")))
    rows = lowering._call(rows_of, (lists, gradients, sum(route.rows)), name=route.name)
    node = lowering._call(_for_all(trainer.send), ([route.name], [rows], False))
    lowering.nodes[node.name] = op


def _send_barrier(lowering: _Lowering, op: Operator) -> None:
    node = lowering._call(_for_all(_trainer_for(lowering, op).push), (list(op.attrs["endpoints"]),))
    lowering.nodes[node.name] = op
    _take(lowering, op, received(op))


def received(op: Operator) -> list[Parts]:
    """What a `recv` operator gets, or a `send` or `send_barrier` of fleet's, behind which there is none."""
    if op.type != "recv":
        return [Parts(*each) for each in op.attrs.get(RECEIVES, ())]
    names, endpoints, parts = op.output("Out"), tuple(op.attrs["epmap"]), tuple(op.attrs.get("recv_varnames") or ())
    if parts:
        return [Parts(names[0], parts, endpoints)]
    return [Parts(name, (name,), (endpoint,)) for name, endpoint in zip(names, endpoints, strict=True)]


def _recv(lowering: _Lowering, op: Operator) -> None:
    _take(lowering, op, received(op), not op.attrs.get("do_not_run"))


def _take(lowering: _Lowering, op: Operator, wanted: Sequence[Parts], always: bool = False) -> None:
    """Have variables of servers from here on.

    Args:
        always: also where a communicator gets them beside the step.
    """
    if not wanted:
        return
    now = [] if always else [lowering._read(each.name) for each in wanted]
    node = lowering._call(_for_all(_receiver(_trainer_for(lowering, op), wanted)), (now,))
    lowering.nodes[node.name] = op
    for i, each in enumerate(wanted):
        lowering._write(each.name, lowering._call(operator.getitem, (node, i), name=each.name))


def _receiver(trainer: Trainer, wanted: Sequence[Parts]) -> Callable[[Sequence[torch.Tensor]], list[torch.Tensor]]:
    def recv(now: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        return trainer.recv(wanted, now)

    return recv


def _lookup(lowering: _Lowering, op: Operator) -> None:
    attrs = op.attrs
    lists = [lowering._read(name) for name in op.input("Ids")]
    said = [list(attrs[name]) for name in ("table_names", "height_sections", "endpoints")]
    old = attrs.get("lookup_table_version", "lookup_table") == "lookup_table"
    trainer, name = _trainer_for(lowering, op), op.input("W")[0]
    trainer.tables[name] = Parts(name, tuple(said[0]), tuple(said[2]), tuple(said[1]))
    node = lowering._call(trainer.lookup, (lowering._read(op.input("W")[0]), lists, *said, attrs.get("padding_idx", -1), old))
    lowering.nodes[node.name] = op
    for i, (name, ids) in enumerate(zip(op.output("Outputs"), op.input("Ids"))):
        lowering._write(name, lowering._call(operator.getitem, (node, i), name=name))
        if ids in lowering.values.lods:
            lowering.values.lods[name] = lowering.values.lods[ids]


def _fetch_barrier(lowering: _Lowering, op: Operator) -> None:
    """Nothing: `recv` returns when everything has come."""


def _trainer_that_knows(lowering: _Lowering, op: Operator) -> Trainer:
    """This process as a trainer of servers that an operator names, also where its Program knows none."""
    named = remote_files.names_of(op.attrs)
    here = trainers._trainer
    if lowering.program._servers is None and here is not None and set(named) <= set(here.servers.endpoints):
        return here
    if lowering.program._servers is None and len(set(named)) == 1:
        whole = job()
        return trainer_of(Servers((named[0],), whole.size, whole.rank), op.type)
    return trainer_of(lowering.program._servers, op.type)


def _recv_save(lowering: _Lowering, op: Operator) -> None:
    trainer, attrs = _trainer_that_knows(lowering, op), dict(op.attrs)

    def recv_save() -> None:
        remote_files.recv_save(trainer, Parts, attrs)

    lowering.nodes[lowering._call(_for_all(recv_save), ()).name] = op


def _checkpoint_notify(lowering: _Lowering, op: Operator) -> None:
    trainer, attrs = _trainer_that_knows(lowering, op), dict(op.attrs)

    def checkpoint_notify() -> None:
        remote_files.checkpoint_notify(trainer, trainer.tables, attrs)

    lowering.nodes[lowering._call(_for_all(checkpoint_notify), ()).name] = op


LOWERINGS: dict[str, Callable[[Any, Operator], None]] = {
    "checkpoint_notify": _checkpoint_notify,
    "recv_save": _recv_save,
    "send": _send,
    "send_barrier": _send_barrier,
    "recv": _recv,
    "fetch_barrier": _fetch_barrier,
    "distributed_lookup_table": _lookup,
    "distributed_push_sparse": _push_rows,
}
