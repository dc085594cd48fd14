"""`paddle.distributed.checkpoint.utils`: what saving and loading have in common."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed.flex_checkpoint.dcp.sharded_weight import ShardedWeight


def flatten_state_dict(state_dict: dict[str, Any]) -> tuple[dict[str, Tensor], dict[str, tuple[str, ...]]]:
    """The Tensors of a nested dict by one name each.

    Args:
        state_dict (dict): Tensors, or `ShardedWeight`s that are whole, and dicts of such.
    Returns:
        tuple: the Tensors by the keys that lead to them, with dots between; and these keys by that name.
    Raises:
        AssertionError: it is no dict.
        ValueError: there is anything else in it, or two have one name.
        UnsupportedError: a `ShardedWeight` is a part of a Tensor.

    Example:
        >>> import paddle_compat as paddle
        >>> from paddle_compat.distributed.checkpoint.utils import flatten_state_dict
        >>> flatten_state_dict({"opt": {"lr": paddle.ones([])}})[1]
        {'opt.lr': ('opt', 'lr')}

    Follows Paddle 2.6 and 3.3.
    """
    if not isinstance(state_dict, dict):
        raise failed_assertion("state_dict", "a dict of Tensors", state_dict)
    tensors: dict[str, Tensor] = {}
    keys: dict[str, tuple[str, ...]] = {}
    for path, value in _leaves(state_dict, ()):
        name = ".".join(map(str, path))
        if isinstance(value, ShardedWeight):
            if value.is_flattened or tuple(value.local_shape) != tuple(value.global_shape):
                raise UnsupportedError(f"a ShardedWeight that is a part, as {name}", instead="paddle.distributed.shard_tensor")
            value = value.local_tensor
        if not isinstance(value, Tensor):
            raise invalid_argument("state_dict", f"a Tensor or a dict as {name}", value)
        if name in tensors:
            raise invalid_argument("state_dict", "names that differ, with dots between keys", f"two called {name}")
        tensors[name], keys[name] = value, path
    return tensors, keys


def _leaves(held: dict[str, Any], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in held.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*above, key))
        else:
            yield (*above, key), value


def newest(path: str) -> int | None:
    """The largest number of a checkpoint in a folder; None: there is none."""
    names = [name.removesuffix(".metadata") for name in os.listdir(path) if name.endswith(".metadata")]
    return max((int(name) for name in names if name.isdecimal()), default=None)


__all__ = ["flatten_state_dict"]
__getattr__ = missing(__name__)
