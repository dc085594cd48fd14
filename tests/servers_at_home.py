"""Servers and one trainer of DistributeTranspiler in this process: they call each other without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from paddle_compat import fluid
from paddle_compat.core.job import Servers
from paddle_compat.engine import trainer
from paddle_compat.engine.parameter_server import ParameterServer
from paddle_compat.engine.serving import server_of
from paddle_compat.engine.transport import Promise, _raised

ENDPOINTS = ["127.0.0.1:6174", "127.0.0.1:6175"]


class Here:
    """A transport to servers of this process."""

    def __init__(self, servers: list[ParameterServer]) -> None:
        self.servers = servers

    def call_async(self, to: str, method: str, *arguments: Any) -> Any:
        found = self.servers[int(to.removeprefix("server"))].answer(method, *arguments)
        return Answer(found)

    def call(self, to: str, method: str, *arguments: Any) -> Any:
        return self.call_async(to, method, *arguments).result()

    def leave(self, done: bool) -> None:
        """Nothing is held."""


class Answer:
    def __init__(self, found: Any) -> None:
        self.found = found

    def result(self) -> Any:
        if not isinstance(self.found, Promise):
            return self.found
        kind, value = self.found.future.wait()
        if kind != "value":
            raise _raised(kind, value)
        return value


class Home:
    """A job of one trainer.

    Attributes:
        exe: its executor; main, startup: its Programs; loss: what `network` gave.
        servers: as many as there are endpoints; scopes: of each.
    """

    def __init__(
        self, network: Callable[[], Any], sync: bool = True, endpoints: list[str] = ENDPOINTS, config: Any = None, begin: Any = None
    ) -> None:
        self.exe, self.endpoints = fluid.Executor(fluid.CPUPlace()), endpoints
        written, self.startup = fluid.Program(), fluid.Program()
        written.random_seed = self.startup.random_seed = 11
        with fluid.unique_name.guard(), fluid.program_guard(written, self.startup):
            self.loss = network()
            self.transpiler = fluid.DistributeTranspiler(config)
            self.transpiler.transpile(0, pservers=",".join(endpoints), trainers=1, sync_mode=sync)
        written_for = [self.transpiler.get_pserver_programs(endpoint) for endpoint in endpoints]
        self.programs, self.startups = [main for main, _ in written_for], [startup for _, startup in written_for]
        self.scopes = [self.begun(i, begin) for i in range(len(endpoints))]
        self.servers = [server_of(main, main.global_block().ops[-1], scope) for main, scope in zip(self.programs, self.scopes)]
        self.main = self.transpiler.get_trainer_program()

    def begun(self, number: int, begin: Any = None) -> fluid.Scope:
        """A Scope in which a server's startup Program has run."""
        scope = fluid.Scope()
        with fluid.scope_guard(scope):
            self.exe.run(self.startups[number])
            if begin is not None:
                begin(self.programs[number], self.exe)
        return scope

    def run(self, feed: dict[str, Any], fetch: list[Any] | None = None) -> list[Any]:
        """A step of the trainer."""
        found: list[Any] = self.exe.run(self.main, feed=feed, fetch_list=[self.loss] if fetch is None else fetch)
        return found


@contextmanager
def at_home(network: Callable[[], Any], **options: Any) -> Iterator[Home]:
    """A job of one trainer, which has run its startup Program, in a Scope of its own."""
    with pytest.MonkeyPatch.context() as patch, fluid.scope_guard(fluid.Scope()):
        home = Home(network, **options)
        own = trainer.Trainer(Servers(tuple(home.endpoints), 1, 0))
        own._transport = Here(home.servers)  # type: ignore[assignment]
        own.pushes, own.answered = [0] * len(home.endpoints), [0] * len(home.endpoints)
        patch.setattr(trainer, "_trainer", own)
        home.exe.run(home.startup)
        yield home


def alone(network: Callable[[], Any], feeds: list[dict[str, Any]]) -> list[float]:
    """Losses of one process."""
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 11
    with fluid.unique_name.guard(), fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()):
        loss, exe = network(), fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        return [exe.run(main, feed=feed, fetch_list=[loss])[0].item() for feed in feeds]
