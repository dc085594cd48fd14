"""Reading the samples of one batch and collating them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any


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
