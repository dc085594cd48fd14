"""Arguments of torch's own functions, with the torch tensors in place of the Tensors around them."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._pytree import tree_map_only

_HOLDS_NONE = frozenset({torch.Tensor, int, float, bool, str, type(None), torch.dtype, torch.device})


def bare(tensor_class: type[Any], value: Any) -> Any:
    """A value with torch tensors in place of Tensors, whatever holds them.

    Lists and tuples are gone through here, as `tree_map` takes ten times as long over a list of sizes.

    Args:
        tensor_class: the class of Tensors.
        value: what a torch function is given.

    Example:
        >>> import paddle_compat as paddle
        >>> bare(paddle.Tensor, [paddle.to_tensor(3), 2])
        [tensor(3), 2]
    """
    if isinstance(value, tensor_class):
        return value._t
    kind = type(value)
    if kind is list or kind is tuple:
        return kind([bare(tensor_class, part) for part in value])
    return value if kind in _HOLDS_NONE else tree_map_only(tensor_class, lambda x: x._t, value)
