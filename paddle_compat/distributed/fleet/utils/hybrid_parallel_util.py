"""`paddle.distributed.fleet.utils.hybrid_parallel_util`: gradients, parameters and data that processes have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core.rings import ring_of
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed import _groups, communication


def gradient(parameter: Any) -> torch.Tensor | None:
    """The gradient of a parameter, or its `main_grad`, which adds up in float32.

    Args:
        parameter (Tensor): the parameter.
    Returns:
        torch.Tensor|None: torch's.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import gradient
        >>> gradient(paddle.nn.Linear(4, 1).bias) is None
        True

    Follows Paddle 2.6.
    """
    found = parameter.main_grad if hasattr(parameter, "main_grad") else parameter.grad
    return None if found is None else found._t


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
        grads = [grad for parameter in parameter_list if not parameter.stop_gradient and (grad := gradient(parameter)) is not None]
        for grad, total in zip(grads, ring.all_reduce(grads)):
            grad.copy_(total / (ring.size if scale is None else scale))


def fused_allreduce_gradients(parameter_list: list[Any], hcg: Any) -> None:
    """Make each gradient the mean of all that share the data, and the sum of all that share the sequences.

    For parameters whose gradients do not meet by themselves.

    Args:
        parameter_list (list): the parameters; those without a gradient are passed over, on all workers alike.
        hcg (HybridCommunicateGroup|None): says who shares what; None: all share the data.

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
    group, scale = None, None
    if hcg is not None:
        group = hcg.get_data_parallel_group()
        scale = float(max(group.nranks, 1))
        if hcg.get_sep_parallel_world_size() > 1:
            group = hcg.get_dp_sep_parallel_group()
        if group.nranks == 1:
            return
    fused_allreduce_gradients_with_group(parameter_list, group, scale=scale)


def begin_alike(model: Any, group: Any, own: bool = False) -> None:
    """Give the processes of a group the parameters and buffers of its first.

    Args:
        model (Layer): the model.
        group (Group): the processes.
        own (bool): whether what the model axis shares out is left out.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import begin_alike
        >>> begin_alike(paddle.nn.Linear(4, 1), paddle.distributed.new_group([0]))

    Follows Paddle 2.6.
    """
    if _groups.join() is None or group.nranks < 2:
        return
    for tensor in model.state_dict().values():
        if not (own and getattr(tensor, "is_distributed", False)):
            communication.broadcast(tensor, group.ranks[0], group)


def broadcast_mp_parameters(model: Any, hcg: Any, fuse_params: bool = True) -> None:
    """Give the processes along the model axis the parameters and buffers of its first, but for those that it shares out.

    Args:
        model (Layer): the model.
        hcg (HybridCommunicateGroup): the groups.
        fuse_params (bool): kept, as in Paddle 3; how they travel is chosen here.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import broadcast_mp_parameters
        >>> _ = fleet.init(is_collective=True)
        >>> broadcast_mp_parameters(paddle.nn.Linear(4, 1), fleet.get_hybrid_communicate_group())

    Follows Paddle 2.6.
    """
    begin_alike(model, hcg.get_model_parallel_group(), own=True)


def broadcast_dp_parameters(model: Any, hcg: Any, fuse_params: bool = True) -> None:
    """Give the processes that share the data the parameters and buffers of the first of them.

    Args:
        model (Layer): the model.
        hcg (HybridCommunicateGroup): the groups.
        fuse_params (bool): kept, as in Paddle 3; how they travel is chosen here.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import broadcast_dp_parameters
        >>> _ = fleet.init(is_collective=True)
        >>> broadcast_dp_parameters(paddle.nn.Linear(4, 1), fleet.get_hybrid_communicate_group())

    Follows Paddle 2.6.
    """
    begin_alike(model, hcg.get_data_parallel_group())


def broadcast_sharding_parameters(model: Any, hcg: Any, fuse_params: bool = True) -> None:
    """Give the processes along the sharding axis the parameters and buffers of its first.

    Args:
        model (Layer): the model.
        hcg (HybridCommunicateGroup): the groups.
        fuse_params (bool): kept, as in Paddle 3; how they travel is chosen here.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import broadcast_sharding_parameters
        >>> _ = fleet.init(is_collective=True)
        >>> broadcast_sharding_parameters(paddle.nn.Linear(4, 1), fleet.get_hybrid_communicate_group())

    Follows Paddle 2.6.
    """
    begin_alike(model, hcg.get_sharding_parallel_group())


