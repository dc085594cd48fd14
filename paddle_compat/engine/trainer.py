"""A trainer's side of parameter servers: operators `send` and `recv` of its Programs, made one call to each server in a step.

What is sent waits until the step has sent everything (`send_barrier`, or the first `recv`); the answer to that call brings what the step
before got from that server, so that `recv` finds it there. With a `Communicator` that is beside its steps a trainer hands it what is sent.
"""

from __future__ import annotations

import atexit
import itertools
import operator
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from paddle_compat.core.errors import InvalidArgumentError, OutOfRangeError, PreconditionNotMetError, UnsupportedError
from paddle_compat.core.job import Servers, job
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program
from paddle_compat.core.rings import once
from paddle_compat.core.scope import Scope
from paddle_compat.engine import remote_files
from paddle_compat.engine.remote_rows import FoundRows, rows_of
from paddle_compat.ops._sparse_updates import Occurrences
from paddle_compat.ops.parameter_server import split_byref, split_selected_rows

if TYPE_CHECKING:
    from paddle_compat.engine.communicator import Communicator
    from paddle_compat.engine.lowering import _Lowering
    from paddle_compat.engine.transport import Transport


ROUTES, RECEIVES = "_routes", "_receives"  # attributes of fleet's operators: each variable's `Parts`, as plain tuples
TOUCHES = "_touches"  # another: the tables of which a step of Geo-SGD has gradients


class Parts(NamedTuple):
    """A variable of a trainer's, as servers keep it.

    Attributes:
        name: the variable's.
        parts, endpoints: of each part its name and its server; several servers without `rows` all have the whole.
        rows: of each part.
    """

    name: str
    parts: tuple[str, ...]
    endpoints: tuple[str, ...]
    rows: tuple[int, ...] = ()

    def cut(self, value: torch.Tensor) -> Sequence[torch.Tensor]:
        """The parts of a gradient."""
        if len(self.rows) < 2:
            return [value] * len(self.parts)
        if value.is_sparse:
            return split_selected_rows.fn(value, height_sections=self.rows)
        return split_byref.fn(value, sections=self.rows)

    def join(self, values: dict[str, torch.Tensor]) -> torch.Tensor:
        """The variable's value, of its parts', which are taken out."""
        parts = [values.pop(name) for name in self.parts]
        return parts[0] if len(parts) == 1 else torch.cat(parts)


def put_in(scope: Scope, wanted: Iterable[Parts], values: dict[str, torch.Tensor]) -> None:
    """Put variables into a Scope, of their parts' values, which are taken out."""
    for each in wanted:
        scope.var(each.name).tensor.value = each.join(values)


