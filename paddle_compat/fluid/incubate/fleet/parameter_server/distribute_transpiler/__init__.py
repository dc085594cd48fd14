"""`paddle.fluid.incubate.fleet.parameter_server.distribute_transpiler`: Fleet over `DistributeTranspiler`'s Programs."""

from __future__ import annotations

import os
import warnings
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.program import Program, default_main_program, default_startup_program
from paddle_compat.fluid import io
from paddle_compat.fluid.communicator import Communicator
from paddle_compat.fluid.compiler import CompiledProgram
from paddle_compat.fluid.executor import Executor
from paddle_compat.fluid.incubate.fleet.base.fleet_base import DistributedOptimizer, Fleet, _HalvesOf
from paddle_compat.fluid.incubate.fleet.base.mode import Mode
from paddle_compat.fluid.incubate.fleet.base.role_maker import MPISymetricRoleMaker
from paddle_compat.fluid.incubate.fleet.parameter_server.distribute_transpiler.distributed_strategy import (
    AsyncStrategy,
    DistributedStrategy,
    GeoStrategy,
    HalfAsyncStrategy,
    StrategyFactory,
    SyncStrategy,
    TrainerRuntimeConfig,
)
from paddle_compat.fluid.optimizer import Optimizer
from paddle_compat.fluid.parallel_executor import ParallelExecutor
from paddle_compat.fluid.transpiler.distribute_transpiler import DistributedMode, DistributeTranspilerConfig, ServerRuntimeConfig
from paddle_compat.fluid.transpiler.distribute_transpiler import DistributeTranspiler as OriginTranspiler
from paddle_compat.fluid.transpiler.geo_sgd_transpiler import GeoSgdTranspiler

_MODES = {
    SyncStrategy: DistributedMode.SYNC,
    AsyncStrategy: DistributedMode.ASYNC,
    HalfAsyncStrategy: DistributedMode.HALF_ASYNC,
    GeoStrategy: DistributedMode.GEO,
}


