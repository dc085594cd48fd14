"""Which gradients travel together, by Paddle's rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from paddle_compat.core.errors import InvalidArgumentError


def eager_assign_group_by_size(
    tensors: Sequence[Any], is_sparse_gradient: Sequence[bool], group_size_limits: Sequence[int], tensor_indices: Sequence[int] = ()
) -> list[list[int]]:
    """Put Tensors into groups: those of a data type together until they have so many bytes, those of sparse gradients alone.

    Args:
        tensors: the Tensors.
        is_sparse_gradient: for each number of a Tensor whether its gradient is sparse.
        group_size_limits: bytes that fill the groups of a data type, one after the other; the last one counts for all that follow.
        tensor_indices: the Tensors' numbers; by default 0, 1, 2 ...
    Returns:
        The numbers in each group.
    Raises:
        RuntimeError: there are not as many of the one as of the other.

    Example:
        >>> import paddle_compat as paddle
        >>> tensors = [paddle.zeros([2, 25]) for _ in range(3)]
        >>> paddle.base.core.eager_assign_group_by_size(tensors, [False, False, True], [400])
        [[0, 1], [2]]

    Follows Paddle 2.6.
    """
    if len(tensors) != len(is_sparse_gradient):
        raise InvalidArgumentError(
            f"Every tensor needs a word on its gradient. Expected {len(tensors)} in is_sparse_gradient. Received: {len(is_sparse_gradient)}"
        )
    groups: list[list[int]] = []
    filling: dict[Any, tuple[list[int], int]] = {}  # by data type: the numbers, and their bytes
    filled: dict[Any, int] = {}
    for number, tensor in zip(tensor_indices or range(len(tensors)), tensors):
        if is_sparse_gradient[number]:
            groups.append([number])
            continue
        members, size = filling.get(tensor.dtype, ([], 0))
        members, size = [*members, number], size + tensor._t.nbytes
        limit = group_size_limits[min(filled.get(tensor.dtype, 0), len(group_size_limits) - 1)]
        if size < limit:
            filling[tensor.dtype] = members, size
        else:
            groups.append(members)
            filling.pop(tensor.dtype, None)
            filled[tensor.dtype] = filled.get(tensor.dtype, 0) + 1
    groups += [members for members, _ in filling.values()]
    return groups if tensor_indices else sorted(groups)
