"""`paddle.distributed.ps.the_one_ps`: what a worker or a server of fleet does between `minimize` and its end."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection
from typing import Any
from uuid import uuid4

import torch

from paddle_compat._missing import missing
from paddle_compat.core.errors import InvalidArgumentError, NotFoundError, PreconditionNotMetError, UnsupportedError, type_error
from paddle_compat.core.job import Servers
from paddle_compat.core.program import Program
from paddle_compat.core.scope import Scope, global_scope
from paddle_compat.core.serialize import program_to_bytes
from paddle_compat.distributed.fleet.runtime.runtime_base import RuntimeBase
from paddle_compat.distributed.ps import _files, _inference, _programs, _rules
from paddle_compat.engine import table_files
from paddle_compat.engine.executor import run_program
from paddle_compat.engine.trainer import Parts, put_in, trainer_of
from paddle_compat.static import io as static_io
from paddle_compat.static._files import is_persistable, save_variables
from paddle_compat.static._inference import inference_program

_ALONE = "TEST_MODE"  # 1: workers are tried without servers, as in Paddle


class TheOnePSRuntime(RuntimeBase):
    """What a worker or a server does; `fleet.init_worker()` and its like call it.

    Example:
        >>> from paddle_compat.distributed.ps.the_one_ps import TheOnePSRuntime
        >>> try:
        ...     TheOnePSRuntime()._init_worker()
        ... except ValueError as error:
        ...     print(error)
        Nothing to begin or end yet. Expected minimize() as a worker before it. Received: none

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        self.programs: _programs.Programs | None = None
        self.number: int | None = None  # of this server
        self.main: Program | None = None  # a server's
        self.communicator: Any = None
        self._loaded: set[str] = set()  # what this server has from files

    def _write(self, main: Program, startup: Program, servers: Servers, number: int | None, strategy: Any) -> None:
        """Make Programs those of this process."""
        configs = strategy.a_sync_configs
        steps = max(int(configs["k_steps"]), 0)
        asks = bool(strategy.a_sync) or steps > 0
        mode = _programs.GEO if steps else _programs.ASYNC if asks else _programs.SYNC
        self.configs, self.steps, self.mode, self.number = configs, steps, mode, number
        self.programs = _programs.Programs(main, startup, servers, mode)
        _rules.check(strategy, self.programs.training.tables)
        if number is None:
            self.programs.write_worker()
        else:
            self.main, self.begin = self.programs.write_server(number)
        written = main if self.main is None else self.main
        written._kept_by_servers = _files.kept(self.programs.training, self.programs.plan, updates=mode != _programs.GEO)

    # ---- servers
    def _init_server(self, dirname: str | None = None, var_names: Any = None, **kwargs: Any) -> None:
        if self.main is None:
            raise _too_early("server")
        assert self.programs is not None and self.number is not None
        if var_names is not None:
            known = [placed.param.name for placed in self.programs.plan.placed]
            unknown = sorted(set(var_names) - set(known))
            if unknown:
                raise ValueError(f"Invalid value for argument `var_names`. Expected some of {known}. Received: {unknown}")
        run_program(self.begin, {}, (), global_scope(), torch.device("cpu"), False)
        if dirname is not None:
            if not os.path.isdir(dirname):
                raise NotFoundError(f"Invalid value for argument `dirname`. Expected a folder of saved variables. Received: {dirname}")
            self._loaded = _files.load(self.main, self.programs.servers.endpoints[self.number], dirname, var_names)

    def _run_server(self) -> None:
        if self.main is None:
            raise _too_early("server")
        from paddle_compat.engine import serving  # loads rpc

        assert self.main._servers is not None
        serving.serve(self.main, self.main.global_block().ops[-1], self.main._servers, global_scope(), self._loaded)

    # ---- workers
    @property
    def _job(self) -> _programs.Programs:
        if self.programs is None or self.number is not None:
            raise _too_early("worker")
        return self.programs

    @property
    def trainer(self) -> Any:
        """What this worker calls servers with."""
        return trainer_of(self._job.servers, "send")

    def _init_worker(self, scopes: Any = None) -> None:
        """Have the servers' parameters, which are the first worker's where the job begins."""
        job, scope = self._job, _only(scopes)
        if os.environ.get(_ALONE) == "1":
            warnings.warn(f"{_ALONE}=1: fleet.init_worker() asks no server, and parameters are not the servers'.", stacklevel=4)
            return
        trainer, wanted = self.trainer, self._wanted()
        _ = trainer.transport  # joins
        begins = not any(trainer.pushes)  # else this worker, or the whole job, was started again
        calls = [trainer.transport.call_async(f"server{i}", "loaded") for i in range(len(job.servers.endpoints))]
        loaded = {name for call in calls for name in call.result()}
        if begins and trainer.number == 0:
            mine = [each for each in wanted if loaded.isdisjoint(each.parts)]
            trainer.assign({each.name: _value(scope, each.name) for each in mine}, mine)
        if begins:
            trainer.meet(None)
        self._pull(scope)
        self._start(job, scope)

    def _start(self, job: _programs.Programs, scope: Scope) -> None:
        if self.mode == _programs.SYNC:
            return
        from paddle_compat.engine.communicator import Communicator, Kind, Settings

        said = self.configs
        settings = Settings(
            merged=max(said["max_merge_var_num"], 1), queue=max(said["send_queue_size"], 1), pause=said["send_wait_times"] * 0.01,
            receives_after=max(said["min_send_grad_num_before_recv"] - 1, 0), independent=bool(said["independent_recv_thread"]),
            push_steps=self.steps,
        )  # fmt: skip
        if self.mode == _programs.GEO:
            from paddle_compat.engine.geo import GeoCommunicator

            tables = {placed.param.name for placed in job.plan.placed if placed.remote}
            self.communicator = geo = GeoCommunicator(job.main, settings, scope, self._wanted(), tables, job.servers.trainers)
            geo.start()
            geo.note_start()  # which it notices when a run ends
            geo.end_step(scope, job.startup)
            return
        self.communicator = Communicator(job.main, Kind.ASYNC, settings, scope)
        self.communicator.start()

    def _stop_worker(self) -> None:
        from paddle_compat.engine import trainer

        _ = self._job
        trainer.leave()
        self.communicator = None

    def _wanted(self) -> list[Any]:
        return [Parts(*each) for each in self._job.receives]

    def _pull(self, scope: Scope) -> None:
        """Get all dense parameters."""
        wanted = self._wanted()
        put_in(scope, wanted, self.trainer.pull(wanted))

    def _settled(self, scope: Scope) -> None:
        """Have the parameters of now, with all that this worker sent."""
        if self.communicator is not None:
            self.communicator.recv()
        else:
            self._pull(scope)

    # ---- files
    def _save_persistables(self, executor: Any, dirname: str, main_program: Any = None, mode: int = 0, **kwargs: Any) -> None:
        self._save(dirname)
        if mode == 3:  # with which Paddle's jobs end a day
            self._tell("end_day", uuid4().hex)

    def _tell(self, *call: Any) -> None:
        """Have the first worker tell all servers something."""
        if self._job.servers.trainer == 0:
            transport = self.trainer.transport
            for answer in [transport.call_async(f"server{i}", *call) for i in range(len(self._job.servers.endpoints))]:
                answer.result()

    def _save(self, dirname: str, only: Collection[str] | None = None) -> None:
        """Write what servers have; the first worker does it for all."""
        self._settled(global_scope())
        if self._job.servers.trainer == 0:
            _files.save(self._job.main, dirname, only)

    def _load(self, dirname: str, only: Collection[str] | None = None, states: bool = True) -> None:
        """Have servers take up what was saved; the first worker does it for all."""
        self._settled(global_scope())
        if self._job.servers.trainer == 0:
            _files.hand_out(self._job.main, str(dirname), only, states)
        if self.mode == _programs.GEO:
            self.communicator.begin_with_servers(global_scope())
        self._settled(global_scope())

    def _save_dense_params(self, executor: Any, dirname: str, scope: Any, program: Any, var_names: Any = None) -> None:
        self._settled(scope or global_scope())
        names = [each.name for each in self._wanted()]
        unknown = sorted(set(var_names or ()) - set(names))
        if unknown:
            raise InvalidArgumentError(f"Invalid value for argument `var_names`. Expected some of {names}. Received: {unknown}")
        block = self._job.main.global_block()
        save_variables([block.vars[name] for name in var_names or names], dirname, None)

    def _save_inference_model(
        self, executor: Any, dirname: str, feeded_var_names: Any, target_vars: Any, main_program: Any = None,
        export_for_deployment: bool = True, mode: int = 0,
    ) -> None:  # fmt: skip
        program = self._job.main if main_program is None else main_program
        scope = global_scope()
        self._settled(scope)
        whole, tables, remote = _inference.with_tables(inference_program(program, _each(feeded_var_names), _each(target_vars)))
        os.makedirs(dirname, exist_ok=True)
        static_io.save_to_file(os.path.join(dirname, "__model__"), program_to_bytes(whole))
        kept = [var for var in whole.list_vars() if is_persistable(var) and var.name not in {*tables, *remote}]
        save_variables(kept, dirname, None)
        _files.save_rows(self._job.main, dirname, remote)
        for name, asks in tables.items():
            _inference.save_table(self.trainer, asks, whole.global_block().vars[name], dirname)

    def _load_inference_model(self, path: str, mode: int) -> None:
        """Have servers take up the parameters that a model for inference has; what updates keep stays as it is."""
        if self._job.servers.trainer != 0:  # the first worker reads it
            self._load(path)
            return
        if not os.path.isfile(os.path.join(path, "__model__")):
            raise ValueError(f"Invalid value for argument `path`. Expected a folder of fleet.save_inference_model. Received: {path!r}")
        rows = os.path.join(path, table_files.ROWS)
        there = {*os.listdir(path), *(each.rpartition("_")[0] for each in (os.listdir(rows) if os.path.isdir(rows) else ()))}
        self._load(path, [placed.param.name for placed in self._job.plan.placed if placed.param.name in there], states=False)

    def _save_one_table(self, table_id: int, path: str, mode: int) -> None:
        self._save(path, self._numbered(table_id))

    def _load_one_table(self, table_id: int, path: str, mode: int) -> None:
        self._load(path, self._numbered(table_id))

    def _load_model(self, path: str, mode: int) -> None:
        self._load(path)

    def _save_cache_model(self, dirname: str, **configs: Any) -> int:
        """Write which rows a serving process is to hold ready, and say how many: none, as in the wheel, where only PSLib finds some."""
        if self._job.servers.trainer == 0:
            for number, _ in enumerate(each for each in self._job.plan.placed if each.remote):
                folder = os.path.join(dirname, f"{number:03}_cache")
                os.makedirs(folder, exist_ok=True)
                open(os.path.join(folder, "part-000"), "wb").close()
        return 0

    def _save_cache_table(self, table_id: int, pass_id: int, mem_cache_key_threshold: int = 4000000000) -> None:
        """Nothing: it is of tables that lie on disks."""
        _ = self._job

    def _tables(self) -> dict[str, int]:
        """Numbers of the tables of rows, by name."""
        return {each.param.name: i for i, each in enumerate(each for each in self._job.plan.placed if each.remote)}

    def _let_ask(self, program: Program) -> None:
        """Have a Program that infers ask servers for rows."""
        self._job.let_ask(program)

    def _numbered(self, table_id: int) -> list[str]:
        """The parameters of a table by its number; behind the tables of rows comes one of all dense parameters."""
        placed = self._job.plan.placed
        tables = [each.param.name for each in placed if each.remote]
        if table_id not in range(len(tables) + 1):
            raise InvalidArgumentError(f"Invalid value for argument `table_id`. Expected 0 to {len(tables)}. Received: {table_id!r}")
        return [each.param.name for each in placed if not each.remote] if table_id == len(tables) else [tables[table_id]]

    def _shrink(self, threshold: Any = None) -> None:
        """Let go of rows of tables that had no update for more than 30 days (`save_persistables(mode=3)` ends one); all workers call."""
        if threshold is not None:
            if type(threshold) is not int:
                raise type_error("threshold", "an int", threshold, "fleet.shrink")
            warnings.warn("The threshold of fleet.shrink has no effect: days decide.", stacklevel=4)
        self.trainer.meet(None)
        self._tell("shrink")
        self.trainer.meet(None)


def _too_early(role: str) -> ValueError:
    return ValueError(f"Nothing to begin or end yet. Expected minimize() as a {role} before it. Received: none")


def _only(scopes: Any) -> Scope:
    """The scope of a worker."""
    if scopes is None:
        return global_scope()
    given = list(scopes) if isinstance(scopes, (list, tuple)) else [scopes]
    if len(given) != 1:
        raise UnsupportedError("fleet.init_worker", f"{len(given)} scopes", "one scope")
    return given[0]


def _each(given: Any) -> list[Any]:
    """Names or variables, of which one may stand for itself."""
    return list(given) if isinstance(given, (list, tuple)) else [given]


def _value(scope: Scope, name: str) -> torch.Tensor:
    found = scope.find_var(name)
    value = found.tensor.value if found is not None else None
    if value is None:
        raise PreconditionNotMetError(f"Expected that the startup Program has run before fleet.init_worker(). Received: no value of {name}")
    return value


__all__: list[str] = []
__getattr__ = missing(__name__)