class Trainer:
    """A trainer, which joins its job when it first sends or gets something.

    Args:
        servers: of the job, and this trainer's number.
    """

    def __init__(self, servers: Servers) -> None:
        self.servers, self.number = servers, servers.trainer
        self.routes: dict[str, Parts] = {}  # where what it sends goes
        self.counters: set[str] = set()  # of steps, among them
        self.step: dict[str, torch.Tensor] = {}  # what this step sends
        self.wanted: dict[str, Parts] = {}  # what steps get
        self.got: dict[str, torch.Tensor] = {}  # and have not read yet
        self.pushes: list[int] = []  # to each server
        self.answered: list[int] = []  # the number of the last of them that was applied
        self.tables: dict[str, Parts] = {}  # that its Programs look up
        self.meetings = -1  # how many there were; -1: not asked yet
        self.communicator: Communicator | None = None
        self._transport: Transport | None = None

    @property
    def transport(self) -> Transport:
        """How it calls the servers."""
        if self._transport is None:
            from paddle_compat.engine.transport import RpcTransport  # loads rpc

            joined = RpcTransport.of_job(self.servers, f"trainer{self.number}")
            joined.join()
            self._transport = joined
            atexit.register(_exit)
            calls = [joined.call_async(f"server{i}", "hello", self.number) for i in range(len(self.servers.endpoints))]
            self.pushes = [call.result() for call in calls]
            self.answered = list(self.pushes)
        return self._transport

    @property
    def beside(self) -> Communicator | None:
        """What sends and receives while steps go on."""
        found = self.communicator
        return found if found is not None and found.beside else None

    def send(self, names: Sequence[str], tensors: Sequence[torch.Tensor], last: bool) -> None:
        """Have something for servers.

        Args:
            names, tensors: variables that have routes.
            last: the step has no more.
        """
        beside = self.beside
        if beside is None and self.communicator is not None and not self.counters.isdisjoint(names):
            warn_about_schedules()
        else:
            self.step.update((name, tensor.detach()) for name, tensor in zip(names, tensors, strict=True))
        if last and beside is not None:
            step, self.step = self.step, {}
            beside.put(step)

    def note(self, tables: Sequence[str] = (), lists: Sequence[torch.Tensor] | None = None) -> None:
        """Tell the communicator what a Program of Geo-SGD does.

        Args:
            tables, lists: names, and ids of rows that a step has read; none: parameters get their first values.
        Raises:
            PreconditionNotMetError: it has none that is for this.
        """
        if self.communicator is None:
            raise PreconditionNotMetError("Geo-SGD needs a communicator. Expected Communicator.start() before Programs run. Received: none")
        if lists is None:
            self.communicator.note_start()
        else:
            self.communicator.note_rows(tables, lists)

    def push(self, endpoints: Sequence[str] = ()) -> None:
        """Send what this step has, unless it went to a communicator.

        Args:
            endpoints: of servers that hear of the step even where it has nothing for them.
        """
        if self.beside is None:
            step, self.step = self.step, {}
            self.got = self.deliver(step, self.wanted.values(), endpoints)

    def deliver(self, step: Mapping[str, torch.Tensor], wanted: Iterable[Parts], endpoints: Sequence[str] = ()) -> dict[str, torch.Tensor]:
        """Send to all servers at once; one thread at a time.

        Args:
            step: gradients of variables that have routes.
            wanted: what the answers bring, by the names of its parts.
            endpoints: of servers that hear of it even where there is nothing for them.
        """
        sent: dict[int, dict[str, torch.Tensor]] = {self._server(endpoint): {} for endpoint in endpoints}
        for name, value in step.items():
            route = self.routes[name]
            for part, endpoint, rows in zip(route.parts, route.endpoints, route.cut(value), strict=True):
                sent.setdefault(self._server(endpoint), {})[part] = rows
        names = self._by_server(wanted)
        transport, calls = self.transport, {}
        for server in sorted(sent):
            self.pushes[server] += 1
            arguments = (self.number, self.pushes[server], self.answered[server], sent[server], names.pop(server, []))
            calls[server] = transport.call_async(f"server{server}", "push", *arguments)
        asked = [transport.call_async(f"server{server}", "pull", missing, self.number) for server, missing in names.items()]
        found: dict[str, torch.Tensor] = {}
        for server, call in calls.items():
            found.update(call.result())
            self.answered[server] = self.pushes[server]
        for call in asked:
            found.update(call.result())
        return found

    def _by_server(self, wanted: Iterable[Parts]) -> dict[int, list[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        for each in wanted:
            for part, endpoint in zip(each.parts, each.endpoints, strict=True):
                found[self._server(endpoint)].append(part)
        return found

    def recv(self, wanted: Sequence[Parts], now: Sequence[torch.Tensor] = ()) -> list[torch.Tensor]:
        """Values of servers.

        Args:
            wanted: what is asked for.
            now: values which stay where a communicator gets newer ones beside the step.
        """
        if now and self.beside is not None:
            return list(now)
        if self.step:
            self.push()
        self.wanted.update((each.name, each) for each in wanted)
        lacking = [each for each in wanted if any(part not in self.got for part in each.parts)]
        self.got.update(self.pull(lacking))
        return [each.join(self.got) for each in wanted]

    def pull(self, wanted: Iterable[Parts]) -> dict[str, torch.Tensor]:
        """Values of servers by the names of parts, asked for now."""
        asked = self._by_server(wanted).items()
        calls = [self.transport.call_async(f"server{server}", "pull", names, self.number) for server, names in asked]
        return {name: value for call in calls for name, value in call.result().items()}

    def changes(self, tables: Iterable[Parts], seen: dict[str, Any]) -> dict[str, tuple[torch.Tensor, torch.Tensor]]:
        """Rows that have changed since the last time, by the tables' names: ids, ascending, and values.

        Args:
            tables: as servers keep them.
            seen: by part, what the last answer said of it; that of this one is put there.
        """
        tables = list(tables)
        asked = self._by_server(tables).items()
        calls = [self.transport.call_async(f"server{server}", "changes", {part: seen[part] for part in parts}) for server, parts in asked]
        found = {part: rows for call in calls for part, rows in call.result().items()}
        rows = {}
        for table in tables:
            begins = itertools.accumulate(table.rows, initial=0)
            came = [(found[part].ids + begin, found[part].values) for part, begin in zip(table.parts, begins)]
            rows[table.name] = (torch.cat([ids for ids, _ in came]), torch.cat([values for _, values in came]))
        seen.update((part, rows.seen) for part, rows in found.items())
        return rows

    def assign(self, values: Mapping[str, torch.Tensor], wanted: Iterable[Parts]) -> None:
        """Give servers values of variables.

        Args:
            values: by name.
            wanted: these variables, as servers keep them.
        """
        given: dict[int, dict[str, torch.Tensor]] = defaultdict(dict)
        for each in wanted:
            for part, endpoint, rows in zip(each.parts, each.endpoints, each.cut(values[each.name]), strict=True):
                given[self._server(endpoint)][part] = rows
        for call in [self.transport.call_async(f"server{server}", "assign", parts) for server, parts in given.items()]:
            call.result()

    def meet(self, value: Any) -> list[Any]:
        """Wait for the other trainers. Returns what each of them gave."""
        if self.meetings < 0:  # a trainer that was started again goes on with the others
            self.meetings = self.transport.call("server0", "met")
        self.meetings += 1
        return list(self.transport.call("server0", "meet", self.number, self.meetings, value))

    def find(
        self, table: torch.Tensor, lists: Sequence[torch.Tensor], names: Sequence[str], sections: Sequence[int],
        endpoints: Sequence[str], padding_idx: int = -1, last_is_one: bool = True, beside: bool = False,
    ) -> FoundRows:  # fmt: skip
        """Rows of a table that servers keep in parts.

        Args:
            table: stands for it here: gradients are rows of it.
            lists: of ids.
            names, sections, endpoints: of each part: its name, its number of rows and its server.
            padding_idx: an id whose row is zeros; -1: none.
            last_is_one: lists come with a last dimension of 1.
            beside: their rows are wanted side by side, if they are columns of the same height.
        Raises:
            OutOfRangeError: an id is negative, or not smaller than the table's height.
        """
        if self.step:
            self.push()
        beside = beside and all(ids.dim() == 2 and ids.shape == lists[0].shape and ids.shape[1] == 1 for ids in lists)
        where = Occurrences.of(torch.cat(list(lists), 1).view(-1) if beside else torch.cat([ids.reshape(-1) for ids in lists]))
        unique = where.rows
        for wrong in unique[[0, -1]] if len(unique) else ():
            if not 0 <= wrong < len(table):
                whole = names[0].rpartition(".block")[0] or names[0]
                raise OutOfRangeError(f"Invalid ids of table `{whole}`. Expected ids from 0 to {len(table) - 1}. Received: {int(wrong)}")
        calls, begin, first = [], 0, 0
        for name, rows, endpoint in zip(names, sections, endpoints, strict=True):
            end = begin + rows
            last = len(unique) if name == names[-1] else int(torch.searchsorted(unique, end))
            if last > first:
                calls.append(self.transport.call_async(f"server{self._server(endpoint)}", "lookup", {name: unique[first:last] - begin}))
            begin, first = end, last
        found = [value for call in calls for value in call.result().values()]
        values = torch.cat(found) if len(found) != 1 else found[0]
        if padding_idx >= 0:
            values[unique == padding_idx] = 0
        return FoundRows(table, list(lists), where, values, last_is_one, beside)

    def lookup(self, *arguments: Any) -> list[torch.Tensor]:
        """The rows of each list of ids; see `find`."""
        return self.find(*arguments).lists()

    def leave(self, done: bool = True) -> None:
        """Be done with the job, or give up.

        Raises:
            What a communicator could not send for; the trainer has given up then.
        """
        beside = self.communicator
        try:
            if done and beside is not None:
                beside.stop()
        except Exception:
            done = False
            raise
        finally:
            if beside is not None:
                beside.send_no_more()
            if self._transport is not None:
                self._transport.leave(done)
            if beside is not None:
                beside.wait()
            self.communicator = self._transport = None

    def _server(self, endpoint: str) -> int:
        try:
            return self.servers.endpoints.index(endpoint)
        except ValueError:
            raise InvalidArgumentError(f"Expected one of the servers {list(self.servers.endpoints)}. Received: {endpoint}") from None


_trainer: Trainer | None = None


def trainer_of(servers: Servers | None, type_: str) -> Trainer:
    """This process as a trainer.

    Raises:
        PreconditionNotMetError: the Program knows no servers, or the process is a trainer of another job.
    """
    global _trainer
    if servers is None:
        raise PreconditionNotMetError(
            f"Operator `{type_}` calls parameter servers. Expected a Program of fluid.DistributeTranspiler. Received: one that knows none"
        )
    if _trainer is None:
        _trainer = Trainer(servers)
    if _trainer.servers != servers:
        raise PreconditionNotMetError(
            f"This process is a trainer of {_trainer.servers}. Expected the same in all its Programs until the executor is closed. "
            f"Received: {servers}"
        )
    return _trainer


@cache
def warn_about_schedules() -> None:
    """Say once what Paddle 1.8.5 does in silence."""
    warnings.warn(
        "A communicator whose steps wait (SYNC, HALF_ASYNC) counts no steps on servers, so that learning rates stay at their first value, "
        "as in Paddle 1.8.5. Use mode ASYNC, or DistributeTranspiler with sync_mode=True.",
        stacklevel=1,
    )


@contextmanager
def step(scope: Scope, program: Program) -> Iterator[None]:
    """A run of a trainer's Program: it begins with what a communicator has got beside the steps before.

    Args:
        scope: where parameters are.
        program: the one that runs.
    """
    if _trainer is not None and _trainer.beside is not None:
        _trainer.beside.take_up(scope)
    yield
    if _trainer is not None and _trainer.beside is not None:
        _trainer.beside.end_step(scope, program)


def leave(done: bool = True) -> None:
    """Be done with the job, if this process has joined one.

    Args:
        done: else the servers take it for one that died.
    """
    global _trainer
    if _trainer is not None:
        _trainer.leave(done)
    _trainer = None


def _exit() -> None:
    leave(done=not hasattr(sys, "last_value"))  # which an uncaught exception leaves


# ---- lowering
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
    if rows or not attrs.get("use_send_handler", True):  # one variable, for several servers
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
    if lowering.program._servers is None and _trainer is not None and set(named) <= set(_trainer.servers.endpoints):
        return _trainer
    if lowering.program._servers is None and len(set(named)) == 1:
        here = job()
        return trainer_of(Servers((named[0],), here.size, here.rank), op.type)
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
