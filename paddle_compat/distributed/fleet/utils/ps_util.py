"""`paddle.distributed.fleet.utils.ps_util`: a trained model with tables on servers, for inference in a job."""

from __future__ import annotations

import os
import warnings
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.program import Program, default_main_program, default_startup_program
from paddle_compat.distributed.fleet.base.distributed_strategy import DistributedStrategy


class DistributedInfer:
    """Has workers infer with a model whose tables are on servers.

    Args:
        main_program (Program|None): of the model, before `minimize`; None for the default one. It stays as it is.
        startup_program (Program|None): its startup Program; None for the default one.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> role = fleet.UserDefinedRoleMaker(
        ...     is_collective=False, current_id=0, role=fleet.Role.WORKER, worker_num=1, server_endpoints=["127.0.0.1:36001"])
        >>> _ = fleet.init(role)
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.a_sync = True
        >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
        ...     ids = paddle.static.data("ids", [None, 1], "int64")
        ...     loss = paddle.mean(paddle.static.nn.embedding(ids, [50, 4], is_sparse=True))
        ...     infers = fleet.utils.DistributedInfer()
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1), strategy).minimize(loss)
        >>> [op.type for op in infers.get_dist_infer_program().global_block().ops]
        ['distributed_lookup_table', 'reduce_mean']
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    def __init__(self, main_program: Program | None = None, startup_program: Program | None = None) -> None:
        self.origin_main_program = (main_program or default_main_program()).clone()
        self.origin_startup_program = startup_program or default_startup_program()
        self.sparse_table_maps: dict[str, int] | None = None

    def init_distributed_infer_env(self, exe: Any, loss: Any, role_maker: Any = None, dirname: str | None = None) -> None:
        """Begin a job that only infers: servers serve until all workers have stopped. Nothing to do in a job that trains already.

        Args:
            exe (Executor): of a worker.
            loss (Tensor): any that all tables count for.
            role_maker (RoleMakerBase|None): as `fleet.init` takes it.
            dirname (str|None): what `fleet.save_persistables` wrote; None: parameters begin as the startup Program says.
        Raises:
            NotFoundError: there is no such folder.
            RuntimeError: a file is missing, or holds another shape.

        Example:
            >>> import os
            >>> import paddle_compat as paddle
            >>> from paddle_compat.distributed import fleet
            >>> paddle.enable_static()
            >>> os.environ["TEST_MODE"] = "1"  # tried without servers
            >>> role = fleet.UserDefinedRoleMaker(
            ...     is_collective=False, current_id=0, role=fleet.Role.WORKER, worker_num=1, server_endpoints=["127.0.0.1:36001"])
            >>> fleet.fleet._runtime_handle = None
            >>> with paddle.static.program_guard(paddle.static.Program(), paddle.static.Program()):
            ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1))
            ...     infers = fleet.utils.DistributedInfer()
            ...     infers.init_distributed_infer_env(paddle.static.Executor(paddle.CPUPlace()), loss, role)
            >>> len(infers.get_dist_infer_program().global_block().ops)
            3
            >>> del os.environ["TEST_MODE"]
            >>> paddle.disable_static()
        """
        from paddle_compat.distributed import fleet
        from paddle_compat.optimizer import SGD

        if fleet.fleet._runtime_handle is not None:
            return
        fleet.init(role_maker)
        strategy = DistributedStrategy()
        strategy.a_sync = True
        fleet.distributed_optimizer(SGD(), strategy).minimize(loss, startup_program=self.origin_startup_program)
        if fleet.is_server():
            fleet.init_server(dirname=dirname)
            fleet.run_server()
        else:
            exe.run(default_startup_program())
            fleet.init_worker()
            self._load_what_is_not_served(exe, dirname)

    def get_dist_infer_program(self) -> Program:
        """The model's Program with look-ups that ask servers.

        Returns:
            Program: the same one in each call.
        Raises:
            ValueError: nothing was minimized with servers.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.enable_static()
            >>> paddle.distributed.fleet.fleet._runtime_handle = None
            >>> try:
            ...     paddle.distributed.fleet.utils.DistributedInfer().get_dist_infer_program()
            ... except ValueError as error:
            ...     print(str(error)[:44])
            Nobody said which servers have the tables. E
            >>> paddle.disable_static()
        """
        from paddle_compat.distributed.fleet import fleet

        if fleet._runtime_handle is None:
            raise ValueError(
                "Nobody said which servers have the tables. Expected DistributedInfer.init_distributed_infer_env(), or minimize() of a "
                "job with servers, before get_dist_infer_program(). Received: neither"
            )
        warnings.warn("lookup_table will be forced to test mode when use DistributedInfer", stacklevel=2)
        fleet._runtime_handle._let_ask(self.origin_main_program)
        return self.origin_main_program

    def _get_sparse_table_map(self) -> dict[str, int]:
        """Numbers of tables by name."""
        from paddle_compat.distributed.fleet import fleet

        if self.sparse_table_maps is None:
            self.sparse_table_maps = fleet._runtime_handle._tables()
        return self.sparse_table_maps

    def _load_what_is_not_served(self, exe: Any, dirname: str | None) -> None:
        """Read what no optimizer updates (means of batch norms) from files, where there are such."""
        from paddle_compat.static.io import is_persistable, load_vars

        if dirname is None:
            return
        tables = self._get_sparse_table_map()
        kept = [var for var in self.origin_main_program.list_vars() if is_persistable(var) and var.name not in tables]
        there = [var for var in kept if os.path.isfile(os.path.join(dirname, var.name))]
        load_vars(exe, dirname, main_program=self.origin_main_program, vars=there)


__all__: list[str] = []

__getattr__ = missing(__name__)
