"""The optimizer of a model that processes share out in several ways, and its clip by the norm of the whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.rings import ring_of
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed import communication
from paddle_compat.distributed._modes import ParallelMode
from paddle_compat.distributed.fleet.meta_optimizers._steps import Steps
from paddle_compat.distributed.fleet.meta_optimizers.dygraph_optimizer.dygraph_sharding_optimizer import (
    DygraphShardingOptimizer,
    DygraphShardingOptimizerV2,
)
from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import fused_allreduce_gradients, gradient
from paddle_compat.nn.clip import ClipGradBase, ClipGradByGlobalNorm
from paddle_compat.optimizer.optimizer import _all

__all__ = ["HybridParallelClipGrad", "HybridParallelOptimizer"]

Pair = tuple[Any, Any]


class HybridParallelClipGrad(ClipGradBase):
    """A clip by the global norm of all gradients, of which each process has some.

    Args:
        clip (ClipGradByGlobalNorm): the bound.
        hcg (HybridCommunicateGroup): says who has what.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.meta_optimizers.dygraph_optimizer import HybridParallelClipGrad
        >>> _ = fleet.init(is_collective=True)
        >>> clip = HybridParallelClipGrad(paddle.nn.ClipGradByGlobalNorm(1.0), fleet.get_hybrid_communicate_group())
        >>> weight = paddle.create_parameter([2], "float32")
        >>> [round(x, 3) for x in clip([(weight, paddle.to_tensor([3.0, 4.0]))])[0][1].tolist()]
        [0.6, 0.8]

    Follows Paddle 2.6.
    """

    def __init__(self, clip: Any, hcg: Any) -> None:
        self._clip, self._hcg = clip, hcg

    def __getattr__(self, name: str) -> Any:
        if name == "_clip":  # while it is copied or unpickled
            raise AttributeError(name)
        return getattr(self._clip, name)

    def __str__(self) -> str:
        return str(self._clip)

    @torch.no_grad()
    def _dygraph_clip(self, params_grads: list[Pair]) -> list[Pair]:
        pairs = [(p, g) for p, g in params_grads if g is not None]
        taken = [(p, g) for p, g in pairs if getattr(p, "need_clip", True)]
        norm = self._norm([(p, g._t) for p, g in taken if getattr(p, "is_firstly_shared", True)])
        bound = float(self._clip.clip_norm)
        scale = bound / (norm.clamp(min=bound) + 1e-6)
        clips = {id(p) for p, _ in taken}
        return [(p, Tensor(g._t * scale.to(g._t.dtype)) if id(p) in clips else g) for p, g in pairs]

    def _norm(self, pairs: list[tuple[Any, torch.Tensor]]) -> torch.Tensor:
        """The norm of what all processes have; each of them calls this, whether it has anything or not."""
        from paddle_compat.core.place import run_device

        device = pairs[0][1].device if pairs else run_device()
        squares = torch.zeros(2, dtype=torch.float32, device=device)  # of what the model axis shares out, and of the rest
        for parameter, grad in pairs:
            value = grad.coalesce().values() if grad.is_sparse else grad
            squares[0 if getattr(parameter, "is_distributed", False) else 1] += value.float().square().sum()
        squares[:1] = _summed(squares[:1], self._hcg.get_model_parallel_group())
        total = squares.sum().reshape(1)
        for group in (self._hcg.get_sharding_parallel_group(), self._hcg.get_pipe_parallel_group()):
            total = _summed(total, group)
        return total.sqrt()

    def _static_clip(self, params_grads: list[Pair]) -> list[Pair]:
        raise RuntimeError("HybridParallelClipGrad clips in eager mode. Expected eager mode. Received: static mode")


def _summed(value: torch.Tensor, group: Any) -> torch.Tensor:
    return value if group.nranks < 2 else ring_of(group.id).all_reduce([value])[0]


class HybridParallelOptimizer(Steps):
    """An optimizer of a model that processes share out; `fleet.distributed_optimizer` makes it.

    A step begins by gathering what belongs together: gradients become the means over the data axis, and go to the processes whose
    the parameters are along the sharding axis. A clip by the global norm sees the norm of the whole model.

    Args:
        optimizer (Optimizer): what makes the steps.
        hcg (HybridCommunicateGroup): the groups.
        strategy (DistributedStrategy): its `hybrid_configs` say how parameters are held together along the model axis.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.meta_optimizers.dygraph_optimizer import HybridParallelOptimizer
        >>> strategy = fleet.DistributedStrategy()
        >>> _ = fleet.init(is_collective=True, strategy=strategy)
        >>> layer = paddle.nn.Linear(4, 2)
        >>> sgd = paddle.optimizer.SGD(0.5, parameters=layer.parameters())
        >>> sgd = HybridParallelOptimizer(sgd, fleet.get_hybrid_communicate_group(), strategy)
        >>> loss = layer(paddle.ones([1, 4])).sum()
        >>> loss.backward(); sgd.step(); sgd.clear_grad(); layer.bias.tolist()
        [-0.5, -0.5]
        >>> sgd.minimize(loss)
        ([], [])
        >>> sgd.state_dict()
        {}

    Follows Paddle 2.6.
    """

    def __init__(self, optimizer: Any, hcg: Any, strategy: Any) -> None:
        shards = hcg.get_sharding_parallel_world_size() > 1
        splits = strategy.hybrid_configs["sharding_configs"].split_param
        sharding = DygraphShardingOptimizerV2 if splits else DygraphShardingOptimizer
        super().__init__(sharding(optimizer, hcg) if shards else optimizer)
        self._strategy, self._hcg, self._sharding_enable = strategy, hcg, shards
        self._use_dp_mode = hcg.get_parallel_mode() == ParallelMode.DATA_PARALLEL
        self._need_dp = hcg.get_data_parallel_world_size() > 1
        self._dp_enable, self._sep_enable = not self._use_dp_mode and self._need_dp, hcg.get_sep_parallel_world_size() > 1
        if not self._use_dp_mode:
            if isinstance(optimizer._grad_clip, ClipGradByGlobalNorm):
                optimizer._grad_clip = HybridParallelClipGrad(optimizer._grad_clip, hcg)
            for group in optimizer._param_groups or []:
                if isinstance(group, dict) and isinstance(group.get("grad_clip"), ClipGradByGlobalNorm):
                    group["grad_clip"] = HybridParallelClipGrad(group["grad_clip"], hcg)

    def _gather(self) -> None:
        """Let the gradients of the processes meet."""
        parameters = _all(self._inner_opt._parameter_list)
        if self._sharding_enable:
            self._inner_opt.reduce_gradients(parameters, self._hcg)
            parameters = self._inner_opt.filter_parameters(parameters, self._hcg)
        if self._dp_enable or self._sep_enable:
            fused_allreduce_gradients(parameters, self._hcg)

    @torch.no_grad()
    def _hold_together(self, which: Callable[[Any], list[Any]]) -> None:
        """Give the processes along the model axis the same values of what all of them have, which rounding may have driven apart."""
        group = self._hcg.get_model_parallel_group()
        kept = [parameter for parameter in _all(self._inner_opt._parameter_list) if self._held(parameter)]
        values = [value for parameter in kept for value in which(parameter)]
        mean = self._strategy.hybrid_configs["mp_configs"].sync_mode == "average"
        for value in values:
            if mean:
                communication.all_reduce(Tensor(value), group=group)
                value.div_(group.nranks)
            else:
                communication.broadcast(Tensor(value), group.ranks[0], group)

    def _held(self, parameter: Any) -> bool:
        names = self._strategy.sync_param_name
        return not (parameter.stop_gradient or getattr(parameter, "is_distributed", False)) and any(x in parameter.name for x in names)

    def step(self) -> None:
        """Update the parameters."""
        shares = self._hcg.get_model_parallel_world_size() > 1
        configs = self._strategy.hybrid_configs["mp_configs"]
        self._gather()
        if shares and configs.sync_grad:
            self._hold_together(lambda parameter: [grad for grad in [gradient(parameter)] if grad is not None])
        self._inner_opt.step()
        if shares and configs.sync_param:
            self._hold_together(lambda parameter: [parameter._t.detach()])
        if shares and configs.sync_moment:
            states = self._inner_opt.state_dict()
            self._hold_together(lambda parameter: [
                value._t for name, value in states.items() if isinstance(value, Tensor) and name.startswith(f"{parameter.name}_moment")
            ])  # fmt: skip


__getattr__ = missing(__name__)
