"""`fleet.Fleet`: what a process of a job asks and does."""

from __future__ import annotations

import copy
import os
import sys
from collections.abc import Iterable
from typing import Any

from paddle_compat.core import mode, rings
from paddle_compat.core.errors import UnsupportedError, invalid_argument
from paddle_compat.core.program import Program, default_main_program, default_startup_program
from paddle_compat.core.serialize import program_to_bytes
from paddle_compat.distributed import _groups
from paddle_compat.distributed.fleet._eager_training import EagerTraining
from paddle_compat.distributed.fleet._places import Places
from paddle_compat.distributed.fleet._server_calls import ServerCalls
from paddle_compat.distributed.fleet.base._build import built
from paddle_compat.distributed.fleet.base.distributed_strategy import DistributedStrategy
from paddle_compat.distributed.fleet.base.meta_optimizer_factory import idle, layers, refuse_what_cannot_act
from paddle_compat.distributed.fleet.base.role_maker import PaddleCloudRoleMaker, RoleMakerBase
from paddle_compat.distributed.fleet.base.util_factory import UtilBase
from paddle_compat.distributed.fleet.utils.log_util import logger, set_log_level
from paddle_compat.static import _files
from paddle_compat.static import io as static_io
from paddle_compat.static._inference import inference_program
from paddle_compat.static.executor import Executor


