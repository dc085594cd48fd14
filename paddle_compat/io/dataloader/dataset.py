"""Datasets: samples by index or in a row, and datasets made of others."""

from __future__ import annotations

import bisect
import itertools
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from paddle_compat._missing import missing
from paddle_compat.core.errors import failed_assertion
from paddle_compat.core.mode import in_dygraph_mode


def _absent(method: str, owner: object) -> NotImplementedError:
    return NotImplementedError(f"'{method}' not implement in class {type(owner).__name__}")


def _refused(method: str, owner: object) -> RuntimeError:
    return RuntimeError(f"'{method}' should not be called for IterableDataset {type(owner).__name__}")


class Dataset:
    """A number of samples, each of which can be had by its index.

    Subclasses define `__getitem__` and `__len__`.

    Example:
        >>> import paddle_compat as paddle
        >>> class Squares(paddle.io.Dataset):
        ...     def __getitem__(self, index):
        ...         return index**2
        ...     def __len__(self):
        ...         return 4
        >>> [batch.tolist() for batch in paddle.io.DataLoader(Squares(), batch_size=3)]
        [[0, 1, 4], [9]]

    Follows Paddle 2.6.
    """

    def __init__(self) -> None:
        pass

    def __getitem__(self, idx: Any) -> Any:
        raise _absent("__getitem__", self)

    def __len__(self) -> int:
        raise _absent("__len__", self)


class IterableDataset(Dataset):
    """Samples that come in a row, with no index.

    Subclasses define `__iter__`. Every worker process of a loader has a copy of the dataset; which samples are its own,
    `paddle.io.get_worker_info` helps it to tell.

    Example:
        >>> import paddle_compat as paddle
        >>> class Letters(paddle.io.IterableDataset):
        ...     def __iter__(self):
        ...         yield from (97, 98, 99)
        >>> [batch.tolist() for batch in paddle.io.DataLoader(Letters(), batch_size=2)]
        [[97, 98], [99]]

    Follows Paddle 2.6.
    """

    def __iter__(self) -> Iterator[Any]:
        raise _absent("__iter__", self)

    def __getitem__(self, idx: Any) -> Any:
        raise _refused("__getitem__", self)

    def __len__(self) -> int:
        raise _refused("__len__", self)


class TensorDataset(Dataset):
    """Samples that are the rows of tensors.

    Args:
        tensors (list|tuple): Tensors of one length.

    Raises:
        RuntimeError: static mode is on.
        AssertionError: the lengths differ.

    Example:
        >>> import paddle_compat as paddle
        >>> x, y = paddle.to_tensor([[1.0, 2.0], [3.0, 4.0]]), paddle.to_tensor([5, 6])
        >>> dataset = paddle.io.TensorDataset([x, y])
        >>> len(dataset), [field.tolist() for field in dataset[1]]
        (2, [[3.0, 4.0], 6])

    Follows Paddle 2.6.
    """

    def __init__(self, tensors: Sequence[Any]) -> None:
        if not in_dygraph_mode():
            raise RuntimeError("TensorDataset can only be used in dynamic graph mode. Received: a call in static mode")
        lengths = [tensor.shape[0] for tensor in tensors]
        if len(set(lengths)) > 1:
            raise failed_assertion("tensors", "tensors of one length in dimension 0", lengths, "TensorDataset")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return self.tensors[0].shape[0]


def _datasets(datasets: Iterable[Any], api: str) -> list[Any]:
    found = list(datasets)
    if not found:
        raise failed_assertion("datasets", "at least one dataset", found, api)
    return found


class ComposeDataset(Dataset):
    """Datasets of one length side by side: a sample has the fields of all of them.

    Args:
        datasets (list): Datasets.

    Raises:
        AssertionError: there are none, one is no Dataset or an IterableDataset, or the lengths differ.

    Example:
        >>> import paddle_compat as paddle
        >>> part = paddle.io.Subset([10, 20, 30], [0, 2])
        >>> paddle.io.ComposeDataset([part, part])[1]
        (30, 30)

    Follows Paddle 2.6.
    """

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        self.datasets = _datasets(datasets, "ComposeDataset")
        for dataset in self.datasets:
            if not isinstance(dataset, Dataset) or isinstance(dataset, IterableDataset):
                raise failed_assertion("datasets", "paddle.io.Datasets, none an IterableDataset", dataset, "ComposeDataset")
        lengths = [len(dataset) for dataset in self.datasets]
        if len(set(lengths)) > 1:
            raise failed_assertion("datasets", "datasets of one length", lengths, "ComposeDataset")

    def __len__(self) -> int:
        return len(self.datasets[0])

    def __getitem__(self, idx: Any) -> tuple[Any, ...]:
        fields: list[Any] = []
        for dataset in self.datasets:
            sample = dataset[idx]
            if sample is not None:
                fields.extend(sample if isinstance(sample, (list, tuple)) else [sample])
        return tuple(fields)


