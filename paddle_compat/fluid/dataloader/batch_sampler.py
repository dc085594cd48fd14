"""`paddle.fluid.dataloader.batch_sampler`: which samples make a batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.io.dataloader.batch_sampler import _batches, _check
from paddle_compat.io.dataloader.dataset import Dataset


class BatchSampler:
    """Lists of indices, one for each batch. Each pass shuffles the order of the last.

    Args:
        dataset (Dataset): what is sampled.
        indices (list|tuple): the indices, instead of the dataset.
        shuffle (bool): whether they come at random, by numpy's global generator.
        batch_size (int): how many indices a list has.
        drop_last (bool): leave out the last list where it is shorter.

    Raises:
        AssertionError: an argument is none of these, or both or neither of dataset and indices are given.

    Example:
        >>> import paddle_compat.fluid as fluid
        >>> sampler = fluid.dataloader.BatchSampler(indices=[4, 2, 7], batch_size=2)
        >>> list(sampler), len(sampler)
        ([[4, 2], [7]], 2)

    Follows Paddle 1.8.
    """

    def __init__(
        self,
        dataset: Any = None,
        indices: Sequence[int] | None = None,
        shuffle: bool = False,
        batch_size: int = 1,
        drop_last: bool = False,
    ) -> None:
        api = "BatchSampler"
        if dataset is None:
            if not isinstance(indices, (list, tuple)):
                raise failed_assertion("indices", "a list or tuple where there is no dataset", indices, api)
            self.indices: Any = indices
        else:
            if not isinstance(dataset, Dataset):
                raise failed_assertion("dataset", "a Dataset", dataset, api)
            if indices is not None:
                raise failed_assertion("indices", "None where a dataset is given", indices, api)
            self.indices = list(range(len(dataset)))
        _check(api, batch_size, shuffle=shuffle, drop_last=drop_last)
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[int]]:
        if self.shuffle:
            np.random.shuffle(self.indices)
        yield from _batches(self.indices, self.batch_size, self.drop_last)

    def __len__(self) -> int:
        return (len(self.indices) + (0 if self.drop_last else self.batch_size - 1)) // self.batch_size


__all__ = ["BatchSampler"]

__getattr__ = missing(__name__)
