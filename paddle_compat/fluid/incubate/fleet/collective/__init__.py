"""`paddle.fluid.incubate.fleet.collective`: the processes of a job train one Program together, each on its part of the data."""

from __future__ import annotations

import logging
import os
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.program import Program, default_startup_program
from paddle_compat.distributed.fs_wrapper import LocalFS
from paddle_compat.fluid import io
from paddle_compat.fluid.compiler import BuildStrategy, CompiledProgram, ExecutionStrategy
from paddle_compat.fluid.contrib import mixed_precision
from paddle_compat.fluid.executor import Executor
from paddle_compat.fluid.incubate.fleet.base.fleet_base import DistributedOptimizer, Fleet, _HalvesOf
from paddle_compat.fluid.incubate.fleet.base.mode import Mode
from paddle_compat.fluid.incubate.fleet.collective._checkpoints import Checkpoints, TrainStatus
from paddle_compat.fluid.optimizer import RecomputeOptimizer
from paddle_compat.fluid.transpiler.collective import Collective as Transpiler
from paddle_compat.fluid.transpiler.collective import GradAllReduce, LocalSGD, SingleProcessMultiThread


class LambConfig:
    """Kept: 1.8 has no settings of Lamb.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.collective import LambConfig
        >>> vars(LambConfig())
        {}

    Follows Paddle 1.8.
    """


class DistFCConfig:
    """Kept: 1.8 has no settings of fully connected layers that lie on several devices.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.collective import DistFCConfig
        >>> vars(DistFCConfig())
        {}

    Follows Paddle 1.8.
    """


