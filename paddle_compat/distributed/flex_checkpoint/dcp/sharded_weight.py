"""`paddle.distributed.flex_checkpoint.dcp.sharded_weight`: parts of Tensors, with where they lie in the whole."""

from __future__ import annotations

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
        lines: dict[str, Any] = {"key": self.key, "local_tensor": f"Tensor(shape={list(self.local_tensor.shape)})"}
        lines.update(local_shape=self.local_shape, global_shape=self.global_shape)
        lines.update(global_offset=self.global_offset, flattened_range=self.flattened_range)
        return "ShardedWeight(\n" + ",\n".join(f"  {name}={value}" for name, value in lines.items()) + "\n)"


ShardedStateDict = dict[str, ShardedWeight]


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
    shape = tuple(weight.shape)
    if not 0 <= axis < len(shape):
        raise invalid_argument("axis", f"a dimension of the shape {list(shape)}", axis, "shard_weight")
    whole, begin = list(shape), [0] * len(shape)
    whole[axis], begin[axis] = shape[axis] * group.nranks, shape[axis] * group.rank
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
        key, shape = prefix + name, tuple(value.shape)
        if name in rules:
            from paddle_compat.distributed.fleet import get_hybrid_communicate_group

            made[key] = shard_weight(key, value, rules[name], get_hybrid_communicate_group().get_model_parallel_group())
        else:
            made[key] = ShardedWeight(key, value, shape, shape, (0,) * len(shape))
    return made


__all__ = ["ShardedStateDict", "ShardedWeight", "build_sharded_state_dict", "shard_weight"]
__getattr__ = missing(__name__)
