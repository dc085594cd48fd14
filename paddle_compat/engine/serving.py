"""A server's side: a Program with `listen_and_serv`, whose blocks update what lies in the Scope, runs until the trainers are done."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Collection, Iterator, Mapping, MutableMapping
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path

import torch

from paddle_compat.core.clone import copy_program
from paddle_compat.core.errors import PreconditionNotMetError, invalid_argument
from paddle_compat.core.job import Servers, goes_on, returns
from paddle_compat.core.operator import Operator
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope
from paddle_compat.engine import server_loop
from paddle_compat.engine.changed_rows import ChangedRows
from paddle_compat.engine.executor import prepare
from paddle_compat.engine.late_gradients import LateGradients
from paddle_compat.engine.parameter_server import Mode, ParameterServer, Values
from paddle_compat.engine.pushed_means import Mean, mean_at_first, take_means
from paddle_compat.engine.row_index import give_memory_back
from paddle_compat.engine.server_tables import tables_of
from paddle_compat.engine.transport import RpcTransport, deadline

_COUNTER = "@LR_DECAY_COUNTER@.trainer_"  # of the steps that a trainer has taken
_CPU = torch.device("cpu")


class Blocks:
    """The updates of a server's Program.

    Args:
        program: the server's.
        listener: its `listen_and_serv`.
        scope: where the parameters are.
    """

    def __init__(self, program: Program, listener: Operator, scope: Scope) -> None:
        self.program, self.listener, self.scope = program, listener, scope
        block = program.global_block()
        said = (each.rpartition(":") for each in listener.attrs["grad_to_block_id"] if each)
        self.block_of = {grad: int(index) for grad, _, index in said}
        self.gains = _gains(program, self.block_of)
        self.gradients = {name: tuple(block.vars[name].shape) for name in (*listener.input("X"), *self.gains)}
        self.rounds: dict[frozenset[str], tuple[Program, list[Mean]]] = {}
        updates = [op for each in listener.attrs["optimize_blocks"] for op in each.ops]
        self.params = {name for op in updates for name in op.inputs.get("Param", ())} | set(self.gains.values())
        # `distributed_mode` says what a config was told, and not whether gradients of several trainers are summed
        sums = any(op.type == "sum" and self.gradients.keys() >= set(op.input("X")) for op in updates)
        self.mode = Mode.SYNC if sums or is_by_hand(listener) else Mode.ASYNC
        self.tables = tables_of(program, listener)
        self.params -= {table.name for table in self.tables}
        for table in self.tables:
            table.take_up(scope)
        self.rows = scope.new_scope() if self.tables else scope  # holds tables' touched rows during a round
        self.names = {name: name for name in self.gradients}
        if sums and listener.attrs["Fanin"] == 1:  # a trainer that is the only one sends gradients under their own names
            self.names |= {name.removesuffix(".trainer_0"): name for name in self.gradients}
        self.parameters = InScope(program, scope)
        self.schedule = listener.attrs.get("lr_decay_block_id", -1)
        self.counters = {name for name in block.vars if name.startswith(_COUNTER)} if self.schedule >= 0 else set()
        self.began = not self.counters
        self.changed = ChangedRows(self.parameters)
        self.late = LateGradients(listener, self.parameters)

    def expected(self) -> dict[str, tuple[int, ...]]:
        """The shapes of what trainers may send, by the names that they send it under."""
        return {sent: self.gradients[name] for sent, name in self.names.items()} | dict.fromkeys(self.counters, (1,))

    def update(self, pushed: Mapping[int, Values]) -> None:
        """Run the blocks of what came."""
        sent = {name: value for gradients in pushed.values() for name, value in gradients.items()}
        counts = {name: sent.pop(name) for name in self.counters & sent.keys()}
        gains = {name: sent.pop(name) for name in self.gains.keys() & sent.keys()}
        for name, gain in gains.items():
            self.parameters[self.gains[name]].add_(gain)
            if gain.is_sparse:
                self.changed.note(self.gains[name], gain._indices()[0])
        if not self.began:
            self._count({})
            self.began = True
        if sent:
            late = self.late.feed(next(iter(pushed)))  # of one trainer: those who correct for each other do not wait for each other
            self._run({self.names[name]: value for name, value in sent.items()}, late)
        if counts:
            self._count(counts)

    def _count(self, steps: Values) -> None:
        """Let the schedule see steps that a trainer has taken; gradients that came with them had the rate from before."""
        for name, count in steps.items():
            self.parameters[name] = self.parameters[name] + count
        self._run({}, {})

    def _run(self, feed: Values, late: Values) -> None:
        kind = frozenset(feed)
        if kind not in self.rounds:
            self.rounds[kind] = self._round(kind)
        program, means = self.rounds[kind]
        take_means(means, feed)
        feed |= late
        names = tuple(sorted(feed))
        with ExitStack() as stack:
            for table in self.tables:
                if not kind.isdisjoint(table.gradients):
                    stack.enter_context(table.as_whole(feed, self.rows))
            prepare(program, names, (), (), self.rows).run([feed[name] for name in names], (), _CPU, False)

    def _blocks_of(self, kind: frozenset[str]) -> set[int]:
        """The blocks that read some gradients, and those that read none; a schedule that counts steps stands alone."""
        if not kind:
            return {self.schedule}
        apart = set(self.block_of.values())
        blocks = set()
        for each in self.listener.attrs["optimize_blocks"]:
            reads = {name for op in each.ops for name in op.input_arg_names}
            if each.idx not in apart or not reads.isdisjoint(kind):
                blocks.add(each.idx)
        return blocks - {self.schedule} if self.counters else blocks

    def _round(self, kind: frozenset[str]) -> tuple[Program, list[Mean]]:
        """One Program of the blocks for some gradients, without what trainers did not send, and the means that are fed to it."""
        blocks = self._blocks_of(kind)
        means, whole = [], copy_program(self.program)
        plain = kind.difference(*(table.gradients for table in self.tables))
        block = whole.global_block()
        listener = next(op for op in block.ops if op.type == "listen_and_serv")
        block.ops.clear()
        for each in listener.attrs["optimize_blocks"]:
            if each.idx not in blocks:
                continue
            for name, var in each.vars.items():
                block.vars.setdefault(name, var)
            for op in each.ops:
                if op.type == "sum":
                    op.inputs["X"] = [name for name in op.input("X") if name in kind or name not in self.gradients]
            mean, left = mean_at_first(each.ops, plain) if each.ops else (None, [])
            if mean is not None:
                means.append(mean)
                block.vars[mean.out].persistable = False  # so that nobody keeps it
            for op in left:
                op.block = block
                block.ops.append(op)
        for each in whole.blocks[1:]:  # a schedule's branches name what lies around them once more, as if it were their own
            for name in each.vars.keys() & block.vars.keys():
                del each.vars[name]
        whole._touch()
        return whole, means


def is_by_hand(listener: Operator) -> bool:
    """Whether a `listen_and_serv` is of `ListenAndServ`, and no transpiler's."""
    return bool(listener.attrs["grad_to_block_id"] == [""])


