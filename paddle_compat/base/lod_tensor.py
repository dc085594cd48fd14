"""`paddle.base.lod_tensor`: making LoDTensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import type_error
from paddle_compat.core.lod import LoDTensor


def create_lod_tensor(data: Any, recursive_seq_lens: Sequence[Sequence[int]], place: Any) -> LoDTensor:
    """A LoDTensor from data and sequence lengths.

    Args:
        data: numpy array, LoDTensor, or a list of sequences (lists of ids).
        recursive_seq_lens: lengths per level.
        place: where it lives.
    Returns:
        The LoDTensor; a list of sequences gives shape [total length, 1].
    Raises:
        TypeError: data is no such value.
        AssertionError: the lengths are not those of the sequences in the list.
        ValueError: the lengths do not add up to the rows.

    Example:
        >>> import numpy as np, paddle_compat as paddle
        >>> paddle.base.create_lod_tensor(np.ones((5, 3)), [[2, 3]], paddle.CPUPlace()).lod()
        [[0, 2, 5]]

    Follows Paddle 1.8 and 2.6.
    """
    if isinstance(data, LoDTensor):
        return create_lod_tensor(data.numpy(), recursive_seq_lens, place)
    if isinstance(data, list):
        lengths = [len(seq) for seq in data]
        assert [lengths] == [list(level) for level in recursive_seq_lens], (
            f"Invalid value for argument `recursive_seq_lens`. Expected {[lengths]}, the lengths of `data`. Received: {recursive_seq_lens}"
        )
        flat = np.concatenate([np.asarray(seq) for seq in data], axis=0)
        data = flat.reshape([*flat.shape, 1])
    if not isinstance(data, np.ndarray):
        raise type_error("data", "numpy.ndarray, LoDTensor or list", data, "create_lod_tensor")
    tensor = LoDTensor()
    tensor.set(data, place)
    tensor.set_recursive_sequence_lengths(recursive_seq_lens)
    return tensor


def create_random_int_lodtensor(
    recursive_seq_lens: Sequence[Sequence[int]], base_shape: Sequence[int], place: Any, low: int, high: int
) -> LoDTensor:
    """A LoDTensor of random integers.

    Args:
        recursive_seq_lens: lengths per level.
        base_shape: shape of one element of a sequence.
        place: where it lives.
        low, high: bounds, both included.
    Returns:
        LoDTensor of int64.

    Example:
        >>> import paddle_compat as paddle
        >>> paddle.base.create_random_int_lodtensor([[2, 3]], [4], paddle.CPUPlace(), 0, 9).shape()
        [5, 4]

    Follows Paddle 1.8 and 2.6.
    """
    total = sum(recursive_seq_lens[-1])
    data = np.random.randint(low, high + 1, [total, *base_shape]).astype("int64")
    return create_lod_tensor(data, recursive_seq_lens, place)


__all__ = ["create_lod_tensor", "create_random_int_lodtensor"]

__getattr__ = missing(__name__)
