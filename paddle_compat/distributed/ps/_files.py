"""Files of what servers keep: of a parameter, and of what its updates keep, one file each, however many servers have parts of it."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

import torch

from paddle_compat.core.lod import LoDTensor
from paddle_compat.core.pickles import replacing
from paddle_compat.core.program import Program
from paddle_compat.core.scope import global_scope
from paddle_compat.core.streams import Reader, read_tensor, write_tensor
from paddle_compat.distributed.ps._plan import Plan
from paddle_compat.distributed.ps._training import Training
from paddle_compat.engine import table_files
from paddle_compat.engine.trainer import Parts, Trainer, trainer_of
from paddle_compat.static._files import is_persistable, opened, save_variables


class Kept(NamedTuple):
    """What one server has of a variable.

    Attributes:
        whole: the variable's name, and its file's.
        name: that of the server's part.
        endpoint: the server.
        begin, rows: of the part; 0 rows where the server has all of it.
        state: whether updates keep it.
        table: of a table whose rows exist when they are touched, its height, and of what such rows have beside them; else 0.
        param: the parameter that it is, or is kept for.
    """

    whole: str
    name: str
    endpoint: str
    begin: int = 0
    rows: int = 0
    state: bool = False
    table: int = 0
    param: str = ""


def kept(training: Training, plan: Plan, updates: bool = True) -> list[Kept]:
    """What servers keep.

    Args:
        updates: whether they update, so that they have what updates keep: by the same rows where it is of the parameter's size.
    """
    found = []
    for placed in plan.placed:
        param, own = placed.param, placed.param.name
        table = param.shape[0] if own in training.distributed else 0
        states: dict[str, bool] = {}
        for op in training.group(param.name) if updates else ():
            for name in op.input_arg_names:
                var = training.variable(op, name)
                if var.persistable and name != param.name and name not in op.inputs.get("LearningRate", ()):
                    states[name] = tuple(var.shape) == tuple(param.shape)
        for part in placed.parts:
            rows = part.rows if placed.sliced else 0
            found.append(Kept(own, part.param, part.endpoint, part.begin, rows, False, table, own))
            found += [Kept(name, name, part.endpoint, part.begin * cut, rows * cut, True, table * cut, own) for name, cut in states.items()]
    return found


def save(program: Program, dirname: str, only: Collection[str] | None = None) -> None:
    """Write a trainer's variables: what servers keep as it is there now, and the persistable ones that are here alone.

    Args:
        only: parameters, for them and what their updates keep; None: everything.
    Raises:
        PreconditionNotMetError: the process is a trainer of another job.
    """
    parts = _of(program, only)
    trainer = trainer_of(program._servers, "recv")
    found: dict[str, dict[int, torch.Tensor]] = defaultdict(dict)
    for endpoint in sorted({part.endpoint for part in parts}):
        mine = [part for part in parts if part.endpoint == endpoint and not part.table]
        values = trainer.pull([Parts(part.name, (part.name,), (endpoint,)) for part in mine])
        for part in mine:
            found[part.whole].setdefault(part.begin, values[part.name])
    os.makedirs(dirname, exist_ok=True)
    _write_tables(trainer, parts, dirname)
    for name, rows in found.items():
        with replacing(os.path.join(dirname, name)) as stream:
            write_tensor(stream, LoDTensor(torch.cat([rows[begin] for begin in sorted(rows)])))
    if only is None:
        there = {part.whole for part in parts}
        save_variables([var for var in program.list_vars() if is_persistable(var) and var.name not in there], dirname, None)


def save_rows(program: Program, dirname: str, tables: Collection[str]) -> None:
    """Have servers write their rows of distributed tables, for a trainer's Program."""
    if tables:
        _write_tables(trainer_of(program._servers, "recv"), _of(program, tables), dirname)