class Fleet(ServerCalls, EagerTraining, Places):
    """What a process of a job asks and does; `paddle.distributed.fleet` has the methods of one of these as its functions.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> _ = fleet.init(is_collective=True)
        >>> with paddle.static.program_guard(main, startup):
        ...     cost = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1))
        ...     optimizer = fleet.distributed_optimizer(paddle.optimizer.SGD(learning_rate=0.1))
        ...     _ = optimizer.minimize(cost)
        >>> exe = paddle.static.Executor(paddle.CPUPlace())
        >>> _ = exe.run(startup)
        >>> exe.run(main, feed={"x": np.ones([8, 4], "float32")}, fetch_list=[cost])[0].shape
        ()
        >>> fleet.is_first_worker(), fleet.worker_index(), fleet.worker_num(), fleet.node_num(), fleet.local_rank()
        (True, 0, 1, 1, None)
        >>> fleet.is_worker(), fleet.is_server(), fleet.is_coordinator(), fleet.server_num(), fleet.server_index()
        (True, False, False, 0, 0)
        >>> fleet.worker_endpoints(), fleet.server_endpoints(to_string=True)
        (['127.0.0.1:6170'], '')
        >>> fleet.local_device_ids(), fleet.world_device_ids(), fleet.all_reduce([1, 2])
        (None, None, [1, 2])
        >>> fleet.init_worker(); fleet.barrier_worker(); fleet.stop_worker()
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    _prefix = "_"

    def __init__(self) -> None:
        self._is_collective = False
        self._user_defined_strategy = DistributedStrategy()
        self._valid_strategy: DistributedStrategy | None = None
        self._layers: list[Any] = []
        self._minimized = False
        self._has_parts = False  # whether anything was minimized, in this job or before
        self.user_defined_optimizer: Any = None
        self._util = UtilBase()

    # ---- beginning
    def init(self, role_maker: Any = None, is_collective: bool = False, strategy: Any = None, log_level: str | int = "INFO") -> Any:
        """Say which part this process plays, and join the others; in static mode they meet when they first run something together.

        Args:
            role_maker (RoleMakerBase|None): the role; None: what the launcher says.
            is_collective (bool): without `role_maker`, whether workers train together, without servers.
            strategy (DistributedStrategy|None): how the job trains; None for the defaults.
            log_level (str|int): from which level on fleet says something.
        Returns:
            Fleet|None: this; None in collective jobs in static mode.
        Raises:
            ValueError: an argument is of another type.
            UnsupportedError: the strategy asks for what does not act.
        """
        set_log_level(log_level)
        if not isinstance(is_collective, bool):
            raise ValueError(f"`is_collective` should be instance of `bool`, but got {type(is_collective)}")
        if role_maker is not None and not isinstance(role_maker, RoleMakerBase):
            raise ValueError(f"`role_maker` should be subclass of `RoleMakerBase`, but got {type(role_maker)}")
        if strategy is not None and not isinstance(strategy, DistributedStrategy):
            raise AttributeError(f"`strategy` should be a DistributedStrategy, but got {type(strategy)}")
        eager = mode.in_dygraph_mode()
        role = PaddleCloudRoleMaker(is_collective) if role_maker is None else role_maker
        strategy = DistributedStrategy() if strategy is None else copy.deepcopy(strategy)
        refuse_what_cannot_act(strategy, "eager" if eager else "static", role)
        role._generate_role()
        self._forget_former_job()
        self._role_maker, self._user_defined_strategy = role, strategy
        self._is_collective = getattr(role, "_is_collective", is_collective)
        self._layers, self._minimized, self._valid_strategy, self._runtime_handle = [], False, None, None
        for each in (self._util, sys.modules[__package__].util):  # users may put their own into the module
            each._set_role_maker(role)
        if self._is_collective and role._worker_num() > 1:
            _groups.join() if eager else rings.expect()
        vars(self).pop("_hcg", None)
        if eager and (self._is_collective or role._worker_num() == 1):
            self._begin_eager()
        return self if eager or not self._is_collective else None

    # ---- this process
    def local_rank(self) -> Any:
        """This worker's number among those of its machine.

        Returns:
            str|None: as the launcher says it.
        """
        return self._role()._get_local_rank()

    def local_device_ids(self) -> Any:
        """The devices of this worker.

        Returns:
            str|None: as the launcher says it.
        """
        return self._role()._get_local_device_ids()

    def is_coordinator(self) -> bool:
        """Whether this process is the coordinator of federated learning.

        Returns:
            bool: it is.
        """
        return self._role()._is_coordinator()

    # ---- the others
    def node_num(self) -> int:
        """How many machines there are.

        Returns:
            int: by the hosts of the endpoints.
        """
        return self._role()._get_node_num()

    def world_device_ids(self) -> Any:
        """The devices of all workers.

        Returns:
            str|None: as the launcher says it.
        """
        return self._role()._get_world_device_ids()

    # ---- meeting
    @property
    def util(self) -> UtilBase:
        """What workers hand to each other."""
        return self._util

    @util.setter
    def util(self, util: UtilBase) -> None:
        self._util = util
        util._set_role_maker(self._role_maker)

    def barrier_worker(self) -> None:
        """Wait for all workers."""
        self._role()._barrier("worker")

    def all_reduce(self, input: Any, mode: str = "sum") -> Any:
        """The sum, greatest or least of the workers' values.

        Args:
            input (number|list|ndarray): this worker's, of the same shape for all.
            mode (str): "sum", "max" or "min".
        Returns:
            number|list|ndarray: as `input`.
        """
        return self._role()._all_reduce(input, mode)

    # ---- training
    def distributed_optimizer(self, optimizer: Any, strategy: Any = None) -> Any:
        """An optimizer that trains together with the other workers.

        Args:
            optimizer (Optimizer): the user's.
            strategy (DistributedStrategy|None): instead of that of `init`, which says it better.
        Returns:
            Fleet|Optimizer: this, whose `minimize` appends what the strategy asks for; in eager mode the optimizer.
        Raises:
            UnsupportedError: the strategy asks for what does not act.
        """
        self.user_defined_optimizer = optimizer
        if isinstance(strategy, DistributedStrategy):
            if self._is_collective:
                logger.warning("A strategy is best given to fleet.init(), which joins the workers by it.")
            self._user_defined_strategy = copy.deepcopy(strategy)
        eager = mode.in_dygraph_mode()
        if eager or self._role_maker is not None:  # a Program's optimizer may be made before init
            refuse_what_cannot_act(self._user_defined_strategy, "eager" if eager else "static", self._role())
        return self._eager_optimizer(optimizer) if eager else self

    def minimize(
        self, loss: Any, startup_program: Any = None, parameter_list: Any = None, no_grad_set: Iterable[Any] | None = None
    ) -> tuple[Any, list[Any] | None]:
        """Append what minimises a loss on all workers together; in eager mode: take a step.

        Args:
            loss (Tensor|list): what is minimised; with servers also as a list of one.
            startup_program (Program|list|None): None for the default one; of a list of losses a list, which gets the job's.
            parameter_list (list|None): what is trained; None for all that are trainable; of a list of losses a list of such.
            no_grad_set (set|None): Variables or names through which no gradient flows.
        Returns:
            tuple: the update operators, and the pairs of parameter and gradient; of a list of losses None and None.
        Raises:
            ValueError: a list of losses without servers, or one that nothing is trained for with servers.
            UnsupportedError: several losses with servers.
        """
        optimizer, role, strategy = self.user_defined_optimizer, self._role(), self._user_defined_strategy
        if isinstance(loss, list):
            if self._is_collective or role._is_non_distributed() or mode.in_dygraph_mode():
                raise invalid_argument("loss", "one loss: lists are for jobs with servers", f"{len(loss)} losses", "fleet.minimize")
            if len(loss) != 1:
                raise UnsupportedError("fleet.minimize", f"{len(loss)} losses", "their sum")
            programs = [default_startup_program()] if startup_program is None else startup_program
            self.minimize(loss[0], programs[0], None if parameter_list is None else list(parameter_list)[0], no_grad_set)
            programs[0] = default_startup_program()
            return None, None
        if mode.in_dygraph_mode():
            return optimizer.minimize(loss, startup_program, parameter_list, no_grad_set)
        self._layers = layers(optimizer, loss, role, strategy) if self._is_collective else self._with_servers(loss)
        self._minimized = self._has_parts = True
        self._valid_strategy = copy.deepcopy(strategy)
        served = bool(self._layers) and not self._is_collective
        for switch in idle(self._layers) if served else ("a_sync", *idle(self._layers)):
            setattr(self._valid_strategy.strategy, switch, False)
        outermost = self._layers[0] if self._layers else optimizer
        with built(loss.block.program, strategy):
            found = outermost.minimize(loss, startup_program, parameter_list, no_grad_set)
        self._runtime_handle = getattr(outermost, "runtime", None)
        told = default_main_program()  # where `train_from_dataset` looks
        told._fleet_opt = {**(told._fleet_opt or {}), "mpi_size": role._worker_num(), "mpi_rank": role._worker_index()}
        for key, value in strategy.trainer_desc_configs.items():
            told._fleet_opt[key] = value or told._fleet_opt.get(key, value)
        return found

    def amp_init(self, place: Any, scope: Any = None, test_program: Any = None, use_fp16_test: bool = False) -> Any:
        """Cast the parameters of mixed precision in pure half precision, after the startup program has run.

        Args:
            place (CPUPlace|CUDAPlace): where they are.
            scope (Scope|None): None for the global one.
            test_program (Program|None): a Program for inference, which is rewritten, too.
            use_fp16_test (bool): whether that one computes in half precision.
        Returns:
            None: nothing.
        Raises:
            AssertionError: the strategy `amp` is off.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.distributed import fleet
            >>> try:
            ...     fleet.Fleet().amp_init(paddle.CPUPlace())
            ... except AssertionError as error:
            ...     print(error)
            amp_init can only be used when the amp(auto mixed precision) strategy is turned on.
        """
        return self._with_amp().amp_init(place, scope, test_program, use_fp16_test)

    def get_loss_scaling(self) -> Any:
        """The factor that the loss is multiplied by in mixed precision.

        Returns:
            Tensor: it.
        Raises:
            AssertionError: the strategy `amp` is off.

        Example:
            >>> from paddle_compat.distributed import fleet
            >>> try:
            ...     fleet.Fleet().get_loss_scaling()
            ... except AssertionError as error:
            ...     print(error)
            amp_init can only be used when the amp(auto mixed precision) strategy is turned on.
        """
        return self._with_amp().get_loss_scaling()

    def qat_init(self, place: Any, scope: Any = None, test_program: Any = None) -> Any:
        """Round a Program for inference as that which is trained to be quantized.

        Args:
            place (CPUPlace|CUDAPlace): where the states of rounding are.
            scope (Scope|None): None for the global one.
            test_program (Program|None): the Program, which is rewritten.
        Returns:
            None: nothing.
        Raises:
            AssertionError: the strategy `qat` is off.

        Example:
            >>> import paddle_compat as paddle
            >>> from paddle_compat.distributed import fleet
            >>> try:
            ...     fleet.Fleet().qat_init(paddle.CPUPlace())
            ... except AssertionError as error:
            ...     print(error)
            qat_init can only be used when the qat(quantization aware training) strategy is turned on.
        """
        message = "qat_init can only be used when the qat(quantization aware training) strategy is turned on."
        return self._layer("qat", message).qat_init(place, scope=scope, test_program=test_program)

    def _with_amp(self) -> Any:
        return self._layer("amp", "amp_init can only be used when the amp(auto mixed precision) strategy is turned on.")

    def _layer(self, switch: str, message: str) -> Any:
        for layer in self._layers:
            if layer.switch == switch:  # those around it may not hand on everything
                return layer
        raise AssertionError(message)

    def _final_strategy(self) -> Any:
        if self._valid_strategy is None:
            print("WARNING: You may need to call minimize function before this function is called")
            return {}
        return self._valid_strategy

    def _get_applied_meta_list(self) -> list[str]:
        if not self._minimized:
            print("WARNING: You may need to call minimize function before _get_applied_meta_list called")
        # batch norms over all workers are no layer of Paddle's
        return [type(layer).__name__ for layer in self._layers if layer.switch != "sync_batch_norm"]

    def _get_applied_graph_list(self) -> list[str]:
        if not self._minimized:
            print("WARNING: You may need to call minimize function before _get_applied_graph_list called")
        return []

    # ---- files
    def save_persistables(self, executor: Any, dirname: str, main_program: Any = None, mode: int = 0) -> None:
        """Write all persistable variables into a folder, one file each; the first worker is enough.

        Args:
            executor (Executor): kept; nothing runs.
            dirname (str): the folder.
            main_program (Program|None): None for the default one.
            mode (int): of parameter servers.

        Example:
            >>> import os, tempfile, paddle_compat as paddle
            >>> from paddle_compat.distributed import fleet
            >>> paddle.enable_static()
            >>> fleet.init(is_collective=True)
            >>> main, startup = paddle.static.Program(), paddle.static.Program()
            >>> with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
            ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1)
            >>> exe = paddle.static.Executor(paddle.CPUPlace())
            >>> _ = exe.run(startup)
            >>> folder = tempfile.mkdtemp()
            >>> fleet.save_persistables(exe, folder, main)
            >>> sorted(os.listdir(folder))
            ['fc_0.b_0', 'fc_0.w_0']
            >>> paddle.disable_static()
        """
        if self._runtime_handle is not None:
            self._runtime_handle._save_persistables(executor, dirname, main_program, mode)
            return
        program = _program(main_program)
        kept = [var for var in program.list_vars() if _files.is_persistable(var)]
        _files.save_variables(kept, dirname, None)

    def save_inference_model(
        self,
        executor: Any,
        dirname: str,
        feeded_var_names: list[str],
        target_vars: list[Any],
        main_program: Any = None,
        export_for_deployment: bool = True,
        mode: int = 0,
    ) -> None:
        """Write what computes some variables into a folder: `__model__`, and a file for each parameter; the first worker is enough.

        Args:
            executor (Executor): kept; nothing runs.
            dirname (str): the folder.
            feeded_var_names (list): the names of what is fed.
            target_vars (list): what is computed.
            main_program (Program|None): None for the default one.
            export_for_deployment (bool): kept.
            mode (int): of parameter servers.

        Example:
            >>> import os, tempfile, paddle_compat as paddle
            >>> from paddle_compat.distributed import fleet
            >>> paddle.enable_static()
            >>> fleet.init(is_collective=True)
            >>> main, startup = paddle.static.Program(), paddle.static.Program()
            >>> with paddle.static.program_guard(main, startup), paddle.utils.unique_name.guard():
            ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1)
            >>> exe = paddle.static.Executor(paddle.CPUPlace())
            >>> _ = exe.run(startup)
            >>> folder = tempfile.mkdtemp()
            >>> fleet.save_inference_model(exe, folder, ["x"], [y], main)
            >>> sorted(os.listdir(folder))
            ['__model__', 'fc_0.b_0', 'fc_0.w_0']
            >>> paddle.disable_static()
        """
        if self._runtime_handle is not None:
            given = (executor, dirname, feeded_var_names, target_vars, main_program, export_for_deployment, mode)
            self._runtime_handle._save_inference_model(*given)
            return
        inference = inference_program(_program(main_program), list(feeded_var_names), list(target_vars))
        os.makedirs(dirname, exist_ok=True)
        static_io.save_to_file(os.path.join(dirname, "__model__"), program_to_bytes(inference))
        _files.save_variables([var for var in inference.list_vars() if _files.is_persistable(var)], dirname, None)

    def save(self, dirname: str, feed: Any = (), fetch: Any = (), **configs: Any) -> None:
        """Write a model for inference where `feed` and `fetch` say which, else all persistable variables.

        Args:
            dirname (str): the folder.
            feed (list): what is fed: names or Variables.
            fetch (list): what is computed: names or Variables.
            configs: `executor`, `program`.
        Raises:
            AssertionError: one of `feed` and `fetch` alone.

        Example:
            >>> import os, tempfile, paddle_compat as paddle
            >>> from paddle_compat.distributed import fleet
            >>> paddle.enable_static()
            >>> fleet.init(is_collective=True)
            >>> main, startup = paddle.static.Program(), paddle.static.Program()
            >>> with paddle.static.program_guard(main, startup):
            ...     y = paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1)
            >>> _ = paddle.static.Executor(paddle.CPUPlace()).run(startup)
            >>> folder = tempfile.mkdtemp()
            >>> fleet.fleet.save(folder, feed=["x"], fetch=[y], program=main)
            >>> sorted(os.listdir(folder))
            ['model.pdiparams', 'model.pdmodel']
            >>> paddle.disable_static()
        """
        if bool(feed) != bool(fetch):
            raise AssertionError("A model needs both `feed` and `fetch`. Received: one of them")
        program = _program(configs.get("program"))
        if not feed:
            self.save_persistables(configs.get("executor"), dirname, program)
            return
        block = program.global_block()
        fed, fetched = ([block.var(each) if isinstance(each, str) else each for each in given] for given in (feed, fetch))
        executor = configs.get("executor") or Executor()
        static_io.save_inference_model(os.path.join(dirname, "model"), fed, fetched, executor, program=program)


def _program(program: Any) -> Program:
    found = default_main_program() if program is None else program
    if not isinstance(found, Program):
        raise TypeError(f"Invalid type for argument `main_program`. Expected a Program. Received: {type(found).__name__}")
    return found


fleet = Fleet()
# the functions of `paddle.distributed.fleet`, each a method of that object
_METHODS = ("util", "save", "amp_init", "get_loss_scaling", "qat_init")  # which are methods only
FUNCTIONS = tuple(name for name in dir(Fleet) if not name.startswith("__") and name not in _METHODS)
globals().update({name: getattr(fleet, name) for name in FUNCTIONS})
rank, nranks, world_size, rank_in_node = fleet.worker_index, fleet.worker_num, fleet.worker_num, fleet.local_rank
util = fleet.util
