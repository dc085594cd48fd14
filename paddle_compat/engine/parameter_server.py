"""What a parameter server does with what trainers send: rounds, immediate updates, tables of rows, snapshots.

It knows nothing of Programs: what updates parameters is a function that it is given, and so is where they lie. Trainers call its methods
through a `Transport` (engine/transport.py), from many threads:

    hello(trainer)                    the number of the trainer's last push that is in the parameters
    push(trainer, number, known, gradients, wanted)
                                      `known`: the last push that the trainer had an answer to
    pull(wanted, trainer)             parameters by name
    lookup(wanted)                    rows of tables and parameters: name -> ids
    changes(wanted)                   rows of parameters that have changed: name -> what the last answer said of it
    assign(values)                    parameters get the values of a trainer
    meet(trainer, number, value)      what all trainers gave; met(): how often
    save(path)                        a snapshot, now; without a path to where the server keeps its own
    write_tables(places, folder, number), read_tables(places, folder)
                                      rows of tables, in files that other servers can read, too
    loaded()                          the names of what came from files before the server began

A push is applied once, however often the call is made: its number is larger than that of the one before, and servers remember the last.
A server that remembers less than a trainer knows, and has no snapshot, has lost what it learned, and says so.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import torch

from paddle_compat.core.errors import (
    ExecutionTimeoutError,
    InvalidArgumentError,
    NotFoundError,
    OutOfRangeError,
    PreconditionNotMetError,
    UnavailableError,
    UnreadableFileError,
)
from paddle_compat.core.pickles import remove_drafts, replacing
from paddle_compat.engine import table_files
from paddle_compat.engine.changed_rows import ChangedRows, Rows, Seen
from paddle_compat.engine.meeting import Meeting
from paddle_compat.engine.sparse_table import SparseTable
from paddle_compat.engine.transport import Promise

Values = dict[str, torch.Tensor]
_log = logging.getLogger(__name__)
_VERSION = 1  # of snapshots
_FOREVER = float("inf")


class Mode(Enum):
    """When what trainers push reaches the parameters."""

    SYNC = "sync"  # when all of them have pushed: once, together
    ASYNC = "async"  # as it comes


class Push(NamedTuple):
    """What a trainer sent.

    Attributes:
        number: of the trainer's pushes to this server.
        gradients: dense tensors; sparse COO tensors with the gradients of some rows.
        wanted: names of the parameters that the answer has, as they are after the update.
        promise: of the answer.
    """

    number: int
    gradients: Values
    wanted: Sequence[str]
    promise: Promise


class ParameterServer:
    """One of a job's servers.

    Args:
        trainers: how many there are.
        mode: when pushes are applied.
        parameters: by name; `update` changes them.
        expected: gradients by name, with their shapes; what else comes is refused.
        update: is called with the gradients of several trainers by number of the trainer (of one, in the ASYNC mode), one call at a time.
        tables: rows that exist when they are touched.
        patience: seconds for which trainers that have pushed wait for the others in a round.
        goes_on: whether a round goes on without trainers that died; else the others are told.
        returns: whether trainers that died are started again: the others are told once then, and may wait for them afterwards.
        kept: where snapshots lie.
    """

    def __init__(
        self, trainers: int, mode: Mode, parameters: MutableMapping[str, torch.Tensor], expected: Mapping[str, Sequence[int]],
        update: Callable[[Mapping[int, Values]], None], tables: Mapping[str, SparseTable] | None = None, patience: float = 180.0,
        goes_on: bool = False, returns: bool = False, kept: Path | None = None,
    ) -> None:  # fmt: skip
        self.trainers, self.mode, self.parameters, self.expected = trainers, mode, parameters, expected
        self.update, self.tables, self.patience = update, dict(tables or {}), patience
        self.goes_on, self.returns, self.kept = goes_on, returns, kept
        self.last = dict.fromkeys(range(trainers), 0)  # the number of each trainer's newest push that is applied
        self.waiting: dict[int, Push] = {}  # the pushes of the round that is being gathered
        self.deadline = _FOREVER  # of that round
        self.loaded: Sequence[str] = ()  # parameters that came from files
        self.day = ""  # the last call of `end_day`
        self.held = False  # calls are to be made again
        self.restored = False  # from a snapshot: what came after it is gone, as everybody was told
        self.behind: set[int] = set()  # the trainers that know of more, and of whom that was said
        self.gone: set[int] = set()  # trainers that rounds go on without
        self.dead: dict[int, set[int]] = {}  # the others that died, each with the trainers that have yet to hear of it
        self.changed = ChangedRows(parameters)  # in which whoever updates notes it
        self.got: Callable[[int, Sequence[str]], None] | None = None  # is told who gets which parameters
        self.lock = threading.RLock()
        self.meeting = Meeting(trainers, patience)
        self._saving = threading.Lock()

    def answer(self, method: str, *arguments: Any) -> Any:
        """Do what a trainer asks for.

        Raises:
            NotFoundError: there is no such method, parameter or table.
            InvalidArgumentError: a gradient is not expected, or not of its shape; a trainer is none.
            OutOfRangeError: an id lies outside its table.
        """
        known: dict[str, Callable[..., Any]] = {
            "hello": self.hello, "push": self.push, "pull": self.pull, "lookup": self.lookup, "save": self.save,
            "end_day": self.end_day, "shrink": self.shrink,
            "changes": self.changes, "write_tables": self.write_tables, "read_tables": self.read_tables,
            "assign": self.assign, "loaded": lambda: self.loaded,
            "meet": self.meeting.meet, "met": self.meeting.met,
        }  # fmt: skip
        if method not in known:
            raise NotFoundError(f"A parameter server has no method {method!r}. Expected one of {sorted(known)}")
        if self.held:
            later = Promise()
            later.again()
            return later
        return known[method](*arguments)

    def hello(self, trainer: int) -> int:
        """The number of a trainer's last push; one that comes back counts on from there, and takes part again."""
        self._check_trainer(trainer)
        with self.lock:
            self.gone.discard(trainer)
            self.meeting.back(trainer)
            self.dead.pop(trainer, None)
            for unaware in self.dead.values():  # the process is a new one
                unaware.discard(trainer)
            return self.last[trainer]

    def push(self, trainer: int, number: int, known: int, gradients: Values, wanted: Sequence[str] = ()) -> Promise:
        """Take a trainer's gradients.

        Raises:
            PreconditionNotMetError: this server was started again, without a snapshot.
        """
        self._check_trainer(trainer)
        if self.last[trainer] < known:
            self._fall_behind(trainer, known)
        self._check_gradients(gradients)
        self._check_names(wanted)
        pushed = Push(number, gradients, wanted, Promise())
        with self.lock:
            if number <= self.last[trainer]:  # the call was made again; its answer had got lost
                pushed.promise.give(self.pull(wanted, trainer))
            elif self.mode is Mode.ASYNC:
                self._apply({trainer: pushed})
            elif self._tell_of_the_dead(trainer, pushed):
                pass
            else:
                former = self.waiting.get(trainer)
                if former is not None:
                    former.promise.again()
                if not self.waiting:
                    self.deadline = time.monotonic() + self.patience
                self.waiting[trainer] = pushed
                self._close_round()
        return pushed.promise

    def pull(self, wanted: Sequence[str], trainer: int | None = None) -> Values:
        """Parameters by name, for a trainer that says who it is."""
        self._check_names(wanted)
        if self.got is not None and trainer is not None:
            with self.lock:
                self.got(trainer, wanted)
        return {name: self.parameters[name].detach() for name in wanted}

    def assign(self, values: Values) -> None:
        """Give parameters other values."""
        self._check_names(values)
        with self.lock:
            for name, value in values.items():
                former = self.parameters[name]
                if value.shape != former.shape:
                    raise InvalidArgumentError(
                        f"Invalid value for parameter {name!r}. Expected shape {list(former.shape)}. Received: {list(value.shape)}"
                    )
                self.parameters[name] = value.to(former.dtype, copy=True)

    def lookup(self, wanted: Mapping[str, torch.Tensor]) -> Values:
        """Rows of tables, or of parameters, those of each with the ids that are asked for."""
        found: Values = {}
        for name, ids in wanted.items():
            table = self.tables.get(name)
            if table is not None:
                with self.lock:
                    found[name] = table.lookup(ids)
            elif name in self.parameters:
                found[name] = _rows(self.parameters[name].detach(), ids)
            else:
                raise NotFoundError(f"This server has no table {name!r}. Expected one of {sorted([*self.tables, *self.parameters])}")
        return found

    def end_day(self, name: str) -> None:
        """Count a day for the rows of tables; a call that is made again counts once.

        Args:
            name: of the call.
        """
        with self.lock:
            if name != self.day:
                self.day = name
                for table in self.tables.values():
                    table.day += 1

    def shrink(self) -> int:
        """Let go of rows that had no update for long; how many these are."""
        with self.lock:
            return sum(table.shrink() for table in self.tables.values())

    def changes(self, wanted: Mapping[str, Seen]) -> dict[str, Rows]:
        """Rows of parameters that have changed since trainers saw them."""
        with self.lock:
            return self.changed.since(wanted)

    def without(self, trainer: int, died: bool) -> None:
        """Wait for a trainer no longer.

        Args:
            died: it did not say that it is done. Who waits for it gets an error, unless the server is to go on.
        """
        self.meeting.without(trainer)
        with self.lock:
            if died and self.mode is Mode.SYNC and not self.goes_on:
                if trainer not in self.dead:
                    self.dead[trainer] = set(range(self.trainers)) - self.gone
                    waiting, self.waiting, self.deadline = self.waiting, {}, _FOREVER
                    for other, pushed in waiting.items():
                        self._tell_of_the_dead(other, pushed)
                return
            self.gone.add(trainer)
            self.dead.pop(trainer, None)
            if died:
                self.waiting.pop(trainer, None)
            self._close_round()

    def _tell_of_the_dead(self, trainer: int, pushed: Push) -> bool:
        """Fail a push of a trainer that has to hear that another one died; whether it had to."""
        for dead, unaware in self.dead.items():
            if trainer in unaware:
                if self.returns:
                    unaware.discard(trainer)
                pushed.promise.fail(UnavailableError(f"Trainer {dead} of {self.trainers} died. Expected the gradients of all in a round"))
                return True
        return False

    def _fall_behind(self, trainer: int, known: int) -> None:
        """Say that updates are lost; without a snapshot, all of them are."""
        if not self.restored:
            raise PreconditionNotMetError(
                f"This server was started again and its parameters are lost. Expected a snapshot. Received: none, while trainer {trainer} "
                f"knows of {known} updates"
            )
        if trainer not in self.behind:
            self.behind.add(trainer)
            last = self.last[trainer]
            _log.warning("Lost the updates %d to %d of trainer %d, which came after the snapshot.", last + 1, known, trainer)

    def interrupt(self) -> None:
        """Ask all who wait to call again."""
        self.meeting.interrupt()
        with self.lock:
            for pushed in self.waiting.values():
                pushed.promise.again()
            self.waiting, self.deadline = {}, _FOREVER

    def look_at_the_clock(self) -> None:
        """Fail what is not complete in time."""
        self.meeting.look_at_the_clock()
        with self.lock:
            if time.monotonic() > self.deadline:
                waiting, self.waiting, self.deadline = self.waiting, {}, _FOREVER
                missing = ", ".join(str(i) for i in range(self.trainers) if i not in waiting and i not in self.gone)
                said = f"Expected the gradients of all trainers within {self.patience:g} s. Received: none of {missing}"
                for pushed in waiting.values():
                    pushed.promise.fail(ExecutionTimeoutError(said))

    def _close_round(self) -> None:
        if self.waiting and len(self.waiting.keys() | self.gone) == self.trainers:
            waiting, self.waiting, self.deadline = self.waiting, {}, _FOREVER
            self._apply(waiting)

    def _apply(self, pushes: Mapping[int, Push]) -> None:
        """Update, and answer; what fails is the trainers' to hear, and nothing counts as applied then."""
        try:
            self.update({trainer: pushes[trainer].gradients for trainer in sorted(pushes)})
        except Exception as error:
            for pushed in pushes.values():
                pushed.promise.fail(error)
            return
        for trainer, pushed in pushes.items():
            self.last[trainer] = pushed.number
            pushed.promise.give(self.pull(pushed.wanted, trainer))

    def _check_trainer(self, trainer: int) -> None:
        if not 0 <= trainer < self.trainers:
            raise InvalidArgumentError(f"Invalid value for argument `trainer`. Expected 0 to {self.trainers - 1}. Received: {trainer}")

    def _check_gradients(self, gradients: Values) -> None:
        for name, gradient in gradients.items():
            if name not in self.expected:
                raise InvalidArgumentError(
                    f"Invalid value for argument `gradients`. Expected those of {sorted(self.expected)}. Received: {name!r}"
                )
            if list(gradient.shape) != list(self.expected[name]):
                raise InvalidArgumentError(
                    f"Invalid value for gradient {name!r}. Expected shape {list(self.expected[name])}. Received: {list(gradient.shape)}"
                )
            if gradient.is_sparse and gradient._nnz():
                low, high = gradient._indices()[0].aminmax()
                if low < 0 or high >= gradient.shape[0]:
                    wrong = int(low) if low < 0 else int(high)
                    raise OutOfRangeError(f"Invalid rows of gradient {name!r}. Expected 0 to {gradient.shape[0] - 1}. Received: {wrong}")

    def _check_names(self, wanted: Iterable[str]) -> None:
        for name in wanted:
            if name not in self.parameters:
                raise NotFoundError(f"This server has no parameter {name!r}. Expected one of {sorted(self.parameters)}")

    def save(self, path: str | os.PathLike[str] | None = None) -> None:
        """Write a snapshot; the file is either the former one or this one, whenever the process dies.

        Raises:
            PreconditionNotMetError: there is no path, and the server keeps no snapshots of its own.
        """
        path = path or self.kept
        if path is None:
            raise PreconditionNotMetError("This server keeps no snapshots. Expected a path, or a folder in PADDLE_COMPAT_PS_SNAPSHOTS")
        with self._saving:
            remove_drafts(path)  # of this server, which was killed and came back
            self._write(path)

    def _write(self, path: str | os.PathLike[str]) -> None:
        with replacing(path) as stream:
            with self.lock:
                tables = {name: table.state() for name, table in self.tables.items()}
                torch.save({"version": _VERSION, "parameters": dict(self.parameters), "last": self.last, "tables": tables}, stream)
            stream.flush()
            os.fsync(stream.fileno())
        folder = os.open(Path(path).absolute().parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the new name, too
        finally:
            os.close(folder)

    def write_tables(self, places: Mapping[str, Sequence[Any]], folder: str, number: int) -> None:
        """Write tables into files that whoever reads may have other servers for; see engine.table_files.

        Args:
            places: a `Place` for each of some tables.
            folder: where this server finds it.
            number: of this server.
        Raises:
            NotFoundError: there is no such table.
        """
        for name, place in places.items():
            table = self._table(name)
            with self.lock:
                table_files.write(table, table_files.Place(*place), folder, number)

    def read_tables(self, places: Mapping[str, Sequence[Any]], folder: str) -> None:
        """Take up rows from what `write_tables` has left, of however many servers; rows that are not there stay.

        Args:
            places: a `Place` for each of some tables.
            folder: where this server finds it.
        Raises:
            NotFoundError: there is no such table.
            UnreadableFileError: a file is missing, or holds rows of another width.
        """
        found = {}
        for name, each in places.items():
            table, place = self._table(name), table_files.Place(*each)
            rows = table_files.read(folder, table_files.ROWS, place.name, place.begin, (table.height, table.width))
            found[name] = {"ids": rows._indices()[0], "rows": rows._values()}
            for state, values in table.states.items():
                kept = table_files.read(folder, table_files.STATES, state, place.begin, (table.height, *values.shape[1:]))
                found[name][f"state/{state}"] = kept._values()
        with self.lock:
            self._take_over({}, found)

    def _table(self, name: str) -> SparseTable:
        if name not in self.tables:
            raise NotFoundError(f"This server has no table {name!r}. Expected one of {sorted(self.tables)}")
        return self.tables[name]

    def restore(self, path: str | os.PathLike[str]) -> None:
        """Take up a snapshot.

        Raises:
            UnreadableFileError: it is no snapshot.
            InvalidArgumentError: it is that of another server.
        """
        parameters, last, tables = self._read(path)
        with self.lock:
            self._take_over(parameters, tables)
            self.last.update({trainer: number for trainer, number in last.items() if trainer in self.last})
            self.restored = True

    def _take_over(self, parameters: Values, tables: Mapping[str, Values]) -> None:
        for name, value in parameters.items():
            self.parameters[name] = value
        for name, state in tables.items():
            table = self.tables[name]
            if len(table) == 0:
                table.restore(state)
                continue
            with table.changing(state["ids"]) as kept:
                for key in kept:
                    kept[key] = state[key if key == "rows" else f"state/{key}"]

    def _read(self, path: str | os.PathLike[str]) -> tuple[Values, dict[int, int], dict[str, Values]]:
        try:
            state = torch.load(path, weights_only=True)
            parameters, last, tables = state["parameters"], state["last"], state["tables"]
        except Exception as error:
            raise UnreadableFileError(f"{path} is no snapshot of a parameter server: {error}") from error
        shapes = {name: list(value.shape) for name, value in parameters.items()}  # gradients that lie there may be among them
        wrong = [name for name, value in self.parameters.items() if shapes.get(name) != list(value.shape)]
        if wrong or tables.keys() != self.tables.keys():
            raise InvalidArgumentError(
                f"{path} is another server's snapshot. Expected {sorted(self.parameters)}, of the same shapes, and tables "
                f"{sorted(self.tables)}. Received: {sorted(parameters)} and {sorted(tables)}"
            )
        return parameters, last, tables


def _rows(parameter: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    height = len(parameter)
    if ids.numel() and (int(ids.min()) < 0 or int(ids.max()) >= height):
        wrong = int(ids[(ids < 0) | (ids >= height)][0])
        raise OutOfRangeError(f"Invalid value for argument `ids`. Expected ids from 0 to {height - 1}. Received: {wrong}")
    return parameter.index_select(0, ids.reshape(-1)).view(*ids.shape, *parameter.shape[1:])