def _gains(program: Program, block_of: Mapping[str, int]) -> dict[str, str]:
    """Parameters of Geo-SGD by what trainers send for them: blocks that do nothing but add it."""
    found = {}
    for name, index in block_of.items():
        ops = program.block(index).ops
        if len(ops) == 1 and ops[0].type == "sum" and ops[0].input("X") == [*ops[0].output("Out"), name]:
            (found[name],) = ops[0].output("Out")
    return found


class InScope(MutableMapping[str, torch.Tensor]):
    """The persistable variables of a Program that have a value in the Scope."""

    def __init__(self, program: Program, scope: Scope) -> None:
        self.program, self.scope = program, scope

    def __getitem__(self, name: str) -> torch.Tensor:
        var, found = self.program.global_block().vars.get(name), self.scope.find_var(name)
        value = found.tensor.value if found is not None and var is not None and var.persistable else None
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name: str, value: torch.Tensor) -> None:
        self.scope.var(name).tensor.value = value

    def __delitem__(self, name: str) -> None:
        self.scope.erase([name])

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.program.global_block().vars if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, name: object) -> bool:
        try:
            self[str(name)]
        except KeyError:
            return False
        return True


def server_of(program: Program, listener: Operator, scope: Scope) -> ParameterServer:
    """The server that a Program describes.

    Args:
        listener: its `listen_and_serv`.
        scope: where its startup Program left the parameters.
    Raises:
        PreconditionNotMetError: that did not run.
    """
    parameters, blocks = InScope(program, scope), Blocks(program, listener, scope)
    unready = sorted(blocks.params - set(parameters))
    if unready:
        raise PreconditionNotMetError(f"Expected that the server's startup Program has run. Received: no values of {unready}")
    tables = {table.name: table.rows for table in blocks.tables}
    server = ParameterServer(
        listener.attrs["Fanin"], blocks.mode, parameters, blocks.expected(), blocks.update, tables, patience=deadline(), goes_on=goes_on(),
        returns=returns() > 0,
    )  # fmt: skip
    blocks.changed, server.got = server.changed, blocks.late.note
    return server


def serve(program: Program, listener: Operator, servers: Servers, scope: Scope, loaded: Collection[str] = ()) -> None:
    """Serve until all trainers are done.

    Args:
        loaded: names of parameters that came from files, and which trainers are not to give others.
    Raises:
        PreconditionNotMetError: the server's startup Program did not run.
        InvalidArgumentError: the Program is that of no server of the job.
        OSError: the server's port is taken.
    """
    endpoint = listener.attrs["endpoint"]
    if endpoint not in servers.endpoints:
        raise invalid_argument("endpoint", f"one of the job's servers, {', '.join(servers.endpoints)}", endpoint)
    server, number = server_of(program, listener, scope), servers.endpoints.index(endpoint)
    server.loaded = sorted(loaded)
    if server.tables:
        give_memory_back()
    with _port_told(endpoint), _door(endpoint) if number else nullcontext():  # the first one's is where all meet
        server_loop.serve(server, RpcTransport.of_job(servers, f"server{number}", server.answer, server.interrupt))


@contextmanager
def _port_told(endpoint: str) -> Iterator[None]:
    """Tell the port in a file to whoever knows this process, as Paddle's servers do."""
    path = Path("/tmp", f"paddle.{os.getpid()}.port")
    with suppress(OSError):
        path.write_text(endpoint.rpartition(":")[2])
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()


@contextmanager
def _door(endpoint: str) -> Iterator[None]:
    """Listen where the job says that a server is, for those who look whether it is there (`wait_server_ready`): calls come another way."""
    host, _, port = endpoint.rpartition(":")
    door = socket.create_server((host, int(port)))

    def greet() -> None:
        with suppress(OSError):  # closed
            while True:
                door.accept()[0].close()

    threading.Thread(target=greet, name="paddle_compat door", daemon=True).start()
    try:
        yield
    finally:
        with suppress(OSError):
            door.shutdown(socket.SHUT_RDWR)  # wakes the thread
        door.close()