def broadcast_sep_parameters(model: Any, hcg: Any, fuse_params: bool = True) -> None:
    """Give the processes that share the sequences the parameters and buffers of the first of them.

    Args:
        model (Layer): the model.
        hcg (HybridCommunicateGroup): the groups, with a sep degree above 1.
        fuse_params (bool): kept, as in Paddle 3; how they travel is chosen here.
    Raises:
        AssertionError: sequences are not shared out.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import broadcast_sep_parameters
        >>> _ = fleet.init(is_collective=True)
        >>> group = fleet.get_hybrid_communicate_group()
        >>> if group.get_sep_parallel_world_size() > 1:  # in a job of several processes
        ...     broadcast_sep_parameters(paddle.nn.Linear(4, 1), group)

    Follows Paddle 2.6.
    """
    begin_alike(model, hcg.get_sep_parallel_group())


def broadcast_input_data(hcg: Any, *inputs: Any, **kwargs: Any) -> tuple[Any, Any]:
    """Give the processes along the model axis the data that its first has.

    Args:
        hcg (HybridCommunicateGroup): the groups.
        inputs, kwargs: Tensors, which are written to, numbers, strings and arrays, and lists, tuples and dicts of them, which are made anew
            where there are any but Tensors in them; what else there is stays each process's own.
    Returns:
        tuple: `inputs` and `kwargs`.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed import fleet
        >>> from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import broadcast_input_data
        >>> _ = fleet.init(is_collective=True)
        >>> inputs, named = broadcast_input_data(fleet.get_hybrid_communicate_group(), paddle.ones([2]), mask=None)
        >>> inputs[0].tolist(), named
        ([1.0, 1.0], {'mask': None})

    Follows Paddle 2.6.
    """
    group = hcg.get_model_parallel_group()
    if group.nranks < 2:
        return inputs, kwargs
    parts = list(_parts((inputs, kwargs)))
    for part in parts:
        if isinstance(part, Tensor):
            communication.broadcast(part, group.ranks[0], group)
    objects = [part for part in parts if not isinstance(part, Tensor)]
    if objects:
        communication.broadcast_object_list(objects, group.ranks[0], group)
        inputs, kwargs = _with_objects((inputs, kwargs), iter(objects))
    return inputs, kwargs


def obtain_optimizer_parameters_list(optimizer: Any) -> list[Any]:
    """All parameters that an optimizer trains, whether it was given them in groups or not.

    Args:
        optimizer (Optimizer): the optimizer.
    Returns:
        list: its parameters.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import obtain_optimizer_parameters_list
        >>> layer = paddle.nn.Linear(2, 3)
        >>> sgd = paddle.optimizer.SGD(parameters=[{"params": layer.parameters()}])
        >>> [parameter.shape for parameter in obtain_optimizer_parameters_list(sgd)]
        [[2, 3], [3]]

    Follows Paddle 2.6.
    """
    groups = getattr(optimizer, "_param_groups", None)
    if groups and isinstance(groups[0], dict):
        return [parameter for group in groups for parameter in group["params"]]
    return list(optimizer._parameter_list)


def unwrap_optimizer(optimizer: Any, optimizer_instances: type | tuple[type, ...] = ()) -> Any:
    """The optimizer inside wrappers of given classes, which keep theirs as `_inner_opt`.

    Args:
        optimizer (Optimizer): an optimizer or a wrapper.
        optimizer_instances (type|tuple[type, ...], optional): classes of the wrappers to look into; none leaves `optimizer` as it is.
    Returns:
        Optimizer: the first that is of none of these classes.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.fleet.utils.hybrid_parallel_util import unwrap_optimizer
        >>> sgd = paddle.optimizer.SGD(parameters=paddle.nn.Linear(2, 3).parameters())
        >>> unwrap_optimizer(sgd) is sgd
        True

    Follows Paddle 3.3.
    """
    while isinstance(optimizer, optimizer_instances):
        wrapper: Any = optimizer
        optimizer = wrapper._inner_opt
    return optimizer


_OBJECTS, _MADE_ANEW = (int, float, str, bytes, np.ndarray, np.generic), (list, tuple, dict)


def _parts(given: Any) -> Iterator[Any]:
    """The Tensors and objects that there are in data."""
    if isinstance(given, (Tensor, *_OBJECTS)):
        yield given
    elif isinstance(given, (list, tuple, dict)):
        for each in given.values() if isinstance(given, dict) else given:
            found = _parts(each)
            yield from found if type(given) in _MADE_ANEW else (part for part in found if isinstance(part, Tensor))


def _with_objects(given: Any, objects: Iterator[Any]) -> Any:
    """Data with other objects in it."""
    if isinstance(given, _OBJECTS):
        return next(objects)
    if type(given) in (list, tuple):
        return type(given)(_with_objects(each, objects) for each in given)
    if type(given) is dict:
        return {name: _with_objects(each, objects) for name, each in given.items()}
    return given


__all__ = [
    "broadcast_dp_parameters", "broadcast_input_data", "broadcast_mp_parameters", "broadcast_sep_parameters",
    "broadcast_sharding_parameters", "fused_allreduce_gradients", "fused_allreduce_gradients_with_group",
    "obtain_optimizer_parameters_list",
]  # fmt: skip

__getattr__ = missing(__name__)
