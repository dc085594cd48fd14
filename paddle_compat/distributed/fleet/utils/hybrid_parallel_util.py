"""`paddle.distributed.fleet.utils.hybrid_parallel_util`: gradients and parameters of a model that every worker holds."""

from __future__ import annotations

from typing import Any

import torch

from paddle_compat._missing import missing
from paddle_compat.core.rings import ring_of
from paddle_compat.distributed import _groups, communication


def fused_allreduce_gradients_with_group(parameter_list: list[Any], group: Any, bucket_size: int = 128 << 20, scale: Any = None) -> None:
    """Make each gradient the mean of all workers': for parameters whose gradients do not meet by themselves.

    Args:
        parameter_list (list): the parameters; those without a gradient are passed over, on all workers alike.
        group (Group|None): who meets; None: all.
        bucket_size (int): kept; how much travels together is chosen here.
        scale (float|None): what the sums are divided by; None for the number of workers.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import fused_allreduce_gradients_with_group
        >>> layer = paddle.nn.Linear(4, 1)
        >>> layer(paddle.ones([2, 4])).sum().backward()
        >>> fused_allreduce_gradients_with_group(layer.parameters(), None)
        >>> layer.bias.grad.tolist()
        [2.0]

    Follows Paddle 2.6.
    """
    ring = ring_of(0 if group is None else group.id) if _groups.join() is not None else None
    if ring is None or ring.size == 1:
        return
    with torch.no_grad():
        grads = [parameter.grad._t for parameter in parameter_list if not parameter.stop_gradient and parameter.grad is not None]
        for grad, total in zip(grads, ring.all_reduce(grads)):
            grad.copy_(total / (ring.size if scale is None else scale))


def fused_allreduce_gradients(parameter_list: list[Any], hcg: Any) -> None:
    """Make each gradient the mean of all workers': for parameters whose gradients do not meet by themselves.

    Args:
        parameter_list (list): the parameters; those without a gradient are passed over, on all workers alike.
        hcg (HybridCommunicateGroup|None): of data parallelism.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import fused_allreduce_gradients
        >>> layer = paddle.nn.Linear(4, 1)
        >>> layer(paddle.ones([2, 4])).sum().backward()
        >>> fused_allreduce_gradients(list(layer.parameters()), None)
        >>> layer.bias.grad.tolist()
        [2.0]

    Follows Paddle 2.6.
    """
    fused_allreduce_gradients_with_group(parameter_list, None)


def broadcast_dp_parameters(model: Any, hcg: Any) -> None:
    """Give all workers the first one's parameters and buffers.

    Args:
        model (Layer): the model.
        hcg (HybridCommunicateGroup): of data parallelism.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import broadcast_dp_parameters
        >>> _ = fleet.init(is_collective=True)
        >>> broadcast_dp_parameters(paddle.nn.Linear(4, 1), fleet.get_hybrid_communicate_group())

    Follows Paddle 2.6.
    """
    if _groups.join() is not None:
        for tensor in model.state_dict().values():
            communication.broadcast(tensor, 0)


__all__ = ["broadcast_dp_parameters", "fused_allreduce_gradients", "fused_allreduce_gradients_with_group"]

__getattr__ = missing(__name__)