class ChainDataset(IterableDataset):
    """Iterable datasets one after the other.

    Args:
        datasets (list): IterableDatasets.

    Raises:
        AssertionError: there are none, or one is no IterableDataset.

    Example:
        >>> import paddle_compat as paddle
        >>> class Range(paddle.io.IterableDataset):
        ...     def __iter__(self):
        ...         return iter(range(2))
        >>> [number for number in paddle.io.ChainDataset([Range(), Range()])]
        [0, 1, 0, 1]

    Follows Paddle 2.6.
    """

    def __init__(self, datasets: Iterable[IterableDataset]) -> None:
        self.datasets = _datasets(datasets, "ChainDataset")
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise failed_assertion("datasets", "paddle.io.IterableDatasets", dataset, "ChainDataset")

    def __iter__(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(self.datasets)


class Subset(Dataset):
    """Some of the samples of a dataset.

    Args:
        dataset (Dataset): the whole.
        indices (sequence): which samples of it.

    Example:
        >>> import paddle_compat as paddle
        >>> list(paddle.io.Subset(["a", "b", "c"], [2, 0]))
        ['c', 'a']

    Follows Paddle 2.6.
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx: Any) -> Any:
        return self.dataset[self.indices[idx]]

    def __len__(self) -> int:
        return len(self.indices)


class ConcatDataset(Dataset):
    """Datasets one behind the other.

    Args:
        datasets (list): Datasets.

    Raises:
        AssertionError: there are none, or one is an IterableDataset.

    Example:
        >>> import paddle_compat as paddle
        >>> whole = paddle.io.ConcatDataset([paddle.io.Subset("abc", [0, 1]), paddle.io.Subset("xyz", [0, 1, 2])])
        >>> len(whole), whole[2], whole[-1], whole.cumulative_sizes
        (5, 'x', 'z', [2, 5])

    Follows Paddle 2.6.
    """

    def __init__(self, datasets: Iterable[Dataset]) -> None:
        self.datasets = _datasets(datasets, "ConcatDataset")
        for dataset in self.datasets:
            if isinstance(dataset, IterableDataset):
                raise failed_assertion("datasets", "no paddle.io.IterableDataset", dataset, "ConcatDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    @staticmethod
    def cumsum(sequence: Iterable[Any]) -> list[int]:
        """Where each of some sequences ends when they stand one behind the other.

        Args:
            sequence: sequences.
        Returns:
            A list of ints.

        Example:
            >>> import paddle_compat as paddle
            >>> paddle.io.ConcatDataset.cumsum(["ab", "cde"])
            [2, 5]
        """
        return list(itertools.accumulate(len(part) for part in sequence))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: int) -> Any:
        if idx < 0:
            if -idx > len(self):
                raise ValueError(f"absolute value of index should not exceed dataset length {len(self)}. Received: {idx}")
            idx += len(self)
        which = bisect.bisect_right(self.cumulative_sizes, idx)
        return self.datasets[which][idx - (self.cumulative_sizes[which - 1] if which else 0)]


def random_split(dataset: Any, lengths: Sequence[float], generator: Any = None) -> list[Subset]:
    """Divide a dataset at random.

    Args:
        dataset (Dataset): the whole.
        lengths: the lengths of the parts, or their shares, which add up to 1.
        generator: of no effect: the CPU's generator is asked, which `paddle.seed` starts again.
    Returns:
        The parts, a list of Subsets.
    Raises:
        ValueError: the lengths do not add up to the dataset's, or a share is not between 0 and 1.

    Example:
        >>> import paddle_compat as paddle
        >>> [len(part) for part in paddle.io.random_split(range(10), [7, 3])]
        [7, 3]

    Follows Paddle 2.6; shares are Paddle 3's.
    """
    from paddle_compat.tensor.random import randperm

    count = len(dataset)
    if count != 1 and sum(lengths) <= 1 and math.isclose(sum(lengths), 1):
        lengths = _lengths_of_shares(lengths, count)
    if sum(lengths) != count:
        raise ValueError(
            "Sum of input lengths does not equal the length of the input dataset! "
            f"Expected lengths that add up to {count}. Received: {list(lengths)}"
        )
    indices = randperm(count).tolist()
    ends = itertools.accumulate(int(length) for length in lengths)
    return [Subset(dataset, indices[end - int(length) : end]) for end, length in zip(ends, lengths)]


def _lengths_of_shares(shares: Sequence[float], count: int) -> list[int]:
    """Lengths in proportion to shares; what rounding leaves goes to the first parts, one each."""
    for i, share in enumerate(shares):
        if not 0 <= share <= 1:
            raise ValueError(f"Fraction at index {i} is not between 0 and 1. Received: {share}")
    lengths = [math.floor(count * share) for share in shares]
    for i in range(count - sum(lengths)):
        lengths[i % len(lengths)] += 1
    for i, length in enumerate(lengths):
        if not length:
            warnings.warn(f"Length of split at index {i} is 0. This might result in an empty dataset.", stacklevel=3)
    return lengths


__all__ = [
    "ChainDataset", "ComposeDataset", "ConcatDataset", "Dataset", "IterableDataset", "Subset", "TensorDataset", "random_split",
]  # fmt: skip

__getattr__ = missing(__name__)