class DistributedStrategy(BuildStrategy):
    """How processes train together: a `BuildStrategy` with these besides.

    `mode` is "nccl2" (gradients meet as replicas' do) or "collective" (operators in the Program, by `collective_mode`: "grad_allreduce"
    or "local_sgd", which `use_local_sgd` sets, too); `forward_recompute` with `recompute_checkpoints`; `use_amp` with
    `amp_loss_scaling`; `exec_strategy`.

    Example:
        >>> from paddle_compat.fluid.incubate.fleet.collective import DistributedStrategy
        >>> strategy = DistributedStrategy()
        >>> strategy.mode, strategy.use_local_sgd, strategy.amp_loss_scaling
        ('nccl2', False, 32768)

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        super().__init__()
        self.use_local_sgd = False
        self.use_dist_fc = False
        self.dist_fc_config: DistFCConfig | None = None
        self.mode = "nccl2"
        self.collective_mode: str | None = None
        self.forward_recompute = False
        self.recompute_checkpoints: list[Any] = []
        self.use_amp = False
        self.amp_loss_scaling: float = 2**15
        self.exec_strategy = ExecutionStrategy()
        self._ut4grad_allreduce = False


def _warn(name: str) -> None:
    logging.warning("You should not call '%s' method for collective mode.", name)


class Collective(Checkpoints):
    """A fleet whose workers train together without servers: `fleet` is the one of this process.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.incubate.fleet.base import role_maker
        >>> from paddle_compat.fluid.incubate.fleet.collective import fleet
        >>> fleet.init(role_maker.PaddleCloudRoleMaker(is_collective=True))
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1))
        ...     optimize_ops, params_grads = fleet.distributed_optimizer(fluid.optimizer.SGD(0.1)).minimize(loss)
        >>> type(fleet.main_program).__name__, len(params_grads)
        ('CompiledProgram', 2)
        >>> fleet.init_worker(); fleet.run_worker(); fleet.stop_worker()  # these warn: they are for jobs with servers
        >>> fleet.init_server(); fleet.run_server()

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        super().__init__(Mode.COLLECTIVE)
        self._local_ip = 0
        self.startup_program: Program | None = None
        self.main_program: Program | CompiledProgram | None = None
        self._transpiled_program: Program | None = None

    def init_worker(self) -> None:
        """Nothing that workers without servers need: it warns."""
        _warn("init_worker")

    def run_worker(self, main_programs: Any = None, scopes: Any = None) -> None:
        """Nothing that workers without servers need: it warns.

        Args:
            main_programs: kept.
            scopes: kept.
        """
        _warn("run_worker")

    def init_server(self, model_dir: str | None = None) -> None:
        """Nothing without servers: it warns.

        Args:
            model_dir: kept.
        """
        _warn("init_server")

    def run_server(self) -> None:
        """Nothing without servers: it warns."""
        _warn("run_server")

    def stop_worker(self) -> None:
        """Nothing that workers without servers need: it warns."""
        _warn("stop_worker")

    def distributed_optimizer(self, optimizer: Any, strategy: DistributedStrategy | None = None) -> CollectiveOptimizer:
        """An optimizer that trains on all workers together.

        Args:
            optimizer (Optimizer): the user's.
            strategy (DistributedStrategy): how; None: the defaults.
        Returns:
            CollectiveOptimizer.
        """
        self._optimizer = CollectiveOptimizer(optimizer, strategy)
        return self._optimizer

    def save_inference_model(
        self,
        executor: Executor,
        dirname: str,
        feeded_var_names: list[str] | None = None,
        target_vars: list[Any] | None = None,
        main_program: Program | None = None,
        export_for_deployment: bool = True,
    ) -> None:
        """Save what inference needs of a Program.

        Args:
            executor (Executor): any.
            dirname (str): the folder.
            feeded_var_names (list): what is fed.
            target_vars (list): what is fetched.
            main_program (Program): None: what was minimized, as it was written before processes met in it.
            export_for_deployment (bool): only what inference needs.
        Raises:
            AssertionError: no Executor, or no Program.

        Example:
            >>> import os, tempfile
            >>> import paddle_compat.fluid as fluid
            >>> from paddle_compat.fluid.incubate.fleet.collective import fleet
            >>> main, start = fluid.Program(), fluid.Program()
            >>> with fluid.program_guard(main, start):
            ...     y = fluid.layers.fc(fluid.data("x", [None, 2]), 1, param_attr="w", bias_attr=False)
            >>> exe, folder = fluid.Executor(fluid.CPUPlace()), tempfile.mkdtemp()
            >>> _ = exe.run(start)
            >>> fleet.save_inference_model(exe, folder, ["x"], [y], main)
            >>> sorted(os.listdir(folder))
            ['__model__', 'w']
        """
        program = self._checked(executor, main_program)
        io.save_inference_model(dirname, feeded_var_names, target_vars, executor, program, None, None, export_for_deployment)

    def save_persistables(
        self, executor: Executor, dirname: str, main_program: Program | None = None, filename: str | None = None
    ) -> None:
        """Save the persistable variables of a Program.

        Args:
            executor (Executor): any.
            dirname (str): the folder.
            main_program (Program): None: what was minimized.
            filename (str): one file for all of them.
        Raises:
            AssertionError: no Executor, or no Program.

        Example:
            >>> import os, tempfile
            >>> import paddle_compat.fluid as fluid
            >>> from paddle_compat.fluid.incubate.fleet.collective import fleet
            >>> main, start = fluid.Program(), fluid.Program()
            >>> with fluid.program_guard(main, start):
            ...     _ = fluid.layers.fc(fluid.data("x", [None, 2]), 1, param_attr="w", bias_attr="b")
            >>> exe, folder = fluid.Executor(fluid.CPUPlace()), tempfile.mkdtemp()
            >>> _ = exe.run(start)
            >>> fleet.save_persistables(exe, folder, main)
            >>> sorted(os.listdir(folder))
            ['b', 'w']
        """
        io.save_persistables(executor, dirname, self._checked(executor, main_program), filename)

    def _checked(self, executor: Any, main_program: Any) -> Program:
        if not isinstance(executor, Executor):
            raise AssertionError(f"Expected an Executor as `executor`. Received: {type(executor).__name__}")
        program = self._origin_program if main_program is None else main_program
        if not isinstance(program, Program):
            raise AssertionError(f"Expected a Program as `main_program`. Received: {type(program).__name__}")
        return program


fleet = Collective()


class CollectiveOpBasedOptimizer(_HalvesOf):
    """An optimizer whose Program has collective operators.

    Args:
        optimizer (Optimizer): the user's.
        strategy (DistributedStrategy): kept.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.incubate.fleet.collective import CollectiveOpBasedOptimizer
        >>> optimizer = CollectiveOpBasedOptimizer(fluid.optimizer.SGD(0.1))
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1))
        ...     len(optimizer.apply_gradients(optimizer.backward(loss)))
        2

    Follows Paddle 1.8.
    """