class DistributedTranspiler(Fleet):
    """A fleet whose workers train together through servers: `fleet` is the one of this process.

    Attributes:
        main_program, startup_program (Program): what this process runs; none before `minimize`.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.incubate.fleet.base import role_maker
        >>> from paddle_compat.fluid.incubate.fleet.parameter_server.distribute_transpiler import StrategyFactory, fleet
        >>> role = role_maker.Role.SERVER
        >>> fleet.init(role_maker.UserDefinedRoleMaker(current_id=0, role=role, worker_num=2, server_endpoints=["127.0.0.1:6174"]))
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1))
        ...     optimizer = fleet.distributed_optimizer(fluid.optimizer.SGD(0.1), StrategyFactory.create_sync_strategy())
        ...     _ = optimizer.minimize(loss)
        >>> [op.type for op in fleet.main_program.global_block().ops]
        ['listen_and_serv']
        >>> fleet.init_server()
        >>> if fleet.is_worker():  # a worker's part; a server's is fleet.run_server()
        ...     fleet.init_worker()
        ...     _ = fluid.Executor(fluid.CPUPlace()).run(fleet.startup_program)
        ...     fleet.stop_worker()

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        super().__init__(Mode.TRANSPILER)
        self._transpile_config: DistributedStrategy | None = None
        self._transpiler: OriginTranspiler | None = None
        self._origin_program: Program | None = None
        self.startup_program: Program | None = None
        self.main_program: Program | None = None
        self._communicator: Communicator | None = None

    # ---- processes
    def init_worker(self) -> None:
        """Begin to send to servers and to receive from them, as the strategy says.

        Raises:
            ValueError: `minimize` was not called.
        """
        strategy, program = self._transpile_config, self.main_program
        if strategy is None or program is None:
            raise ValueError("main_program is None, need invoke DistributedOptimizer.minimize first. Expected a Program. Received: None")
        said: dict[str, Any] = {}
        if isinstance(strategy, SyncStrategy):
            said = {"pserver_endpoints": self._role().get_pserver_endpoints(), "trainer_id": self.worker_index()}
        elif isinstance(strategy, GeoStrategy):
            pushes = strategy.get_program_config().geo_sgd_need_push_nums
            said = {"push_vars": self.vars_info, "trainers": self.worker_num(), "push_nums": pushes}
        mode = next(mode for kind, mode in _MODES.items() if isinstance(strategy, kind))
        if self._communicator is None or not self._communicator.is_running():
            flags = strategy.get_trainer_runtime_config().get_communicator_flags()
            self._communicator = Communicator(program, mode, said, flags)
            self._communicator.start()

    def init_server(self, model_dir: str | None = None) -> None:
        """Give a server's parameters their first values.

        Args:
            model_dir (str): a folder that `save_persistables` has written, for values to go on from; None: those of the startup Program.
        Raises:
            ValueError: `minimize` was not called, or there is no such folder.
            RuntimeError: a file is missing there.
        """
        if not self.startup_program or not self.main_program:
            raise ValueError("startup_program is None, need invoke DistributedOptimizer.minimize first. Expected a Program. Received: None")
        if model_dir and not os.path.isdir(model_dir):
            raise ValueError(f"There is no directory named '{model_dir}'. Expected a folder as `model_dir`. Received: {model_dir!r}")
        self._executor.run(self.startup_program)
        if model_dir:
            io.load_persistables(self._executor, model_dir, self.main_program)

    def run_server(self) -> None:
        """Serve until all workers are done.

        Raises:
            ValueError: `minimize` was not called.
        """
        if not self.main_program:
            raise ValueError("main_program is None, need invoke DistributedOptimizer.minimize first. Expected a Program. Received: None")
        self._executor.run(self.main_program)

    def stop_worker(self) -> None:
        """Send what waits, and tell the servers that this worker is done.

        Raises:
            ValueError: `init_worker` was not called.
        """
        if self._communicator is None:
            raise ValueError("`stop_worker` ends what `init_worker` began. Expected init_worker() before. Received: none")
        self._communicator.stop()
        self._executor.close()

    # ---- Programs
    def distributed_optimizer(self, optimizer: Any, strategy: Any = None) -> TranspilerOptimizer:
        """An optimizer whose updates servers do.

        Args:
            optimizer (Optimizer): the user's.
            strategy (DistributedStrategy|DistributeTranspilerConfig): how trainers wait for servers; None: SyncStrategy.
        Returns:
            TranspilerOptimizer.
        Raises:
            ValueError: no optimizer, or `init` was not called.
            TypeError: no strategy.
        """
        if not isinstance(optimizer, Optimizer):
            raise ValueError(f"optimizer must be an instance of Optimizer. Expected one of fluid.optimizer. Received: {optimizer!r}")
        if not self._is_initialized:
            raise ValueError(
                "use fleet.init(role) to initialize the role of current node before optimizer.minimize(loss). Expected one. Received: none"
            )
        self._optimizer = TranspilerOptimizer(optimizer, strategy)
        return self._optimizer

    def _transpile(self, config: Any, main: Program | None = None, startup: Program | None = None) -> None:
        """Write this process's Programs.

        Args:
            config: a strategy, or what a transpiler takes.
            main, startup: what was minimized; None: the default ones.
        """
        self._transpile_config = strategy = _strategy_of(config)
        main = default_main_program() if main is None else main
        startup = default_startup_program() if startup is None else startup
        said = strategy.get_program_config()
        self._origin_program = main.clone(for_test=False)
        writer = GeoSgdTranspiler(said) if said.geo_sgd_mode else OriginTranspiler(said)
        writer.server_config = strategy.get_server_runtime_config()
        self._transpiler = writer
        number = self.worker_index() if self.is_worker() else 0
        cluster = {"pservers": self.server_endpoints(to_string=True), "trainers": self.worker_num(), "sync_mode": said.sync_mode}
        writer.transpile(number, main, startup_program=startup, **cluster)
        if self.is_worker():
            self.main_program, self.startup_program = writer.get_trainer_program(wait_port=said.wait_port), startup
            if isinstance(writer, GeoSgdTranspiler):
                self.vars_info = writer._get_vars_info()
        else:
            self.main_program, self.startup_program = writer.get_pserver_programs(self.server_endpoints()[self.server_index()])

    def _set_opt_info(self, opt_info: Any) -> None:
        """Let `train_from_dataset` know what the strategy says of it.

        Args:
            opt_info (dict): the kinds of trainer and device worker, and what is dumped.
        """
        if self.is_worker():
            self._trained("_set_opt_info")._fleet_opt = opt_info

    # ---- files
    def save_inference_model(
        self,
        executor: Executor,
        dirname: str,
        feeded_var_names: list[str],
        target_vars: list[Any],
        main_program: Program | None = None,
        export_for_deployment: bool = True,
    ) -> None:
        """Save what inference needs; a worker gets parameters from the servers.

        Args:
            executor (Executor): any.
            dirname (str): the folder.
            feeded_var_names (list): what is fed.
            target_vars (list): what is fetched.
            main_program (Program): one whose parameters are in this process; None: what was minimized.
            export_for_deployment (bool): only what inference needs.
        Raises:
            TypeError: no Executor, or a CompiledProgram.
            ValueError: `minimize` was not called.

        Example:
            >>> import os, tempfile
            >>> import paddle_compat.fluid as fluid
            >>> from paddle_compat.fluid.incubate.fleet.parameter_server.distribute_transpiler import fleet
            >>> main, start = fluid.Program(), fluid.Program()
            >>> with fluid.program_guard(main, start):
            ...     y = fluid.layers.fc(fluid.data("x", [None, 2]), 1, param_attr="w", bias_attr=False)
            >>> exe, folder = fluid.Executor(fluid.CPUPlace()), tempfile.mkdtemp()
            >>> _ = exe.run(start)
            >>> fleet.save_inference_model(exe, folder, ["x"], [y], main)
            >>> sorted(os.listdir(folder))
            ['__model__', 'w']
        """
        _check_executor("save_inference_model", executor)
        if main_program is not None:
            _check_program("save_inference_model", main_program)
            io.save_inference_model(dirname, feeded_var_names, target_vars, executor, main_program, None, None, export_for_deployment)
            return
        ours = self._trained("save_inference_model")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # parameters are not left out: they come from the servers
            io.save_inference_model(
                dirname, feeded_var_names, target_vars, executor, self._origin_program, None, None, export_for_deployment, True
            )
        with open(os.path.join(dirname, "__model__"), "rb") as file:
            inference = Program.parse_from_string(file.read())
        inference._is_distributed, inference._servers = True, ours._servers
        inference._kept_by_servers = ours._kept_by_servers
        self.save_persistables(executor, dirname, inference)

    def save_persistables(self, executor: Executor, dirname: str, main_program: Program | None = None) -> None:
        """Save the parameters and what their updates keep, from the servers, and what else this worker has: a file for each, of its name.

        Args:
            executor (Executor): any.
            dirname (str): the folder.
            main_program (Program): a worker's; None: `fleet.main_program`.
        Raises:
            TypeError: no Executor, or a CompiledProgram.
            ValueError: the Program knows no servers, or `minimize` was not called.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> from paddle_compat.fluid.incubate.fleet.parameter_server.distribute_transpiler import fleet
            >>> if fleet.main_program is not None and fleet.is_first_worker():
            ...     fleet.save_persistables(fluid.Executor(fluid.CPUPlace()), "folder")
        """
        _check_executor("save_persistables", executor)
        program = self._trained("save_persistables") if main_program is None else main_program
        _check_program("save_persistables", program)
        if not program._is_distributed:
            raise ValueError(
                "main_program is for local, may not use fleet.save_persistables. Expected one with servers. Received: one without"
            )
        if self._communicator is not None and self._communicator.is_running():
            self._communicator._engine.recv()  # what this worker sent is in what it saves
        io.save_persistables(executor, dirname, program)

    def _trained(self, name: str) -> Program:
        if self.main_program is None:
            raise ValueError(f"fleet.{name} needs a Program. Expected DistributedOptimizer.minimize before. Received: none")
        return self.main_program


fleet = DistributedTranspiler()


class TranspilerOptimizer(_HalvesOf):
    """What `fleet.distributed_optimizer` returns: `minimize` leaves in `fleet.main_program` what this process runs.

    Args:
        optimizer (Optimizer): the user's.
        strategy (DistributedStrategy|DistributeTranspilerConfig): how trainers wait for servers; None: SyncStrategy.
    Raises:
        TypeError: no strategy.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.incubate.fleet.base import role_maker
        >>> from paddle_compat.fluid.incubate.fleet.parameter_server.distribute_transpiler import StrategyFactory, fleet
        >>> role = role_maker.Role.WORKER
        >>> fleet.init(role_maker.UserDefinedRoleMaker(current_id=0, role=role, worker_num=2, server_endpoints=["127.0.0.1:6174"]))
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1))
        ...     optimizer = fleet.distributed_optimizer(fluid.optimizer.SGD(0.1), StrategyFactory.create_async_strategy())
        ...     updates, pairs = optimizer.minimize(loss)
        >>> [op.type for op in fleet.main_program.global_block().ops][-4:]
        ['mul_grad', 'send', 'recv', 'recv']

    Follows Paddle 1.8.
    """

    def __init__(self, optimizer: Any, strategy: Any = None) -> None:
        super().__init__(optimizer, StrategyFactory.create_sync_strategy() if strategy is None else strategy)
        self.opt_info: dict[str, Any] = {}
        if isinstance(self._strategy, DistributedStrategy):
            places = {"mpi_rank": fleet.worker_index(), "mpi_size": fleet.worker_num()}
            self.opt_info = {**self._strategy.get_debug_opt(), **places, "trainer": "MultiTrainer", "device_worker": "Hogwild"}
        elif not isinstance(self._strategy, DistributeTranspilerConfig):
            raise TypeError(
                f"In {fleet._mode} mode, strategy must be an instance of DistributeTranspilerConfig, SyncStrategy, HalfAsyncStrategy, "
                f"AsyncStrategy, or GeoStrategy. Expected one of them. Received: {strategy!r}"
            )

    def minimize(
        self,
        loss: Any,
        scopes: Any = None,
        startup_program: Program | None = None,
        parameter_list: Any = None,
        no_grad_set: Any = None,
    ) -> tuple[list[Any], list[Any]]:
        """Append what minimizes the loss, and write this process's Programs.

        Args:
            loss (Variable): what is minimized.
            scopes: kept.
            startup_program (Program): None: the default one.
            parameter_list (list): what is trained.
            no_grad_set (set): Variables through which no gradient flows.
        Returns:
            tuple: the update operators, and the pairs of parameter and gradient.
        Raises:
            TypeError: `loss` or `startup_program` is a list.
            NotImplementedError: the strategy is none of `StrategyFactory`.
        """
        for name, given in (("loss", loss), ("startup_program", startup_program)):
            if isinstance(given, list):
                raise TypeError(f"DistributedTranspiler's minimize can not accept {name} with list. Expected one. Received: {len(given)}")
        startup = default_startup_program() if startup_program is None else startup_program
        made = self._optimizer.minimize(loss, startup, parameter_list, no_grad_set)
        fleet._transpile(self._strategy, loss.block.program, startup)
        fleet._set_opt_info(self.opt_info)
        updates, pairs = made
        return updates, pairs


def _strategy_of(config: Any) -> DistributedStrategy:
    """The strategy that a transpiler's configuration stands for."""
    if isinstance(config, DistributedStrategy):
        return config
    if not isinstance(config, DistributeTranspilerConfig):
        raise TypeError(
            "config must be an instance of DistributeTranspilerConfig, SyncStrategy, HalfAsyncStrategy, AsyncStrategy or GeoStrategy. "
            f"Expected one of them. Received: {config!r}"
        )
    strategy: DistributedStrategy
    if config.sync_mode:
        strategy = SyncStrategy()
    elif config.runtime_split_send_recv and config.geo_sgd_mode:
        strategy = GeoStrategy(config.geo_sgd_need_push_nums)
    elif config.runtime_split_send_recv and not config.half_async:
        strategy = AsyncStrategy()
    else:
        strategy = HalfAsyncStrategy()
    strategy.set_program_config(config)
    return strategy


def _check_executor(name: str, executor: Any) -> None:
    if not isinstance(executor, Executor):
        raise TypeError(
            f"in fleet.{name}() function, executor must be as Executor type. Expected an Executor. Received: {type(executor).__name__}"
        )


def _check_program(name: str, program: Any) -> None:
    if not isinstance(program, Program):
        raise TypeError(
            f"in fleet.{name}() function, main_program must be as Program type. Expected a Program. Received: {type(program).__name__}"
        )


__all__ = [
    "AsyncStrategy", "Communicator", "CompiledProgram", "DistributeTranspilerConfig", "DistributedMode", "DistributedOptimizer",
    "DistributedStrategy", "DistributedTranspiler", "Executor", "Fleet", "GeoStrategy", "HalfAsyncStrategy", "MPISymetricRoleMaker", "Mode",
    "OriginTranspiler", "ParallelExecutor", "Program", "ServerRuntimeConfig", "StrategyFactory", "SyncStrategy",
    "TrainerRuntimeConfig", "TranspilerOptimizer", "default_main_program", "default_startup_program", "fleet",
]  # fmt: skip

__getattr__ = missing(__name__)
