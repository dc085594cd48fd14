"""`paddle.fluid.incubate.fleet.parameter_server.distribute_transpiler.distributed_strategy`: how trainers wait for servers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnimplementedError
from paddle_compat.fluid.compiler import BuildStrategy, ExecutionStrategy
from paddle_compat.fluid.transpiler.distribute_transpiler import DistributedMode, DistributeTranspilerConfig, ServerRuntimeConfig

# what a flag is where the environment does not say; None: as many as there are threads
_FLAGS = {
    "communicator_max_merge_var_num": None,
    "communicator_send_queue_size": None,
    "communicator_independent_recv_thread": "1",
    "communicator_min_send_grad_num_before_recv": None,
    "communicator_thread_pool_size": "5",
    "communicator_send_wait_times": "5",
    "communicator_is_sgd_optimizer": "1",
    "rpc_deadline": "180000",
    "rpc_retry_times": "3",
}
_AS_MANY_AS_THREADS = ("communicator_max_merge_var_num", "communicator_send_queue_size")
_GEO = ("communicator_thread_pool_size", "communicator_send_wait_times")
_WAITING = (
    "communicator_max_merge_var_num",
    "communicator_send_wait_times",
    "communicator_thread_pool_size",
    "communicator_send_queue_size",
)
_FLAGS_OF = {
    None: tuple(_FLAGS),
    DistributedMode.ASYNC: tuple(_FLAGS),
    DistributedMode.SYNC: _WAITING,
    DistributedMode.HALF_ASYNC: _WAITING,
    DistributedMode.GEO: _GEO,
}


def _threads() -> str:
    return os.getenv("CPU_NUM", "1")


class TrainerRuntimeConfig:
    """How a trainer sends and receives: flags, which `FLAGS_...` of the environment may set.

    Attributes:
        mode (int|None): one of `DistributedMode`; None counts as ASYNC.
        runtime_configs (dict): texts, by the names of the flags.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.parameter_server.distribute_transpiler import TrainerRuntimeConfig
        >>> TrainerRuntimeConfig().runtime_configs["communicator_send_wait_times"]
        '5'

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        self.mode: int | None = None
        self.runtime_configs: dict[str, Any] = {
            name: os.getenv(f"FLAGS_{name}", _threads() if value is None else value) for name, value in _FLAGS.items()
        }

    def get_communicator_flags(self) -> dict[str, str]:
        """The flags that count in this mode. Where trainers wait in each step, what waits to be sent is one step's of each thread.

        Returns:
            dict: texts, by the names of the flags.
        Raises:
            ValueError: there is no such mode.

        Example:
            >>> from paddle_compat.fluid.incubate.fleet.parameter_server.distribute_transpiler import StrategyFactory
            >>> StrategyFactory.create_geo_strategy().get_trainer_runtime_config().get_communicator_flags()
            {'communicator_thread_pool_size': '5', 'communicator_send_wait_times': '5'}
        """
        if self.mode not in _FLAGS_OF:
            raise ValueError(f"Unsupported Mode. Expected one of {[*_FLAGS_OF]}. Received: {self.mode!r}")
        threads, names = _threads(), _FLAGS_OF[self.mode]
        for name in _AS_MANY_AS_THREADS if names is _WAITING else ():
            if self.runtime_configs[name] != threads:
                print(f"WARNING: {name} is {self.runtime_configs[name]}; sync and half_async mode take CPU_NUM, which is {threads}.")
                self.runtime_configs[name] = threads
        return {name: str(self.runtime_configs[name]) for name in names}

    def display(self, configs: Mapping[str, str]) -> str:
        """Flags as a table of two columns.

        Args:
            configs (dict): texts, by the names of the flags.
        Returns:
            str: some lines.

        Example:
            >>> from paddle_compat.fluid.incubate.fleet.parameter_server.distribute_transpiler import TrainerRuntimeConfig
            >>> print(TrainerRuntimeConfig().display({"rpc_retry_times": "3"}))
            <BLANKLINE>
            ==================================================
                    TrainerRuntimeConfig Overview        Value
            --------------------------------------------------
            rpc_retry_times                              3
            ==================================================
            <BLANKLINE>
        """
        border = "=" * 50
        rows = [f"{name:<45s}{value:<5s}" for name, value in configs.items()]
        head = f"{'TrainerRuntimeConfig Overview':^45s}{'Value':<5s}"
        return "\n".join(("", border, head, "-" * 50, *rows, border, ""))

    def __repr__(self) -> str:
        return self.display(self.get_communicator_flags())


