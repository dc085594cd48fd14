"""The Programs of a job of fleet's with servers, of copies of what `minimize` left: each worker's, in place, and each server's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat.core.dtype import VarType
from paddle_compat.core.job import Servers
from paddle_compat.core.program import Program
from paddle_compat.distributed.ps import _plan
from paddle_compat.distributed.ps._server import GeoServer, Server
from paddle_compat.distributed.ps._training import Training
from paddle_compat.distributed.ps._worker import RATE, GeoWorker, Worker, empty

SYNC, ASYNC, HALF_ASYNC, GEO = range(4)
_THREADS = {"rpc_get_thread_num": -1, "rpc_send_thread_num": -1, "rpc_prefetch_thread_num": -1}
_SMALLEST = 8192  # values that a part of a parameter has


class Programs:
    """What the processes of a job run.

    Args:
        main: a Program that trains.
        startup: its startup Program.
        servers: the job.
        mode: SYNC, ASYNC or GEO.
    Raises:
        ValueError: the Program trains nothing.
    """

    def __init__(self, main: Program, startup: Program, servers: Servers, mode: int) -> None:
        self.main, self.startup, self.servers, self.mode = main, startup, servers, mode
        self.training, self._dealt = Training(main), 0
        if mode == GEO:  # workers have whole tables
            self.training.distributed.clear()
        if not self.training.pairs:
            raise ValueError("Invalid value for argument `loss` of `minimize`. Expected one that updates depend on. Received: one without")
        pairs = sorted(self.training.pairs, key=lambda pair: str(pair[0].name))
        trained = [(param, grad, param.name in self.training.tables) for param, grad in pairs]
        self.plan = _plan.make(trained, servers.endpoints, self._deal, _SMALLEST, main.random_seed)
        self.begins = list(startup.global_block().ops)
        scheduler = main.__dict__.get("lr_scheduler")
        self.rates = [] if scheduler is None else [scheduler._var_name]
        self.receives: list[Any] = []  # what workers hold of the servers' parameters, as servers keep it

    def _deal(self, gradients: Sequence[str]) -> list[str]:
        """Servers get parts in turn."""
        endpoints, first = self.servers.endpoints, self._dealt
        self._dealt = first + len(gradients)
        return [endpoints[(first + i) % len(endpoints)] for i in range(len(gradients))]

    def write_worker(self) -> None:
        """Make the Programs those of a worker."""
        kind = GeoWorker if self.mode == GEO else Worker
        writer = kind(self.training, self.startup, self.plan, self.servers, self.mode == SYNC, self.rates)
        self.receives = [writer.route(placed, gradient=False) for placed in (self.plan.placed if self.mode == GEO else writer.dense)]
        writer.write()
        self.main._servers = self.startup._servers = self.servers

    def let_ask(self, program: Program) -> None:
        """Have a Program that infers ask servers for rows, in place; under Geo-SGD workers have whole tables."""
        if self.mode != GEO:
            Worker(Training(program), Program(), self.plan, self.servers, False).ask()
            program._servers = self.servers

    def write_server(self, number: int) -> tuple[Program, Program]:
        """The Program that a server runs, and its startup Program; the copies are left empty.

        Args:
            number: the server's.
        """
        endpoint = self.servers.endpoints[number]
        kind = GeoServer if self.mode == GEO else Server
        writer = kind(self.training, self.begins, self.plan, self.servers.trainers, self.mode == SYNC)
        main = writer.main(endpoint, number, self.mode)
        for rate in self.rates if self.mode != GEO else ():
            _hear(main, rate)
        begin = writer.startup(main, endpoint)
        main._servers = begin._servers = self.servers
        empty(self.main, self.startup)
        if self.mode == GEO:
            attrs = {"endpoint": endpoint, "pserver_id": number, "Fanin": self.servers.trainers, "distributed_mode": GEO, **_THREADS}
            self.main.global_block().append_op("listen_and_serv", {"X": []}, {}, attrs)
        return main, begin


def _hear(program: Program, rate: str) -> None:
    """Let a server's Program take a learning rate that a worker tells."""
    home = program.global_block()
    if rate not in home.vars:
        return
    said = home.create_var(name=rate + RATE, shape=home.vars[rate].shape, dtype=home.vars[rate].dtype, type=VarType.LOD_TENSOR)
    found = program._create_block(0)
    program._rollback()
    found.append_op("assign", {"X": [said]}, {"Out": [rate]}, {"op_role": 0})
    listener = home.ops[-1]
    listener.inputs["X"] = [*listener.input("X"), said.name]
    listener.attrs["optimize_blocks"] = [found, *listener.attrs["optimize_blocks"]]
    listener.attrs["grad_to_block_id"] = [f"{said.name}:{found.idx}", *listener.attrs["grad_to_block_id"]]
    program._touch()
