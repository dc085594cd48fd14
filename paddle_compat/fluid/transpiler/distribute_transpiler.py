"""`fluid.transpiler.distribute_transpiler`: a Program for one process, rewritten for trainers and servers, or for many trainers alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion, type_error
from paddle_compat.core.job import Servers
from paddle_compat.core.operator import OpRole
from paddle_compat.core.program import Program, default_main_program, default_startup_program
from paddle_compat.distributed.distribute_lookup_table import find_distributed_lookup_table as find_distributed_lookup_table
from paddle_compat.distributed.ps import _files, _plan
from paddle_compat.distributed.ps._server import Server
from paddle_compat.distributed.ps._training import Training
from paddle_compat.fluid.transpiler import _without_servers
from paddle_compat.fluid.transpiler._overview import mappings, overview
from paddle_compat.fluid.transpiler._trainer import Cluster, Trainer
from paddle_compat.fluid.transpiler.details.checkport import wait_server_ready as wait_server_ready
from paddle_compat.fluid.transpiler.details.program_utils import delete_ops as delete_ops
from paddle_compat.fluid.transpiler.details.program_utils import find_op_by_output_arg as find_op_by_output_arg
from paddle_compat.fluid.transpiler.details.ufind import UnionFind as UnionFind
from paddle_compat.fluid.transpiler.details.vars_distributed import VarsDistributed as VarsDistributed
from paddle_compat.fluid.transpiler.details.vars_distributed import VarStruct as VarStruct
from paddle_compat.fluid.transpiler.ps_dispatcher import PSDispatcher, RoundRobin

_SMALLEST = 8192
# by these names scripts and tests know what operators of transpiled Programs are called and marked with
LOOKUP_TABLE_TYPE = ["lookup_table", "lookup_table_v2"]
LOOKUP_TABLE_GRAD_TYPE = ["lookup_table_grad", "lookup_table_v2_grad"]
OP_NAME_SCOPE, CLIP_OP_NAME_SCOPE = "op_namescope", "@CLIP"
OP_ROLE_VAR_ATTR_NAME = "op_role_var"
RPC_OP_ROLE_ATTR_NAME = op_role_attr_name = "op_role"
RPC_OP_ROLE_ATTR_VALUE, DIST_OP_ROLE_ATTR_VALUE, LR_SCHED_OP_ROLE_ATTR_VALUE = OpRole.RPC, OpRole.Dist, OpRole.LRSched
OPT_OP_ROLE_ATTR_VALUE = OpRole.Optimize


def _wrong(name: str, expected: str, received: object, method: str = ".transpile") -> str:
    return f"Invalid value for argument `{name}` of `DistributeTranspiler{method}`. Expected {expected}. Received: {received!r}"


class VarBlock:
    """A part of a variable: `name:number:values` as text.

    Args:
        varname (str): the variable's name.
        offset (int): which of the parts.
        size (int): how many values it has.

    Example:
        >>> from paddle_compat.fluid.transpiler.distribute_transpiler import VarBlock
        >>> str(VarBlock("w", 1, 8192))
        'w:1:8192'

    Follows Paddle 1.8.
    """

    def __init__(self, varname: str, offset: int, size: int) -> None:
        self.varname, self.offset, self.size = varname, offset, size

    def __str__(self) -> str:
        return f"{self.varname}:{self.offset}:{self.size}"


def slice_variable(var_list: Sequence[Any], slice_count: int, min_block_size: int) -> list[str]:
    """In which parts variables go to so many servers: whole rows, and no part (but a variable's last) of less than so many values.

    Args:
        var_list (list): of Variables.
        slice_count (int): at most so many parts of each.
        min_block_size (int): values that a part must have.
    Returns:
        list: of `VarBlock`s as texts.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.transpiler.distribute_transpiler import slice_variable
        >>> with fluid.program_guard(fluid.Program()):
        ...     slice_variable([fluid.layers.create_global_var([13, 2000], 0.0, "float32", name="w")], 3, 8192)
        ['w:0:10000', 'w:1:10000', 'w:2:6000']

    Follows Paddle 1.8.
    """
    found = []
    for var in var_list:
        width = math.prod(var.shape[1:])
        rows = _plan.rows_of(var.shape, slice_count, min_block_size)
        found += [str(VarBlock(var.name, i, count * width)) for i, count in enumerate(rows)]
    return found


def same_or_split_var(p_name: str, var_name: str) -> bool:
    """Whether a name is a variable's, or that of a part of it.

    Args:
        p_name (str): the name in question.
        var_name (str): the variable's.
    Returns:
        bool.

    Example:
        >>> from paddle_compat.fluid.transpiler.distribute_transpiler import same_or_split_var
        >>> same_or_split_var("w.block0", "w"), same_or_split_var("wide.block0", "w")
        (True, False)

    Follows Paddle 1.8.
    """
    return p_name == var_name or p_name.startswith(var_name + ".block")


class DistributedMode:
    """How trainers and servers work together, as `listen_and_serv` says it.

    Example:
        >>> from paddle_compat.fluid.transpiler.distribute_transpiler import DistributedMode
        >>> DistributedMode.SYNC, DistributedMode.ASYNC, DistributedMode.HALF_ASYNC, DistributedMode.GEO
        (0, 1, 2, 3)

    Follows Paddle 1.8.
    """

    SYNC, ASYNC, HALF_ASYNC, GEO = 0, 1, 2, 3


class DistributeTranspilerConfig:
    """How a Program is to be rewritten.

    Attributes:
        slice_var_up (bool): cut large parameters into parts for several servers.
        split_method (type): of `PSDispatcher`: which server gets which part; None: `RoundRobin`.
        min_block_size (int): a part holds at least so many values.
        enable_dc_asgd (bool): asynchronous updates are corrected for gradients that come late.
        mode (str): "pserver"; "nccl2" and "collective" have no servers.
        print_log (bool): kept; nothing is printed.
        wait_port (bool): kept; processes wait for each other where they meet.
        half_async (bool): with `runtime_split_send_recv`, a trainer waits in each step until what it sent has gone.
        completely_not_async (bool): servers sum the gradients of all trainers, whatever trainers do.
        sync_mode, runtime_split_send_recv (bool): what trainers send is cut while it is sent; asynchronous only.
        geo_sgd_mode, geo_sgd_need_push_nums: trainers update on their own, and send how far they came every so many steps.
        nccl_comm_num, use_hierarchical_allreduce, hierarchical_allreduce_inter_nranks: rings of "nccl2".
        collective_mode (str): "grad_allreduce" or "local_sgd", of mode "collective".

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> config = fluid.DistributeTranspilerConfig()
        >>> config.slice_var_up, config.min_block_size, config.mode, config.sync_mode
        (True, 8192, 'pserver', True)

    Follows Paddle 1.8.
    """

    slice_var_up = True
    split_method: type[PSDispatcher] | None = None
    min_block_size = _SMALLEST
    enable_dc_asgd = False
    mode = "pserver"
    print_log = False
    wait_port = True
    half_async = False
    completely_not_async = False
    geo_sgd_mode = False
    geo_sgd_need_push_nums = 100
    nccl_comm_num = 1
    use_hierarchical_allreduce = False
    hierarchical_allreduce_inter_nranks = 0
    collective_mode: str | None = None

    def __init__(self) -> None:
        self.__sync_mode = True
        self.__runtime_split_send_recv = False

    @property
    def runtime_split_send_recv(self) -> bool:
        """Whether `send` cuts what it sends."""
        return self.__runtime_split_send_recv

    @runtime_split_send_recv.setter
    def runtime_split_send_recv(self, value: bool) -> None:
        if value is None:
            raise ValueError("runtime_split_send_recv can't be None")
        if value and self.__sync_mode:
            raise ValueError("`runtime_split_send_recv` needs asynchronous trainers. Set sync_mode to False first.")
        self.__runtime_split_send_recv = value

    @property
    def sync_mode(self) -> bool:
        """Whether trainers wait for each other in every step."""
        return self.__sync_mode

    @sync_mode.setter
    def sync_mode(self, value: bool) -> None:
        if value is None:
            raise ValueError("sync_mode can't be None")
        if value and self.__runtime_split_send_recv:
            raise ValueError("`sync_mode` has no `runtime_split_send_recv`. Set that to False first.")
        self.__sync_mode = value


class ServerRuntimeConfig:
    """How many threads a server has for each kind of call: kept, and written into `listen_and_serv`.

    Example:
        >>> from paddle_compat.fluid.transpiler.distribute_transpiler import ServerRuntimeConfig
        >>> ServerRuntimeConfig()._rpc_send_thread_num
        12

    Follows Paddle 1.8.
    """

    def __init__(self) -> None:
        self._rpc_send_thread_num = self._rpc_get_thread_num = self._rpc_prefetch_thread_num = 12


class DistributeTranspiler:
    """Rewrites a training Program, built as for one process, for a job of many.

    Args:
        config (DistributeTranspilerConfig): None: the defaults.
    Raises:
        AttributeError: the configuration is none, or its split method no class.
        AssertionError: the split method is no `PSDispatcher`, or parts are to have less than 8192 values.
        TypeError: the size of parts is no number.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> main, start = fluid.Program(), fluid.Program()
        >>> with fluid.program_guard(main, start):
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1))
        ...     _ = fluid.optimizer.SGD(0.1).minimize(loss)
        >>> t = fluid.DistributeTranspiler()
        >>> t.transpile(0, program=main, pservers="127.0.0.1:6174", trainers=2, startup_program=start)
        >>> [op.type for op in t.get_pserver_program("127.0.0.1:6174").global_block().ops]
        ['listen_and_serv']
        >>> [op.type for op in t.get_trainer_program().global_block().ops][-5:]
        ['send', 'send_barrier', 'recv', 'recv', 'fetch_barrier']

    Follows Paddle 1.8.
    """

    def __init__(self, config: DistributeTranspilerConfig | None = None) -> None:
        self.config = DistributeTranspilerConfig() if config is None else config
        if not hasattr(self.config, "split_method"):
            raise AttributeError(_wrong("config", "a DistributeTranspilerConfig", config, ""))
        method, smallest = self.config.split_method or RoundRobin, self.config.min_block_size
        if not isinstance(method, type):
            raise AttributeError(_wrong("config.split_method", "a subclass of PSDispatcher", method, ""))
        if not issubclass(method, PSDispatcher):
            raise failed_assertion("config.split_method", "a subclass of PSDispatcher", method, "DistributeTranspiler")
        if not isinstance(smallest, int):
            raise TypeError(_wrong("config.min_block_size", "a number", smallest, ""))
        if smallest < _SMALLEST:
            raise failed_assertion("config.min_block_size", f"{_SMALLEST} or more", smallest, "DistributeTranspiler")
        self._method = method
        self.server_config = ServerRuntimeConfig()
        self._writer: Trainer | None = None

    def transpile(
        self,
        trainer_id: int,
        program: Program | None = None,
        pservers: str = "127.0.0.1:6174",
        trainers: int | str = 1,
        sync_mode: bool = True,
        startup_program: Program | None = None,
        current_endpoint: str = "127.0.0.1:6174",
    ) -> None:
        """Rewrite a Program and its startup Program, in place.

        Args:
            trainer_id (int): this trainer's number; a server may say any.
            program (Program): one that trains, or servers have nothing to do; None: the default one.
            pservers (str): the servers' endpoints, with commas.
            trainers (int|str): how many trainers; without servers, their endpoints.
            sync_mode (bool): trainers wait for each other in every step.
            startup_program (Program): None: the default one.
            current_endpoint (str): this process's, without servers.
        Raises:
            AttributeError: the servers' endpoints are no text, or a Program is none.
            TypeError: a number is none.
            ValueError: an endpoint twice or without a port, or no trainers.
        """
        main = default_main_program() if program is None else program
        startup = default_startup_program() if startup_program is None else startup_program
        for name, given in (("program", main), ("startup_program", startup)):
            if not isinstance(given, Program):
                raise AttributeError(_wrong(name, "a Program", given))
        self.trainer_id, self.sync_mode = trainer_id, sync_mode
        self.origin_program, self.startup_program = main, startup
        if self.config.mode in ("nccl2", "collective"):
            self._write_without_servers(trainer_id, trainers, current_endpoint)
            return
        if not isinstance(pservers, str):
            raise AttributeError(_wrong("pservers", "endpoints with commas, as a text", pservers))
        endpoints = pservers.split(",")
        self._check(trainer_id, trainers, endpoints)
        self.trainer_num, self.pserver_endpoints = trainers, endpoints
        config, many = self.config, int(trainers)
        training, plan = self._planned(main)
        counts = not sync_mode and training.count_apart(startup, many)
        begins = list(startup.global_block().ops)
        summed = sync_mode or (config.completely_not_async and many > 1)
        cluster = Cluster(trainer_id, many, endpoints, sync_mode, config.runtime_split_send_recv, config.half_async, summed)
        self._server = Server(training, begins, plan, many, summed, config.enable_dc_asgd)
        self._writer = Trainer(training, startup, plan, cluster, counts)
        self._writer.write()
        main._servers = startup._servers = Servers(tuple(endpoints), many, trainer_id)
        self._tell(training, _files.kept(training, plan), current_endpoint)
        self.distributed_mode = self._mode
        self.__dict__.update(mappings(plan, training, endpoints, self._writer.ending))

    def _tell(self, training: Training, kept: Sequence[_files.Kept], own: str) -> None:
        """Let the Program, and copies of it, say what becomes of it."""
        main = self.origin_program
        self.vars_overview = overview(training, kept)
        self.has_distributed_lookup_table = bool(training.distributed)
        main._kept_by_servers, main._parameters_on_pservers = kept, self.vars_overview
        main._is_distributed, main._is_chief, main._ps_endpoint = True, self.trainer_id == 0, own
        main._distributed_lookup_table = self.table_name = next(iter(training.distributed), None)
        main._endpoints = list(self.pserver_endpoints)

    def _planned(self, main: Program) -> tuple[Training, _plan.Plan]:
        """What a Program trains, and which server keeps what."""
        training = Training(main)
        smallest = self.config.min_block_size if self.config.slice_var_up else None
        trained = [(param, grad, param.name in training.tables) for param, grad in training.pairs]
        deal = self._method(self.pserver_endpoints).dispatch
        return training, _plan.make(trained, self.pserver_endpoints, deal, smallest, main.random_seed)

    def _write_without_servers(self, trainer_id: int, trainers: Any, own: str) -> None:
        what = "of `DistributeTranspiler.transpile`"
        if not isinstance(trainers, str):
            raise ValueError(
                f"Invalid value for argument `trainers` {what} in mode {self.config.mode}. Expected the trainers' endpoints, with commas. "
                f"Received: {trainers!r}"
            )
        endpoints = trainers.split(",")
        if not 0 <= trainer_id < len(endpoints) or endpoints[trainer_id] != own:
            raise ValueError(
                f"Invalid value for arguments `trainer_id`, `current_endpoint` {what}. Expected one of {list(enumerate(endpoints))}. "
                f"Received: {(trainer_id, own)}"
            )
        programs = (self.origin_program, self.startup_program, self.config, trainer_id, endpoints)
        if self.config.mode == "nccl2":
            _without_servers.meet(*programs)
        else:
            _without_servers.join_in(*programs, own)

    def _check(self, trainer_id: int, trainers: Any, endpoints: Sequence[str]) -> None:
        if len(set(endpoints)) != len(endpoints):
            raise ValueError(_wrong("pservers", "different endpoints", ",".join(endpoints)))
        if not all(endpoint.rpartition(":")[2].isdigit() for endpoint in endpoints):
            raise ValueError(_wrong("pservers", "endpoints as host:port, with commas", ",".join(endpoints)))
        if not isinstance(trainers, int):
            raise type_error("trainers", "a number", trainers, "DistributeTranspiler.transpile")
        if trainers < 1:
            raise ValueError(_wrong("trainers", "a number of 1 or more", trainers))
        if not isinstance(trainer_id, int):
            raise TypeError(_wrong("trainer_id", "a number", trainer_id))

    def _ready(self, api: str, endpoint: str | None = None) -> Trainer:
        if self._writer is None:
            raise AttributeError(f"`DistributeTranspiler.{api}` needs a Program. Call `transpile` first.")
        if api != "get_trainer_program" and endpoint not in self.pserver_endpoints:
            raise KeyError(_wrong("endpoint", f"one of {self.pserver_endpoints}", endpoint, f".{api}"))
        return self._writer

    def get_trainer_program(self, wait_port: bool = True) -> Program:
        """The Program that a trainer runs: that which was given, without updates.

        Args:
            wait_port (bool): kept; trainers wait for servers where they meet them.
        Returns:
            Program.
        Raises:
            AttributeError: nothing was transpiled.
            ValueError: the trainer's number lies beyond the others'.
        """
        if self.config.mode != "pserver" and self._writer is None and hasattr(self, "origin_program"):
            return self.origin_program
        writer = self._ready("get_trainer_program")
        if not 0 <= self.trainer_id < int(self.trainer_num):  # which a server may have been told
            raise ValueError(_wrong("trainer_id", f"one below {self.trainer_num}", self.trainer_id))
        writer.finish()
        return writer.main

    @property
    def _mode(self) -> int:
        config = self.config
        if config.sync_mode or config.completely_not_async:
            return DistributedMode.SYNC
        return DistributedMode.ASYNC if config.runtime_split_send_recv else DistributedMode.HALF_ASYNC

    def get_pserver_program(self, endpoint: str) -> Program:
        """The Program that a server runs: it serves until all trainers have left.

        Args:
            endpoint (str): the server's.
        Returns:
            Program.
        Raises:
            AttributeError: nothing was transpiled.
            KeyError: the endpoint is no server's.
        """
        self._ready("get_pserver_program", endpoint)
        program = self._server.main(endpoint, self.pserver_endpoints.index(endpoint), self._mode)
        program._endpoints = list(self.pserver_endpoints)
        for kind in ("get", "send", "prefetch"):
            program.global_block().ops[-1]._set_attr(f"rpc_{kind}_thread_num", getattr(self.server_config, f"_rpc_{kind}_thread_num"))
        return program

    def get_pserver_programs(self, endpoint: str) -> tuple[Program, Program]:
        """A server's Program, and its startup Program.

        Args:
            endpoint (str): the server's.
        Returns:
            tuple of two Programs.
        Raises:
            AttributeError: nothing was transpiled.
            KeyError: the endpoint is no server's.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> main, start = fluid.Program(), fluid.Program()
            >>> with fluid.program_guard(main, start):
            ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1))
            ...     _ = fluid.optimizer.SGD(0.1).minimize(loss)
            >>> t = fluid.DistributeTranspiler()
            >>> t.transpile(0, program=main, pservers="127.0.0.1:6174", trainers=2, startup_program=start)
            >>> serve, begin = t.get_pserver_programs("127.0.0.1:6174")
            >>> serve.num_blocks, [op.type for op in begin.global_block().ops]
            (3, ['fill_constant', 'fill_constant', 'uniform_random'])
        """
        main = self.get_pserver_program(endpoint)
        return main, self._server.startup(main, endpoint)

    def get_startup_program(self, endpoint: str, pserver_program: Program | None = None, startup_program: Program | None = None) -> Program:
        """A server's startup Program.

        Args:
            endpoint (str): the server's.
            pserver_program (Program): kept; what it holds follows from the endpoint.
            startup_program (Program): kept, as above.
        Returns:
            Program.
        Raises:
            AttributeError: nothing was transpiled, or the server's Program is none.
            KeyError: the endpoint is no server's.

        Example:
            >>> import paddle_compat.fluid as fluid
            >>> main, start = fluid.Program(), fluid.Program()
            >>> with fluid.program_guard(main, start):
            ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1))
            ...     _ = fluid.optimizer.SGD(0.1).minimize(loss)
            >>> t = fluid.DistributeTranspiler()
            >>> t.transpile(0, program=main, pservers="127.0.0.1:6174", trainers=2, startup_program=start)
            >>> begin = t.get_startup_program("127.0.0.1:6174", t.get_pserver_program("127.0.0.1:6174"))
            >>> [op.output("Out")[0][-3:] for op in begin.global_block().ops]
            ['e_0', 'b_0', 'w_0']
        """
        self._ready("get_startup_program", endpoint)
        main = self.get_pserver_program(endpoint) if pserver_program is None else pserver_program
        if not isinstance(main, Program):
            raise AttributeError(_wrong("pserver_program", "a Program", main, ".get_startup_program"))
        return self._server.startup(main, endpoint)


__all__ = [
    "DistributeTranspiler", "DistributeTranspilerConfig", "DistributedMode", "ServerRuntimeConfig", "VarBlock", "same_or_split_var",
    "slice_variable",
]  # fmt: skip
__getattr__ = missing(__name__)
