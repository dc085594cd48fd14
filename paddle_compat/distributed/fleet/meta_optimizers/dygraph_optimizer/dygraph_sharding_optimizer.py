"""An optimizer whose states the processes along the sharding axis share out: each updates some of the parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed import communication
from paddle_compat.distributed.fleet.meta_optimizers._steps import Steps
from paddle_compat.distributed.fleet.meta_optimizers.dygraph_optimizer._slices import Slices
from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import gradient
from paddle_compat.distributed.fleet.utils.mix_precision_utils import forget

__all__ = ["DygraphShardingOptimizer", "DygraphShardingOptimizerV2"]


class DygraphShardingOptimizer(Steps):
    """An optimizer whose states the processes along the sharding axis share out.

    Each process has the whole model and data of its own. The mean of a gradient goes to the process whose the parameter is, which
    updates it and sends it to the others; its state is nowhere else.

    Args:
        optimizer (Optimizer): what makes the steps; from here on it knows this process's parameters only.
        hcg (HybridCommunicateGroup): the groups.
    Raises:
        TypeError: the optimizer has groups of parameters.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.meta_optimizers.dygraph_optimizer import DygraphShardingOptimizer
        >>> _ = fleet.init(is_collective=True)
        >>> layer, groups = paddle.nn.Linear(4, 2), fleet.get_hybrid_communicate_group()
        >>> sgd = DygraphShardingOptimizer(paddle.optimizer.SGD(0.5, parameters=layer.parameters()), groups)
        >>> layer(paddle.ones([1, 4])).sum().backward()
        >>> sgd.reduce_gradients(layer.parameters(), groups)
        >>> [p.name for p in sgd.filter_parameters(layer.parameters(), groups)] == [p.name for p in layer.parameters()]
        True
        >>> sgd.step(); sgd.clear_grad(); layer.bias.tolist()
        [-0.5, -0.5]
        >>> sgd.set_state_dict(sgd.state_dict()); sgd.set_dict(sgd.state_dict())
        >>> _ = sgd.minimize(layer(paddle.ones([1, 4])).sum())

    Follows Paddle 2.6.
    """

    def __init__(self, optimizer: Any, hcg: Any) -> None:
        super().__init__(optimizer)
        listed = optimizer._parameter_list or []
        if not listed or isinstance(listed[0], dict):
            expected = "an optimizer whose parameters are a list of Tensors"
            raise TypeError(f"Do not support param_groups now. Expected {expected}. Received: {'groups' if listed else 'none'}")
        self._hcg, self._parameter_list = hcg, list(listed)
        self._sharding_world_size, self._sharding_rank = hcg.get_sharding_parallel_world_size(), hcg.get_sharding_parallel_rank()
        self._rank2params = _shared_out(self._parameter_list, self._sharding_world_size, self._sorts())
        self._param2rank = {parameter.name: rank for rank, own in self._rank2params.items() for parameter in own}
        own = self._rank2params[self._sharding_rank]
        optimizer._parameter_list = optimizer._param_groups = own

    def _sorts(self) -> bool:
        """Whether the largest parameters are given away first; as in Paddle, not where they are to lie in one buffer."""
        from paddle_compat.distributed import fleet

        strategy = fleet._fleet.fleet._user_defined_strategy
        return not strategy.hybrid_configs["sharding_configs"].tensor_fusion

    def _group(self) -> Any:
        return self._hcg.get_sharding_parallel_group()

    def filter_parameters(self, parameter_list: Sequence[Any], hcg: Any) -> list[Any]:
        """The parameters of a list that are this process's.

        Args:
            parameter_list (list): parameters.
            hcg (HybridCommunicateGroup): the groups.
        Returns:
            list: some of them.
        """
        return [parameter for parameter in parameter_list if self._param2rank[parameter.name] == self._sharding_rank]

    @torch.no_grad()
    def reduce_gradients(self, parameter_list: Sequence[Any], hcg: Any) -> None:
        """Make the gradient of each parameter the mean of all processes', where the parameter is; elsewhere it is of no use.

        Args:
            parameter_list (list): parameters; those without a gradient are passed over, on all processes alike.
            hcg (HybridCommunicateGroup): the groups.
        """
        group = self._group()
        if group.nranks == 1:
            return
        for rank, owner in enumerate(group.ranks):
            found = [gradient(parameter) for parameter in parameter_list if self._param2rank[parameter.name] == rank]
            for row, grads in _rows([grad for grad in found if grad is not None]):
                row.div_(group.nranks)
                communication.reduce(Tensor(row), owner, group=group)
                _put(row, grads)

    @torch.no_grad()
    def _sharding_sync_parameters(self) -> None:
        """Send each process's parameters to the others, running statistics and frozen weights among them."""
        group = self._group()
        if group.nranks == 1:
            return
        for rank, owner in enumerate(group.ranks):
            for row, values in _rows([parameter._t.detach() for parameter in self._rank2params[rank]]):
                communication.broadcast(Tensor(row), owner, group)
                if rank != self._sharding_rank:
                    _put(row, values)

    def step(self) -> None:
        """Update this process's parameters, and take over the others'."""
        self._inner_opt.step()
        self._sharding_sync_parameters()

    def minimize(self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None) -> Any:
        """As `step`.

        Args:
            loss, startup_program, parameters, no_grad_set: of no effect, as the gradients are there.
        Returns:
            tuple: two empty lists.
        """
        self.step()
        return [], []

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Forget the gradients of all parameters.

        Args:
            set_to_zero (bool): leave zeros; else no gradient at all.
        """
        for parameter in self._parameter_list:
            if parameter._t.requires_grad:
                parameter._clear_grad(set_to_zero)
                forget(parameter, set_to_zero)

    clear_gradients = clear_grad

    def state_dict(self) -> dict[str, Any]:
        """The state of this process's parameters.

        Returns:
            dict: as of the optimizer inside.
        """
        return self._inner_opt.state_dict()

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over the state of this process's parameters; what is about others is left alone.

        Args:
            state_dict (dict): what `state_dict` returned.
        """
        self._inner_opt.set_state_dict(state_dict)


