"""A trainer's side of parameter servers: what its Programs send and get, made one call to each server in a step.

What is sent waits until the step has sent everything (`send_barrier`, or the first `recv`); the answer to that call brings what the step
before got from that server, so that `recv` finds it there. With a `Communicator` that is beside its steps a trainer hands it what is sent.
"""

from __future__ import annotations

import atexit
import itertools
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from paddle_compat.core.errors import InvalidArgumentError, OutOfRangeError, PreconditionNotMetError
from paddle_compat.core.job import Servers
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope
from paddle_compat.engine.remote_rows import FoundRows
from paddle_compat.ops._sparse_updates import Occurrences
from paddle_compat.ops.parameter_server import split_byref, split_selected_rows

if TYPE_CHECKING:
    from paddle_compat.engine.communicator import Communicator
    from paddle_compat.engine.transport import Transport


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
        self._joining = RLock()

    @property
    def transport(self) -> Transport:
        """How it calls the servers."""
        with self._joining:  # replicas of one process look up rows at once
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
    def has_joined(self) -> bool:
        """Whether it has called the servers."""
        return self._transport is not None

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
