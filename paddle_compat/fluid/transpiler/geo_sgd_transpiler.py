"""`fluid.transpiler.geo_sgd_transpiler`: trainers update on their own, and tell servers how far they came."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.dtype import VarType
from paddle_compat.core.job import Servers
from paddle_compat.core.program import Program, default_main_program, default_startup_program
from paddle_compat.distributed.ps import _files, _plan
from paddle_compat.distributed.ps._server import GeoServer
from paddle_compat.distributed.ps._training import LOOKUPS
from paddle_compat.fluid.transpiler._trainer import Cluster, Trainer, control
from paddle_compat.fluid.transpiler.distribute_transpiler import DistributeTranspiler


class GeoSgdTranspiler(DistributeTranspiler):
    """Rewrites a training Program for Geo-SGD: every so many steps a trainer sends what its parameters gained and fetches the sum.

    Args:
        config (DistributeTranspilerConfig): None: the defaults. `geo_sgd_need_push_nums` says how many steps.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> from paddle_compat.fluid.transpiler.geo_sgd_transpiler import GeoSgdTranspiler
        >>> main, start = fluid.Program(), fluid.Program()
        >>> with fluid.program_guard(main, start):
        ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 2]), 1))
        ...     _ = fluid.optimizer.SGD(0.1).minimize(loss)
        >>> t = GeoSgdTranspiler()
        >>> t.transpile(0, program=main, pservers="127.0.0.1:6174", trainers=2, startup_program=start)
        >>> [op.type for op in t.get_trainer_program().global_block().ops][-3:]
        ['sgd', 'sgd', 'send']
        >>> serve, begin = t.get_pserver_programs("127.0.0.1:6174")
        >>> [[op.type for op in block.ops] for block in serve.blocks]
        [['listen_and_serv'], ['sum'], ['sum']]

    Follows Paddle 1.8.
    """

    def transpile(
        self,
        trainer_id: int,
        program: Program | None = None,
        pservers: str = "127.0.0.1:6174",
        trainers: int | str = 1,
        sync_mode: bool = False,
        startup_program: Program | None = None,
        current_endpoint: str = "127.0.0.1:6174",
    ) -> None:
        """Rewrite a Program and its startup Program, in place.

        Args:
            trainer_id (int): this trainer's number; a server may say any.
            program (Program): one that trains; None: the default one.
            pservers (str): the servers' endpoints, with commas.
            trainers (int): how many trainers.
            sync_mode (bool): kept; trainers never wait for each other.
            startup_program (Program): None: the default one.
            current_endpoint (str): kept; this process's.
        Raises:
            ValueError: an endpoint twice or without a port, or no trainers.
        """
        main = default_main_program() if program is None else program
        startup = default_startup_program() if startup_program is None else startup_program
        self.trainer_id, self.sync_mode = trainer_id, False
        self.origin_program, self.startup_program = main, startup
        self._check(trainer_id, trainers, pservers.split(","))
        self.trainer_num, self.pserver_endpoints = trainers, pservers.split(",")
        training, plan = self._planned(main)
        training.distributed.clear()  # trainers hold whole tables
        begins = list(startup.global_block().ops)
        writer = Trainer(training, startup, plan, Cluster(trainer_id, int(trainers), self.pserver_endpoints, False))
        self._server = GeoServer(training, begins, plan, int(trainers), False)
        writer.begin(self._write(main, plan))
        self._announce(startup, plan)
        self._writer, self._plan = writer, plan
        self.vars_info = self._get_vars_info()
        main._servers = startup._servers = Servers(tuple(self.pserver_endpoints), int(trainers), trainer_id)
        self._tell(training, _files.kept(training, plan, updates=False), current_endpoint)

    def _get_vars_info(self) -> dict[str, dict[str, list[str]]]:
        """Where parameters are, as the communicator is told it (`push_vars`)."""
        found = {}
        for placed in self._plan.placed:
            parts = {"var_names": [part.param for part in placed.parts], "sections": [str(part.rows) for part in placed.parts]}
            found[placed.param.name] = {**parts, "epmap": placed.endpoints, "is_sparse": [str(placed.remote)]}
        return found

    def _write(self, main: Program, plan: _plan.Plan) -> set[str]:
        """Tell the communicator which rows a step touches. Returns the tables that trainers begin with as with other parameters."""
        block = main.global_block()
        for placed in plan.placed:
            kind = {"dtype": placed.param.dtype, "type": VarType.SELECTED_ROWS if placed.remote else VarType.LOD_TENSOR}
            block.create_var(name=f"{placed.param.name}.delta", shape=placed.param.shape, **kind)
            for part in placed.parts if placed.sliced else ():
                block.create_var(name=part.param, shape=part.shape, dtype=placed.param.dtype)
                block.create_var(name=f"{part.param}.delta", shape=part.shape, **kind)
        tables = {placed.param.name for placed in plan.placed if placed.remote}
        readers = [op for op in block.ops if op.type in LOOKUPS and op.input("W")[0] in tables]
        newer = {op.input("W")[0] for op in readers if op.type == "lookup_table_v2"}
        for op in readers:  # trainers hold whole tables
            if op.type == "lookup_table":  # the newer one reads what it holds where it knows no servers
                op._set_attr("remote_prefetch", False)
        ids, names = [op.input("Ids")[0] for op in readers], [op.input("W")[0] for op in readers]
        block.append_op("send", {"X": ids}, {"Out": [control(block)]}, {"send_varnames": names, "op_role": 0})
        return newer

    def _announce(self, startup: Program, plan: _plan.Plan) -> None:
        """Tell the communicator when the parameters have their first values."""
        block = startup.global_block()
        for placed in plan.placed:
            kind = VarType.SELECTED_ROWS if placed.remote else VarType.LOD_TENSOR
            block.create_var(name=f"{placed.param.name}.delta", shape=placed.param.shape, dtype=placed.param.dtype, type=kind)
        ready: Any = block.create_var(name="param_init", dtype="bool")
        block.append_op("send", {"X": [ready]}, {"Out": [control(block)]}, {"send_varnames": ["param_init"], "op_role": 0})

    def get_trainer_program(self, wait_port: bool = True) -> Program:
        """The Program that a trainer runs: that which was given, updates and all.

        Args:
            wait_port (bool): kept; trainers wait for servers where they meet them.
        Returns:
            Program.
        Raises:
            AttributeError: nothing was transpiled.
        """
        return self._ready("get_trainer_program").main

    _mode = 3


__all__ = ["GeoSgdTranspiler"]
__getattr__ = missing(__name__)
