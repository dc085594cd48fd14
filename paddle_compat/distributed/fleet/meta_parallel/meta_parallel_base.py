"""What stands around a model that processes share out: it lets what they have in common begin alike, and hands on the rest."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import (
    broadcast_dp_parameters,
    broadcast_input_data,
    broadcast_mp_parameters,
    broadcast_sep_parameters,
    broadcast_sharding_parameters,
)
from paddle_compat.nn.layer.layers import Layer

__all__ = ["MetaParallelBase", "SegmentParallel", "ShardingParallel", "TensorParallel"]

_BEGINNINGS = {
    "mp": broadcast_mp_parameters, "sep": broadcast_sep_parameters, "sharding": broadcast_sharding_parameters,
    "dp": broadcast_dp_parameters,
}  # fmt: skip


class MetaParallelBase(Layer):
    """A model, and the groups that its process belongs to.

    Args:
        layers (Layer): the model.
        hcg (HybridCommunicateGroup): the groups.
        strategy (DistributedStrategy): the settings.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> strategy = fleet.DistributedStrategy()
        >>> _ = fleet.init(is_collective=True, strategy=strategy)
        >>> model = fleet.meta_parallel.TensorParallel(paddle.nn.Linear(4, 2), fleet.get_hybrid_communicate_group(), strategy)
        >>> model(paddle.ones([3, 4])).shape, sorted(model.state_dict())
        ([3, 2], ['_layers.bias', '_layers.weight'])
        >>> model.set_state_dict(model.state_dict())
        ([], [])

    Follows Paddle 2.6.
    """

    def __init__(self, layers: Layer, hcg: Any, strategy: Any) -> None:
        super().__init__(f"{layers.full_name()}_meta_parallel_base")
        self._layers, self._hcg, self._strategy = layers, hcg, strategy
        self._prepare_for_model()

    def _prepare_for_model(self) -> None:
        """Let parameters begin alike along each axis; those that an axis shares out stay each process's own along it."""
        for axis, broadcast in _BEGINNINGS.items():
            if getattr(self._hcg, f"_{axis}_degree", 1) > 1:
                broadcast(self._layers, self._hcg)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the model.

        Args:
            inputs, kwargs: what the model takes.
        Returns:
            What the model returns.
        """
        return self._layers(*inputs, **kwargs)


class TensorParallel(MetaParallelBase):
    """A model whose layers the processes share out.

    Args:
        layers, hcg, strategy: as of `MetaParallelBase`.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> strategy = fleet.DistributedStrategy()
        >>> _ = fleet.init(is_collective=True, strategy=strategy)
        >>> model = fleet.meta_parallel.TensorParallel(paddle.nn.Linear(4, 2), fleet.get_hybrid_communicate_group(), strategy)
        >>> model(paddle.ones([3, 4])).shape
        [3, 2]

    Follows Paddle 2.6.
    """

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the model with the data of the first process along the model axis.

        Args:
            inputs, kwargs: what the model takes.
        Returns:
            What the model returns.
        """
        if getattr(self._hcg, "_mp_degree", 1) > 1 and self._strategy.hybrid_configs["mp_configs"].need_broadcast_data:
            inputs, kwargs = broadcast_input_data(self._hcg, *inputs, **kwargs)
        return self._layers(*inputs, **kwargs)


class ShardingParallel(MetaParallelBase):
    """A model whose optimizer's states the processes share out.

    Args:
        layers, hcg, strategy: as of `MetaParallelBase`.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> strategy = fleet.DistributedStrategy()
        >>> _ = fleet.init(is_collective=True, strategy=strategy)
        >>> model = fleet.meta_parallel.ShardingParallel(paddle.nn.Linear(4, 2), fleet.get_hybrid_communicate_group(), strategy)
        >>> model(paddle.ones([3, 4])).shape
        [3, 2]

    Follows Paddle 2.6.
    """


class SegmentParallel(MetaParallelBase):
    """A model whose sequences the processes share out.

    Args:
        layers, hcg, strategy: as of `MetaParallelBase`.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> strategy = fleet.DistributedStrategy()
        >>> _ = fleet.init(is_collective=True, strategy=strategy)
        >>> model = fleet.meta_parallel.SegmentParallel(paddle.nn.Linear(4, 2), fleet.get_hybrid_communicate_group(), strategy)
        >>> model(paddle.ones([3, 4])).shape
        [3, 2]

    Follows Paddle 2.6.
    """


__getattr__ = missing(__name__)
