"""Reading the samples of one batch and collating them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from paddle_compat.core.errors import UnimplementedError


class Fetcher:
    """Reads batches of a dataset.

    Args:
        dataset: a Dataset or, where `iterable`, an IterableDataset.
        collated: whether a batch is several samples; else it is what the dataset gives.
        collate_fn: what makes the batch of the samples.
        drop_last: whether a last, shorter batch of an IterableDataset is left out.
        iterable: which kind of dataset it is.
    """

    def __init__(self, dataset: Any, collated: bool, collate_fn: Callable[[Any], Any], drop_last: bool, iterable: bool) -> None:
        self.dataset = dataset
        self.collated = collated
        self.collate_fn = collate_fn
        self.drop_last = drop_last
        self.samples = iter(dataset) if iterable else None

    def fetch(self, indices: Any) -> Any:
        """The batch of these indices; StopIteration where an iterable dataset has ended."""
        if self.samples is not None:
            data = self._next(len(indices)) if self.collated else next(self.samples)
        elif self.collated:
            dataset = self.dataset
            data = [dataset[index] for index in indices]
        else:
            data = self.dataset[indices]
        return self.collate_fn(data)

    def _next(self, count: int) -> list[Any]:
        assert self.samples is not None
        data = list(itertools.islice(self.samples, count))
        if not data or (self.drop_last and len(data) < count):
            raise StopIteration
        return data


class DatasetKind:
    """The kinds of datasets: with indices, and those that are iterated over."""

    MAP = 0
    ITER = 1

    @staticmethod
    def create_fetcher(kind: int, dataset: Any, auto_collate_batch: bool, collate_fn: Callable[[Any], Any], drop_last: bool) -> Fetcher:
        """What reads the batches of a dataset.

        Args:
            kind: MAP or ITER.
            dataset: the dataset.
            auto_collate_batch: whether a batch is several samples.
            collate_fn: what makes the batch of the samples.
            drop_last: whether a last, shorter batch of an IterableDataset is left out.
        Returns:
            Fetcher.
        Raises:
            NotImplementedError: it is none of the two kinds.
        """
        if kind not in (DatasetKind.MAP, DatasetKind.ITER):
            raise UnimplementedError(f"Expected a known kind of dataset. Received: {kind}")
        return Fetcher(dataset, auto_collate_batch, collate_fn, drop_last, kind == DatasetKind.ITER)
