"""A model whose parameters, gradients and optimizer's states processes share out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.distributed import _groups
from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import begin_alike
from paddle_compat.distributed.sharding.group_sharded import _ShardedModel, _ShardedSteps, check_kept
from paddle_compat.optimizer.optimizer import _all

__all__ = ["GroupShardedStage3"]


class GroupShardedStage3(_ShardedModel):
    """A model whose parameters processes share out: each is whole in one of them, and comes to the others for the layers that use it.

    Args:
        layer (Layer): what is trained.
        optimizer (Optimizer): its optimizer, whose `step` from here on is that of all processes.
        group (Group|None): the processes; None: all of the job.
        sync_buffers (bool): whether buffers become those of the first process before each forward pass.
        device (str), pertrain_sync_models (bool), sync_comm (bool): kept, without effect.
        segment_size (int): parameters of so many elements or fewer stay in all processes.
        offload (bool): whether a GPU's states are kept in the machine's memory, which is not there.
        dp_group (Group|None): the processes that have the same part in other such groups.
        exclude_layer (list|None): names of classes and ids of layers whose own parameters stay, too.
    Raises:
        UnsupportedError: offload of a GPU's.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.meta_parallel.sharding.group_sharded_stage3 import GroupShardedStage3
        >>> if paddle.distributed.is_initialized():  # in each process of a job of two, after init_parallel_env()
        ...     net = paddle.nn.Linear(4, 1)
        ...     adam = paddle.optimizer.Adam(parameters=net.parameters())
        ...     model = GroupShardedStage3(net, adam)
        ...     model(paddle.ones([2, 4])).sum().backward(); adam.step(); adam.clear_grad()

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        layer: Any,
        optimizer: Any,
        group: Any = None,
        sync_buffers: bool = False,
        device: str = "gpu",
        segment_size: int = 2**20,
        pertrain_sync_models: bool = True,
        offload: bool = False,
        sync_comm: bool = False,
        dp_group: Any = None,
        exclude_layer: Sequence[Any] | None = None,
    ) -> None:
        check_kept("GroupShardedStage3", offload, _all(optimizer._parameter_list))
        others = dp_group if dp_group is not None and dp_group.nranks > 1 else None
        steps = _ShardedSteps(optimizer, _groups.global_group() if group is None else group, others)
        super().__init__(layer, group, sync_buffers, 2**23, steps)
        if others is not None:
            begin_alike(layer, others)
        self._optim = optimizer
        optimizer.step, optimizer._agreed_by = steps.step, steps._agreed_by
        self._share_parameters(segment_size, exclude_layer)


__getattr__ = missing(__name__)
