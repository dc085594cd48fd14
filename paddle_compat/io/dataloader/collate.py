"""Making one batch of several samples, field by field."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from paddle_compat._missing import missing
from paddle_compat.core.tensor import Tensor


def default_collate_fn(batch: list[Any]) -> Any:
    """Make one batch of samples: what has the same place in all of them is stacked.

    Args:
        batch: samples: arrays, Tensors, numbers, strings, or lists and dicts of such.
    Returns:
        The form of a sample; arrays and numbers are numpy arrays, Tensors a Tensor; strings stay as many.
    Raises:
        TypeError: a sample holds something else.
        RuntimeError: samples have different numbers of fields.
        ValueError: arrays have different shapes.

    Example:
        >>> from paddle_compat.io.dataloader.collate import default_collate_fn
        >>> default_collate_fn([(1, "a"), (2, "b")])
        [array([1, 2]), ('a', 'b')]

    Follows Paddle 2.6.
    """
    return collate(batch, np.stack)


def collate(batch: Sequence[Any], stack: Callable[[list[np.ndarray]], Any]) -> Any:
    """`default_collate_fn`, with the function that stacks the arrays."""
    sample = batch[0]
    if isinstance(sample, np.ndarray):
        return stack(list(batch))
    if isinstance(sample, Tensor):
        from paddle_compat.tensor.manipulation import stack as stack_tensors

        return stack_tensors(list(batch), axis=0)
    if isinstance(sample, numbers.Number):
        return np.array(batch)
    if isinstance(sample, (str, bytes)):
        return batch
    if isinstance(sample, Mapping):
        return {key: collate([other[key] for other in batch], stack) for key in sample}
    if isinstance(sample, Sequence):
        if len(set(map(len, batch))) > 1:
            raise RuntimeError(f"fields number not same among samples in a batch. Received: {sorted(set(map(len, batch)))}")
        return [collate(fields, stack) for fields in zip(*batch)]
    raise TypeError(f"batch data can only contain: tensor, numpy.ndarray, dict, list, number, but got {type(sample)}")


def default_convert_fn(batch: Any) -> Any:
    """What comes of a sample where samples are not collated: the same, with lists for tuples.

    Args:
        batch: a sample.
    Returns:
        The sample.

    Example:
        >>> from paddle_compat.io.dataloader.collate import default_convert_fn
        >>> default_convert_fn({"x": (1, "a")})
        {'x': [1, 'a']}

    Follows Paddle 2.6.
    """
    return restructured(batch, lambda leaf: leaf)


def restructured(batch: Any, leaf: Callable[[Any], Any]) -> Any:
    """A copy with lists for sequences and dicts for mappings, in which `leaf` was applied to all arrays and tensors."""
    if is_leaf(batch):
        return leaf(batch)
    if isinstance(batch, (str, bytes)):
        return batch
    if isinstance(batch, Mapping):
        return {key: restructured(value, leaf) for key, value in batch.items()}
    if isinstance(batch, Sequence):
        return [restructured(value, leaf) for value in batch]
    return batch


def is_leaf(value: Any) -> bool:
    """Whether a value becomes a tensor of its own."""
    return isinstance(value, (np.ndarray, Tensor, torch.Tensor))


__all__ = ["default_collate_fn", "default_convert_fn"]

__getattr__ = missing(__name__)
