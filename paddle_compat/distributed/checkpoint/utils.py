"""`paddle.distributed.checkpoint.utils`: what saving and loading have in common."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import UnsupportedError, failed_assertion, invalid_argument
from paddle_compat.core.tensor import Tensor
from paddle_compat.distributed import _groups
from paddle_compat.distributed.auto_parallel.placement_type import Placement, Shard
from paddle_compat.distributed.auto_parallel.process_mesh import ProcessMesh
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


def unflatten_state_dict(flat_state_dict: Mapping[str, Any], mapping: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The nested dict that `flatten_state_dict` took apart.

    Args:
        flat_state_dict (dict): the values by one name each.
        mapping (dict): by each name the keys that lead to it.
    Returns:
        dict.

    Example:
        >>> from paddle_compat.distributed.checkpoint.utils import unflatten_state_dict
        >>> unflatten_state_dict({"opt.lr": 0.1, "epoch": 3}, {"opt.lr": ("opt", "lr"), "epoch": ("epoch",)})
        {'opt': {'lr': 0.1}, 'epoch': 3}

    Follows Paddle 3.3.
    """
    nested: dict[str, Any] = {}
    for name, value in flat_state_dict.items():
        *above, last = mapping[name]
        held = nested
        for key in above:
            held = held.setdefault(key, {})
        held[last] = value
    return nested


def get_coordinator(mesh: np.ndarray | list[Any], rank: int) -> list[int] | None:
    """Where a process stands in an array of processes.

    Args:
        mesh (numpy.ndarray | list): the processes' numbers.
        rank (int): the process's.
    Returns:
        list: its place along each dimension; None where it is not there.

    Example:
        >>> from paddle_compat.distributed.checkpoint.utils import get_coordinator
        >>> get_coordinator([[0, 1], [2, 3]], 2), get_coordinator([[0, 1], [2, 3]], 7)
        ([1, 0], None)

    Follows Paddle 2.6 and 3.3.
    """
    found = np.argwhere(np.asarray(mesh) == rank)
    return [int(place) for place in found[0]] if len(found) else None


def compute_local_shape_and_global_offset(
    global_shape: Sequence[int], process_mesh: ProcessMesh, placements: Sequence[Placement | int]
) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """The shape of this process's part of a tensor, and where it begins in the whole.

    Args:
        global_shape (list): the shape of the whole.
        process_mesh (ProcessMesh): what it lies on.
        placements (list): the Placement along each dimension of the mesh; or, as in Paddle 2.6, for each of the tensor's dimensions the
            number of the mesh's that cuts it, or -1.
    Returns:
        tuple: both are None where this process is not in the mesh.

    Example:
        >>> import paddle_compat.distributed as dist
        >>> from paddle_compat.distributed.checkpoint.utils import compute_local_shape_and_global_offset
        >>> mesh = dist.ProcessMesh([[1, 0], [2, 3]])
        >>> compute_local_shape_and_global_offset([5, 6], mesh, [dist.Shard(0), dist.Shard(1)])
        ((3, 3), (0, 3))
        >>> compute_local_shape_and_global_offset([5, 6], mesh, [-1, 1])
        ((5, 3), (0, 3))

    Follows Paddle 2.6 and 3.3.
    """
    place = get_coordinator(process_mesh.mesh, _groups.job_rank())
    if place is None:
        return None, None
    shape, offset = list(global_shape), [0] * len(global_shape)
    cuts = [(by, dim) for dim, by in enumerate(placements) if isinstance(by, int) and by >= 0]
    cuts += [(by, each.get_dim()) for by, each in enumerate(placements) if isinstance(each, Shard)]
    for by, dim in cuts:
        part = -(-shape[dim] // process_mesh.shape[by])
        begin = min(part * place[by], shape[dim])
        shape[dim] = min(part, shape[dim] - begin)
        offset[dim] += begin
    return tuple(shape), tuple(offset)


def ravel_index(indices: Sequence[int], shape: Sequence[int]) -> int:
    """The number of an element, row by row.

    Args:
        indices (tuple): its place along each dimension.
        shape (tuple): the sizes.
    Returns:
        int.

    Example:
        >>> from paddle_compat.distributed.checkpoint.utils import ravel_index
        >>> ravel_index((1, 2), (3, 4))
        6

    Follows Paddle 3.3.
    """
    number = 0
    for index, size in zip(indices, shape):
        number = number * size + index
    return number


def unravel_index(idx: int, shape: Sequence[int]) -> tuple[int, ...]:
    """The place along each dimension of the element with a number.

    Args:
        idx (int): the number, row by row.
        shape (tuple): the sizes.
    Returns:
        tuple.

    Example:
        >>> from paddle_compat.distributed.checkpoint.utils import unravel_index
        >>> unravel_index(7, (3, 4))
        (1, 3)

    Follows Paddle 3.3.
    """
    return tuple(idx // prod(shape[i + 1 :]) % size for i, size in enumerate(shape))


def minimal_nd_slice(
    shape: Sequence[int], flat_start: int, flat_end: int
) -> tuple[list[tuple[int, int]], tuple[int, ...], tuple[int, ...]]:
    """The smallest box in a tensor that holds a run of its elements.

    Args:
        shape (tuple): the sizes.
        flat_start (int): the first one's number, row by row.
        flat_end (int): the number behind the last one's.
    Returns:
        tuple: a list of the first and behind the last place along each dimension; the first element's place; the last one's.

    Example:
        >>> from paddle_compat.distributed.checkpoint.utils import minimal_nd_slice
        >>> minimal_nd_slice((3, 4), 5, 9)
        ([(1, 3), (0, 4)], (1, 1), (2, 0))

    Follows Paddle 3.3.
    """
    first, last = unravel_index(flat_start, shape), unravel_index(flat_end - 1, shape)
    box: list[tuple[int, int]] = []
    for low, high, size in zip(first, last, shape):
        one = all(end - begin == 1 for begin, end in box)  # what is above has one place: this dimension goes from one to the other
        box.append((low, high + 1) if one else (0, size))
    return box, first, last


def get_max_id(path: str) -> int:
    """The largest number of a checkpoint's files in a folder.

    Args:
        path (str): the folder.
    Returns:
        int: 0 where there is none.

    Example:
        >>> import os, tempfile
        >>> from paddle_compat.distributed.checkpoint.utils import get_max_id
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     open(os.path.join(folder, "0_2.distcp"), "w").close()
        ...     get_max_id(folder)
        2

    Follows Paddle 3.3.
    """
    numbers = [name.removesuffix(".distcp").rpartition("_")[2] for name in os.listdir(path) if name.endswith(".distcp")]
    return max((int(number) for number in numbers if number.isdecimal()), default=0)


def newest(path: str) -> int | None:
    """The largest number of a checkpoint in a folder; None: there is none."""
    names = [name.removesuffix(".metadata") for name in os.listdir(path) if name.endswith(".metadata")]
    return max((int(name) for name in names if name.isdecimal()), default=None)


__all__ = [
    "compute_local_shape_and_global_offset", "flatten_state_dict", "get_coordinator", "get_max_id", "minimal_nd_slice", "ravel_index",
    "unflatten_state_dict", "unravel_index",
]  # fmt: skip
__getattr__ = missing(__name__)