class CollectiveOptimizer(_HalvesOf):
    """What `fleet.distributed_optimizer` returns: `minimize` leaves in `fleet.main_program` what a worker runs.

    Args:
        optimizer (Optimizer): the user's.
        strategy (DistributedStrategy): how workers train together; None: the defaults.
    Raises:
        ValueError: `recompute_checkpoints` is no list.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.incubate.fleet.collective import CollectiveOptimizer
        >>> CollectiveOptimizer(fluid.optimizer.SGD(0.1)).print_config
        False

    Follows Paddle 1.8.
    """

    def __init__(self, optimizer: Any, strategy: DistributedStrategy | None = None) -> None:
        super().__init__(optimizer, DistributedStrategy() if strategy is None else strategy)
        if not isinstance(self._strategy.recompute_checkpoints, list):
            raise ValueError("Invalid value for `DistributedStrategy.recompute_checkpoints`. Expected a list. Received: none")
        self.print_config = False
        self._loss: Any = None

    def minimize(  # type: ignore[override]
        self, loss: Any, startup_program: Program | None = None, parameter_list: Any = None, no_grad_set: Any = None
    ) -> tuple[list[Any], list[Any]]:
        """Append what minimizes the loss, and write what workers do together.

        Args:
            loss (Variable): what is minimized.
            startup_program (Program): None: the default one.
            parameter_list (list): what is trained.
            no_grad_set (set): Variables through which no gradient flows.
        Returns:
            tuple: the update operators, and the pairs of parameter and gradient.
        Raises:
            ValueError: the strategy does not fit itself or the optimizer, or its mode is none.
            AssertionError: switches exclude each other.
            UnsupportedError: `use_dist_fc`.
        """
        self._wrap()
        main = loss.block.program
        start = default_startup_program() if startup_program is None else startup_program
        fleet.startup_program, self._loss = start, loss
        self._settle_mode(main)
        optimize_ops, params_grads = self._optimizer.minimize(loss, start, parameter_list, no_grad_set)
        fleet._origin_program = main.clone(for_test=False)
        fleet._transpiled_program = main
        fleet.main_program = self._distributed(start, main)
        return optimize_ops, params_grads

    def _wrap(self) -> None:
        """Put what the strategy asks for around the optimizer."""
        strategy, kind = self._strategy, type(self._optimizer).__name__
        if strategy.forward_recompute:
            if not strategy.recompute_checkpoints:
                raise ValueError("Invalid value for `DistributedStrategy.recompute_checkpoints`. Expected Variables. Received: none")
            self._refuse(kind, "forward_recompute", ("RecomputeOptimizer", "OptimizerWithMixedPrecision"))
            self._optimizer = RecomputeOptimizer(self._optimizer)
            self._optimizer._set_checkpoints(strategy.recompute_checkpoints)
        if strategy.use_amp:
            self._refuse(kind, "use_amp", ("OptimizerWithMixedPrecision", "DGCMomentumOptimizer"))
            self._optimizer = mixed_precision.decorate(
                self._optimizer, init_loss_scaling=strategy.amp_loss_scaling, use_dynamic_loss_scaling=True
            )

    @staticmethod
    def _refuse(kind: str, switch: str, kinds: tuple[str, ...]) -> None:
        if kind in kinds:
            raise ValueError(f"DistributedStrategy.{switch} is set. Expected an optimizer that does not do that itself. Received: {kind}")

    def _settle_mode(self, main: Program) -> None:
        strategy = self._strategy
        compressed = bool(getattr(main, "_enable_dgc", False))
        if strategy.use_local_sgd:
            strategy.mode, strategy.collective_mode = "collective", "local_sgd"
            self._exclude("use_local_sgd", use_dgc=compressed, use_dist_fc=strategy.use_dist_fc)
        if strategy.use_dist_fc:
            self._exclude("use_dist_fc", use_dgc=compressed)
            if strategy.dist_fc_config is None:
                raise AssertionError("DistributedStrategy.dist_fc_config should be set. Expected a DistFCConfig. Received: None")
            raise UnsupportedError("DistributedStrategy.use_dist_fc", instead="layers that every worker has whole")
        if strategy._ut4grad_allreduce:
            strategy.mode, strategy.collective_mode = "collective", "grad_allreduce"
            self._exclude("_ut4grad_allreduce", use_dgc=compressed)
        if strategy.collective_mode in ("local_sgd", "grad_allreduce") and strategy.mode != "collective":
            raise AssertionError(f"`collective_mode` needs the mode. Expected mode 'collective'. Received: {strategy.mode!r}")

    @staticmethod
    def _exclude(name: str, **others: bool) -> None:
        for other, on in others.items():
            if on:
                raise AssertionError(f"you can't use {name} and {other} together. Expected one of them. Received: both")

    def _distributed(self, start: Program, main: Program) -> Program | CompiledProgram:
        """What a worker runs; what workers need to meet goes into the startup Program."""
        strategy = self._strategy
        self._settle_switches()
        if strategy.mode == "collective":
            transpiler = self._transpiler()
            endpoints = fleet.worker_endpoints()
            transpiler.transpile(start, main, fleet.worker_index(), endpoints, endpoints[fleet.worker_index()], True)
            return main
        if strategy.mode != "nccl2":
            raise ValueError(f"Invalid value for `DistributedStrategy.mode`. Expected 'nccl2' or 'collective'. Received: {strategy.mode!r}")
        block = start.global_block()
        block.create_var(name="NCCLID", persistable=True, type=VarType.RAW)
        block.append_op(
            type="gen_nccl_id",
            outputs={"NCCLID": ["NCCLID"]},
            attrs={
                "trainers": fleet.worker_endpoints(),
                "trainer_id": fleet.worker_index(),
                "nccl_comm_num": strategy.nccl_comm_num,
                "use_hierarchical_allreduce": strategy.use_hierarchical_allreduce,
                "hierarchical_allreduce_inter_nranks": strategy.hierarchical_allreduce_inter_nranks,
            },
        )
        strategy.num_trainers, strategy.trainer_id = fleet.worker_num(), fleet.worker_index()
        strategy.trainers_endpoints = fleet.worker_endpoints()
        strategy.enable_backward_optimizer_op_deps = True
        return CompiledProgram(main).with_data_parallel(
            loss_name=self._loss.name, build_strategy=strategy, exec_strategy=strategy.exec_strategy
        )

    def _transpiler(self) -> Transpiler:
        name, rings = self._strategy.collective_mode, self._strategy.nccl_comm_num
        if name == "grad_allreduce":
            return GradAllReduce(rings)
        if name == "local_sgd":
            return LocalSGD(rings)
        if name == "single_process_multi_thread":
            return SingleProcessMultiThread()
        raise ValueError(f"invalid collective_mode: {name}. Expected grad_allreduce or local_sgd. Received: {name}")

    def _settle_switches(self) -> None:
        """What 1.8 makes of switches that do not go with the job or each other."""
        strategy = self._strategy
        hosts = {endpoint.rpartition(":")[0].strip() for endpoint in fleet.worker_endpoints()}
        if len(hosts) <= 1:
            if strategy.nccl_comm_num > 1:
                logging.warning("set nccl_comm_num=1 since you only have 1 node.")
            if strategy.use_hierarchical_allreduce:
                logging.warning("set use_hierarchical_allreduce=False since you only have 1 node.")
            strategy.nccl_comm_num, strategy.use_hierarchical_allreduce = 1, False
        if os.environ.get("FLAGS_sync_nccl_allreduce", "1") == "1":
            rounds = 2 if strategy.use_hierarchical_allreduce else 1
            strategy.exec_strategy.num_threads = rounds * strategy.nccl_comm_num + 1
        if strategy.sync_batch_norm:
            strategy.nccl_comm_num, strategy.use_hierarchical_allreduce = 1, False
            strategy.exec_strategy.num_threads = 1


__getattr__ = missing(__name__)
__all__ = [
    "Collective", "CollectiveOpBasedOptimizer", "CollectiveOptimizer", "DistFCConfig", "DistributedOptimizer", "DistributedStrategy",
    "Fleet", "LambConfig", "LocalFS", "Mode", "TrainStatus", "fleet",
]  # fmt: skip