class DygraphShardingOptimizerV2(DygraphShardingOptimizer):
    """An optimizer whose states the processes along the sharding axis share out evenly: each updates a slice of each parameter at most.

    `split_param` of the strategy's `sharding_configs` asks for it. It is for optimizers that treat all elements alike.

    Args:
        optimizer (Optimizer): what makes the steps; from here on it knows this process's slices only.
        hcg (HybridCommunicateGroup): the groups, with a sharding degree above 1.
    Raises:
        TypeError: the optimizer has groups of parameters.
        AssertionError: states are not shared out.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.meta_optimizers.dygraph_optimizer.dygraph_sharding_optimizer import (
        ...     DygraphShardingOptimizerV2,
        ... )
        >>> _ = fleet.init(is_collective=True)
        >>> groups, layer = fleet.get_hybrid_communicate_group(), paddle.nn.Linear(4, 2)
        >>> if groups.get_sharding_parallel_world_size() > 1:  # in a job of several processes
        ...     sgd = DygraphShardingOptimizerV2(paddle.optimizer.SGD(0.5, parameters=layer.parameters()), groups)

    Follows Paddle 2.6.
    """

    def __init__(self, optimizer: Any, hcg: Any) -> None:
        super().__init__(optimizer, hcg)
        group = self._group()
        if group.nranks < 2:
            raise AssertionError("There is nobody to share with. Expected a sharding degree above 1. Received: 1")
        kinds: dict[Any, list[Any]] = {}
        for parameter in self._parameter_list:
            if parameter.trainable:
                kinds.setdefault(parameter._t.dtype, []).append(parameter)
        self._slices = [Slices(alike, group, self._sharding_rank) for alike in kinds.values()]
        self._own = {made.name: made for slices in self._slices for made in slices.own}
        own = [self._own[parameter.name] for parameter in self._parameter_list if parameter.name in self._own]
        optimizer._parameter_list = optimizer._param_groups = own

    def filter_parameters(self, parameter_list: Sequence[Any], hcg: Any) -> list[Any]:
        """This process's slices of the parameters of a list.

        Args:
            parameter_list (list): parameters.
            hcg (HybridCommunicateGroup): the groups.
        Returns:
            list: parameters of which it has a part.
        """
        own = [self._own[parameter.name] for parameter in parameter_list if parameter.name in self._own]
        return [made for made in own if gradient(made) is not None]

    def reduce_gradients(self, parameter_list: Sequence[Any], hcg: Any) -> None:
        """Make the gradients of this process's slices the means of all processes'.

        Args:
            parameter_list (list): kept: all parameters that are trained take part.
            hcg (HybridCommunicateGroup): the groups.
        """
        for slices in self._slices:
            slices.lay()
            slices.share_gradients()

    def _sharding_sync_parameters(self) -> None:
        for slices in self._slices:
            slices.share_values()

    def clear_grad(self, set_to_zero: bool = True) -> None:
        """Forget the gradients of all parameters.

        Args:
            set_to_zero (bool): leave zeros; else no gradient at all.
        """
        super().clear_grad(set_to_zero)
        for made in self._own.values():
            made._clear_grad(False)
            forget(made, False)

    clear_gradients = clear_grad


def _shared_out(parameters: Sequence[Any], count: int, largest_first: bool) -> dict[int, list[Any]]:
    """The parameters of each process: each goes to the one that has the fewest elements so far."""
    loads = [0] * count
    owned: dict[int, list[Any]] = {rank: [] for rank in range(count)}
    for parameter in sorted(parameters, key=lambda each: -each._t.numel()) if largest_first else parameters:
        rank = loads.index(min(loads))
        loads[rank] += parameter._t.numel()
        owned[rank].append(parameter)
    return owned


def _rows(values: Sequence[torch.Tensor]) -> list[tuple[torch.Tensor, list[torch.Tensor]]]:
    """Tensors of each data type in one row, which travels instead of them; sparse ones each by itself, as dense."""
    kinds: dict[Any, list[torch.Tensor]] = {}
    for value in values:
        kinds.setdefault(value.dtype, []).append(value)
    return [(torch.cat([(each.to_dense() if each.is_sparse else each).reshape(-1) for each in alike]), alike) for alike in kinds.values()]


def _put(row: torch.Tensor, values: Sequence[torch.Tensor]) -> None:
    """Take a row apart into what it was made of."""
    for value, part in zip(values, row.split([each.numel() for each in values])):
        if not value.is_sparse:
            value.copy_(part.view(value.shape))


__getattr__ = missing(__name__)