class DistributedStrategy:
    """How trainers and servers work together: use one of `StrategyFactory`'s.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.parameter_server.distribute_transpiler import StrategyFactory
        >>> strategy = StrategyFactory.create_async_strategy()
        >>> strategy.set_program_config({"min_block_size": 10000})
        >>> strategy.get_program_config().min_block_size, strategy.get_program_config().sync_mode
        (10000, False)
        >>> strategy.set_trainer_runtime_config({"communicator_send_queue_size": 8})
        >>> strategy.get_trainer_runtime_config().get_communicator_flags()["communicator_send_queue_size"]
        '8'
        >>> strategy.set_server_runtime_config({"_rpc_send_thread_num": 4})
        >>> strategy.get_server_runtime_config()._rpc_send_thread_num
        4
        >>> strategy.set_execute_strategy({"num_threads": 2})
        >>> strategy.get_execute_strategy().num_threads
        2
        >>> strategy.set_build_strategy({"memory_optimize": True})
        >>> strategy.get_build_strategy().async_mode
        True
        >>> strategy.set_debug_opt({"dump_param": ["w"]})
        >>> strategy.get_debug_opt()["dump_param"]
        ['w']
        >>> strategy.check_program_config(); strategy.check_trainer_runtime_config(); strategy.check_server_runtime_config()
        >>> strategy.check_execute_strategy(); strategy.check_build_strategy()

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        threads = int(_threads())
        self._program_config = DistributeTranspilerConfig()
        self._trainer_runtime_config = TrainerRuntimeConfig()
        self._server_runtime_config = ServerRuntimeConfig()
        self._execute_strategy, self._build_strategy = ExecutionStrategy(), BuildStrategy()
        self._execute_strategy.num_threads = threads
        if threads > 1:
            self._build_strategy.reduce_strategy = BuildStrategy.ReduceStrategy.Reduce
        self.debug_opt: Any = None

    # ---- what is dumped
    def set_debug_opt(self, opt_info: Any) -> None:
        """Say what `train_from_dataset` dumps.

        Args:
            opt_info (dict): `dump_slot`, `dump_converter`, `dump_fields`, `dump_file_num`, `dump_fields_path`, `dump_param`.
        """
        self.debug_opt = opt_info

    def get_debug_opt(self) -> dict[str, Any]:
        """What is dumped.

        Returns:
            dict: as it was set, with what was left out; empty where nothing was set.
        """
        said = self.debug_opt
        if not isinstance(said, dict):
            return {}
        return {
            "dump_slot": bool(said.get("dump_slot", 0)),
            "dump_converter": str(said.get("dump_converter", "")),
            "dump_fields": said.get("dump_fields", []),
            "dump_file_num": said.get("dump_file_num", 16),
            "dump_fields_path": said.get("dump_fields_path", ""),
            "dump_param": said.get("dump_param", []),
        }

    # ---- the Programs
    def get_program_config(self) -> DistributeTranspilerConfig:
        """How the Program is rewritten.

        Returns:
            DistributeTranspilerConfig.
        """
        return self._program_config

    def set_program_config(self, config: Any) -> None:
        """Say how the Program is rewritten; what makes the strategy stays.

        Args:
            config (DistributeTranspilerConfig|dict): all of it, or what changes.
        Raises:
            TypeError: neither.
            ValueError: there is no such setting.
        """
        self._program_config = _changed("program_config", self._program_config, config)
        self.check_program_config()

    def check_program_config(self) -> None:
        """Put back what makes the strategy.

        Raises:
            NotImplementedError: this is no strategy of `StrategyFactory`.
        """
        raise _unsaid("check_program_config")

    # ---- trainers
    def get_trainer_runtime_config(self) -> TrainerRuntimeConfig:
        """How a trainer sends and receives.

        Returns:
            TrainerRuntimeConfig.
        """
        return self._trainer_runtime_config

    def set_trainer_runtime_config(self, config: Any) -> None:
        """Say how a trainer sends and receives.

        Args:
            config (TrainerRuntimeConfig|dict): all of it, or some flags.
        Raises:
            TypeError: neither.
            ValueError: there is no such flag.
        """
        if isinstance(config, dict):
            flags = self._trainer_runtime_config.runtime_configs
            _refuse_unknown(TrainerRuntimeConfig, config, flags.__contains__)
            flags.update(config)
        else:
            self._trainer_runtime_config = _changed("trainer_runtime_config", self._trainer_runtime_config, config)
        self.check_trainer_runtime_config()

    def check_trainer_runtime_config(self) -> None:
        """Put back what makes the strategy.

        Raises:
            NotImplementedError: this is no strategy of `StrategyFactory`.
        """
        raise _unsaid("check_trainer_runtime_config")

    # ---- servers
    def get_server_runtime_config(self) -> ServerRuntimeConfig:
        """How many threads a server has.

        Returns:
            ServerRuntimeConfig.
        """
        return self._server_runtime_config

    def set_server_runtime_config(self, config: Any) -> None:
        """Say how many threads a server has.

        Args:
            config (ServerRuntimeConfig|dict): all of it, or what changes.
        Raises:
            TypeError: neither.
            ValueError: there is no such setting.
        """
        self._server_runtime_config = _changed("server_runtime_config", self._server_runtime_config, config)
        self.check_server_runtime_config()

    def check_server_runtime_config(self) -> None:
        """Put back what makes the strategy.

        Raises:
            NotImplementedError: this is no strategy of `StrategyFactory`.
        """
        raise _unsaid("check_server_runtime_config")

    # ---- what a CompiledProgram takes
    def get_execute_strategy(self) -> ExecutionStrategy:
        """How a trainer's Program is run by several threads.

        Returns:
            ExecutionStrategy.
        """
        return self._execute_strategy

    def set_execute_strategy(self, config: Any) -> None:
        """Say how a trainer's Program is run by several threads.

        Args:
            config (ExecutionStrategy|dict): all of it, or what changes.
        Raises:
            TypeError: neither.
            ValueError: there is no such setting.
        """
        self._execute_strategy = _changed("execute_strategy", self._execute_strategy, config)
        self.check_execute_strategy()

    def check_execute_strategy(self) -> None:
        """Put back what makes the strategy.

        Raises:
            NotImplementedError: this is no strategy of `StrategyFactory`.
        """
        raise _unsaid("check_execute_strategy")

    def get_build_strategy(self) -> BuildStrategy:
        """How a trainer's Program is built for several threads.

        Returns:
            BuildStrategy.
        """
        return self._build_strategy

    def set_build_strategy(self, config: Any) -> None:
        """Say how a trainer's Program is built for several threads.

        Args:
            config (BuildStrategy|dict): all of it, or what changes.
        Raises:
            TypeError: neither.
            ValueError: there is no such setting.
        """
        self._build_strategy = _changed("build_strategy", self._build_strategy, config)
        self.check_build_strategy()

    def check_build_strategy(self) -> None:
        """Put back what makes the strategy.

        Raises:
            NotImplementedError: this is no strategy of `StrategyFactory`.
        """
        raise _unsaid("check_build_strategy")


def _unsaid(name: str) -> UnimplementedError:
    return UnimplementedError(
        f"`DistributedStrategy.{name}` must be implemented by a derived class. Expected a strategy of StrategyFactory. "
        "Received: a DistributedStrategy"
    )


def _changed(name: str, settings: Any, config: Any) -> Any:
    """Other settings, or the same with some changed."""
    if isinstance(config, type(settings)):
        return config
    if not isinstance(config, dict):
        raise TypeError(f"Invalid value for `{name}`. Expected a dict or a {type(settings).__name__}. Received: {type(config).__name__}")
    _refuse_unknown(type(settings), config, lambda key: hasattr(settings, key))
    for key, value in config.items():
        setattr(settings, key, value)
    return settings


def _refuse_unknown(kind: type, config: Mapping[str, Any], known: Callable[[str], bool]) -> None:
    for key in config:
        if not known(key):
            raise ValueError(f"{kind.__name__} doesn't have key: {key}. Expected one that it has. Received: {key!r}")


class _Strategy(DistributedStrategy):
    """A strategy that its class says in full."""

    _mode: int
    _settings: dict[str, bool]
    _waits = False  # whether threads wait for each other in each step

    def __init__(self) -> None:
        super().__init__()
        self.check_program_config()
        self.check_trainer_runtime_config()
        self.check_execute_strategy()
        self.check_build_strategy()

    def check_program_config(self) -> None:
        """Put back what makes the strategy."""
        config = self._program_config
        config.sync_mode, config.runtime_split_send_recv = False, True
        for name, value in self._settings.items():
            setattr(config, name, value)

    def check_trainer_runtime_config(self) -> None:
        """Put back what makes the strategy."""
        self._trainer_runtime_config.mode = self._mode

    def check_server_runtime_config(self) -> None:
        """Nothing: servers may have as many threads as one likes."""

    def check_execute_strategy(self) -> None:
        """Put back what makes the strategy."""
        if self._waits:
            self._execute_strategy.use_thread_barrier = True

    def check_build_strategy(self) -> None:
        """Put back what makes the strategy."""
        self._build_strategy.async_mode = True


class SyncStrategy(_Strategy):
    """Servers update once in each step, with the gradients of all trainers, which wait for that.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.parameter_server.distribute_transpiler import SyncStrategy
        >>> config = SyncStrategy().get_program_config()
        >>> config.sync_mode, config.half_async, config.completely_not_async
        (False, True, True)

    Follows Paddle 1.8.
    """

    _mode = DistributedMode.SYNC
    _settings = {"half_async": True, "completely_not_async": True}
    _waits = True


class AsyncStrategy(_Strategy):
    """Each trainer's gradients count as they come; nobody waits.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.parameter_server.distribute_transpiler import AsyncStrategy
        >>> AsyncStrategy().get_program_config().half_async
        False

    Follows Paddle 1.8.
    """

    _mode = DistributedMode.ASYNC
    _settings: dict[str, bool] = {}


class HalfAsyncStrategy(_Strategy):
    """Each trainer's gradients count as they come; a trainer waits in each step until its own have.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.parameter_server.distribute_transpiler import HalfAsyncStrategy
        >>> HalfAsyncStrategy().get_program_config().half_async
        True

    Follows Paddle 1.8.
    """

    _mode = DistributedMode.HALF_ASYNC
    _settings = {"half_async": True}
    _waits = True


class GeoStrategy(_Strategy):
    """Trainers update on their own, and tell servers every so many steps how far they came.

    Args:
        update_frequency (int): steps between two times.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.parameter_server.distribute_transpiler import GeoStrategy
        >>> GeoStrategy(20).get_program_config().geo_sgd_need_push_nums
        20

    Follows Paddle 1.8.
    """

    _mode = DistributedMode.GEO
    _settings = {"geo_sgd_mode": True}

    def __init__(self, update_frequency: int = 100) -> None:
        super().__init__()
        self._program_config.geo_sgd_need_push_nums = update_frequency


class StrategyFactory:
    """Makes the four strategies.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.parameter_server.distribute_transpiler import StrategyFactory as made
        >>> strategies = made.create_sync_strategy(), made.create_async_strategy(), made.create_half_async_strategy()
        >>> [type(each).__name__ for each in (*strategies, made.create_geo_strategy(10))]
        ['SyncStrategy', 'AsyncStrategy', 'HalfAsyncStrategy', 'GeoStrategy']

    Follows Paddle 1.8.
    """

    @staticmethod
    def create_sync_strategy() -> SyncStrategy:
        """One update for the gradients of all trainers.

        Returns:
            SyncStrategy.
        """
        return SyncStrategy()

    @staticmethod
    def create_half_async_strategy() -> HalfAsyncStrategy:
        """A trainer waits for its own gradients.

        Returns:
            HalfAsyncStrategy.
        """
        return HalfAsyncStrategy()

    @staticmethod
    def create_async_strategy() -> AsyncStrategy:
        """Nobody waits.

        Returns:
            AsyncStrategy.
        """
        return AsyncStrategy()

    @staticmethod
    def create_geo_strategy(update_frequency: int = 100) -> GeoStrategy:
        """Trainers update on their own.

        Args:
            update_frequency (int): steps between two times that they tell servers how far they came.
        Returns:
            GeoStrategy.
        """
        return GeoStrategy(update_frequency)


__all__ = [
    "AsyncStrategy", "DistributedStrategy", "GeoStrategy", "HalfAsyncStrategy", "StrategyFactory", "SyncStrategy", "TrainerRuntimeConfig",
]  # fmt: skip

__getattr__ = missing(__name__)
