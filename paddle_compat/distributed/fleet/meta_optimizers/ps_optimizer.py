"""Training with parameter servers, asked for by `strategy.a_sync` and its `a_sync_configs`."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.clone import copy_program
from paddle_compat.core.errors import UnsupportedError
from paddle_compat.core.job import Servers
from paddle_compat.core.program import Program, default_startup_program, switch_main_program, switch_startup_program
from paddle_compat.distributed.fleet.meta_optimizers.meta_optimizer_base import MetaOptimizerBase
from paddle_compat.distributed.ps.the_one_ps import TheOnePSRuntime

_ELSEWHERE = ("use_ps_gpu",)  # of a_sync_configs: what needs other machinery than ours


class ParameterServerOptimizer(MetaOptimizerBase):
    """Updates are done by servers: a worker sends gradients and fetches parameters, and a server gets Programs of its own.

    Args:
        optimizer: the user's.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> paddle.enable_static()
        >>> role = fleet.UserDefinedRoleMaker(
        ...     is_collective=False, current_id=0, role=fleet.Role.WORKER, worker_num=2, server_endpoints=["127.0.0.1:36001"])
        >>> _ = fleet.init(role)
        >>> strategy = fleet.DistributedStrategy()
        >>> strategy.a_sync = True
        >>> main, startup = paddle.static.Program(), paddle.static.Program()
        >>> with paddle.static.program_guard(main, startup):
        ...     loss = paddle.mean(paddle.static.nn.fc(paddle.static.data("x", [None, 4]), 1))
        ...     _ = fleet.distributed_optimizer(paddle.optimizer.SGD(0.1), strategy).minimize(loss)
        ...     trained = paddle.static.default_main_program()
        >>> [op.type for op in trained.global_block().ops][-2:], [op.type for op in main.global_block().ops][-2:]
        (['mul_grad', 'send'], ['sgd', 'sgd'])
        >>> paddle.disable_static()

    Follows Paddle 2.6.
    """

    switch = "a_sync"

    def _can_apply(self) -> bool:
        """Whether there are servers, and the strategy says how to train with them: `a_sync` was set."""
        role, configs = self.role_maker, self.user_defined_strategy.a_sync_configs
        if role._is_collective or role._is_non_distributed():
            return False
        for name in _ELSEWHERE:
            if configs[name]:
                raise UnsupportedError("fleet.DistributedStrategy.a_sync_configs", f"{name}={configs[name]}", f"{name}=0")
        return bool(configs["k_steps"] >= 0 or self.user_defined_strategy.auto)

    def minimize_impl(
        self, loss: Any, startup_program: Program | None = None, parameter_list: Any = None, no_grad_set: Iterable[Any] | None = None
    ) -> tuple[Any, list[Any]]:
        """Append all that minimises a loss, and make a worker's or a server's Programs the default ones; the user's stay as they are."""
        strategy, role = self.user_defined_strategy, self.role_maker
        idle = [name for name in _LEFT_OUT if strategy.strategy.given().get(name) is True]
        if idle:
            warnings.warn(f"`fleet.DistributedStrategy` {', '.join(idle)}: without effect in a job with servers.", stacklevel=4)
        startup = default_startup_program() if startup_program is None else startup_program
        found = self.inner_opt.minimize(loss, startup_program, parameter_list, no_grad_set)
        worker = role._worker_index() if role._is_worker() else 0
        servers = Servers(tuple(role._get_pserver_endpoints()), role._worker_num(), worker)
        self.runtime = TheOnePSRuntime()
        number = None if role._is_worker() else role._server_index()
        main, startup = copy_program(loss.block.program), copy_program(startup)
        self.runtime._write(main, startup, servers, number, strategy)
        loss.block = main.global_block()
        switch_main_program(main)
        switch_startup_program(startup)
        return found[0], found[1]


_LEFT_OUT = (
    "amp", "recompute", "gradient_merge", "lars", "lamb", "localsgd", "adaptive_localsgd", "dgc", "fp16_allreduce", "sync_batch_norm",
)  # fmt: skip

__all__ = ["ParameterServerOptimizer"]

__getattr__ = missing(__name__)