def _write_tables(trainer: Trainer, parts: Sequence[Kept], dirname: str) -> None:
    """Have servers write their rows of distributed tables, in the folder as they find it."""
    calls = []
    for number, endpoint in enumerate(trainer.servers.endpoints):
        mine = [part for part in parts if part.endpoint == endpoint and part.table and not part.state]
        places = {part.name: tuple(table_files.Place(part.whole, part.begin, part.table)) for part in mine}
        if places:
            calls.append(trainer.transport.call_async(f"server{number}", "write_tables", places, os.path.abspath(dirname), number))
    for call in calls:
        call.result()
    table_files.remove_others(dirname, {part.whole for part in parts if part.table}, len(trainer.servers.endpoints))


def load(program: Program, endpoint: str, dirname: str, only: Collection[str] | None = None) -> set[str]:
    """Read what a server keeps into the global scope, all or none.

    Args:
        only: parameters, for them and what their updates keep; None: everything.
    Returns:
        The server's names of what was read.
    Raises:
        RuntimeError: a file is missing, or holds another shape.
    """
    found, parts = {}, _of(program, only)
    for part in parts:
        if part.endpoint != endpoint:
            continue
        if part.table:
            shape = tuple(program.global_block().var(part.name).shape)
            kind = table_files.STATES if part.state else table_files.ROWS
            found[part.name] = table_files.read(dirname, kind, part.whole, part.begin, shape)
            continue
        value = _cut(_read(dirname, part.whole, parts), part)
        expected = tuple(program.global_block().var(part.name).shape)
        if tuple(value.shape) != expected:
            raise RuntimeError(
                f"Invalid file for `{part.whole}` in {dirname}. Expected {list(expected)} for this server's part of it. "
                f"Received: {list(value.shape)}"
            )
        found[part.name] = value
    for name, value in found.items():
        global_scope().var(name).tensor.value = value
    return set(found)


def hand_out(program: Program, dirname: str, only: Collection[str] | None = None, states: bool = True) -> None:
    """Have servers take up what was saved, on their way: a trainer reads what servers have whole, and they read rows of tables.

    Args:
        program: a trainer's.
        only: parameters, for them and what their updates keep; None: everything.
        states: also what updates keep.
    Raises:
        RuntimeError: a file is missing; nothing has changed then.
        InvalidArgumentError: a file holds another shape.
    """
    parts = [part for part in _of(program, only) if states or not part.state]
    trainer = trainer_of(program._servers, "recv")
    wholes = {name: _read(dirname, name, parts) for name in {part.whole for part in parts if not part.table}}
    calls = []
    for number, endpoint in enumerate(trainer.servers.endpoints):
        mine = [part for part in parts if part.endpoint == endpoint]
        values = {part.name: _cut(wholes[part.whole], part) for part in mine if not part.table}
        calls.append(trainer.transport.call_async(f"server{number}", "assign", values))
        places = {part.name: tuple(table_files.Place(part.whole, part.begin, part.table)) for part in mine if part.table and not part.state}
        if places:
            calls.append(trainer.transport.call_async(f"server{number}", "read_tables", places, os.path.abspath(dirname)))
    for call in calls:
        call.result()


def _of(program: Program, only: Collection[str] | None) -> list[Kept]:
    """What servers keep of some parameters."""
    return [part for part in program._kept_by_servers if only is None or part.param in only]


def _read(dirname: str, name: str, parts: Sequence[Kept]) -> torch.Tensor:
    """A variable that is whole in its file; the parts in which servers have it say how high it is."""
    with opened(os.path.join(dirname, name)) as stream:
        value = read_tensor(Reader(stream))._tensor()
    height = max(part.begin + part.rows for part in parts if part.whole == name)
    if height and value.shape[:1] != (height,):
        raise RuntimeError(f"Invalid file for `{name}` in {dirname}. Expected {height} rows. Received: shape {list(value.shape)}")
    return value


def _cut(whole: torch.Tensor, part: Kept) -> torch.Tensor:
    """A server's part of a variable."""
    return whole[part.begin : part.begin + part.rows].clone() if part.rows else whole
