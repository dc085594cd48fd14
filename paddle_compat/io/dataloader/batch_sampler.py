"""Batch samplers: which samples make a batch, and which of them are a process's own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.io.dataloader.dataset import IterableDataset
from paddle_compat.io.dataloader.sampler import RandomSampler, Sampler, SequenceSampler


def _batches(indices: Iterable[Any], size: int, drop_last: bool) -> Iterator[list[Any]]:
    """Indices in lists of a size; the last may be shorter."""
    batch: list[Any] = []
    for index in indices:
        batch.append(index)
        if len(batch) == size:
            yield batch
            batch = []
    if batch and not drop_last:
        yield batch


def _check(api: str, batch_size: Any, **switches: Any) -> None:
    if not isinstance(batch_size, int) or batch_size <= 0:
        raise failed_assertion("batch_size", "a positive integer", batch_size, api)
    for name, value in switches.items():
        if not isinstance(value, bool):
            raise failed_assertion(name, "a boolean value", value, api)


class BatchSampler(Sampler):
    """Lists of indices, one for each batch.

    Args:
        dataset (Dataset): what is sampled; anything with a length.
        sampler (Sampler|iterable): what gives the indices, instead of the dataset.
        shuffle (bool): whether a dataset's samples come at random.
        batch_size (int): how many indices a list has.
        drop_last (bool): leave out the last list where it is shorter.

    Raises:
        AssertionError: an argument is none of these, or both or neither of dataset and sampler are given.

    Example:
        >>> import paddle_compat as paddle
        >>> list(paddle.io.BatchSampler("abcde", batch_size=2))
        [[0, 1], [2, 3], [4]]
        >>> len(paddle.io.BatchSampler("abcde", batch_size=2, drop_last=True))
        2

    Follows Paddle 2.6.
    """

    def __init__(
        self, dataset: Any = None, sampler: Any = None, shuffle: bool = False, batch_size: int = 1, drop_last: bool = False
    ) -> None:
        api = "BatchSampler"
        if dataset is None:
            if not isinstance(sampler, (Sampler, Iterable)):
                raise failed_assertion("sampler", "a paddle.io.Sampler, or something iterable, where there is no dataset", sampler, api)
            if shuffle:
                raise failed_assertion("shuffle", "False where a sampler is given", shuffle, api)
            self.sampler: Any = sampler
            self.shuffle = False
        else:
            if isinstance(dataset, IterableDataset):
                raise failed_assertion("dataset", "no paddle.io.IterableDataset", dataset, api)
            if sampler is not None:
                raise failed_assertion("sampler", "None where a dataset is given", sampler, api)
            if not isinstance(shuffle, bool):
                raise failed_assertion("shuffle", "a boolean value", shuffle, api)
            self.shuffle = shuffle
            self.sampler = RandomSampler(dataset) if shuffle else SequenceSampler(dataset)
        _check(api, batch_size, drop_last=drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last

    def __iter__(self) -> Iterator[list[Any]]:
        return _batches(self.sampler, self.batch_size, self.drop_last)

    def __len__(self) -> int:
        return (len(self.sampler) + (0 if self.drop_last else self.batch_size - 1)) // self.batch_size


class _InfiniteIterableSampler:
    """As many places for samples as a batch has, for ever: the dataset tells when it ends."""

    def __init__(self, dataset: Any, batch_size: int = 1) -> None:
        self.dataset = dataset
        self.batch_size = batch_size

    def __iter__(self) -> Iterator[list[None]]:
        while True:
            yield [None] * self.batch_size


def _from_environment(*names: str, default: int) -> int:
    """A number that the launcher left in the environment: Paddle's, else torchrun's."""
    for name in names:
        if os.environ.get(name):
            return int(os.environ[name])
    return default


class DistributedBatchSampler(BatchSampler):
    """The lists of indices that one of several processes reads.

    Samples come again at the end so that all processes have the same number. Batches go to the processes in turn; the samples
    that do not fill a batch for each are divided among them.

    Args:
        dataset (Dataset): what is sampled; anything with a length.
        batch_size (int): how many indices a list has.
        num_replicas (int): the number of processes; None: what the launcher said.
        rank (int): this process's number; None: what the launcher said.
        shuffle (bool): whether samples come at random, in an order that the epoch's number decides.
        drop_last (bool): leave out the last list where it is shorter.

    Raises:
        AssertionError: an argument is none of these.

    Example:
        >>> import paddle_compat as paddle
        >>> [list(paddle.io.DistributedBatchSampler("abcdefg", 2, 2, rank)) for rank in range(2)]
        [[[0, 1], [4, 5]], [[2, 3], [6, 0]]]

    Follows Paddle 2.6.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int,
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = False,
        drop_last: bool = False,
    ) -> None:
        api = "DistributedBatchSampler"
        _check(api, batch_size, shuffle=shuffle, drop_last=drop_last)
        if num_replicas is not None and not (isinstance(num_replicas, int) and num_replicas > 0):
            raise failed_assertion("num_replicas", "a positive integer", num_replicas, api)
        if rank is not None and not (isinstance(rank, int) and rank >= 0):
            raise failed_assertion("rank", "a non-negative integer", rank, api)
        self.dataset = dataset
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.drop_last = drop_last
        self.nranks = _from_environment("PADDLE_TRAINERS_NUM", "WORLD_SIZE", default=1) if num_replicas is None else num_replicas
        self.local_rank = _from_environment("PADDLE_TRAINER_ID", "RANK", default=0) if rank is None else rank
        self.epoch = 0
        self.num_samples = -(-len(dataset) // self.nranks)
        self.total_size = self.num_samples * self.nranks

    def _all_indices(self) -> np.ndarray:
        # the shuffle of a list; an array of one dimension takes the same steps
        indices = np.resize(np.arange(len(self.dataset)), self.total_size)
        if self.shuffle:
            np.random.RandomState(self.epoch).shuffle(indices)
            self.epoch += 1
        return indices

    def __iter__(self) -> Iterator[list[int]]:
        if self.local_rank >= self.nranks:
            raise failed_assertion("rank", f"a number below num_replicas = {self.nranks}", self.local_rank, "DistributedBatchSampler")
        indices = self._all_indices()
        if self.nranks > 1:
            whole = self.total_size - self.total_size % (self.batch_size * self.nranks)
            batches = indices[:whole].reshape(-1, self.nranks, self.batch_size)
            rest = indices[whole:].reshape(self.nranks, -1)
            indices = np.concatenate([batches[:, self.local_rank].reshape(-1), rest[self.local_rank]])
        yield from _batches(indices.tolist(), self.batch_size, self.drop_last)

    def __len__(self) -> int:
        return (self.num_samples + (0 if self.drop_last else self.batch_size - 1)) // self.batch_size

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch comes next: its number is the seed of its order.

        Args:
            epoch: the number.

        Example:
            >>> import paddle_compat as paddle
            >>> sampler = paddle.io.DistributedBatchSampler("abcd", 4, 1, 0, shuffle=True)
            >>> first = list(sampler)
            >>> sampler.set_epoch(0); list(sampler) == first
            True
        """
        self.epoch = epoch


__all__ = ["BatchSampler", "DistributedBatchSampler"]

__getattr__ = missing(__name__)
