"""From the arrays of a batch to the tensors that a loader gives, and through shared memory on the way."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import torch

from paddle_compat.core.errors import invalid_argument
from paddle_compat.core.tensor import Tensor

# What is no larger travels in the message itself: sharing memory costs two system calls and a file descriptor.
SMALL = 1 << 14
_TAKEN = frozenset("?bBhilqefdFD")  # numpy's type characters


def torch_of(array: np.ndarray) -> torch.Tensor:
    """The torch tensor of an array; it shares the array's memory where it can. numpy's uint16 stands for bfloat16, as in Paddle."""
    if not array.flags.writeable or not array.flags.c_contiguous or not array.dtype.isnative:
        array = np.array(array, dtype=array.dtype.newbyteorder("="), order="C")
    if array.dtype == np.uint16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    if array.dtype.char not in _TAKEN:
        raise invalid_argument("batch", "arrays of numbers that Paddle has", array.dtype, "DataLoader")
    return torch.from_numpy(array)


def tensor_of(leaf: Any) -> torch.Tensor:
    """The torch tensor of a batch's array or Tensor."""
    if isinstance(leaf, np.ndarray):
        return torch_of(leaf)
    return (leaf._t if isinstance(leaf, Tensor) else leaf).detach()


def copied(leaf: Any) -> torch.Tensor:
    """The same, with a copy of an array: a dataset or a user's `collate_fn` may write to it again."""
    return tensor_of(leaf).clone() if isinstance(leaf, np.ndarray) else tensor_of(leaf)


def stacked(arrays: list[np.ndarray]) -> torch.Tensor:
    """The arrays as one tensor."""
    return torch_of(np.stack(arrays))


def stacked_for_sending(arrays: list[np.ndarray]) -> Any:
    """The arrays as one tensor, made in shared memory at once unless it is small."""
    first = arrays[0]
    if first.nbytes * len(arrays) <= SMALL or len({array.dtype for array in arrays}) > 1:
        return np.stack(arrays)
    kind = torch_of(np.empty(0, first.dtype)).dtype
    out = _shared((len(arrays), *first.shape), kind)
    # numpy knows no bfloat16
    np.stack(arrays, out=out.view(torch.int16).numpy().view(np.uint16) if kind == torch.bfloat16 else out.numpy())
    return out


def for_sending(leaf: Any) -> Any:
    """A batch's array or Tensor as it travels to the main process: in shared memory, or as an array of its own where it is small."""
    if isinstance(leaf, torch.Tensor) and leaf.is_shared():
        return leaf
    value = tensor_of(leaf)
    if value.numel() * value.element_size() <= SMALL:
        return pickled(value)
    out = _shared(value.shape, value.dtype)
    out.copy_(value)
    return out


class Handed:
    """A tensor in shared memory on its way to the process that started this one.

    That process opens the memory by this one's file descriptor, through /proc; torch would have it connect to a thread of this
    process for each tensor. So the tensor has to live here until it has arrived.

    Args:
        value: the tensor, alone in its memory.
    """

    def __init__(self, value: torch.Tensor) -> None:
        self.value = value

    def __reduce__(self) -> Any:
        descriptor, size = self.value.untyped_storage()._share_fd_cpu_()
        return _opened, (os.getpid(), descriptor, size, self.value.dtype, tuple(self.value.shape))


def _opened(process: int, descriptor: int, size: int, kind: torch.dtype, shape: tuple[int, ...]) -> torch.Tensor:
    """The tensor in another process's shared memory."""
    mine = os.open(f"/proc/{process}/fd/{descriptor}", os.O_RDWR)
    try:
        storage = torch.UntypedStorage._new_shared_fd_cpu(mine, size)  # type: ignore[attr-defined]
    finally:
        os.close(mine)
    return torch.empty(0, dtype=kind).set_(storage).reshape(shape)


def handed(leaf: Any) -> Any:
    """What `for_sending` made, as a Handed if it is a tensor alone in its shared memory."""
    if type(leaf) is not torch.Tensor or not leaf.is_contiguous():
        return leaf
    return Handed(leaf) if leaf.untyped_storage().nbytes() == leaf.numel() * leaf.element_size() else leaf


def pickled(leaf: Any) -> Any:
    """A copy of a batch's array or Tensor that is sent without shared memory."""
    value = tensor_of(leaf)
    if value.dtype == torch.bfloat16:
        return value.view(torch.int16).numpy().view(np.uint16).copy()
    return value.cpu().numpy().copy()


def _shared(shape: Any, kind: torch.dtype) -> torch.Tensor:
    """Room for a tensor in shared memory."""
    storage = torch.UntypedStorage._new_shared(int(np.prod(shape)) * kind.itemsize)
    return torch.empty(0, dtype=kind).set_(storage).reshape(shape)
