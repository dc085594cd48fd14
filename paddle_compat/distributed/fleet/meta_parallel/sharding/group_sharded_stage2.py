"""A model whose gradients, and its optimizer's states, processes share out."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import begin_alike
from paddle_compat.distributed.sharding.group_sharded import _ShardedModel, _ShardedSteps

__all__ = ["GroupShardedStage2"]


class GroupShardedStage2(_ShardedModel):
    """A model whose gradients processes share out: each keeps the means of those that its optimizer updates.

    Args:
        layer (Layer): what is trained.
        sharding_optimizer (GroupShardedOptimizerStage2|list): its optimizer; where there are several, gradients stay whole.
        group (Group|None): the processes; None: all of the job.
        sync_buffers (bool): whether buffers become those of the first process before each forward pass.
        buffer_max_size (int): how many bytes of gradients travel together.
        auto_refresh_trainable (bool), device (str): kept, without effect.
        dp_group (Group|None): the processes that have the same part in other such groups.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.sharding.group_sharded_stage2 import GroupShardedStage2
        >>> from paddle_compat.distributed.fleet.meta_parallel.sharding.group_sharded_optimizer_stage2 import GroupShardedOptimizerStage2
        >>> if paddle.distributed.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     net = paddle.nn.Linear(4, 1)
        ...     adam = GroupShardedOptimizerStage2(net.parameters(), paddle.optimizer.Adam(parameters=net.parameters()))
        ...     model = GroupShardedStage2(net, adam)
        ...     model(paddle.ones([2, 4])).sum().backward(); adam.step(); adam.clear_grad()
        ...     len(model.get_all_parameters())

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        layer: Any,
        sharding_optimizer: Any,
        group: Any = None,
        sync_buffers: bool = False,
        buffer_max_size: int = 2**23,
        auto_refresh_trainable: bool = True,
        device: str = "gpu",
        dp_group: Any = None,
    ) -> None:
        given = sharding_optimizer if isinstance(sharding_optimizer, (list, tuple)) else [sharding_optimizer]
        shares = len(given) == 1 and isinstance(given[0], _ShardedSteps)
        super().__init__(layer, group, sync_buffers, buffer_max_size, given[0] if shares else None)
        if dp_group is not None and dp_group.nranks > 1:
            begin_alike(layer, dp_group)

    def _set_reduce_overlap(self, reduce_overlap: bool) -> None:
        """Kept: gradients travel while a backward pass goes on, in any case."""


__getattr__ = missing(__name__)
