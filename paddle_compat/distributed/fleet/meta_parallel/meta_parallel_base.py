"""What stands around a model that processes share out: with one process, it hands everything on to the model."""

from __future__ import annotations

from typing import Any

from paddle_compat._missing import missing
from paddle_compat.nn.layer.layers import Layer

__all__ = ["MetaParallelBase", "SegmentParallel", "ShardingParallel", "TensorParallel"]


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
        ([3, 2], ['bias', 'weight'])
        >>> model.set_state_dict(model.state_dict())
        ([], [])

    Follows Paddle 2.6.
    """

    def __init__(self, layers: Layer, hcg: Any, strategy: Any) -> None:
        super().__init__(f"{layers.full_name()}_meta_parallel_base")
        self._layers, self._hcg, self._strategy = layers, hcg, strategy

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the model.

        Args:
            inputs, kwargs: what the model takes.
        Returns:
            What the model returns.
        """
        return self._layers(*inputs, **kwargs)

    def state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """The model's.

        Args:
            args, kwargs: as of the model's.
        Returns:
            dict: parameters and buffers by name.
        """
        return self._layers.state_dict(*args, **kwargs)

    def set_state_dict(self, *args: Any, **kwargs: Any) -> Any:
        """Put values into the model.

        Args:
            args, kwargs: as of the model's.
        Returns:
            tuple: names that are missing, and those that nobody expects.
        """
        return self._layers.set_state_dict(*args, **kwargs)


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
