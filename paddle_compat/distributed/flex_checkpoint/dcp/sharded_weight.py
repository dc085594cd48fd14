"""`paddle.distributed.flex_checkpoint.dcp.sharded_weight`: parts of Tensors, with where they lie in the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.tensor import Tensor


class ShardedWeight:
    """A Tensor that is a part of a larger one, or all of it.

    Args:
        key (str): its name in a state dict.
        local_tensor (Tensor): the part.
        local_shape, global_shape, global_offset (tuple): its shape, that of the whole, and where it begins in it.
        is_flattened (bool): whether the part is one dimension long, out of the flattened elements of a part of that shape.
        flattened_range (slice): which of these it is.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> part = dist.ShardedWeight("w", paddle.ones([2, 3]), (2, 3), (4, 3), (2, 0))
        >>> part.global_shape, part.global_offset
        ((4, 3), (2, 0))

    Follows Paddle 3.3.
    """

    def __init__(
        self, key: str, local_tensor: Tensor, local_shape: tuple[int, ...], global_shape: tuple[int, ...],
        global_offset: tuple[int, ...], is_flattened: bool = False, flattened_range: slice | None = None,
    ) -> None:  # fmt: skip
        self.key, self.local_tensor = key, local_tensor
        self.local_shape, self.global_shape, self.global_offset = local_shape, global_shape, global_offset
        self.is_flattened, self.flattened_range = is_flattened, flattened_range

    def __str__(self) -> str:
        shown = f"{type(self.local_tensor).__name__}(shape={self.local_tensor.shape})"
        lines: dict[str, Any] = {"key": self.key, "local_tensor": shown}
        lines.update(local_shape=self.local_shape, global_shape=self.global_shape)
        lines.update(global_offset=self.global_offset, flattened_range=self.flattened_range)
        return "ShardedWeight(\n" + ",\n".join(f"  {name}={value}" for name, value in lines.items()) + "\n)"


ShardedStateDict = dict[str, ShardedWeight]


@dataclass(frozen=True)
class ShardedWeightDesc:
    """Where a part of a Tensor lies in the whole, without its values.

    Args:
        key (str): its name in a state dict.
        local_shape, global_shape, global_offset (tuple): its shape, that of the whole, and where it begins in it.
        dtype (str): its data type.

    Example:
        >>> from paddle_compat.distributed.flex_checkpoint.dcp.sharded_weight import ShardedWeightDesc
        >>> ShardedWeightDesc("w", (2, 3), (4, 3), (2, 0)).global_shape
        (4, 3)

    Follows Paddle 3.3.
    """

    key: str
    local_shape: tuple[int, ...]
    global_shape: tuple[int, ...]
    global_offset: tuple[int, ...]
    dtype: str | None = None


def shard_weight(key: str, weight: Tensor, axis: int, group: Any) -> ShardedWeight:
    """A Tensor as the part of a process of a group, whose parts lie behind one another along a dimension.

    Args:
        key (str): its name.
        weight (Tensor): the part.
        axis (int): the dimension.
        group (Group): the group.
    Returns:
        ShardedWeight.
    Raises:
        ValueError: the Tensor has no such dimension.

    Example:
        >>> from types import SimpleNamespace
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> second_of_two = SimpleNamespace(rank=1, nranks=2)
        >>> part = dist.shard_weight("w", paddle.ones([2, 3]), 0, second_of_two)
        >>> part.global_shape, part.global_offset
        ((4, 3), (2, 0))

    Follows Paddle 3.3.
    """
    return _part(key, weight, axis, group.rank, group.nranks)


def _part(key: str, weight: Tensor, axis: int, number: int, of: int) -> ShardedWeight:
    """The part of a number, of so many."""
    shape = tuple(weight.shape)
    if not 0 <= axis < len(shape):
        raise invalid_argument("axis", f"a dimension of the shape {list(shape)}", axis, "shard_weight")
    whole, begin = list(shape), [0] * len(shape)
    whole[axis], begin[axis] = shape[axis] * of, shape[axis] * number
    return ShardedWeight(key, weight, shape, tuple(whole), tuple(begin))


def build_sharded_state_dict(
    state_dict: dict[str, Tensor], shard_rules: dict[str, int] | None = None, prefix: str = ""
) -> dict[str, ShardedWeight]:
    """A state dict's Tensors with where they lie in the whole.

    Args:
        state_dict (dict): the Tensors by name.
        shard_rules (dict): the dimension along which fleet's model parallel group cuts a Tensor, by name; the others are whole.
        prefix (str): stands in front of each name.
    Returns:
        dict: by name.

    Example:
        >>> import paddle_compat as paddle
        >>> import paddle_compat.distributed as dist
        >>> list(dist.build_sharded_state_dict(paddle.nn.Linear(2, 3).state_dict(), prefix="fc."))
        ['fc.weight', 'fc.bias']

    Follows Paddle 3.3.
    """
    rules, made = shard_rules or {}, {}
    for name, value in state_dict.items():
        key = prefix + name
        if name in rules:
            made[key] = make_tp_sharded_weight_for_checkpoint(key, value, rules[name])
        else:
            made[key] = make_replicated_sharded_weight(key, value)
    return made


def make_replicated_sharded_weight(key: str, tensor: Tensor) -> ShardedWeight:
    """A Tensor that each process has the whole of.

    Args:
        key (str): its name.
        tensor (Tensor): all of it.
    Returns:
        ShardedWeight.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.flex_checkpoint.dcp.sharded_weight import make_replicated_sharded_weight
        >>> make_replicated_sharded_weight("w", paddle.ones([2, 3])).global_offset
        (0, 0)

    Follows Paddle 3.3.
    """
    shape = tuple(tensor.shape)
    return ShardedWeight(key, tensor, shape, shape, (0,) * len(shape))


def make_tp_sharded_weight_for_checkpoint(key: str, tensor: Tensor, tensor_parallel_axis: int = 0) -> ShardedWeight:
    """A Tensor as the part of this process in fleet's model parallel group, after `fleet.init`.

    Args:
        key (str): its name.
        tensor (Tensor): the part.
        tensor_parallel_axis (int): the dimension along which the group's parts lie behind one another.
    Returns:
        ShardedWeight.
    Raises:
        ValueError: the Tensor has no such dimension.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.flex_checkpoint.dcp.sharded_weight import make_tp_sharded_weight_for_checkpoint
        >>> _ = paddle.distributed.fleet.init(is_collective=True)  # a job of one process
        >>> make_tp_sharded_weight_for_checkpoint("w", paddle.ones([2, 3]), 1).global_shape
        (2, 3)

    Follows Paddle 3.3.
    """
    from paddle_compat.distributed.fleet import get_hybrid_communicate_group

    # a group of a job of one process that has met nobody says -1 for its rank
    hcg = get_hybrid_communicate_group()
    return _part(key, tensor, tensor_parallel_axis, hcg.get_model_parallel_rank(), hcg.get_model_parallel_world_size())


def create_sharded_weight_with_new_local(new_key: str, new_local_tensor: Tensor, reference_tensor: ShardedWeight) -> ShardedWeight:
    """Another Tensor that lies where a part lies.

    Args:
        new_key (str): its name.
        new_local_tensor (Tensor): a Tensor of the part's shape.
        reference_tensor (ShardedWeight): the part.
    Returns:
        ShardedWeight.
    Raises:
        ValueError: the Tensor has another shape.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.flex_checkpoint.dcp.sharded_weight import create_sharded_weight_with_new_local
        >>> part = paddle.distributed.ShardedWeight("w", paddle.ones([2, 3]), (2, 3), (4, 3), (2, 0))
        >>> create_sharded_weight_with_new_local("moment", paddle.zeros([2, 3]), part).global_offset
        (2, 0)

    Follows Paddle 3.3.
    """
    like = reference_tensor
    if tuple(new_local_tensor.shape) != tuple(like.local_shape):
        api = "create_sharded_weight_with_new_local"
        raise invalid_argument("new_local_tensor", f"the shape {list(like.local_shape)}", list(new_local_tensor.shape), api)
    where = like.local_shape, like.global_shape, like.global_offset, like.is_flattened, like.flattened_range
    return ShardedWeight(new_key, new_local_tensor, *where)


__all__ = [
    "ShardedStateDict", "ShardedWeight", "ShardedWeightDesc", "build_sharded_state_dict", "create_sharded_weight_with_new_local",
    "make_replicated_sharded_weight", "make_tp_sharded_weight_for_checkpoint", "shard_weight",
]  # fmt: skip
__getattr__ = missing(__name__)
