"""An optimizer whose states the processes of a group share out."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.distributed import _groups
from paddle_compat.distributed.sharding.group_sharded import _ShardedSteps, check_kept

__all__ = ["GroupShardedOptimizerStage2"]


class GroupShardedOptimizerStage2(_ShardedSteps):
    """An optimizer whose states the processes of a group share out; a `GroupShardedStage2` around the model averages the gradients.

    Args:
        params (list): the parameters.
        optim (Optimizer): makes the steps.
        group (Group|None): the processes; None: all of the job.
        offload (bool): whether a GPU's states are kept in the machine's memory, which is not there.
        device (str), pertrain_sync_models (bool), kw: kept, without effect.
        dp_group (Group|None): the processes that have the same part in other such groups.
    Raises:
        UnsupportedError: offload of a GPU's.
        RuntimeError: the processes have not met.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.sharding.group_sharded_optimizer_stage2 import GroupShardedOptimizerStage2
        >>> if paddle.distributed.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     net = paddle.nn.Linear(4, 1)
        ...     adam = paddle.optimizer.Adam(parameters=net.parameters())
        ...     adam = GroupShardedOptimizerStage2(net.parameters(), adam)
        ...     net(paddle.ones([2, 4])).sum().backward(); adam.step()

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        params: Any,
        optim: Any,
        group: Any = None,
        offload: bool = False,
        device: str = "gpu",
        pertrain_sync_models: bool = True,
        dp_group: Any = None,
        **kw: Any,
    ) -> None:
        check_kept("GroupShardedOptimizerStage2", offload, params)
        others = dp_group if dp_group is not None and dp_group.nranks > 1 else None
        super().__init__(optim, _groups.global_group() if group is None else group, others)

    def _set_reduce_overlap(self, reduce_overlap: bool) -> None:
        """Kept: gradients travel while a backward pass goes on, in any case."""

    def _set_broadcast_overlap(self, broadcast_overlap: bool, layers: Any = None, num_groups: int | None = None) -> None:
        """Kept: parameters have come when a step ends."""


__getattr__ = missing(__name__)
